/* The arrays that the learner's code gets, each in pages of its own.
 *
 *     | no access | poison | canary | the array | canary, up to 15 bytes | no access |
 *     | no access | the array | canary | poison                          | no access |
 *
 * The invariant: during a call an array can be touched at its own bytes, and nowhere around it
 * without being noticed. With AddressSanitizer everything around is poisoned, so that the very
 * access is reported. What the learner's code does to the poison is of no use to it: with and
 * without sanitizers writes near the array change the canary, which is looked at after the call, an
 * access beyond 15 bytes behind the array hits the page there, and, when a call is made again and
 * the array lies as in the second line, any access before it hits that page. An input can't be
 * written: its pages are read-only. The pages stay from call to call; an array is only placed in
 * them anew, from aside: they are there twice, and at the second address all can be written. So
 * what a parameter allows is changed only where another kind of it comes, and not twice in each
 * call, which would take longer than most of the functions. */
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

enum { ALIGNMENT = 16, CANARY_BYTES = 256, CANARY = 0xFE };

Array arrays[CALL_PARAMS];

static size_t page_size(void)
{
    static size_t size;
    if (!size)
        size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

/* How far from there the same pages are once more; 0: this system has them once only. */
static ptrdiff_t put_aside(char *pages, size_t bytes)
{
#ifdef MREMAP_MAYMOVE
    char *second = mremap(pages, 0, bytes, MREMAP_MAYMOVE);
    return second == MAP_FAILED ? 0 : second - pages;
#else
    (void)pages, (void)bytes;
    return 0;
#endif
}

static void make_room(Array *a, size_t bytes)
{
    size_t page = page_size(), room = a->room ? a->room : page;
    while (room < bytes + CANARY_BYTES)
        room *= 2;
    if (room == a->room)
        return;
    if (a->room) {
        UNPOISON(a->base - page, a->room + 2 * page);
        munmap(a->base - page, a->room + 2 * page);
        if (a->aside)
            munmap(a->base - page + a->aside, a->room + 2 * page);
    }
    char *pages = mmap(NULL, room + 2 * page, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        abort();
    *a = (Array){.base = pages + page, .room = room, .aside = put_aside(pages, room + 2 * page)};
    if (mprotect(a->base, room, PROT_READ | PROT_WRITE) != 0 ||
        mprotect(a->base + a->aside, room, PROT_READ | PROT_WRITE) != 0)
        abort();
    POISON(pages, room + 2 * page);
}

static void allow(Array *a, bool read_only)
{
    if (a->read_only != read_only &&
        mprotect(a->base, a->room, read_only ? PROT_READ : PROT_READ | PROT_WRITE) != 0)
        abort();
    a->read_only = read_only;
}

/* The canary's two parts: from `*before` to the array, and from behind it to `*end`. */
static void canary(const Array *a, char **before, char **end)
{
    char *last = a->base + a->room, *after = a->start + a->bytes;
    *before = a->start == a->base ? a->start : a->start - CANARY_BYTES;
    *end = last - after < CANARY_BYTES ? last : after + CANARY_BYTES;
}

float *array_open(int i, size_t length, Place place)
{
    Array *a = &arrays[i];
    size_t bytes = length * sizeof(float);
    make_room(a, bytes);
    if (!a->aside)
        allow(a, false);
    a->bytes = bytes;
    a->start = a->base;
    if (place == BEFORE_A_WALL)
        a->start += a->room - (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *before, *end, *after = a->start + bytes;
    canary(a, &before, &end);
    POISON(a->base, a->room);
    UNPOISON(before, (size_t)(end - before));
    memset(before + a->aside, CANARY, (size_t)(a->start - before));
    memset(after + a->aside, CANARY, (size_t)(end - after));
    POISON(before, (size_t)(a->start - before));
    POISON(after, (size_t)(end - after));
    return (float *)(void *)(a->start + a->aside);
}

void array_lend(int i, bool read_only)
{
    allow(&arrays[i], read_only);
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
    char *before, *end, *after = a->start + a->bytes;
    canary(a, &before, &end);
    if (is_canary(before, a->start) && is_canary(after, end))
        return true;
    for (char *c = before; c < end; c++) {
        if (c == a->start)
            c = after;
        if (c < end && (unsigned char)*c != CANARY) {
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
    char *from, *end;
    canary(a, &from, &end);
    UNPOISON(from, (size_t)(end - from));
    bool lives = canary_lives(a, report);
    POISON(from, (size_t)(end - from));
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
