/* A lab's pictures: its curves, drawn by gnuplot. The invariant: a picture that is there is whole,
 * and every point in it is a number of the tables' kind: a mean over the seeds, the lowest, the
 * highest. */
#include "labs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "box.h"

/* Colour and points belong together: the six are told apart without colours, too. */
static const struct {
    const char *colour;
    int points;
} looks[] = {{"#c04000", 7}, {"#0060b0", 4}, {"#207020", 9},
             {"#8030a0", 6}, {"#806000", 5}, {"#303030", 8}};
static const char *const dashes[] = {"solid", "'-'", "'.'"};
enum { LOOKS = sizeof looks / sizeof *looks, DASHES = sizeof dashes / sizeof *dashes };

/* ---- what an axis shows ---- */
typedef struct {
    double low, high;
    bool log;
} Axis;

static bool can_be_shown(double value, const Axis *axis)
{
    return isfinite(value) && (!axis->log || value > 0);
}

static void widen(Axis *axis, double value)
{
    if (can_be_shown(value, axis)) {
        axis->low = fmin(axis->low, value);
        axis->high = fmax(axis->high, value);
    }
}

static Axis x_axis(const LabExperiment *e, const LabPicture *p)
{
    Axis x = {INFINITY, -INFINITY, p->x_log};
    for (int point = 0; point < e->points; point++)
        widen(&x, x_of(e, point));
    return x;
}

/* With some room above and below. */
static Axis y_axis(const LabResults *r, const LabPicture *p)
{
    Axis y = {INFINITY, -INFINITY, p->y_log};
    if (p->level_name)
        widen(&y, p->level);
    for (int curve = 0; r->experiment->curves[curve].name; curve++)
        for (int point = 0; point < r->experiment->points; point++) {
            LabSpread spread = lab_spread(r, curve, point, p->value);
            widen(&y, spread.low);
            widen(&y, spread.high);
        }
    if (!(y.low <= y.high)) /* nothing at all */
        y.low = y.high = 1;
    double around = y.low < y.high ? 0.05 * (y.high - y.low) : fabs(y.low) + 1;
    y.low = y.log ? 0.7 * y.low : y.low - around;
    y.high = y.log ? 1.4 * y.high : y.high + around;
    return y;
}

/* How far up it is: 0 to 1. */
static double height(const Axis *y, double value)
{
    if (y->log)
        return log(value / y->low) / log(y->high / y->low);
    return (value - y->low) / (y->high - y->low);
}

/* ---- the names at the curves' ends ---- */
enum { MOST_NAMES = 20 };
static const double NAME_APART = 0.05; /* of the height */

typedef struct {
    const LabCurve *curve; /* NULL: the level */
    char text[NAME_SIZE];
    double end, at; /* heights of the curve's end and of its name */
} Name;

static int lower_first(const void *a, const void *b)
{
    double x = ((const Name *)a)->end, y = ((const Name *)b)->end;
    return (x > y) - (x < y);
}

static int collect_names(Name *names, const LabResults *r, const LabPicture *p, const Axis *y)
{
    const LabExperiment *e = r->experiment;
    int count = 0;
    if (p->level_name) {
        names[count].end = height(y, p->level);
        snprintf(names[count++].text, NAME_SIZE, "%s", p->level_name);
    }
    for (int curve = 0; e->curves[curve].name && count < MOST_NAMES; curve++) {
        int last = e->points - 1;
        double mean;
        while (!can_be_shown(mean = lab_spread(r, curve, last, p->value).mean, y) && last > 0)
            last--;
        names[count].end = can_be_shown(mean, y) ? height(y, mean) : 0;
        names[count].curve = &e->curves[curve];
        curve_name(e, curve, names[count++].text, NAME_SIZE);
    }
    return count;
}

/* Names that would lie on one another move apart: up from below, then down again from the top. */
static void part_names(Name *names, int count)
{
    qsort(names, (size_t)count, sizeof *names, lower_first);
    for (int i = 0; i < count; i++)
        names[i].at = i > 0 ? fmax(names[i].end, names[i - 1].at + NAME_APART) : names[i].end;
    double ceiling = 1;
    for (int i = count - 1; i >= 0; i--, ceiling -= NAME_APART)
        names[i].at = fmin(names[i].at, ceiling);
}

static void write_names(FILE *out, const LabResults *r, const LabPicture *p, const Axis *y)
{
    Name names[MOST_NAMES] = {0};
    int count = collect_names(names, r, p, y);
    part_names(names, count);
    for (int i = 0; i < count; i++) {
        const LabCurve *c = names[i].curve;
        const char *colour = c ? looks[c->colour % LOOKS].colour : "#666666";
        fprintf(out, "set label \"%s\" at graph 1.045, graph %.4f tc rgb '%s'\n", names[i].text,
                names[i].at, colour);
        fprintf(out,
                "set arrow from graph 1.002, graph %.4f to graph 1.038, graph %.4f nohead "
                "lc rgb '%s' lw 2.2 dt %s\n",
                names[i].end, names[i].at, colour, c ? dashes[c->dashes % DASHES] : dashes[0]);
    }
}

/* ---- the script ---- */
static void write_head(FILE *out, const LabResults *r, const LabPicture *p, const char *path)
{
    fprintf(out,
            "set terminal svg size 1040,560 noenhanced font 'sans-serif,15' background 'white'\n"
            "set output '%s'\nset encoding utf8\n",
            path);
    /* A title of gnuplot's own is centred over the axes, and a long one cut at the left. */
    fprintf(out, "set tmargin at screen 0.88\nset label 100 \"%s", p->title);
    if (r->experiment->seeds > 1)
        fprintf(out, " (seeds %llu to %llu: their mean, lowest and highest)",
                (unsigned long long)r->seed,
                (unsigned long long)r->seed + (unsigned)(r->experiment->seeds - 1));
    fprintf(out, "\" at screen 0.02, screen 0.95\nset xlabel \"%s\"\nset ylabel \"%s\"\n",
            p->x_label, p->y_label);
    fputs("set grid ytics lc rgb '#dddddd' lt 1 dt solid\nset tics nomirror\nset border 3\n"
          "set rmargin at screen 0.70\nunset key\n",
          out);
}

/* Left alone, gnuplot names powers of ten only: on a short axis that is one number, or none. */
static void write_ticks(FILE *out, char name, const Axis *axis)
{
    static const int parts[] = {1, 2, 5};
    const char *between = "";
    if (!axis->log || !(axis->low < axis->high) || axis->high > 100 * axis->low)
        return;
    fprintf(out, "set %ctics (", name);
    for (double ten = pow(10, floor(log10(axis->low))); ten <= axis->high; ten *= 10)
        for (int i = 0; i < 3; i++)
            if (parts[i] * ten >= axis->low && parts[i] * ten <= axis->high) {
                fprintf(out, "%s%.6g", between, parts[i] * ten);
                between = ", ";
            }
    fputs(")\n", out);
}

static void write_axes(FILE *out, const Axis *x, const Axis *y)
{
    fprintf(out, "%s%s", x->log ? "set logscale x\nset format x '%g'\n" : "",
            y->log ? "set logscale y\nset format y '%g'\n" : "");
    if (x->low < x->high) /* gnuplot knows what to do with a single one */
        fprintf(out, "set xrange [%.9g:%.9g]\n", x->low, x->high);
    fprintf(out, "set yrange [%.9g:%.9g]\n", y->low, y->high);
    write_ticks(out, 'x', x);
    write_ticks(out, 'y', y);
}

static void write_points(FILE *out, const LabResults *r, const LabPicture *p, const Axis *y)
{
    const LabExperiment *e = r->experiment;
    fputs("$curves << EOD\n", out);
    for (int point = 0; point < e->points; point++) {
        fprintf(out, "%.9g", x_of(e, point));
        for (int curve = 0; e->curves[curve].name; curve++) {
            LabSpread spread = lab_spread(r, curve, point, p->value);
            double three[] = {spread.mean, spread.low, spread.high};
            for (int i = 0; i < 3; i++)
                if (can_be_shown(three[i], y))
                    fprintf(out, " %.6g", three[i]);
                else
                    fputs(" NaN", out);
        }
        fputc('\n', out);
    }
    fputs("EOD\n", out);
}

/* The bands first: a curve is never below another's band. */
static void write_plot(FILE *out, const LabExperiment *e, const LabPicture *p)
{
    const char *between = "plot ";
    for (int curve = 0; e->seeds > 1 && e->curves[curve].name; curve++) {
        fprintf(out,
                "%s$curves using 1:%d:%d with filledcurves lc rgb '%s' fs transparent solid %s",
                between, 3 + 3 * curve, 4 + 3 * curve,
                looks[e->curves[curve].colour % LOOKS].colour, "0.12 noborder");
        between = ", \\\n  ";
    }
    if (p->level_name) {
        fprintf(out, "%s%.9g lc rgb '#888888' lw 1 dt solid", between, p->level);
        between = ", \\\n  ";
    }
    for (int curve = 0; e->curves[curve].name; curve++) {
        const LabCurve *c = &e->curves[curve];
        fprintf(out,
                "%s$curves using 1:%d with linespoints lc rgb '%s' pt %d lw 2.2 ps 0.8 pi %d dt %s",
                between, 2 + 3 * curve, looks[c->colour % LOOKS].colour,
                looks[c->colour % LOOKS].points, p->every ? p->every : 1,
                dashes[c->dashes % DASHES]);
        between = ", \\\n  ";
    }
    fputc('\n', out);
}

static void write_script(FILE *out, const LabResults *r, const LabPicture *p, const char *path)
{
    Axis x = x_axis(r->experiment, p), y = y_axis(r, p);
    write_head(out, r, p, path);
    write_axes(out, &x, &y);
    write_names(out, r, p, &y);
    write_points(out, r, p, &y);
    write_plot(out, r->experiment, p);
}

static bool save_script(const char *path, const LabResults *results, const LabPicture *picture,
                        const char *output)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    write_script(file, results, picture, output);
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

/* Exit status of a program that isn't there, see process.c. */
enum { NOT_THERE = 127 };

/* -1: it could not even be tried. */
static int run_gnuplot(const char *script, const char *folder, char **output)
{
    const char *argv[] = {"gnuplot", "--default-settings", script, NULL};
    Launch launch = {
        .argv = argv, .limits = {.file_bytes = 16L << 20, .cpu_seconds = 60}, .folder = folder};
    Child child;
    int status;
    if (!child_start(&child, &launch) || !child_finish(&child, 60, output, &status))
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* NOT_THERE, or 0, or what went wrong is on stderr. */
static int draw(const LabResults *results, const LabPicture *picture, const char *folder)
{
    char *script = format_text("%s/picture.gnuplot", folder), *output = NULL;
    char *path = lab_file(results->experiment, picture->name, ".svg");
    char *new = lab_file(results->experiment, picture->name, ".svg.new");
    bool saved = save_script(script, results, picture, new);
    int code = saved ? run_gnuplot(script, folder, &output) : -1;
    if (code == 0 && rename(new, path) != 0)
        code = -1;
    if (code == 0)
        printf("The curves as a picture: %s\n", path);
    else if (code != NOT_THERE)
        fprintf(stderr, "\nThe picture %s could not be drawn: %s\n", path,
                output && *output ? output : strerror(errno));
    free(script);
    free(path);
    free(new);
    free(output);
    return code;
}

bool draw_pictures(const LabResults *results, const char *folder)
{
    bool good = true, missing = false;
    putchar('\n');
    if (results->experiment->grid)
        good = draw_grid(results);
    for (const LabPicture *p = results->experiment->pictures; p && p->title && !missing; p++) {
        int code = draw(results, p, folder);
        missing = code == NOT_THERE;
        good = good && (code == 0 || missing);
    }
    if (missing)
        puts("For a picture of the curves, install gnuplot (apt-get install gnuplot-nox, or brew "
             "install\ngnuplot) and run this again.");
    return good;
}
