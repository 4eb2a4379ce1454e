/* Small histograms: what the seeds have in common, in the terminal and as a picture. */
#include "labs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "curves.h"

static int panel_rows(const LabExperiment *e)
{
    return (curve_count(e) + e->grid->columns - 1) / e->grid->columns;
}

/* The mean over the seeds of the experiment's parts from `part` on, `count` of them. */
static double share_of(const LabResults *r, int curve, int point, int part, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += lab_spread(r, curve, point, r->experiment->grid->first + part + i).mean;
    return sum;
}

/* ---- in the terminal ----
 *
 * The invariant: no line is wider than the terminal, and a row of panels no higher. Where that
 * leaves no room for all points, some are left out, never the first or the last; where it leaves
 * none for all parts, neighbours are added up. */
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
    *width = 80;
    *height = 24;
#ifdef TIOCGWINSZ /* in a page there is no terminal */
    struct winsize size;
    int fd = fileno(out);
    if (fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0) {
        *width = size.ws_col > 0 ? size.ws_col : *width;
        *height = size.ws_row > 0 ? size.ws_row : *height;
    }
#else
    (void)out;
#endif
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

/* ---- as a picture ----
 *
 * The invariant: a picture that is there is whole, and each height in it is a mean over the seeds,
 * but for those that are cut. */
/* Everything in pixels. */
enum {
    LEFT = 46,
    TOP = 92,
    PANEL = 112,
    BETWEEN = 16,
    BELOW = 68,   /* a panel: its axis, and the next row's name */
    STEP = 10,    /* from one histogram of a panel to the next */
    TALLEST = 27, /* what would be higher is cut */
    ALONE = 80    /* a panel's height where it has only one: that of its largest part */
};

typedef struct {
    double left, bottom; /* of its lowest histogram */
    int curve;
} Panel;

/* From the first point to the last, by day; by night they come from the other side of the colours.
 */
enum { SHADES = 5 };
static const double by_day[SHADES][3] = {
    {250, 190, 88}, {235, 110, 75}, {176, 50, 105}, {92, 38, 120}, {30, 27, 75}};
static const double by_night[SHADES][3] = {
    {122, 64, 150}, {170, 60, 132}, {220, 92, 92}, {246, 158, 84}, {252, 226, 160}};

static void write_shades(FILE *out, int count, const double shades[SHADES][3])
{
    for (int i = 0; i < count; i++) {
        double at = count > 1 ? (double)i / (count - 1) * (SHADES - 1) : (SHADES - 1) / 2.0;
        int from = at < SHADES - 1 ? (int)at : SHADES - 2, mixed[3];
        for (int c = 0; c < 3; c++) {
            double one = shades[from][c], next = shades[from + 1][c];
            mixed[c] = (int)lround(one + (at - from) * (next - one));
        }
        fprintf(out, ".r%d{fill:#%02x%02x%02x}", i, mixed[0], mixed[1], mixed[2]);
    }
}

static int panel_height(const LabExperiment *e)
{
    return e->points > 1 ? STEP * (e->points - 1) : 0;
}

static int headroom(const LabExperiment *e)
{
    return e->points > 1 ? TALLEST : ALONE;
}

static double x_in(const LabGrid *g, double left, double value)
{
    return left + PANEL * (value - g->low) / (g->high - g->low);
}

/* Pixels for a share of 1. */
static double scale_of(const LabResults *r, int curve)
{
    const LabGrid *g = r->experiment->grid;
    double most = 0;
    for (int part = 0; part < g->parts; part++)
        most = fmax(most, share_of(r, curve, 0, part, 1));
    return r->experiment->points > 1 ? STEP / g->full : ALONE / most;
}

/* Tenths of a pixel, in which the steps lose nothing on their way. */
static int tenths(double pixels)
{
    return (int)lround(10 * pixels);
}

/* A step for each part, equal ones being one. Its light edge tells it from the next one where they
 * overlap. */
static void write_ridge(FILE *out, const LabResults *r, Panel p, int point)
{
    const LabExperiment *e = r->experiment;
    const LabGrid *g = e->grid;
    double y = p.bottom - STEP * (e->points - 1 - point), scale = scale_of(r, p.curve);
    int shade = e->points > 1 ? point : p.curve % g->columns, high = 0, across = 0;
    fprintf(out, "<path class=\"ridge r%d\" d=\"M%g %g", shade, p.left, y);
    for (int part = 0; part < g->parts; part++) {
        int next = tenths(fmin(scale * share_of(r, p.curve, point, part, 1), headroom(e)));
        int begins = tenths((double)PANEL * part / g->parts);
        if (next == high)
            continue;
        fprintf(out, "h%gv%g", (begins - across) / 10.0, (high - next) / 10.0);
        across = begins;
        high = next;
    }
    fprintf(out, "H%gV%gz\"/>\n", p.left + PANEL, y);
}

static void write_text(FILE *out, double x, double y, const char *look, const char *text)
{
    Buffer words = {0};
    html_text(&words, text);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%.*s</text>\n", x, y, look,
            (int)words.length, words.data);
    buffer_free(&words);
}

static void write_number(FILE *out, double x, double y, const char *look, const char *format,
                         double value)
{
    char text[80];
    snprintf(text, sizeof text, format, value);
    write_text(out, x, y, look, text);
}

/* The mean as a line, and a bar of one spread to either side. */
static void write_moments(FILE *out, const LabResults *r, Panel p)
{
    const LabGrid *g = r->experiment->grid;
    double mean = lab_spread(r, p.curve, 0, g->mean).mean;
    double spread = lab_spread(r, p.curve, 0, g->spread).mean;
    fprintf(out, "<path class=\"mark\" d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1f\"/>\n",
            x_in(g, p.left, mean), p.bottom - ALONE, p.bottom + 5, x_in(g, p.left, mean - spread),
            p.bottom + 5, x_in(g, p.left, mean + spread));
}

static void write_panel(FILE *out, const LabResults *r, Panel p)
{
    const LabExperiment *e = r->experiment;
    const LabGrid *g = e->grid;
    double right = p.left + PANEL;
    for (int i = 0; i < 5; i++) {
        double x = p.left + i * PANEL / 4.0;
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", x,
                p.bottom - panel_height(e) - headroom(e) + 8, p.bottom);
    }
    for (int point = 0; point < e->points; point++)
        write_ridge(out, r, p, point);
    if (e->points == 1)
        write_moments(out, r, p);
    for (int i = 0; i < 3; i++)
        write_number(out, p.left + i * PANEL / 2.0, p.bottom + 14, "tick", "%g",
                     g->low + i * (g->high - g->low) / 2);
    double mean = lab_spread(r, p.curve, e->points - 1, g->mean).mean;
    double spread = lab_spread(r, p.curve, e->points - 1, g->spread).mean;
    if (e->points == 1) {
        write_number(out, right, p.bottom + 28, "result", "mean %.3f",
                     rint(1000 * mean) / 1000 + 0.0 /* no -0.000 */);
        write_number(out, right, p.bottom + 41, "result", "spread %.3f", spread);
    } else {
        char text[80];
        snprintf(text, sizeof text, "spread of %s %g", g->point_name, x_of(e, e->points - 1));
        write_text(out, right, p.bottom + 28, "result", text);
        write_number(out, right, p.bottom + 41, "result", "%.3g", spread);
    }
}

static void write_points(FILE *out, const LabExperiment *e, double bottom)
{
    write_text(out, LEFT - 8, bottom - panel_height(e) - 14, "side", e->grid->point_name);
    for (int point = 0; point < e->points; point++)
        if (point == 0 || (point + 1) % 5 == 0)
            write_number(out, LEFT - 8, bottom - STEP * (e->points - 1 - point), "side", "%g",
                         x_of(e, point));
}

/* Its words above, as many lines as they need. */
static void write_head(FILE *out, const LabResults *r, int width, int height)
{
    const LabGrid *g = r->experiment->grid;
    int count = r->experiment->points > 1 ? r->experiment->points : g->columns;
    Buffer words = {0};
    paper_begin(out, width, height, g->title);
    fputs("<style>.row{font-weight:600}.column,.tick{text-anchor:middle}.side,.result{"
          "text-anchor:end}.tick,.side{font-size:10px}",
          out);
    write_shades(out, count, by_day);
    fputs("@media (prefers-color-scheme:dark){", out);
    write_shades(out, count, by_night);
    fputs("}</style>\n", out);
    svg_lines(&words, 14, 24, "title", NOTE_LETTERS, g->title);
    svg_lines(&words, 14, 40, "note", (size_t)(width - 28) / LETTER, g->note ? g->note : "");
    fwrite(words.data, 1, words.length, out);
    buffer_free(&words);
}

void grid_picture(FILE *out, const LabResults *r)
{
    const LabExperiment *e = r->experiment;
    const LabGrid *g = e->grid;
    int each = panel_height(e) + headroom(e) + BELOW, rows = panel_rows(e);
    write_head(out, r, LEFT + g->columns * (PANEL + BETWEEN), TOP + rows * each - BELOW / 4);
    for (int row = 0; row < rows; row++) {
        double bottom = TOP + row * each + panel_height(e) + headroom(e);
        write_text(out, 14, bottom - panel_height(e) - headroom(e) - 8, "row", g->rows_named[row]);
        if (e->points > 1)
            write_points(out, e, bottom);
        for (int column = 0; column < g->columns; column++) {
            Panel p = {LEFT + column * (PANEL + BETWEEN), bottom, row * g->columns + column};
            if (row == 0)
                write_text(out, p.left + PANEL / 2.0, TOP - 22, "column", g->columns_named[column]);
            if (p.curve < curve_count(e))
                write_panel(out, r, p);
        }
    }
    fputs("</svg>\n", out);
}

static void write_svg(FILE *out, const LabResults *r, const LabPicture *none)
{
    (void)none;
    grid_picture(out, r);
}

bool draw_grid(const LabResults *results, char **first)
{
    char *path;
    bool good = write_whole(results, NULL, ".svg", write_svg, &path);
    if (good)
        printf("The histograms as a picture: %s\n", path);
    else
        fprintf(stderr, "\nThe picture %s could not be drawn: %s\n", path, strerror(errno));
    keep_first(first, good, path);
    return good;
}
