/* The core with a runner that runs nothing, on a machine without processes: what another place than
 * a terminal has to bring, and all of it. test_core.py builds it as WebAssembly.
 *
 *     core_page FILE     checks that file as the lesson's program would */
#include "line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the machine: run/system.h ---- */
char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    Buffer text = {0};
    while (file && !feof(file) && !ferror(file))
        text.length += fread(buffer_room(&text, 4096), 1, 4096, file);
    if (!file)
        return NULL;
    fclose(file);
    if (length)
        *length = text.length;
    buffer_append(&text, "", 1);
    return text.data;
}

bool is_readable(const char *path)
{
    FILE *file = fopen(path, "rb");
    return file && fclose(file) == 0;
}

double clock_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double processor_time(void)
{
    return clock_now();
}

bool locale_is_utf8(void)
{
    return false;
}

bool colour_wanted(void)
{
    return false;
}

int terminal_columns(FILE *out)
{
    (void)out;
    return INT_MAX;
}

char *read_beside(const char *source, const char *name)
{
    (void)source, (void)name;
    return NULL;
}

/* ---- a runner that runs nothing ---- */
struct Runner {
    int none;
};
static Runner nobody;

static Runner *begin(const RunnerOptions *options)
{
    (void)options;
    return &nobody;
}

static bool ready(Runner *runner, char *error, size_t error_size, const char **advice)
{
    (void)runner;
    *advice = NULL; /* it is no fault of the file */
    snprintf(error, error_size, "there is nobody here to run it.");
    return false;
}

static char *nothing_is_missing(void)
{
    return NULL;
}

static const Runners nobodies = {
    .begin = begin, .ready = ready, .missing_protections = nothing_is_missing};

int main(int argc, char **argv)
{
    Report report = {.words = {.hint = NULL}};
    const Listener listener = {report_hear, stdout, HUMAN};
    CheckOptions options = {
        .runners = &nobodies, .source = argc > 1 ? argv[1] : "", .call_limit = 2, .seed = 1};
    options.text = read_file(options.source, &options.length);
    options.refused = "it can't be read";
    check_lesson(&options, NULL, &report, &listener);
    report_free(&report);
    return !delivered(stdout);
}
