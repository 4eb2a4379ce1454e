/* Which of a student's files counts for a lesson, and why each of the others does not. See class.h.
 *
 * Where several files are of one lesson the newest counts, late or not: by the number that Canvas
 * gives a new hand-in, else by the file's own time. If COURSE= says so, one that is not late goes
 * before. A file whose name says no lesson is of the one whose
 * functions it defines; where one lesson is graded it may be any.
 *
 * The invariant: a student who handed in something is never `missing` without a word, and every
 * file that came in is used or has its reason. */
#include "class.h"
#include "box.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a file defines ---- */
enum { MOST_FUNCTIONS = 400 };

/* The share of the lesson's functions that these define. */
static double share_of(const char *lesson, const Named *defined, int count)
{
    static Named wanted[64];
    char *path = format_text("include/%s.h", lesson);
    size_t length = 0;
    char *text = read_file(path, &length);
    int functions = text ? functions_in(text, length, wanted, 64) : 0, all = 0, there = 0;
    for (int i = 0; i < functions; i++) {
        if (wanted[i].defined)
            continue;
        all++;
        for (int k = 0; k < count; k++)
            if (defined[k].defined && !strcmp(defined[k].name, wanted[i].name)) {
                there++;
                break;
            }
    }
    free(text);
    free(path);
    return all ? (double)there / all : 0;
}

/* The lesson but `but` of which these are the most of the functions; -1: none, or several as much.
 */
static int lesson_defined(const Class *class, const Named *defined, int count, int but)
{
    int best = -1;
    double most = 0;
    for (int i = 0; i < class->all_lessons->count; i++) {
        double share = i == but ? 0 : share_of(class->all_lessons->names[i], defined, count);
        if (share > most || (share == most && share > 0)) {
            best = share > most ? i : -1;
            most = share;
        }
    }
    return most >= 0.5 ? best : -1;
}

/* ---- what can be seen of a file before it is graded ---- */
/* Its text, where it can be read; NULL. Caller frees. */
static char *text_of(HandIn *item, size_t *length)
{
    char error[8192];
    if (!item->path && !item->text)
        return NULL;
    if (!item->path) {
        *length = item->length;
        char *copy = malloc(item->length + 1);
        if (!copy)
            abort();
        memcpy(copy, item->text, item->length + 1);
        return copy;
    }
    return submission_read(item->path, length, error, sizeof error);
}

static bool is_blank(const char *text, size_t length)
{
    size_t mark = length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
    for (size_t i = mark; i < length; i++)
        if (!strchr(" \t\r\n\f", text[i]) || !text[i])
            return false;
    return true;
}

static bool is_utf16(const char *text, size_t length)
{
    if (length >= 2 && (!memcmp(text, "\xFF\xFE", 2) || !memcmp(text, "\xFE\xFF", 2)))
        return true;
    size_t zeros = 0, most = length < 512 ? length : 512;
    for (size_t i = 0; i < most; i++)
        zeros += !text[i];
    return most >= 16 && zeros >= most * 2 / 5; /* every second byte of English */
}

/* Why the text can't be an answer to the lesson; NULL: it may be one. Caller frees. */
static char *why_unusable(const Class *class, int lesson, const char *text, size_t length)
{
    static Named defined[MOST_FUNCTIONS];
    if (is_blank(text, length))
        return format_text("it is empty");
    if (is_utf16(text, length))
        return format_text("it is saved as UTF-16; save it as UTF-8");
    int count = functions_in(text, length, defined, MOST_FUNCTIONS);
    if (share_of(class->all_lessons->names[lesson], defined, count) > 0)
        return NULL;
    int other = lesson_defined(class, defined, count, lesson);
    if (other < 0)
        return NULL;
    const char *name = class->all_lessons->names[other];
    return format_text("this defines the functions of lesson %.*s", (int)strcspn(name, "_"), name);
}

/* ---- which of several ---- */
static bool is_candidate(const HandIn *item)
{
    return !item->why && !item->is_header;
}

static bool is_newer(const HandIn *a, const HandIn *b)
{
    if (a->version != b->version)
        return a->version > b->version;
    return a->time != b->time ? a->time > b->time : strcmp(a->shown, b->shown) >= 0;
}

/* Names that say no lesson: what is in the file may. */
static void place_by_content(const Class *class, HandIns *in)
{
    static Named defined[MOST_FUNCTIONS];
    for (int i = 0; i < in->count; i++) {
        HandIn *item = &in->items[i];
        size_t length;
        char *text = is_candidate(item) && item->lesson < 0 && class->lesson_count > 1
                         ? text_of(item, &length)
                         : NULL;
        if (text)
            item->lesson = lesson_defined(class, defined,
                                          functions_in(text, length, defined, MOST_FUNCTIONS), -1);
        free(text);
    }
}

/* The one of the class's lesson `l` that counts. */
static HandIn *newest(const Class *class, Student *student, int l)
{
    HandIns *in = &student->in;
    Entry *entry = &student->entries[l];
    HandIn *best = NULL, *guess = NULL;
    int guesses = 0, count = 0, in_time = 0;
    int lesson = lesson_index(class->all_lessons, class->lessons[l].name);
    bool best_late = false;
    for (HandIn *item = in->items; item < in->items + in->count; item++) {
        if (!is_candidate(item))
            continue;
        if (item->lesson == lesson) {
            bool late = is_late(class, student, l, item->arrived, item->late);
            bool other = class->course.in_time && best && late != best_late;
            bool counts = other ? best_late : !best || is_newer(item, best);
            best = counts ? item : best;
            best_late = counts ? late : best_late;
            in_time += !late;
            count++;
        } else if (item->lesson < 0) {
            guess = item;
            guesses++;
        }
    }
    entry->others = best ? count - 1 : 0;
    entry->other_in_time = best && best_late && in_time;
    return best ? best : guesses == 1 && class->lesson_count == 1 ? guess : NULL;
}

/* ---- what lies in exercises/ ---- */
static bool is_stub_file(const Class *class, HandIn *item)
{
    size_t length, stub_length = 0;
    char *path = format_text("checker/lessons/%s/stub.c", class->all_lessons->names[item->lesson]);
    char *stub = read_file(path, &stub_length), *text = text_of(item, &length);
    bool same = stub && text && length == stub_length && !memcmp(text, stub, length);
    free(text);
    free(stub);
    free(path);
    return same;
}

static void leave_aside(HandIn *item, const char *why)
{
    item->why = format_text("%s", why);
    item->beside = true;
}

/* For that lesson there lies an answer, and not only the stub as it was handed out. */
static bool exercises_hold(const Class *class, HandIns *in, int lesson)
{
    for (HandIn *item = in->items; item < in->items + in->count; item++)
        if (is_candidate(item) && item->of_exercises && item->lesson == lesson &&
            !is_stub_file(class, item))
            return true;
    return false;
}

static void leave_stubs(HandIns *in, int lesson)
{
    for (HandIn *item = in->items; item < in->items + in->count; item++)
        if (is_candidate(item) && item->of_exercises && item->lesson == lesson)
            leave_aside(item, "it is the stub, and an answer lies elsewhere");
}

/* A repository that is a copy of the workbook holds solutions and stubs elsewhere as well. So what
 * lies in exercises/ counts; only where there is no answer, one from outside of the workbook's own
 * folders does. */
static void leave_what_is_not_exercises(const Class *class, HandIns *in)
{
    bool exercises = false;
    for (int i = 0; i < in->count; i++)
        exercises = exercises || (is_candidate(&in->items[i]) && in->items[i].of_exercises);
    for (HandIn *item = in->items; item < in->items + in->count && exercises; item++) {
        if (item->of_exercises || item->why)
            continue;
        if (is_candidate(item) && item->lesson >= 0 && !item->of_workbook &&
            !exercises_hold(class, in, item->lesson))
            leave_stubs(in, item->lesson);
        else
            leave_aside(item, "what lies in exercises/ counts");
    }
}

/* ---- what is said ---- */
static void add_reason(Buffer *out, const HandIn *item, int number)
{
    enum { SHOWN = 5 };
    char *name = shown_name(item->shown);
    char *text = number < SHOWN    ? format_text("%s%s: %s", number ? "; " : "", name, item->why)
                 : number == SHOWN ? format_text("; and more")
                                   : NULL;
    if (text)
        buffer_append(out, text, strlen(text));
    free(text);
    free(name);
}

/* Of what came in nothing was used for this lesson: what that is, and why. NULL: nothing came in
 * that could have been for it. Caller frees. */
static char *what_came(const Class *class, const HandIns *in, int lesson, bool any_used)
{
    Buffer out = {0};
    int said = 0;
    for (int i = 0; i < in->count; i++) {
        const HandIn *item = &in->items[i];
        int meant = item->lesson >= 0 ? item->lesson : lesson_meant(item->name, class->all_lessons);
        if (item->aside || item->beside || !item->why)
            continue;
        if (item->is_header ? !any_used : meant == lesson || (meant < 0 && !any_used))
            add_reason(&out, item, said++);
    }
    if (in->beyond && !any_used) {
        char *more =
            format_text("%s%d more files came in than are looked at", said ? "; " : "", in->beyond);
        buffer_append(&out, more, strlen(more));
        free(more);
        said++;
    }
    buffer_append(&out, "", 1);
    if (said)
        return out.data;
    buffer_free(&out);
    return NULL;
}

static const HandIn *refused_archive(const HandIns *in)
{
    for (int i = 0; i < in->count; i++)
        if (in->items[i].archive)
            return &in->items[i];
    return NULL;
}

static void say_none(const Class *class, const HandIns *in, int lesson, bool any_used, Entry *entry)
{
    const HandIn *archive = any_used ? NULL : refused_archive(in);
    char *reason = what_came(class, in, lesson, any_used);
    entry->status = archive && archive->failed ? NOT_GRADED
                    : archive                  ? NOT_TAKEN
                    : reason                   ? UNUSABLE
                                               : IS_MISSING;
    if (archive) {
        free(reason);
        reason = format_text("%s", archive->why);
        entry->path = shown_name(archive->shown);
    }
    entry->reason = reason;
}

/* ---- the student's entries ---- */
static bool take(Class *class, Student *student, int l, HandIn *item)
{
    Entry *entry = &student->entries[l];
    const ClassLesson *lesson = &class->lessons[l];
    int number = lesson_index(class->all_lessons, lesson->name);
    size_t length = 0;
    char *text = item->refused ? NULL : text_of(item, &length);
    char *why = text ? why_unusable(class, number, text, length) : NULL;
    free(text);
    if (why) {
        item->why = why;
        item->lesson = number;
        return true;
    }
    entry->path = shown_name(item->shown);
    entry->time = item->arrived;
    entry->late = item->late;
    item->used = true;
    if (!keep_file(class, lesson->name, entry, item, &student->in))
        return false;
    if (!entry->reason)
        name_verdict(class, lesson, entry);
    return true;
}

static void leave_the_rest(const Class *class, HandIns *in)
{
    for (int i = 0; i < in->count; i++) {
        HandIn *item = &in->items[i];
        if (item->why || item->used)
            continue;
        bool graded = false, said = item->lesson < 0;
        for (int l = 0; l < class->lesson_count; l++)
            graded =
                graded || lesson_index(class->all_lessons, class->lessons[l].name) == item->lesson;
        item->why =
            item->refused     ? format_text("%s", item->refused)
            : item->is_header ? format_text("a header, and no file that is graded lies beside it")
            : said            ? format_text("its name has no lesson in it")
            : graded
                ? format_text(class->course.in_time ? "another one counts" : "a newer one counts")
                : format_text("its lesson is not graded now");
        item->beside = !said && !item->is_header;
    }
}

bool choose_files(Class *class, Student *student)
{
    HandIns *in = &student->in;
    bool any_used = false;
    place_by_content(class, in);
    leave_what_is_not_exercises(class, in);
    for (int l = 0; l < class->lesson_count; l++) {
        Entry *entry = &student->entries[l];
        HandIn *item = newest(class, student, l);
        /* One that is unusable leaves its place to the next. */
        while (item && !entry->path) {
            if (!take(class, student, l, item))
                return false;
            any_used = any_used || entry->path;
            item = entry->path ? NULL : newest(class, student, l);
        }
    }
    leave_the_rest(class, in);
    for (int l = 0; l < class->lesson_count; l++)
        if (!student->entries[l].path)
            say_none(class, in, lesson_index(class->all_lessons, class->lessons[l].name), any_used,
                     &student->entries[l]);
    return true;
}
