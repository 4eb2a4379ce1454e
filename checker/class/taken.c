/* What is taken for whose, before anything is graded: on the screen the first ones, in
 * OUT/taken.txt all. See class.h.
 *
 * The invariant: a name from outside can't begin a line of its own. */
#include "class.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12 };

void put_line(FILE *out, const char *first, const char *text)
{
    char *line = format_text("%s", text);
    put_on_one_line(line);
    write_lines(out, first, "    ", line, strlen(line));
    free(line);
}

static void put_entry(FILE *out, const Student *student, const char *lesson, const Entry *entry,
                      bool in_time)
{
    char *older = entry->others ? format_text("   (%s of %d)", in_time ? "one" : "the newest",
                                              entry->others + 1)
                                : NULL;
    char *line =
        format_text("%s, %.*s: %s%s", student->name, (int)strcspn(lesson, "_"), lesson, entry->path,
                    entry->status == NOT_TAKEN ? "   (not accepted)"
                    : older                    ? older
                                               : "");
    put_line(out, "  ", line);
    free(line);
    free(older);
}

static void say_rest(FILE *out, int count, int most)
{
    if (count > most)
        fprintf(out, "  and %d more: see taken.txt\n", count - most);
}

static void list_strangers(FILE *out, const Class *class, int most)
{
    int count = 0;
    for (int i = 0; i < class->count && class->asked->students; i++) {
        if (class->students[i].listed)
            continue;
        if (!count)
            fputs("Not on the list:\n", out);
        if (count++ < most)
            put_line(out, "  ", class->students[i].name);
    }
    say_rest(out, count, most);
}

/* What came in and does not count, of everybody. */
static void list_unused(FILE *out, const Class *class, int most)
{
    int count = 0;
    for (int i = 0; i < class->count; i++) {
        const Student *student = &class->students[i];
        for (int k = 0; k < student->in.count + (student->in.beyond > 0); k++) {
            const HandIn *item = k < student->in.count ? &student->in.items[k] : NULL;
            if (item && !item->why)
                continue;
            char *name = item ? shown_name(item->shown) : NULL;
            char *line = item ? format_text("%s: %s: %s", student->name, name, item->why)
                              : format_text("%s: %d more files, which are more than are looked at",
                                            student->name, student->in.beyond);
            if (!count)
                fputs("Not used:\n", out);
            if (count++ < most)
                put_line(out, "  ", line);
            free(line);
            free(name);
        }
    }
    say_rest(out, count, most);
}

static void list_headers(FILE *out, const Class *class, int most)
{
    int count = 0;
    for (int i = 0; i < class->count; i++)
        for (int k = 0; k < class->students[i].in.count; k++) {
            const HandIn *item = &class->students[i].in.items[k];
            if (!item->is_header || !item->used)
                continue;
            char *name = shown_name(item->shown);
            char *line = format_text("%s: %s", class->students[i].name, name);
            if (!count)
                fputs("Headers that come along:\n", out);
            if (count++ < most)
                put_line(out, "  ", line);
            free(line);
            free(name);
        }
    say_rest(out, count, most);
}

static void list(FILE *out, const Class *class, int most)
{
    int count = 0;
    for (int i = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++) {
            const Entry *entry = &class->students[i].entries[l];
            if (entry->path && count++ < most)
                put_entry(out, &class->students[i], class->lessons[l].name, entry,
                          class->course.in_time);
        }
    say_rest(out, count, most);
    list_headers(out, class, most);
    list_unused(out, class, most);
    list_strangers(out, class, most);
    if (!class->left_out.length)
        return;
    fputs("Nobody's:\n", out);
    char *text = format_text("%.*s", (int)class->left_out.length, class->left_out.data);
    char *rest = text, *line;
    for (count = 0; (line = strsep(&rest, "\n")) && *line; count++)
        if (count < most)
            put_line(out, "  ", line);
    say_rest(out, count, most);
    free(text);
}

void say_students(FILE *out, const Class *class)
{
    int files = 0;
    for (int i = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++)
            files += class->students[i].entries[l].path != NULL;
    fprintf(out, "%d students, %d files for", class->count, files);
    for (int l = 0; l < class->lesson_count; l++)
        fprintf(out, "%s %s", l ? "," : "", class->lessons[l].name);
    fputs(":\n", out);
    list(out, class, SHOWN);
    fflush(out);
}

bool write_taken(const Class *class)
{
    char *text = NULL, *path = format_text("%s/taken.txt", class->asked->out);
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        abort();
    list(memory, class, INT_MAX);
    fclose(memory);
    bool good = write_whole(path, text, length);
    if (!good)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    free(text);
    free(path);
    return good;
}
