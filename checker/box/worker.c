/* The worker: the only process that runs what the learner wrote. It is told which shared object to
 * load, closes the sandbox's doors, loads it, and then answers one request after the other.
 *
 * The invariant: no expected value ever comes here, and nothing here decides anything. It is one
 * program for all lessons, because a call needs no more than the names and types that arrive with
 * it.
 *
 *     build/worker                      serves the checker on descriptor CHANNEL
 *     build/worker --replay CASE SO     makes one saved call without any limits, for a debugger */
#include "worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- requests ---- */
typedef struct {
    Request request;
    void *function;
    void *object;
    WireLimits limits;
    uint64_t token; /* of the request */
    Buffer reply;
    bool kept_some; /* memory, in any call so far */
    Place place;    /* of the last call's arrays, in a look for leaks */
    void (*left)(int64_t *blocks, int64_t *bytes, int64_t *mapped); /* memory.h's; NULL: none */
} Worker;

static Memory less(const Memory *a, const Memory *b)
{
    return (Memory){a->blocks - b->blocks, a->bytes - b->bytes, a->mapped - b->mapped};
}

/* Without what a lesson's calls.c leaves where it is. */
static Memory in_use(const Worker *w)
{
    Memory all = memory_in_use(), left = {0};
    if (w->left)
        w->left(&left.blocks, &left.bytes, &left.mapped);
    return less(&all, &left);
}

/* Without sanitizers blocks are no more than a part of what is mapped. Where some were left, nobody
 * can tell them from the others. */
static Memory grown_since(const Worker *w, const Memory *before)
{
    Memory now = in_use(w), grown = less(&now, before);
    if (now.blocks < 0 && grown.blocks < 0)
        grown.mapped = 0;
    return grown;
}

static bool keeps_some(const Memory *kept)
{
    return kept->blocks > 0 || kept->mapped >= sysconf(_SC_PAGESIZE);
}

/* Makes the call, and puts the answer's frame together from the arrays. */
static void make_call(Worker *w, Place place)
{
    Arguments arguments = place_all(&w->request, false, place);
    const WireCall *call = &w->request.call;
    const Memory before = in_use(w);
    end_watch();
    WireAnswer answer = {.kept = 0};
    if (call->returns_int)
        answer.returned.whole = call_int_with(w->function, &arguments);
    else
        answer.returned.number = call_with(w->function, &arguments);
    end_unwatch();
    const Memory kept = grown_since(w, &before);
    answer.kept = keeps_some(&kept);
    w->kept_some = w->kept_some || answer.kept;
    fflush(stdout);
    size_t all = 0;
    for (int i = 0; i < (int)call->count; i++)
        all += holds_array(&call->params[i]) ? arrays[i].bytes : 0;
    frame_open(&w->reply, ANSWER, w->token);
    buffer_append(&w->reply, &answer, sizeof answer);
    buffer_room(&w->reply, all); /* at once: to grow takes new memory each time */
    for (int i = 0; i < (int)call->count; i++) {
        WireReport report;
        if (!holds_array(&call->params[i]))
            continue;
        buffer_append(&w->reply, arrays[i].start, arrays[i].bytes);
        if (!array_close(i, &report))
            end_worker(&report);
    }
    frame_close(&w->reply);
}

/* ---- leaks ---- */
/* So many calls, round after round: a leak is what each of these rounds keeps. What only the first
 * keep is a cache. */
typedef struct {
    int rounds, warm_up, calls;
    double seconds; /* of processor time: what takes longer keeps its secret */
} Look;

/* The second one is for memory that is forgotten now and then only. */
static const Look few_calls = {6, 3, 1, INFINITY}, rounds_of_calls = {6, 1, 12, 0.5};

/* What is left for a look's calls: of processor time, and for who sleeps by a clock too. */
typedef struct {
    double processor, clock;
} Left;

static double seconds_on(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_left(const Left *left)
{
    return left->processor > 0 && left->clock > 0;
}

/* Their arrays lie against one wall and then the other. */
static void make_calls(Worker *w, int calls, Left *left)
{
    for (int i = 0; i < calls && is_left(left); i++) {
        const double processor = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
        const double clock = seconds_on(CLOCK_MONOTONIC);
        w->place = w->place == BEFORE_A_WALL ? BEHIND_A_WALL : BEFORE_A_WALL;
        make_call(w, w->place);
        left->processor -= seconds_on(CLOCK_PROCESS_CPUTIME_ID) - processor;
        left->clock -= seconds_on(CLOCK_MONOTONIC) - clock;
    }
}

/* Threads and the sanitizers map less than a page in a call, or more in a few calls only. */
static bool is_more(const Memory *kept, int calls)
{
    return kept->blocks > 0 || (calls > 1 && kept->mapped >= calls * sysconf(_SC_PAGESIZE));
}

enum { TURNS = 200 }; /* of a millisecond and more */

/* What so many calls keep for ever. What another thread holds it may yet give back: it has a while,
 * counted in turns, which a busy machine gives to it as often as to us. */
static Memory kept_since(const Worker *w, const Memory *before, int calls)
{
    Memory kept = grown_since(w, before);
    for (int turn = 0; turn < TURNS && is_more(&kept, calls) && has_other_threads(); turn++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        kept = grown_since(w, before);
    }
    return kept;
}

static void tell_of_leak(WireReport *report, const Memory *kept, int calls)
{
    bool blocks = kept->blocks > 0;
    int64_t bytes = blocks ? kept->bytes : kept->mapped;
    report->number = calls;
    report->size = bytes > 0 ? (uint64_t)bytes : 0;
    /* Without sanitizers what is mapped may be malloc's. */
    snprintf(report->what, sizeof report->what, "%s", blocks ? "malloc" : SANITIZED ? "mmap" : "");
    if (blocks)
        allocation_frames(report);
}

static bool leaks(Worker *w, const Look *look, WireReport *report)
{
    Left left = {look->seconds, 4 * look->seconds};
    bool each = true;
    for (int round = 0; round < look->rounds && each; round++) {
        const Memory before = in_use(w);
        note_blocks_anew();
        make_calls(w, look->calls, &left);
        const Memory kept = kept_since(w, &before, look->calls);
        w->kept_some = w->kept_some || keeps_some(&kept);
        if (round < look->warm_up)
            continue;
        each = is_more(&kept, look->calls);
        tell_of_leak(report, &kept, look->calls);
    }
    return each && is_left(&left);
}

/* Who frees a block some time later keeps more with each call at first, and then no more. It has so
 * many rounds for that, unless it keeps as much as no one means to. */
static const Look until_it_stops = {240, 0, 12, 0.5};
enum { MOST_KEPT = 16 << 20 }; /* bytes */

static bool stops(Worker *w)
{
    const Look *look = &until_it_stops;
    Left left = {look->seconds, 16 * look->seconds}; /* a busy machine refuses no right one */
    Memory kept = {.blocks = 1};
    int64_t all = 0;
    for (int round = 0; round < look->rounds && is_more(&kept, look->calls); round++) {
        const Memory before = in_use(w);
        make_calls(w, look->calls, &left);
        kept = grown_since(w, &before);
        all += kept.bytes + kept.mapped;
        if (!is_left(&left) || all > MOST_KEPT)
            return false;
    }
    return !is_more(&kept, look->calls);
}

static void look_for_leaks(Worker *w)
{
    WireReport report = {.param = -1};
    bool found =
        leaks(w, &few_calls, &report) || (w->kept_some && leaks(w, &rounds_of_calls, &report));
    found = found && !stops(w);
    report.kind = found ? GROWS : CLEAN;
    frame_open(&w->reply, LEAKING, w->token);
    buffer_append(&w->reply, &report, sizeof report);
    frame_close(&w->reply);
}

static bool serve(Worker *w, const FrameHead *head, const char *payload)
{
    if (!read_call(&w->request, payload, head->length))
        return false;
    w->token = head->token;
    w->function = dlsym(w->object, w->request.call.function);
    if (!w->function) {
        frame_open(&w->reply, UNKNOWN, w->token);
        frame_close(&w->reply);
    } else if (head->kind == CALL) {
        make_call(w, BEFORE_A_WALL);
    } else if (head->kind == LEAKS) {
        look_for_leaks(w);
    } else {
        return false;
    }
    return write_all(CHANNEL, w->reply.data, w->reply.length);
}

/* For memory.h, in the learner's object: there dlsym() may be a function of the learner's. */
EXPORTED void *__calls_library(const char *name)
{
    return dlsym(dlopen(NULL, RTLD_NOW), name);
}

EXPORTED int64_t __calls_blocks(void)
{
    return blocks_in_use().blocks;
}

/* Shuts this process in, then loads: constructors run in dlopen(). */
static void load(Worker *w, const char *path)
{
    static char name[64];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    WireLoaded loaded = {""};
    if (must_leave_root()) {
        name_by_descriptor(name, sizeof name, fd);
        path = name;
    }
    end_prepare(path, fd, w->limits.memory_limit);
    const char *refused = close_doors(path);
    frame_open(&w->reply, LOADING, w->token);
    frame_close(&w->reply);
    write_all(CHANNEL, w->reply.data, w->reply.length);
    end_watch();
    w->object = refused ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    end_unwatch();
    void *left = w->object && w->limits.has_calls ? dlsym(w->object, "__calls_left") : NULL;
    memcpy(&w->left, &left, sizeof w->left);
    if (!w->object)
        snprintf(loaded.error, sizeof loaded.error, "%s", refused ? refused : dlerror());
    frame_open(&w->reply, LOADED, w->token);
    buffer_append(&w->reply, &loaded, sizeof loaded);
    frame_close(&w->reply);
}

static int serve_checker(void)
{
    Worker w = {.limits = {0}};
    Buffer request = {0};
    FrameHead head;
    setvbuf(stdout, NULL, _IONBF, 0); /* what was printed before a crash is not lost */
    if (!frame_read(CHANNEL, &request, &head) || head.kind != LOAD ||
        head.length <= sizeof w.limits)
        return WORKER_CUT;
    w.token = head.token;
    memcpy(&w.limits, request.data + sizeof head, sizeof w.limits);
    char *path =
        strndup(request.data + sizeof head + sizeof w.limits, head.length - sizeof w.limits);
#ifdef __APPLE__
    path = realpath(path, NULL); /* as dladdr() will name it */
#endif
    load(&w, path);
    if (!write_all(CHANNEL, w.reply.data, w.reply.length))
        return WORKER_CUT;
    while (frame_read(CHANNEL, &request, &head))
        if (!serve(&w, &head, request.data + sizeof head))
            return WORKER_CUT;
    return WORKER_CUT;
}

/* ---- for a debugger ---- */
static int replay(const char *case_file, const char *path)
{
    Worker w = {.limits = {0}};
    Buffer request = {0};
    FrameHead head;
    int fd = open(case_file, O_RDONLY);
    if (fd < 0 || !frame_read(fd, &request, &head) ||
        !read_call(&w.request, request.data + sizeof head, head.length)) {
        fprintf(stderr, "%s holds no saved case\n", case_file);
        return 1;
    }
    w.object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    w.function = w.object ? dlsym(w.object, w.request.call.function) : NULL;
    if (!w.function) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    make_call(&w, BEFORE_A_WALL);
    printf("%s returned.\n", w.request.call.function);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--replay") == 0)
        return replay(argv[2], argv[3]);
    return serve_checker();
}
