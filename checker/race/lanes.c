/* The processes that run what is raced, seen from outside, and the clock.
 *
 * The time of a measurement is from the request to the answer, by this process's clock; or, where
 * that is less, the processor time that the other process, all its threads together, has used in
 * it: on a busy machine it waits, too. To that is added what it has used since it answered the
 * request before. All of it the kernel says, about a process that has no other to work for it. So
 * nothing is gained by an answer that comes before the work is done, nor by work done ahead, nor by
 * keeping the others from their work: it all counts. */
#include "race.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Seconds for one measurement, which takes some milliseconds, and bytes that may be used. */
enum { CALL_SECONDS = 5, PYTORCH_SECONDS = 30 };
static const size_t MEMORY = (size_t)1 << 30;

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double processor_seconds(const Lane *lane)
{
    struct timespec used;
    if (clock_gettime(lane->processor, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* ---- what is shared ---- */
/* Memory with a descriptor, which lies out of the way of a child's CHANNEL. -1: errno. */
static int memory_file(size_t room)
{
    int low = memfd_create("race", MFD_CLOEXEC);
    int file = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, CHANNEL + 1 + LENT);
    if (low >= 0)
        close(low);
    if (file >= 0 && ftruncate(file, (off_t)room) == 0)
        return file;
    return -1;
}

static char *mapped(int file, size_t room)
{
    char *at = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

bool shared_make(Shared *shared, char *error, size_t size)
{
    char name[64];
    shared->room = layout_room();
    shared->in_file = memory_file(shared->room);
    shared->in = shared->in_file < 0 ? NULL : mapped(shared->in_file, shared->room);
    snprintf(name, sizeof name, "/proc/self/fd/%d", shared->in_file);
    int low = shared->in ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    shared->readable = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, CHANNEL + 1 + LENT);
    if (shared->readable < 0)
        snprintf(error, size, "This machine can't share memory between processes: %s.",
                 strerror(errno));
    close(low);
    return shared->readable >= 0;
}

/* ---- starting ---- */
bool lane_start(Lane *lane, const Shared *shared, const char *const argv[], char *error,
                size_t size)
{
    Limits limits = {.stack_bytes = 8L << 20};
    lane->out_file = memory_file(shared->room);
    lane->out = lane->out_file < 0 ? NULL : mapped(lane->out_file, shared->room);
    const int lent[LENT] = {shared->readable, lane->out_file};
    lane->channel = (Channel){.call_limit = lane->source ? CALL_SECONDS : PYTORCH_SECONDS,
                              .memory_limit = lane->source ? MEMORY : 4 * MEMORY,
                              .printed_limit = (size_t)1 << 20,
                              .patience = MOST_WAITED,
                              .lent = lent};
    bool good = lane->out && channel_start(&lane->channel, argv, &limits);
    if (good && clock_getcpuclockid(lane->channel.child.pid, &lane->processor) != 0)
        good = false;
    if (!good)
        snprintf(error, size, "Can't start %s: %s.", argv[0], strerror(errno));
    lane->channel.lent = NULL;
    return good;
}

void lane_end(Lane *lane)
{
    channel_free(&lane->channel);
    if (lane->out_file > 0)
        close(lane->out_file);
}

/* Why there is no answer. */
static void explain(Lane *lane, Outcome outcome, const FrameHead *head, char *error, size_t size)
{
    WireReport report = {.kind = BY_TIME, .param = -1};
    Answer answer = {.ended_by = ""};
    Built built = {.source = lane->source, .shown = lane->source};
    bool said = outcome == GOT_FRAME && head->kind == ENDED && head->length == sizeof report;
    snprintf(built.object, sizeof built.object, "%s", lane->object);
    if (said)
        memcpy(&report, payload_of(&lane->channel), sizeof report);
    if (outcome == GONE) {
        bool closed = channel_closed(&lane->channel);
        explain_silence(channel_end(&lane->channel), closed, &answer);
    } else {
        channel_end(&lane->channel);
        if (outcome == TOO_BIG)
            report.kind = BY_MEMORY;
        if (said || outcome == TOO_BIG || outcome == TOO_LATE)
            explain_report(&built, &lane->channel, NULL, NULL, &report, &answer);
        else if (outcome == TOO_LOUD)
            snprintf(answer.reason, sizeof answer.reason, "printed more than %zu KB",
                     lane->channel.printed_limit >> 10);
        else
            snprintf(answer.reason, sizeof answer.reason, "gave no answer that can be used");
    }
    snprintf(error, size, "%s %s.", lane->source ? lane->source : "PyTorch", answer.reason);
}

/* Sends a frame and waits for one of that kind and length. */
static bool ask(Lane *lane, FrameKind kind, const void *data, size_t length, FrameKind wanted,
                size_t answer, char *error, size_t size)
{
    FrameHead head = {0};
    uint64_t token = 0;
    Channel *c = &lane->channel;
    if (getentropy(&token, sizeof token) != 0)
        abort();
    c->printed.length = c->printed_total = 0;
    frame_open(&c->request, kind, token);
    buffer_append(&c->request, data, length);
    frame_close(&c->request);
    Outcome outcome = exchange(c, c->call_limit,
                               answer > sizeof(WireReport) ? answer : sizeof(WireReport), &head);
    if (outcome == GOT_FRAME && head.token == token && head.kind == wanted && head.length == answer)
        return true;
    if (outcome == GOT_FRAME && head.token == token && head.kind == UNKNOWN)
        snprintf(error, size, "%s has not all the functions of the race.", lane->source);
    else
        explain(lane, outcome, &head, error, size);
    return false;
}

bool lane_load(Lane *lane, char *error, size_t size)
{
    WireLoaded loaded = {""};
    Buffer text = {0};
    WireLimits limits = {0};
    buffer_append(&text, &limits, sizeof limits);
    buffer_append(&text, lane->object, strlen(lane->object) + 1);
    bool good = ask(lane, LOAD, text.data, text.length, LOADED, sizeof loaded, error, size);
    buffer_free(&text);
    if (good)
        memcpy(&loaded, payload_of(&lane->channel), sizeof loaded);
    loaded.error[sizeof loaded.error - 1] = '\0';
    if (loaded.error[0])
        snprintf(error, size, "%s can't be loaded: %s.", lane->source, loaded.error);
    lane->seen = processor_seconds(lane);
    return good && !loaded.error[0];
}

/* ---- measuring ---- */
double lane_time(Lane *lane, const void *request, size_t length, char *error, size_t size)
{
    double used = processor_seconds(lane), ahead = used - lane->seen, before = clock_seconds();
    if (!ask(lane, CALL, request, length, ANSWER, 0, error, size))
        return -1;
    lane->seen = processor_seconds(lane);
    return ahead + fmin(lane->seen - used, clock_seconds() - before);
}

bool pytorch_prepare(Lane *lane, const Layout *layout, char *error, size_t size)
{
    uint64_t words[4 + 2 * (INPUTS_END)];
    size_t count = 0;
    words[count++] = layout->kind == BACKWARD;
    words[count++] = (uint64_t)layout->shape.rows;
    words[count++] = (uint64_t)layout->shape.features;
    words[count++] = (uint64_t)layout->shape.calls;
    for (int i = 0; i < INPUTS_END; i++) {
        words[count++] = layout->in[i].offset;
        words[count++] = layout->in[i].step;
    }
    return ask(lane, TRIAL_TEXT, words, sizeof words, ANSWER, 0, error, size);
}
