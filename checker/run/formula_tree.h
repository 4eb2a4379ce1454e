/* What formulas.h's files share: a formula as a tree, and a change of it. */
#ifndef FORMULA_TREE_H
#define FORMULA_TREE_H

#include "formulas.h"

enum {
    MOST_AXES = 12,
    MOST_QUANTITIES = 64,
    MOST_LINES = 72,
    MOST_NAMED = 128,
    MOST_RULES = 4,
    MOST_INDEXES = MAX_DIMS
};

typedef enum {
    N_NUMBER,   /* number: NAN is nan, INFINITY unknown */
    N_SIZE,     /* which: the parameter */
    N_SCALAR,   /* the same */
    N_AXIS,     /* which: the axis */
    N_GIVEN,    /* which: the parameter, an array; child 0 what its first place is multiplied by
                   instead of the length of what is behind it, or NULL */
    N_QUANTITY, /* which: the quantity */
    N_ADD,
    N_SUB,
    N_MUL,
    N_DIV,
    N_REST, /* of a division, between brackets */
    N_NEGATIVE,
    N_POWER,    /* number: the exponent */
    N_FUNCTION, /* which: SQRT ... */
    N_REDUCE,   /* which: SUM ..., axes, child 0 the body, child 1 a condition or NULL, child 2
                   what an average divides by instead, or NULL, number: SHIFTED ... where the line
                   says so */
    N_WHERE,    /* child 0 where child 1, else child 2 */
    N_AND,
    N_COMPARE, /* which: LESS ... */
    N_IS_GIVEN /* which: the parameter */
} ExprKind;

enum {
    SQRT,
    EXP,
    LOG,
    TANH,
    SIGMOID,
    ABS,
    TRUNC,
    MAX,
    MIN,
    CANCELLED,
    ONE_OF,
    OFF_BY,
    FUNCTION_COUNT
};
enum { SUM, AVERAGE, LARGEST, SMALLEST, REDUCTION_COUNT };
enum { SHIFTED = 1, RUNNING, RUNNING_ABOUT_0 };
enum { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, UNEQUAL };

/* What of its axes a reduction goes over, for changes: all of it, as formulas are written. */
typedef enum {
    WHOLE,
    WITHOUT_LAST,
    WITHOUT_FIRST,
    FIRST_ONLY,
    LAST_ONLY,
    SO_FAR,  /* up to the place that is being worked out, where that has the same axis */
    CARRIED, /* and over all earlier places of the line's last axis: not set back */
    IN_INT   /* all, but an average is multiplied by 1 / n in int: 0 but for n = 1 */
} Part;

typedef struct Expr Expr;
struct Expr {
    ExprKind kind;
    int which;
    double number;
    Expr *child[3];
    Expr *index[MOST_INDEXES];
    int index_count;
    unsigned axes;
    Part part;
    unsigned part_of;                  /* these of its axes are gone over so; 0: all */
    int count_off;                     /* added to the number that an average divides by */
    unsigned char order[MOST_INDEXES]; /* N_GIVEN read as if its dimensions came in this order, */
    bool reordered;                    /* if that is set */
};

typedef struct {
    char name[NAME_SIZE];
    Expr *length;
} Axis;

typedef struct {
    int quantity;
    Expr *place[MOST_INDEXES]; /* N_AXIS, an offset + N_AXIS, or a whole number */
    Expr *value;
    Expr *other;   /* another way to the value, for its bound; or NULL */
    bool as_row;   /* its bound is that of a row together */
    int line;      /* in the file */
    unsigned axes; /* on its left */
    Mistakes of; /* whose line it is: a mistake's, or that of several at once; 0: the right one's */
} Line;

typedef struct {
    char name[NAME_SIZE];
    int param; /* of the function; -1: its own */
    int rank;
    int axis[MOST_INDEXES]; /* of its own: what it is indexed by */
    bool itself;            /* it is made of itself at another place */
    uint64_t of;            /* the quantities that it is made of, whatever the way */
} Quantity;

/* What the sizes, the arrays of ints or a quantity have to be, at all places of these axes. */
typedef struct {
    Expr *holds;
    unsigned axes, some; /* some: one place of these is enough; they come last */
    const char *words;   /* what is said where it does not hold */
} Rule;

struct Formula {
    const Function *function;
    char path[128];
    Axis axes[MOST_AXES];
    int axis_count;
    Quantity quantities[MOST_QUANTITIES];
    int quantity_count;
    Line lines[MOST_LINES];
    int line_count;
    Line named[MOST_NAMED]; /* of the mistakes */
    int named_count;
    Rule rules[MOST_RULES];
    int rule_count;
};

/* ---- formulas.c ---- */
extern const char *const function_names[FUNCTION_COUNT];
/* A node of the caller's, kept with the formulas. */
Expr *expr_new(Formulas *formulas, Expr node);

/* ---- formula_tree.c ---- */
bool expr_same(const Expr *a, const Expr *b); /* both NULL: yes */
unsigned expr_axes(const Expr *node);         /* that have no value within it */
uint64_t expr_quantities(const Expr *node);   /* that it is made of */

/* ---- mistakes.c ---- */
/* With the lines of these mistakes; the copy is the caller's, to free() as one. NULL: out of
 * memory, or there is no room for a line. */
Formula *formula_with(const Formula *formula, Mistakes set);

/* ---- rows.c ---- */
bool is_row(const Formula *formula, const Line *line); /* what "as a row" may stand behind */

/* ---- evaluate.c ---- */
typedef struct Evaluation Evaluation;
/* NULL: out of memory, or a length that is no length. The case must stay. */
Evaluation *evaluation_new(const Formula *formula, const Case *c);
void evaluation_free(Evaluation *evaluation);
/* After a change of the formula: which quantities may be other ones now. Of 0, the formula is again
 * what it was when evaluation_new() was called. */
void evaluation_changed(Evaluation *evaluation, uint64_t quantities);
/* One element of a quantity. False: it can't be told (what is read lies outside, or it takes too
 * long). */
bool evaluation_element(Evaluation *evaluation, int quantity, size_t index, Real *value);
int answer_quantity(const Formula *formula, int param); /* -1: none */

/* ---- changes.c ---- */
/* In the order in which one is told rather than another. */
typedef enum {
    TERM_LEFT_OUT,
    FACTOR_LEFT_OUT,
    DIVISION_LEFT_OUT,
    FUNCTION_LEFT_OUT,
    CONDITION_LEFT_OUT,
    NOT_AVERAGED,
    OTHER_SIGN,
    OTHER_OPERATION,
    OTHER_WAY_ROUND,
    OTHER_COUNT,
    EXCHANGED,         /* two names, everywhere */
    OUTPUTS_EXCHANGED, /* two answers */
    LINES_EXCHANGED,   /* two lines of one answer */
    OUTPUT_IS_ANOTHER, /* what is answered is another quantity */
    OTHER_REDUCTION,
    OTHER_FUNCTION,
    OTHER_NAME,
    OTHER_NUMBER,
    OTHER_PLACE,
    OTHER_LAYOUT,
    OTHER_AXES,
    OTHER_NUMBERS, /* statistics of other numbers */
    OTHER_PART,
    NOT_SET_BACK,
    NOT_COMPLETE, /* used before its sum is */
    MOVED,        /* parentheses */
    DOUBLED,
    WHOLE_SIGN, /* of all of a line */
    TWICE,
    ONE_MORE_FACTOR,
    ONE_MORE_TERM,
    ONE_MORE_FUNCTION,
    ONE_MORE_CONDITION,
    IS_CONSTANT,
    CHANGE_KINDS
} ChangeKind;

/* This node becomes that one, as it is when the change is made. */
typedef struct {
    Expr *at;
    const Expr *by;
    int line; /* of the formula */
} Edit;

enum { MOST_EDITS = 12, NOTHING_ANSWERED = -1 /* in a quantity's place: 0 */ };
typedef struct {
    ChangeKind kind;
    int line;         /* of the formula: where it begins */
    uint64_t touched; /* the quantities whose lines it is in */
    Edit edits[MOST_EDITS];
    int edit_count;
    const Expr *old, *now; /* what is told of it */
    bool everywhere;       /* it is made wherever that name stands */
    bool inside;           /* of what a quantity is made of, in one of the lines that use it */
    int answered[2][2];    /* a quantity whose place is another's in the answer, and that one */
    int answered_count;
} Change;

typedef struct {
    Change *items;
    int count, room;
    int plain; /* the first so many are not `inside` */
} Changes;

void changes_make(Changes *changes, Formulas *formulas, const Formula *formula);
void changes_free(Changes *changes);
/* Makes it, and again: takes it back. The nodes that it changed are kept in `saved`. */
void change_make(const Change *change, Expr saved[MOST_EDITS]);
void change_undo(const Change *change, const Expr saved[MOST_EDITS]);

/* ---- phrases.c ---- */
/* "the term xhat * mean(g * xhat) is left out of dx", and in fewer words: "a term is left out".
 * Both are the caller's to free. */
char *change_phrase(const Formula *formula, const Change *change);
const char *change_kind_phrase(ChangeKind kind);
char *change_quantity(const Formula *formula, const Change *change); /* "dx" */
/* What texts call it: "mean(g)" for mean_g. The caller's to free. */
char *quantity_phrase(const Formula *formula, int quantity);

#endif
