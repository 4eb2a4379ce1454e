/* build/workbook COMMAND --lesson 01 ...: what the Makefile's targets start. Options with an empty
 * value count as not given, so that the Makefile can pass all of its variables on. */
#include "workbook.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const Lessons *lessons, const WorkbookOptions *options);
} commands[] = {
    {"check", check_command}, {"check-all", check_all_command},
    {"debug", debug_command}, {"hint", hint_command},
    {"lab", lab_command},     {"lessons", lessons_command},
    {"reset", reset_command}, {"progress", progress_command},
    {"start", start_command}, {"verify", verify_command},
    {"watch", watch_command},
};

static bool parse(int argc, char **argv, WorkbookOptions *options)
{
    const struct {
        const char *name;
        const char **value;
    } known[] = {
        {"--lesson", &options->lesson}, {"--step", &options->step}, {"--impl", &options->impl},
        {"--format", &options->format}, {"--seed", &options->seed}, {"--limit", &options->limit},
    };
    for (int i = 2; i < argc; i += 2) {
        size_t k = 0, count = sizeof known / sizeof *known;
        while (k < count && strcmp(argv[i], known[k].name) != 0)
            k++;
        if (k == count || i + 1 == argc)
            return false;
        if (*argv[i + 1])
            *known[k].value = argv[i + 1];
    }
    return true;
}

int main(int argc, char **argv)
{
    WorkbookOptions options = {0};
    Lessons lessons;
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name) && parse(argc, argv, &options)) {
            lessons_find(&lessons);
            return commands[i].run(&lessons, &options);
        }
    fputs("workbook: unknown command or option; `make` lists the commands\n", stderr);
    return 2;
}
