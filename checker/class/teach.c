/* What to teach again: how hard each check was and how well it tells the strong from the weak, the
 * commonest mistakes with a line of some student's, what to ask in the next lecture, and the last
 * class beside this one. See class.h.
 *
 * The invariant: a line is shown without its author, and a number with how many it is made of. */
#include "class.h"

#include "cJSON.h"
#include "markdown.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 6, ENOUGH = 5 };

/* Its checks were run: what does not compile says nothing of what is hard. */
static bool was_run(const Entry *entry)
{
    return entry->has_report && !entry->report.build_error && entry->status != IS_STUB;
}

/* ---- the last class ---- */
/* A share of those whose checks were run, by the check's name; -1: it is not there. */
typedef struct {
    int students;
    double *passed; /* of each check of this class's lesson */
} Before;

static const cJSON *of_name(const cJSON *array, const char *key, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(item, key));
        if (text && !strcmp(text, name))
            return item;
    }
    return NULL;
}

static bool has_word(const cJSON *checks, int index, const char *word)
{
    const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(checks, index));
    return text && !strcmp(text, word);
}

/* The same rule as was_run(): something passed or failed. */
static bool was_run_before(const cJSON *entry, const cJSON *checks)
{
    return cJSON_GetArraySize(checks) > 0 &&
           (cJSON_GetNumberValue(cJSON_GetObjectItem(entry, "passed")) > 0 ||
            cJSON_GetNumberValue(cJSON_GetObjectItem(entry, "failed")) > 0);
}

static void read_before(const cJSON *document, const ClassLesson *lesson, Before *before)
{
    const cJSON *known = of_name(cJSON_GetObjectItem(document, "lessons"), "lesson", lesson->name);
    const cJSON *names = cJSON_GetObjectItem(known, "checks"), *student;
    int count = lesson->blank.count, *counts = calloc((size_t)count + 1, sizeof *counts);
    before->passed = calloc((size_t)count + 1, sizeof *before->passed);
    if (!counts || !before->passed)
        abort();
    cJSON_ArrayForEach(student, cJSON_GetObjectItem(document, "students"))
    {
        const cJSON *entry =
            of_name(cJSON_GetObjectItem(student, "lessons"), "lesson", lesson->name);
        const cJSON *checks = cJSON_GetObjectItem(entry, "checks");
        if (!known || !entry || !was_run_before(entry, checks))
            continue;
        before->students++;
        for (int i = 0; i < count; i++) {
            const cJSON *name = of_name(names, "name", lesson->blank.results[i].name);
            int at = 0;
            for (const cJSON *n = names ? names->child : NULL; n && n != name; n = n->next)
                at++;
            counts[i] += name ? has_word(checks, at, "passed") : 0;
        }
    }
    for (int i = 0; i < count; i++)
        before->passed[i] =
            before->students && of_name(names, "name", lesson->blank.results[i].name)
                ? (double)counts[i] / before->students
                : -1;
    free(counts);
}

bool before_read(Class *class)
{
    const char *folder = class->asked->before;
    struct stat info;
    if (!folder)
        return true;
    bool is_folder = stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
    char *path = format_text("%s%s", folder, is_folder ? "/grades.json" : "");
    char *text = read_file(path, NULL);
    class->before = text ? cJSON_Parse(text) : NULL;
    bool good = cJSON_IsArray(cJSON_GetObjectItem(class->before, "students")) &&
                cJSON_IsArray(cJSON_GetObjectItem(class->before, "lessons"));
    if (!good)
        fprintf(stderr, "BEFORE=%s: %s.\n", folder,
                text ? "what is in it was not written by make grade" : strerror(errno));
    free(text);
    free(path);
    return good;
}

/* ---- each check ---- */
/* How the check goes with all others of the lesson, over those that were run: the point-biserial
 * correlation. NAN: one of the two is the same for all. */
static double discrimination(const Class *class, int l, int check)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < class->count; i++) {
        const Entry *entry = &class->students[i].entries[l];
        if (!was_run(entry) || check >= entry->report.count)
            continue;
        double own = entry->report.results[check].status == PASSED;
        double rest = entry->report.passed - own;
        n++;
        x += own;
        y += rest;
        xx += own * own;
        yy += rest * rest;
        xy += own * rest;
    }
    double of_x = n * xx - x * x, of_y = n * yy - y * y;
    return of_x > 1e-9 && of_y > 1e-9 ? (n * xy - x * y) / sqrt(of_x * of_y) : NAN;
}

static double share_passed(const Class *class, int l, int check, int *students, int *failed)
{
    int passed = 0;
    *students = *failed = 0;
    for (int i = 0; i < class->count; i++) {
        const Entry *entry = &class->students[i].entries[l];
        if (!was_run(entry) || check >= entry->report.count)
            continue;
        ++*students;
        passed += entry->report.results[check].status == PASSED;
        *failed += entry->report.results[check].status == FAILED;
    }
    return *students ? (double)passed / *students : 0;
}

static void put_check(Buffer *out, const Class *class, int l, int check, const Before *before)
{
    int students, failed;
    double share = share_passed(class, l, check, &students, &failed);
    double tells = discrimination(class, l, check);
    html_print(out, "<tr><td class=\"n\">%.0f %%</td><td class=\"n\">%d</td><td class=\"n\">",
               100 * share, failed);
    if (isnan(tells))
        add_text(out, "–");
    else
        html_print(out, "%.2f", tells);
    if (class->before) {
        add_text(out, "</td><td class=\"n\">");
        if (before->passed[check] >= 0)
            html_print(out, "%.0f %% (%+.0f)", 100 * before->passed[check],
                       round(100 * share) - round(100 * before->passed[check]));
        else
            add_text(out, "–");
    }
    add_text(out, "</td><td>");
    html_text(out, class->lessons[l].blank.results[check].name);
    if (!isnan(tells) && tells < 0 && students >= ENOUGH)
        add_text(out, " <em>(those who pass it pass less of the rest: look at it)</em>");
    add_text(out, "</td></tr>\n");
}

static void put_checks(Buffer *out, const Class *class, int l)
{
    const ClassLesson *lesson = &class->lessons[l];
    Before before = {0};
    int students, failed;
    share_passed(class, l, 0, &students, &failed);
    add_text(out, "<h3>Each check</h3>\n");
    if (!students) {
        add_text(out, "<p>None was run.</p>\n");
        return;
    }
    if (class->before)
        read_before(class->before, lesson, &before);
    html_print(
        out,
        "<p>Of %d whose code compiles: how many passed it, how many failed it (the rest did not "
        "reach it), and how passing goes with the rest of the lesson (point-biserial; 1: it tells "
        "who can do it, 0: it tells nothing).",
        students);
    if (class->before)
        html_print(out, " Beside it the class before, of %d.", before.students);
    html_print(
        out,
        "</p>\n<table>\n<thead><tr><th class=\"n\">passed</th><th class=\"n\">failed</th><th "
        "class=\"n\">tells</th>%s"
        "<th>check</th></tr></thead>\n",
        class->before ? "<th class=\"n\">before</th>" : "");
    for (int i = 0; i < lesson->blank.count; i++)
        put_check(out, class, l, i, &before);
    add_text(out, "</table>\n");
    free(before.passed);
}

/* ---- mistakes, with a line ---- */
typedef struct {
    char *words;
    int count;
    const Fix *fix; /* of some student; NULL: no line was found */
    const char *function;
} Slip;

typedef struct {
    Slip *items;
    int count, room;
} Slips;

static void count_mistake(Slips *all, const CheckResult *result)
{
    char *words = result->when && result->mistake
                      ? format_text("%s (%s)", result->when, result->mistake)
                  : result->when ? format_text("%s", result->when)
                  : result->fix  ? format_text("%s", result->fix->kind)
                                 : NULL;
    if (!words)
        return;
    for (int i = 0; i < all->count; i++)
        if (!strcmp(all->items[i].words, words)) {
            all->items[i].count++;
            if (!all->items[i].fix)
                all->items[i].function = result->step;
            all->items[i].fix = all->items[i].fix ? all->items[i].fix : result->fix;
            free(words);
            return;
        }
    all->items = grown(all->items, all->count, &all->room, sizeof *all->items);
    all->items[all->count++] = (Slip){words, 1, result->fix, result->step};
}

/* Once a student: by the first check that shows it. */
static void count_of_student(Slips *all, const Report *report)
{
    for (int i = 0; i < report->count; i++) {
        const CheckResult *result = &report->results[i];
        bool said = result->status != FAILED;
        for (int k = 0; k < i && !said; k++) {
            const CheckResult *earlier = &report->results[k];
            bool named = result->when && earlier->when && !strcmp(result->when, earlier->when);
            said = named || (!result->when && result->fix && earlier->fix &&
                             !strcmp(result->fix->kind, earlier->fix->kind));
        }
        if (!said)
            count_mistake(all, result);
    }
}

static int by_count(const void *a, const void *b)
{
    const Slip *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->words, y->words);
}

/* The line as the student wrote it. */
static void put_slip(Buffer *out, const Slip *slip, int most)
{
    put_bar(out, slip->words, slip->count, most);
    add_text(out, "<tr class=\"more\"><td></td><td></td><td>");
    if (slip->fix && slip->fix->code) {
        char *line =
            format_text("%s: %s", slip->function, slip->fix->code + strspn(slip->fix->code, " \t"));
        put_block(out, "failed", line);
        free(line);
    }
    add_text(out, "</td></tr>\n");
}

/* One for a question, however many mistakes have it. */
static void put_questions(Buffer *out, const Slip *items, int count)
{
    int put = 0;
    for (int i = 0; i < count && put < SHOWN; i++) {
        const Fix *fix = items[i].fix;
        bool said = !fix || !fix->question;
        for (int k = 0; k < i && !said; k++)
            said = items[k].fix && items[k].fix->question &&
                   !strcmp(items[k].fix->question, fix->question) &&
                   !strcmp(items[k].function, items[i].function);
        if (said)
            continue;
        add_text(out, put++ ? "<li>In <code>"
                            : "<h3>Questions worth asking in the next lecture</h3>\n<ul>\n<li>In "
                              "<code>");
        html_text(out, items[i].function);
        add_text(out, "</code>, of a line like <code>");
        html_text(out, fix->code ? fix->code + strspn(fix->code, " \t") : "");
        html_print(out, "</code> (%d made the mistake): ", items[i].count);
        html_text(out, fix->question);
        add_text(out, "</li>\n");
    }
    add_text(out, put ? "</ul>\n" : "");
}

static void put_mistakes(Buffer *out, const Class *class, int l)
{
    Slips all = {0};
    for (int i = 0; i < class->count; i++)
        if (was_run(&class->students[i].entries[l]))
            count_of_student(&all, &class->students[i].entries[l].report);
    if (all.count)
        qsort(all.items, (size_t)all.count, sizeof *all.items, by_count);
    if (all.count)
        add_text(out, "<h3>What to teach again</h3>\n<p>How many made it, and one student's "
                      "line.</p>\n<table>\n");
    for (int i = 0; i < all.count && i < SHOWN; i++)
        put_slip(out, &all.items[i], all.items[0].count);
    add_text(out, all.count ? "</table>\n" : "");
    put_questions(out, all.items, all.count);
    for (int i = 0; i < all.count; i++)
        free(all.items[i].words);
    free(all.items);
}

void put_teaching(Buffer *out, const Class *class, int l)
{
    put_checks(out, class, l);
    put_mistakes(out, class, l);
}
