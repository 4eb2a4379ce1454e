/* The lab's picture: six curves, drawn by gnuplot. The invariant: a picture that is there is whole,
 * and every point in it is a number of the tables' kind, a mean over the seeds. */
#include "lab.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "process.h"

#define PICTURE ".workbook/lab/05_batch_norm.svg"

/* Colour and points say which norm, dashes which batch size: each is enough without the other. */
static void write_script(FILE *out, uint64_t seed, Curves curves)
{
    static const char *const dashes[SIZES] = {"'.'", "'-'", "solid"};
    static const char *const looks[METHODS] = {"lc rgb '#c04000' pt 7", "lc rgb '#0060b0' pt 4"};
    fputs("set terminal svg size 1040,560 noenhanced font 'sans-serif,15' background 'white'\n"
          "set output '" PICTURE ".new'\n"
          "set encoding utf8\n",
          out);
    fprintf(out, "set title 'Loss on the test examples (mean of seeds %llu to %llu)'\n",
            (unsigned long long)seed, (unsigned long long)seed + (SEEDS - 1));
    fprintf(out, "set xlabel 'passes over the %d training examples'\n", EXAMPLES);
    fputs("set ylabel 'cross-entropy loss (nats, logarithmic scale)'\n"
          "set logscale y\nset grid ytics lc rgb '#dddddd' lt 1 dt solid\n"
          "set tics nomirror\nset border 3\n"
          "set rmargin at screen 0.68\n"
          "set key at screen 0.695, screen 0.72 left top reverse Left samplen 5 spacing 1.5\n"
          "$curves << EOD\n",
          out);
    double low = log(ARMS), high = low;
    for (int pass = 0; pass <= PASSES; pass++) {
        fprintf(out, "%d", pass);
        for (int method = 0; method < METHODS; method++)
            for (int size = 0; size < SIZES; size++) {
                double loss = spread_of(curves, method, size, pass, test_loss_of).mean;
                fprintf(out, " %.6g", loss);
                low = fmin(low, loss);
                high = fmax(high, loss);
            }
        fputc('\n', out);
    }
    fprintf(out, "EOD\nset xrange [0:%d]\nset yrange [%g:%g]\n", PASSES, 0.7 * low, 1.4 * high);
    fprintf(out, "plot %.6f title 'guessing' lc rgb '#888888' lw 1 dt solid", log(ARMS));
    for (int method = 0; method < METHODS; method++)
        for (int size = 0; size < SIZES; size++)
            fprintf(out,
                    ", \\\n  $curves using 1:%d title '%s, batch size %d' with linespoints %s "
                    "lw 2.2 ps 0.8 pi 4 dt %s",
                    2 + method * SIZES + size, method_names[method], batch_sizes[size],
                    looks[method], dashes[size]);
    fputc('\n', out);
}

static bool save_script(const char *path, uint64_t seed, Curves curves)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    write_script(file, seed, curves);
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

bool draw_picture(uint64_t seed, Curves curves, const char *folder)
{
    char *script = format_text("%s/picture.gnuplot", folder), *output = NULL;
    mkdir(".workbook", 0777);
    mkdir(".workbook/lab", 0777);
    bool saved = save_script(script, seed, curves);
    int code = saved ? run_gnuplot(script, folder, &output) : -1;
    bool drawn = code == 0 && rename(PICTURE ".new", PICTURE) == 0;
    if (drawn)
        puts("\nThe curves as a picture: " PICTURE);
    else if (code == NOT_THERE)
        puts("\nFor a picture of the curves, install gnuplot (apt-get install gnuplot-nox, or brew "
             "install\ngnuplot) and run this again.");
    else
        fprintf(stderr, "\nThe picture " PICTURE " could not be drawn: %s\n",
                output && *output ? output : strerror(errno));
    free(script);
    free(output);
    return drawn || code == NOT_THERE;
}
