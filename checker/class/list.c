/* STUDENTS=file: who is in the class, though they handed in nothing. See class.h.
 *
 * The invariant: a hand-in is one listed student's or nobody's on the list, and which is said. */
#include "class.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { MOST_STUDENTS = 20000, MOST_NAME = 255 };

/* ---- the file ---- */
int sheet_column(const Record *heading, const char *words)
{
    for (int i = 0; i < heading->count; i++)
        if (!strcasecmp(heading->cells[i], words))
            return i;
    return -1;
}

typedef struct {
    int name, last, id; /* cells of a record; -1: there is none */
    int handed;         /* when a worksheet of Moodle's says that it came */
    bool of_moodle;     /* the id is the one that Moodle names hand-ins by */
} Columns;

/* As Canvas and Moodle call them. False: this is no heading. */
static bool find_columns(const Record *heading, Columns *found)
{
    static const char *const names[] = {"Student", "Full name", "Name", "First name"};
    *found = (Columns){-1, -1, -1, -1, false};
    for (int i = 0; i < 4 && found->name < 0; i++)
        found->name = sheet_column(heading, names[i]);
    if (found->name >= 0 && !strcasecmp(heading->cells[found->name], "First name")) {
        int last = sheet_column(heading, "Last name");
        found->last = last >= 0 ? last : sheet_column(heading, "Surname");
    }
    int id = sheet_column(heading, "ID");
    found->id = id >= 0 ? id : sheet_column(heading, "Identifier");
    found->handed = sheet_column(heading, "Last modified (submission)");
    found->of_moodle = id < 0 && found->id >= 0;
    return found->name >= 0;
}

/* "4711", or "Participant 4711". */
static const char *number_in(const char *cell)
{
    size_t start = strlen(cell);
    while (start > 0 && isdigit((unsigned char)cell[start - 1]))
        start--;
    return cell + start;
}

/* `row`: which record of a table it is. */
static bool add_listed(Class *class, const char *name, const char *last, const char *id, int row)
{
    if ((!*name && !*last) || !strcasecmp(name, POINTS_POSSIBLE))
        return true;
    char *whole = format_text("%.*s%s%.*s", MOST_NAME, name, *last ? " " : "", MOST_NAME, last);
    class->students = grown(class->students, class->count, &class->room, sizeof(Student));
    class->students[class->count++] = (Student){.name = shown_name(whole),
                                                .id = format_text("%s", ""),
                                                .list_id = format_text("%.31s", id),
                                                .list_row = row,
                                                .listed = true};
    free(whole);
    return class->count < MOST_STUDENTS;
}

/* "Monday, 4 May 2026, 11:58 PM", in this machine's time; 0: it says none. */
static time_t time_in(const char *cell)
{
    struct tm tm = {0};
    const char *end = strptime(cell, "%A, %d %B %Y, %I:%M %p", &tm);
    tm.tm_isdst = -1;
    return end && !*end ? mktime(&tm) : 0;
}

static const char *cell_of(const Record *record, int cell)
{
    return cell >= 0 && cell < record->count ? record->cells[cell] : "";
}

static const char *read_table(Class *class, Sheet *table)
{
    Record record;
    Columns at = {0};
    bool good = true;
    for (int row = 0; good && sheet_next(table, &record); row++) {
        int before = class->count;
        if (!row)
            find_columns(&record, &at);
        else
            good = add_listed(class, cell_of(&record, at.name), cell_of(&record, at.last),
                              number_in(cell_of(&record, at.id)), row);
        if (class->count > before) {
            class->students[before].of_moodle = at.of_moodle;
            class->students[before].handed = time_in(cell_of(&record, at.handed));
        }
    }
    return table->damaged ? "a quote is opened that nothing closes"
           : good         ? NULL
                          : "it holds more than 20000 students";
}

static const char *read_names(Class *class, char *text)
{
    bool good = true;
    for (char *line; good && (line = strsep(&text, "\n"));)
        good = add_listed(class, trimmed(line), "", "", 0);
    return good ? NULL : "it holds more than 20000 students";
}

/* A table has a heading of known words. */
static const char *read_list(Class *class, char *text)
{
    Record heading;
    Columns columns;
    Sheet table;
    sheet_open(&table, text);
    bool is_table = sheet_next(&table, &heading) && find_columns(&heading, &columns);
    sheet_close(&table);
    if (!is_table)
        return read_names(class, text);
    sheet_open(&table, text);
    const char *wrong = read_table(class, &table);
    sheet_close(&table);
    return wrong;
}

bool students_read(Class *class)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* which spreadsheets begin UTF-8 with */
    const char *path = class->asked->students, *wrong = NULL;
    size_t length = 0;
    char *text = path ? read_file(path, &length) : NULL;
    if (!path)
        return true;
    if (!text)
        wrong = strerror(errno);
    else if (memchr(text, '\0', length))
        wrong = "it is no text in UTF-8: it holds a byte 0";
    else
        wrong = read_list(class, text + (strncmp(text, mark, 3) ? 0 : 3));
    if (!wrong && !class->count)
        wrong = "there is no name in it";
    if (wrong)
        fprintf(stderr, "STUDENTS=%s: %s.\n", path, wrong);
    free(text);
    return !wrong;
}

/* ---- whose hand-in ---- */
/* Its letters and digits alone, as Canvas writes a name. Of "Lovelace, Ada" from `start` on, and
 * then what stands before. Caller frees. */
static char *plain_name(const char *name, size_t start)
{
    size_t length = strlen(name);
    char *plain = malloc(length + 1), *to = plain;
    if (!plain)
        abort();
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[(start + i) % length];
        if (c >= 0x80 || isalnum(c))
            *to++ = (char)(isupper(c) ? tolower(c) : c);
    }
    *to = '\0';
    return plain;
}

static bool is_alike(const char *listed, const char *name)
{
    const char *comma = strchr(listed, ',');
    char *own = plain_name(name, 0), *plain = plain_name(listed, 0);
    char *turned = plain_name(listed, comma ? (size_t)(comma - listed) : 0);
    bool alike = *own ? !strcmp(own, plain) || !strcmp(own, turned) : !strcmp(listed, name);
    free(turned);
    free(plain);
    free(own);
    return alike;
}

int listed_student(const Class *class, const char *name, const char *id)
{
    for (int i = 0; i < class->count; i++)
        if (class->students[i].listed && *id && !strcmp(class->students[i].list_id, id))
            return i;
    for (int i = 0; i < class->count; i++) {
        const Student *s = &class->students[i];
        bool free_of_id = !*s->id || !*id || !strcmp(s->id, id);
        if (s->listed && free_of_id && is_alike(s->name, name))
            return i;
    }
    return -1;
}

int student_named(const Class *class, const char *words)
{
    int found = -1;
    for (int i = 0; i < class->count; i++) {
        const Student *s = &class->students[i];
        if (!strcmp(s->name, words) || (*s->id && !strcmp(s->id, words)) ||
            (s->list_id && *s->list_id && !strcmp(s->list_id, words)))
            return i;
    }
    for (int i = 0; i < class->count; i++)
        if (is_alike(class->students[i].name, words))
            found = found == -1 ? i : -2;
    return found;
}
