/* A picture of numbers as SVG: bars, or curves between two axes, with the numbers themselves below.
 * What it shows is read by checker/workbook/plot.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "book.h"
#include "plot.h"

enum { WIDTH = 340, HEIGHT = 200, LEFT = 46, TOP = 10, RIGHT = 330, BOTTOM = 160, TICKS = 6 };

static double across(double place)
{
    return LEFT + place * (RIGHT - LEFT);
}

static double down(double place)
{
    return BOTTOM - place * (BOTTOM - TOP);
}

static void add_label(Buffer *out, double x, double y, const char *anchor, const char *text)
{
    html_print(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(out, text);
    add_text(out, "</text>");
}

static void add_tick_label(Buffer *out, double x, double y, const char *anchor, double number)
{
    char *text = format_text("%g", fabs(number) < 1e-12 ? 0 : number);
    add_label(out, x, y, anchor, text);
    free(text);
}

/* ---- the axes ---- */
static void add_y_axis(Buffer *out, const Plot *plot)
{
    double ticks[MOST_TICKS];
    int count = plot_ticks(&plot->y, TICKS, ticks);
    for (int i = 0; i < count; i++) {
        double y = down(plot_place(&plot->y, ticks[i]));
        html_print(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                   RIGHT, y, y);
        add_tick_label(out, LEFT - 6, y + 4, "end", ticks[i]);
    }
}

static void add_x_axis(Buffer *out, const Plot *plot)
{
    double ticks[MOST_TICKS];
    int count = plot->bars ? 0 : plot_ticks(&plot->x, TICKS, ticks);
    for (int i = 0; i < count; i++)
        add_tick_label(out, across(plot_place(&plot->x, ticks[i])), BOTTOM + 16, "middle",
                       ticks[i]);
    for (int r = 0; plot->bars && r < plot->rows; r++)
        add_label(out, across((r + 0.5) / plot->rows), BOTTOM + 16, "middle",
                  plot_cell(plot, r, 0)->shown);
    add_label(out, (LEFT + RIGHT) / 2.0, BOTTOM + 33, "middle", plot->x.name);
}

/* ---- what is drawn ---- */
static void add_bars(Buffer *out, const Plot *plot)
{
    double group = (double)(RIGHT - LEFT) / plot->rows, wide = group * 0.8 / plot->curves;
    double zero = down(plot_place(&plot->y, 0));
    for (int r = 0; r < plot->rows; r++)
        for (int c = 0; c < plot->curves; c++) {
            double at = down(plot_place(&plot->y, plot_cell(plot, r, c + 1)->number));
            if (isfinite(at))
                html_print(out,
                           "<rect class=\"fill%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                           "height=\"%.1f\"/>",
                           c, LEFT + group * (r + 0.1) + wide * c, fmin(at, zero), wide - 1,
                           fmax(fabs(at - zero), 0.5));
        }
    html_print(out, "<line class=\"zero\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
               RIGHT, zero, zero);
}

/* Where a number can't be drawn the curve has a gap. */
static void add_curve(Buffer *out, const Plot *plot, int curve)
{
    bool drawn = false;
    html_print(out, "<path class=\"line%d\" d=\"", curve);
    for (int r = 0; r < plot->rows; r++) {
        double x = across(plot_place(&plot->x, plot_cell(plot, r, 0)->number));
        double y = down(plot_place(&plot->y, plot_cell(plot, r, curve + 1)->number));
        bool here = isfinite(x) && isfinite(y);
        if (here)
            html_print(out, "%c%.1f %.1f", drawn ? 'L' : 'M', x, y);
        drawn = here;
    }
    add_text(out, "\"/>");
    for (int r = 0; r < plot->rows && plot->rows <= 40; r++) {
        double x = across(plot_place(&plot->x, plot_cell(plot, r, 0)->number));
        double y = down(plot_place(&plot->y, plot_cell(plot, r, curve + 1)->number));
        if (isfinite(x) && isfinite(y))
            html_print(out, "<circle class=\"fill%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>", curve,
                       x, y);
    }
}

static void add_names(Buffer *out, const Plot *plot)
{
    add_text(out, "<p>");
    for (int c = 0; c < plot->curves && *plot->names[c]; c++) {
        html_print(
            out,
            "<span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"fill%d\" "
            "y=\"1\" width=\"10\" height=\"10\"/></svg>",
            c);
        html_text(out, plot->names[c]);
        add_text(out, "</span> ");
    }
    if (*plot->y.name)
        add_text(out, *plot->names[0] ? "<span>up: " : "<span>");
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
    if (!plot_read(&plot, block, length))
        return false;
    add_text(out, "<figure class=\"plot\"><figcaption>");
    html_text(out, plot.title);
    add_text(out, "</figcaption>\n");
    add_names(out, &plot);
    html_print(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    html_text(out, plot.title);
    add_text(out, ". The numbers follow.\">");
    add_y_axis(out, &plot);
    add_x_axis(out, &plot);
    if (plot.bars)
        add_bars(out, &plot);
    for (int c = 0; !plot.bars && c < plot.curves; c++)
        add_curve(out, &plot, c);
    add_text(out, "</svg>\n<details><summary>The numbers</summary><pre class=\"output\"><code>");
    html_text(out, rows_of(block));
    add_text(out, "</code></pre></details></figure>\n");
    plot_free(&plot);
    return true;
}
