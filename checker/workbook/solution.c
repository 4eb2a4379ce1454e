/* `solution` and `diff`, and what a hand-out says in their place. */
#include "workbook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool is_handout(void)
{
    return access("checker/elsewhere/handout.sh", F_OK) != 0;
}

/* Its text; NULL, with the reason on stderr: there is none. Caller frees. */
static char *solution_of(const char *lesson)
{
    char *path = format_text("solutions/%s.c", lesson), *text = read_file(path, NULL);
    if (!text && is_handout())
        fputs(NO_SOLUTIONS, stderr);
    else if (!text)
        fprintf(stderr, "%s can't be read: %s\n", path, strerror(errno));
    free(path);
    return text;
}

int solution_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *text = solution_of(options->lesson);
    (void)lessons;
    int code = text ? page(text) : 2;
    free(text);
    return code;
}

static char *line_in_colour(const char *line)
{
    const char *colour = *line == '-'   ? "\033[31m"
                         : *line == '+' ? "\033[32m"
                         : *line == '@' ? "\033[36m"
                                        : NULL;
    if (!colour || !colour_wanted())
        return format_text("%s", line);
    return format_text("%s%.*s\033[0m\n", colour, (int)strcspn(line, "\n"), line);
}

int diff_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *solution = solution_of(options->lesson), *line = NULL;
    (void)lessons;
    if (!solution)
        return 2;
    char *command = format_text("diff -u -L 'your file' -L 'the solution' exercises/%s.c "
                                "solutions/%s.c",
                                options->lesson, options->lesson);
    FILE *from = popen(command, "r");
    size_t room = 0;
    char *text = format_text("%s", "");
    while (from && getline(&line, &room, from) > 0) {
        char *shown = line_in_colour(line), *longer = format_text("%s%s", text, shown);
        free(shown);
        free(text);
        text = longer;
    }
    int status = from ? pclose(from) : -1, code = 0;
    if (!status)
        puts("Your file is the solution, line for line.");
    else if (*text)
        code = page(text);
    else
        code = 2;
    free(text);
    free(line);
    free(command);
    free(solution);
    return code;
}
