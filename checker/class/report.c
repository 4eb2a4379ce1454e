/* The teacher's page: how the scores lie, what went wrong most often, who has not handed in, what
 * looks alike. See class.h. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 10, FEW_LESSONS = 4 };

/* ---- one lesson ---- */
static void put_statuses(Buffer *out, const Class *class, int l)
{
    int counts[STATUSES] = {0};
    for (int i = 0; i < class->count; i++)
        counts[class->students[i].entries[l].status]++;
    add_text(out, "<table>\n");
    for (int s = 0; s < STATUSES; s++)
        if (counts[s])
            put_bar(out, status_words((ClassStatus)s), counts[s], class->count);
    add_text(out, "</table>\n");
}

/* Of those that were run: tenths of the points, and all of them. */
static void put_scores(Buffer *out, const Class *class, int l)
{
    const ClassLesson *lesson = &class->lessons[l];
    int counts[PARTS + 1] = {0}, most = 0;
    for (int i = 0; i < class->count; i++) {
        const Entry *entry = &class->students[i].entries[l];
        double share = lesson->points > 0 ? entry->earned / lesson->points : 0;
        int part = share > 1 - 1e-9 ? PARTS : (int)(share * PARTS + 1e-9);
        if (entry->has_report)
            most = ++counts[part] > most ? counts[part] : most;
    }
    add_text(out, "<h3>Scores of those that handed in</h3>\n<table>\n");
    for (int part = PARTS; part >= 0; part--) {
        char *words = part == PARTS
                          ? format_text("%.6g points", lesson->points)
                          : format_text("%.6g to below %.6g", lesson->points * part / PARTS,
                                        lesson->points * (part + 1) / PARTS);
        put_bar(out, words, counts[part], most);
        free(words);
    }
    add_text(out, "</table>\n");
}

static void put_student(Buffer *out, const Student *student)
{
    add_text(out, "<a href=\"feedback/");
    for (const char *c = student->file; *c; c++)
        html_print(out, *c == ' ' ? "%%20" : "%c", *c);
    add_text(out, ".html\"><bdi>");
    html_text(out, student->name);
    add_text(out, "</bdi></a>");
}

/* Those of some statuses, with the reason where there is one. */
static void put_those(Buffer *out, const Class *class, int l, const char *heading,
                      ClassStatus status)
{
    int count = 0;
    for (int i = 0; i < class->count; i++) {
        const Student *student = &class->students[i];
        const Entry *entry = &student->entries[l];
        if (entry->status != status)
            continue;
        if (!count++)
            html_print(out, "<h3>%s</h3>\n<ul>\n", heading);
        add_text(out, "<li>");
        put_student(out, student);
        const char *reason = entry->reason;
        if (reason) {
            add_text(out, ": ");
            html_text(out, reason);
        }
        add_text(out, "</li>\n");
    }
    add_text(out, count ? "</ul>\n" : "");
}

/* "100 %", "70 to 100 %": from the least of its pairs to the most. */
static void put_share(Buffer *out, int least, int most)
{
    if (least < most)
        html_print(out, "%d to %d %%", least, most);
    else
        html_print(out, "%d %%", most);
}

static void put_group(Buffer *out, const Class *class, int l, const int *group, int first)
{
    const Alike *alike = &class->alike[l];
    int least = 100, most = 0, least_lines = 100, most_lines = 0;
    for (int i = 0; i < alike->count; i++) {
        const Pair *pair = &alike->pairs[i];
        if (group[pair->a] != first)
            continue;
        least = pair->percent < least ? pair->percent : least;
        most = pair->percent > most ? pair->percent : most;
        least_lines = pair->lines < least_lines ? pair->lines : least_lines;
        most_lines = pair->lines > most_lines ? pair->lines : most_lines;
    }
    add_text(out, "<tr><td class=\"n\">");
    put_share(out, least, most);
    add_text(out, "</td><td class=\"n\">");
    put_share(out, least_lines, most_lines);
    add_text(out, "</td><td>");
    for (int i = first, said = 0; i < class->count; i++)
        if (group[i] == first) {
            add_text(out, said++ ? ", " : "");
            put_student(out, &class->students[i]);
        }
    add_text(out, "</td></tr>\n");
}

static void put_left_out(Buffer *out, const Alike *alike)
{
    char *text = format_text("%.*s", (int)alike->left_out.length, alike->left_out.data), *line;
    if (*text)
        add_text(out, "<p>What was not compared:</p>\n<ul>\n");
    for (char *rest = text; (line = strsep(&rest, "\n")) && *line;) {
        add_text(out, "<li>");
        html_text(out, line);
        add_text(out, "</li>\n");
    }
    add_text(out, *text ? "</ul>\n" : "");
    free(text);
}

static void put_alike(Buffer *out, const Class *class, int l)
{
    const Alike *alike = &class->alike[l];
    int *group = calloc((size_t) class->count + 1, sizeof *group);
    if (!group)
        abort();
    alike_groups(class, l, group);
    add_text(out, "<h3>Files that look alike</h3>\n");
    if (alike->failed) {
        add_text(out, "<p>Only files that are the same were looked for: ");
        html_text(out, alike->failed);
        add_text(out, "</p>\n");
    }
    if (!alike->count && !alike->failed)
        add_text(out, "<p>None.</p>\n");
    if (alike->count)
        add_text(
            out,
            "<p>Places to look at, and no verdicts: what is short and right is soon alike. "
            "Lines of the stub and of the lesson's page are left out. Names of variables and "
            "numbers count as code, and not as lines.</p>\n<table>\n<thead><tr><th class=\"n\">"
            "code</th><th class=\"n\">lines</th><th>who</th></tr></thead>\n");
    for (int i = 0; i < class->count; i++)
        if (group[i] == i)
            put_group(out, class, l, group, i);
    add_text(out, alike->count ? "</table>\n" : "");
    put_left_out(out, alike);
    free(group);
}

/* Whose score is not what the checks earned. */
static void put_adjusted(Buffer *out, const Class *class, int l)
{
    int count = 0;
    for (int i = 0; i < class->count; i++) {
        const Entry *entry = &class->students[i].entries[l];
        if (!entry->adjusted)
            continue;
        add_text(out, count++ ? "<li>" : "<h3>Late, excused, or set by hand</h3>\n<ul>\n<li>");
        put_student(out, &class->students[i]);
        add_text(out, ": ");
        html_text(out, entry->adjusted);
        add_text(out, "</li>\n");
    }
    add_text(out, count ? "</ul>\n" : "");
}

static void put_speed(Buffer *out, const Class *class, int l)
{
    int raced = 0;
    for (int i = 0; i < class->count; i++) {
        char *words = speed_words(&class->students[i].entries[l]);
        if (!words)
            continue;
        add_text(out, raced++ ? "" : "<h3>The race</h3>\n<ul>\n");
        add_text(out, "<li>");
        put_student(out, &class->students[i]);
        add_text(out, ": ");
        html_text(out, words);
        add_text(out, "</li>\n");
        free(words);
    }
    add_text(out, raced ? "</ul>\n" : "");
}

static void put_lesson(Buffer *out, const Class *class, int l)
{
    const ClassLesson *lesson = &class->lessons[l];
    html_print(out, "<h2>Lesson %.*s: ", (int)strcspn(lesson->name, "_"), lesson->name);
    html_text(out, lesson->blank.title);
    add_text(out, "</h2>\n");
    put_statuses(out, class, l);
    put_scores(out, class, l);
    put_speed(out, class, l);
    put_teaching(out, class, l);
    put_those(out, class, l, "Not handed in", IS_MISSING);
    put_those(out, class, l, "Handed in, and nothing usable", UNUSABLE);
    put_those(out, class, l, "Not accepted", NOT_TAKEN);
    put_those(out, class, l, "Could not be graded, which is the machine's doing", NOT_GRADED);
    put_adjusted(out, class, l);
    put_alike(out, class, l);
}

/* ---- all students ---- */
static void put_strangers(Buffer *out, const Class *class)
{
    int count = 0;
    for (int i = 0; i < class->count && class->asked->students; i++) {
        if (class->students[i].listed)
            continue;
        add_text(out, count++ ? "" : "<h2>Not on the list</h2>\n<ul>\n");
        add_text(out, "<li>");
        put_student(out, &class->students[i]);
        add_text(out, "</li>\n");
    }
    add_text(out, count ? "</ul>\n" : "");
}

/* Of many lessons each has one column, the status below the score: it has to fit on paper. */
static void put_table(Buffer *out, const Class *class)
{
    bool wide = class->lesson_count > FEW_LESSONS;
    html_print(out, "<h2>Students</h2>\n<table%s>\n<thead><tr><th>student</th>",
               wide ? " class=\"wide\"" : "");
    for (int l = 0; l < class->lesson_count; l++)
        html_print(out, wide ? "<th class=\"n\">%.*s</th>" : "<th class=\"n\">%.*s</th><th></th>",
                   (int)strcspn(class->lessons[l].name, "_"), class->lessons[l].name);
    add_text(out, "</tr></thead>\n");
    for (int i = 0; i < class->count; i++) {
        add_text(out, "<tr><td>");
        put_student(out, &class->students[i]);
        add_text(out, "</td>");
        for (int l = 0; l < class->lesson_count; l++) {
            const Entry *entry = &class->students[i].entries[l];
            add_text(out, "<td class=\"n\">");
            if (is_scored(entry))
                html_print(out, "%.10g", entry->score);
            html_print(out, wide ? "<br>%s</td>" : "</td><td>%s</td>", status_words(entry->status));
        }
        add_text(out, "</tr>\n");
    }
    add_text(out, "</table>\n");
}

void teachers_page(const Class *class, Buffer *out)
{
    page_begin(out, "The class");
    html_print(out, "<p>%d students. Seed %s, limit %s s a call%s.</p>\n", class->count,
               class->seed, class->asked->limit,
               class->asked->all ? ", all checks of every function" : "");
    for (int l = 0; l < class->lesson_count; l++)
        put_lesson(out, class, l);
    put_strangers(out, class);
    put_table(out, class);
    page_end(out);
}
