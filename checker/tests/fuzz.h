/* What the fuzz targets share. A target hands one input to one parser; what it must never do is
 * crash, overrun (the sanitizers see it), leak, hang, or end the program; and where an answer can
 * be held against something, require() does so. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

extern const char lesson_name[];
const char lesson_name[] = "01_layer_norm"; /* which a checker would have */

#define require(holds) require_at(holds, #holds, __FILE__, __LINE__)
static inline void require_at(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, what);
    abort();
}

/* The input as a string. Caller frees. */
static inline char *as_text(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1);
    require(text);
    memcpy(text, data, size);
    return text;
}

/* A path under which the input can be read, until the next call. */
static inline const char *as_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    require(!ftruncate(file, 0) && pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

/* Makes the input that file. */
static inline void write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "w");
    bool whole = file && fwrite(data, 1, size, file) == size;
    require(file && !fclose(file) && whole);
}

/* A folder of this target's own, which is entered; "build/fuzz/scratch/NAME". */
static inline void enter_scratch(const char *name)
{
    char command[256];
    snprintf(command, sizeof command,
             "rm -rf build/fuzz/scratch/%s && mkdir -p build/fuzz/scratch/%s", name, name);
    require(!system(command));
    snprintf(command, sizeof command, "build/fuzz/scratch/%s", name);
    require(!chdir(command));
}

#endif
