/* Changes within an expression that take away or exchange: operators, parentheses, calls, casts,
 * numbers. See edits.h. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

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

static void other_operators(Editor *e, int node)
{
    static const char *const groups[][8] = {{"+", "-", "*", "/"},
                                            {"<", "<=", ">", ">=", "==", "!="},
                                            {"&&", "||"},
                                            {"=", "+=", "-=", "*=", "/="}};
    static const Kind kinds[] = {OPERATOR, COMPARISON, COMPARISON, ACCUMULATE};
    const Node *n = node_at(e, node);
    if (n->type.depth)
        return;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        bool in_group = false;
        for (int i = 0; i < 8 && groups[g][i]; i++)
            in_group = in_group || has_op(e, node, groups[g][i]);
        for (int i = 0; in_group && i < 8 && groups[g][i]; i++)
            if (!has_op(e, node, groups[g][i]))
                replace_tokens(e, kinds[g],
                               kinds[g] == ACCUMULATE && i > 1 ? SWAPPED + 8 : SWAPPED - 4, n->op,
                               n->op + 1, format_text("%s", groups[g][i]));
    }
}

static void binary(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    Sides s = sides_of(e, node);
    bool arithmetic = precedence_of(e, node) >= 12, pointer = n->type.depth > 0;
    bool counts = is_int(n->type) && node_at(e, n->child[1])->kind == E_NUMBER;
    other_operators(e, node);
    if (arithmetic) {
        replace_node(e, counts ? COUNT : TERM, DROPPED, node, format_text("%s", s.left));
        if (!pointer)
            replace_node(e, TERM, DROPPED, node, format_text("%s", s.right));
    }
    if (!pointer && (has_op(e, node, "-") || has_op(e, node, "/")))
        replace_node(e, OPERATOR, SWAPPED, node,
                     format_text("(%s) %.1s (%s)", s.right,
                                 e->program->tokens.text + e->program->tokens.items[n->op].at,
                                 s.left));
    if (has_op(e, node, "/") && is_int(n->type))
        replace_node(e, INT_TYPE, DROPPED, node,
                     format_text("(float)(%s) / (%s)", s.left, s.right));
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
                replace_tokens(e, PARENTHESES, SWAPPED - 6, from, to, format_text("(%s)", text));
            free(text);
        }
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
            e, ROOT, SWAPPED - 6, node,
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
    replace_node(e, ROOT, SWAPPED - 6, node,
                 format_text("(%s(%s) %.*s %s)", name, s.left, op->length, text + op->at, s.right));
    replace_node(e, ROOT, SWAPPED - 6, node,
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
        replace_node(e, token_is(&e->program->tokens, name, "fabsf") ? ABSOLUTE : ROOT, DROPPED + 2,
                     node, format_text("(%s)", inner));
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
            replace_node(e, NUMBER_, SWAPPED, node, format_text("%d%s", value, suffix));
    if (is_real(n->type) && strtod(text, NULL) != 0.5)
        replace_node(e, NUMBER_, SWAPPED + 4, node, format_text("0.5f"));
    if (is_int(n->type) && strtod(text, NULL) >= 2) {
        replace_node(e, NUMBER_, SWAPPED, node, format_text("(%s - 1)", text));
        replace_node(e, NUMBER_, SWAPPED, node, format_text("(%s + 1)", text));
    }
    free(text);
}

static void condition(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *yes = text_of(e->program, n->child[1]), *no = text_of(e->program, n->child[2]);
    char *when = text_of(e->program, n->child[0]);
    replace_node(e, CONDITION, DROPPED, node, format_text("(%s)", yes));
    replace_node(e, CONDITION, DROPPED, node, format_text("(%s)", no));
    replace_node(e, CONDITION, SWAPPED, node, format_text("(%s) ? (%s) : (%s)", when, no, yes));
    free(yes);
    free(no);
    free(when);
}

static void unwrap(Editor *e, Kind kind, int node)
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

void edit_expressions(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (n->kind == E_BINARY) {
            binary(e, i);
            put_parentheses(e, i);
            move_call_end(e, i);
            move_into_call(e, i);
        } else if (n->kind == E_CALL) {
            call(e, i);
            move_call_end(e, i);
        } else if (n->kind == E_ASSIGN) {
            other_operators(e, i);
        } else if (n->kind == E_NUMBER) {
            number(e, i);
        } else if (n->kind == E_CONDITION) {
            condition(e, i);
        } else if (n->kind == E_PAREN) {
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
