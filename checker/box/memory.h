/* For a lesson's calls.c, which includes it once: stands between malloc and what is linked with it,
 * the learner's file. Memory runs out when a lesson wants it to, blocks and mapped pages are
 * counted, and what malloc gives holds garbage.
 *
 * The invariant: only the learner's file and calls.c come here. The shared object that they are in
 * finds its own malloc first; the worker, the sanitizers and the C library never see it. */
#ifndef MEMORY_H
#define MEMORY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- worker.c ---- */
void *__calls_library(const char *name); /* looked up where no name is a learner's */
int64_t __calls_blocks(void);            /* all there are */

/* ---- what is counted ---- */
enum { NOTED_BLOCKS = 4096, GARBAGE_BYTES = 4096 };

/* A block of malloc's, or pages: those of mmap, or what sbrk has added. From `start` to `end`. */
struct held {
    enum { BLOCK, MAPPED, BREAK } kind;
    char *start, *end;
};

/* In order; what does not fit is only counted. */
struct notes {
    int count;
    int64_t blocks, bytes, mapped; /* the sums, of all */
    struct held noted[NOTED_BLOCKS];
};

static struct {
    int asked;                   /* allocations since fail_allocation() */
    int failing;                 /* which of them fails; 0: none; -n: the nth and all behind it */
    struct notes held;           /* that were allocated and not freed */
    struct notes left;           /* nor these, but they are not counted: see leave_since() */
    int64_t hidden, hidden_left; /* before this call; and see leave_hidden() */
} memory;

/* From now on the nth allocation gives NULL, and only that one; 0: none does; -n: nor any behind
 * it, for who copes with one that fails. */
static inline void fail_allocation(int nth)
{
    memory.asked = 0;
    memory.failing = nth;
}

/* How many there were since then: for a loop over all that can fail. */
static inline int allocations(void)
{
    return memory.asked;
}

static inline int blocks_held(void)
{
    return memory.held.count;
}

/* The C library's, or the sanitizer's that stands in its place: what the program itself uses. It is
 * looked up once. `function` is a pointer to a pointer to it. */
static inline void library(void *function, const char *name)
{
    void *known;
    memcpy(&known, function, sizeof known);
    if (known)
        return;
    known = __calls_library(name);
    memcpy(function, &known, sizeof known);
}

static inline int runs_out(void)
{
    memory.asked++;
    return memory.failing < 0 ? memory.asked >= -memory.failing : memory.asked == memory.failing;
}

static inline int noted(const struct notes *notes)
{
    return notes->count < NOTED_BLOCKS ? notes->count : NOTED_BLOCKS;
}

static inline void add_to_sums(struct notes *notes, const struct held *one, int times)
{
    const int64_t size = one->end - one->start;
    notes->blocks += one->kind == BLOCK ? times : 0;
    *(one->kind == BLOCK ? &notes->bytes : &notes->mapped) += times * size;
}

static inline void note(struct notes *notes, struct held one)
{
    add_to_sums(notes, &one, 1);
    if (notes->count < NOTED_BLOCKS)
        notes->noted[notes->count] = one;
    notes->count++;
}

static inline void forget(struct notes *notes, int at)
{
    int behind = noted(notes) - at - 1;
    add_to_sums(notes, &notes->noted[at], -1);
    notes->count--;
    memmove(&notes->noted[at], &notes->noted[at + 1], (size_t)behind * sizeof *notes->noted);
    notes->noted[at + behind] = (struct held){BLOCK, NULL, NULL};
}

static inline void *counted(void *block, size_t size)
{
    if (block)
        note(&memory.held, (struct held){BLOCK, block, (char *)block + size});
    return block;
}

static inline int forget_block(struct notes *notes, const void *block)
{
    int at = noted(notes) - 1;
    while (at >= 0 && (notes->noted[at].kind != BLOCK || notes->noted[at].start != block))
        at--;
    if (at >= 0)
        forget(notes, at);
    return at >= 0;
}

/* A block that is not known came from within the C library, as asprintf()'s does: it was not
 * counted, and its end is not. */
static inline void uncount(void *block)
{
    if (block && !forget_block(&memory.held, block) && !forget_block(&memory.left, block))
        memory.held.count -= memory.held.count > NOTED_BLOCKS;
}

static inline void *garbage(void *block, size_t size)
{
    return block ? memset(block, 0xa5, size < GARBAGE_BYTES ? size : GARBAGE_BYTES) : NULL;
}

/* Names that C leaves to a learner are weak: the learner's own go before them. So nothing here
 * calls one of them. */
#define OURS_IF_NO_OTHER __attribute__((weak))

void *malloc(size_t size)
{
    static void *(*real)(size_t);
    library(&real, "malloc");
    return runs_out() ? NULL : counted(garbage(real(size), size), size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*real)(size_t, size_t);
    library(&real, "calloc");
    return runs_out() ? NULL : counted(real(count, size), count * size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    static void *(*real)(size_t, size_t);
    library(&real, "aligned_alloc");
    return runs_out() ? NULL : counted(garbage(real(alignment, size), size), size);
}

OURS_IF_NO_OTHER int posix_memalign(void **block, size_t alignment, size_t size)
{
    static int (*real)(void **, size_t, size_t);
    library(&real, "posix_memalign");
    int failed = runs_out() ? ENOMEM : real(block, alignment, size);
    if (!failed)
        counted(garbage(*block, size), size);
    return failed;
}

#ifdef __GLIBC__
static inline void *aligned(size_t alignment, size_t size)
{
    static void *(*real)(size_t, size_t);
    library(&real, "memalign");
    return runs_out() ? NULL : counted(garbage(real(alignment, size), size), size);
}

OURS_IF_NO_OTHER void *memalign(size_t alignment, size_t size)
{
    return aligned(alignment, size);
}

/* Of whole pages, where pages are of 64 KB as well. */
OURS_IF_NO_OTHER void *valloc(size_t size)
{
    return aligned(1 << 16, size);
}

OURS_IF_NO_OTHER void *pvalloc(size_t size)
{
    return aligned(1 << 16, (size + 0xffff) & ~(size_t)0xffff);
}
#endif

/* A few letters are always there: what a function does without them is its own affair. */
static inline char *copied(const char *text, size_t most)
{
    static void *(*real)(size_t);
    size_t length = 0;
    library(&real, "malloc");
    while (length < most && text[length])
        length++;
    char *copy = counted(real(length + 1), length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

OURS_IF_NO_OTHER char *strndup(const char *text, size_t most)
{
    return copied(text, most);
}

OURS_IF_NO_OTHER char *strdup(const char *text)
{
    return copied(text, SIZE_MAX);
}

void *realloc(void *block, size_t size)
{
    static void *(*real)(void *, size_t);
    const int gives_back = block && !size; /* glibc's does then, and gives NULL */
    library(&real, "realloc");
    if (!gives_back && runs_out())
        return NULL;
    void *moved = real(block, size);
    if (moved || gives_back)
        uncount(block);
    return counted(moved, size);
}

OURS_IF_NO_OTHER void *reallocarray(void *block, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, count * size);
}

void free(void *block)
{
    static void (*real)(void *);
    library(&real, "free");
    uncount(block);
    real(block);
}

/* ---- pages ----
 * Who takes them from the kernel gives them back, too. */

static inline char *page_end(char *start, size_t size)
{
    static long (*real)(int);
    library(&real, "sysconf");
    size_t page = (size_t)real(_SC_PAGESIZE);
    return start + (size + page - 1) / page * page;
}

/* Pages are given back one by one, or several mappings at once. What is left of each stays held. */
static inline void forget_pages(struct notes *notes, char *start, char *end)
{
    for (int at = noted(notes) - 1; at >= 0; at--) {
        struct held pages = notes->noted[at];
        if (pages.kind == BLOCK || pages.end <= start || pages.start >= end)
            continue;
        forget(notes, at);
        if (pages.start < start)
            note(notes, (struct held){pages.kind, pages.start, start});
        if (pages.end > end)
            note(notes, (struct held){pages.kind, end, pages.end});
    }
}

static inline void uncount_pages(char *start, char *end)
{
    forget_pages(&memory.held, start, end);
    forget_pages(&memory.left, start, end);
}

static inline void count_pages(int kind, char *start, char *end)
{
    uncount_pages(start, end); /* a mapping may take another's place */
    note(&memory.held, (struct held){kind, start, end});
}

#define NO_PAGES ((void *)-1) /* what mmap(), mremap() and sbrk() give then */

static inline void *no_pages(void)
{
    errno = ENOMEM;
    return NO_PAGES;
}

static inline void *map_pages(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    library(&real, "mmap");
    char *pages = runs_out() ? no_pages() : real(at, size, rights, flags, file, offset);
    if (pages != NO_PAGES)
        count_pages(MAPPED, pages, page_end(pages, size));
    return pages;
}

OURS_IF_NO_OTHER void *mmap(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
    return map_pages(at, size, rights, flags, file, offset);
}

OURS_IF_NO_OTHER int munmap(void *pages, size_t size)
{
    static int (*real)(void *, size_t);
    library(&real, "munmap");
    int failed = real(pages, size);
    if (!failed)
        uncount_pages(pages, page_end(pages, size));
    return failed;
}

#ifdef __linux__
OURS_IF_NO_OTHER void *mmap64(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
    return map_pages(at, size, rights, flags, file, offset);
}

/* `to` is there only where the flags say so, and is ignored otherwise. */
OURS_IF_NO_OTHER void *mremap(void *pages, size_t size, size_t new_size, int flags, void *to)
{
    static void *(*real)(void *, size_t, size_t, int, void *);
    library(&real, "mremap");
    char *moved = runs_out() ? no_pages() : real(pages, size, new_size, flags, to);
    if (moved != NO_PAGES) {
        uncount_pages(pages, page_end(pages, size));
        count_pages(MAPPED, moved, page_end(moved, new_size));
    }
    return moved;
}

OURS_IF_NO_OTHER void *sbrk(intptr_t more)
{
    static void *(*real)(intptr_t);
    library(&real, "sbrk");
    char *before = more > 0 && runs_out() ? no_pages() : real(more);
    if (before == NO_PAGES)
        return before;
    if (more > 0)
        count_pages(BREAK, before, before + more);
    else
        uncount_pages(before + more, before);
    return before;
}
#endif

/* ---- what is left ---- */
/* From now on nothing counts that was allocated since blocks_held() was `held`, in no look for
 * leaks either: where nobody is asked to free it. It is not freed, for it may be a store that the
 * learner keeps and goes on with. */
static inline void leave_since(int held)
{
    while (memory.held.count > held) {
        int last = memory.held.count - 1;
        if (last < NOTED_BLOCKS) {
            note(&memory.left, memory.held.noted[last]);
            add_to_sums(&memory.held, &memory.held.noted[last], -1);
        }
        memory.held.count--;
    }
}

/* Blocks that only the worker sees: its own, and what the C library takes for a learner, as
 * tsearch() does. Without sanitizers it sees none at all. */
static inline int64_t hidden_blocks(void)
{
    const int64_t all = __calls_blocks();
    return all ? all - memory.held.blocks - memory.left.blocks : 0;
}

/* Nor does what of these has come in this call, until it goes. */
static inline void leave_hidden(void)
{
    const int64_t more = hidden_blocks() - memory.hidden;
    memory.hidden_left += more > 0 ? more : 0;
}

/* For the worker, which counts all that is allocated, before and after each call. */
void __calls_left(int64_t *blocks, int64_t *bytes, int64_t *mapped)
{
    const int64_t gone = memory.hidden - hidden_blocks();
    memory.hidden_left -= gone > 0 ? gone : 0;
    memory.hidden_left = memory.hidden_left > 0 ? memory.hidden_left : 0;
    memory.hidden -= gone;
    *blocks = memory.left.blocks + memory.hidden_left;
    *bytes = memory.left.bytes;
    *mapped = memory.left.mapped;
}

#endif
