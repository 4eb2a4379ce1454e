/* A block of numbers that is to be a picture: read, and drawn in characters for the terminal, as
 * bars or as curves between two axes. The book draws it by itself (checker/book/plot_svg.c). See
 * plot.h.
 *
 * The invariant: no line is wider than the look's width, as long as the names leave room for a
 * picture at all. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* The value of a head's line, or NULL: it is another's. */
static char *value_of(char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) ? NULL : line + length + strspn(line + length, " ");
}

static void read_axis(Axis *axis, char *name)
{
    static const char log_mark[] = " (log)";
    size_t length = strlen(name), mark = strlen(log_mark);
    axis->name = name;
    axis->log = length >= mark && !strcmp(name + length - mark, log_mark);
    if (axis->log)
        name[length - mark] = '\0';
}

static bool read_names(Plot *plot, char *names)
{
    for (plot->curves = 0; names; plot->curves++) {
        char *comma = strstr(names, ", ");
        if (plot->curves == MOST_CURVES)
            return false;
        plot->names[plot->curves] = names;
        if (comma)
            *comma = '\0';
        names = comma ? comma + 2 : NULL;
    }
    return true;
}

static bool read_head(Plot *plot, char *line)
{
    char *value;
    if ((value = value_of(line, "title:")))
        plot->title = value;
    else if ((value = value_of(line, "x:")))
        read_axis(&plot->x, value);
    else if ((value = value_of(line, "y:")))
        read_axis(&plot->y, value);
    else if ((value = value_of(line, "curves:")))
        return read_names(plot, value);
    else if ((value = value_of(line, "bars:")))
        return plot->bars = read_names(plot, value);
    else
        return false;
    return true;
}

static bool read_row(Plot *plot, char *line)
{
    int columns = plot->curves + 1, column = 0;
    char *save, *end;
    if (plot->rows == MOST_ROWS)
        return false;
    Cell *cells = realloc(plot->cells, (size_t)((plot->rows + 1) * columns) * sizeof *cells);
    if (!cells)
        abort();
    plot->cells = cells;
    for (char *word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        double number = strtod(word, &end);
        if (*end || column == columns)
            return false;
        cells[plot->rows * columns + column++] = (Cell){word, number};
    }
    plot->rows++;
    return column == columns;
}

const Cell *plot_cell(const Plot *plot, int row, int column)
{
    return &plot->cells[row * (plot->curves + 1) + column];
}

/* False: there is nothing on it. */
static bool find_ends(const Plot *plot, Axis *axis, int first, int last)
{
    bool found = false;
    for (int r = 0; r < plot->rows; r++)
        for (int c = first; c <= last; c++) {
            double number = plot_cell(plot, r, c)->number;
            if (!isfinite(number) || (axis->log && number <= 0))
                continue;
            axis->from = found ? fmin(axis->from, number) : number;
            axis->to = found ? fmax(axis->to, number) : number;
            found = true;
        }
    if (plot->bars && first == 1) {
        axis->from = fmin(axis->from, 0);
        axis->to = fmax(axis->to, 0);
    }
    return found && isfinite(axis->to - axis->from);
}

bool plot_read(Plot *plot, const char *text, size_t length)
{
    *plot = (Plot){.curves = 1, .names = {""}, .x.name = "", .y.name = ""};
    plot->text = format_text("%.*s", (int)length, length ? text : "");
    char *save;
    bool good = true;
    for (char *line = strtok_r(plot->text, "\n", &save); line && good;
         line = strtok_r(NULL, "\n", &save))
        good = !plot->rows && read_head(plot, line) ? true : read_row(plot, line);
    good = good && plot->title && find_ends(plot, &plot->x, 0, 0) &&
           find_ends(plot, &plot->y, 1, plot->curves) &&
           !(plot->bars && (plot->x.log || plot->y.log));
    if (!good)
        plot_free(plot);
    return good;
}

void plot_free(Plot *plot)
{
    free(plot->cells);
    free(plot->text);
    *plot = (Plot){0};
}

double plot_place(const Axis *axis, double number)
{
    if (!isfinite(number) || (axis->log && number <= 0))
        return NAN;
    if (axis->to <= axis->from)
        return 0.5;
    if (axis->log)
        return (log(number) - log(axis->from)) / (log(axis->to) - log(axis->from));
    return (number - axis->from) / (axis->to - axis->from);
}

static int add_ticks(double step, const Axis *axis, int most, double ticks[MOST_TICKS])
{
    const double slack = 1e-9; /* 0.3 is no multiple of 0.1 */
    double first = ceil(axis->from / step - slack);
    int count = 0;
    while (count < most && (first + count) * step <= axis->to + slack * step) {
        ticks[count] = (first + count) * step;
        count++;
    }
    return count;
}

/* 1, 2 and 5 of every power of ten. More than `most`: they are too many. */
static int add_parts(const Axis *axis, int most, double ticks[MOST_TICKS])
{
    const double parts[] = {1, 2, 5}, slack = 1e-9;
    int count = 0;
    for (int power = (int)floor(log10(axis->from)); count <= most; power++)
        for (int i = 0; i < 3; i++) {
            double tick = parts[i] * pow(10, power);
            if (tick > axis->to * (1 + slack))
                return count;
            if (tick < axis->from * (1 - slack))
                continue;
            if (count < most)
                ticks[count] = tick;
            count++;
        }
    return count;
}

int plot_ticks(const Axis *axis, int most, double ticks[MOST_TICKS])
{
    const double round[] = {1, 2, 5, 10};
    double range = axis->to - axis->from;
    if (axis->log) {
        Axis decades = {.from = log10(axis->from), .to = log10(axis->to)};
        int step = 1, count;
        while ((decades.to - decades.from) / step >= most)
            step++;
        count = decades.to - decades.from < 2 ? add_parts(axis, most, ticks) : 0;
        if (count > 2 && count <= most)
            return count;
        count = add_ticks(step, &decades, most, ticks);
        for (int i = 0; i < count; i++)
            ticks[i] = pow(10, ticks[i]);
        if (count > 1)
            return count;
    }
    double power = pow(10, floor(log10(range / most)));
    for (size_t i = 0; power > 0 && i < sizeof round / sizeof *round; i++)
        if (range / (round[i] * power) < most)
            return add_ticks(round[i] * power, axis, most, ticks);
    ticks[0] = axis->from; /* all numbers are the same */
    return 1;
}

/* ---- drawn ---- */
enum { INDENT = 4, LEAST_ROOM = 5, WIDEST_LABEL = 24 };

static int columns_of(const char *text)
{
    return text_columns(text, strlen(text));
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* At the left of so many columns, or at their right. */
static void add_in(Buffer *out, const char *text, int columns, bool right)
{
    int blanks = columns - columns_of(text);
    add_repeated(out, " ", right ? blanks : 0);
    add_text(out, text);
    add_repeated(out, " ", right ? 0 : blanks);
}

static void end_line(Buffer *out)
{
    while (out->length && out->data[out->length - 1] == ' ')
        out->length--;
    add_text(out, "\n");
}

static void add_paragraph(Buffer *out, const Look *look, const char *text, const char *indent)
{
    lines_add(out, look, text, indent, indent);
}

/* ---- bars ---- */
/* A bar to the left of 0 or to its right, half a column being the least that is seen. */
static void add_bar(Buffer *out, const Axis *axis, double number, int room)
{
    double range = axis->to > axis->from ? axis->to - axis->from : 1;
    int left = (int)lround(-axis->from / range * room);
    int halves = isfinite(number) ? (int)lround(fabs(number) / range * 2 * room) : 0;
    int most = 2 * (number < 0 ? left : room - left);
    halves = halves > most ? most : halves;
    int whole = locale_is_utf8() ? halves / 2 : (halves + 1) / 2;
    bool half = halves > 2 * whole;
    int behind = whole + half;
    add_repeated(out, " ", number < 0 ? left - behind : left);
    if (number < 0) {
        add_text(out, half ? "\u2590" : "");
        add_repeated(out, sign("\u2588", "#"), whole);
    }
    add_text(out, sign("\u2502", "|"));
    if (number >= 0) {
        add_repeated(out, sign("\u2588", "#"), whole);
        add_text(out, half ? "\u258C" : "");
    }
    add_repeated(out, " ", number < 0 ? room - left : room - left - behind);
}

/* "element 2" */
static char *group_name(const Plot *plot, int row)
{
    const char *name = plot->x.name;
    return format_text("%s%s%s", name, *name ? " " : "", plot_cell(plot, row, 0)->shown);
}

static void add_bars(Buffer *out, const Look *look, const Plot *plot, const char *indent)
{
    int label = 0, name = 0, value = 0;
    for (int c = 0; c < plot->curves; c++)
        name = larger(name, columns_of(plot->names[c]));
    for (int r = 0; r < plot->rows; r++) {
        char *group = group_name(plot, r);
        label = larger(label, columns_of(group));
        free(group);
        for (int c = 1; c <= plot->curves; c++)
            value = larger(value, columns_of(plot_cell(plot, r, c)->shown));
    }
    int room = look->width - columns_of(indent) - label - 2 - name - 2 - 1 - 1 - value;
    room = larger(room, LEAST_ROOM);
    for (int r = 0; r < plot->rows; r++) {
        char *group = group_name(plot, r);
        add_text(out, r && plot->curves > 1 ? "\n" : "");
        for (int c = 1; c <= plot->curves; c++) {
            const Cell *cell = plot_cell(plot, r, c);
            add_text(out, indent);
            add_in(out, c == 1 ? group : "", label, false);
            add_text(out, "  ");
            add_in(out, plot->names[c - 1], name, false);
            add_text(out, name ? "  " : "");
            add_bar(out, &plot->y, cell->number, room);
            add_text(out, " ");
            add_in(out, cell->shown, value, true);
            end_line(out);
        }
        free(group);
    }
}

/* ---- curves ---- */
typedef struct {
    int width, height;
    char *spots; /* height x width: 0 nothing, LINK, or FIRST + the curve */
} Grid;
enum { LINK = 1, FIRST };

static char *spot(const Grid *grid, double x, double y)
{
    int column = (int)lround(x * (grid->width - 1));
    int row = (int)lround((1 - y) * (grid->height - 1));
    return &grid->spots[row * grid->width + column];
}

/* The first curve stays on top: they are drawn from the last to the first. */
static void draw_curve(const Grid *grid, const Plot *plot, int curve)
{
    double x_before = NAN, y_before = NAN;
    for (int r = 0; r < plot->rows; r++) {
        double x = plot_place(&plot->x, plot_cell(plot, r, 0)->number);
        double y = plot_place(&plot->y, plot_cell(plot, r, curve)->number);
        int steps = 2 * grid->width;
        for (int i = 1; i < steps && !isnan(x + y + x_before + y_before); i++) {
            double part = (double)i / steps;
            char *link =
                spot(grid, x_before + part * (x - x_before), y_before + part * (y - y_before));
            *link = *link ? *link : LINK;
        }
        if (!isnan(x + y))
            *spot(grid, x, y) = (char)(FIRST + curve - 1);
        x_before = x;
        y_before = y;
    }
}

static const char *mark(int curve)
{
    static const char *const utf8[] = {"\u25CF", "\u25CB", "\u00D7", "+", "\u25B2", "\u25C7"};
    static const char *const ascii[] = {"*", "o", "x", "+", "^", "#"};
    return sign(utf8[curve], ascii[curve]);
}

static void add_spot(Buffer *out, char what)
{
    add_text(out, what >= FIRST ? mark(what - FIRST) : what == LINK ? sign("\u00B7", ".") : " ");
}

/* The rows, each with the axis y in front of it. */
static void add_rows(Buffer *out, const Grid *grid, const Axis *y, int label, const char *indent)
{
    double ticks[MOST_TICKS];
    int count = plot_ticks(y, larger(2, grid->height / 3), ticks);
    for (int r = 0; r < grid->height; r++) {
        char text[32] = "";
        for (int i = 0; i < count; i++)
            if (lround((1 - plot_place(y, ticks[i])) * (grid->height - 1)) == r)
                snprintf(text, sizeof text, "%g", ticks[i]);
        add_text(out, indent);
        add_in(out, text, label, true);
        add_text(out, *text ? sign(" \u2524", " +") : sign(" \u2502", " |"));
        for (int c = 0; c < grid->width; c++)
            add_spot(out, grid->spots[r * grid->width + c]);
        end_line(out);
    }
}

/* The axis x and, where they have room, its numbers. */
static void add_axis(Buffer *out, const Axis *x, int width, int label, const char *indent)
{
    double ticks[MOST_TICKS];
    int count = plot_ticks(x, larger(2, width / 7 < MOST_TICKS ? width / 7 : MOST_TICKS), ticks);
    int column = 0, begins = columns_of(indent) + label + 2;
    Buffer numbers = {0};
    add_text(&numbers, indent);
    add_repeated(&numbers, " ", begins - columns_of(indent));
    add_text(out, indent);
    add_repeated(out, " ", label);
    add_text(out, sign(" \u2514", " +"));
    for (int i = 0, at = 0; i < count; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%g", ticks[i]);
        int tick = (int)lround(plot_place(x, ticks[i]) * (width - 1));
        int from = larger(0, tick - length / 2);
        from = from + length > width ? larger(0, width - length) : from;
        if (tick < column || (at && from <= at))
            continue;
        add_repeated(out, sign("\u2500", "-"), tick - column);
        add_text(out, sign("\u252C", "+"));
        column = tick + 1;
        add_repeated(&numbers, " ", from - at);
        add_text(&numbers, text);
        at = from + length;
    }
    add_repeated(out, sign("\u2500", "-"), width - column);
    add_text(out, "\n");
    buffer_append(out, numbers.data, numbers.length);
    end_line(out);
    buffer_free(&numbers);
    add_text(out, indent);
    add_repeated(out, " ", begins - columns_of(indent));
    add_in(out, x->name, width, true);
    end_line(out);
}

static int label_width(const Axis *axis, int height)
{
    double ticks[MOST_TICKS];
    char text[32];
    int count = plot_ticks(axis, larger(2, height / 3), ticks), widest = 1;
    for (int i = 0; i < count; i++)
        widest = larger(widest, snprintf(text, sizeof text, "%g", ticks[i]));
    return widest < WIDEST_LABEL ? widest : WIDEST_LABEL;
}

/* Which mark is whose. */
static void add_names(Buffer *out, const Look *look, const Plot *plot, const char *indent)
{
    Buffer names = {0};
    for (int c = 0; c < plot->curves && plot->curves > 1; c++) {
        char *name = format_text("%s %s", mark(c), plot->names[c]);
        hold_short(name, strlen(name));
        add_text(&names, c ? ", " : "");
        add_text(&names, name);
        free(name);
    }
    if (names.length) {
        buffer_append(&names, "", 1);
        add_paragraph(out, look, names.data, indent);
    }
    buffer_free(&names);
}

static void add_curves(Buffer *out, const Look *look, const Plot *plot, const char *indent)
{
    Grid grid = {.height = look->width < 64 ? 9 : 12};
    int label = label_width(&plot->y, grid.height);
    grid.width = larger(LEAST_ROOM, look->width - columns_of(indent) - label - 2);
    grid.spots = calloc((size_t)(grid.width * grid.height), 1);
    if (!grid.spots)
        abort();
    for (int c = plot->curves; c > 0; c--)
        draw_curve(&grid, plot, c);
    add_names(out, look, plot, indent);
    add_paragraph(out, look, plot->y.name, indent);
    add_rows(out, &grid, &plot->y, label, indent);
    add_axis(out, &plot->x, grid.width, label, indent);
    free(grid.spots);
}

void plot_add(Buffer *out, const Look *look, const Plot *plot, const char *indent)
{
    char *inner = format_text("%s%*s", indent, INDENT, "");
    char *title = format_text("%c%s%c", BOLD, plot->title, BOLD);
    add_paragraph(out, look, title, inner);
    if (plot->bars)
        add_bars(out, look, plot, inner);
    else
        add_curves(out, look, plot, inner);
    free(title);
    free(inner);
}
