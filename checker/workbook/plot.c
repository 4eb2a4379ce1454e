/* A block of numbers that is to be a picture, read. See plot.h. */
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

int plot_ticks(const Axis *axis, int most, double ticks[MOST_TICKS])
{
    const double round[] = {1, 2, 5, 10};
    double range = axis->to - axis->from;
    if (axis->log) {
        Axis decades = {.from = log10(axis->from), .to = log10(axis->to)};
        int step = 1, count;
        while ((decades.to - decades.from) / step >= most)
            step++;
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
