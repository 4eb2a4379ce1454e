/* Statements that are not there: one like another, for another array; a member that is never set; a
 * pointer or a count that does not move on. See edits.h. */
#include "edits.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* Behind a statement, which may be the only one of a loop or of a condition. */
static void insert_behind(Editor *e, Kind kind, int rank, int statement, char *text)
{
    const Node *n = node_at(e, statement), *parent = node_at(e, n->parent);
    if (parent->kind == S_BLOCK) {
        const int line = e->program->tokens.items[n->to - 1].line;
        add_edit(
            e->edits,
            (Edit){kind, e->definition, line, rank, {{n->to, n->to, format_text(" %s", text)}}, 1});
    } else {
        char *before = text_of(e->program, statement);
        replace_node(e, kind, rank, statement, format_text("{ %s %s }", before, text));
        free(before);
    }
    free(text);
}

/* ---- one like another ---- */
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
            insert_behind(e, MISSING, ADDED + 4, statement,
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
                insert_behind(e, MISSING, ADDED + 6, statement,
                              format_text("%s = %s;", member->text, value->text));
        }
    }
}

/* ---- what does not move on ---- */
/* At the end of the body, or beside the other steps of for (...; i++, x += n). */
static void move_on(Editor *e, int loop, int last, char *text)
{
    const int step = node_at(e, loop)->kind == S_FOR ? node_at(e, loop)->child[2] : -1;
    if (step < 0 || node_at(e, step)->kind != E_COMMA) {
        insert_behind(e, MISSING, ADDED, last, format_text("%s;", text));
    } else {
        const int to = node_at(e, step)->to;
        replace_tokens(e, MISSING, ADDED, to, to, format_text(", %s", text));
    }
    free(text);
}

static void moves(Editor *e, int loop)
{
    const Node *l = node_at(e, loop);
    const int body = l->child[l->kind == S_FOR ? 3 : l->kind == S_WHILE ? 1 : 0];
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

void edit_missing(Editor *e)
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
