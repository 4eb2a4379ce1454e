/* Many changes of a program as one text for the trial: what stands outside functions, and the
 * functions that the cases reach, in which most changes stand at a site, beside what they change.
 * Which of them counts is chosen when it is called:
 *
 *     switch (__chosen) { case 17: { sum += x[j] * x[j]; } break; default: sum += x[j]; }
 *     for (int j = 0; __FUEL && (__chosen == 18 ? !!(j <= n) : !!(j < n)); j++)
 *     switch (__chosen) { case 19: { sum = 0; } break; }
 *
 * What can't stand so is no site: behind all that is then a copy of the function for each other
 * change, under a name of its own, which takes the compiler ten times as long. Each change is on a
 * line of its own number, so that the compiler's words say which one they are about.
 *
 * The invariants: with none chosen a function does what it does without them, and with one what the
 * learner's file would do with that change. Every condition of a loop burns fuel, or a change could
 * run for ever. */
#include "line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOOPS = 64 };

static void append_text(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

/* Takes the text. */
static void append_format(Buffer *out, char *text)
{
    append_text(out, text);
    free(text);
}

/* ---- a function as one line, with its fuel ---- */
typedef struct {
    int at;
    const char *text;
} Insertion;

static int by_token(const void *a, const void *b)
{
    return ((const Insertion *)a)->at - ((const Insertion *)b)->at;
}

static bool is_goto(const Program *program, const Node *n)
{
    return n->kind == S_JUMP && token_is(&program->tokens, n->from, "goto");
}

/* The fuel's words, before which tokens. 2 for every loop, and for every goto, which may be one. */
static int fuel_of(const Program *program, const Definition *d, Insertion *list)
{
    int count = 0;
    for (int i = d->first_node; i < d->last_node; i++) {
        const Node *n = &program->nodes[i];
        int condition = n->kind == S_FOR || n->kind == S_DO ? n->child[1] : n->child[0];
        if (is_goto(program, n) && count + 2 <= 2 * MOST_LOOPS) {
            list[count++] = (Insertion){n->from, "{(void)__FUEL;"};
            list[count++] = (Insertion){n->to, "}"};
        }
        if (!is_loop(n) || n->op < 0 || count + 2 > 2 * MOST_LOOPS)
            continue;
        if (condition < 0) { /* for (;;) */
            list[count++] = (Insertion){n->op, " __FUEL"};
            list[count++] = (Insertion){n->op, ""};
            continue;
        }
        list[count++] = (Insertion){program->nodes[condition].from, "__FUEL&&("};
        list[count++] = (Insertion){program->nodes[condition].to, ")"};
    }
    qsort(list, (size_t)count, sizeof *list, by_token);
    return count;
}

static bool render(const Program *program, const Definition *d, Rendered *r)
{
    Insertion fuel[2 * MOST_LOOPS] = {0};
    const Tokens *t = &program->tokens;
    int loops = 0, count = fuel_of(program, d, fuel), next = 0, tokens = d->to - d->from;
    for (int i = d->first_node; i < d->last_node; i++)
        loops += (is_loop(&program->nodes[i]) && program->nodes[i].op >= 0) ||
                 is_goto(program, &program->nodes[i]);
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

/* ---- its sites ---- */
typedef enum {
    STATEMENT,
    TRUTH,
    STEP,
    VALUE,
    GAP
} SiteKind; /* a gap: before the token, in a block */

/* What makes any change there the same kind of thing as what it stands beside. */
static const char *const opens[] = {
    [STATEMENT] = "{", [TRUTH] = "!!(", [STEP] = "(void)(", [VALUE] = "(__typeof__(", [GAP] = "{"};

struct Site {
    int from, to; /* tokens */
    SiteKind kind;
    bool in_block; /* a statement: others may stand beside it */
    int name;      /* a value: token of what begins with it */
};

static bool is_scalar(const Program *program, const Node *variable)
{
    const Node *declaration = &program->nodes[variable->parent];
    for (int i = declaration->from; i < variable->from; i++)
        if (token_is(&program->tokens, i, "static"))
            return false;
    for (int i = variable->op; i < variable->to && !token_is(&program->tokens, i, "="); i++)
        if (token_is(&program->tokens, i, "["))
            return false;
    return program->nodes[variable->child[0]].kind != E_BRACES;
}

static bool is_in_block(const Program *program, const Node *n)
{
    return n->parent >= 0 && program->nodes[n->parent].kind == S_BLOCK;
}

static void add_site(Sites *sites, const Program *program, int node, SiteKind kind)
{
    if (node < 0)
        return;
    const Node *n = &program->nodes[node];
    sites->items[sites->count++] =
        (Site){.from = n->from, .to = n->to, .kind = kind, .in_block = is_in_block(program, n)};
}

static void add_gap(Sites *sites, int token)
{
    sites->items[sites->count++] = (Site){.from = token, .to = token, .kind = GAP};
}

enum { MOST_AT_ONE = 4 };

/* The sites of one node, and the gap before it. */
static void sites_at(Sites *sites, const Program *program, int node)
{
    const Node *n = &program->nodes[node];
    if (is_statement(n) && is_in_block(program, n))
        add_gap(sites, n->from);
    switch (n->kind) {
    case S_BLOCK:
        add_gap(sites, n->to - 1);
        break;
    case S_EXPRESSION:
    case S_RETURN:
        add_site(sites, program, node, STATEMENT);
        break;
    case S_IF:
        add_site(sites, program, n->child[0], TRUTH);
        break;
    case S_WHILE:
        if (token_is(&program->tokens, n->from, "while")) /* and no macro with a loop in it */
            add_site(sites, program, n->child[0], TRUTH);
        break;
    case S_DO:
        add_site(sites, program, n->child[1], TRUTH);
        break;
    case S_FOR:
        if (n->child[0] >= 0 && program->nodes[n->child[0]].kind != S_DECLARATION)
            add_site(sites, program, n->child[0], STEP);
        add_site(sites, program, n->child[1], TRUTH);
        add_site(sites, program, n->child[2], STEP);
        break;
    case D_VARIABLE:
        if (n->child[0] >= 0 && is_scalar(program, n)) {
            add_site(sites, program, n->child[0], VALUE);
            sites->items[sites->count - 1].name = n->op;
        }
        break;
    default:
        break;
    }
}

static int by_place(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

static bool find_sites(const Program *program, const Definition *d, Sites *sites)
{
    const size_t nodes = (size_t)(d->last_node - d->first_node);
    *sites = (Sites){calloc(MOST_AT_ONE * nodes + 1, sizeof(Site)), 0};
    for (int i = d->first_node; i < d->last_node && sites->items; i++)
        sites_at(sites, program, i);
    if (sites->items)
        qsort(sites->items, (size_t)sites->count, sizeof(Site), by_place);
    return sites->items;
}

bool base_prepare(Base *b, int definition)
{
    const Definition *d = &b->program.definitions[definition];
    return render(&b->program, d, &b->rendered[definition]) &&
           find_sites(&b->program, d, &b->sites[definition]);
}

void base_free(Base *b)
{
    for (int i = 0; i < b->program.definition_count; i++) {
        buffer_free(&b->rendered[i].text);
        free(b->rendered[i].start);
        free(b->rendered[i].end);
        free(b->sites[i].items);
    }
    program_free(&b->program);
}

/* ---- which changes stand at one ---- */
/* How much of a text's beginning is that token, with the blanks behind it; 0: it is another. */
static size_t leading(const Tokens *t, int token, const char *text)
{
    const size_t length = (size_t)t->items[token].length;
    if (strncmp(text, t->text + t->items[token].at, length) || text[length] != ' ')
        return 0;
    return length + strspn(text + length, " ");
}

/* The same of its end, with the blanks before it. `length`: of the text. */
static size_t trailing(const Tokens *t, int token, const char *text, size_t length)
{
    const size_t own = (size_t)t->items[token].length;
    size_t blanks = 0;
    while (blanks < length && text[length - 1 - blanks] == ' ')
        blanks++;
    size_t at = length - blanks;
    if (at <= own || text[at - own - 1] != ' ' ||
        strncmp(text + at - own, t->text + t->items[token].at, own))
        return 0;
    return blanks + own;
}

/* A change of one piece without what it leaves as it is at either end. Caller frees the text. */
static Edit narrowed(const Program *program, const Edit *edit)
{
    const Tokens *t = &program->tokens;
    Edit narrow = *edit;
    Piece *p = &narrow.pieces[0];
    const char *text = p->text;
    size_t length = strlen(text), same;
    for (; p->from < p->to && (same = leading(t, p->from, text)); p->from++) {
        text += same;
        length -= same;
    }
    for (; p->from < p->to && (same = trailing(t, p->to - 1, text, length)); p->to--)
        length -= same;
    p->text = format_text("%.*s", (int)length, text);
    return narrow;
}

static bool begins_declaration(const char *text)
{
    static const char *const types[] = {"float", "double", "int", "long", "const", "size_t"};
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strncmp(text, types[i], strlen(types[i])))
            return true;
    return false;
}

static bool is_one_block(const char *text)
{
    int depth = 0;
    text += strspn(text, " ");
    if (*text != '{')
        return false;
    do
        depth += (*text == '{') - (*text == '}');
    while (*text++ && depth > 0);
    return !depth && !text[strspn(text, " ")];
}

static bool stands_alone(const Site *site)
{
    return site->kind == STATEMENT || site->kind == GAP;
}

/* Without a block around it another statement beside it would not belong to what it belongs to. */
static bool stands_at(const Site *site, const Piece *p)
{
    const bool first = p->from == site->from, gap = site->kind == GAP;
    const bool whole = first && p->to == site->to;
    bool within = gap ? whole : site->from <= p->from && p->to <= site->to && p->from < site->to;
    bool plain = site->kind != STATEMENT || site->in_block ||
                 (whole && (is_one_block(p->text) || !strcmp(p->text, ";"))) ||
                 (!strchr(p->text, ';') && p->to < site->to);
    bool leaves = stands_alone(site) && strstr(p->text, "break"); /* the switch */
    return within && plain && !leaves && !begins_declaration(p->text);
}

static Sited sited(const Base *b, const Edit *edit)
{
    const Sites *sites = &b->sites[edit->in];
    Sited at = {{NULL}};
    for (int p = 0; p < edit->piece_count; p++) {
        for (int i = 0; i < sites->count && !at.of[p]; i++)
            if (stands_at(&sites->items[i], &edit->pieces[p]))
                at.of[p] = &sites->items[i];
        if (!at.of[p])
            return (Sited){{NULL}};
    }
    return at;
}

/* In a copy all of it stands: fuel is added to whole loops only. */
Edit placed(const Base *b, const Edit *edit, Sited *at)
{
    Edit whole = *edit;
    *at = sited(b, edit);
    if (!at->of[0] && edit->piece_count == 1) {
        Edit narrow = narrowed(&b->program, edit);
        *at = sited(b, &narrow);
        if (at->of[0])
            return narrow;
        free(narrow.pieces[0].text);
    }
    whole.pieces[0].text = format_text("%s", edit->pieces[0].text);
    return whole;
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
        append_text(out, " __FUEL&&(");
        buffer_append(out, from, (size_t)(to - from));
        append_text(out, ")");
        at = to;
        c = to - 1;
    }
    append_text(out, at);
}

/* ---- a function with its choices ---- */
/* A part of its rendered text, with the change that lies there; NULL: as it is. */
static void append_changed(Buffer *out, const Base *b, int definition, const Edit *edit, size_t at,
                           size_t end)
{
    const Rendered *r = &b->rendered[definition];
    const int from = b->program.definitions[definition].from;
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

/* In the rendered definition: what was put around a condition stays around it. */
static size_t begin_of(const Base *b, int definition, const Site *site)
{
    return b->rendered[definition].start[site->from - b->program.definitions[definition].from];
}

static size_t end_of(const Base *b, int definition, const Site *site)
{
    if (site->kind == GAP)
        return begin_of(b, definition, site);
    return b->rendered[definition].end[site->to - 1 - b->program.definitions[definition].from];
}

/* The site with that change, or as it is. */
static void append_site(Buffer *out, const Base *b, int definition, const Site *site,
                        const Edit *edit)
{
    append_text(out, opens[site->kind]);
    if (site->kind == VALUE) {
        const Token *name = &b->program.tokens.items[site->name];
        buffer_append(out, b->program.tokens.text + name->at, (size_t)name->length);
        append_text(out, "))(");
    }
    append_changed(out, b, definition, edit, begin_of(b, definition, site),
                   end_of(b, definition, site));
    append_text(out, stands_alone(site) ? "}" : ")");
}

/* What of a change lies at that site. */
static Edit part_at(const Changes *changes, int i, const Site *site)
{
    const Edit *edit = &changes->edits[changes->numbers[i] - 1];
    Edit part = *edit;
    part.piece_count = 0;
    for (int p = 0; p < edit->piece_count; p++)
        if (changes->sited[changes->numbers[i] - 1].of[p] == site)
            part.pieces[part.piece_count++] = edit->pieces[p];
    return part;
}

/* What the compiler says of a change has its number as the line. */
static void append_choice(Buffer *out, const Base *b, int definition, const Site *site,
                          const Changes *changes)
{
    const bool statement = stands_alone(site);
    append_text(out, statement ? " switch (__chosen) {" : " ");
    for (int i = 0; i < changes->count; i++) {
        Edit part = part_at(changes, i, site);
        if (!part.piece_count)
            continue;
        append_format(out, format_text("\n# %u \"copy\"\n", changes->numbers[i]));
        append_format(
            out, format_text(statement ? "case %u:" : "__chosen == %u ? ", changes->numbers[i]));
        append_site(out, b, definition, site, &part);
        append_text(out, statement ? " break;" : " :");
    }
    append_text(out, "\n# 0 \"copy\"\n");
    append_text(out, statement ? "default:" : "");
    append_site(out, b, definition, site, NULL);
    append_text(out, statement ? "}" : "");
}

static void append_choices(Buffer *out, const Base *b, int definition, const Changes *changes)
{
    const Sites *sites = &b->sites[definition];
    size_t at = 0;
    for (int i = 0; i < sites->count; i++) {
        const Site *site = &sites->items[i];
        bool any = false;
        for (int k = 0; k < changes->count && !any; k++)
            any = part_at(changes, k, site).piece_count;
        if (!any)
            continue;
        append_changed(out, b, definition, NULL, at, begin_of(b, definition, site));
        append_choice(out, b, definition, site, changes);
        at = end_of(b, definition, site);
    }
    append_changed(out, b, definition, NULL, at, b->rendered[definition].text.length);
}

/* ---- the copies ---- */
static void append_prototype(Buffer *out, const Program *program, const Definition *d)
{
    char *header = text_between(program, d->from, d->header_to);
    append_format(out, format_text("%s; ", header));
    free(header);
}

/* Copies are made of what is called and of what leads from it to the one that is changed. */
static bool is_copied(const Base *b, int definition, int changed)
{
    return b->asked[definition] || definition == changed || b->calls[definition][changed];
}

/* Copy `number`, with that change. */
static void append_copy(Buffer *out, const Base *b, unsigned number, const Edit *edit)
{
    int changed = edit->in;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < b->program.definition_count; i++) {
            if (!b->reached[i] || !is_copied(b, i, changed))
                continue;
            const Definition *d = &b->program.definitions[i];
            char *name = text_between(&b->program, d->name, d->name + 1);
            if (pass == 0)
                append_format(out,
                              format_text("#define %s %s" COPY_SUFFIX "\n", name, name, number));
            free(name);
            if (pass == 1) /* the line's number is what the compiler says an error is in */
                append_format(out, format_text("\n# %u \"copy\"\n", number));
            if (pass == 1 && !(edit->in == i && edit->pieces[0].from < d->header_to))
                append_prototype(out, &b->program, d);
            if (pass == 2)
                append_changed(out, b, i, edit, 0, b->rendered[i].text.length);
        }
    append_text(out, "\n");
    for (int i = 0; i < b->program.definition_count; i++)
        if (b->reached[i] && is_copied(b, i, changed)) {
            const Definition *d = &b->program.definitions[i];
            char *name = text_between(&b->program, d->name, d->name + 1);
            append_format(out, format_text("#undef %s\n", name));
            free(name);
        }
}

/* ---- all of it ---- */
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
            bool within = i > 0 && in_definition(program, i) && in_definition(program, i - 1);
            if ((within && !directive_is(t, d, "define")) || directive_is(t, d, "include") ||
                directive_is(t, d, "pragma"))
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

void append_program(Buffer *out, const Base *b, const Changes *changes)
{
    append_text(out, b->prelude);
    append_file_level(out, &b->program);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < b->program.definition_count; i++) {
            if (!b->reached[i])
                continue;
            if (pass == 0)
                append_prototype(out, &b->program, &b->program.definitions[i]);
            else if (!changes && b->program.definitions[i].body >= 0)
                append_watched(out, &b->program, &b->program.definitions[i]);
            else
                append_choices(out, b, i, changes ? changes : &(Changes){0});
        }
    append_text(out, "\n");
    for (int i = 0; changes && i < changes->count; i++)
        if (!changes->sited[changes->numbers[i] - 1].of[0])
            append_copy(out, b, changes->numbers[i], &changes->edits[changes->numbers[i] - 1]);
}
