/* `read`: the lesson's text, or a section of any lesson or of what is said of mistakes, set for the
 * terminal; `/word`: the sections in which a word stands. */
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

/* ---- the texts of all lessons ---- */
typedef struct {
    const char *lesson;
    bool of_mistakes;
    char *text; /* NULL: there is none */
} Text;

typedef struct {
    Text items[2 * MAX_LESSONS];
    int count;
} Texts;

static void add_text_of(Texts *texts, const char *lesson, bool of_mistakes)
{
    char *path = format_text("lessons/%s%s.md", lesson, of_mistakes ? ".mistakes" : "");
    texts->items[texts->count++] = (Text){lesson, of_mistakes, read_file(path, NULL)};
    free(path);
}

/* What lessons teach comes before what is said of mistakes; the lesson's own before the others',
 * unless it alone is asked. */
static void texts_read(Texts *texts, const Lessons *lessons, const char *own, bool alone)
{
    texts->count = 0;
    for (int of_mistakes = 0; of_mistakes < 2; of_mistakes++) {
        add_text_of(texts, own, of_mistakes);
        for (int i = 0; i < lessons->count && !alone; i++)
            if (strcmp(lessons->names[i], own) != 0)
                add_text_of(texts, lessons->names[i], of_mistakes);
    }
}

static void texts_free(Texts *texts)
{
    for (int i = 0; i < texts->count; i++)
        free(texts->items[i].text);
}

static int digits(const char *lesson)
{
    return (int)strcspn(lesson, "_");
}

/* ---- a section by words of its heading ---- */
enum { MOST_NAMED = 8 };

static void open_section(FILE *found, const Text *text, const Section *section, bool own)
{
    char title[NAME_SIZE * 2];
    lesson_title(text->lesson, title, sizeof title);
    if (!own)
        fprintf(found, "Lesson %.*s, %s, has this section:\n\n", digits(text->lesson), text->lesson,
                title);
    fwrite(section->from, 1, (size_t)(section->end - section->from), found);
}

/* The first section about these words goes to `found`, the names of the others behind it. How many
 * there are. */
static int find_sections(const Texts *texts, const char *words, FILE *found)
{
    int count = 0;
    for (int i = 0; i < texts->count; i++) {
        const Text *text = &texts->items[i];
        const bool own = !strcmp(text->lesson, texts->items[0].lesson);
        Section section = {0};
        while (text->text && next_section(text->text, &section)) {
            if (section.level == 1 || !is_about(&section, words))
                continue;
            if (!count)
                open_section(found, text, &section, own);
            else if (count <= MOST_NAMED)
                fprintf(found, "%s *%.*s*", count == 1 ? "\nAlso:" : ",", section.title_length,
                        section.title);
            if (count && count <= MOST_NAMED && !own)
                fprintf(found, " (%.*s)", digits(text->lesson), text->lesson);
            count++;
        }
    }
    if (count > MOST_NAMED + 1)
        fprintf(found, " and %d more", count - MOST_NAMED - 1);
    fprintf(found, "%s\n", count > 1 ? "." : "");
    return count;
}

/* ---- a word, wherever it stands ---- */
static int count_of(const char *from, const char *end, const char *word)
{
    char *body = format_text("%.*s", (int)(end - from), from);
    int count = 0;
    for (const char *at = body; (at = strcasestr(at, word)); at++)
        count += at == body || !isalnum((unsigned char)at[-1]);
    free(body);
    return count;
}

/* The sections, each without those below it, as a list. How many there are. */
static int find_places(const Texts *texts, const char *word, FILE *found)
{
    enum { MOST_LISTED = 60 };
    int count = 0;
    for (int i = 0; i < texts->count; i++) {
        const Text *text = &texts->items[i];
        Section section = {0};
        while (text->text && next_section(text->text, &section)) {
            const char *end = next_heading(section.from + 1, text->text);
            int times = count_of(section.from, end ? end : section.end, word);
            if (times && count++ < MOST_LISTED)
                fprintf(found, "- %.*s, %s*%.*s*: %d\n", digits(text->lesson), text->lesson,
                        text->of_mistakes ? "mistakes, " : "", section.title_length, section.title,
                        times);
        }
    }
    if (count > MOST_LISTED)
        fprintf(found, "- and %d more\n", count - MOST_LISTED);
    return count;
}

static int show_places(const Texts *texts, const char *word)
{
    char *part = NULL;
    size_t size;
    FILE *found = open_memstream(&part, &size);
    if (!found)
        return 2;
    fputs("It stands in these sections, so many times:\n\n", found);
    int count = find_places(texts, word, found), code = 2;
    fputs("\nA lesson and words of a heading open one, as in `read 01 worked example`.\n", found);
    fclose(found);
    if (count)
        code = show_markdown(part);
    free(part);
    return code;
}

int search_command(const Lessons *lessons, const WorkbookOptions *options)
{
    Texts texts;
    int code = 2;
    if (!*options->words) {
        fputs("/ takes a word, as in: /rstd\n", stderr);
        return code;
    }
    texts_read(&texts, lessons, options->lesson, false);
    code = show_places(&texts, options->words);
    texts_free(&texts);
    if (code) {
        char *word = escaped(options->words, strlen(options->words));
        fprintf(stderr, "No lesson has \"%s\" in its text.\n", word);
        free(word);
    }
    return code;
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

static void say_none(const Texts *texts, const char *words)
{
    char *word = escaped(words, strlen(words));
    fprintf(stderr, "No section of %s has \"%s\" in its heading. ", texts->items[0].lesson, word);
    say_sections(texts->items[0].text);
    free(word);
}

/* Where no heading has the words, all that stands anywhere in the texts is listed. */
static int read_about(const Texts *texts, const char *words, bool alone)
{
    char *part = NULL;
    size_t size;
    FILE *found = open_memstream(&part, &size);
    int count = found ? find_sections(texts, words, found) : 0, code = 2;
    if (found)
        fclose(found);
    if (count)
        code = show_markdown(part);
    else if (!alone)
        code = show_places(texts, words);
    if (!count && code)
        say_none(texts, words);
    free(part);
    return code;
}

int read_command(const Lessons *lessons, const WorkbookOptions *options)
{
    char *path = format_text("lessons/%s.md", options->lesson), *markdown = read_text(path);
    const bool alone = !options->here || strcmp(options->lesson, options->here) != 0;
    int code = 2;
    if (markdown && options->words && *options->words) {
        Texts texts;
        texts_read(&texts, lessons, options->lesson, alone);
        code = read_about(&texts, options->words, alone);
        texts_free(&texts);
    } else if (markdown) {
        code = show_markdown(markdown);
    }
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
