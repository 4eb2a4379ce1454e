/* Statements that stand in the wrong place: before or after a neighbour, inside or outside a loop,
 * inside or outside its braces. See edits.h. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

static int before(const Editor *e, int node)
{
    const Node *parent = node_at(e, node_at(e, node)->parent);
    int previous = -1;
    for (int s = parent->kind == S_BLOCK ? parent->child[0] : -1; s >= 0 && s != node;
         s = node_at(e, s)->next)
        previous = s;
    return previous;
}

static Piece piece(int from, int to, char *text)
{
    return (Piece){from, to, text};
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
                    piece(m->from, m->to, format_text(" ")),
                    piece(to, to, text_of(e->program, moved)));
    }
    for (at = m->next; at >= 0 && distance <= FAR; at = node_at(e, at)->next, distance++) {
        int to = node_at(e, at)->to;
        if (needs(e, m->to, to, m->from, m->to))
            break;
        replace_two(e, PLACE, MOVED + 2 * (distance > 1), m->from,
                    piece(m->from, m->to, format_text(" ")),
                    piece(to, to, text_of(e->program, moved)));
    }
}

/* Of an if, what is done when it is so. */
static int body_of(const Editor *e, int loop)
{
    const Node *n = node_at(e, loop);
    return n->child[n->kind == S_FOR ? 3 : n->kind == S_WHILE || n->kind == S_IF ? 1 : 0];
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
    Piece gone = piece(m->from, m->to, format_text(";"));
    if (body->kind == S_BLOCK) {
        int at = at_end ? body->to - 1 : body->from + 1;
        replace_two(e, PLACE, MOVED, m->from, gone, piece(at, at, format_text(" %s ", text)));
    } else {
        char *inner = text_between(e->program, body->from, body->to);
        replace_two(e, at_end ? BRACES : PLACE, MOVED, m->from, gone,
                    piece(body->from, body->to,
                          at_end ? format_text("{ %s %s }", inner, text)
                                 : format_text("{ %s %s }", text, inner)));
        free(inner);
    }
    free(text);
}

/* `moved`, the first or the last of the loop's body, before or behind the loop. */
static void out_of_loop(Editor *e, int moved, int loop, bool behind)
{
    const Node *m = node_at(e, moved), *l = node_at(e, loop);
    int at = behind ? l->to : l->from;
    if (!known_at(e, moved, at))
        return;
    replace_two(e, PLACE, MOVED, m->from, piece(m->from, m->to, format_text(";")),
                piece(at, at, text_of(e->program, moved)));
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

void edit_places(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        int parent = n->parent;
        if (!is_statement(n) || n->kind == D_VARIABLE || parent < 0)
            continue;
        int previous = before(e, i);
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
