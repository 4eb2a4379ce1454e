/* The lines of the race, as they come: the figure, how sure it is, a bar, the marks. */
#include "race.h"

#include <string.h>

static const char *mark(Mark m)
{
    static const char *const utf8[] = {"?", "✓", "·", " "}, *const ascii[] = {"?", "+", "-", " "};
    return (locale_is_utf8() ? utf8 : ascii)[m];
}

static Mark mark_shown(const Line *line, int which)
{
    return line->unbelievable && line->marks[which] != NOT_ASKED ? UNDECIDED : line->marks[which];
}

/* As long as the time is beside the plain version's, whose bar would be 12 long. */
static void bar(FILE *out, double ratio)
{
    enum { PLAIN_LONG = 12, LONGEST = 18 };
    int length = ratio < 2 ? (int)(PLAIN_LONG * ratio + 0.5) : LONGEST;
    length = length < LONGEST ? length : LONGEST;
    for (int i = 0; i < LONGEST; i++)
        fputs(i >= length ? " " : locale_is_utf8() ? "█" : "#", out);
}

/* "0.98", "0.0041": digits that mean something. "-": too few rounds say nothing. */
static void number(FILE *out, int width, const Figure *figure)
{
    double value = figure->median;
    if (!isfinite(figure->high))
        fprintf(out, "%*s", width, "-");
    else
        fprintf(out, "%*.*f", width, value >= 9.995 ? 1 : value >= 0.0995 ? 2 : 4, value);
}

void table_head(FILE *out, const char *function, bool pytorch)
{
    fprintf(out, "\n%-24s time over the plain version's        the copy's  marks%s\n", function,
            pytorch ? "  PyTorch's" : "");
}

/* Who won, or that nobody can say. */
static void pytorch_words(FILE *out, const Figure *to_pytorch)
{
    if (isnan(to_pytorch->median)) {
        fputs("        -", out);
        return;
    }
    number(out, 9, to_pytorch);
    fputs(to_pytorch->high < 1  ? "  you won"
          : to_pytorch->low > 1 ? "  PyTorch won"
                                : "  no winner",
          out);
}

void table_line(FILE *out, const Line *line, bool pytorch)
{
    const RaceShape shape = line->layout.shape;
    const Figures *f = &line->figures;
    bool told = true;
    fprintf(out, "%8d x %-6d ", shape.rows, shape.features);
    number(out, 7, &f->to_plain);
    fputs("  ", out);
    bar(out, isfinite(f->to_plain.high) ? f->to_plain.median : 0);
    number(out, 13, &f->to_copy);
    fputs("    ", out);
    for (int m = 0; m < MARKS; m++) {
        fprintf(out, " %s", mark(mark_shown(line, m)));
        told = told && line->marks[m] != UNDECIDED;
    }
    if (pytorch)
        pytorch_words(out, &f->to_pytorch);
    fputc('\n', out);
    if (line->unbelievable)
        fputs("                  faster than the bytes can be moved: this is not believed\n", out);
    else if (!told && !isfinite(f->to_plain.high))
        fprintf(out, "                  ? this machine is too busy to tell: %d rounds of 11\n",
                line->rounds);
    else if (!told)
        fprintf(out, "                  ? this machine is too busy to tell: from %.2f to %.2f\n",
                f->to_plain.low, f->to_plain.high);
}

void table_end(FILE *out, const Line *lines, int count, SolutionIs solution, bool pytorch)
{
    static const char *const which[] = {".", ", which is the plain version here.",
                                        ", which is not\nhere: nobody asks for that one."};
    int reached = 0, undecided = 0;
    for (int i = 0; i < count; i++)
        for (int m = 0; m < MARKS; m++) {
            Mark one = mark_shown(&lines[i], m);
            reached += one == REACHED;
            undecided += one == UNDECIDED;
        }
    fprintf(out,
            "\nThe marks: faster than the plain version (by 1/20 at least); twice as fast, or "
            "within\ntwice the copy; within 1.25 of the solution%s\n",
            which[solution]);
    fprintf(out, "%d of %d marks", reached, count * (solution == NOT_HERE ? MARKS - 1 : MARKS));
    if (undecided > 0)
        fprintf(out, ", and %d that could not be told", undecided);
    fputs(".\n", out);
    if (pytorch)
        fputs("PyTorch ran on one thread, called from Python.\n", out);
    else
        fputs("PyTorch would race beside: apt-get install python3-torch brings it to "
              "/usr/bin/python3.\n",
              out);
}
