/* `read`: the lesson's text, set for the terminal by lowdown; where that is missing, as it is. */
#include "prompt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that a command prints; NULL when it failed. Caller frees. */
static char *output_of(const char *command)
{
    FILE *from = popen(command, "r");
    char *text = NULL;
    size_t room = 0;
    ssize_t length = from ? getdelim(&text, &room, '\0', from) : -1;
    int status = from ? pclose(from) : -1;
    if (length > 0 && !status)
        return text;
    free(text);
    return NULL;
}

/* lowdown's words about a file in build/, where it can be read from without a second pipe. */
static char *rendered(const char *lesson, const char *markdown)
{
    const char *term = getenv("TERM");
    bool styled = isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
    int columns = window_columns(), width = (columns < 80 ? columns : 80) - 4;
    char *path = format_text("build/%s/lesson.md", lesson);
    FILE *file = fopen(path, "w");
    bool written = file && fputs(markdown, file) >= 0;
    if (file)
        written = !fclose(file) && written;
    const char *style = !styled ? "--term-no-ansi" : colour_wanted() ? "" : "--term-no-colour";
    /* Names like running_mean are no emphasis, and straight quotes stay straight. */
    char *command = format_text("lowdown -tterm --parse-no-intraemph --parse-no-metadata "
                                "--parse-no-super --out-no-smarty --term-columns=%d "
                                "--term-width=%d %s %s 2>/dev/null",
                                columns, width, style, path);
    char *text = written ? output_of(command) : NULL;
    free(command);
    free(path);
    return text;
}

int read_command(const Lessons *lessons, const WorkbookOptions *options)
{
    (void)lessons;
    char *path = format_text("lessons/%s.md", options->lesson), *markdown = read_file(path, NULL);
    if (!markdown) {
        fprintf(stderr, "%s can't be read: %s\n", path, strerror(errno));
        return 2;
    }
    char *readable = formulas_plain(markdown), *text = rendered(options->lesson, readable);
    int code = page(text ? text : readable);
    free(text);
    free(readable);
    free(markdown);
    free(path);
    return code;
}
