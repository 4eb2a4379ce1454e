/* From an offset in the shared object to a line of the learner's file, by asking addr2line. Only
 * needed when something has gone wrong, so it may take its 10 ms. */
#include "runner.h"

#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
static const char *const tools[] = {"atos", NULL};
#else
static const char *const tools[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14", NULL};
#endif

/* "/home/me/book/exercises/a.c:23 (discriminator 1)": 23 if it is that file. */
static long line_in(const char *text, const char *source)
{
    while (strncmp(source, "./", 2) == 0)
        source += 2;
    const char *colon = strrchr(text, ':');
    size_t length = strlen(source);
    if (!colon || (size_t)(colon - text) < length)
        return 0;
    const char *name = colon - length;
    if (strncmp(name, source, length) != 0 || (name > text && name[-1] != '/'))
        return 0;
    return strtol(colon + 1, NULL, 10);
}

static char *ask(const Runner *runner, const char *tool, const WireReport *report)
{
    char addresses[MAX_FRAMES + 2][32];
    const char *argv[MAX_FRAMES + 10] = {tool, "-i", "-e", runner->object};
    int count = 4, status;
    char *output = NULL;
    Child child;
#ifdef __APPLE__
    /* A bundle's own addresses begin at 0, so the offsets are such addresses. */
    argv[1] = "-fullPath", argv[2] = "-o", argv[3] = runner->object;
    argv[count++] = "-i";
#endif
    uint32_t frames = report->frame_count < MAX_FRAMES ? report->frame_count : MAX_FRAMES;
    for (uint32_t i = 0; i < frames + 2; i++) {
        /* Compilers leave some instructions without a line: their neighbours are asked last. */
        uint64_t address =
            i < frames ? report->frames[i] : report->frames[0] + 8 - (i - frames) * 16;
        snprintf(addresses[i], sizeof addresses[i], "0x%llx", (unsigned long long)address);
        argv[count++] = addresses[i];
    }
    argv[count] = NULL;
    Limits limits = {.file_bytes = 1 << 20, .cpu_seconds = 5, .address_bytes = 2L << 30};
    Launch launch = {argv, limits, runner->options.path, runner->folder.path, 0};
    if (!child_start(&child, &launch))
        return NULL;
    if (!child_finish(&child, 5, &output, &status) || status != 0) {
        free(output);
        return NULL;
    }
    return output;
}

void locate(const Runner *runner, const WireReport *report, char *where, size_t where_size)
{
    long line = 0;
    char *output = NULL;
    where[0] = '\0';
    for (int i = 0; !line && !output && report->frame_count > 0 && tools[i]; i++)
        output = ask(runner, tools[i], report);
    for (char *text = output; text && !line;) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        line = line_in(text, runner->options.source);
        if (!line && runner->copy[0]) /* the compiler could not give it that name */
            line = line_in(text, runner->copy);
        text = end ? end + 1 : NULL;
    }
    if (line > 0)
        snprintf(where, where_size, " at %s:%ld", runner->shown, line);
    free(output);
}
