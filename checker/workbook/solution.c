/* `solution` and `diff`. The lines that only make a stub of the solution (checker/stub.awk) are not
 * shown: it is to look like something that a learner could have written. */
#include "prompt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether the line is one for checker/stub.awk. */
static bool for_stub(const char *line, size_t length)
{
    size_t blanks = strspn(line, " \t");
    line += blanks;
    length -= blanks;
    return !strncmp(line, "// STUB: ", 9) || (length == 11 && !strncmp(line, "// SOLUTION", 11)) ||
           (length == 6 && !strncmp(line, "// END", 6));
}

/* Writes it to build/NN_name/solution.c. Both returned texts are the caller's. */
static char *clean_solution(const char *lesson, char **path)
{
    char *from = format_text("solutions/%s.c", lesson), *text = read_file(from, NULL), *to = text;
    *path = format_text("build/%s/solution.c", lesson);
    if (!text)
        fprintf(stderr, "%s can't be read: %s\n", from, strerror(errno));
    free(from);
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n"), whole = length + (line[length] ? 1 : 0);
        if (!for_stub(line, length)) {
            memmove(to, line, whole);
            to += whole;
        }
        line += whole;
    }
    if (to)
        *to = '\0';
    FILE *file = text ? fopen(*path, "w") : NULL;
    if (!file || fputs(text, file) < 0 || fclose(file)) {
        if (text)
            fprintf(stderr, "%s can't be written: %s\n", *path, strerror(errno));
        free(text);
        return NULL;
    }
    return text;
}

int solution_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *path, *text = clean_solution(options->lesson, &path);
    (void)lessons;
    int code = text ? page(text) : 2;
    free(text);
    free(path);
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
    char *path, *solution = clean_solution(options->lesson, &path), *line = NULL;
    (void)lessons;
    if (!solution)
        return 2;
    char *command = format_text("diff -u -L 'your file' -L 'the solution' exercises/%s.c %s",
                                options->lesson, path);
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
    free(path);
    return code;
}
