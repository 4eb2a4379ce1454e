/* The checker's side of the trial: a text to compile, calls to make. See checker/box/trial.c.
 *
 * The invariant: as with the worker, nothing that comes back is used before its length is checked,
 * and nobody waits longer for it than for a worker, nor longer than the search may take. */
#include "search.h"

#include <string.h>
#include <unistd.h>

enum { MOST_BURNT = 1000000000 }; /* whatever a trial that lies says */

bool trial_start(Search *s)
{
    static const char *const argv[] = {"build/trial", NULL};
    const Limits limits = {.cpu_seconds = 20, .address_bytes = 1L << 30, .stack_bytes = 8L << 20};
    s->trial.call_limit = 2;
    s->trial.memory_limit = 512u << 20;
    s->trial.printed_limit = 1 << 16;
    if (access(argv[0], X_OK) != 0 || !channel_start(&s->trial, argv, &limits))
        return false;
    s->trial.loading = true; /* it says nothing before it is asked */
    return true;
}

void trial_end(Search *s)
{
    channel_free(&s->trial);
}

static const char *payload(const Search *s)
{
    return s->trial.reply.data + sizeof(FrameHead);
}

static bool asked(Search *s, size_t most, FrameHead *head)
{
    const double limit = s->trial.call_limit;
    *head = (FrameHead){0};
    return channel_time_left(&s->trial) > 0 && s->trial.child.pid &&
           exchange(&s->trial, limit, most, head) == GOT_FRAME && head->kind == TRIED;
}

bool trial_compile(Search *s, const Buffer *text, char *said, size_t size)
{
    FrameHead head;
    frame_open(&s->trial.request, TRIAL_TEXT, 0);
    buffer_append(&s->trial.request, text->data, text->length);
    buffer_append(&s->trial.request, "", 1);
    frame_close(&s->trial.request);
    if (!asked(s, sizeof(WireLoaded), &head) || !head.length || payload(s)[head.length - 1])
        return false;
    snprintf(said, size, "%s", payload(s));
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

bool trial_call(Search *s, const Evidence *evidence, const uint32_t *copies, int count)
{
    size_t lengths[MAX_PARAMS];
    Buffer call = {0};
    FrameHead head;
    WireTrials trials = {evidence->fuel, (uint64_t)count};
    size_t size = (size_t)count * record_size(evidence->c);
    if (size > MAX_PAYLOAD)
        return false;
    put_case(&call, CALL, 0, evidence->c, lengths);
    frame_open(&s->trial.request, TRIAL_CALLS, 0);
    buffer_append(&s->trial.request, &trials, sizeof trials);
    buffer_append(&s->trial.request, copies, (size_t)count * sizeof *copies);
    buffer_append(&s->trial.request, call.data + sizeof(FrameHead),
                  call.length - sizeof(FrameHead));
    frame_close(&s->trial.request);
    buffer_free(&call);
    return asked(s, size, &head) && head.length == size;
}

bool trial_answer(const Search *s, const Case *c, int i, Answer *answer, int64_t *burnt)
{
    WireTrial record;
    static float returned; /* as in an answer of the worker: a float or an int */
    const char *at = payload(s) + (size_t)i * record_size(c);
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
