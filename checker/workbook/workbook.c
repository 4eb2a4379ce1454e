/* build/workbook COMMAND: what the Makefile's targets start. LESSON, IMPL and the like come from
 * the environment, where make puts its variables: on the way there no shell sees them. An empty
 * value counts as none. */
#include "box.h"
#include "class.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* May the emulator run the learner's file there? */
typedef enum { NO, WHERE_NAMED, ALSO_BY_ITSELF } Emulates;

static const struct {
    const char *name;
    int (*run)(const Lessons *lessons, const WorkbookOptions *options);
    Emulates emulates;
} targets[] = {
    {"check", check_command, ALSO_BY_ITSELF},
    {"check-all", check_all_command, ALSO_BY_ITSELF},
    {"compile_commands.json", compile_commands_command, NO},
    {"debug", debug_command, WHERE_NAMED},
    {"grade", grade_command, NO},
    {"grade-one", grade_one_command, NO},
    {"grade-part", grade_part_command, NO},
    {"hint", hint_command, ALSO_BY_ITSELF},
    {"lab", lab_command, NO},
    {"lessons", lessons_command, NO},
    {"race", race_command, NO},
    {"reset", reset_command, NO},
    {"progress", progress_command, NO},
    {"start", start_command, ALSO_BY_ITSELF},
    {"verify", verify_command, NO},
    {"watch", watch_command, ALSO_BY_ITSELF},
    {"why", why_command, ALSO_BY_ITSELF},
};

#ifdef __APPLE__
#define CHANGED st_ctimespec
#else
#define CHANGED st_ctim
#endif

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

/* Has somebody put a file into the compiler's place since the set-up, newer or older? That changes
 * its status. The Makefile, which says which files these are, looks at everything else. */
static bool compiler_changed(void)
{
    char *files = format_text("%s", given_as("COMPILER_FILES") ? given_as("COMPILER_FILES") : "");
    struct stat set_up, now;
    bool changed = false;
    for (char *rest, *file = strtok_r(files, " ", &rest); file; file = strtok_r(NULL, " ", &rest))
        changed = changed || stat("build/compiler", &set_up) || stat(file, &now) ||
                  is_later(now.CHANGED, set_up.CHANGED);
    free(files);
    return changed;
}

/* It comes back only where that fails. */
static int build_and_go_on(char **argv)
{
    return build_first("build/ready", "workbook") ? become_program(argv) : 2;
}

/* As new as everything else is, or made so. */
static bool build_emulator(void)
{
    static const char stamp[] = "build/emulated";
    struct stat all, emulated;
    if (!stat("build/ready", &all) && !stat(stamp, &emulated) && emulated.st_mtime > all.st_mtime)
        return true;
    return build_first(stamp, "emulator") && !utimes(stamp, NULL);
}

/* Where nothing can hold a process, nor anybody has said what does. A grade is given by processes.
 */
static bool emulates_by_itself(Format format)
{
    return !active_layers() && !given_yes("INSIST") && !format_is_grade(format) &&
           !access("build/trial", X_OK); /* or there is no TCC, which the emulator needs */
}

/* From here on BOX is set where the emulator runs the learner's file: see checker_program(). */
static bool settle_box(Emulates emulates)
{
    const char *box = given_as("BOX"), *name = given_as("FORMAT");
    const bool named = box && !strcmp(box, "emulator");
    Format format = HUMAN;
    if (box && !named && strcmp(box, "processes")) {
        fprintf(stderr, "BOX=%s: there are BOX=emulator and BOX=processes\n", box);
        return false;
    }
    if (emulates == NO || (!named && (box || emulates != ALSO_BY_ITSELF))) {
        unsetenv("BOX");
        return true;
    }
    if (!named && name && !format_find(name, &format))
        return false;
    const bool wanted = named || emulates_by_itself(format);
    const bool there = wanted && build_emulator();
    if (there)
        setenv("BOX", "emulator", 1);
    else
        unsetenv("BOX");
    return there || !named;
}

int main(int argc, char **argv)
{
    WorkbookOptions options = {.lesson = given_as("LESSON"),
                               .step = given_as("STEP"),
                               .impl = given_as("IMPL"),
                               .format = given_as("FORMAT"),
                               .seed = given_as("SEED"),
                               .limit = given_as("LIMIT"),
                               .lessons = given_as("LESSONS")};
    Lessons lessons;
    const bool anew = compiler_changed();
    unsetenv("COMPILER_FILES"); /* to look once is enough */
    if (anew)
        return build_and_go_on(argv);
    if (options.impl && !strncmp(options.impl, "solutions", 9) && access(options.impl, F_OK) &&
        is_handout()) {
        fputs(NO_SOLUTIONS, stderr);
        return 2;
    }
    for (size_t i = 0; argc == 2 && i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(argv[1], targets[i].name)) {
            if (!settle_box(targets[i].emulates))
                return 2;
            lessons_find(&lessons);
            return targets[i].run(&lessons, &options);
        }
    fputs("workbook: unknown command; `make` lists the commands\n", stderr);
    return 2;
}
