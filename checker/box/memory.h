/* For a lesson's calls.c, which includes it once: stands between malloc and what is linked with it,
 * the learner's file. Memory runs out when a lesson wants it to, blocks are counted, and what
 * malloc gives holds garbage.
 *
 * The invariant: only the learner's file and calls.c come here. The shared object that they are in
 * finds its own malloc first; the worker, the sanitizers and the C library never see it. */
#ifndef MEMORY_H
#define MEMORY_H

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NOTED_BLOCKS = 4096, GARBAGE_BYTES = 4096 };

static struct {
    int asked;                 /* allocations since fail_allocation() */
    int failing;               /* which of them fails; 0: none */
    int held;                  /* blocks that were allocated and not freed */
    void *block[NOTED_BLOCKS]; /* these, in order; what does not fit is only counted */
} memory;

/* From now on the nth allocation gives NULL, and only that one; 0: none does. */
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
    return memory.held;
}

/* The C library's, or the sanitizer's that stands in its place: what the program itself uses. It is
 * looked up once. `function` is a pointer to a pointer to it. */
static inline void library(void *function, const char *name)
{
    void *known;
    memcpy(&known, function, sizeof known);
    if (known)
        return;
    known = dlsym(dlopen(NULL, RTLD_NOW), name);
    memcpy(function, &known, sizeof known);
}

static inline int runs_out(void)
{
    return ++memory.asked == memory.failing;
}

static inline void *counted(void *block)
{
    if (block && memory.held < NOTED_BLOCKS)
        memory.block[memory.held] = block;
    memory.held += block != NULL;
    return block;
}

/* A block that is not known came from within the C library, as asprintf()'s does: it was not
 * counted, and its end is not. */
static inline void uncount(void *block)
{
    int noted = memory.held < NOTED_BLOCKS ? memory.held : NOTED_BLOCKS, at = noted - 1;
    while (at >= 0 && memory.block[at] != block)
        at--;
    if (at < 0) {
        memory.held -= block && memory.held > NOTED_BLOCKS;
        return;
    }
    memory.held--;
    memmove(&memory.block[at], &memory.block[at + 1],
            (size_t)(noted - at - 1) * sizeof *memory.block);
    memory.block[noted - 1] = NULL;
}

static inline void *garbage(void *block, size_t size)
{
    return block ? memset(block, 0xa5, size < GARBAGE_BYTES ? size : GARBAGE_BYTES) : NULL;
}

void *malloc(size_t size)
{
    static void *(*real)(size_t);
    library(&real, "malloc");
    return runs_out() ? NULL : counted(garbage(real(size), size));
}

void *calloc(size_t count, size_t size)
{
    static void *(*real)(size_t, size_t);
    library(&real, "calloc");
    return runs_out() ? NULL : counted(real(count, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    static void *(*real)(size_t, size_t);
    library(&real, "aligned_alloc");
    return runs_out() ? NULL : counted(garbage(real(alignment, size), size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    static int (*real)(void **, size_t, size_t);
    library(&real, "posix_memalign");
    int failed = runs_out() ? ENOMEM : real(block, alignment, size);
    if (!failed)
        counted(garbage(*block, size));
    return failed;
}

#ifdef __GLIBC__
void *memalign(size_t alignment, size_t size)
{
    static void *(*real)(size_t, size_t);
    library(&real, "memalign");
    return runs_out() ? NULL : counted(garbage(real(alignment, size), size));
}

/* Of whole pages, where pages are of 64 KB as well. */
void *valloc(size_t size)
{
    return memalign(1 << 16, size);
}

void *pvalloc(size_t size)
{
    return memalign(1 << 16, (size + 0xffff) & ~(size_t)0xffff);
}
#endif

/* A few letters are always there: what a function does without them is its own affair. */
char *strndup(const char *text, size_t most)
{
    static void *(*real)(size_t);
    size_t length = 0;
    library(&real, "malloc");
    while (length < most && text[length])
        length++;
    char *copy = counted(real(length + 1));
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *strdup(const char *text)
{
    return strndup(text, SIZE_MAX);
}

void *realloc(void *block, size_t size)
{
    static void *(*real)(void *, size_t);
    library(&real, "realloc");
    if (runs_out())
        return NULL;
    void *moved = real(block, size);
    if (moved) {
        uncount(block);
        counted(moved);
    }
    return moved;
}

void *reallocarray(void *block, size_t count, size_t size)
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

/* Frees what was allocated since blocks_held() was `held`: where the learner's own function that
 * does so is not asked for. */
static inline void free_since(int held)
{
    for (int at = memory.held < NOTED_BLOCKS ? memory.held : NOTED_BLOCKS; at > held; at--)
        free(memory.block[at - 1]);
}

#endif
