/* A learner's file as tokens. See line.h.
 *
 * The invariant: every byte is in one token, in white space, in a comment or in a directive; any
 * other text is refused as a whole. */
#include "line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 100000, MOST_TOKENS = 20000, MOST_DIRECTIVES = 256 };

typedef struct {
    Tokens *tokens;
    const char *at, *end;
    int line;
    bool fresh; /* nothing but white space on this line so far */
    bool spaced;
} Scan;

static bool begins(const Scan *s, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(s->end - s->at) >= length && !memcmp(s->at, text, length);
}

static void skip(Scan *s, int count)
{
    for (; count > 0 && s->at < s->end; count--)
        s->line += *s->at++ == '\n';
}

/* White space, comments and lines that go on. False: a comment without an end. */
static bool skip_space(Scan *s)
{
    for (s->spaced = false; s->at < s->end; s->spaced = true) {
        if (begins(s, "\\\n")) {
            skip(s, 2);
        } else if (begins(s, "\\\r\n")) {
            skip(s, 3);
        } else if (isspace((unsigned char)*s->at)) {
            s->fresh = s->fresh || *s->at == '\n';
            skip(s, 1);
        } else if (begins(s, "//")) {
            while (s->at < s->end && *s->at != '\n')
                skip(s, *s->at == '\\' ? 2 : 1);
        } else if (begins(s, "/*")) {
            for (skip(s, 2); s->at < s->end && !begins(s, "*/"); skip(s, 1))
                continue;
            if (s->at == s->end)
                return false;
            skip(s, 2);
        } else {
            break;
        }
    }
    return true;
}

/* From the # to the end of the line, comments and all. */
static bool take_directive(Scan *s)
{
    Tokens *t = s->tokens;
    const char *begin = s->at;
    while (s->at < s->end && *s->at != '\n') {
        if (begins(s, "/*")) {
            const char *line = memchr(s->at, '\n', (size_t)(s->end - s->at));
            const char *close = strstr(s->at, "*/");
            if (!close || (line && close > line))
                return false;
        }
        skip(s, *s->at == '\\' ? 2 : 1);
    }
    if (t->directive_count == MOST_DIRECTIVES)
        return false;
    t->directives[t->directive_count++] =
        (Directive){t->count, (int)(begin - t->text), (int)(s->at - begin)};
    return true;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static int length_of_number(const Scan *s)
{
    const char *at = s->at;
    while (at < s->end &&
           (is_letter(*at) || *at == '.' ||
            ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]) &&
             !(s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X') && strchr("eE", at[-1])))))
        at++;
    return (int)(at - s->at);
}

/* 0: it does not end on its line. */
static int length_of_text(const Scan *s)
{
    const char *at = s->at + 1;
    while (at < s->end && *at != *s->at && *at != '\n')
        at += *at == '\\' && at + 1 < s->end ? 2 : 1;
    return at < s->end && *at == *s->at ? (int)(at + 1 - s->at) : 0;
}

static int length_of_mark(const Scan *s)
{
    static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (begins(s, marks[i]))
            return (int)strlen(marks[i]);
    return strchr("()[]{}+-*/%=<>!&|^~?:;,.", *s->at) ? 1 : 0;
}

static bool take_token(Scan *s)
{
    Tokens *t = s->tokens;
    const char c = *s->at;
    TokenKind kind = MARK;
    int length = 0;
    if (isdigit((unsigned char)c) ||
        (c == '.' && s->at + 1 < s->end && isdigit((unsigned char)s->at[1]))) {
        kind = NUMBER;
        length = length_of_number(s);
    } else if (is_letter(c)) {
        kind = NAME;
        while (s->at + length < s->end && is_letter(s->at[length]))
            length++;
    } else if (c == '"' || c == '\'') {
        kind = TEXT;
        length = length_of_text(s);
    } else if (c) {
        length = length_of_mark(s);
    }
    if (!length || t->count == MOST_TOKENS)
        return false;
    t->items[t->count++] = (Token){kind, (int)(s->at - t->text), length, s->line, s->spaced};
    skip(s, length);
    s->fresh = false;
    return true;
}

bool tokens_read(Tokens *t, const char *text, size_t length)
{
    *t = (Tokens){.text = text,
                  .items = calloc(MOST_TOKENS + 1, sizeof *t->items),
                  .directives = calloc(MOST_DIRECTIVES, sizeof *t->directives)};
    Scan s = {t, text, text + length, 1, true, false};
    if (!t->items || !t->directives || length > MOST_BYTES)
        return false;
    if (begins(&s, "\xEF\xBB\xBF"))
        skip(&s, 3);
    while (skip_space(&s) && s.at < s.end)
        if (!(*s.at == '#' && s.fresh ? take_directive(&s) : take_token(&s)))
            return false;
    t->items[t->count] = (Token){END, (int)length, 0, s.line, false};
    return s.at == s.end;
}

void tokens_free(Tokens *t)
{
    free(t->items);
    free(t->directives);
    *t = (Tokens){0};
}

bool token_is(const Tokens *t, int token, const char *text)
{
    size_t length = strlen(text);
    return token >= 0 && token < t->count && (size_t)t->items[token].length == length &&
           !memcmp(t->text + t->items[token].at, text, length);
}

bool same_token(const Tokens *t, int a, int b)
{
    return t->items[a].length == t->items[b].length &&
           !memcmp(t->text + t->items[a].at, t->text + t->items[b].at, (size_t)t->items[a].length);
}
