/* Trials without a process: one text with many changes becomes an image, and a machine of ours
 * calls its functions.
 *
 * The invariant: what is limited is the number of instructions, and the text that is compiled,
 * never the time: the same file gets the same line on every computer. A change may do anything; it
 * is called when its answer is asked for, and leaves nothing to the next. */
#include "library.h"
#include "line.h"

#include <stdlib.h>

/* What all that is tried may take: a search without an end, and a page's reader, waits no longer
 * than for some seconds. And what costs time beside the instructions counts as some. */
#define MOST_INSTRUCTIONS 1.2e9
enum { FOR_A_CHARACTER = 60, FOR_A_CALL = 2000, FOR_A_NUMBER = 4 };

struct Trial {
    Image image;
    Machine machine;
    bool open;   /* the machine is */
    double left; /* instructions */
    /* What was asked last: the calls are made when their answers are. */
    int64_t fuel;
    const uint32_t *numbers; /* those of whoever asks, until the last answer */
};

static Trial *trial_start(double seconds)
{
    const double wanted = seconds * INSTRUCTIONS_A_SECOND;
    Trial *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->left = wanted < MOST_INSTRUCTIONS ? wanted : MOST_INSTRUCTIONS;
    return t;
}

static double trial_time_left(Trial *t)
{
    return t->left / INSTRUCTIONS_A_SECOND;
}

static bool trial_begin_again(Trial *t)
{
    return t->left > 0;
}

static void trial_end(Trial *t)
{
    if (t && t->open)
        machine_close(&t->machine);
    if (t)
        image_free(&t->image);
    free(t);
}

static char *no_header(void *context, const char *path)
{
    (void)context, (void)path;
    return NULL;
}

static bool trial_compile(Trial *t, const Buffer *text, char *said, size_t size)
{
    Buffer whole = {0};
    Image image;
    static const char chosen[] = "\nint64_t __fuel; int __chosen;\n";
    if (t->left <= 0)
        return false;
    buffer_append(&whole, text->data, text->length);
    buffer_append(&whole, chosen, sizeof chosen);
    const Sources sources = {
        .source = "", .texts = (const char *const[]){whole.data, NULL}, .header = no_header};
    t->left -= FOR_A_CHARACTER * (double)text->length;
    const bool made = image_make(&image, &sources, said, size);
    buffer_free(&whole);
    if (!made)
        return true;
    image_free(&t->image);
    t->image = image;
    if (t->open)
        machine_load(&t->machine, &t->image);
    else
        machine_open(&t->machine, &t->image);
    t->open = true;
    t->machine.garbage = MALLOC_BITS & 0xff;
    t->machine.held_limit = 64 << 20;
    t->machine.printed_limit = 1 << 20;
    return true;
}

static bool trial_call(Trial *t, const Case *c, int64_t fuel, const uint32_t *numbers, int count)
{
    (void)c, (void)count;
    t->fuel = fuel;
    t->numbers = numbers;
    return t->left > 0;
}

/* A change of that number is a copy, or one that is chosen. NULL: there is neither. */
static const ImageSymbol *function_of(const Image *image, const Case *c, uint32_t number,
                                      int *chosen)
{
    char name[SYMBOL_SIZE + 16];
    snprintf(name, sizeof name, "%s" COPY_SUFFIX, c->function->symbol, (unsigned)number);
    const ImageSymbol *copy = image_function(image, name);
    *chosen = copy ? 0 : (int)number;
    return copy ? copy : image_function(image, c->function->symbol);
}

static unsigned char *object_of(Machine *m, const char *name)
{
    return m->regions[IMAGE_REGION].memory + image_object(m->image, name)->at;
}

/* False: it did not return. */
static bool make_call(Trial *t, const Case *c, uint32_t number, int64_t *burnt)
{
    Machine *m = &t->machine;
    int chosen;
    const ImageSymbol *function = function_of(&t->image, c, number, &chosen);
    *burnt = 0;
    if (!function || t->left <= 0)
        return false;
    machine_reset(m);
    machine_begin(m);
    arguments_place(m, c);
    m->printed.length = m->printed_total = 0;
    memcpy(object_of(m, "__fuel"), &t->fuel, sizeof t->fuel);
    memcpy(object_of(m, "__chosen"), &chosen, sizeof chosen);
    const int64_t most = (int64_t)t->left;
    m->left = most;
    const bool returned = machine_call(m, REGION_START(IMAGE_REGION) + function->at);
    int64_t fuel;
    memcpy(&fuel, object_of(m, "__fuel"), sizeof fuel);
    *burnt = fuel > t->fuel ? 0 : t->fuel - fuel;
    t->left -= (double)(most - m->left) + FOR_A_CALL + FOR_A_NUMBER * (double)case_numbers(c);
    return returned;
}

static bool trial_answer(const Trial *trial, const Case *c, int i, Answer *answer, int64_t *burnt)
{
    Trial *t = (Trial *)(uintptr_t)trial; /* it is asked for once: now it is made */
    const bool returned = make_call(t, c, t->numbers[i], burnt);
    *answer = (Answer){.ending = ANSWERED};
    for (int p = 0; returned && p < c->function->count; p++) {
        const Role role = c->function->params[p].role;
        if (is_answer(role) && !c->null[p])
            answer->left[p] = (float *)(uintptr_t)argument_left(&t->machine, c, p);
    }
    return returned;
}

const Trials emulated_trials = {.start = trial_start,
                                .begin_again = trial_begin_again,
                                .end = trial_end,
                                .time_left = trial_time_left,
                                .compile = trial_compile,
                                .call = trial_call,
                                .answer = trial_answer};
