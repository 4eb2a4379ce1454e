/* `read`: the lesson's text, or a section of it or of what is said of mistakes, set for the
 * terminal. */
#include "workbook.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "markdown.h"

/* ---- a text's sections: from a heading to the next one that is no deeper ---- */
typedef struct {
    const char *from; /* NULL: the next one is the first */
    const char *title, *below, *end;
    int title_length, level;
} Section;

/* The heading at or behind `at`, outside of code; NULL: there is none. */
static const char *next_heading(const char *at, const char *text)
{
    bool fenced = false;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        fenced ^= !strncmp(line, "```", 3);
        if (!fenced && *line == '#' && line >= at)
            return line;
    }
    return NULL;
}

static bool next_section(const char *text, Section *section)
{
    const char *from = section->from ? section->from + 1 : text;
    from = next_heading(from, text);
    if (!from)
        return false;
    section->from = from;
    section->level = (int)strspn(from, "#");
    section->title = from + section->level + strspn(from + section->level, " ");
    section->title_length = (int)strcspn(section->title, "\n");
    section->below = section->title + section->title_length;
    section->below += strspn(section->below, "\n");
    const char *end = from;
    do
        end = next_heading(end + 1, text);
    while (end && (int)strspn(end, "#") > section->level);
    section->end = end ? end : text + strlen(text);
    return true;
}

/* As a word or its beginning: "eps" is no part of "steps". */
static bool has_word(const char *title, const char *word)
{
    for (const char *at = title; (at = strcasestr(at, word)); at++)
        if (at == title || !isalnum((unsigned char)at[-1]))
            return true;
    return false;
}

/* Has it all of the words in its heading? */
static bool is_about(const Section *section, const char *words)
{
    char *title = format_text("%.*s", section->title_length, section->title);
    char *all = format_text("%s", words), *save = NULL;
    bool about = true;
    for (char *word = strtok_r(all, " ", &save); word && about; word = strtok_r(NULL, " ", &save))
        about = has_word(title, word);
    free(all);
    free(title);
    return about;
}

/* ---- set for the terminal ---- */
enum { NARROWEST = 20, WIDEST = 100 };

static Look look_of_terminal(void)
{
    const char *term = getenv("TERM");
    int columns = window_columns();
    columns = columns > WIDEST ? WIDEST : columns;
    return (Look){.width = columns < NARROWEST ? NARROWEST : columns,
                  .styled = isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0,
                  .coloured = colour_wanted()};
}

int show_markdown(const char *markdown)
{
    Look look = look_of_terminal();
    char *text = markdown_set(markdown, &look);
    int code = page(text ? text : markdown);
    free(text);
    return code;
}

static char *read_text(const char *path)
{
    char *markdown = read_file(path, NULL);
    if (!markdown)
        fprintf(stderr, "%s can't be read: %s\n", path, strerror(errno));
    return markdown;
}

/* ---- a section by words of its heading ---- */
/* Of the texts: the first section about these words goes to `found`, the names of the others behind
 * it. How many there are. */
static int find_sections(char *const texts[2], const char *words, FILE *found)
{
    int count = 0;
    for (int i = 0; i < 2; i++) {
        Section section = {0};
        while (texts[i] && next_section(texts[i], &section)) {
            if (section.level == 1 || !is_about(&section, words))
                continue;
            if (!count++)
                fwrite(section.from, 1, (size_t)(section.end - section.from), found);
            else
                fprintf(found, "%s *%.*s*", count == 2 ? "\nAlso:" : ",", section.title_length,
                        section.title);
        }
    }
    fprintf(found, "%s\n", count > 1 ? "." : "");
    return count;
}

static void say_sections(const char *text)
{
    Section section = {0};
    fputs("Its sections:\n", stderr);
    while (next_section(text, &section))
        if (section.level > 1)
            fprintf(stderr, "%*s%.*s\n", 2 * section.level - 2, "", section.title_length,
                    section.title);
}

static int read_about(const char *lesson, const char *text, const char *words)
{
    char *mistakes = format_text("lessons/%s.mistakes.md", lesson), *part = NULL;
    char *const texts[2] = {(char *)(uintptr_t)text, read_file(mistakes, NULL)};
    size_t size;
    FILE *found = open_memstream(&part, &size);
    int code = 2, count = found ? find_sections(texts, words, found) : 0;
    if (found)
        fclose(found);
    if (count) {
        code = show_markdown(part);
    } else {
        char *word = escaped(words, strlen(words));
        fprintf(stderr, "No section of %s has \"%s\" in its heading. ", lesson, word);
        say_sections(text);
        free(word);
    }
    free(part);
    free(texts[1]);
    free(mistakes);
    return code;
}

int read_command(const Lessons *lessons, const WorkbookOptions *options)
{
    (void)lessons;
    char *path = format_text("lessons/%s.md", options->lesson), *markdown = read_text(path);
    int code = 2;
    if (markdown)
        code = options->words && *options->words
                   ? read_about(options->lesson, markdown, options->words)
                   : show_markdown(markdown);
    free(markdown);
    free(path);
    return code;
}

/* ---- sections by their headings ---- */
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

static bool find_heading(const char *markdown, const char *heading, Section *section)
{
    *section = (Section){0};
    while (next_section(markdown, section))
        if (strlen(heading) == (size_t)section->title_length &&
            !strncmp(section->title, heading, strlen(heading)))
            return true;
    return false;
}

char *sections_of(const char *path, const char *headings)
{
    char *markdown = read_text(path), *all = format_text("%s", headings), *text = NULL, *save;
    size_t size, shared;
    FILE *out = open_memstream(&text, &size);
    const char *example = markdown ? shared_example(markdown, &shared) : "";
    bool good = markdown && out;
    for (char *heading = strtok_r(all, "\n", &save); heading && good;
         heading = strtok_r(NULL, "\n", &save)) {
        Section section;
        good = find_heading(markdown, heading, &section);
        if (!good) {
            fprintf(stderr, "%s has no section \"%s\"\n", path, heading);
            break;
        }
        fprintf(out, "## %s\n\n%.*s%.*s\n", heading, (int)shared, example,
                (int)(section.end - section.below), section.below);
        shared = 0; /* once is enough */
    }
    if (out)
        fclose(out);
    free(all);
    free(markdown);
    if (good)
        return text;
    free(text);
    return NULL;
}
