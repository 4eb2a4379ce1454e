/* Trials in a process of its own: a text to compile, calls to make. See line.h, and trial.c for the
 * other side.
 *
 * The invariant: as with the worker, nothing that comes back is used before its length is checked,
 * and nobody waits longer for it than for a worker, nor longer than the search may take. */
#include "line.h"
#include "box.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSOR = 300 }; /* seconds that a busy machine may keep it waiting for one, all told */
enum { MOST_BURNT = 1000000000 }; /* whatever a trial that lies says */

struct Trial {
    Channel channel;
};

static bool begin(Trial *t)
{
    static const char *const argv[] = {"build/trial", NULL};
    const Limits limits = {.cpu_seconds = 20, .address_bytes = 1L << 30, .stack_bytes = 8L << 20};
    if (access(argv[0], X_OK) != 0 || !channel_start(&t->channel, argv, &limits))
        return false;
    t->channel.loading = true; /* it says nothing before it is asked */
    return true;
}

static void trial_end(Trial *t)
{
    if (t)
        channel_free(&t->channel);
    free(t);
}

static Trial *trial_start(double seconds)
{
    Trial *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->channel = (Channel){.call_limit = 2, .memory_limit = 512u << 20, .printed_limit = 1 << 16};
    channel_budget(&t->channel, seconds);
    t->channel.patience = PROCESSOR;
    if (begin(t))
        return t;
    trial_end(t);
    return NULL;
}

static double trial_time_left(Trial *t)
{
    return channel_time_left(&t->channel);
}

static bool trial_begin_again(Trial *t)
{
    channel_free(&t->channel);
    return trial_time_left(t) > 0 && begin(t);
}

/* ---- what is asked ---- */
static bool ask(Trial *t, size_t most, FrameHead *head)
{
    const double limit = t->channel.call_limit;
    *head = (FrameHead){0};
    return trial_time_left(t) > 0 && t->channel.child.pid &&
           exchange(&t->channel, limit, most, head) == GOT_FRAME && head->kind == TRIED;
}

static bool trial_compile(Trial *t, const Buffer *text, char *said, size_t size)
{
    FrameHead head;
    frame_open(&t->channel.request, TRIAL_TEXT, 0);
    buffer_append(&t->channel.request, text->data, text->length);
    buffer_append(&t->channel.request, "", 1);
    frame_close(&t->channel.request);
    if (!ask(t, sizeof(WireLoaded), &head) || !head.length ||
        payload_of(&t->channel)[head.length - 1])
        return false;
    snprintf(said, size, "%s", payload_of(&t->channel));
    return true;
}

static size_t record_size(const Case *c)
{
    size_t size = sizeof(WireTrial);
    for (int p = 0; p < c->function->count; p++) {
        Role role = c->function->params[p].role;
        if (is_array(role) && role != INPUT && !c->null[p])
            size += case_length(c, p) * sizeof(float);
    }
    return size;
}

static bool trial_call(Trial *t, const Case *c, int64_t fuel, const uint32_t *numbers, int count)
{
    size_t lengths[MAX_PARAMS];
    Buffer call = {0};
    FrameHead head;
    WireTrials trials = {fuel, (uint64_t)count};
    size_t size = (size_t)count * record_size(c);
    if (size > MAX_PAYLOAD)
        return false;
    put_case(&call, CALL, 0, c, lengths);
    frame_open(&t->channel.request, TRIAL_CALLS, 0);
    buffer_append(&t->channel.request, &trials, sizeof trials);
    buffer_append(&t->channel.request, numbers, (size_t)count * sizeof *numbers);
    buffer_append(&t->channel.request, call.data + sizeof(FrameHead),
                  call.length - sizeof(FrameHead));
    frame_close(&t->channel.request);
    buffer_free(&call);
    return ask(t, size, &head) && head.length == size;
}

static bool trial_answer(const Trial *t, const Case *c, int i, Answer *answer, int64_t *burnt)
{
    WireTrial record;
    static float returned; /* as in an answer of the worker: a float or an int */
    const char *at = payload_of(&t->channel) + (size_t)i * record_size(c);
    memcpy(&record, at, sizeof record);
    at += sizeof record;
    *answer = (Answer){.ending = ANSWERED};
    *burnt = record.burnt < 0 ? 0 : record.burnt > MOST_BURNT ? MOST_BURNT : record.burnt;
    for (int p = 0; p < c->function->count; p++) {
        Role role = c->function->params[p].role;
        if (role == RETURNED) {
            memcpy(&returned, &record.answer.returned, sizeof returned);
            answer->left[p] = &returned;
        }
        if (!is_array(role) || role == INPUT || c->null[p])
            continue;
        answer->left[p] = (float *)(uintptr_t)at;
        at += case_length(c, p) * sizeof(float);
    }
    return !record.ended;
}

const Trials process_trials = {.start = trial_start,
                               .begin_again = trial_begin_again,
                               .end = trial_end,
                               .time_left = trial_time_left,
                               .compile = trial_compile,
                               .call = trial_call,
                               .answer = trial_answer};
