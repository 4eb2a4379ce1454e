/* Whose functions the lab runs: the learner's of every lesson that passes its checks as it is now,
 * the solution's otherwise.
 *
 * They are compiled for speed and without sanitizers: the checks have had their say already. The
 * compiler runs behind the same door as in a check. The invariant: this program never loads what it
 * made here, but for its child. */
#include "lab.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine.h"
#include "process.h"

const char *const part_lessons[PARTS] = {"01_layer_norm", "02_backward", "03_rms_norm",
                                         "05_batch_norm"};

/* ---- choosing ---- */
/* Does the learner's file pass all its checks? Named as code to grade, so that the run does not
 * count as one of the learner's. */
static bool passes(const char *name, const char *source, const char *folder)
{
    char *program = format_text("build/%s/check", name), *output = NULL;
    const char *argv[] = {program, "--impl", source, NULL};
    Launch launch = {.argv = argv, .limits = {.file_bytes = 1L << 30}, .folder = folder};
    Child child;
    int status = -1;
    bool ran = child_start(&child, &launch) && child_finish(&child, 120, &output, &status);
    free(output);
    free(program);
    return ran && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void name_object(Part *part, int index, const char *folder)
{
    snprintf(part->object, sizeof part->object, "%s/%s.so", folder, part_lessons[index]);
}

void choose_parts(FILE *out, Part parts[PARTS], const char *folder)
{
    fputs("The functions that this lab runs:\n", out);
    for (int i = 0; i < PARTS; i++) {
        const char *name = part_lessons[i];
        char *own = format_text("exercises/%s.c", name);
        bool passed = passes(name, own, folder);
        snprintf(parts[i].source, sizeof parts[i].source, "%s/%s.c",
                 passed ? "exercises" : "solutions", name);
        name_object(&parts[i], i, folder);
        if (passed)
            fprintf(out, "  %-29s yours\n", own);
        else
            fprintf(out, "  %-29s the solution's: %s does not pass yet\n", parts[i].source, own);
        free(own);
    }
    fflush(out);
}

/* ---- compiling ---- */
#ifdef __APPLE__
#define OPTIONS "-shared -undefined dynamic_lookup"
#else
#define OPTIONS "-shared -Wl,-Bsymbolic"
#endif

static bool build_part(const Part *part, const char *name, const char *folder)
{
    enum { ROOM = 40 };
    const char *argv[ROOM + 16];
    char words[] = LEARNER_CC " -std=gnu11 -g -O2 -ffp-contract=off -w -fPIC " OPTIONS, *rest;
    char *header = format_text("include/%s.h", name), *output = NULL;
    int count = 0, status = -1;
    for (char *word = strtok_r(words, " ", &rest); word && count < ROOM;
         word = strtok_r(NULL, " ", &rest))
        argv[count++] = word;
    const char *more[] = {"-Iinclude", "-include", header,       "-o",  part->object,
                          "-x",        "c",        part->source, "-lm", NULL};
    memcpy(argv + count, more, sizeof more);
    Launch launch = {
        .argv = argv,
        .limits = {.file_bytes = 64L << 20, .cpu_seconds = 20, .address_bytes = 2L << 30},
        .source = part->source,
        .folder = folder};
    Child compiler;
    bool built = child_start(&compiler, &launch) && child_finish(&compiler, 30, &output, &status) &&
                 status == 0;
    if (!built)
        fprintf(stderr, "%s could not be compiled for the lab.\n", part->source);
    if (!built && output && *output)
        write_lines(stderr, BAR, BAR, output, strlen(output));
    free(output);
    free(header);
    return built;
}

bool build_parts(Part parts[PARTS], const char *folder)
{
    for (int i = 0; i < PARTS; i++)
        if (!build_part(&parts[i], part_lessons[i], folder))
            return false;
    return true;
}

/* ---- loading ---- */
const char *load_parts(const Part parts[PARTS], Norms *norms)
{
    const struct {
        int part;
        const char *name;
        void *place; /* a function pointer of `norms` */
    } functions[] = {
        {0, "layer_norm", &norms->layer_norm},
        {1, "layer_norm_forward", &norms->layer_norm_forward},
        {1, "layer_norm_backward", &norms->layer_norm_backward},
        {2, "rms_norm", &norms->rms_norm},
        {3, "batch_norm_train", &norms->batch_norm_train},
        {3, "batch_norm_eval", &norms->batch_norm_eval},
        {3, "batch_norm_backward", &norms->batch_norm_backward},
    };
    void *loaded[PARTS];
    for (int i = 0; i < PARTS; i++)
        if (!(loaded[i] = dlopen(parts[i].object, RTLD_NOW | RTLD_LOCAL)))
            return dlerror();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(loaded[functions[i].part], functions[i].name);
        if (!function)
            return dlerror();
        memcpy(functions[i].place, &function, sizeof function);
    }
    return NULL;
}
