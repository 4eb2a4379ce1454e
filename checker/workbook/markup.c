/* Words into HTML. See markup.h. */
#include "markup.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void html_print(Buffer *out, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    add_text(out, text);
    free(text);
}

/* A control character has no form in HTML. */
static bool has_form_in_html(char c)
{
    return c == '\n' || c == '\t' || ((unsigned char)c >= ' ' && c != 127);
}

void html_escape(Buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '&')
            add_text(out, "&amp;");
        else if (text[i] == '<')
            add_text(out, "&lt;");
        else if (text[i] == '>')
            add_text(out, "&gt;");
        else if (text[i] == '"')
            add_text(out, "&quot;");
        else if (has_form_in_html(text[i]))
            buffer_append(out, text + i, 1);
        else
            html_print(out, "\\x%02x", (unsigned char)text[i]);
}

void html_text(Buffer *out, const char *text)
{
    html_escape(out, text, strlen(text));
}
