/* A case's arguments where arm64's calling convention has them: whole numbers and addresses, then
 * floats, each kind in its registers; the ninth whole number and what follows on the stack. And
 * what a call has left of them. */
#include "machine.h"

typedef struct {
    uint64_t words[CALL_PARAMS];
    int count, floats;
} Arguments;

static void fill_array(Machine *m, const Case *c, int i)
{
    const uint32_t untouched = UNTOUCHED_BITS;
    const size_t length = case_length(c, i);
    const Role role = c->function->params[i].role;
    unsigned char *array = machine_array(m, i, length * sizeof untouched, role == INPUT);
    if (is_given(role) && length)
        memcpy(array, c->given[i], length * sizeof untouched);
    for (size_t k = 0; role == OUTPUT && k < length; k++)
        memcpy(array + k * sizeof untouched, &untouched, sizeof untouched);
}

void arguments_place(Machine *m, const Case *c)
{
    Arguments a = {.count = 0};
    for (int i = 0; i < c->function->count; i++) {
        const Role role = c->function->params[i].role;
        if (role == SIZE)
            a.words[a.count++] = (uint64_t)(int64_t)c->sizes[i];
        if (role == SCALAR)
            memcpy(&m->v[a.floats++].low, &c->scalars[i], sizeof c->scalars[i]);
        if (!is_array(role))
            continue;
        if (!c->null[i])
            fill_array(m, c, i);
        a.words[a.count++] = c->null[i] ? 0 : array_address(i);
    }
    int behind = a.count > 8 ? a.count - 8 : 0;
    memcpy(m->x, a.words, (size_t)(a.count - behind) * sizeof *a.words);
    if (behind && stack_move(m, m->x[STACK_POINTER] - (uint64_t)(behind + behind % 2) * 8))
        memcpy(reach(m, m->x[STACK_POINTER], (uint64_t)behind * 8, true), a.words + 8,
               (size_t)behind * 8);
}

const void *argument_left(const Machine *m, const Case *c, int i)
{
    const Param *param = &c->function->params[i];
    return is_array(param->role) ? (const void *)m->regions[FIRST_ARRAY + i].memory
           : param->is_int       ? (const void *)&m->x[0]
                                 : (const void *)&m->v[0].low;
}
