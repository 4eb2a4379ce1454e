/* Parts of a formula, and changes of it, in words.
 *
 * A formula is told as a text would: "xhat * mean(g * xhat)", without the places that stand in
 * every line. A change is told as what stands where something else belongs, never as what the
 * learner wrote: that is not known. */
#include "formula_tree.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ADDING = 1, MULTIPLYING, POWERS, WHOLE_THING }; /* what binds how strongly */

typedef struct {
    const Formula *f;
    bool places;         /* all of them, not only those that are no axes */
    const Expr *at, *by; /* of a change: the one is told as the other; or NULL */
    Buffer text;
} Phrase;

static void say(Phrase *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Phrase *p, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buffer_append(&p->text, text, (size_t)(length < (int)sizeof text ? length : 255));
}

static void say_node(Phrase *p, const Expr *node, int least);

static const char *name_of(const Formula *f, const Expr *node)
{
    return node->kind == N_QUANTITY ? f->quantities[node->which].name
           : node->kind == N_AXIS   ? f->axes[node->which].name
                                    : f->function->params[node->which].name;
}

/* Does the lesson's text have that name? Where there is no text, it has. */
static bool is_in_text(const char *name)
{
    static char *text;
    static bool is_read;
    const size_t length = strlen(name);
    if (!is_read) {
        char *path = format_text("lessons/%s.md", lesson_name);
        text = read_file(path, NULL);
        is_read = true;
        free(path);
    }
    for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return !text;
}

static int nodes_in(const Expr *node)
{
    int count = node != NULL;
    for (int i = 0; node && i < 3; i++)
        count += nodes_in(node->child[i]);
    return count;
}

/* A name that only the formula has is told as what it stands for, "mean(g)" for mean_g. NULL: the
 * name is one that learners know, or what it stands for is too long. */
static const Expr *stands_for(const Formula *f, int quantity)
{
    enum { SHORT = 7 };
    static const char *const own[] = {"sum_", "mean_", "max_", "min_"};
    const Quantity *q = &f->quantities[quantity];
    const Expr *value = NULL;
    int lines = 0;
    for (int i = 0; i < f->line_count; i++)
        if (f->lines[i].quantity == quantity) {
            value = f->lines[i].value;
            lines++;
        }
    if (q->param >= 0 || q->itself || lines != 1)
        return NULL;
    for (int k = 0; k < REDUCTION_COUNT; k++)
        if (value->kind == N_REDUCE && !strncmp(q->name, own[k], strlen(own[k])))
            return value;
    const bool may_lack = value->kind == N_WHERE && value->child[0]->kind == N_GIVEN &&
                          value->child[2]->kind == N_NUMBER; /* beta, or 0 */
    if (may_lack && !is_in_text(q->name))
        return value->child[0];
    return nodes_in(value) <= SHORT && value->kind != N_WHERE && !is_in_text(q->name) ? value
                                                                                      : NULL;
}

static void say_named(Phrase *p, const Expr *node, int least)
{
    const Expr *meant = node->kind == N_QUANTITY ? stands_for(p->f, node->which) : NULL;
    if (meant && !p->places) {
        say_node(p, meant, least);
        return;
    }
    bool plain = !p->places;
    for (int i = 0; i < node->index_count; i++)
        plain = plain && node->index[i]->kind == N_AXIS;
    say(p, "%s", name_of(p->f, node));
    for (int i = 0; i < node->index_count && !plain; i++) {
        say(p, "[");
        say_node(p, node->index[i], 0);
        say(p, "]");
    }
}

static void say_binary(Phrase *p, const Expr *node, const char *sign, int own, int least)
{
    const Expr *b = node->child[1];
    bool turns = node->kind == N_SUB || node->kind == N_DIV || node->kind == N_REST ||
                 b->kind == N_DIV || b->kind == N_REST;
    if (own < least)
        say(p, "(");
    say_node(p, node->child[0], own);
    say(p, " %s ", sign);
    say_node(p, b, turns ? own + 1 : own);
    if (own < least)
        say(p, ")");
}

static void say_call(Phrase *p, const char *name, const Expr *a, const Expr *b)
{
    say(p, "%s(", name);
    say_node(p, a, 0);
    if (b) {
        say(p, ", ");
        say_node(p, b, 0);
    }
    say(p, ")");
}

static void say_node(Phrase *p, const Expr *node, int least)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "=", "!="};
    static const char *const reductions[] = {"sum", "mean", "max", "min"};
    if (node == p->at)
        node = p->by;
    switch (node->kind) {
    case N_NUMBER:
        say(p, "%g", node->number);
        break;
    case N_SIZE:
    case N_SCALAR:
    case N_AXIS:
    case N_GIVEN:
    case N_QUANTITY:
        say_named(p, node, least);
        break;
    case N_ADD:
        say_binary(p, node, "+", ADDING, least);
        break;
    case N_SUB:
        say_binary(p, node, "-", ADDING, least);
        break;
    case N_MUL:
        say_binary(p, node, "*", MULTIPLYING, least);
        break;
    case N_DIV:
        say_binary(p, node, "/", MULTIPLYING, least);
        break;
    case N_REST:
        say_binary(p, node, "%", MULTIPLYING, least);
        break;
    case N_NEGATIVE:
        say(p, least > ADDING ? "(-" : "-");
        say_node(p, node->child[0], POWERS);
        say(p, least > ADDING ? ")" : "");
        break;
    case N_POWER:
        say_node(p, node->child[0], WHOLE_THING);
        say(p, "^%g", node->number);
        break;
    case N_FUNCTION:
        say_call(p, function_names[node->which], node->child[0], node->child[1]);
        break;
    case N_REDUCE:
        say_call(p, reductions[node->which], node->child[0], NULL);
        break;
    case N_WHERE:
        say_node(p, node->child[0], ADDING);
        break;
    case N_AND:
        say_node(p, node->child[0], 0);
        say(p, " and ");
        say_node(p, node->child[1], 0);
        break;
    case N_COMPARE:
        say_node(p, node->child[0], 0);
        say(p, " %s ", signs[node->which]);
        say_node(p, node->child[1], 0);
        break;
    case N_IS_GIVEN:
        say(p, "%s is given", p->f->function->params[node->which].name);
        break;
    }
}

static char *phrase(const Formula *formula, const Expr *node, bool places)
{
    Phrase p = {.f = formula, .places = places};
    say_node(&p, node, 0);
    char *text = format_text("%.*s", (int)p.text.length, p.text.data);
    buffer_free(&p.text);
    return text;
}

static char *phrase_of(const Formula *formula, const Expr *node)
{
    return phrase(formula, node, false);
}

/* "features", where an axis is as long as one of the sizes; else its own name. */
static const char *axis_phrase(const Formula *f, int axis)
{
    const Expr *length = f->axes[axis].length;
    bool alone = length->kind == N_SIZE;
    for (int a = 0; a < f->axis_count && alone; a++)
        alone = a == axis || f->axes[a].length->kind != N_SIZE ||
                f->axes[a].length->which != length->which;
    return alone ? f->function->params[length->which].name : f->axes[axis].name;
}

static bool is_function_everywhere(const Change *change)
{
    return change->everywhere && change->old && change->old->kind == N_FUNCTION;
}

/* "channels, height and width". */
static char *axes_phrase(const Formula *f, unsigned axes)
{
    char *text = format_text("%s", "");
    for (int a = 0; a < f->axis_count; a++)
        if (axes >> a & 1) {
            bool last = !(axes >> a >> 1);
            char *longer = format_text("%s%s%s", text,
                                       !*text ? ""
                                       : last ? " and "
                                              : ", ",
                                       axis_phrase(f, a));
            free(text);
            text = longer;
        }
    return text;
}

/* The size that says how many terms a sum has, "features"; NULL: none alone does. */
static const char *count_of_terms(const Formula *f, const Expr *sum)
{
    for (int a = 0; a < f->axis_count; a++)
        if (sum->axes == 1u << a && !sum->child[1] && f->axes[a].length->kind == N_SIZE)
            return f->function->params[f->axes[a].length->which].name;
    return NULL;
}

/* ---- kinds ---- */
static const char *const kind_phrases[CHANGE_KINDS] = {
    [TERM_LEFT_OUT] = "a term is left out",
    [FACTOR_LEFT_OUT] = "a factor is left out",
    [DIVISION_LEFT_OUT] = "a division is left out",
    [FUNCTION_LEFT_OUT] = "a function is left out",
    [CONDITION_LEFT_OUT] = "a condition is left out",
    [NOT_AVERAGED] = "a sum stands where a mean belongs",
    [OTHER_SIGN] = "a sign is the other one",
    [OTHER_OPERATION] = "an operation is another one",
    [OTHER_WAY_ROUND] = "two operands change places",
    [OTHER_COUNT] = "a sum is divided by another number",
    [EXCHANGED] = "two names change places",
    [LINES_EXCHANGED] = "two parts change places",
    [OUTPUTS_EXCHANGED] = "two outputs change places",
    [OTHER_REDUCTION] = "a sum, a mean or a maximum is another of these",
    [OTHER_FUNCTION] = "a function is another one",
    [OTHER_NAME] = "another quantity stands where one belongs",
    [OTHER_NUMBER] = "a number stands where a quantity belongs",
    [OTHER_PLACE] = "an element is read from another place",
    [OTHER_LAYOUT] = "an array is read in another layout",
    [OTHER_AXES] = "a sum runs over something else",
    [OTHER_NUMBERS] = "a sum runs over something else",
    [ONE_MORE_CONDITION] = "there is a condition too many",
    [OTHER_PART] = "a sum does not run over all",
    [NOT_SET_BACK] = "a sum is not set back to 0",
    [NOT_COMPLETE] = "a sum is used before it is complete",
    [MOVED] = "parentheses stand elsewhere",
    [DOUBLED] = "something is doubled or halved",
    [WHOLE_SIGN] = "it has the other sign",
    [OUTPUT_IS_ANOTHER] = "another quantity is answered",
    [TWICE] = "a factor is there twice",
    [ONE_MORE_FACTOR] = "there is a factor too many",
    [ONE_MORE_TERM] = "there is a term too many",
    [ONE_MORE_FUNCTION] = "there is a function too many",
    [IS_CONSTANT] = "it is a constant",
};

const char *change_kind_phrase(ChangeKind kind)
{
    return kind_phrases[kind];
}

/* ---- changes ---- */
/* A change and where it is: what it says is said of a line's left side, "dx". */
typedef struct {
    const Formula *f;
    const Change *change;
    char *of;   /* "dx", "row_mean", or what a sum with no name of its own is: "mean(g * xhat)" */
    bool own;   /* it has a name of its own */
    bool whole; /* all of the line's right side is another one */
    char *old, *now;
} Told;

/* The array or the quantity in whose place `at` stands, within a node of `element`; NULL: it stands
 * in none. */
static const Expr *element_around(const Expr *node, const Expr *at, const Expr *element)
{
    const Expr *found = node == at ? element : NULL;
    for (int i = 0; node && i < 3 && !found; i++)
        found = element_around(node->child[i], at, element);
    for (int i = 0; node && i < node->index_count && !found; i++)
        found = element_around(node->index[i], at, node);
    return found;
}

/* What changes a place is told as the whole element: "key[n][s][h + d]". */
static bool say_elements(Told *told)
{
    const Change *change = told->change;
    const Expr *at = change->edit_count ? change->edits[0].at : NULL;
    const Expr *element = at && change->kind == OTHER_PLACE
                              ? element_around(told->f->lines[change->line].value, at, NULL)
                              : NULL;
    if (!element || change->inside)
        return false;
    told->old = phrase(told->f, element, true);
    Phrase now = {.f = told->f, .places = true, .at = at, .by = change->edits[0].by};
    say_node(&now, element, 0);
    told->now = format_text("%.*s", (int)now.text.length, now.text.data);
    buffer_free(&now.text);
    return true;
}

static void say_both(Told *told, bool places)
{
    const Change *change = told->change;
    free(told->old);
    free(told->now);
    if (say_elements(told))
        return;
    bool words = change->kind != OTHER_NUMBERS; /* of which only the axes are told */
    told->old = change->old && words ? phrase(told->f, change->old, places) : NULL;
    told->now = change->now && words && change->kind != NOT_COMPLETE
                    ? phrase(told->f, change->now, places)
                    : NULL;
}

static char *called(const Formula *f, int quantity, bool *own)
{
    const Expr *meant = stands_for(f, quantity);
    *own = !meant;
    if (meant)
        return phrase_of(f, meant);
    const Quantity *q = &f->quantities[quantity];
    bool returned = q->param >= 0 && f->function->params[q->param].role == RETURNED;
    return format_text("%s", returned ? f->function->name : q->name);
}

/* The left side of a line: "dx"; of one of several lines with its place, "da[r][hidden + j]". */
static char *line_phrase(const Formula *f, int at, bool *own)
{
    const Line *line = &f->lines[at];
    int lines = 0;
    for (int i = 0; i < f->line_count; i++)
        lines += f->lines[i].quantity == line->quantity;
    if (lines == 1)
        return called(f, line->quantity, own);
    Expr left = {.kind = N_QUANTITY,
                 .which = line->quantity,
                 .index_count = f->quantities[line->quantity].rank};
    memcpy(left.index, line->place, sizeof left.index);
    *own = true;
    return phrase(f, &left, true);
}

char *quantity_phrase(const Formula *formula, int quantity)
{
    bool own;
    return called(formula, quantity, &own);
}

char *change_quantity(const Formula *formula, const Change *change)
{
    bool own;
    return line_phrase(formula, change->line, &own);
}

static Told told_of(const Formula *f, const Change *change)
{
    const Line *line = &f->lines[change->line];
    Told told = {.f = f, .change = change};
    told.of = line_phrase(f, change->line, &told.own);
    if (change->inside) {
        char *in = told.of;
        char *what = quantity_phrase(f, change->edits[change->edit_count - 1].at->which);
        told.of = format_text("%s in %s", what, in);
        free(what);
        free(in);
    }
    told.whole = change->edit_count && change->edits[0].at == line->value && change->old &&
                 change->old->kind == line->value->kind;
    say_both(&told, change->kind == OTHER_PLACE);
    return told;
}

/* What stands where something else belongs. */
static char *instead(Told *t)
{
    if (!strcmp(t->old, t->now)) /* it is only the places that differ: "mean[0]" */
        say_both(t, true);
    if (t->whole && t->own)
        return format_text("%s is %s, not %s", t->of, t->now, t->old);
    if (t->whole)
        return format_text("%s stands where %s belongs", t->now, t->old);
    return format_text("%s stands in %s where %s belongs", t->now, t->of, t->old);
}

/* "the sum of the row", of which a reduction is made: sum(x). */
static char *sum_phrase(const Told *t)
{
    Expr sum = *t->change->old;
    sum.which = SUM;
    return phrase_of(t->f, &sum);
}

static char *in_line(const Told *t)
{
    return t->whole && !t->own ? format_text("%s", "") : format_text(" in %s", t->of);
}

/* "last of the rows", of a sum over these and others, too. */
static char *terms_phrase(const Formula *f, const Expr *sum, const char *which)
{
    const char *count = count_of_terms(f, sum);
    for (int a = 0; a < f->axis_count && !count; a++)
        if (sum->part_of == 1u << a && f->axes[a].length->kind == N_SIZE)
            count = axis_phrase(f, a);
        else if (sum->part_of == 1u << a)
            return format_text("%s %s", which, f->axes[a].name);
    return count ? format_text("%s of the %s", which, count) : format_text("%s term", which);
}

static char *part_phrase(const Told *t)
{
    const Expr *now = t->change->now;
    const char *which = now->part == WITHOUT_LAST || now->part == LAST_ONLY ? "last" : "first";
    char *terms = terms_phrase(t->f, now, which), *place = in_line(t), *text;
    if (now->part == FIRST_ONLY || now->part == LAST_ONLY)
        text = format_text("only the %s is in %s%s%s", terms, t->old, place,
                           now->child[2] ? ", which is divided by the number of all" : "");
    else
        text = format_text("the %s is left out of %s%s%s", terms, t->old, place,
                           now->which == AVERAGE && !now->count_off && !now->child[2]
                               ? ", and not counted in what it is divided by"
                               : "");
    free(terms);
    free(place);
    return text;
}

static char *count_phrase(const Told *t)
{
    const Expr *now = t->change->now;
    const char *count = count_of_terms(t->f, now);
    char *place = in_line(t), *sum = sum_phrase(t), *text;
    if (now->part == IN_INT) {
        text = format_text("%s is multiplied by 1 / %s%s, which is 0 in int", sum,
                           count ? count : "its number of terms", place);
    } else if (now->child[2]) {
        char *by = phrase_of(t->f, now->child[2]);
        text = format_text("%s is divided by %s%s", sum, by, place);
        free(by);
    } else if (count) {
        text = format_text("%s is divided by %s %s 1%s", sum, count, now->count_off < 0 ? "-" : "+",
                           place);
    } else {
        text = format_text("%s is divided by one %s than it has terms%s", sum,
                           now->count_off < 0 ? "less" : "more", place);
    }
    free(place);
    free(sum);
    return text;
}

static char *axes_change(const Told *t)
{
    const Change *change = t->change;
    char *old = axes_phrase(t->f, change->old->axes), *now = axes_phrase(t->f, change->now->axes),
         *place = in_line(t);
    char *text = change->kind == OTHER_NUMBERS
                     ? format_text("%s is made with sums over %s, where sums over %s belong", t->of,
                                   now, old)
                     : format_text("%s%s goes over %s, not over %s", t->old, place, now, old);
    free(old);
    free(now);
    free(place);
    return text;
}

static char *layout_phrase(const Told *t)
{
    const Expr *now = t->change->now;
    if (now->kind != N_GIVEN || !(now->reordered || now->child[0]))
        return format_text("%s reads place %s where %s belongs", t->of, t->now, t->old);
    const Param *param = &t->f->function->params[now->which];
    if (now->child[0]) {
        char *length = phrase_of(t->f, now->child[0]);
        char *text = t->change->everywhere
                         ? format_text("each row of %s is taken to begin %s behind the one before",
                                       param->name, length)
                         : format_text("%s takes each row of %s to begin %s behind the one before",
                                       t->of, param->name, length);
        free(length);
        return text;
    }
    char *shape = format_text("%s", "");
    for (int i = 0; i < now->index_count; i++) {
        char *longer =
            format_text("%s%s%s", shape, i ? " x " : "", param->dims[now->order[i]].text);
        free(shape);
        shape = longer;
    }
    char *text = t->change->everywhere
                     ? format_text("%s is read as if it were %s", param->name, shape)
                     : format_text("%s reads %s as if it were %s", t->of, param->name, shape);
    free(shape);
    return text;
}

static char *exchanged(Told *t)
{
    const Change *change = t->change;
    bool own;
    if (change->kind == EXCHANGED && change->old->kind == change->now->kind &&
        change->old->which == change->now->which) /* two places of one array */
        say_both(t, true);
    if (change->kind == EXCHANGED && change->everywhere)
        return format_text("%s and %s change places", t->old, t->now);
    if (change->kind == EXCHANGED)
        return format_text("%s and %s change places in %s", t->old, t->now, t->of);
    if (change->kind == LINES_EXCHANGED) {
        char *other = line_phrase(t->f, change->edits[1].line, &own);
        char *text = format_text("%s and %s change places", t->of, other);
        free(other);
        return text;
    }
    if (change->answered[0][1] == NOTHING_ANSWERED)
        return format_text("%s is 0 everywhere", t->f->quantities[change->answered[0][0]].name);
    char *a = called(t->f, change->answered[0][0], &own),
         *b = called(t->f, change->answered[0][1], &own);
    char *text = change->kind == OUTPUTS_EXCHANGED ? format_text("%s and %s change places", a, b)
                                                   : format_text("%s holds what %s is", a, b);
    free(a);
    free(b);
    return text;
}

static char *doubled(const Told *t)
{
    bool twice = t->change->now->kind == N_MUL;
    const char *how = twice ? "twice" : "half of";
    if (t->whole)
        return format_text("%s is %s what it should be", t->of, how);
    return format_text("%s is %s what it should be in %s", t->old, how, t->of);
}

/* A product where a quotient belongs, or the reverse. */
static char *other_operation(Told *t)
{
    const Expr *old = t->change->old, *now = t->change->now;
    bool divides = old->kind == N_MUL && now->kind == N_DIV;
    if (!divides && !(old->kind == N_DIV && now->kind == N_MUL))
        return instead(t);
    char *by = phrase_of(t->f, now->child[1]);
    char *text = format_text(divides ? "%s divides in %s, where it should multiply"
                                     : "%s multiplies in %s, where it should divide",
                             by, t->of);
    free(by);
    return text;
}

/* A function that is another one wherever it stands. */
static char *function_everywhere(const Change *change)
{
    const char *name = function_names[change->old->which];
    if (change->kind == OTHER_SIGN)
        return format_text("%s(-a) stands wherever %s(a) belongs", name, name);
    return format_text("%s stands wherever %s belongs", function_names[change->now->which], name);
}

static char *phrase_by_kind(Told *t)
{
    if (is_function_everywhere(t->change))
        return function_everywhere(t->change);
    switch (t->change->kind) {
    case TERM_LEFT_OUT:
        return format_text("the term %s is left out of %s", t->old, t->of);
    case FACTOR_LEFT_OUT:
        return format_text("the factor %s is left out of %s", t->old, t->of);
    case DIVISION_LEFT_OUT:
        return format_text("the division by %s is left out of %s", t->old, t->of);
    case CONDITION_LEFT_OUT:
        return format_text("the condition %s is left out of %s", t->old, t->of);
    case OTHER_SIGN:
        return format_text("%s has the wrong sign in %s", t->old, t->of);
    case WHOLE_SIGN:
        return format_text("%s has the wrong sign", t->of);
    case OTHER_OPERATION:
        return other_operation(t);
    case OTHER_COUNT:
        return t->change->now->kind == N_REDUCE ? count_phrase(t) : instead(t);
    case EXCHANGED:
    case OUTPUTS_EXCHANGED:
    case LINES_EXCHANGED:
    case OUTPUT_IS_ANOTHER:
        return exchanged(t);
    case OTHER_PART:
        return part_phrase(t);
    case NOT_SET_BACK:
        return t->whole && !t->own ? format_text("%s is not set back to 0", t->old)
                                   : format_text("%s is not set back to 0 in %s", t->old, t->of);
    case NOT_COMPLETE:
        return t->old ? format_text("%s is used before it is complete", t->old)
                      : format_text("the sums are used in %s before they are complete", t->of);
    case OTHER_AXES:
    case OTHER_NUMBERS:
        return axes_change(t);
    case OTHER_LAYOUT:
        return layout_phrase(t);
    case OTHER_PLACE:
        return format_text("%s stands in %s where %s belongs", t->now, t->of, t->old);
    case DOUBLED:
        return doubled(t);
    case TWICE:
        return format_text("the factor %s is there twice in %s", t->old, t->of);
    case ONE_MORE_FACTOR:
        if (t->now)
            return instead(t);
        return format_text("%s has the factor %s too many", t->of, t->old);
    case ONE_MORE_TERM:
        if (t->now)
            return instead(t);
        return format_text("%s has the term %s too many", t->of, t->old);
    case ONE_MORE_CONDITION:
        return format_text("%s has the condition %s too many", t->of, t->old);
    case IS_CONSTANT:
        return format_text("%s is %s everywhere", t->of, t->now);
    default:
        return instead(t);
    }
}

static char *phrase_once(const Formula *formula, const Change *change)
{
    Told told = told_of(formula, change);
    char *text = phrase_by_kind(&told);
    free(told.of);
    free(told.old);
    free(told.now);
    return text;
}

/* Is each of the places told, or all of them at once? */
static bool is_told_once(const Change *change)
{
    return change->edit_count < 2 || is_function_everywhere(change) ||
           (change->inside && change->kind != OTHER_PLACE) || change->kind == EXCHANGED ||
           change->kind == LINES_EXCHANGED || change->kind == OTHER_LAYOUT ||
           change->kind == OTHER_NUMBERS || change->kind == NOT_COMPLETE;
}

/* The places one by one: "mean[0] stands in xhat where ..., and rstd[0] ...". */
static char *phrase_each(const Formula *formula, const Change *change)
{
    char *all = format_text("%s", "");
    for (int i = 0; i + change->inside < change->edit_count; i++) {
        Change one = {.kind = change->kind,
                      .line = change->edits[i].line,
                      .edits = {change->edits[i], change->edits[change->edit_count - 1]},
                      .edit_count = change->inside ? 2 : 1,
                      .inside = change->inside,
                      .old = change->edits[i].at,
                      .now = change->edits[i].by};
        char *text = phrase_once(formula, &one);
        if (!strstr(all, text)) {
            char *longer = format_text("%s%s%s", all, *all ? ", and " : "", text);
            free(all);
            all = longer;
        }
        free(text);
    }
    return all;
}

char *change_phrase(const Formula *formula, const Change *change)
{
    return is_told_once(change) ? phrase_once(formula, change) : phrase_each(formula, change);
}
