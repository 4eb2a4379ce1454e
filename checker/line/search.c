/* The search: every single change of a wrong function is tried until one case says that it is still
 * wrong. Of those that no case does, most agree on a line; the ordinary checker is asked about the
 * likeliest of these, and that is what is told. See line.h.
 *
 * The invariants: found or not, the same file gives the same line, however busy the machine is. So
 * what is limited is the number of changes, and the clock only ends what can't go on. And no line
 * without a change that the ordinary compiler and checker have passed, and no change where others
 * would do elsewhere. */
#include "line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 200, MOST_WITNESSES = 32, MOST_FOUND = 256, MOST_TRIED = 14000 };
enum { FIRST_FUEL = 20000000, MORE_FUEL = 20000, MOST_FUEL = 200000000 };

typedef struct {
    Base base;
    Buffer whole;          /* the text of its program */
    size_t own_at, own_to; /* where the learner's own lies in it */
    int lines_before;
    const Definition *wrong;
    const Trials *trials;
    Trial *trial;
    Witness witnesses[MOST_WITNESSES];
    int witness_count;
    int64_t fuel; /* of all calls together */
} Search;

/* The changes that do. */
typedef struct {
    const Edit *items[MOST_FOUND];
    const Edit *unasked[MOST_FOUND]; /* of each the one that asks its condition no more; or NULL */
    int count;
} Found;

/* ---- what is searched ---- */
static bool is_theirs(const Search *s, const Definition *d)
{
    size_t at = (size_t)s->base.program.tokens.items[d->from].at;
    return s->own_at <= at && at < s->own_to;
}

static bool is_named(const Search *s, const Definition *d, const char *names)
{
    char *name = text_between(&s->base.program, d->name, d->name + 1);
    bool is = names && *names && word_in(names, name);
    free(name);
    return is;
}

/* Marks what the cases call, and what that calls. False: not all of it is understood. */
static bool reach(Search *s)
{
    const Definition *all = s->base.program.definitions;
    for (int i = 0; i < s->base.program.definition_count; i++)
        for (int k = 0; k < s->base.program.definition_count; k++)
            s->base.calls[i][k] = definition_calls(&s->base.program, &all[i], &all[k]);
    for (int e = 0; e < s->witness_count; e++) {
        const Definition *d = definition_of(&s->base.program, s->witnesses[e].c->function->symbol);
        if (!d)
            return false;
        s->base.asked[d - all] = true;
        for (int i = 0; i < s->base.program.definition_count; i++)
            s->base.reached[i] = s->base.reached[i] || &all[i] == d || s->base.calls[d - all][i];
    }
    for (int i = 0; i < s->base.program.definition_count; i++)
        if (s->base.reached[i] &&
            (!base_prepare(&s->base, i) || (is_theirs(s, &all[i]) && all[i].body < 0)))
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
    s->trials = q->trials;
    s->fuel = MOST_FUEL;
    join(s, q);
    if (!program_read(&s->base.program, s->whole.data, s->whole.length - 1))
        return false;
    for (int i = 0; i < s->base.program.tokens.count; i++)
        s->base.program.tokens.items[i].line -= s->lines_before;
    s->wrong = definition_of(&s->base.program, q->function);
    s->base.prelude = read_file("checker/box/trial_prelude.h", NULL);
    for (int i = 0; i < q->witness_count && i < MOST_WITNESSES; i++)
        s->witnesses[s->witness_count++] = q->witnesses[i];
    return s->wrong && is_theirs(s, s->wrong) && s->base.prelude && reach(s);
}

/* In the first pass the wrong function and its helpers, in the second those of the lesson that it
 * follows and whose own checks have passed: what they leave to others may be wrong. */
static bool is_changed_in(const Search *s, const Question *q, const Definition *d, int pass)
{
    int own = (int)(d - s->base.program.definitions);
    bool helps = s->base.reached[own] && is_theirs(s, d), others = is_named(s, d, q->others);
    if (pass)
        return helps && others && d != s->wrong;
    return d == s->wrong ||
           (helps && !others && s->base.calls[s->wrong - s->base.program.definitions][own]);
}

static void end(Search *s)
{
    s->trials->end(s->trial);
    base_free(&s->base);
    buffer_free(&s->whole);
    free(s->base.prelude);
}

/* ---- the guard ---- */
/* The file as it is must give here what it gave under the learner's compiler. Also measures what
 * each case burns. */
static bool is_the_same_here(Search *s)
{
    Buffer text = {0};
    char said[512];
    const uint32_t itself = 0;
    append_program(&text, &s->base, &(Changes){0});
    bool same = s->trials->compile(s->trial, &text, said, sizeof said) && !said[0];
    buffer_free(&text);
    int kept = 0;
    for (int i = 0; same && i < s->witness_count; i++) {
        Witness *w = &s->witnesses[i];
        Answer answer;
        int64_t burnt;
        w->fuel = FIRST_FUEL;
        same = s->trials->call(s->trial, w->c, w->fuel, &itself, 1);
        if (!same)
            break;
        bool ended = s->trials->answer(s->trial, w->c, 0, &answer, &burnt);
        bool right = ended && judge(w->c, &answer, w->only).right;
        same = w->found == UNKNOWN_YET || right == (w->found == RIGHT);
        w->fuel = 4 * burnt + MORE_FUEL;
        s->witnesses[kept++] = *w;
    }
    s->witness_count = kept;
    return same;
}

/* ---- the first NaN ---- */
/* Of the failing case. What is burnt beyond the fuel says which operation ended the call. */
static void find_nan(Search *s, FirstNan *nan)
{
    const Witness *w = &s->witnesses[0];
    const uint32_t itself = 0;
    Buffer text = {0};
    char said[512];
    Answer answer;
    int64_t burnt = 0;
    append_program(&text, &s->base, NULL);
    const bool ended = s->trials->compile(s->trial, &text, said, sizeof said) && !said[0] &&
                       s->trials->call(s->trial, w->c, w->fuel, &itself, 1) &&
                       !s->trials->answer(s->trial, w->c, 0, &answer, &burnt);
    buffer_free(&text);
    const int64_t which = burnt - w->fuel - 1;
    if (!ended || which < 0 || which >= 2 * (int64_t)s->base.program.node_count)
        return;
    const Node *n = &s->base.program.nodes[which / 2];
    const Token *op = &s->base.program.tokens.items[n->op >= 0 ? n->op : n->from];
    if (s->own_at <= (size_t)op->at && (size_t)op->at < s->own_to)
        *nan = (FirstNan){op->line, nan_words(&s->base.program, (int)(which / 2), which % 2)};
}

/* ---- the trial of a batch ---- */
typedef struct {
    Edit edits[BATCH];
    Sited sited[BATCH];
    uint32_t numbers[BATCH]; /* those that are not wrong yet: places in edits, from 1 */
    int count, left;
} Batch;

static void drop(Batch *b, int number)
{
    int kept = 0;
    for (int i = 0; i < b->left; i++)
        if (b->numbers[i] != (uint32_t)number)
            b->numbers[kept++] = b->numbers[i];
    b->left = kept;
}

/* Compiles copies from a place on. False: the trial is gone. */
static bool compile_from(Search *s, const Batch *b, int from, char *said, size_t size)
{
    Buffer text = {0};
    append_program(&text, &s->base,
                   &(Changes){b->edits, b->sited, b->numbers + from, b->left - from});
    bool there = s->trials->compile(s->trial, &text, said, size);
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
        while (at < b->left && b->numbers[at] != (uint32_t)number)
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
    for (int i = 0; i < s->witness_count && b->left; i++) {
        const Witness *w = &s->witnesses[i];
        int kept = 0;
        if (!s->trials->call(s->trial, w->c, w->fuel, b->numbers, b->left))
            return false;
        for (int k = 0; k < b->left; k++) {
            Answer answer;
            int64_t burnt = 0;
            if (s->trials->answer(s->trial, w->c, k, &answer, &burnt) &&
                judge(w->c, &answer, w->only).right)
                b->numbers[kept++] = b->numbers[k];
            s->fuel -= burnt;
        }
        b->left = kept;
    }
    return true;
}

/* ---- the learner's file with a change ---- */
static char *changed_text(const Search *s, const Question *q, const Edit *edit, size_t *length)
{
    const Token *t = s->base.program.tokens.items;
    Buffer text = {0};
    size_t at = 0;
    for (int i = 0; i < edit->piece_count; i++) {
        const Piece *p = &edit->pieces[i];
        size_t from = (size_t)t[p->from].at - s->own_at;
        buffer_append(&text, q->text + at, from - at);
        buffer_append(&text, p->text, strlen(p->text));
        at = p->to > p->from ? (size_t)(t[p->to - 1].at + t[p->to - 1].length) - s->own_at : from;
    }
    buffer_append(&text, q->text + at, q->length - at);
    *length = text.length;
    buffer_append(&text, "", 1);
    return text.data;
}

static char *file_with(const Search *s, const Question *q, const Edit *edit)
{
    size_t length;
    char *plain = changed_text(s, q, edit, &length);
    char *text = as_one_writes_it(q->text, q->length, plain, length);
    free(plain);
    return text;
}

/* ---- all changes ---- */
/* Tries some of them. A change that takes the trial with it is found by halves, and costs only
 * itself. False: there is no trial any more. */
static bool try_some(Search *s, const Edits *edits, int from, int count, Found *found)
{
    Batch b = {.count = count, .left = count};
    for (int i = 0; i < count; i++) {
        b.edits[i] = placed(&s->base, &edits->items[from + i], &b.sited[i]);
        b.numbers[i] = (uint32_t)i + 1;
    }
    bool there = compile_batch(s, &b) && call_batch(s, &b);
    for (int i = 0; i < count; i++)
        free(b.edits[i].pieces[0].text);
    for (int i = 0; there && i < b.left && found->count < MOST_FOUND; i++)
        found->items[found->count++] = &edits->items[from + (int)b.numbers[i] - 1];
    if (there)
        return true;
    const int half = count / 2;
    return s->trials->begin_again(s->trial) &&
           (!half || (try_some(s, edits, from, half, found) &&
                      try_some(s, edits, from + half, count - half, found)));
}

static int likelier(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    int texts = strcmp(x->pieces[0].text, y->pieces[0].text);
    return x->rank != y->rank   ? x->rank - y->rank
           : x->line != y->line ? x->line - y->line
           : texts              ? texts
                                : x->made - y->made;
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
    if (edits->count)
        qsort(edits->items, (size_t)edits->count, sizeof *edits->items, likelier);
    const int count = edits->count < MOST_TRIED ? edits->count : MOST_TRIED;
    for (int at = 0; at < count && s->fuel > 0 && s->trials->time_left(s->trial) > 0; at += BATCH) {
        int left = count - at;
        bool first = !found->count;
        if (!try_some(s, edits, at, left < BATCH ? left : BATCH, found))
            return;
        if (first && found->count)
            expect(s, q, found->items[0]);
    }
}

/* ---- which one is told ---- */
/* The line must have more of all the weight than this. It lies between a half and a third: of two
 * lines that are as likely the earlier is told, of three none. */
static const double LEAST_SHARE = 3.0 / 8;

/* A second line that has so much of it is told too: of those one in four is the wrong one. */
static const double WORTH_TELLING = 0.15;

/* The change itself is told only where hardly another would do. */
enum { MOST_WAYS = 12 };

enum { TRIES = 3 }; /* each is a whole check */

static double weight(const Edit *edit)
{
    return 1.0 / ((double)edit->rank * edit->rank);
}

/* Do both begin with "sum /="? */
static bool same_statement(const char *a, const char *b)
{
    do {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b)
            return false;
        if (*a == '=')
            return true;
    } while (*a++ && *b++);
    return true;
}

/* A statement that is missing may stand behind one or the other, and is the same. */
static bool same_place(const Edit *a, const Edit *b)
{
    return a->behind == b->behind && a->also == b->also &&
           (a->line == b->line ||
            (a->behind && same_statement(a->pieces[0].text, b->pieces[0].text)));
}

/* Does it change nothing but what `of` asks no more, or move all of that away? */
static bool is_of_choice(const Edit *edit, const Edit *of)
{
    bool within = true, moves = false;
    for (int p = 0; p < edit->piece_count; p++) {
        const Piece *piece = &edit->pieces[p], *all = &of->pieces[0];
        within = within && of->choice_from <= piece->from && piece->to <= of->choice_to;
        moves = moves || (piece->from == all->from && piece->to == all->to);
    }
    return of->choice_to && (within || moves);
}

/* Where a condition need not be asked at all, each change of it is only a way not to ask: it may
 * hide what is wrong elsewhere. */
static void find_unasked(Found *found)
{
    for (int i = 0; i < found->count; i++) {
        found->unasked[i] = found->items[i]->choice_to ? found->items[i] : NULL;
        for (int k = 0; k < found->count && !found->unasked[i]; k++)
            if (is_of_choice(found->items[i], found->items[k]))
                found->unasked[i] = found->items[k];
    }
}

/* Each kind of change counts once, by the likeliest: there are many ways to write the same. */
static double weight_of_place(const Found *found, const Edit *there)
{
    double best[KINDS] = {0}, sum = 0;
    for (int i = 0; i < found->count; i++) {
        const Edit *edit = found->items[i], *by = found->unasked[i] ? found->unasked[i] : edit;
        if (same_place(edit, there) && weight(by) > best[by->kind])
            best[by->kind] = weight(by);
    }
    for (int k = 0; k < KINDS; k++)
        sum += best[k];
    return sum;
}

static int by_rank(const void *a, const void *b)
{
    const Edit *x = *(const Edit *const *)a, *y = *(const Edit *const *)b;
    return x->rank != y->rank ? x->rank - y->rank : x < y ? -1 : x > y;
}

/* By one of its changes each. */
typedef struct {
    const Edit *likeliest, *second; /* NULL: they agree on none; there is no other that is likely */
} Places;

static Places places_of(const Found *found)
{
    double all = 0, most = 0, less = 0;
    Places places = {NULL, NULL};
    for (int i = 0; i < found->count; i++) {
        const Edit *edit = found->items[i];
        const double here = weight_of_place(found, edit);
        bool counted = false;
        for (int k = 0; k < i; k++)
            counted = counted || same_place(found->items[k], edit);
        if (counted)
            continue;
        all += here;
        if (here > most) {
            places.second = places.likeliest;
            less = most;
            places.likeliest = edit;
            most = here;
        } else if (here > less) {
            places.second = edit;
            less = here;
        }
    }
    if (most <= LEAST_SHARE * all)
        places.likeliest = NULL;
    if (less < WORTH_TELLING * all)
        places.second = NULL;
    return places;
}

static bool is_unasked(const Found *found, const Edit *place)
{
    bool unasked = true;
    for (int i = 0; i < found->count; i++)
        unasked = unasked && (found->unasked[i] || !same_place(found->items[i], place));
    return unasked;
}

/* Numbers that have a name come from what is worked out, not from a condition that need not be
 * asked. */
static Places places_to_tell(const Found *found, bool explained)
{
    Places places = places_of(found);
    if (explained && places.likeliest && is_unasked(found, places.likeliest))
        return (Places){NULL, NULL};
    if (explained && places.second && is_unasked(found, places.second))
        places.second = NULL;
    return places;
}

/* The learner's file with the change, if that passes; else NULL. Caller frees. */
static char *confirmed(const Search *s, const Question *q, const Edit *edit)
{
    char *text = file_with(s, q, edit);
    if (text && q->passes(q->context, text, strlen(text)))
        return text;
    free(text);
    return NULL;
}

/* `after`: the file with the change, if that is to be shown; else NULL. */
static Fix *make_fix(const Search *s, const Question *q, const Edit *edit, const char *after)
{
    Fix *fix = calloc(1, sizeof *fix);
    if (!fix)
        abort();
    const int name = s->base.program.definitions[edit->in].name;
    fix->function = text_between(&s->base.program, name, name + 1);
    fix->line = edit->line;
    fix->behind = edit->behind;
    fix->also_line = edit->also;
    fix->also_code = edit->also ? line_of_text(q->text, edit->also) : NULL;
    fix->kind = format_text("%s", kind_words(edit->kind));
    fix->question = format_text("%s", kind_question(edit->kind));
    fix->code = line_of_text(q->text, edit->line);
    if (after && add_changed_lines(fix, q->text, after)) {
        fix->from = text_between(&s->base.program, edit->pieces[0].from, edit->pieces[0].to);
        fix->to = format_text("%s", edit->pieces[0].text);
    }
    return fix;
}

/* The likeliest change there that passes; `after`: the file with it, which the caller frees. NULL:
 * none does. `found`: by rank. */
static const Edit *passing(const Search *s, const Question *q, const Found *found,
                           const Edit *place, char **after)
{
    int tries = 0;
    *after = NULL;
    for (int i = 0; i < found->count && place && tries < TRIES; i++) {
        if (!same_place(found->items[i], place))
            continue;
        tries++;
        *after = confirmed(s, q, found->items[i]);
        if (*after)
            return found->items[i];
    }
    return NULL;
}

/* Where one line is as likely, nobody thinks of two. */
static void prefer_one_line(Found *found)
{
    int one = INT_MAX, kept = 0;
    for (int i = 0; i < found->count; i++)
        if (!found->items[i]->also && found->items[i]->rank < one)
            one = found->items[i]->rank;
    for (int i = 0; i < found->count; i++)
        if (!found->items[i]->also || found->items[i]->rank < one)
            found->items[kept++] = found->items[i];
    found->count = kept;
}

/* NULL: nothing can be said. */
static Fix *choose(const Search *s, const Question *q, Found *found)
{
    prefer_one_line(found);
    find_unasked(found);
    const Places places = places_to_tell(found, q->explained);
    bool several = false;
    char *after, *other_after = NULL;
    qsort(found->items, (size_t)found->count, sizeof *found->items, by_rank);
    for (int i = 0; i < found->count; i++)
        several = several || !places.likeliest || !same_place(found->items[i], places.likeliest);
    const bool shown = !several && found->count <= MOST_WAYS;
    const Edit *edit = passing(s, q, found, places.likeliest, &after);
    const Edit *other = edit ? passing(s, q, found, places.second, &other_after) : NULL;
    if (other && edit->also) /* that is more than can be said */
        edit = NULL;
    if (other && other->also)
        other = NULL;
    if (edit && other && other->line == edit->line) { /* what is missing there, or wrong */
        char *code = line_of_text(q->text, edit->line);
        const Edit *missing = edit->behind ? edit : other;
        if (missing->behind)
            edit = (missing->kind == SET_BACK || same_statement(code, missing->pieces[0].text)) ==
                           (edit == missing)
                       ? other
                       : edit;
        other = NULL;
        free(code);
    }
    Fix *fix = edit ? make_fix(s, q, edit, shown ? after : NULL) : NULL;
    if (fix && other) {
        fix->other_line = other->line;
        fix->other_behind = other->behind;
        fix->other_code = line_of_text(q->text, other->line);
    }
    free(after);
    free(other_after);
    return fix;
}

/* ---- all of it ---- */
Fix *find_fix(const Question *q, FirstNan *nan)
{
    Search *s = q->trials ? calloc(1, sizeof *s) : NULL;
    Edits edits = {0};
    static Found found;
    Fix *fix = NULL;
    found.count = 0;
    bool begun =
        s && begin(s, q) && (s->trial = s->trials->start(q->seconds)) && is_the_same_here(s);
    if (begun && nan && s->witness_count)
        find_nan(s, nan);
    for (int pass = 0; pass < 2 && begun && !found.count; pass++) {
        edits_free(&edits);
        for (int i = 0; i < s->base.program.definition_count; i++)
            if (is_changed_in(s, q, &s->base.program.definitions[i], pass))
                edits_of(&s->base.program, i, &edits);
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
