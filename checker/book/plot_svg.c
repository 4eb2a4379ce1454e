/* A picture of numbers as SVG: bars, or curves between two axes, with the numbers themselves below.
 * Of more than three curves each has a small picture of its own, in which the others are pale. What
 * it shows is read by checker/workbook/plot.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "book.h"
#include "plot.h"

enum { WIDTH = 340, HEIGHT = 200, LEFT = 46, TOP = 10, RIGHT = 330, BOTTOM = 160, TICKS = 6 };
enum {
    MOST_TOGETHER = 3,
    SMALL_HEIGHT = 64,
    SMALL_APART = 44,
    SMALL_BESIDE = 24,
    LETTER = 7,
    FEW_TICKS = 3
};

typedef struct {
    double left, top, right, bottom;
} Frame;

static const Frame whole = {LEFT, TOP, RIGHT, BOTTOM};

static double across(const Frame *in, double place)
{
    return in->left + place * (in->right - in->left);
}

static double down(const Frame *in, double place)
{
    return in->bottom - place * (in->bottom - in->top);
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
static void add_y_axis(Buffer *out, const Plot *plot, const Frame *in, int most, bool named)
{
    double ticks[MOST_TICKS];
    int count = plot_ticks(&plot->y, most, ticks);
    for (int i = 0; i < count; i++) {
        double y = down(in, plot_place(&plot->y, ticks[i]));
        html_print(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                   in->left, in->right, y, y);
        if (named)
            add_tick_label(out, in->left - 6, y + 4, "end", ticks[i]);
    }
}

static void add_x_axis(Buffer *out, const Plot *plot, const Frame *in, int most)
{
    double ticks[MOST_TICKS];
    int count = plot->bars ? 0 : plot_ticks(&plot->x, most, ticks);
    for (int i = 0; i < count; i++)
        add_tick_label(out, across(in, plot_place(&plot->x, ticks[i])), in->bottom + 16, "middle",
                       ticks[i]);
    for (int r = 0; plot->bars && r < plot->rows; r++)
        add_label(out, across(in, (r + 0.5) / plot->rows), in->bottom + 16, "middle",
                  plot_cell(plot, r, 0)->shown);
}

/* ---- what is drawn ---- */
static void add_bars(Buffer *out, const Plot *plot)
{
    double group = (double)(RIGHT - LEFT) / plot->rows, wide = group * 0.8 / plot->curves;
    double zero = down(&whole, plot_place(&plot->y, 0));
    for (int r = 0; r < plot->rows; r++)
        for (int c = 0; c < plot->curves; c++) {
            double at = down(&whole, plot_place(&plot->y, plot_cell(plot, r, c + 1)->number));
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

/* Where a number can't be drawn the curve has a gap. own: it has its colour, and its points. */
static void add_curve(Buffer *out, const Plot *plot, const Frame *in, int curve, bool own)
{
    bool drawn = false;
    html_print(out, own ? "<path class=\"line%d\" d=\"" : "<path class=\"pale\" d=\"", curve);
    for (int r = 0; r < plot->rows; r++) {
        double x = across(in, plot_place(&plot->x, plot_cell(plot, r, 0)->number));
        double y = down(in, plot_place(&plot->y, plot_cell(plot, r, curve + 1)->number));
        bool here = isfinite(x) && isfinite(y);
        if (here)
            html_print(out, "%c%.1f %.1f", drawn ? 'L' : 'M', x, y);
        drawn = here;
    }
    add_text(out, "\"/>");
    for (int r = 0; own && r < plot->rows && plot->rows <= 40; r++) {
        double x = across(in, plot_place(&plot->x, plot_cell(plot, r, 0)->number));
        double y = down(in, plot_place(&plot->y, plot_cell(plot, r, curve + 1)->number));
        if (isfinite(x) && isfinite(y))
            html_print(out, "<circle class=\"fill%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>", curve,
                       x, y);
    }
}

/* One small picture, of one curve, with its name above it. */
static void add_small(Buffer *out, const Plot *plot, const Frame *in, int curve, bool leftmost)
{
    add_label(out, in->left, in->top - 7, "start", plot->names[curve]);
    add_y_axis(out, plot, in, FEW_TICKS + 1, leftmost);
    add_x_axis(out, plot, in, FEW_TICKS);
    for (int c = 0; c < plot->curves; c++)
        if (c != curve)
            add_curve(out, plot, in, c, false);
    add_curve(out, plot, in, curve, true);
}

/* As many beside each other as the longest name has room for. */
static int small_columns(const Plot *plot)
{
    size_t longest = 0;
    for (int c = 0; c < plot->curves; c++)
        longest = strlen(plot->names[c]) > longest ? strlen(plot->names[c]) : longest;
    if (longest * LETTER > (WIDTH - LEFT) / 2)
        return 1;
    return longest * LETTER < (WIDTH - LEFT) / 3 && plot->curves != 4 ? 3 : 2;
}

/* How far down they reach. */
static double add_all_small(Buffer *out, const Plot *plot)
{
    int columns = small_columns(plot);
    double wide = (double)(WIDTH - LEFT) / columns, high = 0;
    for (int c = 0; c < plot->curves; c++) {
        double left = LEFT + wide * (c % columns);
        double top = 20 + (c / columns) * (double)(SMALL_HEIGHT + SMALL_APART);
        Frame in = {left, top, left + wide - SMALL_BESIDE, top + SMALL_HEIGHT};
        add_small(out, plot, &in, c, c % columns == 0);
        high = in.bottom;
    }
    return high;
}

static void add_names(Buffer *out, const Plot *plot, bool small)
{
    add_text(out, "<p>");
    for (int c = 0; c < plot->curves && *plot->names[c] && !small; c++) {
        html_print(
            out,
            "<span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"fill%d\" "
            "y=\"1\" width=\"10\" height=\"10\"/></svg>",
            c);
        html_text(out, plot->names[c]);
        add_text(out, "</span> ");
    }
    if (*plot->y.name)
        add_text(out, *plot->names[0] && !small ? "<span>up: " : "<span>");
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
    double high = BOTTOM;
    if (!plot_read(&plot, block, length))
        return false;
    bool small = !plot.bars && plot.curves > MOST_TOGETHER;
    if (small) {
        high = add_all_small(&drawn, &plot);
    } else {
        add_y_axis(&drawn, &plot, &whole, TICKS, true);
        add_x_axis(&drawn, &plot, &whole, TICKS);
    }
    add_label(&drawn, (LEFT + RIGHT) / 2.0, high + 33, "middle", plot.x.name);
    if (plot.bars)
        add_bars(&drawn, &plot);
    for (int c = 0; !plot.bars && !small && c < plot.curves; c++)
        add_curve(&drawn, &plot, &whole, c, true);
    add_text(out, "<figure class=\"plot\"><figcaption>");
    html_text(out, plot.title);
    add_text(out, "</figcaption>\n");
    add_names(out, &plot, small);
    html_print(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH,
               high + HEIGHT - BOTTOM);
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
