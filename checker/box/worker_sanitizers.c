/* What the sanitizers tell the worker: errors at the moment they are found, and every allocation;
 * and what the kernel tells of its address space and its threads, with sanitizers and without.
 *
 * The invariant: a sanitizer never prints and never ends the process by itself. Its report becomes
 * a WireReport like every other end. Without sanitizers only what is mapped can leak. */
#include "worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#if SANITIZED
#include <sanitizer/asan_interface.h>
#include <stdatomic.h>

/* Interfaces of both runtimes for which gcc installs no header. */
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *block);
size_t
__sanitizer_get_heap_size(void); /* mapped for blocks, those freed and kept for a while too */
int __sanitizer_get_ownership(const volatile void *block);
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                     unsigned *line, unsigned *column, char **address);
void __ubsan_on_report(void);
const char *__ubsan_default_options(void);

static size_t memory_limit;
/* Less what was there before the hooks. Exact, whatever the learner's threads do at one moment: a
 * call that frees all has kept none. */
static _Atomic int64_t live_blocks, live_bytes;
/* The first blocks allocated since note_blocks_anew(), without those freed again. */
static const volatile void *recent[512];
static size_t recent_count;
static atomic_flag busy = ATOMIC_FLAG_INIT; /* recent is being changed */

EXPORTED const char *__asan_default_options(void)
{
    return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
           "handle_abort=0:handle_sigtrap=0:use_sigaltstack=0:symbolize=0:detect_odr_violation=0:"
           "quarantine_size_mb=16:malloc_context_size=12:allocator_may_return_null=0:"
           "detect_stack_use_after_return=1";
}

EXPORTED const char *__ubsan_default_options(void)
{
    return "symbolize=0";
}

EXPORTED void __asan_on_error(void)
{
    WireReport report = {.kind = BY_ASAN, .param = -1, .writes = -1};
    if (!memory_limit)
        return; /* no checker listens: a debugger's user reads what AddressSanitizer prints */
    snprintf(report.what, sizeof report.what, "%s", __asan_get_report_description());
    array_locate(&report, (uintptr_t)__asan_get_report_address());
    report.size = __asan_get_report_access_size();
    report.writes = __asan_get_report_access_type();
    end_worker(&report);
}

EXPORTED void __ubsan_on_report(void)
{
    const char *kind, *message, *file;
    unsigned line, column;
    char *address;
    WireReport report = {.kind = BY_UBSAN, .param = -1};
    if (!memory_limit)
        return;
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    snprintf(report.what, sizeof report.what, "%s", kind);
    snprintf(report.detail, sizeof report.detail, "%s", message);
    end_worker(&report);
}

/* Where a block was allocated is told of one that is noted; to miss one of two threads' is no harm.
 */
static void note_recent(const volatile void *block)
{
    if (atomic_flag_test_and_set(&busy))
        return;
    if (recent_count < sizeof recent / sizeof *recent)
        recent[recent_count++] = block;
    atomic_flag_clear(&busy);
}

static void forget_recent(const volatile void *block)
{
    if (atomic_flag_test_and_set(&busy))
        return;
    for (size_t i = recent_count; i-- > 0;) {
        if (recent[i] == block) {
            recent[i] = recent[--recent_count];
            break;
        }
    }
    atomic_flag_clear(&busy);
}

static void on_malloc(const volatile void *block, size_t size)
{
    atomic_fetch_add(&live_blocks, 1);
    int64_t bytes = atomic_fetch_add(&live_bytes, (int64_t)size) + (int64_t)size;
    note_recent(block);
    if (bytes > (int64_t)memory_limit && end_watching()) {
        WireReport report = {.kind = BY_MEMORY, .param = -1};
        end_worker(&report);
    }
}

static void on_free(const volatile void *block)
{
    if (!block || !__sanitizer_get_ownership(block))
        return;
    atomic_fetch_sub(&live_blocks, 1);
    atomic_fetch_sub(&live_bytes, (int64_t)__sanitizer_get_allocated_size(block));
    forget_recent(block);
}

static void listen_to_sanitizers(size_t limit)
{
    memory_limit = limit;
    /* AddressSanitizer begins to print before it calls. */
    __sanitizer_set_report_fd((void *)(intptr_t)open("/dev/null", O_WRONLY));
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

static int64_t held_by_allocator(void)
{
    return (int64_t)__sanitizer_get_heap_size();
}

Memory blocks_in_use(void)
{
    return (Memory){.blocks = live_blocks, .bytes = live_bytes};
}

void note_blocks_anew(void)
{
    recent_count = 0;
}

void allocation_frames(WireReport *report)
{
    void *addresses[MAX_FRAMES];
    int thread;
    const size_t noted = recent_count; /* a thread may change it */
    if (noted == 0)
        return;
    void *block = (void *)(uintptr_t)recent[noted - 1];
    size_t count = __asan_get_alloc_stack(block, addresses, MAX_FRAMES, &thread);
    keep_frames(report, addresses, (int)count, NULL);
}

#else

/* There are none. How many threads there are at one moment is chance, and for each malloc would map
 * memory of its own.
 */
static void listen_to_sanitizers(size_t limit)
{
    (void)limit;
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
}

static int64_t held_by_allocator(void)
{
    return 0;
}

Memory blocks_in_use(void)
{
    return (Memory){0};
}

void note_blocks_anew(void)
{
}

void allocation_frames(WireReport *report)
{
    (void)report;
}

#endif

/* ---- the address space, and who shares it ---- */
/* Two files of /proc/self/, opened before that is refused. Before and after each call it is the
 * second that is read: the first says it too, but everything else with it. */
static int stat_file = -1, statm_file = -1;

void memory_prepare(size_t limit)
{
    stat_file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    statm_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    listen_to_sanitizers(limit);
}

/* "": the system does not say, or the learner's code has closed what says it. */
static void read_anew(int file, char *text, size_t size)
{
    ssize_t got = pread(file, text, size - 1, 0);
    text[got > 0 ? got : 0] = '\0';
}

bool has_other_threads(void)
{
    char text[1024];
    long threads = 0;
    read_anew(stat_file, text, sizeof text);
    /* Behind the name, which may be of any characters; the 20th field. */
    const char *fields = strrchr(text, ')');
    return fields &&
           sscanf(fields,
                  ") %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld",
                  &threads) == 1 &&
           threads > 1;
}

/* The bytes of the address space: the first field, in pages. */
static int64_t address_space(void)
{
    char text[128];
    int64_t pages = 0;
    read_anew(statm_file, text, sizeof text);
    for (const char *c = text; *c >= '0' && *c <= '9'; c++)
        pages = 10 * pages + (*c - '0');
    return pages * sysconf(_SC_PAGESIZE);
}

Memory memory_in_use(void)
{
    Memory found = blocks_in_use();
    found.mapped = address_space() - held_by_allocator();
    return found;
}
