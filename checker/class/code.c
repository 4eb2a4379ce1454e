/* What of a C text is code, and which functions stand in it. See class.h.
 *
 * The text is a stranger's and may be no C at all: each byte is looked at once, and nothing that it
 * says ends the look. */
#include "class.h"

#include <ctype.h>
#include <string.h>

/* The end of the comment that begins here; `at` itself: none does. */
static const char *behind_comment(const char *at, const char *end)
{
    if (end - at > 1 && !memcmp(at, "/*", 2)) {
        const char *found = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
        return found ? found + 2 : end;
    }
    if (end - at > 1 && !memcmp(at, "//", 2))
        while (at < end && (*at != '\n' || at[-1] == '\\'))
            at++;
    return at;
}

static const char *behind_string(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' ? 2 : 1;
    return at >= end ? end : *at == '\n' ? at : at + 1;
}

static const char *behind_line(const char *at, const char *end)
{
    const char *start = at;
    while (at < end && (*at != '\n' || (at > start && at[-1] == '\\')))
        at++;
    return at;
}

/* How deep in "#if" the code is, and from which depth on it is switched off. */
typedef struct {
    int depth, off; /* off: 0, it is on */
} Switch;

static void turn(Switch *s, const char *line, const char *end)
{
    const char *word = line + 1;
    while (word < end && (*word == ' ' || *word == '\t'))
        word++;
    size_t length = (size_t)(end - word);
    if (length > 2 && !strncmp(word, "if", 2)) {
        s->depth++;
        const char *value = word + 2;
        while (value < end && (*value == ' ' || *value == '\t'))
            value++;
        bool zero = end - value > 0 && *value == '0' &&
                    (end - value == 1 || isspace((unsigned char)value[1]));
        while (zero && ++value < end && isspace((unsigned char)*value))
            continue;
        zero = zero && (value == end || *value == '/');
        if (!s->off && word[2] != 'd' && word[2] != 'n' && zero)
            s->off = s->depth;
    } else if (length >= 5 && !strncmp(word, "endif", 5)) {
        s->off = s->off == s->depth ? 0 : s->off;
        s->depth -= s->depth > 0;
    } else if (length >= 4 && !strncmp(word, "el", 2) && s->off == s->depth) {
        s->off = 0;
    }
}

size_t code_alone(const char *text, size_t length, Buffer *out)
{
    const char *end = text + length;
    bool line_begins = true;
    size_t switched_off = 0;
    Switch s = {0};
    for (const char *at = text; at < end;) {
        const char *behind = behind_comment(at, end);
        bool comment = behind > at, string = *at == '"' || *at == '\'';
        if (!comment && *at == '#' && line_begins) {
            behind = behind_line(at, end);
            turn(&s, at, behind);
        } else if (!comment && string && !s.off) {
            behind = behind_string(at, end);
            buffer_append(out, *at == '"' ? "\"\"" : "'0'", *at == '"' ? 2 : 3);
        } else if (comment && !s.off) {
            buffer_append(out, " ", 1);
        } else if (!comment) {
            line_begins = *at == '\n' || (line_begins && isspace((unsigned char)*at));
            if (!s.off || *at == '\n')
                buffer_append(out, at, 1);
            behind = at + 1;
        }
        switched_off += s.off ? (size_t)(behind - at) : 0;
        at = behind;
    }
    buffer_append(out, "", 1);
    out->length--;
    return switched_off;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

int functions_in(const char *text, size_t length, Named *found, int most)
{
    Buffer code = {0};
    code_alone(text, length, &code);
    const char *end = code.data + code.length, *word = NULL;
    size_t word_length = 0;
    int depth = 0, parens = 0, count = 0;
    bool called = false;
    for (const char *at = code.data; at < end && count < most; at++) {
        if (is_word(*at)) {
            const char *start = at;
            while (at + 1 < end && is_word(at[1]))
                at++;
            if (!depth && !parens && !called) {
                word = start;
                word_length = (size_t)(at + 1 - start);
            }
            continue;
        }
        if (*at == '(' && !depth && !parens)
            called = word != NULL;
        if (!depth && !parens && called && (*at == '{' || *at == ';')) {
            Named *f = &found[count++];
            f->defined = *at == '{';
            snprintf(f->name, sizeof f->name, "%.*s",
                     (int)(word_length < sizeof f->name ? word_length : sizeof f->name), word);
        }
        if (!parens && strchr("{;}", *at) && *at) {
            word = NULL;
            called = false;
        }
        parens += *at == '(' ? 1 : *at == ')' && parens > 0 ? -1 : 0;
        depth += *at == '{' ? 1 : *at == '}' && depth > 0 ? -1 : 0;
    }
    buffer_free(&code);
    return count;
}
