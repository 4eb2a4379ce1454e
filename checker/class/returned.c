/* The grades, as a course's system takes them: its own table, which STUDENTS= is, with the scores
 * filled in, and the feedback as one archive. See class.h.
 *
 * The invariant: in its own table nothing changes but the cells of the lessons: its columns,
 * numbers, quotes and line ends are written back as they were read. */
#include "class.h"

#include "markdown.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef enum { NO_SYSTEM, CANVAS, MOODLE } System;

/* A lesson's column of that table. */
typedef struct {
    int cell; /* -1: a new one */
    double most;
} Column;

static System system_of(const Record *heading)
{
    bool canvas = sheet_column(heading, "Student") >= 0 && sheet_column(heading, "ID") >= 0;
    bool moodle =
        sheet_column(heading, "Identifier") >= 0 || sheet_column(heading, "First name") >= 0;
    return canvas ? CANVAS : moodle ? MOODLE : NO_SYSTEM;
}

/* Its title stands in the cell, and is not the end of another's: "Conditional Layer Normalization".
 */
static bool has_title(const Class *class, const char *cell, const char *title)
{
    char other[256];
    if (!strcasestr(cell, title))
        return false;
    for (int i = 0; i < class->all_lessons->count; i++) {
        lesson_title(class->all_lessons->names[i], other, sizeof other);
        if (strlen(other) > strlen(title) && strcasestr(other, title) && strcasestr(cell, other))
            return false;
    }
    return true;
}

/* "Norms: 01_layer_norm (4711)", "Assignment: Layer Normalization (Real)", "Lesson 1". */
static bool names_lesson(const Class *class, const char *cell, const ClassLesson *lesson)
{
    int number = atoi(lesson->name);
    const char *at = strcasestr(cell, "lesson "), *word = strchr(lesson->name, '_') + 1;
    if (at && isdigit((unsigned char)at[7]))
        return atoi(at + 7) == number;
    at = strcasestr(cell, word);
    bool whole = at && !isalnum((unsigned char)at[strlen(word)]) &&
                 (at == cell || at[-1] == ' ' || (at - cell >= 3 && atoi(at - 3) == number));
    return whole || has_title(class, cell, lesson->blank.title);
}

/* A worksheet of Moodle's is of one assignment. */
static void find_columns(const Class *class, const Record *heading, System system, Column *columns)
{
    int grade = system == MOODLE && class->lesson_count == 1 ? sheet_column(heading, "Grade") : -1;
    for (int l = 0; l < class->lesson_count; l++) {
        columns[l] = (Column){grade, class->lessons[l].points};
        for (int i = 0; i < heading->count && columns[l].cell < 0; i++)
            if (names_lesson(class, heading->cells[i], &class->lessons[l]))
                columns[l].cell = i;
    }
}

/* What it is worth there: Canvas says so in a row of its own, Moodle in a column. */
static void read_most(const Record *heading, const Record *record, System system, int count,
                      Column *columns)
{
    int most = system == MOODLE ? sheet_column(heading, "Maximum Grade") : -1;
    for (int l = 0; l < count; l++) {
        int cell = system == CANVAS ? columns[l].cell : most;
        if (cell < 0 || cell >= record->count || (most >= 0 && columns[l].cell < 0))
            continue;
        double value = atof(record->cells[cell]);
        columns[l].most = value > 0 ? value : columns[l].most;
    }
}

static void add_score(Buffer *out, const ClassLesson *lesson, const Entry *entry, double most,
                      System system)
{
    char text[40] = "";
    double share = lesson->points > 0 ? entry->score / lesson->points : 0;
    if (entry->excused && system == CANVAS)
        snprintf(text, sizeof text, "EX");
    else if (is_scored(entry))
        snprintf(text, sizeof text, "%.10g", round(100 * share * most) / 100);
    add_text(out, text);
}

static const Student *listed_at(const Class *class, int row)
{
    for (int i = 0; i < class->count && row; i++)
        if (class->students[i].list_row == row)
            return &class->students[i];
    return NULL;
}

/* The record as it was, but for those cells. */
static void copy_record(Buffer *out, const Class *class, const Sheet *table, const Record *record,
                        int row, const Column *columns, System system, int cells)
{
    const Student *student = listed_at(class, row);
    bool most = record->count && !strcasecmp(record->cells[0], POINTS_POSSIBLE);
    size_t end = record->end; /* before the line's end; there may be more cells than are read */
    if (end > record->begin && table->text[end - 1] == '\n')
        end--;
    if (end > record->begin && table->text[end - 1] == '\r')
        end--;
    size_t at = record->begin;
    for (int i = 0; i < record->count && student; i++)
        for (int l = 0; l < class->lesson_count; l++)
            if (columns[l].cell == i) {
                size_t behind = record->behind[i] < end ? record->behind[i] : end;
                buffer_append(out, table->text + at, record->first[i] - at);
                add_score(out, &class->lessons[l], &student->entries[l], columns[l].most, system);
                at = behind;
            }
    buffer_append(out, table->text + at, end - at);
    bool blank = record->count == 1 && !*record->cells[0];
    for (int i = record->count; i < cells && !blank && (student || !row || most); i++)
        buffer_append(out, &table->between, 1);
    for (int l = 0; l < class->lesson_count && !blank; l++) {
        if (columns[l].cell >= 0)
            continue;
        buffer_append(out, &table->between, 1);
        if (!row)
            add_text(out, class->lessons[l].name);
        else if (most)
            html_print(out, "%.10g", class->lessons[l].points);
        else if (student)
            add_score(out, &class->lessons[l], &student->entries[l], columns[l].most, system);
    }
    buffer_append(out, table->text + end, record->end - end);
}

static void fill_in(const Class *class, const char *text, Buffer *out, System *system)
{
    Sheet table;
    Record heading, record;
    Column columns[MAX_LESSONS];
    sheet_open(&table, text);
    bool good = sheet_next(&table, &heading);
    *system = good ? system_of(&heading) : NO_SYSTEM;
    if (*system != NO_SYSTEM) {
        find_columns(class, &heading, *system, columns);
        copy_record(out, class, &table, &heading, 0, columns, *system, heading.count);
        for (int row = 1; sheet_next(&table, &record); row++) {
            bool most = record.count && !strcasecmp(record.cells[0], POINTS_POSSIBLE);
            if (most || *system == MOODLE)
                read_most(&heading, &record, *system, class->lesson_count, columns);
            copy_record(out, class, &table, &record, row, columns, *system, heading.count);
        }
    }
    sheet_close(&table);
}

static bool write_table(const Class *class)
{
    static const char mark[] = "\xEF\xBB\xBF";
    char *text = class->asked->students ? read_file(class->asked->students, NULL) : NULL;
    Buffer out = {0};
    System system = NO_SYSTEM;
    bool good = true, marked = text && !strncmp(text, mark, 3);
    if (marked)
        buffer_append(&out, mark, 3);
    if (text)
        fill_in(class, text + (marked ? 3 : 0), &out, &system);
    if (system != NO_SYSTEM) {
        char *path = format_text("%s/grades-%s.csv", class->asked->out,
                                 system == CANVAS ? "canvas" : "moodle");
        good = write_synced(path, out.data, out.length);
        if (!good)
            fprintf(stderr, "%s: %s\n", path, strerror(errno));
        free(path);
    }
    buffer_free(&out);
    free(text);
    return good;
}

/* ---- a row a student ---- */
void by_student_write(const Class *class, Buffer *out)
{
    add_text(out, "student,id");
    for (int l = 0; l < class->lesson_count; l++)
        html_print(out, ",%s", class->lessons[l].name);
    add_text(out, ",total\r\n");
    for (int i = 0; i < class->count; i++) {
        const Student *student = &class->students[i];
        double total = 0;
        bool known = true;
        csv_cell(out, student->name, ',', false);
        csv_cell(out, student->id, ',', false);
        for (int l = 0; l < class->lesson_count; l++) {
            const Entry *entry = &student->entries[l];
            known = known && (is_scored(entry) || entry->excused);
            total += entry->score;
            if (entry->excused)
                add_text(out, "excused");
            else if (is_scored(entry))
                html_print(out, "%.10g", entry->score);
            add_text(out, ",");
        }
        if (known)
            html_print(out, "%.10g", round(100 * total) / 100);
        add_text(out, "\r\n");
    }
}

/* ---- the feedback ---- */
/* "Ada Lovelace_12345_assignsubmission_file_feedback.html": Moodle knows the student by the number
 * behind the first _. Caller frees. */
static char *name_for_moodle(const Student *student)
{
    char *name = harmless_name(student->name);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    char *all = format_text("%s_%s_assignsubmission_file_feedback.html", name, student->id);
    free(name);
    return all;
}

static bool write_archive(const Class *class)
{
    int count = 0;
    char *path = format_text("%s/feedback-moodle.zip", class->asked->out);
    bool good = true;
    for (int i = 0; i < class->count; i++)
        count += class->students[i].of_moodle && *class->students[i].id;
    Zip *zip = count ? zip_begin(path) : NULL;
    if (!count)
        unlink(path);
    for (int i = 0; i < class->count && zip; i++) {
        const Student *student = &class->students[i];
        if (!student->of_moodle || !*student->id)
            continue;
        char *page = format_text("%s/feedback/%s.html", class->asked->out, student->file);
        char *name = name_for_moodle(student);
        size_t length = 0;
        char *text = read_file(page, &length);
        good = text && zip_add(zip, name, text, length) && good;
        free(text);
        free(name);
        free(page);
    }
    if (zip)
        good = zip_end(zip, path) && good;
    if (!good)
        fprintf(stderr, "%s: it can't be written.\n", path);
    free(path);
    return good;
}

bool write_returned(const Class *class)
{
    return class->asked->blind || (write_table(class) && write_archive(class));
}
