/* COURSE=file: due dates, what lateness costs, and what is different for single students. See
 * class.h.
 *
 * The invariant: nothing is hidden in a number: a score that is not what the checks gave has its
 * reason beside it, with the times and the arithmetic. */
#include "class.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- words of a line ---- */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t");
    char *end = word + strcspn(word, " \t");
    *rest = end + (*end != '\0');
    *end = '\0';
    return word;
}

static bool is_number(const char *word, double most, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(word, &end);
    return end > word && !*end && !errno && *value >= 0 && *value <= most;
}

/* "2026-05-04 23:59"; the day alone is its end. In this machine's time. */
static bool read_time(char **rest, time_t *value)
{
    char *day = next_word(rest), *clock = *rest + strspn(*rest, " \t");
    struct tm tm = {.tm_isdst = -1, .tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    int year, month, used = 0, hour, minute, clock_used = 0;
    if (sscanf(day, "%4d-%2d-%2d%n", &year, &month, &tm.tm_mday, &used) != 3 || day[used] ||
        used != 10)
        return false;
    if (sscanf(clock, "%2d:%2d%n", &hour, &minute, &clock_used) == 2 && clock_used == 5 &&
        (!clock[5] || isspace((unsigned char)clock[5]))) {
        next_word(rest);
        tm.tm_hour = hour;
        tm.tm_min = minute;
        tm.tm_sec = 0;
    }
    tm.tm_year = year - 1900;
    tm.tm_mon = month - 1;
    struct tm asked = tm;
    *value = mktime(&tm);
    return *value != (time_t)-1 && tm.tm_mday == asked.tm_mday && tm.tm_mon == asked.tm_mon &&
           asked.tm_hour >= 0 && asked.tm_hour < 24 && asked.tm_min >= 0 && asked.tm_min < 60;
}

static void time_words(time_t time, char *text, size_t size)
{
    struct tm tm;
    strftime(text, size, "%Y-%m-%d %H:%M", localtime_r(&time, &tm));
}

/* Of the class's lessons; -1: it is not graded now; -2: there is none of that name. */
static int read_lesson(const Class *class, char **rest)
{
    const char *name = lesson_find(class->all_lessons, next_word(rest));
    for (int l = 0; l < class->lesson_count && name; l++)
        if (!strcmp(class->lessons[l].name, name))
            return l;
    return name ? -1 : -2;
}

/* ---- the file ---- */
typedef enum { DUE, EXTEND, EXCUSE, SCORE, HANDED } What;
static const struct {
    const char *word;
    What what;
} words[] = {
    {"due", DUE}, {"extend", EXTEND}, {"excuse", EXCUSE}, {"score", SCORE}, {"handed", HANDED}};

static char *read_exception(Class *class, What what, char *rest, int lesson)
{
    time_t time = 0;
    double score = 0;
    if ((what == EXTEND || what == HANDED) && !read_time(&rest, &time))
        return format_text("a day is written as 2026-05-04 23:59");
    if (what == SCORE && !is_number(next_word(&rest), 1e6, &score))
        return format_text("behind the lesson stands a score, from 0 on");
    char *name = trimmed(rest), *reason = strstr(name, ": ");
    if (reason) {
        *reason = '\0';
        reason = trimmed(reason + 2);
    }
    if (what == SCORE && (!reason || !*reason))
        return format_text("a score that is set has a reason: score 01 80 Ada: oral exam");
    int student = student_named(class, trimmed(name));
    if (student < 0)
        return format_text(student == -1 ? "nobody in the class is called \"%s\""
                                         : "more than one is called \"%s\": write the number",
                           trimmed(name));
    if (lesson < 0)
        return NULL;
    Entry *entry = &class->students[student].entries[lesson];
    Special *s = &entry->special;
    if (what == EXTEND)
        s->due = time;
    else if (what == HANDED)
        s->handed = time;
    else if (what == EXCUSE)
        entry->excused = true;
    s->by_hand = s->by_hand || what == SCORE;
    s->score = what == SCORE ? score : s->score;
    if (what == SCORE || what == EXCUSE) {
        free(s->reason);
        s->reason = reason && *reason ? format_text("%s", reason) : NULL;
    }
    return NULL;
}

/* NULL: it is good. Caller frees. */
static char *course_line(Class *class, char *line)
{
    Course *course = &class->course;
    char *rest = line, *word = next_word(&rest);
    double *value = !strcmp(word, "grace")  ? &course->grace
                    : !strcmp(word, "late") ? &course->late
                    : !strcmp(word, "most") ? &course->most
                                            : NULL;
    if (value)
        return is_number(trimmed(rest), value == &course->grace ? 1e6 : 100, value)
                   ? NULL
                   : format_text("behind %s stands %s", word,
                                 value == &course->grace ? "a number of minutes"
                                                         : "a number of percent, 0 to 100");
    if (!strcmp(word, "count")) {
        course->in_time = !strcmp(trimmed(rest), "in-time");
        return course->in_time ? NULL : format_text("behind count stands in-time");
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) != 0)
            continue;
        int lesson = read_lesson(class, &rest);
        if (lesson == -2)
            return format_text("behind %s stands a lesson, as in: %s 01", word, word);
        if (words[i].what != DUE)
            return read_exception(class, words[i].what, rest, lesson);
        time_t due;
        if (!read_time(&rest, &due) || *trimmed(rest))
            return format_text("a day is written as 2026-05-04 23:59");
        if (lesson >= 0)
            course->due[lesson] = due;
        return NULL;
    }
    return format_text(
        "a line begins with due, grace, late, most, count, extend, handed, excuse or score");
}

bool course_read(Class *class)
{
    const char *path = class->asked->course;
    if (!path)
        return true;
    class->course.most = 100;
    char *text = read_file(path, NULL), *rest = text, *line, *wrong = NULL;
    if (!text)
        fprintf(stderr, "COURSE=%s: %s\n", path, strerror(errno));
    for (int number = 1; text && !wrong && (line = strsep(&rest, "\n")); number++) {
        line[strcspn(line, "#")] = '\0';
        line = trimmed(line);
        wrong = *line ? course_line(class, line) : NULL;
        if (wrong) {
            put_on_one_line(wrong);
            fprintf(stderr, "COURSE=%s, line %d: %s.\n", path, number, wrong);
        }
    }
    bool good = text && !wrong;
    free(wrong);
    free(text);
    return good;
}

/* ---- what it comes to ---- */
static void set_score(Entry *entry, double score, char *why)
{
    entry->score = round(100 * score) / 100;
    free(entry->adjusted);
    entry->adjusted = why;
}

/* When it came in, as far as is known, and by what. */
typedef struct {
    time_t due, handed;
    const char *by;
    bool marked; /* only Canvas's mark says that it is late */
} Times;

static Times times_of(const Class *class, const Student *student, int l, time_t came, bool marked)
{
    const Special *special = &student->entries[l].special;
    time_t listed = class->lesson_count == 1 ? student->handed : 0;
    bool own = !special->handed && !listed;
    Times times = {.due = special->due ? special->due : class->course.due[l],
                   .handed = special->handed ? special->handed
                             : listed        ? listed
                                             : came,
                   .by = special->handed ? ""
                         : listed        ? " by Moodle's table"
                                         : " by the file's time"};
    times.marked = marked && own && !special->due && times.due && times.handed <= times.due;
    return times;
}

bool is_late(const Class *class, const Student *student, int l, time_t came, bool marked)
{
    Times times = times_of(class, student, l, came, marked);
    return times.due &&
           (times.marked || difftime(times.handed, times.due) > 60 * class->course.grace);
}

static void take_off(const Class *class, const Student *student, int l)
{
    Entry *entry = &student->entries[l];
    const Course *course = &class->course;
    Times times = times_of(class, student, l, entry->time, entry->late);
    if (entry->earned <= 0 || !is_late(class, student, l, entry->time, entry->late))
        return;
    char when[32], until[32];
    time_words(times.handed, when, sizeof when);
    time_words(times.due, until, sizeof until);
    double days = times.marked ? 1 : ceil(difftime(times.handed, times.due) / 86400);
    double percent = fmin(days * course->late, course->most);
    double score = entry->earned * (1 - percent / 100);
    char *came = times.marked ? format_text("marked LATE by Canvas")
                              : format_text("handed in %s%s", when, times.by);
    set_score(
        entry, score,
        format_text("late: %s, due %s%s; %.10g %s begun, %.10g percent off: %.10g of the "
                    "%.10g points earned%s",
                    came, until, entry->special.due ? " by extension" : "", days,
                    days == 1 ? "day" : "days", percent, round(100 * score) / 100, entry->earned,
                    entry->other_in_time ? "; an older file came in time, and the newest counts"
                                         : ""));
    free(came);
}

void course_apply(const Class *class, Student *student, int l)
{
    Entry *entry = &student->entries[l];
    const char *reason = entry->special.reason;
    entry->earned = entry->score;
    free(entry->adjusted);
    entry->adjusted = NULL;
    if (!class->asked->course)
        return;
    if (entry->excused)
        set_score(entry, 0, format_text("excused%s%s", reason ? ": " : "", reason ? reason : ""));
    else if (entry->special.by_hand)
        set_score(entry, entry->special.score,
                  format_text("set by hand to %.10g in place of %.10g: %s", entry->special.score,
                              entry->earned, reason));
    else
        take_off(class, student, l);
}
