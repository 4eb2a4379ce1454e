/* From wrong numbers to the change of the formula that gives exactly these.
 *
 * Every change is made in turn and a few numbers are worked out with it, first those that are
 * wrong: nearly all changes are refuted by the first. What agrees with everything that was asked is
 * then held against cases that were drawn for nothing else. What is told is only ever "the numbers
 * that you get when": the learner may have written something else that gives the same.
 *
 * A wide bound would agree with anything. So a change must also come far closer to the learner's
 * numbers than the right formula does. */
#include "formula_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LOOKED_AT = 48,                         /* elements of an answer, */
    MOST_ASIDE = 24,                             /* of outputs that are not asked for, */
    MOST_ELEMENTS = MOST_LOOKED_AT + MOST_ASIDE, /* and all of them */
    MOST_FOUND = 200, /* changes that hold: of more, none says anything */
    MOST_CANDIDATES = 24,
    SCREENED = 3, /* cases, of each a few elements, before all */
    MOST_PAIRED = 300,
    MOST_SECOND = 900, /* that these are paired with */
    MOST_FRESH = 24,
    FEWEST_EXPLAINED = 2 /* wrong numbers */
};

/* An element of an answer. */
typedef struct {
    int param;
    size_t index;
    double got;
    Real right;
    bool wrong;
    bool aside; /* not asked for: a change must give it only where the change concerns it */
    bool off;   /* and not right: there may be a second mistake */
} Element;

/* An answer that changes are held against. */
typedef struct {
    const Case *c;
    Evaluation *evaluation;
    Element elements[MOST_ELEMENTS]; /* the wrong ones first */
    int count, wrong;
    double apart; /* the most that the answer is off by */
    size_t size;
} Witnessed;

typedef struct {
    const Formula *formula;
    const char *only;
    Witnessed *items; /* the smallest first, and of these the wrong ones */
    int count;
    double until;
    bool asked_alone; /* what is not asked for and not right is not explained */
} Matching;

static bool is_there(const Case *c, const Answer *answer, int p)
{
    return is_answer(c->function->params[p].role) && answer->left[p];
}

static bool is_looked_at(const Case *c, const Answer *answer, const char *only, int p)
{
    return is_there(c, answer, p) && word_in(only, c->function->params[p].name);
}

/* All that can be right or wrong: it is promised, and a number. */
static bool element_at(const Case *c, const Answer *answer, int p, size_t i, Element *element)
{
    Real right = c->wanted[p][i];
    double got = value_at(&c->function->params[p], answer->left[p], i);
    if (c->truth[p])
        right.v = c->truth[p][i];
    *element = (Element){p, i, got, right, !meets(got, right), false, false};
    return isfinite(right.e) && isfinite(right.v);
}

/* The wrong elements that come first, and of the right ones some from everywhere. */
static void look_at(Witnessed *w, const Case *c, const Answer *answer, const char *only)
{
    size_t elements = 0, seen = 0;
    *w = (Witnessed){.c = c, .size = case_numbers(c)};
    for (int p = 0; p < c->function->count; p++)
        elements += is_looked_at(c, answer, only, p) ? case_length(c, p) : 0;
    size_t step = elements / (MOST_LOOKED_AT / 2) + 1;
    for (int pass = 0; pass < 2; pass++)
        for (int p = 0; p < c->function->count; p++)
            for (size_t i = 0; is_looked_at(c, answer, only, p) && i < case_length(c, p); i++) {
                Element element;
                bool good = element_at(c, answer, p, i, &element);
                if (good && pass == 0)
                    w->apart = fmax(
                        w->apart, isfinite(element.got) ? fabs(element.got - element.right.v) : 0);
                bool chosen = pass ? !(seen++ % step) || w->wrong == 0 : element.wrong;
                bool room = w->count < (pass ? MOST_LOOKED_AT : MOST_LOOKED_AT / 2);
                if (!good || !chosen || !room || (pass && element.wrong))
                    continue;
                w->elements[w->count++] = element;
                w->wrong += element.wrong;
            }
}

/* Some of each output that is not asked for. */
static void look_aside(Witnessed *w, const Case *c, const Answer *answer, const char *only)
{
    enum { OF_EACH = 6 };
    for (int p = 0; p < c->function->count; p++) {
        if (!is_there(c, answer, p) || is_looked_at(c, answer, only, p))
            continue;
        size_t length = case_length(c, p), step = length / OF_EACH + 1;
        for (size_t i = 0; i < length && w->count < MOST_ELEMENTS; i += step) {
            Element element;
            if (!element_at(c, answer, p, i, &element))
                continue;
            element.off = element.wrong;
            element.wrong = false;
            element.aside = true;
            w->elements[w->count++] = element;
        }
    }
}

/* How far the learner's number may be from the changed formula's: as far as rounding may bring it,
 * and not so far that the right one's neighbours are all the same; where it is n times as large, as
 * a sum is that should be a mean, they are n times as far apart. */
static double allowed(const Witnessed *w, const Element *element, Real changed)
{
    double times = fabs(changed.v) / fmax(fabs(element->right.v), w->apart);
    double most = fmax(8 * element->right.e, w->apart / 1000) * (times > 1 ? times : 1);
    return fmin(fmax(changed.e, 2 * element->right.e), most) + 1e-12 * fabs(changed.v);
}

/* One change, or two at once. */
typedef struct {
    const Change *of[2];
    int count;
    bool alone; /* only in the output whose line it is in, not in what is made of that */
} Set;

typedef struct {
    Expr of[2][MOST_EDITS];
} Saved;

static void set_make(const Set *set, Saved *saved)
{
    for (int i = 0; i < set->count; i++)
        change_make(set->of[i], saved->of[i]);
}

static void set_undo(const Set *set, const Saved *saved)
{
    for (int i = set->count - 1; i >= 0; i--)
        change_undo(set->of[i], saved->of[i]);
}

static uint64_t touched_by(const Set *set)
{
    return set->of[0]->touched | (set->count > 1 ? set->of[1]->touched : 0);
}

/* What is answered in that quantity's place. */
static int answered_for(const Set *set, int quantity)
{
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < set->of[i]->answered_count; k++)
            if (set->of[i]->answered[k][0] == quantity)
                return set->of[i]->answered[k][1];
    return quantity;
}

static bool answered_element(Witnessed *w, int quantity, size_t index, Real *value)
{
    *value = exact(0);
    return quantity == NOTHING_ANSWERED ||
           evaluation_element(w->evaluation, quantity, index, value);
}

/* What has been looked at, and agreed. */
typedef struct {
    int explained, wrong;
    double off, was_off; /* all wrong elements together: with the change, and without */
    bool aside;          /* what is not asked for and not right has to be explained as well */
} Tally;

static bool agrees(const Matching *m, Witnessed *w, const Set *set, const Element *element,
                   Tally *tally)
{
    int quantity = answered_for(set, answer_quantity(m->formula, element->param));
    Real value;
    if (element->off && m->asked_alone)
        return true;
    if (set->alone &&
        answer_quantity(m->formula, element->param) != m->formula->lines[set->of[0]->line].quantity)
        return !element->wrong && !element->off;
    const bool counts = element->wrong || (tally->aside && element->off);
    tally->wrong += counts;
    if (!answered_element(w, quantity, element->index, &value))
        return false; /* it reads what lies outside, and the learner's code did not */
    /* of two, one may undo the other */
    const bool one = !element->off || (set->count < 2 && !tally->aside);
    if (element->aside && one && fabs(value.v - element->right.v) <= value.e + element->right.e)
        return true;        /* the change does not concern it */
    if (!isfinite(value.v)) /* 0 / 0 with rounding is 1 / 0 or any number */
        return !isfinite(element->got) || !isfinite(value.e);
    if (!isfinite(value.e))
        return true;
    double off = fabs(element->got - value.v);
    if (!(off <= allowed(w, element, value)))
        return false;
    if (counts) {
        tally->explained++;
        tally->off += off;
        tally->was_off += fabs(element->got - element->right.v);
    }
    return true;
}

/* The changes of the set are made. `param`: that output alone; -1: all. */
static bool holds_in(const Matching *m, Witnessed *w, const Set *set, int param, int most,
                     Tally *tally)
{
    evaluation_changed(w->evaluation, touched_by(set));
    bool holds = true;
    for (int i = 0; i < w->count && most && holds; i++) {
        if (param >= 0 && w->elements[i].param != param)
            continue;
        holds = agrees(m, w, set, &w->elements[i], tally);
        most--;
    }
    evaluation_changed(w->evaluation, 0);
    return holds;
}

/* What explains() asks for: of answers that were never written, or are NaN, no change is told. */
static bool any_to_explain(const Matching *m)
{
    int numbers = 0;
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < m->items[i].count; k++)
            numbers += m->items[i].elements[k].wrong && isfinite(m->items[i].elements[k].got);
    return numbers >= FEWEST_EXPLAINED;
}

static bool explains(const Tally *tally)
{
    return tally->explained >= FEWEST_EXPLAINED && 4 * tally->explained >= tally->wrong &&
           tally->off <= tally->was_off / 20;
}

/* What the set makes of the elements that are not right, of that case. */
static void work_out(Witnessed *w, const Formula *f, const Set *set, Real values[MOST_ELEMENTS])
{
    Saved saved;
    set_make(set, &saved);
    evaluation_changed(w->evaluation, touched_by(set));
    for (int i = 0; i < w->count; i++) {
        const Element *element = &w->elements[i];
        values[i] = exact(NAN);
        if (element->wrong || element->off)
            answered_element(w, answered_for(set, answer_quantity(f, element->param)),
                             element->index, &values[i]);
    }
    evaluation_changed(w->evaluation, 0);
    set_undo(set, &saved);
}

/* Is each of two changes needed? Beside one that makes a sum 0 another of that sum is idle. */
static bool both_matter(const Matching *m, const Set *both)
{
    bool matters[2] = {false, false};
    for (int i = 0; i < m->count && !(matters[0] && matters[1]); i++) {
        Witnessed *w = &m->items[i];
        Real with[MOST_ELEMENTS], without[MOST_ELEMENTS];
        work_out(w, m->formula, both, with);
        for (int k = 0; k < 2; k++) {
            const Set other = {{both->of[1 - k]}, 1, false};
            if (matters[k])
                continue;
            work_out(w, m->formula, &other, without);
            for (int e = 0; e < w->count; e++) {
                const bool numbers = isfinite(with[e].v) && isfinite(without[e].v);
                matters[k] =
                    matters[k] || (numbers ? fabs(with[e].v - without[e].v) > w->elements[e].right.e
                                           : isfinite(with[e].v) || isfinite(without[e].v));
            }
        }
    }
    return matters[0] && matters[1];
}

/* On all cases, the first few on their first elements before anything else. */
static bool holds(const Matching *m, const Set *set, int param)
{
    Saved saved;
    Tally tally = {.aside = param >= 0}, few = tally;
    bool good = true;
    set_make(set, &saved);
    for (int i = 0; i < m->count && i < SCREENED && good; i++)
        good = holds_in(m, &m->items[i], set, param, 4, &few);
    for (int i = 0; i < m->count && good; i++)
        good = holds_in(m, &m->items[i], set, param, MOST_ELEMENTS, &tally) &&
               processor_time() < m->until;
    set_undo(set, &saved);
    return good && explains(&tally) && (set->count < 2 || both_matter(m, set));
}

static int by_use(const void *a, const void *b)
{
    const Witnessed *first = a, *second = b;
    if (!first->wrong != !second->wrong)
        return first->wrong ? -1 : 1;
    return first->size < second->size ? -1 : first->size > second->size;
}

static void matching_free(Matching *m)
{
    for (int i = 0; i < m->count; i++)
        evaluation_free(m->items[i].evaluation);
    free(m->items);
}

/* Of a case whose numbers the formula itself does not give nothing can be said by it. */
static bool is_usable(const Witnessed *w, const Formula *formula)
{
    for (int i = 0; i < w->count; i++) {
        Real value;
        const Element *element = &w->elements[i];
        if (!evaluation_element(w->evaluation, answer_quantity(formula, element->param),
                                element->index, &value))
            return false;
        if (isfinite(value.e) &&
            !(fabs(value.v - element->right.v) <= element->right.e + 1e-9 * fabs(element->right.v)))
            return false;
    }
    return w->count > 0;
}

static Matching matching_new(const Formula *formula, const char *only, Case *cases,
                             const Answer *answers, int count, double until)
{
    Matching m = {formula, only, calloc((size_t)count + 1, sizeof *m.items), 0, until, false};
    for (int i = 0; m.items && i < count; i++) {
        Witnessed *w = &m.items[m.count];
        if (answers[i].ending != ANSWERED)
            continue;
        look_at(w, &cases[i], &answers[i], only);
        if (w->count)
            look_aside(w, &cases[i], &answers[i], only);
        w->evaluation = w->count ? evaluation_new(formula, w->c) : NULL;
        if (w->evaluation && is_usable(w, formula))
            m.count++;
        else
            evaluation_free(w->evaluation);
    }
    if (m.items)
        qsort(m.items, (size_t)m.count, sizeof *m.items, by_use);
    return m;
}

/* ---- the likeliest of those that hold ---- */
typedef struct {
    Set items[MOST_CANDIDATES];
    int count, found; /* found: how many hold */
} Candidates;

/* Of two at once the less likely one tells how likely both are. What is changed in one place only
 * comes behind what is changed everywhere. */
static int rank_of(const Set *set)
{
    int inside = set->of[0]->inside + (set->count > 1 && set->of[1]->inside);
    int first = (int)set->of[0]->kind, second = set->count > 1 ? (int)set->of[1]->kind : 0;
    int edits = set->of[0]->edit_count + (set->count > 1 ? set->of[1]->edit_count : 0);
    int larger = first > second ? first : second, smaller = first > second ? second : first;
    return ((inside * CHANGE_KINDS + larger) * CHANGE_KINDS + smaller) * 4 * MOST_EDITS + edits;
}

static int by_rank(const Set *a, const Set *b)
{
    return rank_of(a) - rank_of(b);
}

/* Those that are as likely stay in the order in which they came. */
static void add_candidate(Candidates *all, Set set)
{
    int last = MOST_CANDIDATES - 1;
    all->found++;
    if (all->count > last && by_rank(&set, &all->items[last]) >= 0)
        return;
    int at = all->count > last ? last : all->count++;
    for (; at > 0 && by_rank(&set, &all->items[at - 1]) < 0; at--)
        all->items[at] = all->items[at - 1];
    all->items[at] = set;
}

/* Is all that is asked for as good as 0? */
static bool is_all_zero(const Matching *m)
{
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < m->items[i].count; k++) {
            const Element *element = &m->items[i].elements[k];
            if (!element->aside && !(fabs(element->got) <= 4 * element->right.e))
                return false;
        }
    return true;
}

/* That it is 0, of whichever of the lines; of an answer of zeros nothing else is known. */
static bool says_zero(const Change *change)
{
    return (change->kind == IS_CONSTANT && change->now->number == 0) ||
           (change->answered_count && change->answered[0][1] == NOTHING_ANSWERED);
}

static void try_singles(const Matching *m, const Changes *all, int param, Candidates *found)
{
    const bool zero = is_all_zero(m);
    for (int i = 0; i < all->plain && found->found <= MOST_FOUND; i++) {
        Set one = {{&all->items[i]}, 1, false};
        if ((!zero || says_zero(one.of[0])) && holds(m, &one, param))
            add_candidate(found, one);
    }
}

static void try_inside(const Matching *m, const Changes *all, Candidates *found)
{
    for (int i = all->plain; i < all->count && found->found <= MOST_FOUND; i++) {
        Set one = {{&all->items[i]}, 1, false};
        if (holds(m, &one, -1))
            add_candidate(found, one);
    }
}

/* Is it an output's line, and that output used by others? */
static bool is_answered_and_used(const Formula *f, int quantity)
{
    bool used = false;
    for (int i = 0; i < f->quantity_count; i++)
        used = used || (i != quantity && (f->quantities[i].of >> quantity & 1));
    return used && f->quantities[quantity].param >= 0;
}

/* An output is another one, and what is made of it is right all the same. */
static void try_alone(const Matching *m, const Changes *all, Candidates *found)
{
    for (int i = 0; i < all->plain && found->found <= MOST_FOUND; i++) {
        const Change *change = &all->items[i];
        const int own = m->formula->lines[change->line].quantity;
        Set one = {{change}, 1, true};
        if (!change->answered_count && change->touched == (uint64_t)1 << own &&
            is_answered_and_used(m->formula, own) && holds(m, &one, -1))
            add_candidate(found, one);
    }
}

/* ---- two at once ---- */
/* `aside`: where it is not asked for. */
static bool is_wrong(const Matching *m, int param, bool aside)
{
    for (const Witnessed *w = m->items; w < m->items + m->count; w++)
        for (const Element *e = w->elements; e < w->elements + w->count; e++)
            if (e->param == param && (aside ? e->off : e->wrong))
                return true;
    return false;
}

/* An explanation for each of two outputs, which together explain all. */
static void try_by_output(const Matching *m, const Changes *all, Candidates *found)
{
    enum { TOGETHER = 6 };
    Candidates of[2] = {0};
    int outputs = 0;
    for (int p = 0; p < m->formula->function->count; p++)
        if (is_wrong(m, p, false) && outputs < 2)
            try_singles(m, all, p, &of[outputs++]);
    for (int a = 0; a < of[0].count && a < TOGETHER; a++)
        for (int b = 0; b < of[1].count && b < TOGETHER; b++) {
            Set both = {{of[0].items[a].of[0], of[1].items[b].of[0]}, 2, false};
            if (both.of[0] != both.of[1] && holds(m, &both, -1))
                add_candidate(found, both);
        }
}

/* Does it make a number of that case another one, of those that are not right? */
static bool has_effect_in(const Matching *m, Witnessed *w, const Set *one)
{
    int seen = 0, aside = 0;
    bool any = false;
    evaluation_changed(w->evaluation, touched_by(one));
    for (int i = 0; i < w->count && !any; i++) {
        const Element *element = &w->elements[i];
        if (!(element->wrong && seen++ < SCREENED) && !(element->off && aside++ < SCREENED))
            continue;
        int quantity = answered_for(one, answer_quantity(m->formula, element->param));
        Real value;
        any = answered_element(w, quantity, element->index, &value) &&
              fabs(value.v - element->right.v) > element->right.e + value.e;
    }
    evaluation_changed(w->evaluation, 0);
    return any;
}

static bool has_effect(const Matching *m, const Change *change)
{
    Set one = {{change}, 1, false};
    Saved saved;
    bool any = false;
    set_make(&one, &saved);
    for (int i = 0; i < m->count && !any; i++)
        any = has_effect_in(m, &m->items[i], &one);
    set_undo(&one, &saved);
    return any;
}

/* Two of those that come second are an accident more often than a mistake, and so is one of the
 * others with any. */
typedef enum { FIRST_OR_SECOND, SECOND, NEVER } InPairs;

static InPairs comes_in_pairs(const Change *change)
{
    static const InPairs kinds[CHANGE_KINDS] = {
        [OTHER_NAME] = SECOND,        [OTHER_PLACE] = SECOND,
        [OTHER_LAYOUT] = NEVER,       [TWICE] = SECOND,
        [ONE_MORE_FACTOR] = NEVER,    [ONE_MORE_TERM] = NEVER,
        [IS_CONSTANT] = NEVER,        [ONE_MORE_FUNCTION] = NEVER,
        [ONE_MORE_CONDITION] = NEVER, [OUTPUT_IS_ANOTHER] = NEVER,
        [OTHER_NUMBER] = NEVER};
    return kinds[change->kind];
}

static bool share_a_place(const Change *a, const Change *b)
{
    for (int i = 0; i < a->edit_count; i++)
        for (int k = 0; k < b->edit_count; k++)
            if (a->edits[i].at == b->edits[k].at)
                return true;
    return false;
}

static int by_kind(const void *a, const void *b)
{
    const Change *first = *(const Change *const *)a, *second = *(const Change *const *)b;
    if (comes_in_pairs(first) != comes_in_pairs(second))
        return comes_in_pairs(first) < comes_in_pairs(second) ? -1 : 1;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    if (first->edit_count != second->edit_count)
        return first->edit_count - second->edit_count;
    return first < second ? -1 : 1;
}

/* Both at once, where they hold. */
static void try_both(const Matching *m, const Change *a, const Change *b, Candidates *found)
{
    /* Of one within the other the inner one is made first. */
    Set both = {{a, b}, 2, false}, other = {{b, a}, 2, false};
    if (share_a_place(a, b))
        return;
    if (holds(m, &both, -1))
        add_candidate(found, both);
    else if ((a->touched & b->touched) && holds(m, &other, -1))
        add_candidate(found, other);
}

/* One output is explained by one change, and with any second one all of them are. */
static void try_beside(const Matching *m, const Changes *all, Candidates *found)
{
    enum { TOGETHER = 4 };
    for (int p = 0; p < m->formula->function->count; p++) {
        Candidates of = {0};
        if (is_wrong(m, p, false) || is_wrong(m, p, true))
            try_singles(m, all, p, &of);
        for (int a = 0; a < of.count && a < TOGETHER && of.found <= MOST_FOUND; a++)
            for (int b = 0; b < all->plain && processor_time() < m->until; b++) {
                const Change *one = of.items[a].of[0], *second = &all->items[b];
                const bool turned = by_kind(&one, &second) > 0;
                if (comes_in_pairs(one) != NEVER && comes_in_pairs(second) != NEVER)
                    try_both(m, turned ? second : one, turned ? one : second, found);
            }
    }
}

/* Every two of the likeliest. */
static void try_pairs(const Matching *m, const Changes *all, Candidates *found)
{
    const Change **likely = calloc((size_t)all->count + 1, sizeof(Change *));
    int count = 0, firsts = 0;
    for (int i = 0; likely && i < all->count; i++)
        likely[i] = &all->items[i];
    if (likely)
        qsort(likely, (size_t)all->count, sizeof *likely, by_kind);
    for (int i = 0; likely && i < all->count && count < firsts + MOST_SECOND; i++) {
        const InPairs how = comes_in_pairs(likely[i]);
        const bool room = how == SECOND || (how == FIRST_OR_SECOND && firsts < MOST_PAIRED);
        if (!room || !has_effect(m, likely[i]))
            continue;
        firsts += how == FIRST_OR_SECOND;
        likely[count++] = likely[i];
    }
    for (int a = 0; a < firsts && found->found <= MOST_FOUND; a++)
        for (int b = a + 1; b < count && processor_time() < m->until; b++)
            try_both(m, likely[a], likely[b], found);
    free(likely);
}

/* ---- the last word: cases that nothing was chosen by ---- */
/* Those that do not hold on that case are good no more. False: there was nothing to compare. */
static bool hold_afresh(const Matching *all, const Candidates *sets, Case *c, const Answer *answer,
                        bool good[])
{
    Matching m = matching_new(all->formula, all->only, c, answer, 1, INFINITY);
    const bool compared = m.count;
    m.asked_alone = all->asked_alone;
    for (int i = 0; compared && i < sets->count; i++) {
        Tally tally = {0};
        Saved saved;
        set_make(&sets->items[i], &saved);
        good[i] = good[i] && holds_in(&m, m.items, &sets->items[i], -1, MOST_ELEMENTS, &tally);
        set_undo(&sets->items[i], &saved);
    }
    matching_free(&m);
    return compared;
}

/* Asks some of these cases, and counts those by which something could be refuted. False: no more
 * can be asked. */
static bool ask_some(Matching *m, const Candidates *all, const Fresh *fresh, const Cases *cases,
                     bool good[], int *compared)
{
    int answered = 0;
    for (int k = 0; k < cases->count && answered < MOST_FRESH; k++) {
        Case *c = &cases->items[k];
        Answer answer = {0};
        const double asked = processor_time();
        fresh->ask(fresh->context, c, &answer);
        m->until += processor_time() - asked; /* who answers in this process takes nothing of it */
        const bool late = answer.ending == TIMED_OUT || answer.ending == OUT_OF_TIME;
        *compared += hold_afresh(m, all, c, &answer, good);
        answered += answer.ending == ANSWERED;
        const bool cut = processor_time() > m->until;
        answer_free(&answer);
        if (cut) /* who was not asked enough is not believed */
            memset(good, false, MOST_CANDIDATES);
        if (late || cut)
            return false;
    }
    return true;
}

/* Where a number would do in its place, a quantity has that value there by chance. */
static bool is_a_number_there(const Set *set, const Candidates *all, const bool good[])
{
    const Change *change = set->of[0];
    bool number = false;
    for (int i = 0; i < all->count && set->count == 1 && change->kind == OTHER_NAME; i++) {
        const Change *other = all->items[i].of[0];
        number = number || (good[i] && all->items[i].count == 1 && other->kind == OTHER_NUMBER &&
                            other->edit_count == 1 && change->edit_count == 1 &&
                            other->edits[0].at == change->edits[0].at);
    }
    return number;
}

/* The first of the candidates that holds on every fresh case that was answered; NULL: none does, or
 * none was. */
static const Set *confirmed(Matching *m, const Candidates *all, const Fresh *fresh)
{
    bool good[MOST_CANDIDATES];
    int compared = 0;
    memset(good, true, sizeof good);
    for (int k = 0; k < fresh->count; k++)
        if (!ask_some(m, all, fresh, fresh->cases[k], good, &compared))
            break;
    for (int i = 0; i < all->count; i++)
        if (good[i] && compared && !is_a_number_there(&all->items[i], all, good))
            return &all->items[i];
    return NULL;
}

static Explanation explanation_of(const Formula *formula, const Set *set)
{
    Explanation found = {
        change_phrase(formula, set->of[0]),
        format_text("%s", change_kind_phrase(set->of[0]->kind)),
        change_quantity(formula, set->of[0]),
    };
    if (set->alone) {
        const int own = formula->lines[set->of[0]->line].quantity;
        char *alone = format_text("%s, in what is written to %s alone", found.when,
                                  formula->quantities[own].name);
        free(found.when);
        found.when = alone;
    }
    if (set->count > 1) {
        char *second = change_phrase(formula, set->of[1]);
        bool same = !strcmp(found.when, second); /* of two lines with one left side */
        char *both =
            same ? format_text("%s", second) : format_text("%s, and %s", found.when, second);
        free(found.when);
        free(second);
        found.when = both;
    }
    return found;
}

/* One change; else one in a place of its own; else two; else one of what is asked for alone. */
static void look_for(Matching *m, const Changes *all, Candidates *found)
{
    try_singles(m, all, -1, found);
    if (found->found || is_all_zero(m))
        return;
    try_alone(m, all, found);
    try_inside(m, all, found);
    if (!found->found)
        try_by_output(m, all, found);
    if (!found->found)
        try_beside(m, all, found);
    if (!found->found)
        try_pairs(m, all, found);
    if (found->found)
        return;
    m->asked_alone = true;
    try_singles(m, all, -1, found);
}

bool match_change(Formulas *formulas, const Formula *formula, const char *only, Case *cases,
                  const Answer *answers, int count, const Fresh *fresh, double seconds,
                  Explanation *found)
{
    const double now = processor_time();
    Matching m = matching_new(formula, only, cases, answers, count, now + 0.85 * seconds);
    const Set *best = NULL;
    Candidates candidates = {0};
    Changes all = {0};
    if (any_to_explain(&m)) {
        changes_make(&all, formulas, formula);
        look_for(&m, &all, &candidates);
        m.until = now + seconds; /* what is left of the time is for the last word */
        if (candidates.found && candidates.found <= MOST_FOUND)
            best = confirmed(&m, &candidates, fresh);
    }
    if (best)
        *found = explanation_of(formula, best);
    changes_free(&all);
    matching_free(&m);
    return best != NULL;
}
