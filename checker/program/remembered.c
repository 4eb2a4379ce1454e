/* What a set of mistakes makes of a case is the same each time. The self-test asks for it again and
 * again: a search tries every pair of mistakes on the first case, of a thousand answers. So what
 * was worked out is kept: of the first case whatever was asked, of every case what is right and
 * what was asked last. */
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { FIRST_BITS = 12 };

typedef struct {
    Mistakes set;
    Real *numbers; /* of all outputs; NULL: none yet */
} Kept;

static struct {
    const Cases *cases;
    Kept *first, *right, *last; /* first: by a number made of the set; right, last: of each case */
} memory;

static Kept *kept_none(size_t count)
{
    Kept *kept = calloc(count + 1, sizeof *kept);
    if (!kept)
        author_error("out of memory");
    return kept;
}

static void kept_free(Kept *kept, size_t count)
{
    for (size_t i = 0; kept && i < count; i++)
        free(kept[i].numbers);
    free(kept);
}

void remember_none(void)
{
    size_t count = memory.cases ? (size_t)memory.cases->count : 0;
    kept_free(memory.first, 1 << FIRST_BITS);
    kept_free(memory.right, count);
    kept_free(memory.last, count);
    memset(&memory, 0, sizeof memory);
}

void remember(const Cases *cases)
{
    remember_none();
    memory.cases = cases;
    memory.first = kept_none(1 << FIRST_BITS);
    memory.right = kept_none((size_t)cases->count);
    memory.last = kept_none((size_t)cases->count);
}

static Kept *kept_of(const Case *c, Mistakes set)
{
    ptrdiff_t k = c - memory.cases->items;
    return !set ? &memory.right[k]
           : k  ? &memory.last[k]
                : &memory.first[set * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FIRST_BITS)];
}

/* Between the case and what is kept of it. */
static void copy_wanted(Case *c, Real *kept, bool into_case)
{
    for (int p = 0; p < c->function->count; p++) {
        size_t length = is_answer(c->function->params[p].role) ? case_length(c, p) : 0;
        if (length)
            memcpy(into_case ? c->wanted[p] : kept, into_case ? kept : c->wanted[p],
                   length * sizeof *kept);
        kept += length;
    }
}

static Real *room_for(const Case *c)
{
    size_t numbers = 1;
    for (int p = 0; p < c->function->count; p++)
        numbers += is_answer(c->function->params[p].role) ? case_length(c, p) : 0;
    Real *room = calloc(numbers, sizeof *room);
    if (!room)
        author_error("out of memory");
    return room;
}

void remembered_answer(const Step *step, Case *c, Mistakes set)
{
    Kept *kept = kept_of(c, set);
    if (kept->numbers && kept->set == set) {
        copy_wanted(c, kept->numbers, true);
        return;
    }
    lesson_answer(step, c, set);
    if (!kept->numbers)
        kept->numbers = room_for(c);
    kept->set = set;
    copy_wanted(c, kept->numbers, false);
}
