/* Where changes of a function stand beside what they change, in one text: which of them counts is
 * chosen when it is called. A copy of the function for each takes the compiler ten times as long.
 *
 *     switch (chosen_) { case 17: { sum += x[j] * x[j]; } break; default: sum += x[j]; }
 *     for (int j = 0; FUEL_ && (chosen_ == 18 ? !!(j <= n) : !!(j < n)); j++)
 *     switch (chosen_) { case 19: { sum = 0; } break; }
 *
 * The invariant: with none chosen a function does what it does without them, and with one what the
 * learner's file would do with that change. What can't stand so is no site, and gets its copy. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

struct Site {
    int from, to;                                     /* tokens */
    enum { STATEMENT, TRUTH, STEP, VALUE, GAP } kind; /* a gap: before the token, in a block */
    bool in_block;                                    /* a statement: others may stand beside it */
    int name;                                         /* a value: token of what begins with it */
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

static void add_site(Sites *sites, const Program *program, int node, int kind)
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

/* The sites of one node, and the gap before it. */
enum { MOST_AT_ONE = 4 };
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

bool find_sites(const Program *program, const Definition *d, Sites *sites)
{
    const size_t nodes = (size_t)(d->last_node - d->first_node);
    *sites = (Sites){calloc(MOST_AT_ONE * nodes + 1, sizeof(Site)), 0};
    for (int i = d->first_node; i < d->last_node && sites->items; i++)
        sites_at(sites, program, i);
    if (sites->items)
        qsort(sites->items, (size_t)sites->count, sizeof(Site), by_place);
    return sites->items;
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

static Sited sited(const Search *s, const Edit *edit)
{
    const Sites *sites = &s->sites[edit->in];
    Sited at = {{NULL, NULL}};
    for (int p = 0; p < edit->piece_count; p++) {
        for (int i = 0; i < sites->count && !at.of[p]; i++)
            if (stands_at(&sites->items[i], &edit->pieces[p]))
                at.of[p] = &sites->items[i];
        if (!at.of[p])
            return (Sited){{NULL, NULL}};
    }
    return at;
}

/* In a copy all of it stands: fuel is added to whole loops only. */
Edit placed(const Search *s, const Edit *edit, Sited *at)
{
    Edit whole = *edit;
    *at = sited(s, edit);
    if (!at->of[0] && edit->piece_count == 1) {
        Edit narrow = narrowed(&s->program, edit);
        *at = sited(s, &narrow);
        if (at->of[0])
            return narrow;
        free(narrow.pieces[0].text);
    }
    whole.pieces[0].text = format_text("%s", edit->pieces[0].text);
    return whole;
}

/* ---- the text ---- */
/* In the rendered definition: what was put around a condition stays around it. */
static size_t begin_of(const Search *s, int definition, const Site *site)
{
    return s->rendered[definition].start[site->from - s->program.definitions[definition].from];
}

static size_t end_of(const Search *s, int definition, const Site *site)
{
    if (site->kind == GAP)
        return begin_of(s, definition, site);
    return s->rendered[definition].end[site->to - 1 - s->program.definitions[definition].from];
}

static void append_number(Buffer *out, const char *format, unsigned number)
{
    char text[48];
    snprintf(text, sizeof text, format, number);
    append_text(out, text);
}

/* The site with that change, or as it is. */
static void append_site(Buffer *out, const Search *s, int definition, const Site *site,
                        const Edit *edit)
{
    static const char *const before[] = {"{", "!!(", "(void)(", "(__typeof__(", "{"};
    append_text(out, before[site->kind]);
    if (site->kind == VALUE) {
        const Token *name = &s->program.tokens.items[site->name];
        buffer_append(out, s->program.tokens.text + name->at, (size_t)name->length);
        append_text(out, "))(");
    }
    append_changed(out, s, definition, edit, begin_of(s, definition, site),
                   end_of(s, definition, site));
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
static void append_choice(Buffer *out, const Search *s, int definition, const Site *site,
                          const Changes *changes)
{
    const bool statement = stands_alone(site);
    append_text(out, statement ? " switch (chosen_) {" : " ");
    for (int i = 0; i < changes->count; i++) {
        Edit part = part_at(changes, i, site);
        if (!part.piece_count)
            continue;
        append_number(out, "\n# %u \"copy\"\n", changes->numbers[i]);
        append_number(out, statement ? "case %u:" : "chosen_ == %u ? ", changes->numbers[i]);
        append_site(out, s, definition, site, &part);
        append_text(out, statement ? " break;" : " :");
    }
    append_text(out, "\n# 0 \"copy\"\n");
    append_text(out, statement ? "default:" : "");
    append_site(out, s, definition, site, NULL);
    append_text(out, statement ? "}" : "");
}

void append_choices(Buffer *out, const Search *s, int definition, const Changes *changes)
{
    const Sites *sites = &s->sites[definition];
    size_t at = 0;
    for (int i = 0; i < sites->count; i++) {
        const Site *site = &sites->items[i];
        bool any = false;
        for (int k = 0; k < changes->count && !any; k++)
            any = part_at(changes, k, site).piece_count;
        if (!any)
            continue;
        append_changed(out, s, definition, NULL, at, begin_of(s, definition, site));
        append_choice(out, s, definition, site, changes);
        at = end_of(s, definition, site);
    }
    append_changed(out, s, definition, NULL, at, s->rendered[definition].text.length);
}
