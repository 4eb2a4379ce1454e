/* The line: where in the learner's own file one change makes a wrong function right.
 *
 *   tokens.c   the file's text     -> tokens
 *   parse.c    tokens              -> functions, statements, expressions, names; or silence
 *   program.c  what was read        -> who calls whom, and the text of a part
 *   edits.c    one function's tree -> every single change that people's slips are, with
 *              edits_expressions.c, edits_statements.c and edits_neighbours.c; edits.h is what
 *              these share
 *   trace.c    a function          -> the same, that ends where it makes the first NaN
 *   variants.c many changes        -> one text in which each of them can be chosen
 *   search.c   all of it           -> the changes that do, and of these the one to tell: a Fix
 *   shown.c    a change            -> the lines as a person would write them
 *   words.c    a kind of change    -> what is said of it, in tiers
 *
 * What compiles a text and calls it is handed in: see Trials.
 *
 * The invariant: this only ever speaks of what it has understood. What it can't parse, and what
 * gives other numbers under the trial's compiler than under the learner's, it is silent about, and
 * a change is shown only after the ordinary compiler and checker have passed the whole file with
 * it. Nothing here is a process, and no file is opened but by read_file(). */
#ifndef LINE_H
#define LINE_H

#include "run.h"

/* ---- tokens.c ---- */
typedef enum { END, NAME, NUMBER, TEXT, MARK } TokenKind;

typedef struct {
    TokenKind kind;
    int at, length, line;
    bool spaced; /* white space or a comment stands before it */
} Token;

typedef struct {
    int before, at, length; /* stands before that token */
} Directive;

typedef struct {
    const char *text;
    Token *items; /* the last is an END */
    int count;    /* without it */
    Directive *directives;
    int directive_count;
} Tokens;

/* False: it is too long, or no C. */
bool tokens_read(Tokens *tokens, const char *text, size_t length);
void tokens_free(Tokens *tokens);
bool token_is(const Tokens *tokens, int token, const char *text);
bool same_token(const Tokens *tokens, int a, int b);
bool is_macro(const Tokens *tokens, int name); /* the file's own, with parameters */
bool directive_is(const Tokens *tokens, const Directive *directive, const char *word);

/* ---- parse.c ---- */
typedef enum {
    /* expressions */
    E_NUMBER,
    E_NAME,
    E_TEXT,
    E_CALL,
    E_INDEX,
    E_MEMBER,
    E_POSTFIX,
    E_PREFIX,
    E_CAST,
    E_SIZEOF,
    E_BINARY,
    E_ASSIGN,
    E_CONDITION,
    E_PAREN,
    E_COMMA,
    E_BRACES,
    /* statements */
    S_BLOCK,
    S_IF,
    S_FOR,
    S_WHILE,
    S_DO,
    S_SWITCH,
    S_RETURN,
    S_JUMP,
    S_EXPRESSION,
    S_EMPTY,
    S_DECLARATION,
    D_VARIABLE
} NodeKind;

typedef struct {
    char base;  /* 'i', 'f', 'd', 'v'oid, or 'o': something else, or unknown */
    int depth;  /* 1: pointer or array */
    bool fixed; /* what it points to is const; or it is an array, or const itself */
} Type;

/* What a node's children are: CALL function, arguments...; INDEX array, index; CONDITION, IF,
 * WHILE, DO, SWITCH in the order of the text; FOR init, condition, step, body (-1 where there is
 * none), and its op is the semicolon behind the condition; BLOCK and DECLARATION their first
 * statement or variable, the others by `next`. */
typedef struct {
    NodeKind kind;
    int from, to; /* tokens */
    int op;       /* the operator's token; a variable's name; where a declaration's type ends */
    int child[4]; /* -1: none */
    int next;     /* the next argument, statement or variable; -1: none */
    int parent;
    Type type;
} Node;

typedef struct {
    int name; /* token */
    Type type;
    int from, to; /* the tokens between which it can be used */
    bool parameter;
} Symbol;

typedef struct {
    int name; /* token */
    Type type;
} Member; /* of any struct */

typedef struct {
    int name, from, to; /* tokens: of the name, of the whole definition */
    int header_to;      /* where its body begins */
    int body;           /* node; -1: it could not be understood */
    int first_node, last_node;
    Type type;
} Definition;

enum { MOST_DEFINITIONS = 64, MOST_SYMBOLS = 512, MOST_MEMBERS = 64, MOST_NODES = 20000 };

typedef struct {
    Tokens tokens;
    Node *nodes;
    int node_count;
    Symbol symbols[MOST_SYMBOLS];
    int symbol_count;
    Member members[MOST_MEMBERS];
    int member_count;
    Definition definitions[MOST_DEFINITIONS];
    int definition_count;
} Program;

/* False: nothing of it can be used. */
bool program_read(Program *program, const char *text, size_t length);
void program_free(Program *program);
int precedence(const Tokens *t, int token); /* of an operator with two sides; 0: it is none */
static inline bool is_statement(const Node *n)
{
    return n->kind >= S_BLOCK;
}
static inline bool is_loop(const Node *n)
{
    return n->kind == S_FOR || n->kind == S_WHILE || n->kind == S_DO;
}

/* ---- program.c ---- */
const Definition *definition_of(const Program *program, const char *function); /* NULL: none */
/* Does it call `other`, by itself or through others? */
bool definition_calls(const Program *program, const Definition *definition,
                      const Definition *other);
/* The tokens' text as one line, comments left out. Caller frees. */
char *text_between(const Program *program, int from, int to);
char *text_of(const Program *program, int node);
const Symbol *symbol_at(const Program *program, int name, int token); /* NULL: unknown */

/* ---- edits.c ---- */
typedef enum {
    OPERATOR,
    COMPARISON,
    ACCUMULATE,
    OTHER_NAME,
    COUNT,
    INDEX,
    ROW_BASE,
    PARENTHESES,
    TERM,
    SQUARE,
    ROOT,
    SIGN,
    RECIPROCAL,
    ABSOLUTE,
    INT_TYPE,
    SET_BACK,
    PLACE,
    CONDITION,
    OTHER_NUMBER,
    BRACES,
    EXTRA,
    MISSING,
    FUNCTION,
    KINDS
} EditKind;

typedef struct {
    int from, to; /* these tokens are replaced by */
    char *text;
} Piece;

enum { MOST_PIECES = 4 };

typedef struct {
    EditKind kind;
    int in;                    /* definition */
    int line;                  /* of the file */
    bool behind;               /* it is put in behind that line, which stays as it is */
    int also;                  /* 0, or the last line that is changed the same way */
    int rank;                  /* of those that do: the lowest is the likeliest */
    Piece pieces[MOST_PIECES]; /* in the order of the text */
    int piece_count;
    int made;                   /* which of all it was */
    int choice_from, choice_to; /* 0, or the tokens of a condition that asks no more with it */
} Edit;

typedef struct {
    Edit *items;
    int count, room;
} Edits;

void edits_of(const Program *program, int definition, Edits *edits);
void edits_free(Edits *edits);

/* ---- trace.c ---- */
/* A function that ends by __NAN_AT(node, whether its left side is 0) where it makes the first NaN.
 */
void append_watched(Buffer *out, const Program *program, const Definition *d);
/* "0 / 0", of that node. */
const char *nan_words(const Program *program, int node, bool of_zero);

/* ---- variants.c ---- */
/* A function as one line, with its fuel, and where its tokens lie in it. */
typedef struct {
    Buffer text;
    size_t *start, *end;
} Rendered;

/* Where a change can stand beside what it changes. */
typedef struct Site Site;
typedef struct {
    Site *items;
    int count;
} Sites;

typedef struct {
    const Site *of[MOST_PIECES]; /* of each piece; NULL: the change gets a copy */
} Sited;

/* What the changes are made in. */
typedef struct {
    Program program;
    char *prelude;                                  /* what the text begins with */
    bool asked[MOST_DEFINITIONS];                   /* a case calls it */
    bool reached[MOST_DEFINITIONS];                 /* or one of these does: it is in the text */
    bool calls[MOST_DEFINITIONS][MOST_DEFINITIONS]; /* the first the second, or through others */
    Rendered rendered[MOST_DEFINITIONS];
    Sites sites[MOST_DEFINITIONS];
} Base;

/* Some changes, by their numbers: places in `edits` and `sited`, from 1. */
typedef struct {
    const Edit *edits;
    const Sited *sited;
    const uint32_t *numbers;
    int count;
} Changes;

/* Change 7 of layer_norm is chosen by __chosen = 7; as a copy it is called layer_norm__7. */
#define COPY_SUFFIX "__%u"

/* For a definition that is reached. False: it can't stand in a text. */
bool base_prepare(Base *base, int definition);
void base_free(Base *base); /* but for the prelude */
/* The change as it is to stand in the text, and where. Its first text is the caller's to free. */
Edit placed(const Base *base, const Edit *edit, Sited *at);
/* The whole text: each change at its site, or in a copy. NULL: none, and watched for a NaN. */
void append_program(Buffer *out, const Base *base, const Changes *changes);

/* ---- who makes a Question: what compiles such a text, and calls it ---- */
typedef struct Trial Trial;

/* False: the trial is gone, where nothing else is said. It may be begun again, and is the caller's
 * to end. */
typedef struct Trials {
    /* All that it does may take so many seconds. NULL: there is none here. */
    Trial *(*start)(double seconds);
    bool (*begin_again)(Trial *trial); /* within the same seconds */
    void (*end)(Trial *trial);         /* also NULL */
    double (*time_left)(Trial *trial); /* seconds */
    /* `said`: what the compiler had to say, "" if nothing. */
    bool (*compile)(Trial *trial, const Buffer *text, char *said, size_t size);
    /* Calls the case's function with each of these changes, or 0 for none: each has that fuel. */
    bool (*call)(Trial *trial, const Case *c, int64_t fuel, const uint32_t *numbers, int count);
    /* What the i-th of them left, until the next call. False: it did not return. */
    bool (*answer)(const Trial *trial, const Case *c, int i, Answer *answer, int64_t *burnt);
} Trials;

/* ---- search.c ---- */
/* A case, which says of a change that it is wrong. */
typedef struct {
    const Case *c;
    const char *only;                         /* as in Check */
    enum { UNKNOWN_YET, RIGHT, WRONG } found; /* by the ordinary compiler and checker */
    int64_t fuel;                             /* what a change may burn on it */
} Witness;

typedef struct {
    const Trials *trials; /* NULL: nothing can be tried here */
    const char *text;     /* of the learner's file */
    size_t length;
    const char *before, *behind; /* what the lesson's calls.c needs before it, and calls.c, or "" */
    const char *function;        /* of the learner's that is wrong */
    const char *others;          /* the lesson's functions that are right: no changes there */
    const Witness *witnesses;    /* the failing case first */
    int witness_count;
    bool explained; /* it is known which numbers these are */
    double seconds; /* of the search's own time, which waiting for a processor is not */
    /* That text may be asked about soon. */
    void (*expect)(void *context, const char *text, size_t length);
    /* Does that text pass every check of the function, on fresh cases? */
    bool (*passes)(void *context, const char *text, size_t length);
    void *context;
} Question;

typedef struct {
    int line;        /* of the learner's file; 0: it is not known */
    const char *how; /* "0 / 0" */
} FirstNan;

/* Where one change makes it right. NULL: nothing can be said. `nan`: where the failing case's first
 * NaN is made; or NULL, where it has none. */
Fix *find_fix(const Question *question, FirstNan *nan);

/* ---- shown.c ---- */
/* The changed text in the learner's layout, without needless parentheses. NULL: it can't be had.
 * Caller frees. */
char *as_one_writes_it(const char *before, size_t before_length, const char *after,
                       size_t after_length);
/* The lines in which the two differ. False: there are too many to be shown. */
bool add_changed_lines(Fix *fix, const char *before, const char *after);
/* That line, from 1, without the blanks around it. Caller frees. */
char *line_of_text(const char *text, int line);

/* ---- words.c ---- */
const char *kind_words(EditKind kind); /* "a count is one off" */
/* What to ask oneself about such a line; it does not give the change away. */
const char *kind_question(EditKind kind);

#endif
