/* edit at the prompt, e in watch: the learner's editor, at the line that the last verdict names.
 *
 * Editors are told a line in three ways. One that is not known gets the file alone: `+22` may mean
 * anything to it. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

static const char *const plus_line[] = {"vi",    "vim",         "nvim", "nano",
                                        "emacs", "emacsclient", "kak",  NULL};
static const char *const goto_place[] = {"code", "codium", NULL}; /* -g FILE:LINE */
static const char *const place_alone[] = {"hx", "helix", NULL};   /* FILE:LINE */

/* Of the learner's own file; 0: the verdict names none, or the file has become shorter since. */
static int line_to_open(const char *file, const WorkbookOptions *options)
{
    int line = options->impl ? 0 : verdict_line(options->lesson), lines = 1;
    char *text = line ? read_file(file, NULL) : NULL;
    for (const char *end = text; end && (end = strchr(end, '\n')) && end[1]; end++)
        lines++;
    free(text);
    return line <= lines ? line : 0;
}

/* "vim" of "/usr/bin/vim -R". Caller frees. */
static char *name_of(const char *editor)
{
    size_t length = strcspn(editor, " \t"), begin = length;
    while (begin && editor[begin - 1] != '/')
        begin--;
    return format_text("%.*s", (int)(length - begin), editor + begin);
}

static bool is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

/* Puts the file behind what is there, and its line where that editor looks for it. */
static void add_place(char *argv[], const char *editor, const char *file, int line)
{
    char *name = name_of(editor);
    bool plus = line && is_one_of(plus_line, name), go = line && is_one_of(goto_place, name);
    bool place = go || (line && is_one_of(place_alone, name));
    int n = 0;
    while (argv[n])
        n++;
    if (plus)
        argv[n++] = format_text("+%d", line);
    if (go)
        argv[n++] = "-g";
    argv[n++] = place ? format_text("%s:%d", file, line) : (char *)file;
    argv[n] = NULL;
    free(name);
}

int edit_command(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *editor = given_as("VISUAL");
    (void)lessons;
    if (!editor)
        editor = given_as("EDITOR");
    char *file = lesson_source(options->lesson, options->impl);
    if (!editor) {
        fprintf(stderr,
                "Which editor? Say so before `make start`, as in: export EDITOR=nano\n"
                "Or open %s in another window, and type `watch` here.\n",
                file);
        free(file);
        return 2;
    }
    /* The variable may hold arguments too: "code -w". */
    char *command = format_text("%s \"$@\"", editor);
    char *plain = format_text("%s%s", *file == '-' ? "./" : "", file); /* no option of the editor */
    char *argv[8] = {"sh", "-c", command, (char *)editor};
    add_place(argv, editor, plain, line_to_open(file, options));
    return become_program(argv);
}
