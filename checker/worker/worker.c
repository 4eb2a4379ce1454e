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

/* ---- the call ---- */
/* Every function of a contract takes pointers, ints and floats, and returns one or nothing. In the
 * calling conventions of x86-64 and arm64 the integers and pointers are counted apart from the
 * floats: the first ones of each kind go in that kind's registers, in their own order. So one
 * function type fits all: all integers first, then all floats. Arguments that a function does not
 * have do no harm. At most eight floats, so that none goes onto the stack among the integers. */
#if !defined(__x86_64__) && !defined(__aarch64__)
#error "worker.c knows the calling conventions of x86-64 and arm64 only"
#endif
enum { INTEGER_REGISTERS = 8 };

typedef uint64_t Word;
#define ANY_ARGUMENTS                                                                              \
    Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,      \
        Word, float, float, float, float, float, float, float, float
typedef float AnyFunction(ANY_ARGUMENTS);
typedef int AnyIntFunction(ANY_ARGUMENTS);

typedef struct {
    Word words[CALL_PARAMS];
    float floats[MAX_SCALARS];
    size_t word_bytes; /* how far `words` is filled */
    int float_count;
} Arguments;

static void add_word(Arguments *a, Word value, size_t size)
{
#if defined(__APPLE__) && defined(__aarch64__)
    /* Apple's arm64 lays those beyond the registers side by side, each at its own size. */
    if (a->word_bytes < INTEGER_REGISTERS * sizeof(Word))
        size = sizeof(Word);
#else
    size = sizeof(Word);
#endif
    a->word_bytes = (a->word_bytes + size - 1) / size * size;
    memcpy((char *)a->words + a->word_bytes, &value, size); /* little-endian */
    a->word_bytes += size;
}

#define PASS_ALL(function, w, f)                                                                   \
    function(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],      \
             w[13], w[14], w[15], f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7])

static float call_with(void *function, const Arguments *a)
{
    AnyFunction *any;
    memcpy(&any, &function, sizeof any);
    return PASS_ALL(any, a->words, a->floats);
}

static int call_int_with(void *function, const Arguments *a)
{
    AnyIntFunction *any;
    memcpy(&any, &function, sizeof any);
    return PASS_ALL(any, a->words, a->floats);
}

/* ---- requests ---- */
typedef struct {
    WireCall call;
    const char *values; /* of the given arrays, one after the other */
    void *function;
    void *object;
    WireLimits limits;
    uint64_t token; /* of the request */
    Buffer reply;
} Worker;

static bool holds_array(const WireParam *p)
{
    return is_array((Role)p->role) && !p->is_null;
}

/* Splits a request's payload. False: it is not one that the checker would send. */
static bool read_call(Worker *w, const char *payload, size_t length)
{
    size_t expected = sizeof w->call;
    int floats = 0;
    if (length < expected)
        return false;
    memcpy(&w->call, payload, sizeof w->call);
    w->values = payload + sizeof w->call;
    w->call.function[NAME_SIZE - 1] = '\0';
    if (w->call.count > CALL_PARAMS)
        return false;
    for (uint32_t i = 0; i < w->call.count; i++) {
        const WireParam *p = &w->call.params[i];
        floats += p->role == SCALAR;
        if (holds_array(p) && p->length > MAX_PAYLOAD / sizeof(float))
            return false;
        if (is_given((Role)p->role) && holds_array(p))
            expected += p->length * sizeof(float);
    }
    return floats <= MAX_SCALARS && length == expected;
}

/* Places every parameter where the function is to find it. */
static Arguments place(Worker *w)
{
    Arguments a = {.word_bytes = 0};
    const char *values = w->values;
    for (int i = 0; i < (int)w->call.count; i++) {
        const WireParam *p = &w->call.params[i];
        if (p->role == SIZE)
            add_word(&a, (Word)(int64_t)p->value.size, sizeof(int));
        if (p->role == SCALAR)
            a.floats[a.float_count++] = p->value.scalar;
        if (p->is_null)
            add_word(&a, 0, sizeof(void *));
        if (!holds_array(p))
            continue;
        float *array = array_open(i, p->length);
        if (is_given((Role)p->role)) {
            memcpy(array, values, p->length * sizeof(float));
            values += p->length * sizeof(float);
        } else {
            const uint32_t untouched = UNTOUCHED_BITS;
            for (uint32_t k = 0; k < p->length; k++)
                memcpy(array + k, &untouched, sizeof untouched);
        }
        if (p->role == INPUT)
            array_protect(i);
        add_word(&a, (Word)(uintptr_t)array, sizeof(void *));
    }
    return a;
}

/* Makes the call, and puts the answer's frame together from the arrays. What it allocated and kept.
 */
static Allocations make_call(Worker *w)
{
    Arguments arguments = place(w);
    allocations_since_last();
    end_watch();
    WireAnswer answer = {.kept = 0};
    if (w->call.returns_int)
        answer.returned.whole = call_int_with(w->function, &arguments);
    else
        answer.returned.number = call_with(w->function, &arguments);
    end_unwatch();
    Allocations kept = allocations_since_last();
    answer.kept = kept.blocks > 0 ? (uint32_t)kept.blocks : 0;
    fflush(stdout);
    frame_open(&w->reply, ANSWER, w->token);
    buffer_append(&w->reply, &answer, sizeof answer);
    for (int i = 0; i < (int)w->call.count; i++) {
        WireReport report;
        if (!holds_array(&w->call.params[i]))
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
    if (!read_call(w, payload, head->length))
        return false;
    w->token = head->token;
    w->function = dlsym(w->object, w->call.function);
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

/* Closes the doors. NULL: done; else what the kernel has and yet refuses, and nothing is loaded. */
static const char *shut_in(const char *path)
{
    if (landlock_version() > 0 && !confine_files(path))
        return "Landlock is there, and can't be used";
    if (!seccomp_works())
        confine_processes();
    else if (!confine_calls())
        return "seccomp is there, and can't be used";
    return NULL;
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
    const char *refused = shut_in(path);
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
        !read_call(&w, request.data + sizeof head, head.length)) {
        fprintf(stderr, "%s holds no saved case\n", case_file);
        return 1;
    }
    w.object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    w.function = w.object ? dlsym(w.object, w.call.function) : NULL;
    if (!w.function) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    make_call(&w);
    printf("%s returned.\n", w.call.function);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--replay") == 0)
        return replay(argv[2], argv[3]);
    return serve_checker();
}
