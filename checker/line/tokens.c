/* A learner's file as tokens. See line.h.
 *
 * The invariant: every byte is in one token, in white space, in a comment, in a directive, or in
 * what an #if within braces leaves out; any other text is refused as a whole. */
#include "line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 100000, MOST_TOKENS = 20000, MOST_DIRECTIVES = 256, DEEPEST_IF = 16 };

/* A part of the text between #if and #endif within braces. OPEN: who knows. */
typedef enum { OPEN, TAKEN, LEFT_OUT, DONE_WITH } Choice; /* done: an earlier part was taken */

typedef struct {
    Tokens *tokens;
    const char *at, *end;
    int line;
    bool fresh; /* nothing but white space on this line so far */
    bool spaced;
    int braces;
    Choice choices[DEEPEST_IF];
    int choice_count;
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

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* ---- #if within braces ---- */
static bool is_left_out(const Scan *s)
{
    bool left_out = false;
    for (int i = 0; i < s->choice_count; i++)
        left_out = left_out || s->choices[i] == LEFT_OUT || s->choices[i] == DONE_WITH;
    return left_out;
}

/* The last #define of that name so far; NULL: there is none. */
static const char *defined_as(const Tokens *t, const char *name, size_t length)
{
    const char *body = NULL;
    for (int i = 0; i < t->directive_count; i++) {
        const char *at = t->text + t->directives[i].at + 1;
        at += strspn(at, " \t");
        at += strcspn(at, " \t\n");
        at += strspn(at, " \t");
        if (strncmp(at, name, length) != 0 || is_letter(at[length]))
            continue;
        if (directive_is(t, &t->directives[i], "define"))
            body = at + length;
        else if (directive_is(t, &t->directives[i], "undef"))
            body = NULL;
    }
    return body;
}

/* 0 or 1 is known, and whether the file itself defines a name. The headers' names are theirs. */
static Choice choice_of(const Tokens *t, const char *word)
{
    static const char *const of_headers[] = {"M_",   "NDEBUG", "INFINITY", "NAN",
                                             "FLT_", "DBL_",   "INT_"};
    const bool by_name = !strncmp(word, "ifdef", 5) || !strncmp(word, "ifndef", 6);
    const char *name = word + strcspn(word, " \t\n");
    name += strspn(name, " \t");
    size_t length = 0;
    while (is_letter(name[length]))
        length++;
    const size_t behind = length + strspn(name + length, " \t\r");
    if (name[behind] != '\n')
        return OPEN;
    if (!by_name)
        return length == 1 && *name == '0' ? LEFT_OUT : length == 1 && *name == '1' ? TAKEN : OPEN;
    bool own = length && *name != '_';
    for (size_t i = 0; i < sizeof of_headers / sizeof *of_headers; i++)
        own = own && strncmp(name, of_headers[i], strlen(of_headers[i])) != 0;
    if (!own)
        return OPEN;
    return (defined_as(t, name, length) != NULL) == (word[2] == 'd') ? TAKEN : LEFT_OUT;
}

/* Follows it. True: it is one of those whose choice is known, and is no part of the text. */
static bool follows_choice(Scan *s, const char *word)
{
    Choice *last = s->choice_count ? &s->choices[s->choice_count - 1] : NULL;
    if (!strncmp(word, "if", 2)) {
        if (s->choice_count == DEEPEST_IF)
            return false;
        const Choice choice = s->braces > 0 ? choice_of(s->tokens, word) : OPEN;
        s->choices[s->choice_count++] = choice;
        return choice != OPEN;
    }
    const bool ends = !strncmp(word, "endif", 5), other = !strncmp(word, "el", 2);
    if (!last || *last == OPEN || !(ends || other)) {
        s->choice_count -= last && ends;
        return false;
    }
    if (ends)
        s->choice_count--;
    else if (*last == TAKEN)
        *last = DONE_WITH;
    else if (*last == LEFT_OUT)
        *last = !strncmp(word, "else", 4) ? TAKEN : choice_of(s->tokens, word + 2);
    return ends || *last != OPEN;
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
    const char *word = begin + 1 + strspn(begin + 1, " \t");
    const bool was_left_out = is_left_out(s);
    if (follows_choice(s, word) || was_left_out)
        return true;
    if (t->directive_count == MOST_DIRECTIVES)
        return false;
    t->directives[t->directive_count++] =
        (Directive){t->count, (int)(begin - t->text), (int)(s->at - begin)};
    return true;
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
    if (!is_left_out(s)) {
        t->items[t->count++] = (Token){kind, (int)(s->at - t->text), length, s->line, s->spaced};
        s->braces += (c == '{') - (c == '}');
    }
    skip(s, length);
    s->fresh = false;
    return true;
}

bool tokens_read(Tokens *t, const char *text, size_t length)
{
    *t = (Tokens){.text = text,
                  .items = calloc(MOST_TOKENS + 1, sizeof *t->items),
                  .directives = calloc(MOST_DIRECTIVES, sizeof *t->directives)};
    Scan s = {.tokens = t, .at = text, .end = text + length, .line = 1, .fresh = true};
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

bool directive_is(const Tokens *t, const Directive *d, const char *word)
{
    const char *at = t->text + d->at + 1;
    at += strspn(at, " \t");
    return !strncmp(at, word, strlen(word));
}

bool is_macro(const Tokens *t, int name)
{
    const size_t length = (size_t)t->items[name].length;
    for (int i = 0; i < t->directive_count; i++) {
        const char *at = t->text + t->directives[i].at + 1;
        if (!directive_is(t, &t->directives[i], "define"))
            continue;
        at += strspn(at, " \t") + strlen("define");
        at += strspn(at, " \t");
        if (!strncmp(at, t->text + t->items[name].at, length) && at[length] == '(')
            return true;
    }
    return false;
}

bool same_token(const Tokens *t, int a, int b)
{
    return t->items[a].length == t->items[b].length &&
           !memcmp(t->text + t->items[a].at, t->text + t->items[b].at, (size_t)t->items[a].length);
}
