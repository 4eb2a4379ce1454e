/* A picture of numbers as SVG: bars, or curves (checker/workbook/curves.h), with the numbers
 * themselves below. More than three curves are drawn apart. What it shows is read by
 * checker/workbook/plot.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "book.h"
#include "curves.h"

enum { WIDTH = 340, LEFT = 46, TOP = 10, RIGHT = 330, BOTTOM = 160, BELOW = 40, TICKS = 6 };
enum { MOST_TOGETHER = 3 };

static const Frame whole = {LEFT, TOP, RIGHT, BOTTOM};

/* ---- bars ---- */
/* How far down it reaches. */
static double add_bars(Buffer *out, const Plot *plot)
{
    svg_y_axis(out, &plot->y, &whole, TICKS, true);
    for (int r = 0; r < plot->rows; r++)
        svg_label(out, svg_across(&whole, (r + 0.5) / plot->rows), BOTTOM + 16, "middle",
                  plot_cell(plot, r, 0)->shown);
    svg_label(out, (LEFT + RIGHT) / 2.0, BOTTOM + 33, "middle", plot->x.name);
    double group = (double)(RIGHT - LEFT) / plot->rows, wide = group * 0.8 / plot->curves;
    double zero = svg_down(&whole, plot_place(&plot->y, 0));
    for (int r = 0; r < plot->rows; r++)
        for (int c = 0; c < plot->curves; c++) {
            double at = svg_down(&whole, plot_place(&plot->y, plot_cell(plot, r, c + 1)->number));
            if (isfinite(at))
                html_print(out,
                           "<rect class=\"fill%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                           "height=\"%.1f\"/>",
                           c, LEFT + group * (r + 0.1) + wide * c, fmin(at, zero), wide - 1,
                           fmax(fabs(at - zero), 0.5));
        }
    html_print(out, "<line class=\"zero\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
               RIGHT, zero, zero);
    return BOTTOM + BELOW;
}

/* ---- curves ---- */
/* What stands in a column, from the first row on. Caller frees. */
static double *column_of(const Plot *plot, int column)
{
    double *numbers = calloc((size_t)plot->rows + 1, sizeof *numbers);
    if (!numbers)
        abort();
    for (int r = 0; r < plot->rows; r++)
        numbers[r] = plot_cell(plot, r, column)->number;
    return numbers;
}

static double add_curves(Buffer *out, const Plot *plot)
{
    double *columns[1 + MOST_CURVES] = {column_of(plot, 0)};
    Curves c = {.x = plot->x,
                .y = plot->y,
                .at = columns[0],
                .points = plot->rows,
                .count = plot->curves,
                .apart = plot->curves > MOST_TOGETHER,
                .top = TOP,
                .width = WIDTH,
                .height = BOTTOM - TOP};
    for (int i = 0; i < plot->curves; i++) {
        columns[i + 1] = column_of(plot, i + 1);
        c.curves[i] = (Curve){.name = plot->names[i], .look = i, .mean = columns[i + 1]};
    }
    double end = curves_add(out, &c);
    for (int i = 0; i <= plot->curves; i++)
        free(columns[i]);
    return end;
}

/* Of bars the names, which curves have at their ends; and what is upwards. */
static void add_names(Buffer *out, const Plot *plot)
{
    bool named = plot->bars && *plot->names[0];
    add_text(out, "<p>");
    for (int c = 0; c < plot->curves && named; c++) {
        html_print(
            out,
            "<span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"fill%d\" "
            "y=\"1\" width=\"10\" height=\"10\"/></svg>",
            c);
        html_text(out, plot->names[c]);
        add_text(out, "</span> ");
    }
    if (*plot->y.name)
        add_text(out, named ? "<span>up: " : "<span>");
    html_text(out, plot->y.name);
    add_text(out, *plot->y.name ? "</span></p>\n" : "</p>\n");
}

/* The block's rows as they stand: no number has a colon, and every line of the head has one. */
static const char *rows_of(const char *block)
{
    for (size_t line; line = strcspn(block, "\n"), memchr(block, ':', line);)
        block += line + (block[line] == '\n');
    return block;
}

bool plot_add_svg(Buffer *out, const char *block, size_t length)
{
    Plot plot;
    Buffer drawn = {0};
    if (!plot_read(&plot, block, length))
        return false;
    double high = plot.bars ? add_bars(&drawn, &plot) : add_curves(&drawn, &plot);
    add_text(out, "<figure class=\"plot\"><figcaption>");
    html_text(out, plot.title);
    add_text(out, "</figcaption>\n");
    add_names(out, &plot);
    html_print(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH, high);
    html_text(out, plot.title);
    add_text(out, ". The numbers follow.\">");
    buffer_append(out, drawn.data, drawn.length);
    add_text(out, "</svg>\n<details><summary>The numbers</summary><pre class=\"output\"><code>");
    html_text(out, rows_of(block));
    add_text(out, "</code></pre></details></figure>\n");
    buffer_free(&drawn);
    plot_free(&plot);
    return true;
}
