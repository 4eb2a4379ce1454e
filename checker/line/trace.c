/* Where the first NaN is made: a function as it is, in which every operation that can make one of
 * numbers that are none ends the call, and says which it was:
 *
 *     ({ float __l = (x[j] - m), __r = (s), __v = __l / __r;
 *        if (__v != __v && __l == __l && __r == __r) __NAN_AT(17, __l == 0); __v; })
 *
 * It burns all its fuel then, and as much more as the number says. See line.h.
 *
 * The invariant: until then it does what it does without it. Where an operand's type is not known,
 * nothing is watched. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

static void append_text(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

static void append_tokens(Buffer *out, const Program *program, int from, int to)
{
    const Tokens *t = &program->tokens;
    for (int i = from; i < to; i++) {
        append_text(out, " ");
        buffer_append(out, t->text + t->items[i].at, (size_t)t->items[i].length);
    }
}

/* ---- what is watched ---- */
static const char *const one_number[] = {"sqrtf", "sqrt",   "logf",  "log", "log2f",
                                         "log2",  "log10f", "log10", NULL};

static bool is_number(Type type)
{
    return !type.depth && strchr("ifd", type.base);
}

static bool is_call(const Program *program, const Node *n)
{
    const int argument = n->kind == E_CALL ? n->child[1] : -1;
    bool known = false;
    for (int i = 0; argument >= 0 && one_number[i]; i++)
        known = known || (token_is(&program->tokens, n->from, one_number[i]) &&
                          program->nodes[n->child[0]].kind == E_NAME);
    return known && program->nodes[argument].next < 0 && is_number(program->nodes[argument].type);
}

/* Of two numbers, one of them real: "+", and of "+=" too. NULL: it is nothing that is watched. */
static const char *operator_of(const Program *program, const Node *n)
{
    static const char *const all[][2] = {{"+", "+="}, {"-", "-="}, {"*", "*="}, {"/", "/="}};
    if (n->kind != E_BINARY && n->kind != E_ASSIGN)
        return NULL;
    const Type a = program->nodes[n->child[0]].type, b = program->nodes[n->child[1]].type;
    if (!is_number(a) || !is_number(b) || (a.base == 'i' && (b.base == 'i' || n->kind == E_ASSIGN)))
        return NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (token_is(&program->tokens, n->op, all[i][n->kind == E_ASSIGN]))
            return all[i][0];
    return NULL;
}

const char *nan_words(const Program *program, int node, bool of_zero)
{
    const Node *n = &program->nodes[node];
    const char *op = operator_of(program, n);
    if (!op)
        return token_is(&program->tokens, n->from, "sqrtf") ||
                       token_is(&program->tokens, n->from, "sqrt")
                   ? "the root of a number below 0"
                   : "the logarithm of a number below 0";
    return *op == '*'   ? "0 * infinity"
           : *op != '/' ? "infinity - infinity"
           : of_zero    ? "0 / 0"
                        : "infinity / infinity";
}

/* ---- the text ---- */
static void append_node(Buffer *out, const Program *program, int node);

static const char *real_name(Type a, Type b)
{
    return a.base == 'd' || b.base == 'd' ? "double" : "float";
}

static void append_format(Buffer *out, char *text)
{
    append_text(out, text);
    free(text);
}

static void append_operation(Buffer *out, const Program *program, int node, const char *op)
{
    const Node *n = &program->nodes[node];
    const Type a = program->nodes[n->child[0]].type, b = program->nodes[n->child[1]].type;
    const char *type = real_name(a, b);
    const bool assigns = n->kind == E_ASSIGN;
    append_text(out, " ({");
    if (assigns)
        append_format(out, format_text("%s *__p = &(", real_name(a, a)));
    else
        append_format(out, format_text("%s __l = (", type));
    append_node(out, program, n->child[0]);
    append_text(out, assigns ? "); " : "), __r = (");
    if (assigns)
        append_format(out, format_text("%s __r = (", type));
    append_node(out, program, n->child[1]);
    append_text(out, ")");
    append_text(out, assigns ? ", __l = *__p" : "");
    append_format(out, format_text(", __v = __l %s __r; if (__v != __v && __l == __l && "
                                   "__r == __r) __NAN_AT(%d, __l == 0); ",
                                   op, node));
    append_text(out, assigns ? "*__p = __v; })" : "__v; })");
}

static void append_call(Buffer *out, const Program *program, int node)
{
    const Node *n = &program->nodes[node];
    const Type type = n->type;
    append_format(out, format_text(" ({ %s __l = (", real_name(type, type)));
    append_node(out, program, n->child[1]);
    append_format(out, format_text("), __v = "));
    append_tokens(out, program, n->from, n->from + 1);
    append_format(
        out, format_text("(__l); if (__v != __v && __l == __l) __NAN_AT(%d, 0); __v; })", node));
}

/* The tokens between its children as they are, with the fuel of a loop. */
static void append_children(Buffer *out, const Program *program, const Node *n)
{
    const int condition = n->kind == S_FOR || n->kind == S_DO ? n->child[1] : n->child[0];
    const bool loop = is_loop(n) && n->op >= 0;
    const bool leaps = n->kind == S_JUMP && token_is(&program->tokens, n->from, "goto");
    int at = n->from;
    append_text(out, leaps ? "{(void)__FUEL;" : "");
    for (int i = 0; i < 4; i++)
        for (int c = n->child[i]; c >= 0; c = program->nodes[c].next) {
            const bool burns = loop && c == condition;
            if (loop && condition < 0 && at <= n->op && program->nodes[c].from > n->op) {
                append_tokens(out, program, at, n->op);
                append_text(out, " __FUEL");
                at = n->op;
            }
            append_tokens(out, program, at, program->nodes[c].from);
            append_text(out, burns ? " __FUEL&&(" : "");
            append_node(out, program, c);
            append_text(out, burns ? ")" : "");
            at = program->nodes[c].to;
        }
    append_tokens(out, program, at, n->to);
    append_text(out, leaps ? "}" : "");
}

static bool is_static(const Program *program, const Node *n)
{
    return n->kind == S_DECLARATION && token_is(&program->tokens, n->from, "static");
}

static void append_node(Buffer *out, const Program *program, int node)
{
    const Node *n = &program->nodes[node];
    const char *op = operator_of(program, n);
    if (op)
        append_operation(out, program, node, op);
    else if (is_call(program, n))
        append_call(out, program, node);
    else if (is_static(program, n))
        append_tokens(out, program, n->from, n->to);
    else
        append_children(out, program, n);
}

void append_watched(Buffer *out, const Program *program, const Definition *d)
{
    append_tokens(out, program, d->from, d->header_to);
    append_node(out, program, d->body);
}
