/* A figure's still picture: the program that is built of a lesson's figure.c and solution.
 *
 *   still [FIGURE.WASM]   writes the picture, with the module in it if there is one
 *   still numbers         reads lines of "row index number", computes, and writes all numbers' bits
 *
 * The invariant: figure.js draws with what stands in the picture's data-... and nothing moves when
 * it begins. */
#include "figure.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In pixels. A phone has 317 of them beside the page's edges, and 352 with nearly all of these: two
 * halves or three thirds side by side, or eight numbers that a finger tells apart. */
enum {
    WIDEST = 352,
    WHOLE_LINE = 316,
    HALF = 150,
    THIRD = 97,
    SLOT = 52,
    FINGER = 44,
    TOP = 10,
    DRAGGED_HEIGHT = 66,
    SHOWN_HEIGHT = 52,
    LINES_HEIGHT = 66,
    BELOW = 22, /* the numbers */
    BAR = 26,
    FEW = 8,
    THICKEST = 16,
    /* of one that lies */
    LEFT = 8,
    LYING = 16, /* its middle */
    THICK = 14
};

/* Where a row is drawn: as high as the row is that the picture is of. */
typedef struct {
    const FigureRow *row;
    int width, height;
    bool lies;
} Panel;

/* ---- numbers as they are shown; figure.js has the same two ---- */
static void number_text(float number, int digits, char text[32])
{
    char *exponent;
    snprintf(text, 32, "%.*g", digits, (double)number);
    if (!strcmp(text, "-0"))
        strcpy(text, "0");
    if ((exponent = strchr(text, 'e'))) { /* 1e-05 is 1e-5 */
        char *from = exponent + 2, *to = exponent[1] == '-' ? exponent + 2 : exponent + 1;
        while (*from == '0' && from[1])
            from++;
        memmove(to, from, strlen(from) + 1);
    }
}

static double on_scale(const FigureRow *row, double number)
{
    if (row->scale == SIGNED)
        return copysign(log10(1 + fabs(number)), number);
    if (row->scale == POWERS)
        return number > 0 ? log10(number) : -INFINITY;
    return number;
}

/* Where on the scale a number is, 0 to 1. */
static double place(const FigureRow *row, double number)
{
    double low = on_scale(row, row->low), high = on_scale(row, row->high);
    double at = (on_scale(row, number) - low) / (high - low);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}

/* In the picture: how far from its left edge where the row lies, else from its upper. */
static double at_of(const Panel *p, const FigureRow *row, double number)
{
    double at = place(row, number);
    return p->lies ? LEFT + (p->width - 2 * LEFT) * at : TOP + p->height * (1 - at);
}

static double zero_of(const FigureRow *row)
{
    return row->scale == POWERS ? (double)row->low : 0;
}

/* How far one press of a key goes: of powers in the exponent. */
static double step_of(const FigureRow *row)
{
    if (row->scale == POWERS)
        return 0.5;
    if (row->scale == WHOLE)
        return 1;
    return pow(10, floor(log10((double)(row->high - row->low) / 50)));
}

/* The sign of a number that is off the scale, at that end; figure.js has the same. */
static void beyond(const Panel *p, const FigureRow *row, float number, double middle, char path[64])
{
    bool above = number > row->high;
    *path = '\0';
    if (!above && !(number < row->low))
        return;
    if (p->lies)
        snprintf(path, 64, "M%d %.1fv12l%d -6z", above ? p->width - LEFT : LEFT, middle - 6,
                 above ? 8 : -8);
    else
        snprintf(path, 64, "M%.1f %dh12l-6 %dz", middle - 6, TOP + (above ? 0 : p->height),
                 above ? -8 : 8);
}

/* ---- which numbers belong together; figure.js has the same ---- */
/* Neighbours are in a frame; for others a line is drawn below, with a mark at each. */
static void print_group(const Panel *p, const FigureRow *groups, double slot, int first)
{
    int last = first, members = 0, own = (int)groups->number[first], bottom = TOP + p->height;
    for (int i = first; i < groups->count; i++)
        if ((int)groups->number[i] == own) {
            last = i;
            members++;
        }
    if (members == last - first + 1) {
        double left = slot * first + 2, right = slot * (last + 1) - 2;
        printf("M%.1f 1H%.1fV%dH%.1fZ", left, right, bottom + BELOW, left);
        return;
    }
    int line = bottom + 3 + 4 * own;
    printf("M%.1f %dH%.1f", slot * (first + 0.5), line, slot * (last + 0.5));
    for (int i = first; i <= last; i++)
        if ((int)groups->number[i] == own)
            printf("M%.1f %dV%d", slot * (i + 0.5), bottom - 1, line);
}

static void print_groups(const Panel *p, const FigureRow *groups)
{
    printf("<path class=\"groups\" data-of=\"%d\" data-count=\"%d\" d=\"",
           (int)(groups - figure.rows), groups->count);
    for (int i = 0; i < groups->count; i++) {
        bool begun = groups->number[i] < 0;
        for (int before = 0; before < i; before++)
            begun |= (int)groups->number[before] == (int)groups->number[i];
        if (!begun)
            print_group(p, groups, (double)p->width / groups->count, i);
    }
    printf("\"/>");
}

/* ---- the picture ---- */
static void print_escaped(const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"", *text))
            printf("&#%d;", *text);
        else
            putchar(*text);
}

static void print_numbers(const FigureRow *row)
{
    char text[32];
    for (int i = 0; i < row->count; i++) {
        number_text(row->number[i], 4, text);
        printf("%s%s", i ? ", " : "", text);
    }
}

static int digits_of(const Panel *p)
{
    return p->width < FINGER * p->row->count || p->row->count > 6 ? 3 : 4;
}

static void begin_bar(const FigureRow *row, int i)
{
    printf("<g class=\"bar %s\" data-row=\"%d\" data-index=\"%d\">",
           row->kind == DRAGGED  ? "dragged"
           : row->kind == BESIDE ? "beside"
                                 : "shown",
           (int)(row - figure.rows), i);
}

/* The arrow from the line to the number; figure.js has the same. */
static void print_away(double middle, double line, double at)
{
    double head = fmin(5, fabs(at - line)) * (at < line ? 1 : -1);
    printf("<path class=\"away\" d=\"M%.1f %.1fV%.1fm-4 %.1fl4 %.1fl4 %.1f\"/>", middle, line, at,
           head, -head, head);
}

static void print_bar(const Panel *p, const FigureRow *row, int i, int among, int of,
                      const FigureRow *across)
{
    char text[32], sign[64];
    double slot = (double)p->width / row->count, thick = slot * 0.62 < BAR ? slot * 0.62 : BAR;
    double zero = at_of(p, row, zero_of(row));
    double at = isnan(row->number[i]) ? zero : at_of(p, row, row->number[i]);
    double left = slot * (i + 0.5) - thick / 2 + thick / of * among, middle = slot * (i + 0.5);
    begin_bar(row, i);
    printf("<rect class=\"fill\" x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\"/>", left,
           fmin(at, zero), thick / of, fabs(at - zero));
    beyond(p, row, row->number[i], left + thick / of / 2, sign);
    printf("<path class=\"beyond\" d=\"%s\"/>", sign);
    if (across)
        print_away(middle, at_of(p, row, *across->number), at);
    for (int c = 0; c < 2 && row->kind == DRAGGED; c++)
        printf("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.2f\" r=\"%d\"/>", c ? "handle" : "hit",
               middle, at, c ? 7 : FINGER / 2);
    number_text(row->number[i], digits_of(p), text);
    /* Of many the first begins with its bar, and the last ends with it: bars are narrower. */
    const bool many = row->count > FEW, first = many && i == 0, last = many && i == row->count - 1;
    const char *anchor = first ? " class=\"first\"" : last ? " class=\"last\"" : "";
    double x = first ? left : last ? left + thick / of : middle;
    if (!many || i % ((row->count - 1) / 3) == 0)
        printf("<text%s x=\"%.1f\" y=\"%d\">%s</text>", anchor, x,
               TOP + p->height + 17 + 15 * among, text);
    printf("</g>");
}

/* A number alone. */
static void print_lying(const Panel *p, const FigureRow *row, int among, int of)
{
    char text[32], sign[64];
    double zero = at_of(p, row, zero_of(row));
    double at = isnan(row->number[0]) ? zero : at_of(p, row, row->number[0]);
    double middle = LYING + (of > 1 ? 1 : 0) + THICK * among;
    begin_bar(row, 0);
    printf("<rect class=\"fill\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\"/>",
           fmin(at, zero), middle - THICK / 2.0, fabs(at - zero), THICK);
    beyond(p, row, row->number[0], middle, sign);
    printf("<path class=\"beyond\" d=\"%s\"/>", sign);
    for (int c = 0; c < 2 && row->kind == DRAGGED; c++)
        printf("<circle class=\"%s\" cx=\"%.2f\" cy=\"%.1f\" r=\"%d\"/>", c ? "handle" : "hit", at,
               middle, c ? 7 : FINGER / 2);
    number_text(row->number[0], 4, text);
    printf("<text x=\"%.1f\" y=\"%d\">%s</text></g>", p->width * (0.5 + among) / of,
           LYING + THICK + (of > 1 ? 46 : 11), text);
}

/* From the first slot, below, to this one, above. */
static void print_line(const Panel *p, const FigureRow *row, int i)
{
    char text[32];
    double slot = (double)p->width / row->count, middle = slot * (i + 0.5);
    printf("<g class=\"bar shown\" data-row=\"%d\" data-index=\"%d\">", (int)(row - figure.rows),
           i);
    printf("<line class=\"weight\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" "
           "stroke-width=\"%.2f\"/><path class=\"beyond\" d=\"\"/>",
           slot / 2, TOP + p->height, middle, TOP, THICKEST * place(row, row->number[i]));
    number_text(row->number[i], 4, text);
    printf("<text x=\"%.1f\" y=\"%d\">%s</text></g>", middle + 36, TOP + 12, text);
}

/* The row behind this one; NULL: it is of another kind, or there is none. */
static const FigureRow *row_behind(int r, FigureKind kind)
{
    return r + 1 < figure.count && figure.rows[r + 1].kind == kind ? &figure.rows[r + 1] : NULL;
}

static void print_across(const Panel *p, const FigureRow *across)
{
    double y = at_of(p, p->row, *across->number);
    printf("<line class=\"across\" data-of=\"%d\" x1=\"0\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>",
           (int)(across - figure.rows), p->width, y, y);
}

static bool has_panel(const FigureRow *row)
{
    return row->kind == DRAGGED || row->kind == SHOWN || row->kind == LINES;
}

/* Lines go to what stands above them. */
static int width_of(const FigureRow *row)
{
    while (row->kind == LINES || !has_panel(row))
        row--;
    if (row->count <= 2)
        return row->scale == SIGNED ? WHOLE_LINE : row->count == 1 ? HALF : THIRD;
    if (row->count == 3 || (row->count == 4 && row->kind == SHOWN))
        return HALF;
    int width = row->count * (row->count > 6 ? FINGER : SLOT);
    return width > WIDEST ? WIDEST : width;
}

/* ---- the axis ---- */
static void print_end(double x, double y, const char *anchor, double number)
{
    char text[32];
    number_text((float)number, 4, text);
    printf("<text class=\"end %s\" x=\"%.1f\" y=\"%.1f\">%s</text>", anchor, x, y, text);
}

/* What its ends stand for; of powers on both sides, every third. */
static void print_axis(const Panel *p, bool beside)
{
    const FigureRow *row = p->row;
    double zero = at_of(p, row, zero_of(row)), most = log10((double)row->high);
    int y = LYING + THICK + (beside ? 28 : 11);
    if (!p->lies) {
        printf("<line class=\"zero\" x1=\"0\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>", p->width, zero,
               zero);
        print_end(p->width, 8, "last", row->high);
        if (row->low < 0 || row->scale == POWERS)
            print_end(p->width, TOP + p->height + 4, "last", row->low);
        return;
    }
    printf("<line class=\"zero\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%d\" y2=\"%d\"/>"
           "<line class=\"track\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>",
           zero, zero, LYING - THICK / 2 - 3, LYING + THICK + (beside ? 14 : 0), LEFT,
           p->width - LEFT, LYING, LYING);
    if (row->scale != SIGNED) {
        print_end(0, y, "first", row->low);
        print_end(p->width, y, "last", row->high);
        return;
    }
    for (int power = 3 * (int)(-most / 3); power <= most; power += 3) {
        double number = power ? copysign(pow(10, abs(power)), power) : 0;
        print_end(at_of(p, row, number), y, "middle", number);
    }
}

static void print_heading(const FigureRow *row, const FigureRow *beside, const FigureRow *across)
{
    char text[32];
    printf("<p><b class=\"%s\">", row->kind == DRAGGED ? "dragged" : "shown");
    print_escaped(row->name);
    printf("</b> <small>");
    print_escaped(row->words ? row->words : "");
    printf("</small>%s", beside ? " <b class=\"beside\">" : "");
    print_escaped(beside ? beside->name : "");
    fputs(beside ? "</b>" : across ? " <b class=\"across\">" : "", stdout);
    print_escaped(across ? across->name : "");
    if (across) {
        number_text(*across->number, 4, text);
        printf(" <span data-number=\"%d\">%s</span></b>", (int)(across - figure.rows), text);
    }
    puts("</p>");
}

static void begin_svg(const Panel *p, int height)
{
    const FigureRow *row = p->row;
    printf("<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"%s\" data-low=\"%g\" "
           "data-high=\"%g\" data-step=\"%g\" data-scale=\"%s\" data-digits=\"%d\" ",
           p->width, height, p->width, height, row->kind == DRAGGED ? "group" : "img",
           (double)row->low, (double)row->high, step_of(row),
           row->scale == POWERS   ? "powers"
           : row->scale == SIGNED ? "signed"
                                  : "even",
           digits_of(p));
    printf("%s=\"%d\" data-height=\"%d\" data-name=\"", p->lies ? "data-left" : "data-top",
           p->lies ? LEFT : TOP, p->lies ? p->width - 2 * LEFT : p->height);
    print_escaped(row->name);
    printf("\" aria-label=\"");
    print_escaped(row->name);
    printf(": ");
    print_numbers(row);
    puts("\">");
}

static void print_panel(int r)
{
    const FigureRow *row = &figure.rows[r], *beside = row_behind(r, BESIDE);
    const FigureRow *together = row_behind(r, TOGETHER), *across = row_behind(r, ACROSS);
    Panel p = {row, width_of(row),
               row->kind == DRAGGED || across ? DRAGGED_HEIGHT
               : row->kind == LINES           ? LINES_HEIGHT
                                              : SHOWN_HEIGHT,
               row->count == 1};
    int height = TOP + p.height + (beside ? BELOW + 15 : row->kind == LINES ? 6 : BELOW + 2);
    printf("<div class=\"panel%s%s\">", p.width > WHOLE_LINE ? " wide" : "",
           row->kind == LINES ? " below" : "");
    print_heading(row, beside, across);
    begin_svg(&p, !p.lies ? height : LYING + THICK + (beside ? 50 : 14));
    if (row->kind != LINES)
        print_axis(&p, beside);
    if (together)
        print_groups(&p, together);
    for (int i = 0; i < row->count; i++) {
        if (row->kind == LINES)
            print_line(&p, row, i);
        else if (p.lies)
            print_lying(&p, row, 0, beside ? 2 : 1);
        else
            print_bar(&p, row, i, 0, beside ? 2 : 1, row->count <= FEW ? across : NULL);
        if (beside && i < beside->count && p.lies)
            print_lying(&p, beside, 1, 2);
        else if (beside && i < beside->count)
            print_bar(&p, beside, i, 1, 2, NULL);
    }
    if (across)
        print_across(&p, across);
    puts("</svg></div>");
}

/* ---- the module ---- */
static void print_base64(FILE *from)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char byte[3];
    for (size_t n; (n = fread(byte, 1, 3, from)) > 0;) {
        unsigned value =
            (unsigned)byte[0] << 16 | (n > 1 ? (unsigned)byte[1] << 8 : 0) | (n > 2 ? byte[2] : 0);
        for (size_t i = 0; i < 4; i++)
            putchar(i <= n ? digits[value >> (18 - 6 * i) & 63] : '=');
    }
}

static int print_picture(const char *path)
{
    FILE *module = path ? fopen(path, "rb") : NULL;
    if (path && !module) {
        perror(path);
        return 1;
    }
    printf("<figure class=\"figure\" id=\"figure\">\n<figcaption>");
    print_escaped(figure.words);
    puts("</figcaption>\n<div class=\"panels\">");
    for (int r = 0; r < figure.count; r++)
        if (has_panel(&figure.rows[r])) {
            print_panel(r);
        } else if (figure.rows[r].kind == PART) {
            fputs("</div>\n<p class=\"part\">", stdout);
            print_escaped(figure.rows[r].words);
            puts("</p>\n<div class=\"panels\">");
        }
    puts("</div>");
    if (module) {
        printf("<p class=\"again\"><button type=\"button\">As at first</button></p>\n"
               "<script type=\"text/plain\" class=\"module\">");
        print_base64(module);
        puts("</script>\n<script defer src=\"figure.js\"></script>");
        fclose(module);
    }
    puts("</figure>");
    return ferror(stdout) != 0;
}

/* ---- for the tests ---- */
static int answer(void)
{
    int row, i;
    float number;
    while (scanf("%d %d %f", &row, &i, &number) == 3)
        if (row >= 0 && row < figure.count && i >= 0 && i < figure.rows[row].count)
            figure.rows[row].number[i] = number;
    figure.compute();
    for (row = 0; row < figure.count; row++)
        for (i = 0; figure.rows[row].kind < TOGETHER && i < figure.rows[row].count; i++) {
            uint32_t bits;
            memcpy(&bits, &figure.rows[row].number[i], sizeof bits);
            printf("%u ", (unsigned)bits);
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "numbers"))
        return answer();
    figure.compute();
    return print_picture(argc > 1 ? argv[1] : NULL);
}
