/* Changes within an expression: what is taken away or exchanged (operators, parentheses, calls,
 * casts, numbers), what is added (a root, a square, a factor, a term), and another name or index.
 * See edits.h. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

/* ---- where it stands ---- */
static int precedence_of(const Editor *e, int node)
{
    return precedence(&e->program->tokens, node_at(e, node)->op);
}

bool fits_at(const Editor *e, int node, int token)
{
    const Node *n = node_at(e, node);
    for (int i = n->from; i < n->to; i++) {
        if (e->program->tokens.items[i].kind != NAME)
            continue;
        const Symbol *here = symbol_at(e->program, i, i), *there = symbol_at(e->program, i, token);
        if (!here != !there || (here && (here->type.base != there->type.base ||
                                         here->type.depth != there->type.depth)))
            return false;
    }
    return true;
}

static bool is_argument(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return parent >= 0 && node_at(e, parent)->kind == E_CALL &&
           node_at(e, parent)->child[0] != node;
}

/* All that is worked out there, and once: not at every step of a sum, nor a part of something. */
static bool is_whole(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    while (node_at(e, parent)->kind == E_PAREN)
        parent = node_at(e, parent)->parent;
    return is_statement(node_at(e, parent)) ||
           (node_at(e, parent)->kind == E_ASSIGN && has_op(e, parent, "="));
}

/* A value: nothing is stored there, and no parentheses are looked at twice. */
static bool is_value(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    int parent = n->parent;
    if (is_statement(n) || n->kind == E_ASSIGN || n->kind == E_COMMA || n->kind == E_TEXT ||
        n->kind == E_BRACES || n->kind == E_PAREN || is_target(e, node) || parent < 0)
        return false;
    const Node *p = node_at(e, parent);
    return !(p->kind == E_CALL && p->child[0] == node) && p->kind != E_SIZEOF;
}

/* a * b: what a is multiplied with might as well be b's, so it is tried once. */
static bool is_factor(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return parent >= 0 && (has_op(e, parent, "*") || has_op(e, parent, "/")) &&
           node_at(e, parent)->kind == E_BINARY;
}

/* At every step of a sum that is one number. */
static bool is_summed(const Editor *e, int node)
{
    int up = node;
    while (up >= 0 && !is_statement(node_at(e, up)) && node_at(e, up)->kind != E_ASSIGN)
        up = node_at(e, up)->parent;
    return up >= 0 && node_at(e, up)->kind == E_ASSIGN && !has_op(e, up, "=") &&
           node_at(e, node_at(e, up)->child[0])->kind != E_INDEX;
}

static bool is_index(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return node_at(e, parent)->kind == E_INDEX && node_at(e, parent)->child[1] == node;
}

/* Also as a part of it. */
static bool is_in_index(const Editor *e, int node)
{
    int up = node;
    while (!is_statement(node_at(e, up)) && !is_index(e, up))
        up = node_at(e, up)->parent;
    return !is_statement(node_at(e, up));
}

static bool is_plain_value(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return parent >= 0 &&
           !(node_at(e, parent)->kind == E_CALL && node_at(e, parent)->child[0] == node);
}

static bool points_to_reals(Type type)
{
    return type.depth == 1 && (type.base == 'f' || type.base == 'd');
}

/* ---- exchanged, or taken away ---- */
/* Both sides of an operator, as texts; the caller frees. */
typedef struct {
    char *left, *right;
} Sides;

static Sides sides_of(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    return (Sides){text_of(e->program, n->child[0]), text_of(e->program, n->child[1])};
}

static void free_sides(Sides s)
{
    free(s.left);
    free(s.right);
}

/* += for -= is a sign, = for += forgets what was there; the others are other operators. */
static EditKind kind_of_assignment(const char *a, const char *b)
{
    if (!strcmp(a, "=") || !strcmp(b, "="))
        return !strcmp(a, "+=") || !strcmp(b, "+=") ? ACCUMULATE : OPERATOR;
    return strchr("+-", *a) && strchr("+-", *b) ? SIGN : OPERATOR;
}

static void other_operators(Editor *e, int node)
{
    static const char *const groups[][8] = {{"+", "-", "*", "/"},
                                            {"<", "<=", ">", ">=", "==", "!="},
                                            {"&&", "||"},
                                            {"=", "+=", "-=", "*=", "/="}};
    static const EditKind kinds[] = {OPERATOR, COMPARISON, COMPARISON, ACCUMULATE};
    const Node *n = node_at(e, node);
    if (n->type.depth)
        return;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        const char *own = NULL;
        for (int i = 0; i < 8 && groups[g][i]; i++)
            own = has_op(e, node, groups[g][i]) ? groups[g][i] : own;
        for (int i = 0; own && i < 8 && groups[g][i]; i++) {
            const bool assigns = kinds[g] == ACCUMULATE;
            const EditKind kind = assigns ? kind_of_assignment(own, groups[g][i]) : kinds[g];
            if (strcmp(own, groups[g][i]) != 0)
                replace_tokens(e, kind,
                               assigns && i > 1 && kind != SIGN ? SWAPPED + 8 : SWAPPED - 4, n->op,
                               n->op + 1, format_text("%s", groups[g][i]));
        }
    }
}

static bool is_one(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    return n->kind == E_NUMBER && token_is(&e->program->tokens, n->from, "1");
}

/* i / n as i % n, and back, of any count: which block it is, and which place in it. */
static void quotient_or_rest(Editor *e, int node, const Sides *s)
{
    const char *other = has_op(e, node, "/") ? "%" : "/";
    replace_node(e, OPERATOR, SWAPPED - 4, node,
                 format_text("(%s) %s (%s)", s->left, other, s->right));
    for (int i = 0; i < e->value_count; i++)
        if (is_count(&e->values[i]) && value_there(e, &e->values[i], node_at(e, node)->from))
            replace_node(e, OPERATOR, RENAMED + 4, node,
                         format_text("(%s) %s %s", s->left, other, e->values[i].text));
}

static void binary(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    Sides s = sides_of(e, node);
    bool arithmetic = precedence_of(e, node) >= 12, pointer = n->type.depth > 0;
    bool counts = is_int(n->type) && is_one(e, n->child[1]) && precedence_of(e, node) == 12;
    const bool half = in_half_square(e, node);
    other_operators(e, node);
    if (arithmetic && !half) {
        replace_node(e, counts ? COUNT : TERM, DROPPED, node, format_text("%s", s.left));
        if (!pointer)
            replace_node(e, TERM, DROPPED, node, format_text("%s", s.right));
    }
    if (!pointer && !half && (has_op(e, node, "-") || has_op(e, node, "/")))
        replace_node(e, has_op(e, node, "-") ? SIGN : RECIPROCAL, SWAPPED, node,
                     format_text("(%s) %.1s (%s)", s.right,
                                 e->program->tokens.text + e->program->tokens.items[n->op].at,
                                 s.left));
    if (has_op(e, node, "/") && is_int(n->type))
        replace_node(e, INT_TYPE, DROPPED, node,
                     format_text("(float)(%s) / (%s)", s.left, s.right));
    if ((has_op(e, node, "/") || has_op(e, node, "%")) && is_int(n->type))
        quotient_or_rest(e, node, &s);
    free_sides(s);
}

/* The operands of a + b * c - d, without those in parentheses. */
static int operands(const Editor *e, int node, int *list, int count, int most)
{
    const Node *n = node_at(e, node);
    if (n->kind == E_BINARY && precedence_of(e, node) >= 12) {
        count = operands(e, n->child[0], list, count, most);
        return operands(e, n->child[1], list, count, most);
    }
    if (count < most)
        list[count++] = node;
    return count;
}

/* Parentheses around each part of a chain that has none. */
static void put_parentheses(Editor *e, int node)
{
    enum { MOST = 10 };
    int list[MOST], parent = node_at(e, node)->parent;
    if (parent >= 0 && node_at(e, parent)->kind == E_BINARY && precedence_of(e, parent) >= 12)
        return; /* not the whole chain */
    if (node_at(e, node)->type.depth)
        return;
    int count = operands(e, node, list, 0, MOST);
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            int from = node_at(e, list[i])->from, to = node_at(e, list[k])->to;
            char *text = text_between(e->program, from, to);
            if (k - i + 1 < count)
                replace_tokens(e, PARENTHESES, SWAPPED - 3, from, to, format_text("(%s)", text));
            free(text);
        }
}

static bool is_root(const Editor *e, const Node *call)
{
    return token_is(&e->program->tokens, call->from, "sqrtf") ||
           token_is(&e->program->tokens, call->from, "sqrt");
}

/* f(a) + c as f(a + c), f(a + c) as f(a) + c. */
static void move_call_end(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    if (!is_real(n->type))
        return;
    const char *text = e->program->tokens.text;
    for (int side = 0; side < 2 && n->kind == E_BINARY; side++) {
        const Node *call = node_at(e, n->child[side]);
        if (call->kind != E_CALL || call->child[1] < 0 || node_at(e, call->child[1])->next >= 0)
            continue;
        char *name = text_of(e->program, call->child[0]),
             *inner = text_of(e->program, call->child[1]);
        char *other = text_of(e->program, n->child[1 - side]);
        const Token *op = &e->program->tokens.items[n->op];
        replace_node(
            e, is_root(e, call) ? ROOT : PARENTHESES, SWAPPED - 6, node,
            side ? format_text("%s(%s %.*s (%s))", name, other, op->length, text + op->at, inner)
                 : format_text("%s((%s) %.*s %s)", name, inner, op->length, text + op->at, other));
        free(name);
        free(inner);
        free(other);
    }
    int argument = n->kind == E_CALL ? n->child[1] : -1;
    if (argument < 0 || node_at(e, argument)->next >= 0 || node_at(e, argument)->kind != E_BINARY)
        return;
    Sides s = sides_of(e, argument);
    char *name = text_of(e->program, n->child[0]);
    const Token *op = &e->program->tokens.items[node_at(e, argument)->op];
    const EditKind kind = is_root(e, n) ? ROOT : PARENTHESES;
    replace_node(e, kind, SWAPPED - 6, node,
                 format_text("(%s(%s) %.*s %s)", name, s.left, op->length, text + op->at, s.right));
    replace_node(e, kind, SWAPPED - 6, node,
                 format_text("(%s %.*s %s(%s))", s.left, op->length, text + op->at, name, s.right));
    free(name);
    free_sides(s);
}

/* f(a, b) ... op c as f(a op c, b): the term belongs into what ends before it. */
static void move_into_call(Editor *e, int node)
{
    const Node *n = node_at(e, node), *right = node_at(e, n->child[1]);
    if (precedence_of(e, node) < 12)
        return;
    char *term = text_between(e->program, n->op, n->to);
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *c = node_at(e, i);
        if ((c->kind != E_CALL && c->kind != E_PAREN) || c->to != n->op || c->from < n->from)
            continue;
        int inner = c->child[c->kind == E_CALL];
        for (; inner >= 0; inner = node_at(e, inner)->next)
            if (!node_at(e, inner)->type.depth)
                replace_two(
                    e, PARENTHESES, SWAPPED - 6, n->op,
                    (Piece){node_at(e, inner)->to, node_at(e, inner)->to, format_text(" %s", term)},
                    (Piece){n->op, right->to, format_text(" ")});
    }
    free(term);
}

/* What its text lacks: parentheses around a parameter, and around all of it. */
static void macro(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    const int parent = n->parent;
    if (!is_macro(&e->program->tokens, n->from) || parent < 0 || is_statement(node_at(e, parent)))
        return;
    for (int a = n->child[1]; a >= 0; a = node_at(e, a)->next)
        if (node_at(e, a)->kind == E_BINARY || node_at(e, a)->kind == E_CONDITION) {
            char *argument = text_of(e->program, a);
            replace_node(e, PARENTHESES, DROPPED, a, format_text("(%s)", argument));
            free(argument);
        }
    char *whole = text_of(e->program, node);
    replace_node(e, PARENTHESES, DROPPED, node, format_text("(%s)", whole));
    free(whole);
}

static void call(Editor *e, int node)
{
    static const char *const others[][2] = {
        {"sqrtf", "fabsf"}, {"fabsf", "sqrtf"}, {"fmaxf", "fminf"}, {"fminf", "fmaxf"},
        {"expf", "logf"},   {"tanhf", "expf"},  {"sqrt", "fabs"},   {"fabs", "sqrt"}};
    const Node *n = node_at(e, node);
    int first = n->child[1], second = first >= 0 ? node_at(e, first)->next : -1;
    int name = n->from;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (token_is(&e->program->tokens, name, others[i][0]))
            replace_tokens(e, FUNCTION, SWAPPED, name, name + 1, format_text("%s", others[i][1]));
    if (first >= 0 && second < 0 && is_real(node_at(e, first)->type)) {
        char *inner = text_of(e->program, first);
        replace_node(e,
                     is_root(e, n) ? ROOT
                     : token_is(&e->program->tokens, name, "fabsf") ||
                             token_is(&e->program->tokens, name, "fabs")
                         ? ABSOLUTE
                         : FUNCTION,
                     DROPPED + 2, node, format_text("(%s)", inner));
        free(inner);
    }
    if (first >= 0 && second < 0 && token_is(&e->program->tokens, name, "malloc")) {
        char *bytes = text_of(e->program, first);
        replace_node(e, FUNCTION, SWAPPED, node, format_text("calloc(1, %s)", bytes));
        free(bytes);
    }
    for (int a = first; a >= 0 && node_at(e, a)->next >= 0; a = node_at(e, a)->next) {
        int b = node_at(e, a)->next;
        char *left = text_of(e->program, a), *right = text_of(e->program, b);
        Type first_type = node_at(e, a)->type, second_type = node_at(e, b)->type;
        if (same_kind(first_type, second_type) || (!first_type.depth && !second_type.depth))
            replace_tokens(e, OTHER_NAME, RENAMED, node_at(e, a)->from, node_at(e, b)->to,
                           format_text("%s, %s", right, left));
        free(left);
        free(right);
    }
}

static void number(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    const char *suffix = n->type.base == 'f' ? ".0f" : n->type.base == 'd' ? ".0" : "";
    char *text = text_of(e->program, node);
    for (int value = 0; value <= 2; value++)
        if (strtod(text, NULL) != value)
            replace_node(e, OTHER_NUMBER, SWAPPED, node, format_text("%d%s", value, suffix));
    if (is_real(n->type) && strtod(text, NULL) != 0.5)
        replace_node(e, OTHER_NUMBER, SWAPPED + 4, node, format_text("0.5f"));
    if (is_int(n->type) && strtod(text, NULL) >= 2) {
        replace_node(e, OTHER_NUMBER, SWAPPED, node, format_text("(%s - 1)", text));
        replace_node(e, OTHER_NUMBER, SWAPPED, node, format_text("(%s + 1)", text));
    }
    free(text);
}

static void condition(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *yes = text_of(e->program, n->child[1]), *no = text_of(e->program, n->child[2]);
    char *when = text_of(e->program, n->child[0]);
    replace_choice(e, CONDITION, node, node, format_text("(%s)", yes));
    replace_choice(e, CONDITION, node, node, format_text("(%s)", no));
    replace_node(e, CONDITION, SWAPPED, node, format_text("(%s) ? (%s) : (%s)", when, no, yes));
    free(yes);
    free(no);
    free(when);
}

static void unwrap(Editor *e, EditKind kind, int node)
{
    char *inner = text_of(e->program, node_at(e, node)->child[0]);
    replace_node(e, kind, DROPPED + 2, node, format_text("%s", inner));
    free(inner);
}

/* *p as *p++, and back. */
static void step_on(Editor *e, int node)
{
    const Node *inner = node_at(e, node_at(e, node)->child[0]);
    if (inner->kind == E_NAME)
        replace_tokens(e, INDEX, RENAMED + 2, inner->to, inner->to, format_text("++"));
    else if (inner->kind == E_POSTFIX)
        replace_tokens(e, INDEX, DROPPED + 4, inner->op, inner->op + 1, format_text(" "));
}

static void exchange(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (n->kind == E_BINARY) {
            binary(e, i);
            put_parentheses(e, i);
            move_call_end(e, i);
            move_into_call(e, i);
        } else if (n->kind == E_CALL) {
            macro(e, i);
            call(e, i);
            move_call_end(e, i);
        } else if (n->kind == E_ASSIGN) {
            other_operators(e, i);
        } else if (n->kind == E_NUMBER) {
            number(e, i);
        } else if (n->kind == E_CONDITION) {
            condition(e, i);
        } else if (n->kind == E_PAREN && !in_half_square(e, i)) {
            unwrap(e, PARENTHESES, i);
        } else if (n->kind == E_CAST) {
            unwrap(e, INT_TYPE, i);
        } else if (n->kind == E_PREFIX && (has_op(e, i, "-") || has_op(e, i, "!"))) {
            unwrap(e, has_op(e, i, "-") ? SIGN : CONDITION, i);
        } else if (n->kind == E_PREFIX && has_op(e, i, "*")) {
            step_on(e, i);
        } else if (n->kind == E_POSTFIX || n->kind == E_PREFIX) {
            if (has_op(e, i, "++") || has_op(e, i, "--"))
                replace_tokens(e, OPERATOR, SWAPPED, n->op, n->op + 1,
                               format_text(has_op(e, i, "++") ? "--" : "++"));
        }
    }
}

/* ---- added ---- */
static void wrap(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *text = text_of(e->program, node);
    bool single = n->type.base == 'f';
    replace_node(e, ROOT, WRAPPED, node, format_text(single ? "sqrtf(%s)" : "sqrt(%s)", text));
    replace_node(e, SQUARE, WRAPPED - 2, node, format_text("((%s) * (%s))", text, text));
    replace_node(e, ABSOLUTE, WRAPPED + 2, node, format_text("fabs(%s)", text));
    if (n->kind != E_NUMBER)
        replace_node(e, RECIPROCAL, WRAPPED, node, format_text("(1.0f / (%s))", text));
    if (!is_factor(e, node))
        replace_node(e, SIGN, WRAPPED, node, format_text("(-(%s))", text));
    free(text);
}

/* With every number that the function is given or has worked out. */
static void with_values(Editor *e, int node)
{
    const int rank = is_whole(e, node) ? ADDED : is_summed(e, node) ? ADDED + 12 : ADDED + 8;
    if (in_half_square(e, node))
        return;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        bool real = is_real(v->type);
        if ((!real && !is_count(v)) || !value_there(e, v, node_at(e, node)->from))
            continue;
        if (!is_factor(e, node)) {
            replace_node(e, TERM, rank, node, format_text("((%s) * %s)", text, v->text));
            replace_node(e, TERM, rank, node, format_text("((%s) / %s)", text, v->text));
        }
        if (real) {
            replace_node(e, TERM, rank, node, format_text("(%s + %s)", text, v->text));
            replace_node(e, TERM, rank, node, format_text("(%s - %s)", text, v->text));
        }
    }
    free(text);
}

/* dy[i] for dy[i] * gamma[j]: with every element of an array, at every index that stands here. */
static void with_elements(Editor *e, int node)
{
    const int at = node_at(e, node)->from, known = is_whole(e, node) ? ADDED + 2 : ADDED + 6;
    if (in_half_square(e, node))
        return;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!points_to_reals(v->type) || !value_there(e, v, at))
            continue;
        for (int k = 0; k < e->index_count; k++) {
            if (!fits_at(e, e->indices[k], at))
                continue;
            const int rank = e->elements[i][k] ? known : known + 8;
            char *index = text_of(e->program, e->indices[k]);
            if (!is_factor(e, node)) {
                replace_node(e, TERM, rank, node,
                             format_text("((%s) * %s[%s])", text, v->text, index));
                replace_node(e, TERM, rank + 2, node,
                             format_text("((%s) / %s[%s])", text, v->text, index));
            }
            replace_node(e, TERM, rank, node, format_text("(%s + %s[%s])", text, v->text, index));
            replace_node(e, TERM, rank, node, format_text("(%s - %s[%s])", text, v->text, index));
            free(index);
        }
    }
    free(text);
}

/* x * x as (x - m) * (x - m). */
static void square_about(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *left = text_of(e->program, n->child[0]), *right = text_of(e->program, n->child[1]);
    bool square = has_op(e, node, "*") && !strcmp(left, right);
    for (int i = 0; i < e->value_count && square; i++) {
        const Value *v = &e->values[i];
        if (!value_there(e, v, n->from))
            continue;
        if (is_real(v->type))
            replace_node(e, TERM, ADDED + 2, node,
                         format_text("((%s - %s) * (%s - %s))", left, v->text, left, v->text));
        for (int k = 0; k < e->index_count && points_to_reals(v->type); k++)
            if (fits_at(e, e->indices[k], n->from)) {
                char *index = text_of(e->program, e->indices[k]);
                replace_node(e, TERM, ADDED + 4, node,
                             format_text("((%s - %s[%s]) * (%s - %s[%s]))", left, v->text, index,
                                         left, v->text, index));
                free(index);
            }
    }
    free(left);
    free(right);
}

/* r * n as r * n * m. */
static void one_more_length(Editor *e, int product)
{
    char *text = text_of(e->program, product);
    for (int i = 0; i < e->value_count; i++)
        if (is_count(&e->values[i]) && value_there(e, &e->values[i], node_at(e, product)->from))
            replace_node(e, is_in_index(e, product) ? INDEX : TERM, ADDED - 4, product,
                         format_text("%s * %s", text, e->values[i].text));
    free(text);
}

/* A count as one more or less, or many times. */
static void other_counts(Editor *e, int node)
{
    enum { MOST_TIMES = 4 }; /* a row of an LSTM has four parts */
    const EditKind kind = is_in_index(e, node) ? INDEX : TERM;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!is_int(v->type) || !value_there(e, v, node_at(e, node)->from) || is_factor(e, node))
            continue;
        replace_node(e, kind, ADDED - 4, node, format_text("(%s * %s)", text, v->text));
        replace_node(e, kind, ADDED - 2, node, format_text("(%s / %s)", text, v->text));
    }
    if (!is_factor(e, node))
        for (int times = 2; times <= MOST_TIMES; times++)
            replace_node(e, kind, ADDED, node, format_text("(%d * %s)", times, text));
    replace_node(e, COUNT, RENAMED + 4, node, format_text("(%s - 1)", text));
    replace_node(e, COUNT, RENAMED + 4, node, format_text("(%s + 1)", text));
    free(text);
}

/* b as b + 2 * features: a pointer or an index with what is added to another one. */
static void with_offsets(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    const bool pointer = n->type.depth > 0;
    const EditKind kind = pointer || is_in_index(e, node) ? INDEX : TERM;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!is_int(v->type) || !value_there(e, v, n->from))
            continue;
        replace_node(e, kind, ADDED, node, format_text("(%s + %s)", text, v->text));
        for (int times = 2; times <= 3 && pointer && is_count(v); times++)
            replace_node(e, INDEX, ADDED + 2, node,
                         format_text("(%s + %d * %s)", text, times, v->text));
    }
    for (int i = e->d->first_node; i < e->d->last_node && pointer; i++) {
        const int offset = node_at(e, i)->kind == E_BINARY ? node_at(e, i)->child[1] : -1;
        if (offset < 0 || !node_at(e, i)->type.depth || !fits_at(e, offset, n->from) ||
            node_at(e, offset)->kind == E_NAME)
            continue;
        char *more = text_of(e->program, offset);
        replace_node(e, INDEX, ADDED, node, format_text("(%s + %s)", text, more));
        free(more);
    }
    free(text);
}

static void add_terms(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (!is_value(e, i))
            continue;
        bool offset = n->type.depth == 1 ? is_argument(e, i) || is_whole(e, i)
                                         : is_int(n->type) && (is_index(e, i) || is_whole(e, i));
        if (offset)
            with_offsets(e, i);
        if (is_real(n->type)) {
            wrap(e, i);
            with_values(e, i);
            with_elements(e, i);
            if (n->kind == E_BINARY)
                square_about(e, i);
        } else if (is_int(n->type) && (n->kind == E_NAME || n->kind == E_MEMBER ||
                                       (n->kind == E_BINARY && is_whole(e, i)))) {
            other_counts(e, i);
        } else if (is_int(n->type) && has_op(e, i, "*") && !is_factor(e, i)) {
            one_more_length(e, i);
        }
    }
}

/* ---- another name ---- */
/* Another variable, another member. */
static void other_names(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    bool written = is_target(e, node), name = n->kind == E_NAME;
    const Symbol *self = name ? symbol_at(e->program, n->from, n->from) : NULL;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count && (self || !name) && !in_half_square(e, node); i++) {
        const Value *v = &e->values[i];
        if (same_kind(v->type, n->type) && strcmp(v->text, text) && value_there(e, v, n->from) &&
            !(written && v->type.fixed))
            replace_node(e, OTHER_NAME, RENAMED, node, format_text("%s", v->text));
    }
    free(text);
}

/* A number or an element as a name, or as another array's element. */
static void as_name(Editor *e, int node)
{
    const Program *program = e->program;
    const Node *n = node_at(e, node);
    bool number = n->kind == E_NUMBER;
    const EditKind kind = number ? OTHER_NUMBER : n->kind == E_BINARY ? TERM : OTHER_NAME;
    if (is_target(e, node) || in_half_square(e, node))
        return;
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!value_there(e, v, n->from))
            continue;
        if (is_real(v->type) || (number && is_int(v->type)))
            replace_node(e, kind, RENAMED + 2, node, format_text("%s", v->text));
        for (int k = 0; k < e->index_count && points_to_reals(v->type); k++)
            if (fits_at(e, e->indices[k], n->from)) {
                char *index = text_of(program, e->indices[k]);
                replace_node(e, kind, e->elements[i][k] ? RENAMED + 4 : ADDED + 10, node,
                             format_text("%s[%s]", v->text, index));
                free(index);
            }
    }
}

/* One name exchanged with another, or put in its place, all over some tokens. */
static void all_over(Editor *e, int rank, int from, int to, const Symbol *a, const Symbol *b,
                     bool exchange)
{
    const Program *program = e->program;
    const Tokens *t = &program->tokens;
    Buffer text = {0};
    int first = -1, last = -1, count_a = 0, count_b = 0;
    for (int i = from; i < to; i++) {
        bool member = i > from && (token_is(t, i - 1, ".") || token_is(t, i - 1, "->"));
        bool is_a = !member && same_token(t, i, a->name) && symbol_at(program, i, i) == a;
        bool is_b = !member && same_token(t, i, b->name) && symbol_at(program, i, i) == b;
        int shown = is_a ? b->name : is_b && exchange ? a->name : i;
        count_a += is_a;
        count_b += is_b;
        first = first < 0 && shown != i ? i : first;
        last = shown != i ? i : last;
        buffer_append(&text, t->text + t->items[shown].at, (size_t)t->items[shown].length);
        buffer_append(&text, " ", 1);
    }
    buffer_append(&text, "", 1);
    if (!count_a || (exchange && !count_b)) {
        buffer_free(&text);
        return;
    }
    const int made = e->edits->count;
    replace_piece(e, OTHER_NAME, rank, first, (Piece){from, to, text.data});
    if (made < e->edits->count &&
        t->items[last].line != t->items[first].line) /* one of them alone would not do */
        e->edits->items[made].also = t->items[last].line;
}

/* In the whole body, and a pair in one statement. */
static void exchanged_names(Editor *e)
{
    const Program *program = e->program;
    for (int i = 0; i < program->symbol_count; i++)
        for (int k = 0; k < program->symbol_count; k++) {
            const Symbol *a = &program->symbols[i], *b = &program->symbols[k];
            bool here = a->from > e->d->from && a->to <= e->d->to && b->from > e->d->from &&
                        b->to <= e->d->to;
            if (i == k || !here || !same_kind(a->type, b->type))
                continue;
            if (b->parameter)
                all_over(e, RENAMED + 6, e->d->header_to, e->d->to, a, b, false);
            if (a->parameter && b->parameter && i < k)
                all_over(e, RENAMED + 6, e->d->header_to, e->d->to, a, b, true);
            for (int s = e->d->first_node; s < e->d->last_node && i < k; s++)
                if (node_at(e, s)->kind == S_EXPRESSION || node_at(e, s)->kind == S_DECLARATION)
                    all_over(e, RENAMED + 2, node_at(e, s)->from, node_at(e, s)->to, a, b, true);
        }
}

/* ---- another index ---- */
/* a * n + b as b * n + a, and with every other count. */
static void transposed(Editor *e, int index)
{
    const Node *n = node_at(e, index);
    const Node *product = n->kind == E_BINARY ? node_at(e, n->child[0]) : NULL;
    if (!product || !has_op(e, index, "+") || product->kind != E_BINARY ||
        !has_op(e, n->child[0], "*"))
        return;
    char *a = text_of(e->program, product->child[0]), *m = text_of(e->program, product->child[1]);
    char *b = text_of(e->program, n->child[1]);
    replace_node(e, INDEX, SWAPPED + 2, index, format_text("(%s) * (%s) + (%s)", b, m, a));
    for (int i = 0; i < e->value_count; i++)
        if (is_count(&e->values[i]) && value_there(e, &e->values[i], n->from))
            replace_node(e, INDEX, SWAPPED + 2, index,
                         format_text("(%s) * %s + (%s)", b, e->values[i].text, a));
    free(a);
    free(b);
    free(m);
}

/* j as r * n + j, the array x as x + r * n. What stays as it is is rather a count than a row. */
static void with_row_base(Editor *e, int index)
{
    char *text = text_of(e->program, index);
    int at = node_at(e, index)->from;
    const char *form = node_at(e, index)->type.depth ? "(%s * %s + %s)" : "%s * %s + %s";
    for (int r = 0; r < e->value_count; r++) {
        const Value *row = &e->values[r];
        if (!is_int(row->type) || !row->symbol || row->symbol->parameter ||
            !value_there(e, row, at) || !strcmp(row->text, text))
            continue;
        for (int c = 0; c < e->value_count; c++)
            if (is_count(&e->values[c]) && value_there(e, &e->values[c], at))
                replace_node(e, ROW_BASE, row->steady ? ADDED + 2 : RENAMED + 2, index,
                             format_text(form, row->text, e->values[c].text, text));
    }
    free(text);
}

/* Every other index that stands in the function, and what an array of ints holds there: column[i]
 * for i. */
static void other_indices(Editor *e, int index)
{
    const int at = node_at(e, index)->from;
    char *text = text_of(e->program, index);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (v->type.base == 'i' && v->type.depth == 1 && value_there(e, v, at))
            replace_node(e, INDEX, RENAMED + 1, index, format_text("%s[%s]", v->text, text));
    }
    free(text);
    for (int k = 0; k < e->index_count; k++)
        if (e->indices[k] != index && fits_at(e, e->indices[k], node_at(e, index)->from))
            replace_node(e, INDEX, RENAMED, index, text_of(e->program, e->indices[k]));
}

/* x[j] * x[j], where both lack their row or have another index. */
static void square_of_element(Editor *e, int node)
{
    const Node *n = node_at(e, node), *element = node_at(e, n->child[0]);
    char *left = text_of(e->program, n->child[0]), *right = text_of(e->program, n->child[1]);
    bool square = element->kind == E_INDEX && has_op(e, node, "*") && !strcmp(left, right);
    char *array = text_of(e->program, square ? element->child[0] : node);
    char *index = text_of(e->program, square ? element->child[1] : node);
    for (int k = 0; k < e->index_count && square; k++)
        if (fits_at(e, e->indices[k], n->from)) {
            char *other = text_of(e->program, e->indices[k]);
            replace_node(e, INDEX, RENAMED, node,
                         format_text("%s[%s] * %s[%s]", array, other, array, other));
            free(other);
        }
    for (int r = 0; r < e->value_count && square; r++)
        for (int c = 0; c < e->value_count; c++) {
            const Value *row = &e->values[r], *count = &e->values[c];
            if (is_int(row->type) && row->symbol && !row->symbol->parameter && is_count(count) &&
                value_there(e, row, n->from) && value_there(e, count, n->from))
                replace_node(e, ROW_BASE, RENAMED + 2, node,
                             format_text("%s[%s * %s + %s] * %s[%s * %s + %s]", array, row->text,
                                         count->text, index, array, row->text, count->text, index));
        }
    free(left);
    free(right);
    free(array);
    free(index);
}

static void rename_all(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if ((n->kind == E_NAME || n->kind == E_MEMBER) && is_plain_value(e, i))
            other_names(e, i);
        int parent = n->parent;
        if ((n->kind == E_NAME || n->kind == E_MEMBER) && n->type.depth == 1 &&
            is_plain_value(e, i) && !is_target(e, i) && node_at(e, parent)->kind != E_INDEX &&
            node_at(e, parent)->kind != E_BINARY)
            with_row_base(e, i);
        if (n->kind == E_BINARY && is_real(n->type) && n->parent >= 0 && is_whole(e, i))
            as_name(e, i);
        if (n->kind == E_NUMBER ||
            (is_real(n->type) && (n->kind == E_INDEX || n->kind == E_NAME || n->kind == E_MEMBER)))
            as_name(e, i);
        if (n->kind == E_BINARY)
            square_of_element(e, i);
        if (n->kind == E_BINARY && is_int(n->type) && precedence_of(e, i) >= 12 && is_whole(e, i))
            with_row_base(e, i);
        if (n->kind == E_INDEX) {
            int index = n->child[1];
            if (!node_at(e, i)->type.depth)
                transposed(e, index);
            other_indices(e, index);
            if (node_at(e, index)->kind == E_NAME)
                with_row_base(e, index);
        }
    }
    exchanged_names(e);
}

void edit_expressions(Editor *e)
{
    exchange(e);
    add_terms(e);
    rename_all(e);
}
