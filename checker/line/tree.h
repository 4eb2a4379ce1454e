/* What tree.c (expressions), tree_types.c, tree_statements.c and program.c (the file) share. */
#ifndef TREE_H
#define TREE_H

#include "line.h"

enum { MOST_TYPEDEFS = 32 };

typedef struct {
    Program *program;
    int at; /* token */
    int depth;
    bool failed;
    int typedefs[MOST_TYPEDEFS]; /* tokens of names */
    char typedef_bases[MOST_TYPEDEFS];
    int typedef_count;
} Parser;

/* ---- tree.c ---- */
bool here_is(const Parser *p, const char *text);
bool take(Parser *p, const char *text); /* goes on, if it is here */
void expect(Parser *p, const char *text);
TokenKind kind_of(const Parser *p, int token);
int parse_fails(Parser *p);
int new_node(Parser *p, NodeKind kind, int from, int op);
/* The node ends here, and has these children. */
int closed(Parser *p, int node, int a, int b, int c, int d);
void add_symbol(Parser *p, int name, Type type, int to, bool parameter);
bool starts_type(const Parser *p, int token);
Type parse_type(Parser *p);
void skip_pointers(Parser *p, Type *type);
/* What stands behind the parameters of the file's own macro of that name; NULL: there is none. */
const char *macro_body(const Parser *p, int name);
int parse_arguments(Parser *p);
int parse_braces(Parser *p);
int parse_expression(Parser *p, int least); /* of operators of at least that precedence */
int parse_comma(Parser *p);

/* ---- tree_types.c ---- */
Type type_of_number(const Tokens *t, int token);
Type type_of_name(const Parser *p, int name);
Type type_of_member(const Parser *p, int name);
Type type_of_call(const Parser *p, int name, int first); /* with that first argument */
Type wider(Type a, Type b);                              /* of two operands */
Type pointed_at(Type type);

/* ---- tree_statements.c ---- */
int parse_body(Parser *p);
void parse_parameters(Parser *p, int to);
void parse_file_declaration(Parser *p);
Type parse_file_type(Parser *p);
int behind_bracket(const Tokens *t, int token);
bool word_is_one_of(const Tokens *t, int token, const char *const words[]);
int precedence(const Tokens *t, int token); /* of an operator with two sides; 0: it is none */

#endif
