/* grades.csv and grades.json. See class.h.
 *
 * The invariant: a reader that goes by RFC 4180, or by JSON, reads back what the class was,
 * whatever the students are called. */
#include "class.h"

#include "cJSON.h"
#include "markdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */
/* Which a spreadsheet takes for a formula at a cell's start, in their full width too. */
static bool begins_formula(const char *text)
{
    static const char *const signs[] = {"=",  "+",      "-",      "@",      "\t",    "\r",
                                        "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!strncmp(text, signs[i], strlen(signs[i])))
            return true;
    return false;
}

/* What a terminal would obey is written as it is shown everywhere: "\x1b". */
static void add_visible(Buffer *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c, next = (unsigned char)c[1];
        char code[8];
        if ((byte < 0x20 && !strchr("\t\r\n", byte)) || byte == 0x7f) {
            snprintf(code, sizeof code, "\\x%02x", byte);
            add_text(out, code);
        } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
            snprintf(code, sizeof code, "\\u%04x", next);
            add_text(out, code);
            c++;
        } else {
            buffer_append(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
        }
    }
}

void csv_cell(Buffer *out, const char *text, char between, bool last)
{
    bool formula = begins_formula(text);
    const char special[] = {between, '"', '\r', '\n', '\0'};
    bool quoted = formula || strpbrk(text, special);
    add_text(out, quoted ? "\"" : "");
    add_text(out, formula ? "'" : "");
    add_visible(out, text);
    add_text(out, quoted ? "\"" : "");
    if (last)
        add_text(out, "\r\n");
    else
        buffer_append(out, &between, 1);
}

static void add_cell(Buffer *out, const char *text, bool last)
{
    csv_cell(out, text, ',', last);
}

static void add_number(Buffer *out, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    add_cell(out, text, false);
}

static void add_mistake(void *to, const char *mistake, const CheckResult *result)
{
    Buffer *all = to;
    (void)result;
    add_text(all, all->length ? "; " : "");
    add_text(all, mistake);
}

/* Nothing where nothing was raced. */
static void add_speed(Buffer *out, const Speed *speed)
{
    char *cells = speed->asked
                      ? format_text("%d,%d,%d\r\n", speed->reached, speed->told, speed->asked)
                      : format_text(",,\r\n");
    add_text(out, cells);
    free(cells);
}

static void csv_row(const Class *class, const Student *student, int l, Buffer *out)
{
    const Entry *entry = &student->entries[l];
    Buffer mistakes = {0};
    each_mistake(entry, add_mistake, &mistakes);
    buffer_append(&mistakes, "", 1);
    add_cell(out, student->name, false);
    add_cell(out, class->lessons[l].name, false);
    add_cell(out, status_words(entry->status), false);
    bool known = entry->status != NOT_GRADED;
    if (known) {
        add_number(out, entry->has_report ? entry->report.passed : 0);
        add_number(out, class->lessons[l].blank.count);
    } else {
        add_text(out, ",,");
    }
    if (is_scored(entry))
        add_number(out, entry->score);
    else
        add_text(out, ",");
    add_cell(out, mistakes.data, false);
    add_cell(out, entry->sum, false);
    add_cell(out, class->seed, !class->asked->course && !class->asked->speed);
    if (class->asked->course) {
        if (known)
            add_number(out, entry->earned);
        else
            add_text(out, ",");
        add_cell(out, entry->adjusted ? entry->adjusted : "", !class->asked->speed);
    }
    if (class->asked->speed)
        add_speed(out, &entry->speed);
    buffer_free(&mistakes);
}

void csv_write(const Class *class, Buffer *out)
{
    add_text(out, "student,lesson,status,passed,total,score,mistakes,checksum,seed");
    add_text(out, class->asked->course ? ",earned,adjusted" : "");
    add_text(out, class->asked->speed ? ",speed,speed_told,speed_asked\r\n" : "\r\n");
    for (int i = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++)
            csv_row(class, &class->students[i], l, out);
}

/* ---- JSON ---- */
static cJSON *text_or_null(const char *text)
{
    return text && *text ? cJSON_CreateString(text) : cJSON_CreateNull();
}

static cJSON *number_or_null(bool known, double value)
{
    return known ? cJSON_CreateNumber(round(value * 1e6) / 1e6) : cJSON_CreateNull();
}

static void take_mistake(void *to, const char *mistake, const CheckResult *result)
{
    (void)result;
    cJSON_AddItemToArray(to, cJSON_CreateString(mistake));
}

static cJSON *speed_json(const Speed *speed)
{
    if (!speed->asked)
        return cJSON_CreateNull();
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "reached", speed->reached);
    cJSON_AddNumberToObject(item, "told", speed->told);
    cJSON_AddNumberToObject(item, "asked", speed->asked);
    cJSON_AddItemToObject(item, "ended", text_or_null(speed->ended));
    return item;
}

static cJSON *entry_json(const Class *class, const ClassLesson *lesson, const Entry *entry)
{
    static const char *const words[] = {"passed", "failed", "not reached"};
    const Report *r = &entry->report;
    bool known = entry->status != NOT_GRADED, has = entry->has_report;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "lesson", lesson->name);
    cJSON_AddStringToObject(item, "status", status_words(entry->status));
    cJSON_AddItemToObject(item, "reason", text_or_null(entry->reason));
    cJSON_AddItemToObject(item, "file", text_or_null(entry->path));
    cJSON_AddNumberToObject(item, "older_files", entry->others);
    cJSON_AddItemToObject(item, "checksum", text_or_null(entry->sum));
    cJSON_AddItemToObject(item, "passed", number_or_null(known, has ? r->passed : 0));
    cJSON_AddItemToObject(item, "failed", number_or_null(known, has ? r->failed : 0));
    cJSON_AddItemToObject(item, "not_reached",
                          number_or_null(known, has ? r->not_reached : lesson->blank.count));
    cJSON_AddNumberToObject(item, "total", lesson->blank.count);
    cJSON_AddItemToObject(item, "score", number_or_null(is_scored(entry), entry->score));
    if (class->asked->course) {
        cJSON_AddItemToObject(item, "earned", number_or_null(known, entry->earned));
        cJSON_AddItemToObject(item, "adjusted", text_or_null(entry->adjusted));
        cJSON_AddBoolToObject(item, "excused", entry->excused);
    }
    if (class->asked->speed)
        cJSON_AddItemToObject(item, "speed", speed_json(&entry->speed));
    each_mistake(entry, take_mistake, cJSON_AddArrayToObject(item, "mistakes"));
    cJSON *checks = cJSON_AddArrayToObject(item, "checks");
    for (int i = 0; i < r->count && has; i++)
        cJSON_AddItemToArray(checks, cJSON_CreateString(words[r->results[i].status]));
    return item;
}

static cJSON *lesson_json(const ClassLesson *lesson)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "lesson", lesson->name);
    cJSON_AddStringToObject(item, "title", lesson->blank.title);
    cJSON_AddNumberToObject(item, "points", lesson->points);
    cJSON *checks = cJSON_AddArrayToObject(item, "checks");
    for (int i = 0; i < lesson->blank.count; i++) {
        cJSON *check = cJSON_CreateObject();
        cJSON_AddStringToObject(check, "step", lesson->blank.results[i].step);
        cJSON_AddStringToObject(check, "name", lesson->blank.results[i].name);
        cJSON_AddItemToObject(check, "points", number_or_null(true, points_of(lesson, i)));
        cJSON_AddItemToArray(checks, check);
    }
    return item;
}

static cJSON *student_json(const Class *class, const Student *student)
{
    cJSON *item = cJSON_CreateObject();
    char *page = format_text("feedback/%s.html", student->file);
    cJSON_AddStringToObject(item, "student", student->name);
    cJSON_AddItemToObject(item, "id", text_or_null(student->id));
    cJSON_AddItemToObject(item, "listed",
                          class->asked->students ? cJSON_CreateBool(student->listed)
                                                 : cJSON_CreateNull());
    cJSON_AddStringToObject(item, "feedback", page);
    cJSON *lessons = cJSON_AddArrayToObject(item, "lessons");
    for (int l = 0; l < class->lesson_count; l++)
        cJSON_AddItemToArray(lessons, entry_json(class, &class->lessons[l], &student->entries[l]));
    free(page);
    return item;
}

static cJSON *of_lesson(cJSON *all, const Class *class, int l)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "lesson", class->lessons[l].name);
    cJSON_AddItemToArray(all, item);
    return item;
}

static cJSON *alike_json(const Class *class)
{
    cJSON *all = cJSON_CreateArray();
    for (int l = 0; l < class->lesson_count; l++) {
        const Alike *alike = &class->alike[l];
        if (alike->failed) {
            cJSON_Delete(all);
            return cJSON_CreateNull();
        }
        for (int i = 0; i < alike->count; i++) {
            const Pair *pair = &alike->pairs[i];
            cJSON *item = of_lesson(all, class, l);
            cJSON_AddStringToObject(item, "a", class->students[pair->a].name);
            cJSON_AddStringToObject(item, "b", class->students[pair->b].name);
            cJSON_AddNumberToObject(item, "percent", pair->percent);
            cJSON_AddNumberToObject(item, "lines", pair->lines);
        }
    }
    return all;
}

static cJSON *groups_json(const Class *class)
{
    cJSON *all = cJSON_CreateArray();
    int *group = calloc((size_t) class->count + 1, sizeof *group);
    if (!group)
        abort();
    for (int l = 0; l < class->lesson_count; l++) {
        alike_groups(class, l, group);
        for (int i = 0; i < class->count; i++) {
            if (group[i] != i)
                continue;
            cJSON *names = cJSON_AddArrayToObject(of_lesson(all, class, l), "students");
            for (int k = i; k < class->count; k++)
                if (group[k] == i)
                    cJSON_AddItemToArray(names, cJSON_CreateString(class->students[k].name));
        }
    }
    free(group);
    return all;
}

static cJSON *not_compared_json(const Class *class)
{
    cJSON *all = cJSON_CreateArray();
    for (int l = 0; l < class->lesson_count; l++) {
        const Alike *alike = &class->alike[l];
        char *text = format_text("%.*s", (int)alike->left_out.length, alike->left_out.data), *line;
        for (char *rest = text; (line = strsep(&rest, "\n")) && *line;)
            cJSON_AddStringToObject(of_lesson(all, class, l), "what", line);
        free(text);
        if (alike->failed)
            cJSON_AddStringToObject(of_lesson(all, class, l), "what", alike->failed);
    }
    return all;
}

void json_write(const Class *class, Buffer *out)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddNumberToObject(document, "version", 1);
    cJSON_AddStringToObject(document, "seed", class->seed);
    cJSON_AddStringToObject(document, "limit", class->asked->limit);
    cJSON_AddBoolToObject(document, "all", class->asked->all);
    cJSON *lessons = cJSON_AddArrayToObject(document, "lessons");
    for (int l = 0; l < class->lesson_count; l++)
        cJSON_AddItemToArray(lessons, lesson_json(&class->lessons[l]));
    cJSON *students = cJSON_AddArrayToObject(document, "students");
    for (int i = 0; i < class->count; i++)
        cJSON_AddItemToArray(students, student_json(class, &class->students[i]));
    cJSON_AddItemToObject(document, "alike", alike_json(class));
    cJSON_AddItemToObject(document, "alike_groups", groups_json(class));
    cJSON_AddItemToObject(document, "not_compared", not_compared_json(class));
    char *text = cJSON_Print(document);
    add_text(out, text ? text : "");
    add_text(out, "\n");
    cJSON_free(text);
    cJSON_Delete(document);
}
