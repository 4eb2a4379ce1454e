/* A lab's pictures: its curves, drawn by gnuplot. The invariant: a picture that is there is whole,
 * and every point in it is a number of the tables' kind, a mean over the seeds. */
#include "inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "process.h"

/* Colour and points belong together: the six are told apart without colours, too. */
static const char *const looks[] = {"lc rgb '#c04000' pt 7", "lc rgb '#0060b0' pt 4",
                                    "lc rgb '#207020' pt 9", "lc rgb '#8030a0' pt 6",
                                    "lc rgb '#806000' pt 5", "lc rgb '#303030' pt 8"};
static const char *const dashes[] = {"solid", "'-'", "'.'"};
enum { LOOKS = sizeof looks / sizeof *looks, DASHES = sizeof dashes / sizeof *dashes };

static void write_head(FILE *out, const LabResults *r, const LabPicture *p, const char *path)
{
    const LabExperiment *e = r->experiment;
    fprintf(out,
            "set terminal svg size 1040,560 noenhanced font 'sans-serif,15' background 'white'\n"
            "set output '%s'\nset encoding utf8\n",
            path);
    fprintf(out, "set title \"%s", p->title);
    if (e->seeds > 1)
        fprintf(out, " (mean of seeds %llu to %llu)", (unsigned long long)r->seed,
                (unsigned long long)r->seed + (unsigned)(e->seeds - 1));
    fprintf(out, "\"\nset xlabel \"%s\"\nset ylabel \"%s\"\n", p->x_label, p->y_label);
    if (p->x_log)
        fputs("set logscale x\n", out);
    if (p->y_log)
        fputs("set logscale y\n", out);
    fputs("set grid ytics lc rgb '#dddddd' lt 1 dt solid\nset tics nomirror\nset border 3\n"
          "set rmargin at screen 0.68\n"
          "set key at screen 0.695, screen 0.72 left top reverse Left samplen 5 spacing 1.5\n",
          out);
}

static bool can_be_shown(double value, bool log)
{
    return isfinite(value) && (!log || value > 0);
}

typedef struct {
    double low, high;
} Range;

static void widen(Range *range, double value, bool log)
{
    if (can_be_shown(value, log)) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

static void write_range(FILE *out, char axis, Range r, bool log)
{
    double around = 0.05 * (r.high - r.low);
    if (!(r.low < r.high)) /* gnuplot knows what to do with a single value, or none */
        return;
    if (log)
        fprintf(out, "set %crange [%g:%g]\n", axis, 0.7 * r.low, 1.4 * r.high);
    else
        fprintf(out, "set %crange [%g:%g]\n", axis, r.low - around, r.high + around);
}

static void write_points(FILE *out, const LabResults *r, const LabPicture *p)
{
    const LabExperiment *e = r->experiment;
    Range x = {INFINITY, -INFINITY}, y = x;
    if (p->level_name)
        widen(&y, p->level, p->y_log);
    fputs("$curves << EOD\n", out);
    for (int point = 0; point < e->points; point++) {
        widen(&x, x_of(e, point), p->x_log);
        fprintf(out, "%.9g", x_of(e, point));
        for (int curve = 0; e->curves[curve].name; curve++) {
            double mean = lab_spread(r, curve, point, p->value).mean;
            widen(&y, mean, p->y_log);
            if (can_be_shown(mean, p->y_log))
                fprintf(out, " %.6g", mean);
            else
                fputs(" NaN", out);
        }
        fputc('\n', out);
    }
    fputs("EOD\n", out);
    if (x.low < x.high)
        fprintf(out, "set xrange [%g:%g]\n", x.low, x.high);
    write_range(out, 'y', y, p->y_log);
}

static void write_script(FILE *out, const LabResults *r, const LabPicture *p, const char *path)
{
    const LabExperiment *e = r->experiment;
    const char *between = "plot ";
    write_head(out, r, p, path);
    write_points(out, r, p);
    if (p->level_name) {
        fprintf(out, "plot %.6f title \"%s\" lc rgb '#888888' lw 1 dt solid", p->level,
                p->level_name);
        between = ", \\\n  ";
    }
    for (int curve = 0; e->curves[curve].name; curve++) {
        const LabCurve *c = &e->curves[curve];
        char name[NAME_SIZE];
        curve_name(e, curve, name, sizeof name);
        fprintf(out,
                "%s$curves using 1:%d title \"%s\" with linespoints %s lw 2.2 ps 0.8 pi %d dt %s",
                between, 2 + curve, name, looks[c->colour % LOOKS], p->every ? p->every : 1,
                dashes[c->dashes % DASHES]);
        between = ", \\\n  ";
    }
    fputc('\n', out);
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
