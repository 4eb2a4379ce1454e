/* A Markdown text, set in lines for a terminal.
 *
 *   markdown.c  the text, parsed by md4c -> headings, paragraphs, lists, code, tables
 *   formula.c   a formula in TeX         -> its parts, and these -> text that can be read
 *   plot.h      a block of numbers       -> a picture
 *   lines.c     a block's words          -> lines of at most so many columns
 *
 * The invariant: a line is broken at a blank and never in a word, and nothing in the text acts on
 * the terminal but what is written here. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <stdbool.h>

#include "text.h" /* Buffer */

typedef struct {
    int width;
    bool styled, coloured; /* else plain characters */
} Look;

/* ---- markdown.c ---- */
/* NULL: it can't be set here, since md4c is missing. Caller frees. */
char *markdown_set(const char *markdown, const Look *look);

/* ---- lines.c ---- */
/* In a text that is to be set these bytes are no characters. The first three begin something, and
 * end it. The last is a blank within a formula: a line that goes on behind it has a sign before it.
 */
enum { BOLD = 1, EMPHASIS, CODE, HELD_BLANK, LINE_END, FORMULA_BLANK };

int text_columns(const char *text, size_t length); /* as they are shown */
/* Adds the text in lines that begin with `first`, and the others with `next`. */
void lines_add(Buffer *out, const Look *look, const char *text, const char *first,
               const char *next);
/* The same for one line of code: its own blanks stay, and a part that had to go on another line has
 * a sign before it. */
void code_line_add(Buffer *out, const Look *look, const char *line, size_t length,
                   const char *indent);
/* What is short is not broken: its blanks are held. */
void hold_short(char *text, size_t length);
void add_text(Buffer *out, const char *text);
/* Which of the two the terminal can show. */
const char *sign(const char *utf8, const char *ascii);
void add_repeated(Buffer *out, const char *text, int count);

/* ---- formula.c ---- */
typedef struct {
    enum {
        TEX_END,
        TEX_BLANK, /* between words */
        TEX_SPACE, /* that is to be seen */
        TEX_CHARACTER,
        TEX_COMMAND,
        TEX_GROUP,
        TEX_BELOW, /* '_': the argument follows */
        TEX_ABOVE
    } kind;
    const char *text; /* a command's name, what is in the group, the character */
    size_t length;
} TexPart;
TexPart tex_next(const char **at, const char *end);     /* takes it off the beginning */
TexPart tex_argument(const char **at, const char *end); /* the same, behind blanks */
bool tex_is(const TexPart *command, const char *name);
bool tex_is_too_deep(const char *tex, size_t length);

void formula_set(Buffer *out, const char *tex, size_t length);
/* The same, and a NUL, for lines of so many columns: where a part between gaps or equals signs fits
 * a line, it is not broken. */
void formula_set_in_parts(Buffer *out, const char *tex, size_t length, int columns);

#endif
