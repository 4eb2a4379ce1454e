/* What the sanitizers tell the worker: errors at the moment they are found, and every allocation.
 *
 * The invariant: a sanitizer never prints and never ends the process by itself. Its report becomes
 * a WireReport like every other end. Without sanitizers this file does nothing, and nothing leaks.
 */
#include "worker.h"

#if SANITIZED

#include <sanitizer/asan_interface.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>

/* Interfaces of both runtimes for which gcc installs no header. */
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *block);
int __sanitizer_get_ownership(const volatile void *block);
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                     unsigned *line, unsigned *column, char **address);
void __ubsan_on_report(void);
const char *__ubsan_default_options(void);

static size_t memory_limit;
static int64_t live_blocks, live_bytes; /* less what was there before the hooks */
/* The first blocks allocated since the last look, without those freed again. */
static const volatile void *recent[512];
static size_t recent_count;
static atomic_flag busy = ATOMIC_FLAG_INIT;

EXPORTED const char *__asan_default_options(void)
{
    return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
           "handle_abort=0:handle_sigtrap=0:use_sigaltstack=0:symbolize=0:detect_odr_violation=0:"
           "quarantine_size_mb=16:malloc_context_size=12:allocator_may_return_null=0";
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

/* The learner's threads may allocate at the same moment. Losing count of one is no harm. */
static void on_malloc(const volatile void *block, size_t size)
{
    if (atomic_flag_test_and_set(&busy))
        return;
    live_blocks++;
    live_bytes += (int64_t)size;
    bool enough = live_bytes > (int64_t)memory_limit;
    if (recent_count < sizeof recent / sizeof *recent)
        recent[recent_count++] = block;
    atomic_flag_clear(&busy);
    if (enough && end_watching()) {
        WireReport report = {.kind = BY_MEMORY, .param = -1};
        end_worker(&report);
    }
}

static void on_free(const volatile void *block)
{
    if (!block || !__sanitizer_get_ownership(block) || atomic_flag_test_and_set(&busy))
        return;
    live_blocks--;
    live_bytes -= (int64_t)__sanitizer_get_allocated_size(block);
    for (size_t i = recent_count; i-- > 0;) {
        if (recent[i] == block) {
            recent[i] = recent[--recent_count];
            break;
        }
    }
    atomic_flag_clear(&busy);
}

void sanitizers_prepare(size_t limit)
{
    memory_limit = limit;
    /* AddressSanitizer begins to print before it calls. */
    __sanitizer_set_report_fd((void *)(intptr_t)open("/dev/null", O_WRONLY));
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

Allocations allocations_since_last(void)
{
    static int64_t blocks_before, bytes_before;
    Allocations found = {live_blocks - blocks_before, live_bytes - bytes_before, NULL};
    if (recent_count > 0)
        found.one = (const void *)(uintptr_t)recent[recent_count - 1];
    blocks_before = live_blocks;
    bytes_before = live_bytes;
    recent_count = 0;
    return found;
}

void allocation_frames(WireReport *report, const void *block)
{
    void *addresses[MAX_FRAMES];
    int thread;
    size_t count = __asan_get_alloc_stack((void *)(uintptr_t)block, addresses, MAX_FRAMES, &thread);
    keep_frames(report, addresses, (int)count, NULL);
}

#else

void sanitizers_prepare(size_t limit)
{
    (void)limit;
}

Allocations allocations_since_last(void)
{
    return (Allocations){0};
}

void allocation_frames(WireReport *report, const void *block)
{
    (void)report, (void)block;
}

#endif
