/* Many changes of a function as one text for the trial: what stands outside functions, the
 * functions that the cases reach, with the changes that stand at sites (sites.c), and then for each
 * other change a copy under a name of its own, on a line of its own, so that the compiler's words
 * say which copy they are about.
 *
 * The invariant: every condition of a loop burns fuel, or a copy could run for ever. */
#include "search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void append_text(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

static void append_format(Buffer *out, char *text)
{
    append_text(out, text);
    free(text);
}

/* ---- a definition, once rendered ---- */
typedef struct {
    int at;
    const char *text;
} Insertion;

static int by_token(const void *a, const void *b)
{
    return ((const Insertion *)a)->at - ((const Insertion *)b)->at;
}

/* The fuel's words, before which tokens. 2 for every loop. */
static int fuel_of(const Program *program, const Definition *d, Insertion *list)
{
    int count = 0;
    for (int i = d->first_node; i < d->last_node; i++) {
        const Node *n = &program->nodes[i];
        int condition = n->kind == S_FOR || n->kind == S_DO ? n->child[1] : n->child[0];
        if (!is_loop(n) || n->op < 0 || count + 2 > 2 * MOST_LOOPS)
            continue;
        if (condition < 0) { /* for (;;) */
            list[count++] = (Insertion){n->op, " FUEL_"};
            list[count++] = (Insertion){n->op, ""};
            continue;
        }
        list[count++] = (Insertion){program->nodes[condition].from, "FUEL_&&("};
        list[count++] = (Insertion){program->nodes[condition].to, ")"};
    }
    qsort(list, (size_t)count, sizeof *list, by_token);
    return count;
}

bool render(const Program *program, const Definition *d, Rendered *r)
{
    Insertion fuel[2 * MOST_LOOPS] = {0};
    const Tokens *t = &program->tokens;
    int loops = 0, count = fuel_of(program, d, fuel), next = 0, tokens = d->to - d->from;
    for (int i = d->first_node; i < d->last_node; i++)
        loops += is_loop(&program->nodes[i]) && program->nodes[i].op >= 0;
    *r = (Rendered){.start = calloc((size_t)tokens + 1, sizeof *r->start),
                    .end = calloc((size_t)tokens + 1, sizeof *r->end)};
    for (int i = d->from; i < d->to && r->start && r->end; i++) {
        for (; next < count && fuel[next].at == i; next++)
            append_text(&r->text, fuel[next].text);
        append_text(&r->text, " ");
        r->start[i - d->from] = r->text.length;
        buffer_append(&r->text, t->text + t->items[i].at, (size_t)t->items[i].length);
        r->end[i - d->from] = r->text.length;
    }
    return 2 * loops == count && r->start && r->end;
}

void rendered_free(Rendered *r)
{
    buffer_free(&r->text);
    free(r->start);
    free(r->end);
}

/* ---- fuel for a text that has loops of its own, as a moved loop has ---- */
/* Behind what closes the parenthesis at `at`, or the semicolon before which depth is 1. */
static const char *to_mark(const char *at, char mark)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if ((mark == ';' && *at == ';' && depth == 0) || (mark == ')' && depth < 0))
            return at;
    }
    return NULL;
}

static bool is_word(const char *text, const char *at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(at, word, length) ||
        (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
        return false;
    at += length;
    return at[strspn(at, " ")] == '(';
}

static void append_fuelled(Buffer *out, const char *text)
{
    const char *at = text, *from, *to;
    for (const char *c = text; *c; c++) {
        bool is_for = is_word(text, c, "for"), is_while = is_word(text, c, "while");
        if (!is_for && !is_while)
            continue;
        from = strchr(c, '(') + 1;
        if (is_for && (from = to_mark(from, ';')))
            from++;
        to = from ? to_mark(from, is_for ? ';' : ')') : NULL;
        if (!to)
            break;
        buffer_append(out, at, (size_t)(from - at));
        append_text(out, " FUEL_&&(");
        buffer_append(out, from, (size_t)(to - from));
        append_text(out, ")");
        at = to;
        c = to - 1;
    }
    append_text(out, at);
}

/* ---- the text ---- */
static bool in_definition(const Program *program, int token)
{
    for (int i = 0; i < program->definition_count; i++)
        if (program->definitions[i].from <= token && token < program->definitions[i].to)
            return true;
    return false;
}

static void append_file_level(Buffer *out, const Program *program)
{
    const Tokens *t = &program->tokens;
    int next = 0;
    for (int i = 0; i <= t->count; i++) {
        for (; next < t->directive_count && t->directives[next].before == i; next++) {
            const Directive *d = &t->directives[next];
            const char *word = t->text + d->at + 1;
            word += strspn(word, " \t");
            bool within = i > 0 && in_definition(program, i) && in_definition(program, i - 1);
            if (within || !strncmp(word, "include", 7) || !strncmp(word, "pragma", 6))
                continue;
            char *line = format_text("\n%.*s\n", d->length, t->text + d->at);
            append_fuelled(out, line);
            free(line);
        }
        if (i == t->count || in_definition(program, i))
            continue;
        append_text(out, " ");
        buffer_append(out, t->text + t->items[i].at, (size_t)t->items[i].length);
    }
    append_text(out, "\n");
}

static void append_prototype(Buffer *out, const Program *program, const Definition *d)
{
    char *header = text_between(program, d->from, d->header_to);
    append_format(out, format_text("%s; ", header));
    free(header);
}

/* Copies are made of what is called and of what leads from it to the one that is changed. */
static bool is_copied(const Search *s, int definition, int changed)
{
    return s->asked[definition] || definition == changed || s->calls[definition][changed];
}

void append_changed(Buffer *out, const Search *s, int definition, const Edit *edit, size_t at,
                    size_t end)
{
    const Rendered *r = &s->rendered[definition];
    const int from = s->program.definitions[definition].from;
    for (int i = 0; edit && edit->in == definition && i < edit->piece_count; i++) {
        const Piece *p = &edit->pieces[i];
        size_t begin = r->start[p->from - from];
        buffer_append(out, r->text.data + at, begin - at);
        append_text(out, " ");
        append_fuelled(out, p->text);
        append_text(out, " ");
        at = p->to > p->from ? r->end[p->to - 1 - from] : begin;
    }
    buffer_append(out, r->text.data + at, end - at);
}

/* Copy `number`, with that change. */
static void append_copy(Buffer *out, const Search *s, unsigned number, const Edit *edit)
{
    int changed = edit->in;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < s->program.definition_count; i++) {
            if (!s->reached[i] || !is_copied(s, i, changed))
                continue;
            const Definition *d = &s->program.definitions[i];
            char *name = text_between(&s->program, d->name, d->name + 1);
            if (pass == 0)
                append_format(out,
                              format_text("#define %s %s" COPY_SUFFIX "\n", name, name, number));
            free(name);
            if (pass == 1) /* the line's number is what the compiler says an error is in */
                append_format(out, format_text("\n# %u \"copy\"\n", number));
            if (pass == 1 && !(edit->in == i && edit->pieces[0].from < d->header_to))
                append_prototype(out, &s->program, d);
            if (pass == 2)
                append_changed(out, s, i, edit, 0, s->rendered[i].text.length);
        }
    append_text(out, "\n");
    for (int i = 0; i < s->program.definition_count; i++)
        if (s->reached[i] && is_copied(s, i, changed)) {
            const Definition *d = &s->program.definitions[i];
            char *name = text_between(&s->program, d->name, d->name + 1);
            append_format(out, format_text("#undef %s\n", name));
            free(name);
        }
}

void append_program(Buffer *out, const Search *s, const Changes *changes)
{
    append_text(out, s->prelude);
    append_file_level(out, &s->program);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->program.definition_count; i++) {
            if (!s->reached[i])
                continue;
            if (pass == 0)
                append_prototype(out, &s->program, &s->program.definitions[i]);
            else
                append_choices(out, s, i, changes);
        }
    append_text(out, "\n");
    for (int i = 0; i < changes->count; i++)
        if (!changes->sited[changes->numbers[i] - 1].of[0])
            append_copy(out, s, changes->numbers[i], &changes->edits[changes->numbers[i] - 1]);
}
