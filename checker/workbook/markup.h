/* HTML, for the book and for a class's pages.
 *
 * The invariant: what goes through html_text() and html_escape() is shown as characters, whatever
 * it holds. What goes through add_text() and a format stands as it is. */
#ifndef MARKUP_H
#define MARKUP_H

#include "markdown.h" /* add_text() */

void html_print(Buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void html_escape(Buffer *out, const char *text, size_t length);
void html_text(Buffer *out, const char *text);

#endif
