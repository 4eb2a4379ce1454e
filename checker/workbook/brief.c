/* A verdict as a window has room for it: how many passed, what the others wait for, and last the
 * failing check, whole.
 *
 * The invariant: it is never higher than the window. What matters least is left out first; of what
 * matters most, where even that is too high, a part in the middle, and a line says so. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

#include "markdown.h" /* text_columns() */

/* ---- rows of the window ---- */
/* From here on each is left out before the one above it. */
typedef enum { ALWAYS, FAILING, TO_TRY, REMARK, ELSEWHERE, HEAD, GAP } Rank;

typedef struct {
    char *text;
    Rank rank;
    bool goes_on; /* with the line of the row before it */
} Row;

typedef struct {
    Row *items;
    int count, room;
    int columns;
} Rows;

static void add_row(Rows *rows, Rank rank, const char *lead, const char *text, size_t length,
                    bool goes_on)
{
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        rows->items = realloc(rows->items, (size_t)rows->room * sizeof *rows->items);
        if (!rows->items)
            abort();
    }
    rows->items[rows->count++] =
        (Row){format_text("%s%.*s", lead, (int)length, text), rank, goes_on};
}

/* As many bytes of the text as fit that many columns, up to a blank where there is one. */
static size_t fitting(const char *text, int columns)
{
    size_t fits = 0, at_blank = 0, blanks = strspn(text, " ");
    while (text[fits]) {
        uint32_t code;
        int size = utf8_decode(text + fits, strlen(text + fits), &code);
        if (text[fits] == '\033') /* ESC [ ... m */
            size = (int)strcspn(text + fits, "m") + 1;
        if (text_columns(text, fits + (size_t)(size ? size : 1)) > columns)
            break;
        fits += size ? (size_t)size : 1;
        at_blank = fits > blanks && (text[fits] == ' ' || !text[fits]) ? fits : at_blank;
    }
    return at_blank ? at_blank : fits || !*text ? fits : 1;
}

/* A line, broken as the terminal would have to: what goes on stands below its own beginning, and
 * what stands behind a bar stays there. */
static void add_line(Rows *rows, Rank rank, const char *line)
{
    char lead[16] = BAR;
    if (strncmp(line, BAR, strlen(BAR)) != 0)
        snprintf(lead, sizeof lead, "%*s", rank == FAILING || rank == ELSEWHERE ? 5 : 0, "");
    int lead_columns = (int)strlen(lead);
    size_t length = fitting(line, rows->columns);
    add_row(rows, rank, "", line, length, false);
    for (line += length; *line; line += length) {
        line += strspn(line, " ");
        length = fitting(line, rows->columns - lead_columns);
        add_row(rows, rank, lead, line, length, true);
    }
}

/* Tabs become blanks: how wide they are is the terminal's to say. */
static void add_text_of(Rows *rows, Rank rank, const char *text)
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        Buffer line = {0};
        end = text + strcspn(text, "\n");
        for (const char *at = text; at < end; at++)
            buffer_append(&line, *at == '\t' ? "    " : at, *at == '\t' ? 4 : 1);
        buffer_append(&line, "", 1);
        add_line(rows, *line.data ? rank : GAP, line.data);
        buffer_free(&line);
    }
}

/* ---- the parts of the verdict ---- */
typedef struct {
    FILE *out;
    char *text;
    size_t size;
} Part;

static FILE *part_begin(Part *part)
{
    *part = (Part){0};
    part->out = open_memstream(&part->text, &part->size);
    if (!part->out)
        abort();
    return part->out;
}

static void part_end(Part *part, Rows *rows, Rank rank)
{
    fclose(part->out);
    add_text_of(rows, rank, part->text);
    free(part->text);
}

/* What keeps a function's checks from being reached is said of the first of them. */
static const char *waits_for(const Report *report, const CheckResult *result)
{
    const CheckResult *first = report->results;
    while (first->status == PASSED || strcmp(first->step, result->step) != 0)
        first++;
    return step_to_do(first);
}

/* "14 wait for layer_norm_forward", "2 wait for row_variance, 3 for layer_norm" */
static void write_waiting(FILE *out, const Report *report)
{
    const char *steps[MAX_FUNCTIONS];
    int counts[MAX_FUNCTIONS] = {0}, count = 0;
    for (int i = 0; i < report->count; i++) {
        if (report->results[i].status != NOT_REACHED)
            continue;
        const char *step = waits_for(report, &report->results[i]);
        int k = 0;
        while (k < count && strcmp(steps[k], step) != 0)
            k++;
        if (k < MAX_FUNCTIONS) {
            steps[k] = step;
            count = k == count ? k + 1 : count;
            counts[k]++;
        }
    }
    for (int k = 0; k < count; k++)
        fprintf(out, "%s%d %sfor %s", k ? ", " : "", counts[k],
                k                ? ""
                : counts[k] == 1 ? "waits "
                                 : "wait ",
                steps[k]);
    fputs(count ? "\n" : "", out);
}

static void add_counts(Rows *rows, const Report *report)
{
    Part part;
    FILE *out = part_begin(&part);
    fprintf(out, "%d passed", report->passed);
    if (report->failed || report->passed == report->count)
        fprintf(out, ", %d failed", report->failed);
    fputc('\n', out);
    write_waiting(out, report);
    part_end(&part, rows, ALWAYS);
}

static void add_name(Rows *rows, Rank rank, const CheckResult *result)
{
    char *safe = escaped(result->name, strlen(result->name));
    char *line = format_text("%s %s", mark_fail(), safe);
    add_text_of(rows, rank, line);
    free(line);
    free(safe);
}

static void add_details(Rows *rows, const CheckResult *result)
{
    for (int d = 0; d < detail_count(result); d++) {
        char *safe = escaped(result->details[d], strlen(result->details[d]));
        char *line = format_text("     %s", safe);
        add_text_of(rows, FAILING, line);
        free(line);
        free(safe);
    }
}

/* The check that is to be mended next; NULL: none failed. */
static const CheckResult *first_failed(const Report *report)
{
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status == FAILED)
            return &report->results[i];
    return NULL;
}

static void add_failed(Rows *rows, const Report *report, const CheckResult *first)
{
    Part part;
    add_name(rows, FAILING, first);
    add_details(rows, first);
    human_line_to_try(part_begin(&part), report, first);
    part_end(&part, rows, TO_TRY);
}

static void add_verdict(Rows *rows, const Report *report, const char *changes, const char *behind)
{
    const CheckResult *first = first_failed(report);
    Part part;
    human_head(part_begin(&part), report);
    fputc('\n', part.out);
    part_end(&part, rows, HEAD);
    add_counts(rows, report);
    add_text_of(rows, ALWAYS, changes);
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status == FAILED && &report->results[i] != first)
            add_name(rows, ELSEWHERE, &report->results[i]);
    human_remarks(part_begin(&part), report);
    part_end(&part, rows, REMARK);
    add_text_of(rows, GAP, "\n");
    if (first)
        add_failed(rows, report, first);
    human_next_step(part_begin(&part), report);
    part_end(&part, rows, first ? TO_TRY : ALWAYS);
    add_text_of(rows, ALWAYS, behind);
}

/* Where no check was run: all that is said of it. */
static void add_refusal(Rows *rows, const Report *report, const char *changes, const char *behind)
{
    Part part;
    report_human(part_begin(&part), report);
    part_end(&part, rows, FAILING);
    add_text_of(rows, GAP, *changes || *behind ? "\n" : "");
    add_text_of(rows, ALWAYS, changes);
    add_text_of(rows, ALWAYS, behind);
}

/* ---- as many of them as there is room for ---- */
static void drop(Rows *rows, int from, int count)
{
    for (int i = from; i < from + count; i++)
        free(rows->items[i].text);
    rows->count -= count;
    memmove(rows->items + from, rows->items + from + count,
            (size_t)(rows->count - from) * sizeof *rows->items);
}

static void drop_rank(Rows *rows, Rank rank)
{
    for (int i = rows->count - 1; i >= 0; i--)
        if (rows->items[i].rank == rank)
            drop(rows, i, 1);
}

/* The row of that rank with which its line number `line` begins; behind them all: how many they
 * are.
 */
static int beginning_of(const Row *rows, int count, int line)
{
    int row = 0;
    for (; row < count && line >= 0; row++)
        line -= !rows[row].goes_on;
    return line < 0 ? row - 1 : count;
}

/* Takes as many lines of that rank away as are too many, and leaves `least` rows: of the lines in
 * front `front` stay; where that is -1, the last `behind` rows do. One row says how many went. */
static void cut(Rows *rows, Rank rank, int height, int least, int front, int behind)
{
    int first = 0, count = 0;
    while (first < rows->count && rows->items[first].rank != rank)
        first++;
    Row *items = rows->items + first;
    while (first + count < rows->count && items[count].rank == rank)
        count++;
    int much = rows->count - height + 1;
    if (rows->count <= height || count <= least)
        return;
    much = much < count - least ? much : count - least;
    int from = front < 0 ? count - much - behind : beginning_of(items, count, front);
    from = from < 0 ? 0 : from > count - much ? count - much : from;
    while (from + much < count && items[from + much].goes_on)
        much++;
    free(items[from].text);
    items[from].text = format_text("     ... %d more lines: l", much);
    drop(rows, first + from + 1, much - 1);
}

static void fit(Rows *rows, int height, bool refused)
{
    enum { SOME = 4, BEGINNING = 2, ENDING = 4 };
    for (Rank rank = GAP; rank > FAILING && rows->count > height; rank--) {
        drop_rank(rows, rank);
        if (rank == GAP)
            cut(rows, REMARK, height, SOME, -1, 0);
    }
    if (refused)
        cut(rows, FAILING, height, 1, -1, ENDING);
    else
        cut(rows, FAILING, height, 1, BEGINNING, 0);
    if (rows->count > height && height > 0)
        drop(rows, 0, rows->count - height);
}

void write_brief(FILE *out, const Report *report, const char *changes, const char *behind)
{
    Rows rows = {.columns = window_columns()};
    bool refused = !human_has_checks(report);
    if (refused)
        add_refusal(&rows, report, changes, behind);
    else
        add_verdict(&rows, report, changes, behind);
    int height = window_rows() - 1; /* without the line of keys, */
    fit(&rows, height, refused);
    for (int i = 0; i < rows.count; i++) /* which begins with a new line */
        fprintf(out, "%s%s", rows.items[i].text, i + 1 < height ? "\n" : "");
    drop(&rows, 0, rows.count);
    free(rows.items);
}
