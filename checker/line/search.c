/* The search: every single change of a wrong function is tried until one case says that it is still
 * wrong; what is left is asked by the ordinary checker. See line.h.
 *
 * The invariant: found or not, the same file gives the same line, however busy the machine is. So
 * what is limited is the number of changes, and the clock only ends what can't go on. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_FUEL = 20000000, MORE_FUEL = 20000, MOST_SECONDS = 20, TRIES = 3 };

/* ---- what is searched ---- */
static bool is_contracted(const Search *s, const Definition *d, const char *others)
{
    char *name = text_between(&s->program, d->name, d->name + 1);
    bool is = others && *others && word_in(others, name);
    free(name);
    return is;
}

/* Marks the target and what it calls. False: not all of it is understood. */
static bool reach(Search *s)
{
    for (int i = 0; i < s->program.definition_count; i++) {
        const Definition *d = &s->program.definitions[i];
        s->reached[i] = d == s->target || definition_calls(&s->program, s->target, d);
        if (s->reached[i] && (d->body < 0 || !render(&s->program, d, &s->rendered[i])))
            return false;
    }
    return true;
}

static bool begin(Search *s, const Question *q)
{
    s->until = clock_now() + MOST_SECONDS;
    if (!program_read(&s->program, q->text, q->length))
        return false;
    s->target = definition_of(&s->program, q->function);
    s->prelude = read_file("checker/trial/prelude.h", NULL);
    for (int i = 0; i < q->evidence_count && i < MOST_EVIDENCE; i++)
        s->evidence[s->evidence_count++] = q->evidence[i];
    return s->target && s->prelude && reach(s);
}

static void end(Search *s)
{
    trial_end(s);
    for (int i = 0; i < s->program.definition_count; i++)
        rendered_free(&s->rendered[i]);
    program_free(&s->program);
    free(s->prelude);
}

/* ---- the guard ---- */
/* The file as it is must give here what it gave under the learner's compiler. Also measures what
 * each case burns. */
static bool is_the_same_here(Search *s)
{
    Buffer text = {0};
    char said[512];
    const uint32_t itself = 0;
    append_surroundings(&text, s);
    append_copy(&text, s, 0, NULL);
    bool same = trial_compile(s, &text, said, sizeof said) && !said[0];
    buffer_free(&text);
    int kept = 0;
    for (int i = 0; same && i < s->evidence_count; i++) {
        Evidence *e = &s->evidence[i];
        Answer answer;
        int64_t burnt;
        e->fuel = FIRST_FUEL;
        same = trial_call(s, e, &itself, 1);
        if (!same)
            break;
        bool ended = trial_answer(s, e->c, 0, &answer, &burnt);
        bool right = ended && judge(e->c, &answer, e->only).right;
        same = e->found == UNKNOWN_YET || right == (e->found == RIGHT);
        e->fuel = 4 * burnt + MORE_FUEL;
        s->evidence[kept++] = *e;
    }
    s->evidence_count = kept;
    return same;
}

/* ---- the trial of a batch ---- */
typedef struct {
    const Edit *edits[BATCH];
    uint32_t copies[BATCH]; /* those that are not wrong yet: places in edits, from 1 */
    int count, left;
} Batch;

static void drop(Batch *b, int number)
{
    int kept = 0;
    for (int i = 0; i < b->left; i++)
        if (b->copies[i] != (uint32_t)number)
            b->copies[kept++] = b->copies[i];
    b->left = kept;
}

/* Compiles them, without those that are no C. */
static bool compile_batch(Search *s, Batch *b)
{
    Buffer text = {0};
    char said[512] = "";
    bool done = false, there = true;
    for (int tries = 0; !done && there && b->left; tries++) {
        int number = 0;
        text.length = 0;
        append_surroundings(&text, s);
        for (int i = 0; i < b->left; i++)
            append_copy(&text, s, b->copies[i], b->edits[b->copies[i] - 1]);
        there = trial_compile(s, &text, said, sizeof said);
        done = there && !said[0];
        if (done || !there)
            break;
        int before = b->left;
        if (sscanf(said, "copy:%d:", &number) == 1)
            drop(b, number);
        if (b->left == before)
            b->left = 0; /* it is about none of them */
    }
    buffer_free(&text);
    return there;
}

/* Calls what is left of it on one case after the other. False: the trial is gone. */
static bool call_batch(Search *s, Batch *b)
{
    for (int e = 0; e < s->evidence_count && b->left; e++) {
        const Evidence *evidence = &s->evidence[e];
        int kept = 0;
        if (!trial_call(s, evidence, b->copies, b->left))
            return false;
        for (int i = 0; i < b->left; i++) {
            Answer answer;
            int64_t burnt;
            if (trial_answer(s, evidence->c, i, &answer, &burnt) &&
                judge(evidence->c, &answer, evidence->only).right)
                b->copies[kept++] = b->copies[i];
        }
        b->left = kept;
    }
    return true;
}

/* ---- all changes ---- */
typedef struct {
    const Edit *items[256];
    int count;
} Found;

/* A change that takes the trial with it costs its batch. */
static void try_all(Search *s, const Edits *edits, Found *found)
{
    static Batch b;
    for (int at = 0; at < edits->count && clock_now() < s->until; at += b.count) {
        b.count = b.left = 0;
        for (; b.count < BATCH && at + b.count < edits->count; b.count++) {
            b.edits[b.count] = &edits->items[at + b.count];
            b.copies[b.count] = (uint32_t)b.count + 1;
        }
        b.left = b.count;
        if (!compile_batch(s, &b) || !call_batch(s, &b)) {
            trial_end(s);
            if (!trial_start(s))
                return;
            continue;
        }
        for (int i = 0; i < b.left && found->count < 256; i++)
            found->items[found->count++] = b.edits[b.copies[i] - 1];
    }
}

/* ---- choosing ---- */
static double weight(const Edit *edit)
{
    return 1.0 / ((double)edit->rank * edit->rank);
}

static double weight_of_line(const Found *found, int line)
{
    double sum = 0;
    for (int i = 0; i < found->count; i++)
        sum += found->items[i]->line == line ? weight(found->items[i]) : 0;
    return sum;
}

static int by_rank(const void *a, const void *b)
{
    const Edit *x = *(const Edit *const *)a, *y = *(const Edit *const *)b;
    return x->rank != y->rank ? x->rank - y->rank : x < y ? -1 : x > y;
}

/* The line that most of them agree on; 0: they agree on none. */
static int agreed_line(const Found *found)
{
    double all = 0, most = 0;
    int line = 0;
    for (int i = 0; i < found->count; i++) {
        double here = weight_of_line(found, found->items[i]->line);
        all += weight(found->items[i]);
        if (here > most) {
            most = here;
            line = found->items[i]->line;
        }
    }
    return 5 * most > 2 * all ? line : 0;
}

/* The learner's file with the change. Caller frees. */
static char *changed_text(const Search *s, const Question *q, const Edit *edit, size_t *length)
{
    const Token *t = s->program.tokens.items;
    Buffer text = {0};
    size_t at = 0;
    for (int i = 0; i < edit->piece_count; i++) {
        const Piece *p = &edit->pieces[i];
        size_t from = (size_t)t[p->from].at;
        buffer_append(&text, q->text + at, from - at);
        buffer_append(&text, p->text, strlen(p->text));
        at = p->to > p->from ? (size_t)(t[p->to - 1].at + t[p->to - 1].length) : from;
    }
    buffer_append(&text, q->text + at, q->length - at);
    *length = text.length;
    buffer_append(&text, "", 1);
    return text.data;
}

static bool is_confirmed(const Search *s, const Question *q, const Edit *edit)
{
    size_t length;
    char *text = changed_text(s, q, edit, &length);
    bool passes = q->passes(q->context, text, length);
    free(text);
    return passes;
}

static char *code_on(const Question *q, int line)
{
    const char *at = q->text;
    for (int i = 1; i < line && at; i++)
        at = memchr(at, '\n', (size_t)(q->text + q->length - at)), at = at ? at + 1 : NULL;
    if (!at)
        return format_text("%s", "");
    at += strspn(at, " \t");
    int length = (int)strcspn(at, "\r\n");
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    return format_text("%.*s", length < 200 ? length : 200, at);
}

static Fix *make_fix(const Search *s, const Question *q, const Edit *edit, bool shown)
{
    Fix *fix = calloc(1, sizeof *fix);
    if (!fix)
        abort();
    char *function = text_between(&s->program, s->program.definitions[edit->in].name,
                                  s->program.definitions[edit->in].name + 1);
    snprintf(fix->function, sizeof fix->function, "%s", function);
    free(function);
    fix->line = edit->line;
    fix->kind = format_text("%s", kind_words(edit->kind));
    fix->code = code_on(q, edit->line);
    if (shown) {
        fix->from = text_between(&s->program, edit->pieces[0].from, edit->pieces[0].to);
        fix->to = format_text("%s", edit->pieces[0].text);
    }
    return fix;
}

static Fix *choose(const Search *s, const Question *q, Found *found)
{
    int line = agreed_line(found), tries = 0;
    bool several = false;
    qsort(found->items, (size_t)found->count, sizeof *found->items, by_rank);
    for (int i = 0; i < found->count; i++)
        several = several || found->items[i]->line != line;
    for (int i = 0; i < found->count && line && tries < TRIES; i++)
        if (found->items[i]->line == line) {
            tries++;
            if (is_confirmed(s, q, found->items[i]))
                return make_fix(s, q, found->items[i], !several && found->count <= 12);
        }
    return NULL;
}

Fix *find_fix(const Question *q)
{
    Search *s = calloc(1, sizeof *s);
    Edits edits = {0};
    static Found found;
    Fix *fix = NULL;
    found.count = 0;
    if (s && begin(s, q) && trial_start(s) && is_the_same_here(s)) {
        for (int i = 0; i < s->program.definition_count; i++)
            if (s->reached[i] && (&s->program.definitions[i] == s->target ||
                                  !is_contracted(s, &s->program.definitions[i], q->others)))
                edits_of(&s->program, i, &edits);
        try_all(s, &edits, &found);
        fix = choose(s, q, &found);
    }
    edits_free(&edits);
    if (s)
        end(s);
    free(s);
    return fix;
}
