/* The search: every single change of a wrong function is tried until one case says that it is still
 * wrong; what is left is asked by the ordinary checker. See line.h.
 *
 * The invariant: found or not, the same file gives the same line, however busy the machine is. So
 * what is limited is the number of changes, and the clock only ends what can't go on. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { PROCESSOR = 300 }; /* seconds that a busy machine may keep it waiting for one, all told */
enum { FIRST_FUEL = 20000000, MORE_FUEL = 20000, MOST_FUEL = 200000000, MOST_TRIED = 12000 };

/* ---- what is searched ---- */
static bool is_theirs(const Search *s, const Definition *d)
{
    size_t at = (size_t)s->program.tokens.items[d->from].at;
    return s->own_at <= at && at < s->own_to;
}

static bool is_named(const Search *s, const Definition *d, const char *names)
{
    char *name = text_between(&s->program, d->name, d->name + 1);
    bool is = names && *names && word_in(names, name);
    free(name);
    return is;
}

/* Marks what the cases call, and what that calls. False: not all of it is understood. */
static bool reach(Search *s)
{
    const Definition *all = s->program.definitions;
    for (int i = 0; i < s->program.definition_count; i++)
        for (int k = 0; k < s->program.definition_count; k++)
            s->calls[i][k] = definition_calls(&s->program, &all[i], &all[k]);
    for (int e = 0; e < s->evidence_count; e++) {
        const Definition *d = definition_of(&s->program, s->evidence[e].c->function->name);
        if (!d)
            return false;
        s->asked[d - all] = true;
        for (int i = 0; i < s->program.definition_count; i++)
            s->reached[i] = s->reached[i] || &all[i] == d || s->calls[d - all][i];
    }
    for (int i = 0; i < s->program.definition_count; i++)
        if (s->reached[i] && (!render(&s->program, &all[i], &s->rendered[i]) ||
                              !find_sites(&s->program, &all[i], &s->sites[i]) ||
                              (is_theirs(s, &all[i]) && all[i].body < 0)))
            return false;
    return true;
}

/* The learner's text between what the lesson puts around it. */
static void join(Search *s, const Question *q)
{
    buffer_append(&s->whole, q->before, strlen(q->before));
    s->own_at = s->whole.length;
    buffer_append(&s->whole, q->text, q->length);
    s->own_to = s->whole.length;
    buffer_append(&s->whole, "\n", 1);
    buffer_append(&s->whole, q->behind, strlen(q->behind) + 1);
    for (const char *c = q->before; *c; c++)
        s->lines_before += *c == '\n';
}

static bool begin(Search *s, const Question *q)
{
    channel_budget(&s->trial, q->seconds);
    s->trial.patience = PROCESSOR;
    s->fuel = MOST_FUEL;
    join(s, q);
    if (!program_read(&s->program, s->whole.data, s->whole.length - 1))
        return false;
    for (int i = 0; i < s->program.tokens.count; i++)
        s->program.tokens.items[i].line -= s->lines_before;
    s->wrong = definition_of(&s->program, q->function);
    s->prelude = read_file("checker/box/trial_prelude.h", NULL);
    for (int i = 0; i < q->evidence_count && i < MOST_EVIDENCE; i++)
        s->evidence[s->evidence_count++] = q->evidence[i];
    return s->wrong && is_theirs(s, s->wrong) && s->prelude && reach(s);
}

/* In the first pass the wrong function and its helpers, in the second those of the lesson that it
 * follows and whose own checks have passed: what they leave to others may be wrong. */
static bool is_changed_in(const Search *s, const Question *q, const Definition *d, int pass)
{
    int own = (int)(d - s->program.definitions);
    bool helps = s->reached[own] && is_theirs(s, d), others = is_named(s, d, q->others);
    if (pass)
        return helps && others && d != s->wrong;
    return d == s->wrong || (helps && !others && s->calls[s->wrong - s->program.definitions][own]);
}

static void end(Search *s)
{
    trial_end(s);
    for (int i = 0; i < s->program.definition_count; i++) {
        rendered_free(&s->rendered[i]);
        free(s->sites[i].items);
    }
    program_free(&s->program);
    buffer_free(&s->whole);
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
    append_program(&text, s, &(Changes){0});
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
    Edit edits[BATCH];
    Sited sited[BATCH];
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

/* Compiles copies from a place on. False: the trial is gone. */
static bool compile_from(Search *s, const Batch *b, int from, char *said, size_t size)
{
    Buffer text = {0};
    append_program(&text, s, &(Changes){b->edits, b->sited, b->copies + from, b->left - from});
    bool there = trial_compile(s, &text, said, size);
    buffer_free(&text);
    return there;
}

/* Compiles them, without those that are no C. The compiler ends at the first of these: so those
 * behind it are asked by themselves, and at last all that are good. */
static bool compile_batch(Search *s, Batch *b)
{
    char said[512];
    for (int from = 0; b->left;) {
        int number = 0, at = from;
        if (!compile_from(s, b, from, said, sizeof said))
            return false;
        if (!said[0] && !from)
            return true;
        if (!said[0]) {
            from = 0;
            continue;
        }
        sscanf(said, "copy:%d:", &number);
        while (at < b->left && b->copies[at] != (uint32_t)number)
            at++;
        if (at == b->left)
            b->left = 0; /* it is about none of them */
        drop(b, number);
        from = at < b->left ? at : 0;
    }
    return true;
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
            int64_t burnt = 0;
            if (trial_answer(s, evidence->c, i, &answer, &burnt) &&
                judge(evidence->c, &answer, evidence->only).right)
                b->copies[kept++] = b->copies[i];
            s->fuel -= burnt;
        }
        b->left = kept;
    }
    return true;
}

/* ---- all changes ---- */
/* Tries some of them. A change that takes the trial with it is found by halves, and costs only
 * itself. False: there is no trial any more. */
static bool try_some(Search *s, const Edits *edits, int from, int count, Found *found)
{
    Batch b = {.count = count, .left = count};
    for (int i = 0; i < count; i++) {
        b.edits[i] = placed(s, &edits->items[from + i], &b.sited[i]);
        b.copies[i] = (uint32_t)i + 1;
    }
    bool there = compile_batch(s, &b) && call_batch(s, &b);
    for (int i = 0; i < count; i++)
        free(b.edits[i].pieces[0].text);
    for (int i = 0; there && i < b.left && found->count < MOST_FOUND; i++)
        found->items[found->count++] = &edits->items[from + (int)b.copies[i] - 1];
    if (there)
        return true;
    trial_end(s);
    const int half = count / 2;
    return channel_time_left(&s->trial) > 0 && trial_start(s) &&
           (!half || (try_some(s, edits, from, half, found) &&
                      try_some(s, edits, from + half, count - half, found)));
}

static int likelier(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    return x->rank != y->rank   ? x->rank - y->rank
           : x->line != y->line ? x->line - y->line
                                : strcmp(x->pieces[0].text, y->pieces[0].text);
}

/* The first that does is most often the one that is chosen, and can be compiled meanwhile. */
static void expect(const Search *s, const Question *q, const Edit *edit)
{
    char *text = file_with(s, q, edit);
    if (text)
        q->expect(q->context, text, strlen(text));
    free(text);
}

/* The likeliest first, and no more than a learner can wait for. */
static void try_all(Search *s, const Question *q, Edits *edits, Found *found)
{
    qsort(edits->items, (size_t)edits->count, sizeof *edits->items, likelier);
    const int count = edits->count < MOST_TRIED ? edits->count : MOST_TRIED;
    for (int at = 0; at < count && s->fuel > 0 && channel_time_left(&s->trial) > 0; at += BATCH) {
        int left = count - at;
        bool first = !found->count;
        if (!try_some(s, edits, at, left < BATCH ? left : BATCH, found))
            return;
        if (first && found->count)
            expect(s, q, found->items[0]);
    }
}

Fix *find_fix(const Question *q)
{
    Search *s = calloc(1, sizeof *s);
    Edits edits = {0};
    static Found found;
    Fix *fix = NULL;
    found.count = 0;
    bool begun = s && begin(s, q) && trial_start(s) && is_the_same_here(s);
    for (int pass = 0; pass < 2 && begun && !found.count; pass++) {
        edits_free(&edits);
        for (int i = 0; i < s->program.definition_count; i++)
            if (is_changed_in(s, q, &s->program.definitions[i], pass))
                edits_of(&s->program, i, &edits);
        try_all(s, q, &edits, &found);
    }
    if (begun && found.count)
        fix = choose(s, q, &found);
    edits_free(&edits);
    if (s)
        end(s);
    free(s);
    return fix;
}
