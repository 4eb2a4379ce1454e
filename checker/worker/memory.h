/* For a lesson's calls.c, which includes it once: stands between malloc and what is linked with it,
 * the learner's file. Memory runs out when a lesson wants it to, and blocks are counted.
 *
 * The invariant: only the learner's file and calls.c come here. The shared object that they are in
 * finds its own malloc first; the worker, the sanitizers and the C library never see it. */
#ifndef MEMORY_H
#define MEMORY_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static struct {
    int asked;   /* allocations since fail_allocation() */
    int failing; /* which of them fails; 0: none */
    int held;    /* blocks that were allocated and not freed */
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

/* The C library's, or the sanitizer's that stands in its place: what the program itself uses. */
static inline void *library(const char *name)
{
    static void *program;
    if (!program)
        program = dlopen(NULL, RTLD_NOW);
    return dlsym(program, name);
}

static inline int runs_out(void)
{
    return ++memory.asked == memory.failing;
}

static inline void *counted(void *block)
{
    memory.held += block != NULL;
    return block;
}

void *malloc(size_t size)
{
    void *(*real)(size_t);
    *(void **)&real = library("malloc");
    return runs_out() ? NULL : counted(real(size));
}

void *calloc(size_t count, size_t size)
{
    void *(*real)(size_t, size_t);
    *(void **)&real = library("calloc");
    return runs_out() ? NULL : counted(real(count, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    void *(*real)(size_t, size_t);
    *(void **)&real = library("aligned_alloc");
    return runs_out() ? NULL : counted(real(alignment, size));
}

void *realloc(void *block, size_t size)
{
    void *(*real)(void *, size_t);
    *(void **)&real = library("realloc");
    if (runs_out())
        return NULL;
    void *moved = real(block, size);
    memory.held += !block && moved;
    return moved;
}

void free(void *block)
{
    void (*real)(void *);
    *(void **)&real = library("free");
    memory.held -= block != NULL;
    real(block);
}

#endif
