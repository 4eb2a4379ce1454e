/* The arrays that the learner's code gets, each in pages of its own.
 *
 *     | no access | poison |  canary  | the array | canary, up to 15 bytes | no access |
 *
 * The invariant: during a call an array can be touched at its own bytes, and nowhere around it
 * without being noticed. With AddressSanitizer everything around is poisoned, so that the very
 * access is reported. Its interface is open to the learner's code, which may take the poison away,
 * so with it and without it writes near the array change the canary, which is looked at after the
 * call, and an access beyond 15 bytes behind the array hits the page that can't be accessed. An
 * input can't be written: its pages are read-only. The pages stay from call to call; an array is
 * only placed in them anew. */
#include "worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef TRIAL /* is linked without the sanitizers */
#undef SANITIZED
#define SANITIZED 0
#endif

#if SANITIZED
#include <sanitizer/asan_interface.h>
#define POISON(start, bytes) __asan_poison_memory_region(start, bytes)
#define UNPOISON(start, bytes) __asan_unpoison_memory_region(start, bytes)
#else
#define POISON(start, bytes) ((void)(start), (void)(bytes))
#define UNPOISON(start, bytes) ((void)(start), (void)(bytes))
#endif

enum { ALIGNMENT = 16, CANARY_BEFORE = 256, CANARY = 0xFE };

Array arrays[CALL_PARAMS];

static size_t page_size(void)
{
    static size_t size;
    if (!size)
        size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

static void make_room(Array *a, size_t bytes)
{
    size_t page = page_size(), room = a->room ? a->room : page;
    while (room < bytes + CANARY_BEFORE)
        room *= 2;
    if (room == a->room)
        return;
    if (a->room) {
        UNPOISON(a->base - page, a->room + 2 * page);
        munmap(a->base - page, a->room + 2 * page);
    }
    char *pages = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, room, PROT_READ | PROT_WRITE) != 0)
        abort();
    *a = (Array){.base = pages + page, .room = room};
    POISON(pages, room + 2 * page);
}

/* The canary's two parts: from `*before` to the array, and from `*after` to the end. */
static void canary(const Array *a, char **before, char **after)
{
    *before = a->start - CANARY_BEFORE;
    *after = a->start + a->bytes;
}

float *array_open(int i, size_t length)
{
    Array *a = &arrays[i];
    size_t bytes = length * sizeof(float);
    make_room(a, bytes);
    if (a->read_only)
        mprotect(a->base, a->room, PROT_READ | PROT_WRITE);
    a->read_only = false;
    a->bytes = bytes;
    a->start = a->base + a->room - (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *before, *after;
    canary(a, &before, &after);
    const size_t behind = (size_t)(a->base + a->room - after);
    UNPOISON(before, CANARY_BEFORE + bytes + behind);
    memset(before, CANARY, CANARY_BEFORE);
    memset(after, CANARY, behind);
    POISON(before, CANARY_BEFORE);
    POISON(after, behind);
    return (float *)(void *)a->start;
}

void array_protect(int i)
{
    arrays[i].read_only = true;
    mprotect(arrays[i].base, arrays[i].room, PROT_READ);
}

/* All of it: every byte is like the next, and the first is right. */
static bool is_canary(const char *from, const char *to)
{
    return from == to ||
           ((unsigned char)*from == CANARY && !memcmp(from, from + 1, (size_t)(to - from) - 1));
}

/* False: `report` says where it has changed. */
static bool canary_lives(const Array *a, WireReport *report)
{
    char *before, *after;
    canary(a, &before, &after);
    if (is_canary(before, a->start) && is_canary(after, a->base + a->room))
        return true;
    for (char *c = before; c < a->base + a->room; c++) {
        if (c == a->start)
            c = after;
        if (c < a->base + a->room && (unsigned char)*c != CANARY) {
            *report = (WireReport){.kind = BY_CANARY, .writes = 1};
            array_locate(report, (uintptr_t)c);
            return false;
        }
    }
    return true;
}

bool array_close(int i, WireReport *report)
{
    Array *a = &arrays[i];
    char *from = a->start - CANARY_BEFORE;
    const size_t all = (size_t)(a->base + a->room - from);
    UNPOISON(from, all);
    bool lives = canary_lives(a, report);
    POISON(from, all);
    return lives;
}

void array_locate(WireReport *report, uintptr_t address)
{
    report->address = address;
    report->param = -1;
    for (int i = 0; i < CALL_PARAMS; i++) {
        uintptr_t base = (uintptr_t)arrays[i].base, page = page_size();
        if (arrays[i].room && address >= base - page && address < base + arrays[i].room + page) {
            report->param = i;
            report->offset = (int64_t)(address - (uintptr_t)arrays[i].start);
            if (arrays[i].read_only && address - (uintptr_t)arrays[i].start < arrays[i].bytes)
                report->writes = 1; /* nothing else fails there */
        }
    }
}
