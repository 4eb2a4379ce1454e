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

/* A text, or a part of one, set for the terminal. */
static int show(const char *lesson, const char *markdown)
{
    char *readable = formulas_plain(markdown), *text = rendered(lesson, readable);
    int code = page(text ? text : readable);
    free(text);
    free(readable);
    return code;
}

static char *read_text(const char *path)
{
    char *markdown = read_file(path, NULL);
    if (!markdown)
        fprintf(stderr, "%s can't be read: %s\n", path, strerror(errno));
    return markdown;
}

int read_command(const Lessons *lessons, const WorkbookOptions *options)
{
    (void)lessons;
    char *path = format_text("lessons/%s.md", options->lesson), *markdown = read_text(path);
    int code = markdown ? show(options->lesson, markdown) : 2;
    free(markdown);
    free(path);
    return code;
}

/* The second paragraph behind the title, and the blank line behind it; *length 0: before the first
 * section there is none. */
static const char *shared_example(const char *markdown, size_t *length)
{
    const char *at = markdown, *end = NULL;
    for (int i = 0; i < 2 && at; i++)
        at = (at = strstr(at, "\n\n")) ? at + 2 : NULL;
    if (at && strncmp(at, "## ", 3) != 0)
        end = strstr(at, "\n\n");
    *length = end ? (size_t)(end + 2 - at) : 0;
    return end ? at : "";
}

/* What stands below a heading; NULL: it is not there. */
static const char *section_in(const char *markdown, const char *heading, size_t *length)
{
    char *line = format_text("\n## %s\n\n", heading);
    const char *at = strstr(markdown, line), *end = at ? strstr(at + 1, "\n## ") : NULL;
    if (at)
        at += strlen(line);
    *length = end ? (size_t)(end - at) : at ? strlen(at) : 0;
    free(line);
    return at;
}

int read_sections(const char *lesson, const char *path, const char *headings)
{
    char *markdown = read_text(path), *all = format_text("%s", headings), *text = NULL, *save;
    size_t size, shared;
    FILE *out = open_memstream(&text, &size);
    const char *example = markdown ? shared_example(markdown, &shared) : "";
    int code = markdown && out ? 0 : 2;
    for (char *heading = strtok_r(all, "\n", &save); heading && !code;
         heading = strtok_r(NULL, "\n", &save)) {
        size_t length;
        const char *section = section_in(markdown, heading, &length);
        if (!section) {
            fprintf(stderr, "%s has no section \"%s\"\n", path, heading);
            code = 2;
            continue;
        }
        fprintf(out, "## %s\n\n%.*s%.*s\n", heading, (int)shared, example, (int)length, section);
        shared = 0; /* once is enough */
    }
    if (out)
        fclose(out);
    if (!code)
        code = show(lesson, text);
    free(text);
    free(all);
    free(markdown);
    return code;
}
