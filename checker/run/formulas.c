/* Reads a lesson's formulas (the language: formulas.h), and holds them against its header.
 *
 * Whatever is no formula is refused with the file, the line and what was expected, so that a typing
 * error is found when the file is read and not when a number is wrong. */
#include "formula_tree.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const function_names[] = {"sqrt",  "exp", "log", "tanh",      "sigmoid", "abs",
                                      "trunc", "max", "min", "cancelled", "one_of",  "off_by"};
static const char *const reduction_names[] = {"sum", "average", "largest", "smallest"};

enum { NODES_IN_CHUNK = 256, LONGEST_NAME = NAME_SIZE - 1 };

typedef struct Chunk {
    struct Chunk *next;
    int used;
    Expr nodes[NODES_IN_CHUNK];
} Chunk;

struct Formulas {
    Formula items[MAX_FUNCTIONS];
    int count;
    Mistake mistakes[MOST_MISTAKES + 1]; /* their words are its own */
    int mistake_count;
    Chunk *chunks;
};

typedef struct {
    const char *path, *at; /* at: the next character */
    int line;
    const Contract *contract;
    Formulas *formulas;
    Formula *formula; /* the one that is being read */
    int indent;       /* of its lines */
    bool in_brackets; /* between [ and ]: a place, in whole numbers */
    int mistake;      /* whose words are read; -1: none's */
    Line *of;         /* the line that is being read */
    bool failed;
    char *error;
    size_t error_size;
} Reading;

Expr *expr_new(Formulas *formulas, Expr node)
{
    if (!formulas->chunks || formulas->chunks->used == NODES_IN_CHUNK) {
        Chunk *chunk = calloc(1, sizeof *chunk);
        if (!chunk)
            author_error("out of memory");
        chunk->next = formulas->chunks;
        formulas->chunks = chunk;
    }
    Expr *kept = &formulas->chunks->nodes[formulas->chunks->used++];
    *kept = node;
    return kept;
}

static Expr *new_node(Reading *in, Expr node)
{
    return expr_new(in->formulas, node);
}

/* The first thing that is wrong is the one that is said. NULL, which is false, too. */
static void *fail(Reading *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void *fail(Reading *in, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!in->failed)
        snprintf(in->error, in->error_size, "%s:%d: %s", in->path, in->line, what);
    in->failed = true;
    return NULL;
}

/* ---- characters and words ---- */
static int indent_of(const char *line)
{
    int indent = 0;
    while (line[indent] == ' ')
        indent++;
    return indent;
}

static bool is_empty_line(const char *line)
{
    const char *p = line + indent_of(line);
    return !*p || *p == '\n' || *p == '#';
}

/* Passes over blanks, comments, and the ends of lines behind which the formula goes on. */
static void skip(Reading *in)
{
    for (;;) {
        in->at += strspn(in->at, " ");
        if (*in->at == '#')
            in->at += strcspn(in->at, "\n");
        if (*in->at != '\n')
            return;
        const char *next = in->at + 1;
        int passed = 1;
        while (*next && is_empty_line(next)) {
            next += strcspn(next, "\n");
            next += *next == '\n';
            passed++;
        }
        if (!*next || indent_of(next) <= in->indent)
            return;
        in->at = next;
        in->line += passed;
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static int word_length(const Reading *in)
{
    int length = 0;
    while (is_word(in->at[length]))
        length++;
    return length;
}

static bool next_is(Reading *in, const char *text)
{
    size_t length = strlen(text);
    skip(in);
    return !strncmp(in->at, text, length) && !(is_word(text[0]) && is_word(in->at[length]));
}

static bool take(Reading *in, const char *text)
{
    bool is_next = next_is(in, text);
    if (is_next)
        in->at += strlen(text);
    return is_next;
}

/* What stands there, for a message. */
static const char *found(Reading *in, char text[NAME_SIZE])
{
    skip(in);
    int length = word_length(in);
    if (!*in->at || *in->at == '\n')
        return "the end of the line";
    snprintf(text, NAME_SIZE, "\"%.*s\"", length ? (length < 40 ? length : 40) : 1, in->at);
    return text;
}

static bool expect(Reading *in, const char *text)
{
    char there[NAME_SIZE];
    if (take(in, text))
        return true;
    fail(in, "expected \"%s\", found %s", text, found(in, there));
    return false;
}

static bool take_name(Reading *in, char name[NAME_SIZE], const char *what)
{
    char there[NAME_SIZE];
    skip(in);
    int length = word_length(in);
    if (!length || isdigit((unsigned char)*in->at) || length > LONGEST_NAME) {
        fail(in, "expected %s, found %s", what, found(in, there));
        return false;
    }
    snprintf(name, NAME_SIZE, "%.*s", length, in->at);
    in->at += length;
    return true;
}

/* ---- what a name stands for ---- */
static int axis_of(const Formula *formula, const char *name)
{
    for (int i = 0; i < formula->axis_count; i++)
        if (!strcmp(formula->axes[i].name, name))
            return i;
    return -1;
}

static int quantity_of(const Formula *formula, const char *name)
{
    for (int i = 0; i < formula->quantity_count; i++)
        if (!strcmp(formula->quantities[i].name, name))
            return i;
    return -1;
}

/* Param -1: it is the function's own. -1: there are too many. */
static int new_quantity(Reading *in, const char *name, int param, int rank)
{
    Formula *f = in->formula;
    if (f->quantity_count == MOST_QUANTITIES) {
        fail(in, "more than %d quantities", MOST_QUANTITIES);
        return -1;
    }
    Quantity *quantity = &f->quantities[f->quantity_count];
    *quantity = (Quantity){.param = param, .rank = rank};
    snprintf(quantity->name, sizeof quantity->name, "%s", name);
    return f->quantity_count++;
}

static Expr *expression(Reading *in);
static Expr *additive(Reading *in);

static bool take_places(Reading *in, Expr *node, int rank)
{
    char there[NAME_SIZE];
    bool outside = in->in_brackets;
    in->in_brackets = true;
    if (rank && !expect(in, "["))
        return false;
    while (node->index_count < rank && (!node->index_count || expect(in, ",")))
        node->index[node->index_count++] = additive(in);
    if (rank && !in->failed && !take(in, "]"))
        fail(in, "expected \"]\" behind %d place%s, found %s", rank, rank == 1 ? "" : "s",
             found(in, there));
    in->in_brackets = outside;
    return !in->failed;
}

/* A parameter that is an array, or "return", has the rank of its shape; a "1" is none. */
static int rank_of(const Param *param)
{
    return param->role == RETURNED ? 0 : param->dim_count;
}

static Expr *given_node(Reading *in, int p)
{
    const Param *param = &in->formula->function->params[p];
    Expr *node = new_node(in, (Expr){.kind = N_GIVEN, .which = p});
    if (in->in_brackets && !param->is_int)
        return fail(in, "%s holds no whole numbers, and can't be a place", param->name);
    return take_places(in, node, rank_of(param)) ? node : NULL;
}

static Expr *quantity_node(Reading *in, int q)
{
    Expr *node = new_node(in, (Expr){.kind = N_QUANTITY, .which = q});
    if (in->in_brackets)
        return fail(in, "%s is no whole number, and can't be a place",
                    in->formula->quantities[q].name);
    return take_places(in, node, in->formula->quantities[q].rank) ? node : NULL;
}

static Expr *named(Reading *in)
{
    char name[NAME_SIZE];
    Formula *f = in->formula;
    if (!take_name(in, name, "a number, a name or \"(\""))
        return NULL;
    int axis = axis_of(f, name), p = param_index(f->function, name), q = quantity_of(f, name);
    const Param *param = p >= 0 ? &f->function->params[p] : NULL;
    if (axis >= 0)
        return new_node(in, (Expr){.kind = N_AXIS, .which = axis});
    if (param && param->role == SIZE)
        return new_node(in, (Expr){.kind = N_SIZE, .which = p});
    if (param && param->role == SCALAR && !in->in_brackets)
        return new_node(in, (Expr){.kind = N_SCALAR, .which = p});
    if (param && param->role == INPUT)
        return given_node(in, p);
    if (q >= 0 && !(param && param->role == IN_OUT && in->of->quantity == q))
        return quantity_node(in, q);
    if (param && param->role == IN_OUT)
        return given_node(in, p);
    if (param &&
        param->role == OUTPUT) /* its line is below: it is made of itself, by way of this */
        return (q = new_quantity(in, name, p, rank_of(param))) >= 0 ? quantity_node(in, q) : NULL;
    return fail(in, "\"%s\" is no axis, no parameter of %s, and no line above has it on its left",
                name, f->function->name);
}

/* ---- expressions, from the inside out ---- */
static Expr *number(Reading *in)
{
    char *end;
    double value = strtod(in->at, &end);
    if (in->in_brackets && value != (int)value)
        return fail(in, "a place is a whole number");
    in->at = end;
    return new_node(in, (Expr){.kind = N_NUMBER, .number = value});
}

static Expr *function_call(Reading *in, int which)
{
    Expr *node = new_node(in, (Expr){.kind = N_FUNCTION, .which = which});
    if (!expect(in, "(") || !(node->child[0] = expression(in)))
        return NULL;
    if (which >= MAX && (!expect(in, ",") || !(node->child[1] = expression(in))))
        return NULL;
    return expect(in, ")") ? node : NULL;
}

static Expr *comparison(Reading *in)
{
    static const char *const signs[] = {"<=", ">=", "!=", "<", ">", "="};
    static const int kinds[] = {LESS_EQUAL, GREATER_EQUAL, UNEQUAL, LESS, GREATER, EQUAL};
    char name[NAME_SIZE], there[NAME_SIZE];
    if (take(in, "given")) {
        int p =
            take_name(in, name, "an array's name") ? param_index(in->formula->function, name) : -1;
        if (p < 0 || !in->formula->function->params[p].may_be_null)
            return fail(in, "expected an array that may be NULL behind \"given\"");
        return new_node(in, (Expr){.kind = N_IS_GIVEN, .which = p});
    }
    Expr *node = new_node(in, (Expr){.kind = N_COMPARE});
    if (!(node->child[0] = additive(in)))
        return NULL;
    for (int i = 0; i < 6; i++)
        if (take(in, signs[i])) {
            node->which = kinds[i];
            return (node->child[1] = additive(in)) ? node : NULL;
        }
    return fail(in, "expected a comparison (< <= > >= = !=), found %s", found(in, there));
}

static Expr *condition(Reading *in)
{
    Expr *node = comparison(in);
    while (node && take(in, "and")) {
        Expr *other = comparison(in);
        node = other ? new_node(in, (Expr){.kind = N_AND, .child = {node, other}}) : NULL;
    }
    return node;
}

static Expr *product(Reading *in);

static Expr *reduction(Reading *in, int which)
{
    char name[NAME_SIZE];
    Expr *node = new_node(in, (Expr){.kind = N_REDUCE, .which = which});
    if (!expect(in, "over"))
        return NULL;
    do {
        int axis = take_name(in, name, "an axis") ? axis_of(in->formula, name) : -1;
        if (axis < 0)
            return fail(in, "\"%s\" is no axis of %s", name, in->formula->function->name);
        node->axes |= 1u << axis;
    } while (take(in, ","));
    if (take(in, "where") && !(node->child[1] = condition(in)))
        return NULL;
    return expect(in, "of") && (node->child[0] = product(in)) ? node : NULL;
}

static Expr *primary(Reading *in)
{
    skip(in);
    if (isdigit((unsigned char)*in->at) || *in->at == '.')
        return number(in);
    bool nan = !in->in_brackets && take(in, "nan");
    if (nan || (!in->in_brackets && take(in, "unknown")))
        return new_node(in, (Expr){.kind = N_NUMBER, .number = nan ? NAN : INFINITY});
    if (take(in, "(")) {
        Expr *inside = in->in_brackets ? additive(in) : expression(in);
        return inside && expect(in, ")") ? inside : NULL;
    }
    for (int i = 0; i < REDUCTION_COUNT && !in->in_brackets; i++)
        if (take(in, reduction_names[i]))
            return reduction(in, i);
    for (int i = 0; i < FUNCTION_COUNT && !in->in_brackets; i++)
        if (take(in, function_names[i]))
            return function_call(in, i);
    return named(in);
}

static Expr *power(Reading *in)
{
    Expr *base = primary(in);
    if (!base || in->in_brackets || !take(in, "^"))
        return base;
    skip(in);
    if (*in->at < '2' || *in->at > '9')
        return fail(in, "expected a whole number from 2 to 9 behind \"^\"");
    return new_node(in, (Expr){.kind = N_POWER, .number = *in->at++ - '0', .child = {base}});
}

static Expr *unary(Reading *in)
{
    if (!take(in, "-"))
        return power(in);
    Expr *of = unary(in);
    return of ? new_node(in, (Expr){.kind = N_NEGATIVE, .child = {of}}) : NULL;
}

static Expr *product(Reading *in)
{
    Expr *node = unary(in);
    while (node) {
        ExprKind kind = take(in, "*")                      ? N_MUL
                        : take(in, "/")                    ? N_DIV
                        : in->in_brackets && take(in, "%") ? N_REST
                                                           : N_NUMBER;
        if (kind == N_NUMBER)
            return node;
        Expr *other = unary(in);
        node = other ? new_node(in, (Expr){.kind = kind, .child = {node, other}}) : NULL;
    }
    return NULL;
}

static Expr *additive(Reading *in)
{
    Expr *node = product(in);
    while (node) {
        ExprKind kind = take(in, "+") ? N_ADD : take(in, "-") ? N_SUB : N_NUMBER;
        if (kind == N_NUMBER)
            return node;
        Expr *other = product(in);
        node = other ? new_node(in, (Expr){.kind = kind, .child = {node, other}}) : NULL;
    }
    return NULL;
}

static Expr *expression(Reading *in)
{
    Expr *node = additive(in);
    if (!node || !take(in, "where"))
        return node;
    Expr *if_so = condition(in);
    Expr *other = if_so && expect(in, "else") ? expression(in) : NULL;
    return other ? new_node(in, (Expr){.kind = N_WHERE, .child = {node, if_so, other}}) : NULL;
}

/* ---- a line ---- */
/* A place on the left: an axis, an offset + an axis, or a number. */
static bool is_place(const Expr *node, unsigned *axes)
{
    const Expr *axis = node->kind == N_ADD ? node->child[1] : node;
    if (axis->kind != N_AXIS)
        return node->kind == N_NUMBER;
    bool once = !(*axes >> axis->which & 1);
    *axes |= 1u << axis->which;
    return once;
}

static bool take_left(Reading *in, Line *line)
{
    char name[NAME_SIZE];
    Formula *f = in->formula;
    if (!take_name(in, name, "a name"))
        return false;
    int p = param_index(f->function, name), q = quantity_of(f, name);
    if (axis_of(f, name) >= 0 || (p >= 0 && !is_answer(f->function->params[p].role)))
        return fail(in, "\"%s\" is %s, and can't be on the left", name,
                    p >= 0 ? "given" : "an axis");
    if (q < 0) {
        q = new_quantity(in, name, p, p >= 0 ? rank_of(&f->function->params[p]) : -1);
        if (q < 0)
            return false;
    }
    Quantity *quantity = &f->quantities[q];
    line->quantity = q;
    Expr left = {.kind = N_QUANTITY};
    bool any = next_is(in, "[");
    if (quantity->rank < 0) { /* its own, and this its first line: as many places as there are */
        bool good = true;
        in->in_brackets = true;
        for (bool more = any && take(in, "["); more && good; more = !take(in, "]")) {
            good = (!left.index_count || expect(in, ",")) && left.index_count < MOST_INDEXES &&
                   (left.index[left.index_count++] = additive(in));
        }
        in->in_brackets = false;
        quantity->rank = left.index_count;
        if (!good)
            return fail(in, "expected up to %d axes between [ and ]", MOST_INDEXES);
    } else if (!take_places(in, &left, quantity->rank))
        return false;
    for (int i = 0; i < left.index_count; i++) {
        const Expr *place = line->place[i] = left.index[i];
        if (!is_place(place, &line->axes) || (quantity->param < 0 && place->kind != N_AXIS))
            return fail(in,
                        quantity->param < 0
                            ? "%s is this function's own: on its left stand axes, each once"
                            : "on the left of %s stand axes, each once, maybe behind an offset",
                        quantity->name);
        if (quantity->param < 0)
            quantity->axis[i] = place->which;
    }
    return true;
}

/* Every axis that stands there has a value: it is on the line's left, or a reduction goes over it.
 */
static bool is_bound(Reading *in, const Expr *node, unsigned bound)
{
    if (!node)
        return true;
    if (node->kind == N_AXIS && !(bound >> node->which & 1))
        return fail(in, "%s has no value here: it is not on the left, and no sum goes over it",
                    in->formula->axes[node->which].name);
    unsigned inside = bound | node->axes;
    for (int i = 0; i < 3; i++)
        if (!is_bound(in, node->child[i], inside))
            return false;
    for (int i = 0; i < node->index_count; i++)
        if (!is_bound(in, node->index[i], inside))
            return false;
    return true;
}

static void end_of_line(Reading *in)
{
    char there[NAME_SIZE];
    skip(in);
    if (!in->failed && *in->at && *in->at != '\n')
        fail(in, "expected the end of the line, found %s", found(in, there));
}

/* ---- the mistakes with a name ---- */
/* The words so far, and one more. */
static const char *longer_words(const char *words, const char *word)
{
    char *text = words ? format_text("%s %s", words, word) : format_text("%s", word);
    free((char *)words);
    return text;
}

/* Its number; it is new where it has none. -1: there are too many. */
static int mistake_of(Reading *in, const char *id)
{
    Formulas *all = in->formulas;
    for (int i = 0; i < all->mistake_count; i++)
        if (!strcmp(all->mistakes[i].id, id))
            return i;
    if (all->mistake_count == MOST_MISTAKES) {
        fail(in, "more than %d mistakes", MOST_MISTAKES);
        return -1;
    }
    all->mistakes[all->mistake_count].id = format_text("%s", id);
    return all->mistake_count++;
}

/* Does a line begin with names and a ':'? */
static bool is_of_mistakes(const Reading *in)
{
    const char *p = in->at;
    while (is_word(*p) || *p == ' ' || *p == ',')
        p++;
    return *p == ':';
}

/* "n_minus_1:" in front of a line, or "gamma_missing, beta_missing:" for what both make of it. */
static bool take_mistakes(Reading *in, Mistakes *of)
{
    char id[NAME_SIZE];
    *of = 0;
    do {
        int mistake = take_name(in, id, "a mistake's name") ? mistake_of(in, id) : -1;
        if (mistake < 0)
            return false;
        *of |= (Mistakes)1 << mistake;
        const char **steps = &in->formulas->mistakes[mistake].steps;
        if (!*steps || !word_in(*steps, in->formula->function->name))
            *steps = longer_words(*steps, in->formula->function->name);
    } while (take(in, ","));
    return expect(in, ":");
}

/* The rest of a line of words. It goes on where the next is indented further. */
static const char *take_words(Reading *in)
{
    const char *words = NULL;
    skip(in);
    do {
        char word[256];
        int length = (int)strcspn(in->at, " \n");
        snprintf(word, sizeof word, "%.*s", length, in->at);
        words = longer_words(words, word);
        in->at += length;
        skip(in);
    } while (*in->at && *in->at != '\n');
    return words;
}

/* One line below "mistake n_minus_1". */
static void read_words(Reading *in)
{
    Mistake *mistake = &in->formulas->mistakes[in->mistake];
    const char **to = take(in, "when")      ? &mistake->when
                      : take(in, "instead") ? &mistake->instead
                      : take(in, "section") ? &mistake->section
                                            : NULL;
    char there[NAME_SIZE];
    if (!to)
        fail(in, "expected \"when\", \"instead\" or \"section\", found %s", found(in, there));
    else if (*to)
        fail(in, "that is said already");
    else
        *to = take_words(in);
}

/* "mistake n_minus_1". */
static void begin_mistake(Reading *in)
{
    char id[NAME_SIZE];
    if (take_name(in, id, "a mistake's name"))
        in->mistake = mistake_of(in, id);
    end_of_line(in);
}

/* They are numbered in the order in which they are told of, wherever their lines stand. */
static void number_mistakes(Reading *in)
{
    Reading ahead = *in;
    char id[NAME_SIZE];
    for (; *ahead.at && !ahead.failed; ahead.line++) {
        const char *next = ahead.at + strcspn(ahead.at, "\n");
        if (take(&ahead, "mistake") && take_name(&ahead, id, "a mistake's name"))
            mistake_of(&ahead, id);
        ahead.at = next + (*next == '\n');
    }
    in->failed = ahead.failed;
}

static void check_mistakes(Reading *in)
{
    for (int i = 0; i < in->formulas->mistake_count && !in->failed; i++) {
        const Mistake *m = &in->formulas->mistakes[i];
        const char *missing = !m->when      ? "\"when\""
                              : !m->instead ? "\"instead\""
                              : !m->section ? "\"section\""
                                            : NULL;
        if (!m->steps)
            fail(in, "no line is of the mistake %s", m->id);
        else if (missing)
            fail(in, "the mistake %s has no %s", m->id, missing);
    }
}

/* ---- a line ---- */
/* Behind ", or": how honest code may come to it, too. */
static void read_other_way(Reading *in, Line *line)
{
    bool average = line->value->kind == N_REDUCE && line->value->which == AVERAGE;
    int way = take(in, "shifted")   ? SHIFTED
              : take(in, "running") ? RUNNING
              : take(in, "about")   ? RUNNING_ABOUT_0
                                    : 0;
    if (!way) {
        line->other = expression(in);
        return;
    }
    if (!average)
        fail(in, "what is taken about the first number is an average");
    else if (way == RUNNING_ABOUT_0 && expect(in, "0") && line->value->number != RUNNING)
        fail(in, "\"or about 0\" stands behind \"or running\"");
    line->value->number = way;
}

/* "only where keep[n, s] != 0 for some s: words", or "only where variance[j] > 0: words" */
static void read_rule(Reading *in)
{
    char name[NAME_SIZE];
    Formula *f = in->formula;
    if (f->rule_count == MOST_RULES) {
        fail(in, "more than %d rules", MOST_RULES);
        return;
    }
    const bool where = expect(in, "where");
    skip(in);
    snprintf(name, NAME_SIZE, "%.*s", word_length(in), in->at);
    in->in_brackets = quantity_of(f, name) < 0;
    Expr *holds = where ? condition(in) : NULL;
    in->in_brackets = false;
    if (!holds)
        return;
    Rule rule = {holds, expr_axes(holds), 0, NULL};
    if (take(in, "for") && expect(in, "some") && take_name(in, name, "an axis")) {
        int axis = axis_of(f, name);
        rule.some = axis < 0 ? 0 : 1u << axis;
        if (axis < 0 || rule.axes >> axis != 1)
            fail(in, "expected the last of its axes behind \"for some\"");
    }
    if (expect(in, ":")) {
        rule.words = take_words(in);
        f->rules[f->rule_count++] = rule;
    }
}

static void read_line(Reading *in)
{
    Formula *f = in->formula;
    Mistakes of = 0;
    skip(in);
    if (take(in, "only")) {
        read_rule(in);
        return;
    }
    if (is_of_mistakes(in) && !take_mistakes(in, &of))
        return;
    int *count = of ? &f->named_count : &f->line_count, most = of ? MOST_NAMED : MOST_LINES;
    if (*count == most) {
        fail(in, "more than %d lines", most);
        return;
    }
    Line *line = of ? &f->named[*count] : &f->lines[*count];
    *line = (Line){.line = in->line, .of = of};
    in->of = line;
    if (!take_left(in, line) || !expect(in, "=") || !(line->value = expression(in)))
        return;
    ++*count;
    while (take(in, ","))
        if (take(in, "as"))
            line->as_row = expect(in, "a") && expect(in, "row");
        else if (expect(in, "or"))
            read_other_way(in, line);
    end_of_line(in);
    is_bound(in, line->value, line->axes);
    is_bound(in, line->other, line->axes);
    if (!of)
        f->quantities[line->quantity].of |= expr_quantities(line->value);
}

/* ---- a function ---- */
static void read_axes(Reading *in)
{
    Formula *f = in->formula;
    skip(in);
    while (*in->at && *in->at != '\n' && !in->failed) {
        if (f->axis_count == MOST_AXES) {
            fail(in, "more than %d axes", MOST_AXES);
            return;
        }
        Axis axis = {.name = ""};
        if (!take_name(in, axis.name, "an axis") || !expect(in, ":"))
            return;
        if (axis_of(f, axis.name) >= 0 || param_index(f->function, axis.name) >= 0) {
            fail(in, "\"%s\" is there already", axis.name);
            return;
        }
        in->in_brackets = true;
        axis.length = additive(in);
        in->in_brackets = false;
        if (axis.length && !is_bound(in, axis.length, 0))
            return;
        f->axes[f->axis_count++] = axis;
        if (!take(in, ","))
            break;
        in->indent = 0; /* behind a comma it goes on below */
        skip(in);
        in->indent = INT_MAX;
    }
    end_of_line(in);
}

static bool begin_function(Reading *in)
{
    char name[NAME_SIZE];
    if (!take_name(in, name, "a function's name"))
        return false;
    const Function *function = contract_find(in->contract, name);
    if (!function)
        return fail(in, "the header has no function \"%s\"", name);
    if (formula_find(in->formulas, name))
        return fail(in, "%s is there already", name);
    in->formula = &in->formulas->items[in->formulas->count++];
    *in->formula = (Formula){.function = function};
    snprintf(in->formula->path, sizeof in->formula->path, "%s", in->path);
    read_axes(in);
    return !in->failed;
}

static bool has_line(const Formula *formula, int param)
{
    for (int i = 0; i < formula->line_count; i++)
        if (formula->quantities[formula->lines[i].quantity].param == param)
            return true;
    return false;
}

/* What each quantity is made of by way of others is known when all lines are there. */
static void follow_all(Formula *f)
{
    for (int way = 0; way < f->quantity_count; way++)
        for (int q = 0; q < f->quantity_count; q++)
            if (f->quantities[q].of >> way & 1)
                f->quantities[q].of |= f->quantities[way].of;
    for (int q = 0; q < f->quantity_count; q++)
        f->quantities[q].itself = f->quantities[q].of >> q & 1;
}

/* Does every answer have a line? */
static void end_function(Reading *in)
{
    Formula *f = in->formula;
    for (int p = 0; f && p < f->function->count; p++) {
        const Param *param = &f->function->params[p];
        if (is_answer(param->role) && !has_line(f, p))
            fail(in, "%s has no line for %s", f->function->name, param->name);
    }
    if (f)
        follow_all(f);
    for (int i = 0; f && i < f->line_count; i++)
        if (f->lines[i].as_row && !is_row(f, &f->lines[i])) {
            in->line = f->lines[i].line;
            fail(in, "\"as a row\" stands behind e / total or (z - mean) * rstd, by their lines");
        }
    in->formula = NULL;
    in->mistake = -1;
}

static void read_all(Reading *in)
{
    number_mistakes(in);
    while (!in->failed && *in->at) {
        if (!is_empty_line(in->at)) {
            int indent = indent_of(in->at);
            if (!indent)
                end_function(in);
            else if (!in->formula && in->mistake < 0)
                fail(in, "expected a function's name at the line's begin");
            in->indent = indent ? indent : INT_MAX; /* a function's own line does not go on */
            if (in->failed)
                return;
            if (indent && in->mistake >= 0)
                read_words(in);
            else if (indent)
                read_line(in);
            else if (take(in, "mistake"))
                begin_mistake(in);
            else
                begin_function(in);
        }
        in->at += strcspn(in->at, "\n");
        in->line += *in->at == '\n';
        in->at += *in->at == '\n';
    }
    end_function(in);
    check_mistakes(in);
}

Formulas *formulas_read(const char *path, const Contract *contract, char *error, size_t size)
{
    snprintf(error, size, "%s", "");
    char *text = read_file(path, NULL);
    if (!text && errno != ENOENT)
        snprintf(error, size, "%s can't be read", path);
    Formulas *formulas = text ? calloc(1, sizeof *formulas) : NULL;
    if (formulas) {
        Reading in = {.path = path,
                      .at = text,
                      .line = 1,
                      .mistake = -1,
                      .contract = contract,
                      .formulas = formulas,
                      .error = error,
                      .error_size = size};
        read_all(&in);
        if (in.failed) {
            formulas_free(formulas);
            formulas = NULL;
        }
    }
    free(text);
    return formulas;
}

const Formula *formula_find(const Formulas *formulas, const char *function)
{
    for (int i = 0; formulas && i < formulas->count; i++)
        if (!strcmp(formulas->items[i].function->name, function))
            return &formulas->items[i];
    return NULL;
}

const Mistake *formulas_mistakes(const Formulas *formulas)
{
    return formulas->mistakes;
}

void formulas_free(Formulas *formulas)
{
    for (int i = 0; formulas && i < formulas->mistake_count; i++) {
        const Mistake *m = &formulas->mistakes[i];
        const char *const words[] = {m->id, m->steps, m->when, m->instead, m->section};
        for (int k = 0; k < 5; k++)
            free((char *)words[k]);
    }
    for (int i = 0; formulas && i < formulas->count; i++)
        for (int k = 0; k < formulas->items[i].rule_count; k++)
            free((char *)formulas->items[i].rules[k].words);
    while (formulas && formulas->chunks) {
        Chunk *next = formulas->chunks->next;
        free(formulas->chunks);
        formulas->chunks = next;
    }
    free(formulas);
}
