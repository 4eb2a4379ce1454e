/* The shapes of the race, and where the arrays of a call lie in what is shared.
 *
 * An array begins where malloc would let a large one begin: 16 bytes into a page. Of a small shape
 * there are many calls in one measurement, or there would be nothing to see between two looks at a
 * clock; each has arrays of its own. */
#include "race.h"

#include <string.h>

/* In the cache, out of it, few long rows, many short ones. */
const RaceShape race_shapes[SHAPE_COUNT] = {{1, 768, 512},   {64, 768, 8},   {8192, 768, 1},
                                            {2048, 4096, 1}, {32, 65536, 1}, {100000, 8, 1}};

/* In the order of the parameters: the outputs, the inputs; rows, features and eps follow. */
static const struct {
    Output out[4];
    Input in[6];
} parameters[KINDS] = {
    [NO_KIND] = {{OUTPUTS_END}, {INPUTS_END}},
    [FORWARD] = {{Y, OUTPUTS_END}, {X, GAMMA, BETA, INPUTS_END}},
    [FORWARD_SAVING] = {{Y, MEAN, RSTD, OUTPUTS_END}, {X, GAMMA, BETA, INPUTS_END}},
    [BACKWARD] = {{DX, DGAMMA, DBETA, OUTPUTS_END},
                  {DY, X, GAMMA, GIVEN_MEAN, GIVEN_RSTD, INPUTS_END}},
};

enum { PAGE = 4096, BEGINS = 16 };

static void place(Placed *placed, size_t length, int calls, size_t *end)
{
    placed->length = length;
    placed->offset = (*end + PAGE - 1) / PAGE * PAGE + BEGINS;
    placed->step = (length * sizeof(float) + BEGINS - 1) / BEGINS * BEGINS;
    *end = placed->offset + placed->step * (size_t)calls;
}

Layout layout_of(Kind kind, RaceShape shape)
{
    const size_t rows = (size_t)shape.rows, features = (size_t)shape.features;
    const size_t inputs[INPUTS_END] = {
        rows * features, rows * features, features, features, rows, rows};
    const size_t outputs[OUTPUTS_END] = {rows * features, rows,     rows,
                                         rows * features, features, features};
    Layout layout = {.shape = shape, .kind = kind};
    size_t in = 0, out = 0, floats = 0;
    for (const Input *i = parameters[kind].in; *i != INPUTS_END; i++) {
        place(&layout.in[*i], inputs[*i], shape.calls, &in);
        floats += inputs[*i];
    }
    for (const Output *o = parameters[kind].out; *o != OUTPUTS_END; o++) {
        place(&layout.out[*o], outputs[*o], shape.calls, &out);
        floats += outputs[*o];
    }
    layout.copied = floats * sizeof(float) / 2;
    return layout;
}

size_t layout_room(void)
{
    size_t most = 0;
    for (int s = 0; s < SHAPE_COUNT; s++) {
        const RaceShape *shape = &race_shapes[s];
        size_t pages = (size_t)shape->rows * (size_t)shape->features * (size_t)shape->calls *
                       sizeof(float) / PAGE;
        most = pages > most ? pages : most;
    }
    return (2 * most + 2048) * PAGE; /* two such arrays, and the short ones */
}

static void add_word(WireRace *request, const Placed *placed, WordKind kind)
{
    request->words[request->count++] =
        (WireWord){.value = placed->offset, .step = placed->step, .kind = kind};
}

WireRace request_of(const Layout *layout, const char *function)
{
    WireRace request = {.calls = (uint32_t)layout->shape.calls, .scalar = RACE_EPS};
    snprintf(request.function, sizeof request.function, "%s", function);
    if (!strcmp(function, RACER_COPY)) {
        Placed copied = {0, layout->copied, layout->copied};
        add_word(&request, &copied, AMONG_OUTPUTS);
        add_word(&request, &copied, AMONG_INPUTS);
        request.words[request.count++] = (WireWord){.value = layout->copied};
        return request;
    }
    for (const Output *o = parameters[layout->kind].out; *o != OUTPUTS_END; o++)
        add_word(&request, &layout->out[*o], AMONG_OUTPUTS);
    for (const Input *i = parameters[layout->kind].in; *i != INPUTS_END; i++)
        add_word(&request, &layout->in[*i], AMONG_INPUTS);
    request.words[request.count++] = (WireWord){.value = (uint64_t)layout->shape.rows};
    request.words[request.count++] = (WireWord){.value = (uint64_t)layout->shape.features};
    return request;
}
