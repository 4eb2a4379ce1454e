/* An object made for speed: for labs, whose functions have passed their checks already, and for the
 * race, which judges what they give. The compiler runs behind the same door as in a check. */
#include "box.h"

#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#define OPTIONS "-shared -undefined dynamic_lookup"
#else
#define OPTIONS "-shared -Wl,-Bsymbolic"
#endif

bool optimized_build(const char *lesson, const char *source, const char *object, const char *folder,
                     const char *const *speed, const char *what)
{
    enum { ROOM = 40, MORE = 12, MOST_SPEED = 4 };
    const char *argv[ROOM + MORE + MOST_SPEED];
    char words[] = LEARNER_CC " -std=gnu11 -g -O3 -w -fPIC " OPTIONS, *rest;
    char *header = format_text("include/%s.h", lesson), *output = NULL;
    int count = 0, status = -1;
    for (char *word = strtok_r(words, " ", &rest); word && count < ROOM;
         word = strtok_r(NULL, " ", &rest))
        argv[count++] = word;
    const char *more[] = {"-Iinclude", "-include", header, "-o", object, "-x", "c", source, "-lm"};
    memcpy(argv + count, more, sizeof more);
    count += (int)(sizeof more / sizeof *more);
    for (int i = 0; i < MOST_SPEED && speed[i]; i++)
        argv[count++] = speed[i];
    argv[count] = NULL;
    Launch launch = {
        .argv = argv,
        .limits = {.file_bytes = 64L << 20, .cpu_seconds = 20, .address_bytes = 2L << 30},
        .source = source,
        .folder = folder};
    Child compiler;
    bool built = child_start(&compiler, &launch) &&
                 child_finish(&compiler, 120, &output, &status) && status == 0;
    if (!built)
        fprintf(stderr, "%s could not be compiled for %s.\n", source, what);
    if (!built && output && *output)
        write_lines(stderr, BAR, BAR, output, strlen(output));
    free(output);
    free(header);
    return built;
}
