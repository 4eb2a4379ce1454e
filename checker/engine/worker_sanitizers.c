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

/* Blocks allocated since the last look and not freed. A leak that matters makes few. */
static const volatile void *blocks[512];
static size_t block_count, block_bytes;
static size_t memory_limit, live_bytes;
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
    bool enough = (live_bytes += size) > memory_limit;
    if (block_count < sizeof blocks / sizeof *blocks) {
        blocks[block_count++] = block;
        block_bytes += size;
    }
    atomic_flag_clear(&busy);
    if (enough && end_watching()) {
        WireReport report = {.kind = BY_MEMORY, .param = -1};
        end_worker(&report);
    }
}

static void on_free(const volatile void *block)
{
    bool ours = block && __sanitizer_get_ownership(block);
    size_t size = ours ? __sanitizer_get_allocated_size(block) : 0;
    if (atomic_flag_test_and_set(&busy))
        return;
    live_bytes -= size < live_bytes ? size : live_bytes;
    for (size_t i = block_count; i-- > 0;) {
        if (blocks[i] == block) {
            blocks[i] = blocks[--block_count];
            block_bytes -= size;
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
    Allocations found = {block_count, block_bytes, NULL};
    if (block_count > 0)
        found.one = (const void *)(uintptr_t)blocks[block_count - 1];
    block_count = block_bytes = 0;
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
