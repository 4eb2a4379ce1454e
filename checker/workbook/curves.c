/* Curves between two axes, as SVG. See curves.h. */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
    LEFT = 46,
    RIGHT = 10,       /* where no names are */
    BELOW = 40,       /* the axis' numbers and its name */
    NAME_LENGTH = 15, /* longer names go on in a second line */
    NAME_BESIDE = 14, /* from the frame to the names */
    Y_TICKS = 6,
    FEW_POINTS = 12, /* so many can be numbers of the axis */
    MOST_MARKED = 41
};
enum { SMALL_HEIGHT = 64, SMALL_APART = 44, SMALL_BESIDE = 28, SMALL_TICK = 18 };

double svg_across(const Frame *in, double place)
{
    return in->left + place * (in->right - in->left);
}

double svg_down(const Frame *in, double place)
{
    return in->bottom - place * (in->bottom - in->top);
}

void svg_label(Buffer *out, double x, double y, const char *anchor, const char *text)
{
    html_print(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(out, text);
    add_text(out, "</text>");
}

/* ---- text in lines ---- */
/* How much of the text is one line: up to a blank, and with it, or all. */
static size_t line_of(const char *text, size_t most)
{
    size_t length = 0;
    for (size_t i = 0; text[i]; i++)
        if ((i <= most || !length) && text[i] == ' ')
            length = i + 1;
    return strlen(text) <= most || !length ? strlen(text) : length;
}

static int lines_in(const char *text, size_t most)
{
    int lines = 0;
    for (; *text; lines++)
        text += line_of(text, most);
    return lines;
}

static size_t longest_line(const char *text, size_t most)
{
    size_t longest = 0;
    for (size_t length; *text; text += length) {
        length = line_of(text, most);
        longest = length > longest ? length : longest;
    }
    return longest;
}

int svg_lines(Buffer *out, double x, double y, const char *look, size_t most, const char *text)
{
    int lines = 0;
    html_print(out, "<text class=\"%s\">", look);
    for (size_t length; *text; text += length, lines++) {
        length = line_of(text, most);
        html_print(out, "<tspan x=\"%.1f\" y=\"%.1f\">", x, y + LINE_HEIGHT * lines);
        html_escape(out, text, length);
        add_text(out, "</tspan>");
    }
    add_text(out, "</text>");
    return lines;
}

/* ---- the axes ---- */
static void number_of(double number, char text[32])
{
    snprintf(text, 32, "%.6g", fabs(number) < 1e-12 ? 0 : number);
}

void svg_y_axis(Buffer *out, const Axis *y, const Frame *in, int most, bool named)
{
    double ticks[MOST_TICKS];
    int count = plot_ticks(y, most, ticks);
    for (int i = 0; i < count; i++) {
        double at = svg_down(in, plot_place(y, ticks[i]));
        char text[32];
        html_print(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                   in->left, in->right, at, at);
        number_of(ticks[i], text);
        if (named)
            svg_label(out, in->left - 6, at + 4, "end", text);
    }
}

static double half_width(double number)
{
    char text[32];
    number_of(number, text);
    return LETTER * (double)strlen(text) / 2;
}

static bool side_by_side(const Axis *x, const Frame *in, double one, double other)
{
    double apart = svg_across(in, plot_place(x, other)) - svg_across(in, plot_place(x, one));
    return apart >= half_width(one) + half_width(other) + LETTER;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The points' own, where they are few: all, or, of an even axis, as many as have room. 0: none. */
static int own_ticks(const Curves *c, const Frame *in, double ticks[MOST_TICKS])
{
    double sorted[FEW_POINTS];
    int count = 0, kept = 0;
    if (c->points > FEW_POINTS)
        return 0;
    for (int i = 0; i < c->points; i++)
        if (isfinite(plot_place(&c->x, c->at[i])))
            sorted[count++] = c->at[i];
    qsort(sorted, (size_t)count, sizeof *sorted, rising);
    for (int i = 0; i < count; i++) {
        bool room = !kept || side_by_side(&c->x, in, ticks[kept - 1], sorted[i]);
        room = room && (i == count - 1 || side_by_side(&c->x, in, sorted[i], sorted[count - 1]));
        if (room)
            ticks[kept++] = sorted[i];
        else if (c->x.log)
            return 0;
    }
    return kept;
}

static void add_x_axis(Buffer *out, const Curves *c, const Frame *in)
{
    double ticks[MOST_TICKS];
    int most = (int)(in->right - in->left) / 42;
    int count = own_ticks(c, in, ticks);
    if (!count)
        count = plot_ticks(&c->x, most < 3 ? 3 : most > MOST_TICKS ? MOST_TICKS : most, ticks);
    for (int i = 0; i < count; i++) {
        char text[32];
        number_of(ticks[i], text);
        svg_label(out, svg_across(in, plot_place(&c->x, ticks[i])), in->bottom + 16, "middle",
                  text);
    }
}

/* ---- a curve ---- */
/* NaN: it can't be shown. */
static double x_at(const Curves *c, const Frame *in, int point)
{
    return svg_across(in, plot_place(&c->x, c->at[point]));
}

static double y_at(const Curves *c, const Frame *in, double number)
{
    return svg_down(in, plot_place(&c->y, number));
}

static void add_mark(Buffer *out, int look, double x, double y)
{
    static const char *const shapes[] = {"m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z",
                                         "m-2.3-2.3h4.6v4.6h-4.6z",
                                         "m0-3.2l3 5.2h-6z",
                                         "m0-3.4l3.4 3.4l-3.4 3.4l-3.4-3.4z",
                                         "m0 3.2l3-5.2h-6z",
                                         "m-1-3h2v2h2v2h-2v2h-2v-2h-2v-2h2z"};
    html_print(out, "<path class=\"fill%d\" d=\"M%.1f %.1f%s\"/>", look, x, y, shapes[look]);
}

/* The points from `from` on that can be shown without a gap; where they end. */
static int run_of(const Curves *c, const Curve *curve, const Frame *in, int from)
{
    while (from < c->points && isfinite(x_at(c, in, from) + y_at(c, in, curve->low[from]) +
                                        y_at(c, in, curve->high[from])))
        from++;
    return from;
}

static void add_band(Buffer *out, const Curves *c, const Curve *curve, const Frame *in)
{
    html_print(out, "<path class=\"band fill%d\" d=\"", curve->look);
    for (int begin = 0, end; begin < c->points; begin = end + 1) {
        end = run_of(c, curve, in, begin);
        for (int i = begin; i < end; i++)
            html_print(out, "%c%.1f %.1f", i == begin ? 'M' : 'L', x_at(c, in, i),
                       y_at(c, in, curve->high[i]));
        for (int i = end - 1; i >= begin; i--)
            html_print(out, "L%.1f %.1f", x_at(c, in, i), y_at(c, in, curve->low[i]));
        add_text(out, end > begin ? "z" : "");
    }
    add_text(out, "\"/>");
}

static void add_dashes(Buffer *out, const Curve *curve)
{
    add_text(out, curve->dashes == 0   ? ""
                  : curve->dashes == 1 ? " stroke-dasharray=\"6 3\""
                                       : " stroke-dasharray=\"2 3\"");
}

/* own: it has its colour, and its marks. */
static void add_curve(Buffer *out, const Curves *c, const Curve *curve, const Frame *in, bool own)
{
    bool drawn = false;
    int step = c->every ? c->every : 1;
    html_print(out, own ? "<path class=\"line%d\"" : "<path class=\"pale\"", curve->look);
    add_dashes(out, curve);
    add_text(out, " d=\"");
    for (int i = 0; i < c->points; i++) {
        double x = x_at(c, in, i), y = y_at(c, in, curve->mean[i]);
        bool here = isfinite(x) && isfinite(y);
        if (here)
            html_print(out, "%c%.1f %.1f", drawn ? 'L' : 'M', x, y);
        drawn = here;
    }
    add_text(out, "\"/>");
    for (int i = 0; own && c->points <= MOST_MARKED * step && i < c->points; i++) {
        double x = x_at(c, in, i), y = y_at(c, in, curve->mean[i]);
        if (i % step == 0 && isfinite(x) && isfinite(y))
            add_mark(out, curve->look, x, y);
    }
}

static void add_level(Buffer *out, const Curves *c, const Frame *in)
{
    double y = c->level_name ? y_at(c, in, c->level) : NAN;
    if (isfinite(y))
        html_print(out, "<line class=\"zero\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                   in->left, in->right, y, y);
}

/* ---- the names at the curves' ends ---- */
typedef struct {
    const Curve *curve; /* NULL: the level */
    const char *text;
    double x, end, at, high; /* of the curve's end, and the middle and the height of the name */
} Name;

static int topmost_first(const void *a, const void *b)
{
    double x = ((const Name *)a)->end, y = ((const Name *)b)->end;
    return (x > y) - (x < y);
}

/* Where the curve is farthest to the right. */
static void find_end(const Curves *c, const Curve *curve, const Frame *in, Name *name)
{
    name->x = -INFINITY;
    name->end = in->bottom;
    for (int i = 0; i < c->points; i++) {
        double x = x_at(c, in, i), y = y_at(c, in, curve->mean[i]);
        if (isfinite(y) && x > name->x) {
            name->x = x;
            name->end = y;
        }
    }
    name->x = fmax(name->x, in->left);
}

static int collect_names(const Curves *c, const Frame *in, Name names[MOST_DRAWN + 1])
{
    int count = 0;
    if (c->level_name)
        names[count++] =
            (Name){.text = c->level_name, .x = in->right, .end = y_at(c, in, c->level)};
    for (int i = 0; i < c->count; i++)
        if (*c->curves[i].name) {
            names[count] = (Name){.curve = &c->curves[i], .text = c->curves[i].name};
            find_end(c, &c->curves[i], in, &names[count++]);
        }
    for (int i = 0; i < count; i++)
        names[i].high = LINE_HEIGHT * lines_in(names[i].text, NAME_LENGTH) + 1;
    return count;
}

/* Names that would lie on one another move apart: down from the top, then up again. */
static void part_names(Name *names, int count, double bottom)
{
    qsort(names, (size_t)count, sizeof *names, topmost_first);
    for (int i = 0; i < count; i++) {
        names[i].at = names[i].end;
        if (i > 0)
            names[i].at =
                fmax(names[i].at, names[i - 1].at + (names[i - 1].high + names[i].high) / 2);
    }
    double floor = bottom + LINE_HEIGHT;
    for (int i = count - 1; i >= 0; floor = names[i].at - names[i].high / 2, i--)
        names[i].at = fmin(names[i].at, floor - names[i].high / 2);
}

static void add_names(Buffer *out, const Curves *c, const Frame *in)
{
    Name names[MOST_DRAWN + 1];
    int count = collect_names(c, in, names);
    part_names(names, count, in->bottom);
    for (int i = 0; i < count; i++) {
        const Name *n = &names[i];
        char look[32] = "beside";
        if (n->curve)
            snprintf(look, sizeof look, "name fill%d", n->curve->look);
        char line[32] = "beside";
        if (n->curve)
            snprintf(line, sizeof line, "line%d", n->curve->look);
        html_print(out, "<path class=\"leader %s\" d=\"M%.1f %.1fH%.1fL%.1f %.1f\"/>", line,
                   n->x + 3, n->end, in->right + 3, in->right + NAME_BESIDE - 3, n->at);
        svg_lines(out, in->right + NAME_BESIDE, n->at - n->high / 2 + LINE_HEIGHT - 2, look,
                  NAME_LENGTH, n->text);
    }
}

/* ---- together ---- */
static Frame frame_beside_names(const Curves *c)
{
    size_t longest = c->level_name ? longest_line(c->level_name, NAME_LENGTH) : 0;
    double high = c->level_name ? LINE_HEIGHT * lines_in(c->level_name, NAME_LENGTH) + 1 : 0;
    for (int i = 0; i < c->count; i++) {
        size_t length = longest_line(c->curves[i].name, NAME_LENGTH);
        longest = length > longest ? length : longest;
        high += LINE_HEIGHT * lines_in(c->curves[i].name, NAME_LENGTH) + 1;
    }
    double right = longest ? LETTER * (double)longest + NAME_BESIDE : RIGHT;
    return (Frame){LEFT, c->top, c->width - right, c->top + fmax(c->height, high - LINE_HEIGHT)};
}

static double add_together(Buffer *out, const Curves *c)
{
    Frame in = frame_beside_names(c);
    svg_y_axis(out, &c->y, &in, Y_TICKS, true);
    add_x_axis(out, c, &in);
    for (int i = 0; i < c->count; i++)
        if (c->curves[i].low) /* first: a curve is never below another's band */
            add_band(out, c, &c->curves[i], &in);
    add_level(out, c, &in);
    for (int i = 0; i < c->count; i++)
        add_curve(out, c, &c->curves[i], &in, true);
    add_names(out, c, &in);
    svg_label(out, (in.left + in.right) / 2, in.bottom + 33, "middle", c->x.name);
    return in.bottom + BELOW;
}

/* ---- apart ---- */
static void add_small(Buffer *out, const Curves *c, const Frame *in, int own, bool leftmost)
{
    svg_label(out, in->left, in->top - 7, "start", c->curves[own].name);
    svg_y_axis(out, &c->y, in, (int)ceil((in->bottom - in->top) / SMALL_TICK), leftmost);
    add_x_axis(out, c, in);
    add_level(out, c, in);
    for (int i = 0; i < c->count; i++)
        if (i != own)
            add_curve(out, c, &c->curves[i], in, false);
    if (c->curves[own].low)
        add_band(out, c, &c->curves[own], in);
    add_curve(out, c, &c->curves[own], in, true);
}

/* As many beside each other as the longest name has room for. */
static int small_columns(const Curves *c)
{
    size_t longest = 0;
    for (int i = 0; i < c->count; i++)
        longest = strlen(c->curves[i].name) > longest ? strlen(c->curves[i].name) : longest;
    double wide = LETTER * (double)longest;
    if (wide > (c->width - LEFT) / 2)
        return 1;
    return wide < (c->width - LEFT) / 3 && c->count != 4 ? 3 : 2;
}

static double add_apart(Buffer *out, const Curves *c)
{
    int columns = small_columns(c);
    double wide = (c->width - LEFT) / columns, end = c->top;
    double high = fmax(SMALL_HEIGHT, 0.4 * c->height);
    for (int i = 0; i < c->count; i++) {
        double left = LEFT + wide * (i % columns);
        double top = c->top + 10 + i / columns * (high + SMALL_APART);
        Frame in = {left, top, left + wide - SMALL_BESIDE, top + high};
        add_small(out, c, &in, i, i % columns == 0);
        end = in.bottom;
    }
    svg_label(out, (LEFT + c->width) / 2, end + 33, "middle", c->x.name);
    return end + BELOW;
}

double curves_add(Buffer *out, const Curves *curves)
{
    return curves->apart ? add_apart(out, curves) : add_together(out, curves);
}
