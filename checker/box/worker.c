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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- requests ---- */
typedef struct {
    Request request;
    void *function;
    void *object;
    WireLimits limits;
    uint64_t token; /* of the request */
    Buffer reply;
} Worker;

/* Makes the call, and puts the answer's frame together from the arrays. What it allocated and kept.
 */
static Allocations make_call(Worker *w)
{
    Arguments arguments = place(&w->request, false);
    const WireCall *call = &w->request.call;
    allocations_since_last();
    end_watch();
    WireAnswer answer = {.kept = 0};
    if (call->returns_int)
        answer.returned.whole = call_int_with(w->function, &arguments);
    else
        answer.returned.number = call_with(w->function, &arguments);
    end_unwatch();
    Allocations kept = allocations_since_last();
    answer.kept = kept.blocks > 0 ? (uint32_t)kept.blocks : 0;
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
    return kept;
}

/* A leak is memory that each of several equal calls allocates and keeps. What only the first calls
 * keep is a cache. */
static void look_for_leaks(Worker *w)
{
    enum { CALLS = 4, WARM_UP = 2 };
    WireReport report = {.kind = GROWS, .param = -1};
    for (int i = 0; i < CALLS; i++) {
        Allocations kept = make_call(w);
        if (i < WARM_UP)
            continue;
        if (kept.blocks <= 0)
            report.kind = CLEAN;
        else if (report.kind == GROWS) {
            report.size = kept.bytes > 0 ? (uint64_t)kept.bytes : 0;
            allocation_frames(&report, kept.one);
        }
    }
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
        make_call(w);
    } else if (head->kind == LEAKS) {
        look_for_leaks(w);
    } else {
        return false;
    }
    return write_all(CHANNEL, w->reply.data, w->reply.length);
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
    make_call(&w);
    printf("%s returned.\n", w.request.call.function);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--replay") == 0)
        return replay(argv[2], argv[3]);
    return serve_checker();
}
