/* The race as a file of numbers and as an SVG: time over the copy's, by shape. The invariant: a
 * file that is there is whole. */
#include "race.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    const Line *lines;
    int count;
    bool solution, pytorch;
} Result;

/* ---- the numbers ---- */
/* Nothing where nothing is known. */
static void write_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6g", value);
    else
        fputc(',', out);
}

static void write_numbers(FILE *out, const Result *result)
{
    static const char *const marks[] = {"undecided", "reached", "not reached", "not asked"};
    fputs("function,rows,features,rounds,seconds,others_busy,to_plain,to_plain_low,to_plain_high,"
          "to_copy,to_solution,to_pytorch,mark_1,mark_2,mark_3\n",
          out);
    for (int i = 0; i < result->count; i++) {
        const Line *l = &result->lines[i];
        const Figures *f = &l->figures;
        const double numbers[] = {
            l->seconds_yours, l->busy,           f->to_plain.median,    f->to_plain.low,
            f->to_plain.high, f->to_copy.median, f->to_solution.median, f->to_pytorch.median};
        fprintf(out, "%s,%d,%d,%d", l->function, l->layout.shape.rows, l->layout.shape.features,
                l->rounds);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            write_number(out, numbers[n]);
        for (int m = 0; m < MARKS; m++)
            fprintf(out, ",%s",
                    l->unbelievable && l->marks[m] != NOT_ASKED ? "not believed"
                                                                : marks[l->marks[m]]);
        fputc('\n', out);
    }
}

/* ---- the picture ---- */
enum { LEFT = 150, WIDE = 520, EACH = 26, TOP = 90, BETWEEN = 18 };

typedef struct {
    const char *name, *colour;
} Series;
static const Series series[] = {{"yours", "#1f6f8b"},
                                {"the plain version", "#b0a99a"},
                                {"the solution", "#c98a2b"},
                                {"PyTorch", "#a3485a"}};

/* Over the copy's time. NaN: it did not take part. */
static double value_of(const Result *result, const Line *line, int which)
{
    const Figures *f = &line->figures;
    double yours = f->to_copy.median;
    if (which == 0)
        return yours;
    if (which == 1)
        return yours / f->to_plain.median;
    if (which == 2)
        return result->solution ? yours / f->to_solution.median : NAN;
    return result->pytorch ? yours / f->to_pytorch.median : NAN;
}

static double largest(const Result *result)
{
    double most = 2;
    for (int i = 0; i < result->count; i++)
        for (int s = 0; s < 4; s++)
            if (isfinite(value_of(result, &result->lines[i], s)))
                most = fmax(most, value_of(result, &result->lines[i], s));
    return most;
}

static void write_line(FILE *out, const Result *result, const Line *line, double top, double most)
{
    double y = top;
    fprintf(out, "<text x='%d' y='%.0f' text-anchor='end'>%d x %d</text>\n", LEFT - 10, top + 13,
            line->layout.shape.rows, line->layout.shape.features);
    for (int s = 0; s < 4; s++) {
        double value = value_of(result, line, s);
        if (!isfinite(value))
            continue;
        fprintf(out, "<rect x='%d' y='%.1f' width='%.1f' height='5' fill='%s'/>\n", LEFT, y,
                value / most * WIDE, series[s].colour);
        y += 6;
    }
}

static void write_keys(FILE *out, const Result *result)
{
    int x = LEFT;
    for (int s = 0; s < 4; s++) {
        if ((s == 2 && !result->solution) || (s == 3 && !result->pytorch))
            continue;
        fprintf(out,
                "<rect x='%d' y='48' width='12' height='8' fill='%s'/>"
                "<text x='%d' y='56'>%s</text>\n",
                x, series[s].colour, x + 16, series[s].name);
        x += 130;
    }
}

static void write_picture(FILE *out, const Result *result)
{
    const double most = largest(result);
    int functions = result->count / SHAPE_COUNT;
    int height = TOP + result->count * EACH + functions * (BETWEEN + 20) + 30, y = TOP;
    fprintf(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='%d' viewBox='0 0 720 %d'>\n"
        "<style>text{font-family:sans-serif;font-size:12px;fill:#333}</style>\n"
        "<rect width='100%%' height='100%%' fill='#fdfcf9'/>\n"
        "<text x='24' y='30' style='font-size:18px;font-weight:bold'>Time over that of a copy "
        "of the same bytes</text>\n",
        height, height);
    write_keys(out, result);
    for (int i = 0; i < result->count; i++) {
        if (i % SHAPE_COUNT == 0) {
            fprintf(out, "<text x='24' y='%d' style='font-weight:bold'>%s</text>\n", y,
                    result->lines[i].function);
            y += BETWEEN;
        }
        write_line(out, result, &result->lines[i], y, most);
        y += EACH;
        y += i % SHAPE_COUNT == SHAPE_COUNT - 1 ? 20 : 0;
    }
    for (double tick = 0, by = most > 8 ? ceil(most / 8) : 1; tick <= most; tick += by)
        fprintf(out,
                "<path stroke='#ccc' stroke-opacity='.6' d='M%.1f %dV%d'/>"
                "<text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n",
                LEFT + tick / most * WIDE, TOP - 10, y - 10, LEFT + tick / most * WIDE, y + 6,
                tick);
    fputs("</svg>\n", out);
}

/* All of it or nothing. */
static bool write_file(const char *path, const Result *result,
                       void (*write)(FILE *out, const Result *result))
{
    char *new = format_text("%s.new", path);
    FILE *file = fopen(new, "w");
    if (file)
        write(file, result);
    bool good = file && !ferror(file);
    good = file && fclose(file) == 0 && good && rename(new, path) == 0;
    if (!good)
        fprintf(stderr, "%s could not be written: %s\n", path, strerror(errno));
    free(new);
    return good;
}

static bool write_and_say(const char *what, const char *ending, const Result *result,
                          void (*write)(FILE *out, const Result *result))
{
    char *path = format_text(".workbook/lab/%s_race%s", lesson_name, ending);
    bool good = write_file(path, result, write);
    if (good)
        printf("%s: %s\n", what, path);
    free(path);
    return good;
}

bool race_numbers(const Line *lines, int count, const char *path)
{
    const Result result = {.lines = lines, .count = count};
    return write_file(path, &result, write_numbers);
}

bool race_files(const Line *lines, int count, bool solution, bool pytorch)
{
    const Result result = {lines, count, solution, pytorch};
    mkdir(".workbook", 0777);
    mkdir(".workbook/lab", 0777);
    bool drawn = write_and_say("The race as a picture", ".svg", &result, write_picture);
    return write_and_say("All the numbers", ".csv", &result, write_numbers) && drawn;
}
