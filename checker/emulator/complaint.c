/* What TCC says of a text that is no C, as a beginner needs it: in our words, with the place where
 * it is meant and the line under which a ^ stands.
 *
 * The invariant: what is not known here keeps TCC's words, and a place is told only where the
 * text's tokens agree that it is the one. */
#include "library.h"
#include "line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Tokens tokens;
    const char *text;
    int here; /* the token that TCC stopped at; the last is an END */
    const char *message;
    char name[NAME_SIZE]; /* what it says in quotes, or "" */
    const char *header;   /* which declares the lesson's functions */
    bool called;          /* the name is a function's */
} Complaint;

typedef struct {
    int token;   /* -1: none */
    bool behind; /* it */
    char *words; /* NULL: TCC's own */
} Said;

/* ---- tokens ---- */
static bool is(const Complaint *c, int token, const char *text)
{
    return token >= 0 && token < c->tokens.count && token_is(&c->tokens, token, text);
}

static bool is_name(const Complaint *c, int token)
{
    return token >= 0 && token < c->tokens.count && c->tokens.items[token].kind == NAME;
}

static char *text_at(const Complaint *c, int token)
{
    const Token *t = &c->tokens.items[token];
    return format_text("%.*s", t->length, c->text + t->at);
}

/* The bracket that is open at `from`, looked for backwards; -1: none is. */
static int opened_before(const Complaint *c, int from, const char *open, const char *close)
{
    int closed = 0;
    for (int i = from - 1; i >= 0; i--) {
        closed += is(c, i, close);
        if (is(c, i, open) && closed-- == 0)
            return i;
    }
    return -1;
}

/* The last of these before `here`, in its statement. */
static int operator_before(const Complaint *c, const char *const *operators)
{
    for (int i = c->here;
         i >= 0 && (i == c->here || !(is(c, i, ";") || is(c, i, "{") || is(c, i, "}"))); i--)
        for (int k = 0; operators[k]; k++)
            if (is(c, i, operators[k]))
                return i;
    return -1;
}

static int name_before(const Complaint *c)
{
    for (int i = c->here; i >= 0; i--)
        if (is(c, i, c->name))
            return i;
    return -1;
}

/* ---- names that are near ---- */
static int least(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters are wrong, left out, too many, or have changed places. */
static int distance(const char *a, size_t n, const char *b, size_t m)
{
    int row[3][NAME_SIZE];
    if (n >= NAME_SIZE || m >= NAME_SIZE)
        return NAME_SIZE;
    for (size_t k = 0; k <= m; k++)
        row[0][k] = (int)k;
    for (size_t i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t k = 1; k <= m; k++) {
            now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before[k - 2] + 1);
        }
    }
    return row[n % 3][m];
}

static bool differs_in_case(const char *name, const char *other, size_t length)
{
    size_t same = 0;
    while (same < length &&
           tolower((unsigned char)name[same]) == tolower((unsigned char)other[same]))
        same++;
    return same == length && !name[same];
}

static bool is_as_near(const char *name, const char *other, size_t length, int *nearest)
{
    const size_t own = strlen(name);
    const int far = differs_in_case(name, other, length) ? strncmp(name, other, length) != 0
                                                         : distance(name, own, other, length);
    if (!far || far >= *nearest ||
        (2 * far >= least((int)own, (int)length) && !differs_in_case(name, other, length)))
        return false;
    *nearest = far;
    return true;
}

/* Where the function begins in which TCC stopped: behind the last ; or } outside braces. */
static int own_function(const Complaint *c)
{
    int from = c->here;
    for (int open = from; open >= 0; open = opened_before(c, open, "{", "}"))
        from = open;
    while (from > 0 && !is(c, from - 1, ";") && !is(c, from - 1, "}"))
        from--;
    return from;
}

/* A word of C's, of the library's or of the text's that is meant; NULL: none is near. */
static char *near_name(const Complaint *c)
{
    static const char *const known[] = {
        "float", "double", "int",   "void",  "const", "return", "while",  "static",  "size_t",
        "sqrtf", "sqrt",   "fabsf", "expf",  "logf",  "powf",   "tanhf",  "malloc",  "calloc",
        "free",  "memcpy", "else",  "break", "long",  "struct", "sizeof", "continue"};
    char *found = NULL;
    int nearest = 3;
    const int own = own_function(c);
    for (int i = 0; i < c->tokens.count; i++) {
        const Token *t = &c->tokens.items[i];
        if (t->kind == NAME && (is(c, i + 1, "(") || (!c->called && own <= i && i <= c->here)) &&
            is_as_near(c->name, c->text + t->at, (size_t)t->length, &nearest)) {
            free(found);
            found = text_at(c, i);
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((!c->called || library_number(known[i]) >= 0) &&
            is_as_near(c->name, known[i], strlen(known[i]), &nearest)) {
            free(found);
            found = format_text("%s", known[i]);
        }
    return found;
}

/* ---- what this compiler does not know ---- */
static const char other_compilers[] =
    "the small compiler here does not know %s; gcc and clang, which make check asks, do";

static Said unknown(const Complaint *c, int token)
{
    char *word = token < 0 ? NULL : text_at(c, token), *quoted = format_text("`%s`", word);
    Said said = {token, false, format_text(other_compilers, quoted)};
    free(quoted);
    free(word);
    return said;
}

/* The last of these before `here`, of so many tokens. -1: there is none. */
static int last_of(const Complaint *c, const char *const *words, int tokens)
{
    for (int i = c->here; i >= 0 && i >= c->here - tokens; i--)
        for (int k = 0; words[k]; k++)
            if (is(c, i, words[k]))
                return i;
    return -1;
}

/* A word of C11's, or one that these have for themselves, at which TCC has stopped: a few tokens
 * on, as behind `_Atomic(int)`. -1: there is none. */
static int unknown_word(const Complaint *c)
{
    static const char *const words[] = {"_Thread_local", "__thread",    "_Atomic",    "_Complex",
                                        "__int128",      "__auto_type", "__float128", NULL};
    enum { FURTHER = 4 };
    const int word = last_of(c, words, FURTHER);
    return !strstr(c->message, "' undeclared") || is(c, word, c->name) ? word : -1;
}

static Said vectors(const Complaint *c)
{
    static const char *const names[] = {"vector_size", "__vector_size__", NULL};
    return unknown(c, last_of(c, names, c->here));
}

static Said assertion(const Complaint *c)
{
    static const char *const names[] = {"_Static_assert", "static_assert", NULL};
    const char *why = strchr(c->message, ':');
    return (Said){operator_before(c, names), false,
                  format_text("what is asserted here is not so%s", why ? why : "")};
}

/* ---- what is missing ---- */
static Said missing(const Complaint *c, const char *what)
{
    return (Said){c->here - 1, true, format_text("a %s is missing here", what)};
}

static Said semicolon(const Complaint *c)
{
    const int open = opened_before(c, c->here, "(", ")");
    if (is(c, c->here, "=="))
        return (Said){c->here, false, format_text("= gives a variable its value, == compares")};
    if (open > 0 && is(c, open - 1, "for"))
        return (Said){c->here, false,
                      format_text("in the ( ) of a for stand three parts, with a ; "
                                  "behind the first and the second")};
    if (is(c, c->here, ")"))
        return (Said){c->here, false, format_text("this ) has no ( before it")};
    return missing(c, ";");
}

static Said comma(const Complaint *c)
{
    const bool ends = is(c, c->here, ";") || is(c, c->here, "{") || is(c, c->here, "}");
    return missing(c, ends ? ")" : ",");
}

static Said closing(const Complaint *c)
{
    return missing(c, is(c, c->here, "]") ? "]" : ")");
}

static Said bracket(const Complaint *c)
{
    return missing(c, "]");
}

static Said no_index(const Complaint *c)
{
    const int open = opened_before(c, c->here, "[", "]");
    if (!is(c, c->here, "]"))
        return missing(c, "]");
    return (Said){open, false, format_text("an index must be a whole number, and this is none")};
}

/* A } too few, above: the text has ended, or a function begins within another. */
static Said open_brace(const Complaint *c)
{
    const int open = opened_before(c, c->here, "{", "}");
    const int name = is(c, c->here - 1, ")") ? opened_before(c, c->here - 1, "(", ")") - 1 : -1;
    if (open < 0)
        return (Said){-1, false, NULL};
    return (Said){name >= 0 ? name : c->here - 1, name < 0,
                  format_text("a } is missing %s: the { of line %d is still open",
                              name < 0 ? "here" : "before this", c->tokens.items[open].line)};
}

/* TCC has gone one token further. */
static Said identifier(const Complaint *c)
{
    if (c->here >= c->tokens.count)
        return open_brace(c);
    if (is(c, c->here - 1, "else"))
        return (Said){c->here - 1, false,
                      format_text("this else has no if: before it stands one statement of an if, "
                                  "or its { }")};
    return (Said){c->here - 1, false, format_text("a name or a number is missing before this")};
}

static Said declaration(const Complaint *c)
{
    if (is(c, c->here, "}") && opened_before(c, c->here, "{", "}") < 0)
        return (Said){c->here, false, format_text("this } has no { before it")};
    return (Said){-1, false, NULL};
}

/* ---- what is there ---- */
static bool is_type(const Complaint *c, int token)
{
    static const char *const types[] = {"int",      "float", "double", "size_t",
                                        "unsigned", "long",  "short",  "char"};
    bool is_one = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        is_one = is_one || is(c, token, types[i]);
    return is_one;
}

/* Where the name has its type before it, above in the same function; -1: nowhere. */
static int declared_above(const Complaint *c, int at)
{
    const int own = own_function(c);
    for (int i = at - 1; i > own; i--)
        if (is(c, i, c->name) && (is_type(c, i - 1) || (is(c, i - 1, "*") && is_type(c, i - 2))))
            return i;
    return -1;
}

/* The bracket that ends what is open before `from`. */
static int closed_behind(const Complaint *c, int from, const char *open, const char *close)
{
    int opened = 1;
    while (from < c->tokens.count && opened) {
        opened += is(c, from, open) - is(c, from, close);
        from += opened > 0;
    }
    return from;
}

/* It was declared, but not for here. */
static Said ended(const Complaint *c, int at, int declared)
{
    const int open = opened_before(c, declared, "(", ")"), line = c->tokens.items[declared].line;
    if (!is(c, open - 1, "for"))
        return (Said){
            at, false,
            format_text("`%s` of line %d is known in its own { } only, and they have ended",
                        c->name, line)};
    const int close = closed_behind(c, declared, "(", ")");
    if (is(c, close + 1, ";") && close + 1 < at)
        return (Said){close + 1, false,
                      format_text("this ; ends the for, and with it `%s`, which line %d needs",
                                  c->name, c->tokens.items[at].line)};
    return (Said){at, false,
                  format_text("`%s` of line %d is known in its own for only, and that has ended",
                              c->name, line)};
}

static Said undeclared(const Complaint *c)
{
    const int at = name_before(c), declared = at < 0 ? -1 : declared_above(c, at);
    if ((unsigned char)c->name[0] >= 0x80)
        return (Said){at, false,
                      format_text("C knows no such character. Quotation marks are \" and ' in C, "
                                  "and minus is -")};
    if (declared >= 0)
        return ended(c, at, declared);
    char *near = at < 0 ? NULL : near_name(c);
    const bool type = is_name(c, at + 1);
    char *words =
        near ? format_text(type ? "`%s` is no type: is `%s` meant?"
                                : "`%s` is declared nowhere: is `%s` meant?",
                           c->name, near)
             : format_text(type ? "`%s` is no type"
                                : "`%s` is declared nowhere: a variable has its type before it "
                                  "where it comes first, as in `int j`",
                           c->name);
    free(near);
    return (Said){at, false, words};
}

/* The name of the function whose call ends here. */
static Said arguments(const Complaint *c)
{
    const int open = opened_before(c, c->here, "(", ")");
    if (!is_name(c, open - 1))
        return (Said){-1, false, NULL};
    char *name = text_at(c, open - 1);
    char *words = format_text("`%s` is called with %s arguments", name,
                              strstr(c->message, "few") ? "too few" : "too many");
    free(name);
    return (Said){open - 1, false, words};
}

static Said conversion(const Complaint *c)
{
    const char *from = strchr(c->message, '\''), *to = from ? strstr(from, "' to '") : NULL;
    if (!to)
        return (Said){-1, false, NULL};
    const char *behind = to + strlen("' to '");
    return (Said){c->here - 1, false,
                  format_text("here a `%.*s` is needed, and this is a `%.*s`",
                              (int)strcspn(behind, "'"), behind, (int)(to - from - 1), from + 1)};
}

static Said read_only(const Complaint *c)
{
    static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "%=", "++", "--", NULL};
    return (Said){operator_before(c, operators), false,
                  format_text("what is left of this is const, and may not be changed")};
}

static Said pointer(const Complaint *c)
{
    static const char *const stars[] = {"*", NULL};
    const int star = operator_before(c, stars), open = opened_before(c, c->here, "[", "]");
    if (is(c, star - 1, "*"))
        return (Said){star - 1, false,
                      format_text("C has no **: a square is a * a, any other power powf(a, b)")};
    if (is(c, c->here, "]") && is_name(c, open - 1)) {
        char *name = text_at(c, open - 1);
        char *words = format_text("`%s` is no array", name);
        free(name);
        return (Said){open - 1, false, words};
    }
    return (Said){-1, false, NULL};
}

static Said lvalue(const Complaint *c)
{
    static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "++", "--", NULL};
    return (Said){operator_before(c, operators), false,
                  format_text("only a variable, or an element of an array, can be given a value")};
}

static Said operands(const Complaint *c)
{
    static const char *const whole[] = {"%", "^", "%=", "^=", NULL};
    const int at = operator_before(c, whole);
    if (is(c, at, "^") || is(c, at, "^="))
        return (Said){at, false,
                      format_text("^ is no power in C: a square is a * a, any other "
                                  "power powf(a, b)")};
    if (at >= 0)
        return (Said){at, false,
                      format_text("%% is for whole numbers: of floats it is fmodf(a, b)")};
    return (Said){-1, false, NULL};
}

static Said other_types(const Complaint *c)
{
    char *header = read_file(c->header, NULL), *call = format_text("%s(", c->name);
    const bool given = header && strstr(header, call);
    free(header);
    free(call);
    return (Said){name_before(c), false,
                  given ? format_text("`%s` has other types here than in %s", c->name, c->header)
                        : format_text("`%s` has other types here than above", c->name)};
}

static Said declared_again(const Complaint *c)
{
    return (Said){name_before(c), false,
                  format_text("`%s` is declared a second time: the type stands before it only "
                              "where it comes first",
                              c->name)};
}

static Said defined_again(const Complaint *c)
{
    return (Said){name_before(c), false, format_text("`%s` is written a second time", c->name)};
}

static Said no_function(const Complaint *c)
{
    const int open = is(c, c->here, "(") ? c->here : opened_before(c, c->here, "(", ")");
    if (!is_name(c, open - 1))
        return (Said){-1, false, NULL};
    char *name = text_at(c, open - 1);
    char *words = format_text("`%s` is no function: is an operator missing behind it?", name);
    free(name);
    return (Said){open - 1, false, words};
}

static Said leaves(const Complaint *c)
{
    static const char *const words[] = {"break", "continue", NULL};
    const int at = operator_before(c, words);
    return (Said){at, false, format_text("this stands in a loop, or a break in a switch, only")};
}

static Said no_number(const Complaint *c)
{
    const bool is_one = c->here < c->tokens.count && c->tokens.items[c->here].kind == NUMBER;
    return (Said){is_one ? c->here : -1, false,
                  format_text("this is no number, and a name begins with a letter")};
}

static Said no_struct(const Complaint *c)
{
    static const char *const dots[] = {".", "->", NULL};
    return (Said){operator_before(c, dots), false,
                  format_text("what is left of this is no struct")};
}

/* By how TCC's message begins. */
static const struct {
    const char *begins;
    Said (*say)(const Complaint *complaint);
} rules[] = {{"';' expected", semicolon},
             {"')' expected", closing},
             {"',' expected", comma},
             {"']' expected", bracket},
             {"an array's index", no_index},
             {"identifier expected", identifier},
             {"declaration expected", declaration},
             {"function without file scope", open_brace},
             {"cannot use local functions", open_brace},
             {"too few arguments to function", arguments},
             {"too many arguments to function", arguments},
             {"cannot convert '", conversion},
             {"assignment of read-only", read_only},
             {"pointer expected", pointer},
             {"lvalue expected", lvalue},
             {"invalid operand", operands},
             {"incompatible types for redefinition", other_types},
             {"redeclaration of '", declared_again},
             {"redefinition of '", defined_again},
             {"function pointer expected", no_function},
             {"cannot break", leaves},
             {"cannot continue", leaves},
             {"invalid number", no_number},
             {"struct or union expected", no_struct},
             {"there are no vectors", vectors},
             {"static assertion failed", assertion}};

static bool begins_with(const char *text, const char *beginning)
{
    return !strncmp(text, beginning, strlen(beginning));
}

static Said say(const Complaint *c)
{
    const int word = unknown_word(c);
    if (word >= 0)
        return unknown(c, word);
    if (strstr(c->message, "' undeclared"))
        return undeclared(c);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (begins_with(c->message, rules[i].begins))
            return rules[i].say(c);
    return (Said){-1, false, NULL};
}

/* ---- the place ---- */
/* The token that ends there, or has begun; what TCC says that it got must be it, or the one before,
 * where TCC has looked further. False: there is no such. */
static bool find_here(Complaint *c, size_t at)
{
    const char *got = strstr(c->message, "(got \"");
    c->here = 0;
    while (c->here < c->tokens.count &&
           (size_t)(c->tokens.items[c->here].at + c->tokens.items[c->here].length) < at)
        c->here++;
    if (!got)
        return true;
    char *text = format_text("%s", got + strlen("(got \""));
    text[strcspn(text, "\"")] = '\0';
    const bool is_here = is(c, c->here, text), was = is(c, c->here - 1, text);
    free(text);
    c->here -= !is_here && was;
    return is_here || was;
}

/* ---- what is no token ---- */
/* The first " without another on its line. */
static const char *open_quote(const char *text)
{
    const char *open = NULL;
    for (const char *at = text; *at; at++) {
        if (*at == '\n' && open)
            return open;
        if (!open && !strncmp(at, "/*", 2))
            at = strstr(at, "*/") ? strstr(at, "*/") : at + strlen(at) - 1;
        else if (!open && !strncmp(at, "//", 2))
            at += strcspn(at, "\n") - 1;
        else if (*at == '\\' && at[1])
            at++;
        else if (*at == '"')
            open = open ? NULL : at;
    }
    return open;
}

static const char *open_comment(const char *text)
{
    const char *at = strstr(text, "/*");
    while (at && strstr(at + 2, "*/"))
        at = strstr(strstr(at + 2, "*/"), "/*");
    return at;
}

/* Of C11's those that are not known here, and of POSIX's some. */
static bool is_header_elsewhere(const char *name)
{
    static const char *const headers[] = {"complex.h", "fenv.h",   "iso646.h",    "locale.h",
                                          "pthread.h", "setjmp.h", "signal.h",    "stdatomic.h",
                                          "tgmath.h",  "time.h",   "sys/types.h", "sys/time.h",
                                          "uchar.h",   "unistd.h", "wchar.h",     "wctype.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (!strcmp(name, headers[i]))
            return true;
    return false;
}

/* Where it is, and `words`; NULL: not known. */
static const char *outside_tokens(const Complaint *c, char **words)
{
    const char *at = NULL;
    if (begins_with(c->message, "missing terminating \"") && (at = open_quote(c->text)))
        *words = format_text("a \" is missing: this one has no other on its line");
    else if (strstr(c->message, "end of file in comment") && (at = open_comment(c->text)))
        *words = format_text("a */ is missing: this comment has no end");
    else if (begins_with(c->message, "include file '") && (at = strstr(c->text, c->name)))
        *words = is_header_elsewhere(c->name) ? format_text(other_compilers, c->name)
                                              : format_text("there is no header %s here", c->name);
    return at;
}

/* ---- all of it ---- */
/* "    8 |     sum += x[j]" and below it the ^. */
static void append_line(Buffer *out, const char *text, int line, size_t at)
{
    size_t from = at;
    while (from > 0 && text[from - 1] != '\n')
        from--;
    char *shown =
        format_text("%5d | %.*s\n      | ", line, (int)strcspn(text + from, "\r\n"), text + from);
    buffer_append(out, shown, strlen(shown));
    free(shown);
    for (; from < at; from++)
        if (((unsigned char)text[from] & 0xc0) != 0x80)
            buffer_append(out, text[from] == '\t' ? "\t" : " ", 1);
    buffer_append(out, "^", 1);
}

static int column_of(const char *text, size_t at)
{
    int column = 1;
    while (at > 0 && text[at - 1] != '\n')
        at--, column++;
    return column;
}

void append_said(Buffer *out, const RunnerOptions *o, size_t at, const char *words)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += o->text[i] == '\n';
    char *head = format_text("%s:%d:%d: %s\n", o->source, line, column_of(o->text, at), words);
    buffer_append(out, head, strlen(head));
    append_line(out, o->text, line, at);
    free(head);
}

static void put_error(const RunnerOptions *o, size_t at, const char *words, char *error,
                      size_t error_size)
{
    Buffer out = {0};
    char *all = format_text("error: %s", words);
    append_said(&out, o, at, all);
    snprintf(error, error_size, "%.*s", (int)out.length, out.data);
    buffer_free(&out);
    free(all);
}

void complain(const RunnerOptions *o, size_t at, char *error, size_t error_size)
{
    static const char marker[] = ": error: ", included[] = "In file included from ";
    const char *said =
        begins_with(error, included) && strchr(error, '\n') ? strchr(error, '\n') + 1 : error;
    char *message = format_text("%s", said), *found = strstr(message, marker), *words = NULL;
    Complaint c = {.text = o->text, .header = o->header};
    if (found && begins_with(message, o->source)) {
        c.message = found + strlen(marker);
        const char *quoted = strchr(c.message, '\'');
        if (quoted)
            snprintf(c.name, sizeof c.name, "%.*s", (int)strcspn(quoted + 1, "'"), quoted + 1);
        const char *place = outside_tokens(&c, &words);
        if (!place && tokens_read(&c.tokens, o->text, o->length)) {
            const Said is = find_here(&c, at) ? say(&c) : (Said){-1, false, NULL};
            const Token *t = is.token >= 0 ? &c.tokens.items[is.token] : NULL;
            words = is.words;
            place = t ? o->text + t->at + (is.behind ? t->length : 0) : NULL;
            tokens_free(&c.tokens);
        }
        if (place && words)
            put_error(o, (size_t)(place - o->text), words, error, error_size);
        free(words);
    }
    free(message);
}

void complain_of_undefined(const RunnerOptions *o, const char *name, char *error, size_t error_size)
{
    Complaint c = {.text = o->text, .header = o->header, .called = true};
    snprintf(c.name, sizeof c.name, "%s", name);
    const bool read = tokens_read(&c.tokens, o->text, o->length);
    int at = 0;
    while (read && at < c.tokens.count && !(is(&c, at, name) && is_name(&c, at)))
        at++;
    if (read && at < c.tokens.count) {
        char *near = near_name(&c);
        char *words = near ? format_text("`%s` is defined nowhere: is `%s` meant?", name, near)
                           : format_text("`%s` is defined nowhere, neither here nor in the library "
                                         "that there is here",
                                         name);
        put_error(o, (size_t)c.tokens.items[at].at, words, error, error_size);
        free(near);
        free(words);
    }
    tokens_free(&c.tokens);
}
