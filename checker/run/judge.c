/* Holds an answer against what was wanted. Nothing else in the checker compares numbers for a pass.
 *
 * An element is right when !(|got - expected| <= allowed) is false: NaN is never right, but where
 * the oracle says NaN for certain, exact(NAN), and then it is not the one that was there before the
 * call. `allowed` is the oracle's own rounding bound for that element of that case (real.h); there
 * is no constant here but the 1e-12 that two double-precision programs may differ by. */
#include "run.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static uint32_t bits_of(const void *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

bool is_unwritten(float value)
{
    return bits_of(&value) == UNTOUCHED_BITS;
}

/* A float that was copied from there, or an int as one. */
static bool is_stale(float value)
{
    const uint32_t bits = bits_of(&value);
    int32_t whole;
    memcpy(&whole, &(uint32_t){STALE_BITS}, sizeof whole);
    return bits == STALE_BITS || bits == MALLOC_BITS || value == (float)whole;
}

void answer_free(Answer *answer)
{
    for (int i = 0; i < MAX_PARAMS; i++)
        free(answer->left[i]);
    free(answer->printed);
    *answer = (Answer){0};
}

static bool input_kept(const Case *c, const Answer *answer, int p, Judgement *verdict)
{
    size_t length = case_length(c, p);
    const Param *param = &c->function->params[p];
    const char *before = c->given[p], *after = (const char *)answer->left[p];
    if (!after || !length || !memcmp(after, before, length * sizeof(float)))
        return true;
    size_t i = 0;
    while (!memcmp(after + i * sizeof(float), before + i * sizeof(float), sizeof(float)))
        i++;
    *verdict = (Judgement){.param = p,
                           .index = i,
                           .expected = value_at(param, before, i),
                           .got = value_at(param, after, i),
                           .input_changed = true};
    return false;
}

/* Remembers the element if it is further off, in units of what is allowed, than the worst so far.
 */
static void compare(const Case *c, const Answer *answer, int p, Judgement *verdict, double *worst)
{
    const Param *param = &c->function->params[p];
    for (size_t i = 0, count = case_length(c, p); i < count; i++) {
        Real want = c->wanted[p][i];
        double expected = c->truth[p] ? c->truth[p][i] : want.v;
        double got = value_at(param, answer->left[p], i);
        double allowed = want.e + 1e-12 * fabs(expected);
        bool nan = certainly_nan(want) && !c->truth[p];
        if (!nan && (!isfinite(allowed) || !isfinite(expected)))
            author_error("the oracle of %s promises nothing for its case \"%s\"", c->function->name,
                         c->label);
        uint32_t bits = bits_of(answer->left[p] + i);
        if (nan ? isnan(got) && bits != UNTOUCHED_BITS && bits != ADDED_TO_BITS
                : within(got, expected, want.e))
            continue;
        double off = fabs(got - expected);
        bool unwritten = !param->is_int && bits == UNTOUCHED_BITS;
        bool stale = !param->is_int && is_stale(answer->left[p][i]);
        double ratio = unwritten || stale ? INFINITY : isnan(off) ? DBL_MAX : off / allowed;
        if (verdict->right || ratio > *worst) {
            *worst = ratio;
            *verdict = (Judgement){.param = p,
                                   .index = i,
                                   .expected = expected,
                                   .got = got,
                                   .allowed = want.e > 0 ? allowed : 0,
                                   .unwritten = unwritten,
                                   .stale = stale,
                                   .added_to = !param->is_int && bits == ADDED_TO_BITS};
        }
    }
}

/* The int that it returned is told first: where that says of a failure, nothing else was written.
 */
Judgement judge(const Case *c, const Answer *answer, const char *only)
{
    Judgement verdict = {.right = true};
    double worst = 0;
    int last = c->function->count - 1;
    for (int p = 0; p <= last; p++)
        if (c->function->params[p].role == INPUT && !input_kept(c, answer, p, &verdict))
            return verdict;
    if (last >= 0 && c->function->params[last].is_int && word_in(only, "return") &&
        c->function->params[last].role == RETURNED && answer->left[last])
        compare(c, answer, last, &verdict, &worst);
    if (!verdict.right)
        return verdict;
    for (int p = 0; p <= last; p++) {
        const Param *param = &c->function->params[p];
        if (is_answer(param->role) && word_in(only, param->name) && answer->left[p])
            compare(c, answer, p, &verdict, &worst);
    }
    return verdict;
}

/* ", o of unit 0", where a lesson has names for that dimension's numbers; else "". */
static void part_name(const Dim *dim, size_t length, size_t at, char *text, size_t text_size)
{
    const NamedParts *part = lesson.made_of;
    size_t count = 1;
    *text = '\0';
    while (part && part->of && strcmp(part->of, dim->text) != 0)
        part++;
    if (!part || !part->of)
        return;
    for (const char *c = part->names; *c; c++)
        count += *c == ' ';
    const size_t each = length / count;
    const char *name = part->names;
    for (size_t skip = each ? at / each : 0; skip > 0; skip--)
        name = strchr(name, ' ') + 1;
    const int letters = (int)strcspn(name, " ");
    if (each && each * count == length && part->unit)
        snprintf(text, text_size, ", %.*s of %s %zu", letters, name, part->unit, at % each);
    else if (each == 1 && count == length)
        snprintf(text, text_size, ", %.*s", letters, name);
}

void element_name(const Case *c, int param, size_t index, char *text, size_t text_size)
{
    const Param *p = &c->function->params[param];
    if (p->role == RETURNED) {
        snprintf(text, text_size, "%s(...)", learners_function(c->function->name));
        return;
    }
    size_t at[MAX_DIMS] = {0}, used = (size_t)snprintf(text, text_size, "%s", p->name);
    for (int d = p->dim_count - 1; d >= 0; d--) {
        size_t length = (size_t)dimension(c, param, d);
        at[d] = index % length;
        index /= length;
    }
    for (int d = 0; d < p->dim_count && used < text_size; d++)
        used += (size_t)snprintf(text + used, text_size - used, "[%zu]", at[d]);
    for (int d = 0; d < p->dim_count && used < text_size; d++) {
        char name[NAME_SIZE];
        part_name(&p->dims[d], (size_t)dimension(c, param, d), at[d], name, sizeof name);
        used += (size_t)snprintf(text + used, text_size - used, "%s", name);
    }
}
