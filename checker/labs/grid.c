/* Small histograms in the terminal. The invariant: no line is wider than the terminal, and a row of
 * panels no higher. Where that leaves no room for all points, some are left out, never the first or
 * the last; where it leaves none for all parts, neighbours are added up. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NUMBERS = 5, AROUND = 4, MOST_CHARS = 64, MOST_HEIGHT = 5 };
static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
static const char *const ascii_tall[] = {" ", "_", "_", "_", "o", "o", "o", "o", "#"};
enum { STEPS = 8 };

/* How a row of panels is laid out: `chars` for a histogram, `height` lines for each. */
typedef struct {
    int width, height, columns, chars, step;
    bool utf8;
} Layout;

static void terminal_size(FILE *out, int *width, int *height)
{
    struct winsize size;
    int fd = fileno(out);
    *width = 80;
    *height = 24;
    if (fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0) {
        *width = size.ws_col > 0 ? size.ws_col : *width;
        *height = size.ws_row > 0 ? size.ws_row : *height;
    }
}

/* The most characters that divide the parts evenly and fit. */
static int chars_that_fit(int parts, int room)
{
    int chars = 1;
    for (int c = 1; c <= parts && c <= room && c <= MOST_CHARS; c++)
        if (parts % c == 0)
            chars = c;
    return chars;
}

static Layout lay_out(FILE *out, const LabExperiment *e)
{
    enum { LEAST_CHARS = 5, GAP = 2 };
    int width, height;
    Layout l = {.utf8 = locale_is_utf8()};
    terminal_size(out, &width, &height);
    l.width = width;
    l.columns = (width - NUMBERS) / (LEAST_CHARS + GAP);
    l.columns = l.columns < 1 ? 1 : l.columns > e->grid->columns ? e->grid->columns : l.columns;
    l.chars = chars_that_fit(e->grid->parts, (width - NUMBERS) / l.columns - GAP);
    int lines = height > AROUND ? height - AROUND : 1;
    l.height = lines / e->points;
    l.height = l.height < 1 ? 1 : l.height > MOST_HEIGHT ? MOST_HEIGHT : l.height;
    l.step = e->points > lines ? (e->points + lines - 2) / (lines > 1 ? lines - 1 : 1) : 1;
    return l;
}

int panel_rows(const LabExperiment *e)
{
    return (curve_count(e) + e->grid->columns - 1) / e->grid->columns;
}

double share_of(const LabResults *r, int curve, int point, int part, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += lab_spread(r, curve, point, r->experiment->grid->first + part + i).mean;
    return sum;
}

/* A line in the making: blanks wait for something to come behind them. */
typedef struct {
    FILE *out;
    int blanks;
} Line;

static void put(Line *line, const char *text)
{
    for (; *text; text++)
        if (*text == ' ')
            line->blanks++;
        else {
            fprintf(line->out, "%*s%c", line->blanks, "", *text);
            line->blanks = 0;
        }
}

static void end_line(Line *line)
{
    line->blanks = 0;
    fputc('\n', line->out);
}

/* Row `row` of a histogram, counted from below. */
static void put_histogram(Line *line, const LabResults *r, const Layout *l, int curve, int point,
                          int row)
{
    int each = r->experiment->grid->parts / l->chars;
    double share[MOST_CHARS], most = 0;
    for (int c = 0; c < l->chars; c++) {
        share[c] = share_of(r, curve, point, c * each, each);
        most = fmax(most, share[c]);
    }
    for (int c = 0; c < l->chars; c++) {
        double root = most > 0 ? sqrt(share[c] / most) : 0;
        int steps = (int)lround(root * STEPS * l->height) - row * STEPS;
        steps = steps < 0 ? 0 : steps > STEPS ? STEPS : steps;
        put(line, (l->utf8 ? blocks : l->height > 1 ? ascii_tall : ascii)[steps]);
    }
}

static void write_point(FILE *out, const LabResults *r, const Layout *l, int first, int last,
                        int point)
{
    const LabExperiment *e = r->experiment;
    for (int row = l->height - 1; row >= 0; row--) {
        Line line = {out, 0};
        char number[40];
        snprintf(number, sizeof number, "%*.6g", NUMBERS, x_of(e, point));
        put(&line, row == 0 && e->points > 1 ? number : "     ");
        for (int curve = first; curve < last; curve++) {
            put(&line, "  ");
            put_histogram(&line, r, l, curve, point, row);
        }
        end_line(&line);
    }
}

static void write_panels(FILE *out, const LabResults *r, const Layout *l, int first, int last)
{
    const LabExperiment *e = r->experiment;
    const LabGrid *g = e->grid;
    Line line = {out, 0};
    char name[MOST_CHARS + 3];
    fprintf(out, "\n%.*s\n", l->width, g->rows_named[first / g->columns]);
    snprintf(name, sizeof name, "%*.*s", NUMBERS, NUMBERS, e->points > 1 ? g->point_name : "");
    put(&line, name);
    for (int curve = first; curve < last; curve++) {
        snprintf(name, sizeof name, "  %-*.*s", l->chars, l->chars,
                 g->columns_named[curve % g->columns]);
        put(&line, name);
    }
    end_line(&line);
    for (int point = 0; point < e->points; point++)
        if (point % l->step == 0 || point == e->points - 1)
            write_point(out, r, l, first, last, point);
}

void lab_grid(FILE *out, const LabResults *results)
{
    const LabExperiment *e = results->experiment;
    Layout l = lay_out(out, e);
    for (int row = 0; row < panel_rows(e); row++)
        for (int column = 0; column < e->grid->columns; column += l.columns) {
            int first = row * e->grid->columns + column, last = first + l.columns;
            int end = (row + 1) * e->grid->columns;
            end = end < curve_count(e) ? end : curve_count(e);
            write_panels(out, results, &l, first, last < end ? last : end);
        }
}
