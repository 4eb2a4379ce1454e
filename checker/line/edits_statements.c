/* Changes of whole statements: left out or under no condition, another type, something set back to
 * its beginning; one that stands elsewhere; one that is not there. See edits.h. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

/* ---- beside a statement ---- */
/* Of a loop; or of an if, what is done when it is so. */
static int body_of(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    return n->child[n->kind == S_FOR ? 3 : n->kind == S_WHILE || n->kind == S_IF ? 1 : 0];
}

/* Of a loop's body: behind its brace, or before its only statement. Takes the text. */
static void insert_at_beginning(Editor *e, int rank, int loop, char *text)
{
    const Node *body = node_at(e, body_of(e, loop));
    if (body->kind == S_BLOCK) {
        put_in(e, SET_BACK, rank, body->from + 1, (Piece){body->from + 1, body->from + 1, text});
        return;
    }
    char *inner = text_between(e->program, body->from, body->to);
    put_in(e, SET_BACK, rank, body->from,
           (Piece){body->from, body->to, format_text("{ %s %s }", text, inner)});
    free(inner);
    free(text);
}

/* Behind a statement, which may be the only one of a loop or of a condition. Takes the text. */
static void insert_behind(Editor *e, int rank, int statement, char *text)
{
    const Node *n = node_at(e, statement), *parent = node_at(e, n->parent);
    if (parent->kind == S_BLOCK) {
        put_in(e, MISSING, rank, n->to, (Piece){n->to, n->to, format_text(" %s", text)});
    } else {
        char *before = text_of(e->program, statement);
        put_in(e, MISSING, rank, n->to,
               (Piece){n->from, n->to, format_text("{ %s %s }", before, text)});
        free(before);
    }
    free(text);
}

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
    replace_piece(e, INT_TYPE, DROPPED + 4, node_at(e, variable)->op,
                  (Piece){n->from, n->to, format_text("%s %s; float %s;", type, others, own)});
    free(type);
    free(own);
    free(others);
}

/* float largest = 0; as the first that there is, or less than any; float sum = features; as 0. */
static void begin_elsewhere(Editor *e, int begin)
{
    const Node *n = node_at(e, begin);
    char *text = text_of(e->program, begin);
    for (int v = 0; v < e->value_count && n->kind == E_NUMBER && strtod(text, NULL) == 0; v++) {
        const Value *array = &e->values[v];
        if (array->type.depth == 1 && strchr("fd", array->type.base) &&
            value_there(e, array, n->from))
            replace_node(e, OTHER_NUMBER, SWAPPED + 4, begin, format_text("%s[0]", array->text));
    }
    if (n->kind == E_NUMBER && strtod(text, NULL) == 0)
        replace_node(e, OTHER_NUMBER, SWAPPED + 4, begin, format_text("-3.4e38f"));
    if (n->kind == E_NAME)
        replace_node(e, OTHER_NUMBER, RENAMED, begin, format_text("0"));
    free(text);
}

static void declaration(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    for (int v = n->child[0]; v >= 0; v = node_at(e, v)->next) {
        const Node *variable = node_at(e, v);
        bool alone = v == n->child[0] && variable->next < 0;
        if (is_real(variable->type) && variable->child[0] >= 0)
            begin_elsewhere(e, variable->child[0]);
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

/* ---- what is set back ---- */
static bool accumulates(const Editor *e, int node)
{
    return node_at(e, node)->kind == E_ASSIGN && !has_op(e, node, "=");
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
            insert_at_beginning(e, MOVED + 8, up, format_text("%s = %s;", target, begin));
        if (known_at(e, n->child[0], loop->from)) {
            char *all = text_of(e->program, up);
            put_in(
                e, SET_BACK, MOVED, loop->from,
                (Piece){loop->from, loop->to, format_text("{ %s = %s; %s }", target, begin, all)});
            free(all);
        }
    }
    free(target);
}

/* All sums of a loop at its beginning, where two are forgotten together. */
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
        insert_at_beginning(e, MOVED + 9, loop, text);
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
                put_in(e, MISSING, ADDED + 1, loop->to,
                       (Piece){loop->to, loop->to,
                               format_text(" %s /= %s;", target, e->values[i].text)});
    }
    free(target);
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
            replace_choice(e, CONDITION, node, n->child[0], text_of(e->program, n->child[part]));
}

/* -1: for (;;) asks nothing. */
static int asked_in(const Node *n)
{
    return n->child[n->kind == S_FOR || n->kind == S_DO ? 1 : 0];
}

static void change_in_place(Editor *e)
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
        const Node *init = n->kind == S_FOR && n->child[0] >= 0 ? node_at(e, n->child[0]) : NULL;
        if (init && init->kind == E_ASSIGN) /* the loop before it has come so far */
            replace_tokens(e, EXTRA, SWAPPED, init->from, init->to + 1, format_text(";"));
        const int asked = n->kind == S_IF || is_loop(n) ? asked_in(n) : -1;
        if (asked >= 0)
            replace_choice(e, EXTRA, i, asked, format_text(";"));
        else if (n->kind == S_EXPRESSION || n->kind == S_JUMP || is_loop(n) ||
                 (n->kind == S_RETURN && n->child[0] < 0))
            replace_node(e, EXTRA, DROPPED, i, format_text(";"));
    }
}

/* ---- the wrong place: before or after a neighbour, inside or outside a loop or its braces ---- */
static int previous_of(const Editor *e, int node)
{
    const Node *parent = node_at(e, node_at(e, node)->parent);
    int previous = -1;
    for (int s = parent->kind == S_BLOCK ? parent->child[0] : -1; s >= 0 && s != node;
         s = node_at(e, s)->next)
        previous = s;
    return previous;
}

/* Do some tokens need what others declare, and is there nothing of that name where these begin? */
static bool needs(const Editor *e, int from, int to, int by_from, int by_to)
{
    const Tokens *t = &e->program->tokens;
    for (int i = from; i < to; i++) {
        bool member = token_is(t, i - 1, ".") || token_is(t, i - 1, "->");
        const Symbol *symbol =
            t->items[i].kind == NAME && !member ? symbol_at(e->program, i, i) : NULL;
        if (symbol && by_from <= symbol->name && symbol->name < by_to &&
            !symbol_at(e->program, i, by_from))
            return true;
    }
    return false;
}

/* A statement some places further down, or up, in its block. */
static void within_block(Editor *e, int moved)
{
    enum { FAR = 4 };
    const Node *m = node_at(e, moved);
    int before[FAR], count = 0, at = node_at(e, m->parent)->child[0], distance = 1;
    for (; at >= 0 && at != moved; at = node_at(e, at)->next) {
        memmove(before + 1, before, (FAR - 1) * sizeof *before);
        before[0] = at;
        count += count < FAR;
    }
    for (int up = 0; up < count; up++) {
        int to = node_at(e, before[up])->from;
        if (needs(e, m->from, m->to, to, m->from))
            break;
        replace_two(e, PLACE, MOVED + 2 * (up > 0), m->from,
                    (Piece){m->from, m->to, format_text(" ")},
                    (Piece){to, to, text_of(e->program, moved)});
    }
    for (at = m->next; at >= 0 && distance <= FAR; at = node_at(e, at)->next, distance++) {
        int to = node_at(e, at)->to;
        if (needs(e, m->to, to, m->from, m->to))
            break;
        replace_two(e, PLACE, MOVED + 2 * (distance > 1), m->from,
                    (Piece){m->from, m->to, format_text(" ")},
                    (Piece){to, to, text_of(e->program, moved)});
    }
}

static bool has_body(const Editor *e, int node)
{
    return is_loop(node_at(e, node)) || node_at(e, node)->kind == S_IF;
}

/* `moved`, which stands beside the loop, at the beginning or the end of its body. */
static void into_loop(Editor *e, int moved, int loop, bool at_end)
{
    const Node *body = node_at(e, body_of(e, loop)), *m = node_at(e, moved);
    if (!known_at(e, moved, body->from))
        return;
    char *text = text_of(e->program, moved);
    Piece gone = {m->from, m->to, format_text(";")};
    if (body->kind == S_BLOCK) {
        int at = at_end ? body->to - 1 : body->from + 1;
        replace_two(e, PLACE, MOVED, m->from, gone, (Piece){at, at, format_text(" %s ", text)});
    } else {
        char *inner = text_between(e->program, body->from, body->to);
        replace_two(e, at_end ? BRACES : PLACE, MOVED, m->from, gone,
                    (Piece){body->from, body->to,
                            at_end ? format_text("{ %s %s }", inner, text)
                                   : format_text("{ %s %s }", text, inner)});
        free(inner);
    }
    free(text);
}

/* Is it all that an if does? Without it nothing is asked any more. */
static bool is_all_of_if(const Editor *e, int statement, int node)
{
    const Node *n = node_at(e, node);
    return n->kind == S_IF && n->child[2] < 0 && node_at(e, statement)->next < 0 &&
           (n->child[1] == statement || node_at(e, n->child[1])->child[0] == statement);
}

/* `moved`, the first or the last of the loop's body, before or behind the loop. */
static void out_of_loop(Editor *e, int moved, int loop, bool behind)
{
    const Node *m = node_at(e, moved), *l = node_at(e, loop);
    int at = behind ? l->to : l->from;
    if (!known_at(e, moved, at) || is_all_of_if(e, moved, loop))
        return;
    replace_two(e, PLACE, MOVED, m->from, (Piece){m->from, m->to, format_text(";")},
                (Piece){at, at, text_of(e->program, moved)});
}

static bool can_move(const Editor *e, int node)
{
    NodeKind kind = node_at(e, node)->kind;
    return kind == S_EXPRESSION || kind == S_RETURN || kind == S_IF || kind == S_JUMP ||
           is_loop(node_at(e, node));
}

static bool is_first(const Editor *e, int block, int node)
{
    return node_at(e, block)->child[0] == node;
}

static void move_all(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        int parent = n->parent;
        if (!is_statement(n) || n->kind == D_VARIABLE || parent < 0)
            continue;
        int previous = previous_of(e, i);
        if (node_at(e, parent)->kind == S_BLOCK && (can_move(e, i) || n->kind == S_DECLARATION))
            within_block(e, i);
        if (previous >= 0 && has_body(e, previous) && can_move(e, i))
            into_loop(e, i, previous, true);
        if (previous >= 0 && has_body(e, i) && can_move(e, previous))
            into_loop(e, previous, i, false);
        int loop = node_at(e, parent)->kind == S_BLOCK ? node_at(e, parent)->parent : parent;
        if (loop < 0 || !has_body(e, loop) || !can_move(e, i))
            continue;
        if (node_at(e, parent)->kind != S_BLOCK || n->next < 0)
            out_of_loop(e, i, loop, true);
        if (node_at(e, parent)->kind != S_BLOCK || is_first(e, parent, i))
            out_of_loop(e, i, loop, false);
    }
}

/* ---- what is not there: one like another, for another array ---- */
/* The statement's text with one value in place of another. Caller frees. */
static char *text_with(const Editor *e, int statement, const char *old, const char *new)
{
    const Program *program = e->program;
    const Tokens *t = &program->tokens;
    const Node *n = node_at(e, statement);
    Buffer text = {0};
    for (int i = n->from; i < n->to; i++) {
        bool replaced = false;
        for (int k = e->d->first_node; k < e->d->last_node && !replaced; k++) {
            const Node *name = node_at(e, k);
            if (name->from != i || (name->kind != E_NAME && name->kind != E_MEMBER))
                continue;
            char *here = text_of(program, k);
            replaced = !strcmp(here, old);
            free(here);
            if (replaced) {
                buffer_append(&text, new, strlen(new));
                i = name->to - 1;
            }
        }
        if (!replaced)
            buffer_append(&text, t->text + t->items[i].at, (size_t)t->items[i].length);
        buffer_append(&text, " ", 1);
    }
    buffer_append(&text, "", 1);
    return text.data;
}

/* Is something stored there, or handed to a function that may store it? */
static bool is_written(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return is_target(e, node) ||
           (parent >= 0 && node_at(e, parent)->kind == E_CALL && node_at(e, node)->type.depth == 1);
}

static void twins(Editor *e, int statement)
{
    const Node *n = node_at(e, statement);
    char *done[8];
    int count = 0;
    for (int i = e->d->first_node; i < e->d->last_node && count < 8; i++) {
        const Node *name = node_at(e, i);
        bool within = n->from <= name->from && name->to <= n->to;
        if (!within || (name->kind != E_NAME && name->kind != E_MEMBER) || !is_written(e, i))
            continue;
        char *old = text_of(e->program, i);
        bool known = false;
        for (int k = 0; k < count; k++)
            known = known || !strcmp(done[k], old);
        done[count++] = old;
        for (int v = 0; v < e->value_count && !known; v++) {
            const Value *value = &e->values[v];
            if (!same_kind(value->type, name->type) || value->type.fixed || value->type.depth > 1 ||
                !strcmp(value->text, old) || !value_there(e, value, n->from))
                continue;
            char *twin = text_with(e, statement, old, value->text);
            insert_behind(e, ADDED + 4, statement,
                          name->type.depth ? format_text("if (%s) %s", value->text, twin)
                                           : format_text("%s", twin));
            free(twin);
        }
    }
    for (int k = 0; k < count; k++)
        free(done[k]);
}

/* ---- a member that is never set ---- */
static bool sets_member(const Editor *e, int statement)
{
    const int inner = statement < 0 ? -1 : node_at(e, statement)->child[0];
    return inner >= 0 && node_at(e, statement)->kind == S_EXPRESSION &&
           node_at(e, inner)->kind == E_ASSIGN &&
           node_at(e, node_at(e, inner)->child[0])->kind == E_MEMBER;
}

/* Behind others that are set: the last of them. */
static void members(Editor *e, int statement)
{
    const int at = node_at(e, statement)->from;
    if (!sets_member(e, statement) || sets_member(e, node_at(e, statement)->next))
        return;
    for (int m = 0; m < e->value_count; m++) {
        const Value *member = &e->values[m];
        if (member->symbol || strchr(member->text, '*') || !value_there(e, member, at))
            continue;
        for (int v = 0; v < e->value_count; v++) {
            const Value *value = &e->values[v];
            if (value != member && same_kind(value->type, member->type) && value->symbol &&
                value_there(e, value, at))
                insert_behind(e, ADDED + 6, statement,
                              format_text("%s = %s;", member->text, value->text));
        }
    }
}

/* ---- a pointer or a count that does not move on ---- */
/* At the end of the body, or beside the other steps of for (...; i++, x += n). */
static void move_on(Editor *e, int loop, int last, char *text)
{
    const int step = node_at(e, loop)->kind == S_FOR ? node_at(e, loop)->child[2] : -1;
    if (step < 0 || node_at(e, step)->kind != E_COMMA) {
        insert_behind(e, ADDED, last, format_text("%s;", text));
    } else {
        const int to = node_at(e, step)->to;
        replace_tokens(e, MISSING, ADDED, to, to, format_text(", %s", text));
    }
    free(text);
}

static void moves(Editor *e, int loop)
{
    const int body = body_of(e, loop);
    int last = body;
    if (node_at(e, body)->kind == S_BLOCK) {
        last = node_at(e, body)->child[0];
        while (last >= 0 && node_at(e, last)->next >= 0)
            last = node_at(e, last)->next;
    }
    for (int p = 0; p < e->value_count && last >= 0; p++) {
        const Value *moved = &e->values[p];
        const int at = node_at(e, body)->from;
        bool pointer = moved->type.depth == 1 && strchr("fdi", moved->type.base);
        if (!moved->symbol || !(pointer || is_int(moved->type)) || !value_there(e, moved, at))
            continue;
        move_on(e, loop, last, format_text("%s++", moved->text));
        for (int c = 0; c < e->value_count; c++)
            if (is_count(&e->values[c]) && value_there(e, &e->values[c], at))
                move_on(e, loop, last, format_text("%s += %s", moved->text, e->values[c].text));
    }
}

static void add_missing(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (!is_statement(n) || n->kind == D_VARIABLE || n->parent < 0)
            continue;
        if (n->kind == S_EXPRESSION || n->kind == S_IF)
            twins(e, i);
        if (node_at(e, n->parent)->kind == S_BLOCK)
            members(e, i);
        if (is_loop(n))
            moves(e, i);
    }
}

void edit_statements(Editor *e)
{
    change_in_place(e);
    move_all(e);
    add_missing(e);
}
