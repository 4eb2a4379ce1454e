/* What the edits*.c share: each goes over one definition's nodes and adds the changes that it
 * knows. A change is cheap to try (30 microseconds), so none is left out for being unlikely; its
 * rank says how likely it is.
 *
 * The invariant: no change puts in a variable that is not known where it stands. Whether it is C at
 * all the compiler says. */
#ifndef EDITS_H
#define EDITS_H

#include "line.h"

/* Deleting comes before changing, and changing before adding: a change that adds can hide what is
 * wrong elsewhere. So can one that does the same whatever is asked, UNASKED. */
enum {
    DROPPED = 10,
    SWAPPED = 20,
    RENAMED = 22,
    MOVED = 28,
    UNASKED = 30,
    WRAPPED = 34,
    ADDED = 40
};

enum { MOST_INDICES = 16, MOST_VALUES = 128 };

/* What can stand for a value by its text: a variable, *mean, m->gamma. */
typedef struct {
    char *text;
    Type type;
    const Symbol *symbol; /* NULL: it is more than a name */
    int node;             /* then: whose names must mean the same; else -1 */
    bool steady;          /* nothing in the function changes it */
} Value;

typedef struct {
    const Program *program;
    int definition;
    const Definition *d;
    Edits *edits;
    int indices[MOST_INDICES]; /* nodes: the indices that stand in the function, each once */
    int index_count;
    Value values[MOST_VALUES];
    int value_count;
    bool elements[MOST_VALUES][MOST_INDICES]; /* does that value stand here with that index? */
} Editor;

/* ---- edits.c ---- */
/* Each adds a change, and takes its texts. `line_token`: whose line it is said to be on. */
void replace_piece(Editor *e, EditKind kind, int rank, int line_token, Piece piece);
/* What stands between two statements then: before that token. */
void put_in(Editor *e, EditKind kind, int rank, int before, Piece piece);
void replace_two(Editor *e, EditKind kind, int rank, int line_token, Piece first, Piece second);
void replace_tokens(Editor *e, EditKind kind, int rank, int from, int to, char *text);
void replace_node(Editor *e, EditKind kind, int rank, int node, char *text);
/* A condition, or a loop, by what is done whatever `asked`, a node of it, says. */
void replace_choice(Editor *e, EditKind kind, int node, int asked, char *text);
const Node *node_at(const Editor *e, int node);
bool has_op(const Editor *e, int node, const char *op);
bool is_target(const Editor *e, int node); /* it is written to there, or its address taken */
/* Is it in one factor of a * a, where a change makes that no square? */
bool in_half_square(const Editor *e, int node);
/* Do all names of that expression mean the same there? */
bool known_at(const Editor *e, int node, int token);
bool is_real(Type type);
bool is_int(Type type);
bool same_kind(Type a, Type b);
bool value_there(const Editor *e, const Value *value, int token);
bool is_count(const Value *value); /* a whole number that stays as it is */

/* ---- edits_expressions.c ---- */
/* Do its names mean something of the same type there, as another loop's counter does? */
bool fits_at(const Editor *e, int node, int token);
void edit_expressions(Editor *e);

/* ---- edits_statements.c ---- */
void edit_statements(Editor *e);

/* ---- edits_neighbours.c ---- */
void edit_by_neighbours(Editor *e);

#endif
