/* A lab's pictures: its curves. The invariant: a picture that is there is whole, and every point in
 * it is a number of the tables' kind: a mean over the seeds, the lowest, the highest. */
#include "labs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"

/* ---- the numbers ---- */
/* Of how much the curve is above the first one, seed by seed, where the picture is of that. */
static LabSpread spread_in(const LabResults *r, const LabPicture *p, int curve, int point)
{
    LabSpread spread = {0, INFINITY, -INFINITY};
    if (!p->above_first)
        return lab_spread(r, curve, point, p->value);
    for (int s = 0; s < r->experiment->seeds; s++) {
        double by = lab_number(r, curve, s, point, p->value) - lab_number(r, 0, s, point, p->value);
        spread.mean += by / r->experiment->seeds;
        spread.low = fmin(spread.low, by);
        spread.high = fmax(spread.high, by);
    }
    return spread;
}

/* x of each point; then for each curve its means, its lowest and its highest, of which none is to
 * be drawn where x can't be shown. Caller frees. */
static double *numbers_of(const LabResults *r, const LabPicture *p)
{
    const LabExperiment *e = r->experiment;
    int count = curve_count(e), points = e->points;
    double *numbers = calloc((size_t)(points * (1 + 3 * count)), sizeof *numbers);
    if (!numbers)
        author_error("there is no memory for the lab's pictures");
    for (int point = 0; point < points; point++) {
        numbers[point] = p->x ? p->x(point) : x_of(e, point);
        for (int curve = 0; curve < count; curve++) {
            LabSpread spread = spread_in(r, p, curve, point);
            double *of_curve = numbers + points * (1 + 3 * curve);
            bool shown = !p->x_log || numbers[point] > 0;
            of_curve[point] = shown ? spread.mean : NAN;
            of_curve[points + point] = shown ? spread.low : NAN;
            of_curve[2 * points + point] = shown ? spread.high : NAN;
        }
    }
    return numbers;
}

/* ---- the axes ---- */
static void widen(Axis *axis, double value)
{
    if (isfinite(value) && (!axis->log || value > 0)) {
        axis->from = fmin(axis->from, value);
        axis->to = fmax(axis->to, value);
    }
}

static Axis axis_of(const char *name, bool log, const double *numbers, int count)
{
    Axis axis = {.name = name, .log = log, .from = INFINITY, .to = -INFINITY};
    for (int i = 0; i < count; i++)
        widen(&axis, numbers[i]);
    if (!(axis.from <= axis.to)) /* nothing at all */
        axis.from = axis.to = 1;
    return axis;
}

/* Some room above and below. */
static void leave_room(Axis *y)
{
    double around = y->from < y->to ? 0.05 * (y->to - y->from) : fabs(y->from) + 1;
    y->from = y->log ? 0.7 * y->from : y->from - around;
    y->to = y->log ? 1.4 * y->to : y->to + around;
}

/* ---- the picture ---- */
enum { WIDTH = 440, HEIGHT = 230, AT = 14, TITLE_LETTERS = 52 };

static void add_words(Buffer *out, const LabResults *r, const LabPicture *p, double *y)
{
    unsigned long long first = r->seed;
    char note[200] = "";
    if (r->experiment->seeds > 1)
        snprintf(note, sizeof note,
                 "The mean of seeds %llu to %llu, in a band from the lowest to the highest.", first,
                 first + (unsigned)(r->experiment->seeds - 1));
    if (p->apart && p->level_name)
        snprintf(note + strlen(note), sizeof note - strlen(note), " The level line: %s.",
                 p->level_name);
    *y += LINE_HEIGHT * 1.2 * svg_lines(out, AT, *y, "title", TITLE_LETTERS, p->title);
    *y += LINE_HEIGHT * svg_lines(out, AT, *y, "note", NOTE_LETTERS, note);
    *y += LINE_HEIGHT * svg_lines(out, AT, *y + 6, "up", NOTE_LETTERS, p->y_label) +
          (p->apart ? 12 : 3);
}

static void write_picture(FILE *out, const LabResults *r, const LabPicture *p)
{
    const LabExperiment *e = r->experiment;
    char names[MOST_DRAWN][NAME_SIZE];
    int first = p->above_first ? 1 : 0, points = e->points;
    double *numbers = numbers_of(r, p), y = 24;
    Buffer drawn = {0};
    Curves c = {.x = axis_of(p->x_label, p->x_log, numbers, points),
                .y = axis_of(p->y_label, p->y_log, numbers + points, 3 * points * curve_count(e)),
                .at = numbers,
                .points = points,
                .level_name = p->level_name,
                .level = p->level,
                .every = p->every,
                .apart = p->apart,
                .width = WIDTH,
                .height = HEIGHT};
    if (p->level_name)
        widen(&c.y, p->level);
    leave_room(&c.y);
    for (int i = first; e->curves[i].name && c.count < MOST_DRAWN; i++, c.count++) {
        const double *mean = numbers + points * (1 + 3 * i);
        curve_name(e, i, names[c.count], NAME_SIZE);
        c.curves[c.count] = (Curve){.name = names[c.count],
                                    .look = e->curves[i].colour % LOOKS,
                                    .dashes = e->curves[i].dashes,
                                    .mean = mean,
                                    .low = e->seeds > 1 ? mean + points : NULL,
                                    .high = mean + 2 * points};
    }
    add_words(&drawn, r, p, &y);
    c.top = y;
    double end = curves_add(&drawn, &c);
    paper_begin(out, WIDTH, (int)ceil(end), p->title);
    fwrite(drawn.data, 1, drawn.length, out);
    fputs("</svg>\n", out);
    buffer_free(&drawn);
    free(numbers);
}

bool draw_pictures(const LabResults *results, char **first)
{
    bool good = true;
    putchar('\n');
    if (results->experiment->grid)
        good = draw_grid(results, first);
    for (const LabPicture *p = results->experiment->pictures; p && p->title; p++) {
        char *path;
        bool drawn = write_whole(results, p, ".svg", write_picture, &path);
        if (drawn)
            printf("The curves as a picture: %s\n", path);
        else
            fprintf(stderr, "\nThe picture %s could not be drawn: %s\n", path, strerror(errno));
        keep_first(first, drawn, path);
        good = good && drawn;
    }
    return good;
}
