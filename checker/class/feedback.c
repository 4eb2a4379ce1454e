/* What a student is given: their own verdicts, with the lines and the pages to read, as text and as
 * one page for a browser. See class.h.
 *
 * The invariant: nothing of another student's is in it. */
#include "box.h"
#include "class.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *score_words(const ClassLesson *lesson, const Entry *entry)
{
    const char *because = entry->adjusted ? entry->adjusted : "";
    int passed = entry->has_report ? entry->report.passed : 0;
    if (!is_scored(entry))
        return format_text("%s%s%s", status_words(entry->status), *because ? ": " : "", because);
    return format_text("%s: %d of %d checks passed, %.10g of %.10g points%s%s",
                       status_words(entry->status), passed, lesson->blank.count, entry->score,
                       lesson->points, *because ? "\n" : "", because);
}

/* Has its reading been shown with an earlier check? */
static bool was_read(const Report *report, int check)
{
    const CheckResult *this = &report->results[check];
    for (const CheckResult *r = report->results; r < this; r++) {
        bool same = this->sections ? r->sections && !strcmp(r->sections, this->sections)
                                   : this->fix && r->fix && !r->sections &&
                                         !strcmp(r->fix->kind, this->fix->kind);
        if (same && r->status == FAILED)
            return true;
    }
    return false;
}

/* What the lesson's texts say of a failed check, for who has not the workbook at hand. NULL:
 * nothing new. Caller frees. */
static char *new_reading(const ClassLesson *lesson, const Report *report, int check)
{
    static const Look plain = {.width = 78};
    const CheckResult *result = &report->results[check];
    char *text = result->status == FAILED && !was_read(report, check)
                     ? explanation(lesson->name, result)
                     : NULL;
    char *set = text ? markdown_set(text, &plain) : NULL;
    if (!set)
        return text;
    free(text);
    return set;
}

/* ---- as text ---- */
static void text_entry(FILE *out, const ClassLesson *lesson, const Entry *entry)
{
    char *score = score_words(lesson, entry);
    fprintf(out, "\n==== Lesson %.*s: %s ====\n", (int)strcspn(lesson->name, "_"), lesson->name,
            lesson->blank.title);
    write_lines(out, "", "", score, strlen(score));
    free(score);
    const char *reason = entry->reason;
    if (reason && !entry->has_report)
        put_line(out, "", reason);
    if (!entry->has_report)
        return;
    fputc('\n', out);
    report_human(out, &entry->report);
    char *speed = speed_words(entry);
    if (speed) {
        fputs("\nThe race: ", out);
        write_lines(out, "", "          ", speed, strlen(speed));
    }
    free(speed);
    for (int i = 0; i < entry->report.count; i++) {
        char *reading = new_reading(lesson, &entry->report, i);
        if (reading)
            fprintf(out, "\n---- to read ----\n%s", reading);
        free(reading);
    }
}

/* By way of `file`: for a terminal its lines would be broken. */
static bool write_text(const Class *class, const Student *student, FILE *file, const char *path)
{
    rewind(file);
    if (ftruncate(fileno(file), 0) != 0)
        return false;
    put_line(file, "", student->name);
    for (int l = 0; l < class->lesson_count; l++)
        text_entry(file, &class->lessons[l], &student->entries[l]);
    size_t length = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    int copy = good ? dup(fileno(file)) : -1;
    rewind(file);
    char *text = copy >= 0 ? read_open_file(copy, SIZE_MAX / 2, &length) : NULL;
    good = text && write_whole(path, text, length);
    free(text);
    return good;
}

/* ---- as a page ---- */
static void page_check(Buffer *out, const ClassLesson *lesson, const Report *report, int check)
{
    static const char *const marks[] = {"<span class=\"right\">✓</span>",
                                        "<span class=\"wrong\">✗</span>", "<span>–</span>"};
    const CheckResult *result = &report->results[check];
    html_print(out, "<h3>%s ", marks[result->status]);
    html_text(out, result->name);
    add_text(out, result->status == NOT_REACHED ? " (not reached)</h3>\n" : "</h3>\n");
    Buffer lines = {0};
    for (int d = 0; d < MAX_DETAILS && result->details[d]; d++) {
        add_text(&lines, result->details[d]);
        add_text(&lines, "\n");
    }
    buffer_append(&lines, "", 1);
    if (lines.length > 1)
        put_block(out, result->status == FAILED ? "failed" : "", lines.data);
    buffer_free(&lines);
    char *reading = new_reading(lesson, report, check);
    if (reading) {
        add_text(out, "<details><summary>To read</summary>\n");
        put_block(out, "page", reading);
        add_text(out, "</details>\n");
    }
    free(reading);
}

static void page_words(Buffer *out, const char *heading, const char *words)
{
    if (!words || !*words)
        return;
    html_print(out, "<h3>%s</h3>\n", heading);
    put_block(out, "", words);
}

static void page_entry(Buffer *out, const ClassLesson *lesson, const Entry *entry)
{
    char *score = score_words(lesson, entry);
    html_print(out, "<h2>Lesson %.*s: ", (int)strcspn(lesson->name, "_"), lesson->name);
    html_text(out, lesson->blank.title);
    add_text(out, "</h2>\n<p class=\"score\">");
    html_text(out, score);
    add_text(out, "</p>\n");
    free(score);
    page_words(out, "Why", entry->reason);
    const Report *report = &entry->report;
    if (!entry->has_report)
        return;
    page_words(out, "The compiler says", report->build_error);
    for (int i = 0; i < report->count && !report->build_error && !report->untouched; i++)
        page_check(out, lesson, report, i);
    if (!report->build_error)
        page_words(out, "The compiler warns", report->warnings);
    page_words(out, "Your code printed", report->printed);
    char *speed = speed_words(entry);
    page_words(out, "The race", speed);
    free(speed);
}

static bool write_page(const Class *class, const Student *student, const char *path)
{
    Buffer out = {0};
    page_begin(&out, student->name);
    for (int l = 0; l < class->lesson_count; l++)
        page_entry(&out, &class->lessons[l], &student->entries[l]);
    page_end(&out);
    bool good = write_whole(path, out.data, out.length);
    buffer_free(&out);
    return good;
}

/* ---- of whom there was some before ---- */
static bool is_student(const Class *class, const char *file)
{
    for (int i = 0; i < class->count; i++)
        if (!strcmp(class->students[i].file, file))
            return true;
    return false;
}

static void remove_former(const Class *class, const char *list)
{
    char *text = read_file(list, NULL), *rest = text, *file;
    static const char *const endings[] = {"txt", "html"};
    while (text && (file = strsep(&rest, "\n")))
        for (int i = 0; i < 2 && *file && !strchr(file, '/') && !is_student(class, file); i++) {
            char *path = format_text("%s/feedback/%s.%s", class->asked->out, file, endings[i]);
            unlink(path);
            free(path);
        }
    free(text);
}

/* Only files that this program has written go away: they are listed in OUT/kept/feedback. The list
 * is written before they are. */
static bool list_students(const Class *class)
{
    Buffer names = {0};
    char *list = format_text("%s/feedback", class->kept);
    remove_former(class, list);
    for (int i = 0; i < class->count; i++) {
        add_text(&names, class->students[i].file);
        add_text(&names, "\n");
    }
    bool good = write_whole(list, names.data, names.length);
    if (!good)
        fprintf(stderr, "%s: %s\n", list, strerror(errno));
    buffer_free(&names);
    free(list);
    return good;
}

bool write_feedback(const Class *class)
{
    if (!list_students(class))
        return false;
    FILE *file = tmpfile();
    bool good = file;
    for (int i = 0; i < class->count && good; i++) {
        const Student *student = &class->students[i];
        char *base = format_text("%s/feedback/%s", class->asked->out, student->file);
        char *text = format_text("%s.txt", base), *page = format_text("%s.html", base);
        good = write_text(class, student, file, text) && write_page(class, student, page);
        if (!good)
            fprintf(stderr, "%s: %s\n", base, strerror(errno));
        free(page);
        free(text);
        free(base);
    }
    if (file)
        fclose(file);
    else
        fprintf(stderr, "No temporary file: %s\n", strerror(errno));
    return good;
}
