/* Every single change of a function that people's slips are: here the list of them, how one is put
 * down, and what is asked by the two files that know the slips. See edits.h.
 *
 * The invariant: a change is one or two pieces, in the order of the text, and owns what they put
 * in; the program stays as it is. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EDITS = 100000 }; /* so many that the likely ones are all there */

/* ---- the list ---- */
static void add_edit(Edits *edits, Edit edit)
{
    if (edits->count == edits->room) {
        edits->room = edits->room ? 2 * edits->room : 1024;
        edits->items = realloc(edits->items, (size_t)edits->room * sizeof *edits->items);
        if (!edits->items)
            abort();
    }
    edit.made = edits->count;
    if (edits->count < MOST_EDITS)
        edits->items[edits->count++] = edit;
    else
        for (int i = 0; i < edit.piece_count; i++)
            free(edit.pieces[i].text);
}

void edits_free(Edits *edits)
{
    for (int i = 0; i < edits->count; i++)
        for (int k = 0; k < edits->items[i].piece_count; k++)
            free(edits->items[i].pieces[k].text);
    free(edits->items);
    *edits = (Edits){0};
}

/* ---- a change ---- */
const Node *node_at(const Editor *e, int node)
{
    return &e->program->nodes[node];
}

static int line_of(const Editor *e, int token)
{
    return e->program->tokens.items[token].line;
}

void replace_piece(Editor *e, EditKind kind, int rank, int line_token, Piece piece)
{
    add_edit(e->edits, (Edit){.kind = kind,
                              .in = e->definition,
                              .line = line_of(e, line_token),
                              .rank = rank,
                              .pieces = {piece},
                              .piece_count = 1});
}

void put_in(Editor *e, EditKind kind, int rank, int before, Piece piece)
{
    const int line = line_of(e, before - 1);
    add_edit(e->edits, (Edit){.kind = kind,
                              .in = e->definition,
                              .line = line,
                              .behind = line_of(e, before) != line,
                              .rank = rank,
                              .pieces = {piece},
                              .piece_count = 1});
}

void replace_two(Editor *e, EditKind kind, int rank, int line_token, Piece first, Piece second)
{
    bool ordered = first.from <= second.from;
    add_edit(e->edits, (Edit){.kind = kind,
                              .in = e->definition,
                              .line = line_of(e, line_token),
                              .rank = rank,
                              .pieces = {ordered ? first : second, ordered ? second : first},
                              .piece_count = 2});
}

void replace_tokens(Editor *e, EditKind kind, int rank, int from, int to, char *text)
{
    replace_piece(e, kind, rank, from, (Piece){from, to, text});
}

void replace_node(Editor *e, EditKind kind, int rank, int node, char *text)
{
    const Node *n = node_at(e, node);
    int shown = n->kind == E_BINARY || n->kind == E_ASSIGN ? n->op : n->from;
    replace_piece(e, kind, rank, shown, (Piece){n->from, n->to, text});
}

void replace_choice(Editor *e, EditKind kind, int node, int asked, char *text)
{
    const int before = e->edits->count;
    replace_node(e, kind, UNASKED, node, text);
    if (e->edits->count == before)
        return;
    e->edits->items[before].choice_from = node_at(e, asked)->from;
    e->edits->items[before].choice_to = node_at(e, asked)->to;
}

/* ---- what is asked of a node ---- */
bool has_op(const Editor *e, int node, const char *op)
{
    return node >= 0 && token_is(&e->program->tokens, node_at(e, node)->op, op);
}

bool is_target(const Editor *e, int node)
{
    int child = node, parent = node_at(e, node)->parent;
    while (parent >= 0 &&
           (node_at(e, parent)->kind == E_PAREN ||
            (node_at(e, parent)->kind == E_INDEX && node_at(e, parent)->child[0] == child))) {
        child = parent;
        parent = node_at(e, parent)->parent;
    }
    if (parent < 0)
        return false;
    const Node *p = node_at(e, parent);
    bool steps = has_op(e, parent, "++") || has_op(e, parent, "--") || has_op(e, parent, "&");
    return (p->kind == E_ASSIGN && p->child[0] == child) ||
           ((p->kind == E_PREFIX || p->kind == E_POSTFIX) && steps);
}

static bool same_text(const Editor *e, int a, int b)
{
    const Node *n = node_at(e, a), *m = node_at(e, b);
    bool same = n->to - n->from == m->to - m->from;
    for (int i = 0; same && i < n->to - n->from; i++)
        same = same_token(&e->program->tokens, n->from + i, m->from + i);
    return same;
}

bool in_half_square(const Editor *e, int node)
{
    for (int up = node; up >= 0 && !is_statement(node_at(e, up)); up = node_at(e, up)->parent) {
        const Node *n = node_at(e, up);
        if (n->kind == E_BINARY && has_op(e, up, "*") && same_text(e, n->child[0], n->child[1]))
            return up != node;
    }
    return false;
}

/* Those that a loop counts with do not, unless it is all of that loop. */
bool known_at(const Editor *e, int node, int token)
{
    const Node *n = node_at(e, node);
    for (int i = n->from; i < n->to; i++) {
        const bool name = e->program->tokens.items[i].kind == NAME;
        const Symbol *symbol = name ? symbol_at(e->program, i, i) : NULL;
        bool own = symbol && n->from <= symbol->name && symbol->name < n->to;
        if (name && !own && symbol != symbol_at(e->program, i, token))
            return false;
    }
    return true;
}

bool is_real(Type type)
{
    return !type.depth && (type.base == 'f' || type.base == 'd');
}

bool is_int(Type type)
{
    return !type.depth && type.base == 'i';
}

bool same_kind(Type a, Type b)
{
    bool reals = strchr("fd", a.base) && strchr("fd", b.base);
    return a.depth == b.depth && (a.base == b.base || (reals && !a.depth));
}

/* ---- what stands in the function ---- */
bool value_there(const Editor *e, const Value *value, int token)
{
    return value->symbol ? symbol_at(e->program, value->symbol->name, token) == value->symbol
                         : known_at(e, value->node, token);
}

bool is_count(const Value *value)
{
    return is_int(value->type) && value->steady;
}

static void find_indices(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node && e->index_count < MOST_INDICES; i++) {
        bool known = node_at(e, i)->kind != E_INDEX;
        for (int k = 0; k < e->index_count && !known; k++)
            known = same_text(e, e->indices[k], node_at(e, i)->child[1]);
        if (!known)
            e->indices[e->index_count++] = node_at(e, i)->child[1];
    }
}

static bool is_changed(const Editor *e, const Symbol *symbol)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++)
        if (node_at(e, i)->kind == E_NAME && is_target(e, i) &&
            symbol_at(e->program, node_at(e, i)->from, node_at(e, i)->from) == symbol)
            return true;
    return false;
}

static void add_value(Editor *e, char *text, Type type, const Symbol *symbol, int node)
{
    bool known = e->value_count == MOST_VALUES;
    for (int i = 0; i < e->value_count && !known && !symbol; i++)
        known = !strcmp(e->values[i].text, text);
    bool steady = symbol ? !is_changed(e, symbol) : type.base == 'i';
    if (known)
        free(text);
    else
        e->values[e->value_count++] = (Value){text, type, symbol, node, steady};
}

/* m->gamma, and the others that might stand behind m->. */
static void add_members(Editor *e, int node)
{
    const Program *program = e->program;
    const Node *n = node_at(e, node);
    char *base = text_between(program, n->from, n->op + 1);
    add_value(e, text_of(program, node), n->type, NULL, node);
    for (int i = 0; i < program->member_count; i++) {
        const Member *m = &program->members[i];
        char *name = text_between(program, m->name, m->name + 1);
        add_value(e, format_text("%s%s", base, name), m->type, NULL, n->child[0]);
        free(name);
    }
    free(base);
}

static void find_values(Editor *e)
{
    const Program *program = e->program;
    for (int s = 0; s < program->symbol_count; s++) {
        const Symbol *symbol = &program->symbols[s];
        bool own = symbol->from >= e->d->from && symbol->to <= e->d->to;
        if (own || symbol->to > program->tokens.count)
            add_value(e, text_between(program, symbol->name, symbol->name + 1), symbol->type,
                      symbol, -1);
    }
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (n->kind == E_MEMBER)
            add_members(e, i);
        else if (n->kind == E_PREFIX && has_op(e, i, "*") && is_real(n->type) &&
                 node_at(e, n->child[0])->kind == E_NAME)
            add_value(e, text_of(program, i), n->type, NULL, i);
    }
}

static void find_elements(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        char *array = n->kind == E_INDEX ? text_of(e->program, n->child[0]) : NULL;
        for (int v = 0; array && v < e->value_count; v++)
            for (int k = 0; k < e->index_count && !strcmp(array, e->values[v].text); k++)
                e->elements[v][k] = e->elements[v][k] || same_text(e, e->indices[k], n->child[1]);
        free(array);
    }
}

/* ---- the same at several places ---- */
enum { MOST_ALIKE = 6 };

typedef struct {
    char *texts; /* what is there, and what would be */
    int edit;    /* of the list */
    int from;
} Alike;

static int by_texts(const void *a, const void *b)
{
    const Alike *x = a, *y = b;
    const int texts = strcmp(x->texts, y->texts);
    return texts ? texts : x->from - y->from;
}

/* A name, an index, a count, an operator: what is copied from line to line. */
static bool is_repeated(const Edit *edit)
{
    static const EditKind kinds[] = {OPERATOR,     COMPARISON, OTHER_NAME, COUNT,      INDEX,
                                     OTHER_NUMBER, ROW_BASE,   SIGN,       PARENTHESES};
    bool kind = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        kind = kind || edit->kind == kinds[i];
    return kind && edit->piece_count == 1 && edit->rank <= RENAMED + 4 &&
           edit->pieces[0].from < edit->pieces[0].to;
}

/* Some of the list as one change. */
static void add_together(Editor *e, const Alike *alike, int count)
{
    Edit all = e->edits->items[alike[0].edit];
    for (int i = 0; i < count; i++) {
        const Edit *one = &e->edits->items[alike[i].edit];
        if (i && (alike[i].edit == alike[i - 1].edit ||
                  one->pieces[0].from < all.pieces[i - 1].to || one->kind != all.kind))
            return;
        all.pieces[i] = one->pieces[0];
        all.also = one->line != all.line ? one->line : 0;
    }
    for (int i = 0; i < count; i++)
        all.pieces[i].text = format_text("%s", all.pieces[i].text);
    all.piece_count = count;
    all.rank += 8;
    add_edit(e->edits, all);
}

/* At all of up to four places, and at two that follow one another. */
static void edit_together(Editor *e, int first)
{
    const int end = e->edits->count;
    Alike *all = calloc((size_t)(end - first) + 1, sizeof *all);
    int count = 0;
    for (int i = first; i < end && all; i++) {
        const Edit *edit = &e->edits->items[i];
        const Piece *p = &edit->pieces[0];
        if (!is_repeated(edit))
            continue;
        char *old = text_between(e->program, p->from, p->to);
        all[count++] = (Alike){format_text("%s\n%s", old, p->text), i, p->from};
        free(old);
    }
    if (all)
        qsort(all, (size_t)count, sizeof *all, by_texts);
    for (int i = 0, alike; i < count; i += alike) {
        for (alike = 1; i + alike < count && !strcmp(all[i].texts, all[i + alike].texts);)
            alike++;
        if (alike > 1 && alike <= MOST_PIECES)
            add_together(e, all + i, alike);
        for (int k = 0; alike > 2 && alike <= MOST_ALIKE && k + 1 < alike; k++)
            add_together(e, all + i + k, 2);
    }
    for (int i = 0; i < count; i++)
        free(all[i].texts);
    free(all);
}

/* ---- all of them ---- */
void edits_of(const Program *program, int definition, Edits *edits)
{
    Editor e = {.program = program,
                .definition = definition,
                .d = &program->definitions[definition],
                .edits = edits};
    const int first = edits->count;
    if (e.d->body < 0)
        return;
    find_indices(&e);
    find_values(&e);
    find_elements(&e);
    edit_expressions(&e);
    edit_statements(&e);
    edit_by_neighbours(&e);
    edit_together(&e, first);
    for (int i = 0; i < e.value_count; i++)
        free(e.values[i].text);
}
