/* Code with its parts marked: C by its tokens, a console by who wrote a line. See book.h. */
#include "book.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_marked(Buffer *out, const char *class, const char *text, size_t length)
{
    html_print(out, "<span class=\"%s\">", class);
    html_escape(out, text, length);
    add_text(out, "</span>");
}

/* ---- C ---- */
static bool is_one_of(const char *const *words, const char *text, size_t length)
{
    for (; *words; words++)
        if (strlen(*words) == length && !strncmp(*words, text, length))
            return true;
    return false;
}

static const char *class_of_word(const char *text, size_t length, const char *end)
{
    static const char *const keywords[] = {
        "break",  "case",    "const", "continue", "default", "do",     "else",   "enum",
        "extern", "for",     "goto",  "if",       "return",  "sizeof", "static", "struct",
        "switch", "typedef", "union", "while",    "NULL",    NULL};
    static const char *const types[] = {"bool",  "char",   "double", "float",    "int",  "long",
                                        "short", "signed", "size_t", "unsigned", "void", NULL};
    if (is_one_of(keywords, text, length))
        return "word";
    if (is_one_of(types, text, length))
        return "type";
    return text + length < end && text[length] == '(' ? "call" : NULL;
}

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* How long the token at `at` is, and what it is marked as; NULL: nothing. */
static size_t token(const char *at, const char *end, const char **class)
{
    size_t length = 1, room = (size_t)(end - at);
    *class = NULL;
    if (!strncmp(at, "//", 2) || *at == '#') {
        *class = *at == '#' ? "directive" : "comment";
        const char *line = memchr(at, '\n', room);
        return line ? (size_t)(line - at) : room;
    }
    if (room > 1 && !strncmp(at, "/*", 2)) {
        const char *to = strstr(at + 2, "*/");
        *class = "comment";
        return to && to < end ? (size_t)(to + 2 - at) : room;
    }
    if (*at == '"' || *at == '\'') {
        while (length < room && at[length] != *at)
            length += at[length] == '\\' && length + 1 < room ? 2 : 1;
        *class = "string";
        return length < room ? length + 1 : room;
    }
    if (isalnum((unsigned char)*at) || *at == '_') {
        while (length < room && is_in_word(at[length]) &&
               (at[length] != '.' || isdigit((unsigned char)*at)))
            length++;
        *class = isdigit((unsigned char)*at) ? "number" : class_of_word(at, length, end);
    }
    return length;
}

void highlight_c(Buffer *out, const char *code, size_t length)
{
    const char *end = code + length, *class;
    for (const char *at = code; at < end;) {
        size_t taken = token(at, end, &class);
        if (class)
            add_marked(out, class, at, taken);
        else
            html_escape(out, at, taken);
        at += taken;
    }
}

/* ---- a console: "$ " is typed, the rest is an answer ---- */
void highlight_console(Buffer *out, const char *code, size_t length)
{
    for (const char *at = code, *end = code + length; at < end;) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        size_t taken = line ? (size_t)(line - at) : (size_t)(end - at);
        if (taken > 1 && at[0] == '$' && at[1] == ' ') {
            add_text(out, "<span class=\"sign\">$ </span>");
            add_marked(out, "typed", at + 2, taken - 2);
        } else {
            add_marked(out, "answer", at, taken);
        }
        add_text(out, line ? "\n" : "");
        at += taken + (line ? 1 : 0);
    }
}
