/* build/workbook COMMAND: what the Makefile's targets start. LESSON, IMPL and the like come from
 * the environment, where make puts its variables: on the way there no shell sees them. An empty
 * value counts as none. */
#include "class.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(const Lessons *lessons, const WorkbookOptions *options);
} targets[] = {
    {"check", check_command},
    {"check-all", check_all_command},
    {"compile_commands.json", compile_commands_command},
    {"debug", debug_command},
    {"grade", grade_command},
    {"grade-one", grade_one_command},
    {"grade-part", grade_part_command},
    {"hint", hint_command},
    {"lab", lab_command},
    {"lessons", lessons_command},
    {"race", race_command},
    {"reset", reset_command},
    {"progress", progress_command},
    {"start", start_command},
    {"verify", verify_command},
    {"watch", watch_command},
    {"why", why_command},
};

int main(int argc, char **argv)
{
    WorkbookOptions options = {.lesson = given_as("LESSON"),
                               .step = given_as("STEP"),
                               .impl = given_as("IMPL"),
                               .format = given_as("FORMAT"),
                               .seed = given_as("SEED"),
                               .limit = given_as("LIMIT"),
                               .box = given_as("BOX"),
                               .lessons = given_as("LESSONS")};
    Lessons lessons;
    if (options.impl && !strncmp(options.impl, "solutions", 9) && access(options.impl, F_OK) &&
        is_handout()) {
        fputs(NO_SOLUTIONS, stderr);
        return 2;
    }
    if (options.box && strcmp(options.box, "emulator")) {
        fprintf(stderr, "BOX=%s: the one that can be named is BOX=emulator\n", options.box);
        return 2;
    }
    for (size_t i = 0; argc == 2 && i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(argv[1], targets[i].name)) {
            lessons_find(&lessons);
            return targets[i].run(&lessons, &options);
        }
    fputs("workbook: unknown command; `make` lists the commands\n", stderr);
    return 2;
}
