/* Whose functions the lab runs: the learner's of every lesson that passes its checks as it is now,
 * the solution's otherwise. Of the lab's own lesson the learner may ask for theirs as it is, and of
 * all of them for those of a folder, which are run unchecked.
 *
 * They are compiled for speed and without sanitizers: the checks have had their say already. The
 * compiler runs behind the same door as in a check. The invariant: this program never loads what it
 * made here, but for its child. */
#include "labs.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "box.h"

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

static int part_of(const Parts *parts, const char *name)
{
    int i = 0;
    while (i < parts->count && strcmp(parts->items[i].lesson, name))
        i++;
    return i;
}

void name_parts(Parts *parts, const char *folder)
{
    parts->count = 0;
    for (const LabFunction *f = lab.functions; f->name; f++) {
        int i = part_of(parts, f->lesson);
        if (i < parts->count)
            continue;
        if (i == MOST_PARTS)
            author_error("a lab runs functions of up to %d lessons", MOST_PARTS);
        Part *part = &parts->items[parts->count++];
        *part = (Part){.lesson = f->lesson};
        snprintf(part->object, sizeof part->object, "%s/%s.so", folder, f->lesson);
    }
}

void free_parts(Parts *parts)
{
    for (int i = 0; i < parts->count; i++)
        free(parts->items[i].source);
}

bool passed_its_checks(const Parts *parts, int part)
{
    bool checked = part < 0 || parts->items[part].passed;
    for (int i = 0; part < 0 && i < parts->count; i++)
        checked = checked && !parts->items[i].unchecked;
    return checked;
}

/* The file that was asked for by name; NULL: none was. Caller frees. */
static char *named_source(const Part *part, const char *from)
{
    struct stat info;
    bool folder = from && !stat(from, &info) && S_ISDIR(info.st_mode);
    if (!from || (!folder && strcmp(part->lesson, lesson_name)))
        return NULL;
    return folder ? format_text("%s/%s.c", from, part->lesson) : format_text("%s", from);
}

bool choose_parts(FILE *out, Parts *parts, const char *folder, bool mine, const char *from)
{
    bool all = true, named = true;
    name_parts(parts, folder);
    fputs("The functions that this lab runs:\n", out);
    for (int i = 0; i < parts->count; i++) {
        Part *part = &parts->items[i];
        if ((part->source = named_source(part, from))) {
            bool there = !access(part->source, R_OK);
            part->unchecked = true;
            fprintf(out, "  %-29s %s\n", part->source, there ? "as asked for" : "missing");
            named = named && there;
            continue;
        }
        char *own = format_text("exercises/%s.c", part->lesson);
        part->passed = passes(part->lesson, own, folder);
        bool asked_for = mine && !strcmp(part->lesson, lesson_name);
        part->unchecked = asked_for && !part->passed;
        part->source = format_text("%s/%s.c", part->passed || asked_for ? "exercises" : "solutions",
                                   part->lesson);
        if (part->passed)
            fprintf(out, "  %-29s yours\n", own);
        else if (asked_for)
            fprintf(out, "  %-29s yours, which does not pass yet: MINE=yes\n", own);
        else if (!access(part->source, R_OK))
            fprintf(out, "  %-29s the solution's: %s does not pass yet\n", part->source, own);
        else {
            fprintf(out, "  %-29s missing: it does not pass yet, and there is no solution\n", own);
            all = false;
        }
        free(own);
    }
    fflush(out);
    if (!all)
        fputs("This lab runs on your own functions: write those that are missing.\n", stderr);
    if (!named)
        fputs("A lab runs on a folder with all of these files, or on a file of its own lesson.\n",
              stderr);
    return all && named;
}

/* ---- compiling ---- */
/* Wider registers change no number: no sum is reordered, and products are rounded before they are
 * added. NULL: the compiler is not asked. */
static const char *wide_registers(void)
{
#if defined __x86_64__ && defined __linux__ /* for a Mac this takes a library of the compiler's */
    return __builtin_cpu_supports("avx2") ? "-mavx2" : "-msse2";
#else
    return NULL;
#endif
}

bool build_parts(const Parts *parts, const char *folder)
{
    const char *speed[] = {"-ffp-contract=off", wide_registers(), NULL};
    for (int i = 0; i < parts->count; i++) {
        const Part *part = &parts->items[i];
        if (!optimized_build(part->lesson, part->source, part->object, folder, speed, "the lab"))
            return false;
    }
    return true;
}

/* ---- loading ---- */
const char *load_parts(const Parts *parts)
{
    void *loaded[MOST_PARTS];
    for (int i = 0; i < parts->count; i++)
        if (!(loaded[i] = dlopen(parts->items[i].object, RTLD_NOW | RTLD_LOCAL)))
            return dlerror();
    for (const LabFunction *f = lab.functions; f->name; f++) {
        void *function = dlsym(loaded[part_of(parts, f->lesson)], f->name);
        if (!function)
            return dlerror();
        memcpy(f->place, &function, sizeof function);
    }
    return NULL;
}
