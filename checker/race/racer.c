/* build/racer: calls one object's functions on arrays in shared memory, as often as it is told, and
 * says when it has.
 *
 * The invariant: before the first line of the object's code runs, the sandbox is closed. No clock
 * is read here and nothing is judged: this process is believed nothing. What it is given it can't
 * write to. It is linked without sanitizers, with the worker's way of calling and of ending. */
#include "racer.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker.h"

typedef struct {
    char *in, *out;
    void *object;
    Buffer reply;
} Racer;

/* For worker_end.c: there are no sanitizers here to hold back. */
void memory_prepare(size_t memory_limit)
{
    (void)memory_limit;
}

static void reply(Racer *racer, FrameKind kind, uint64_t token, const void *data, size_t length)
{
    frame_open(&racer->reply, kind, token);
    buffer_append(&racer->reply, data, length);
    frame_close(&racer->reply);
    if (!write_all(CHANNEL, racer->reply.data, racer->reply.length))
        _exit(WORKER_CUT);
}

/* What is shared, all of it. NULL: it can't be. */
static char *map(int file, int rights)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return NULL;
    char *at = mmap(NULL, (size_t)info.st_size, rights, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void load(Racer *racer, const char *path, uint64_t token)
{
    static char name[64];
    WireLoaded loaded = {""};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    racer->in = map(RACER_IN, PROT_READ);
    racer->out = map(RACER_OUT, PROT_READ | PROT_WRITE);
    close(RACER_IN);
    close(RACER_OUT);
    if (must_leave_root()) {
        name_by_descriptor(name, sizeof name, fd);
        path = name;
    }
    end_prepare(path, fd, 0);
    const char *refused = racer->in && racer->out ? close_doors(path) : "no memory can be shared";
    reply(racer, LOADING, token, NULL, 0);
    end_watch();
    racer->object = refused ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    end_unwatch();
    if (!racer->object)
        snprintf(loaded.error, sizeof loaded.error, "%s", refused ? refused : dlerror());
    reply(racer, LOADED, token, &loaded, sizeof loaded);
}

/* ---- calls ---- */
static void nothing(void)
{
}

static void *function_named(const Racer *racer, const char *name)
{
    void *(*copy)(void *, const void *, size_t) = memcpy;
    void (*empty)(void) = nothing;
    void *function;
    if (!strcmp(name, RACER_COPY))
        memcpy(&function, &copy, sizeof function);
    else if (!strcmp(name, RACER_NOTHING))
        memcpy(&function, &empty, sizeof function);
    else
        function = dlsym(racer->object, name);
    return function;
}

static void make_calls(const Racer *racer, void *function, const WireRace *request)
{
    Arguments arguments = {.floats = {request->scalar}};
    for (uint32_t call = 0; call < request->calls; call++) {
        for (uint32_t i = 0; i < request->count; i++) {
            const WireWord *word = &request->words[i];
            uint64_t value = word->value + call * word->step;
            arguments.words[i] = word->kind == NUMBER ? value
                                 : word->kind == AMONG_INPUTS
                                     ? (Word)(uintptr_t)(racer->in + value)
                                     : (Word)(uintptr_t)(racer->out + value);
        }
        call_with(function, &arguments);
    }
}

static bool serve(Racer *racer, const FrameHead *head, const char *payload)
{
    WireRace request;
    if (head->kind != CALL || head->length != sizeof request)
        return false;
    memcpy(&request, payload, sizeof request);
    request.function[SYMBOL_SIZE - 1] = '\0';
    void *function = request.count <= CALL_PARAMS ? function_named(racer, request.function) : NULL;
    if (function) {
        end_watch();
        make_calls(racer, function, &request);
        end_unwatch();
    }
    reply(racer, function ? ANSWER : UNKNOWN, head->token, NULL, 0);
    return true;
}

int main(void)
{
    Racer racer = {.in = NULL};
    Buffer request = {0};
    FrameHead head;
    WireLimits limits;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!frame_read(CHANNEL, &request, &head) || head.kind != LOAD || head.length <= sizeof limits)
        return WORKER_CUT;
    char *path = strndup(request.data + sizeof head + sizeof limits, head.length - sizeof limits);
    load(&racer, path, head.token);
    while (frame_read(CHANNEL, &request, &head))
        if (!serve(&racer, &head, request.data + sizeof head))
            return WORKER_CUT;
    return WORKER_CUT;
}
