/* Changes of whole statements where they stand: left out, under no condition, another type, set
 * back to a beginning. See edits.h. */
#include "edits.h"

#include <stdlib.h>

/* ---- declarations ---- */
/* Is that name part of an index, or of a % b, which only whole numbers can be? */
static bool must_be_whole(const Editor *e, int name)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (n->kind != E_NAME || !same_token(&e->program->tokens, n->from, name))
            continue;
        for (int up = i; up >= 0 && !is_statement(node_at(e, up)); up = node_at(e, up)->parent) {
            int parent = node_at(e, up)->parent;
            if (parent >= 0 &&
                ((node_at(e, parent)->kind == E_INDEX && node_at(e, parent)->child[1] == up) ||
                 has_op(e, parent, "%")))
                return true;
        }
    }
    return false;
}

/* int i, sum = 0; as int i; float sum = 0; */
static void apart(Editor *e, int node, int variable)
{
    const Node *n = node_at(e, node);
    char *type = text_between(e->program, n->from, n->op), *own = text_of(e->program, variable);
    char *others = format_text("%s", "");
    for (int v = n->child[0]; v >= 0; v = node_at(e, v)->next) {
        if (v == variable)
            continue;
        char *text = text_of(e->program, v);
        char *longer = format_text("%s%s%s", others, *others ? ", " : "", text);
        free(text);
        free(others);
        others = longer;
    }
    add_edit(e->edits,
             (Edit){INT_TYPE,
                    e->definition,
                    e->program->tokens.items[node_at(e, variable)->op].line,
                    DROPPED + 4,
                    {{n->from, n->to, format_text("%s %s; float %s;", type, others, own)}},
                    1});
    free(type);
    free(own);
    free(others);
}

static void declaration(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    for (int v = n->child[0]; v >= 0; v = node_at(e, v)->next) {
        const Node *variable = node_at(e, v);
        bool alone = v == n->child[0] && variable->next < 0;
        if (is_int(variable->type) && !alone && !must_be_whole(e, variable->op))
            apart(e, node, v);
        if (is_int(variable->type) && alone && !must_be_whole(e, variable->op))
            replace_tokens(e, INT_TYPE, DROPPED + 4, n->from, n->op, format_text("float"));
        if (variable->child[0] < 0 && !variable->type.depth && variable->type.base != 'o')
            replace_tokens(e, SET_BACK, RENAMED, variable->to, variable->to, format_text(" = 0"));
        else if (variable->child[0] < 0 && variable->type.depth == 1 && variable->type.fixed &&
                 e->program->tokens.items[variable->op + 2].kind == NUMBER)
            replace_tokens(e, SET_BACK, RENAMED, variable->to, variable->to, format_text(" = {0}"));
    }
}

/* ---- what is set back ---- */
/* Where a statement of its own can stand at the beginning of a loop's body: behind its brace, or
 * before its only statement. `close`: what must then stand behind it. */
static int body_of(const Editor *e, int loop)
{
    const Node *n = node_at(e, loop);
    return n->child[n->kind == S_FOR ? 3 : n->kind == S_WHILE ? 1 : 0];
}

static void insert_at_beginning(Editor *e, Kind kind, int rank, int loop, char *text)
{
    const Node *body = node_at(e, body_of(e, loop));
    if (body->kind == S_BLOCK) {
        replace_tokens(e, kind, rank, body->from + 1, body->from + 1, text);
        return;
    }
    char *inner = text_between(e->program, body->from, body->to);
    replace_tokens(e, kind, rank, body->from, body->to, format_text("{ %s %s }", text, inner));
    free(inner);
    free(text);
}

/* sum += ...; in loops: with sum = 0 at the beginning of each of these loops, or before it. */
static void set_back(Editor *e, int assignment)
{
    const Node *n = node_at(e, assignment);
    char *target = text_of(e->program, n->child[0]);
    const char *begin = has_op(e, assignment, "*=") || has_op(e, assignment, "/=") ? "1" : "0";
    for (int up = n->parent; up >= 0; up = node_at(e, up)->parent) {
        const Node *loop = node_at(e, up);
        if (!is_loop(loop))
            continue;
        if (known_at(e, n->child[0], node_at(e, body_of(e, up))->from))
            insert_at_beginning(e, SET_BACK, MOVED + 8, up, format_text("%s = %s;", target, begin));
        if (known_at(e, n->child[0], loop->from)) {
            char *all = text_of(e->program, up);
            replace_node(e, SET_BACK, MOVED, up,
                         format_text("{ %s = %s; %s }", target, begin, all));
            free(all);
        }
    }
    free(target);
}

/* All sums of a loop at its beginning, where two are forgotten together. */
static bool accumulates(const Editor *e, int node);

static void set_all_back(Editor *e, int loop)
{
    char *text = format_text("%s", "");
    int count = 0, seen[8];
    for (int i = loop;
         i < e->d->last_node && node_at(e, i)->from < node_at(e, loop)->to && count < 8; i++) {
        int target = accumulates(e, i) ? node_at(e, i)->child[0] : -1;
        bool fits = target >= 0 && node_at(e, target)->kind == E_NAME &&
                    is_real(node_at(e, target)->type) &&
                    known_at(e, target, node_at(e, body_of(e, loop))->from);
        for (int k = 0; k < count && fits; k++)
            fits = !same_token(&e->program->tokens, node_at(e, seen[k])->from,
                               node_at(e, target)->from);
        if (!fits)
            continue;
        seen[count++] = target;
        char *name = text_of(e->program, target), *longer = format_text("%s%s = 0; ", text, name);
        free(name);
        free(text);
        text = longer;
    }
    if (count > 1)
        insert_at_beginning(e, SET_BACK, MOVED + 9, loop, text);
    else
        free(text);
}

/* sum /= n; behind the loop that adds it up. */
static void divide_behind(Editor *e, int assignment)
{
    const Node *n = node_at(e, assignment);
    if (!is_real(node_at(e, n->child[0])->type))
        return;
    char *target = text_of(e->program, n->child[0]);
    for (int up = n->parent; up >= 0; up = node_at(e, up)->parent) {
        const Node *loop = node_at(e, up);
        if (!is_loop(loop) || !known_at(e, n->child[0], loop->from))
            continue;
        for (int i = 0; i < e->value_count; i++)
            if (is_count(&e->values[i]) && value_there(e, &e->values[i], loop->from))
                replace_tokens(e, TERM, ADDED + 1, loop->to, loop->to,
                               format_text(" %s /= %s;", target, e->values[i].text));
    }
    free(target);
}

static bool accumulates(const Editor *e, int node)
{
    return node_at(e, node)->kind == E_ASSIGN && !has_op(e, node, "=");
}

/* ---- conditions, and statements that should not be there ---- */
static void without_condition(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *when = text_of(e->program, n->child[0]);
    replace_node(e, CONDITION, SWAPPED, n->child[0], format_text("!(%s)", when));
    free(when);
    for (int part = 1; part <= 2; part++)
        if (n->child[part] >= 0)
            replace_node(e, CONDITION, DROPPED, node, text_of(e->program, n->child[part]));
}

/* int mean_of(...), and int parameters, as float. */
static void header(Editor *e)
{
    const Tokens *t = &e->program->tokens;
    for (int i = e->d->from; i < e->d->header_to; i++) {
        bool named = t->items[i + 1].kind == NAME;
        if (token_is(t, i, "int") && named && !must_be_whole(e, i + 1))
            replace_tokens(e, INT_TYPE, DROPPED + 6, i, i + 1, format_text("float"));
    }
}

void edit_statements(Editor *e)
{
    header(e);
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (n->kind == S_DECLARATION) {
            declaration(e, i);
        } else if (n->kind == S_IF) {
            without_condition(e, i);
        } else if (accumulates(e, i)) {
            set_back(e, i);
            divide_behind(e, i);
        }
        if (is_loop(n))
            set_all_back(e, i);
        if (n->kind == S_EXPRESSION || n->kind == S_IF || n->kind == S_JUMP || is_loop(n) ||
            (n->kind == S_RETURN && n->child[0] < 0))
            replace_node(e, EXTRA, DROPPED, i, format_text(";"));
    }
}
