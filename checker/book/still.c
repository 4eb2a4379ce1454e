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

/* In pixels. A phone has 320 of them beside the page's edges. */
enum {
    WIDEST = 320,
    SLOT = 52,
    NARROWEST = 124,
    TOP = 10,
    HEIGHT = 92,
    BAR = 26,
    FEW = 8,
    TOUCH = 19,
    THICKEST = 16
};

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

/* Where on the scale a number is, 0 to 1. */
static double place(const FigureRow *row, double number)
{
    double low = row->low, high = row->high;
    if (row->scale == POWERS) {
        number = number > 0 ? log10(number) : -INFINITY;
        low = log10(low);
        high = log10(high);
    }
    double at = (number - low) / (high - low);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}

static double height_of(const FigureRow *row, double number)
{
    return TOP + HEIGHT * (1 - place(row, number));
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
static void beyond(const FigureRow *row, float number, double middle, char path[64])
{
    *path = '\0';
    if (number > row->high)
        snprintf(path, 64, "M%.1f %dh12l-6 -8z", middle - 6, TOP);
    else if (number < row->low)
        snprintf(path, 64, "M%.1f %dh12l-6 8z", middle - 6, TOP + HEIGHT);
}

/* ---- which numbers belong together; figure.js has the same ---- */
/* Neighbours are in a frame; for others a line is drawn below, with a mark at each. */
static void print_group(const FigureRow *groups, double slot, int first)
{
    int last = first, members = 0, own = (int)groups->number[first], bottom = TOP + HEIGHT;
    for (int i = first; i < groups->count; i++)
        if ((int)groups->number[i] == own) {
            last = i;
            members++;
        }
    if (members == last - first + 1) {
        double left = slot * first + 2, right = slot * (last + 1) - 2;
        printf("M%.1f 1H%.1fV%dH%.1fZ", left, right, bottom + 25, left);
        return;
    }
    int line = bottom + 3 + 4 * own;
    printf("M%.1f %dH%.1f", slot * (first + 0.5), line, slot * (last + 0.5));
    for (int i = first; i <= last; i++)
        if ((int)groups->number[i] == own)
            printf("M%.1f %dV%d", slot * (i + 0.5), bottom - 1, line);
}

static void print_groups(const FigureRow *groups, double slot)
{
    printf("<path class=\"groups\" data-of=\"%d\" data-count=\"%d\" d=\"",
           (int)(groups - figure.rows), groups->count);
    for (int i = 0; i < groups->count; i++) {
        bool begun = groups->number[i] < 0;
        for (int before = 0; before < i; before++)
            begun |= (int)groups->number[before] == (int)groups->number[i];
        if (!begun)
            print_group(groups, slot, i);
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

static void print_bar(const FigureRow *row, int i, int width, int among, int of)
{
    char text[32], sign[64];
    double slot = (double)width / row->count, thick = slot * 0.62 < BAR ? slot * 0.62 : BAR;
    double zero = height_of(row, row->scale == POWERS ? (double)row->low : 0);
    double at = isnan(row->number[i]) ? zero : height_of(row, row->number[i]);
    double left = slot * (i + 0.5) - thick / 2 + thick / of * among, middle = slot * (i + 0.5);
    printf("<g class=\"bar %s\" data-row=\"%d\" data-index=\"%d\">",
           row->kind == DRAGGED  ? "dragged"
           : row->kind == BESIDE ? "beside"
                                 : "shown",
           (int)(row - figure.rows), i);
    printf("<rect class=\"fill\" x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\"/>", left,
           fmin(at, zero), thick / of, fabs(at - zero));
    beyond(row, row->number[i], left + thick / of / 2, sign);
    printf("<path class=\"beyond\" d=\"%s\"/>", sign);
    for (int c = 0; c < 2 && row->kind == DRAGGED; c++)
        printf("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.2f\" r=\"%d\"/>", c ? "handle" : "hit",
               middle, at, c ? 7 : TOUCH);
    number_text(row->number[i], row->count > 6 ? 3 : 4, text);
    if (row->count <= FEW || i % ((row->count - 1) / 3) == 0)
        printf("<text x=\"%.1f\" y=\"%d\">%s</text>", middle, TOP + HEIGHT + 20 + 15 * among, text);
    printf("</g>");
}

/* From the first slot, below, to this one, above. */
static void print_line(const FigureRow *row, int i, int width)
{
    char text[32];
    double slot = (double)width / row->count, middle = slot * (i + 0.5);
    printf("<g class=\"bar shown\" data-row=\"%d\" data-index=\"%d\">", (int)(row - figure.rows),
           i);
    printf("<line class=\"weight\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" "
           "stroke-width=\"%.2f\"/><path class=\"beyond\" d=\"\"/>",
           slot / 2, TOP + HEIGHT, middle, TOP, THICKEST * place(row, row->number[i]));
    number_text(row->number[i], 4, text);
    printf("<text x=\"%.1f\" y=\"%d\">%s</text></g>", middle + 36, TOP + 12, text);
}

/* The row behind this one; NULL: it is of another kind, or there is none. */
static const FigureRow *row_behind(int r, FigureKind kind)
{
    return r + 1 < figure.count && figure.rows[r + 1].kind == kind ? &figure.rows[r + 1] : NULL;
}

static void print_across(const FigureRow *row, const FigureRow *across, int width)
{
    double y = height_of(row, *across->number);
    printf("<line class=\"across\" data-of=\"%d\" x1=\"0\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>",
           (int)(across - figure.rows), width, y, y);
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
    int width = row->count * SLOT < NARROWEST ? NARROWEST : row->count * SLOT;
    return width > WIDEST ? WIDEST : width;
}

static void print_panel(int r)
{
    const FigureRow *row = &figure.rows[r], *beside = row_behind(r, BESIDE);
    const FigureRow *together = row_behind(r, TOGETHER), *across = row_behind(r, ACROSS);
    int width = width_of(row);
    int height = TOP + HEIGHT + (beside ? 42 : row->kind == LINES ? 6 : 27);
    double zero = height_of(row, row->scale == POWERS ? (double)row->low : 0);
    printf("<div class=\"panel\"><p><b class=\"%s\">", row->kind == DRAGGED ? "dragged" : "shown");
    print_escaped(row->name);
    printf("</b> <small>");
    print_escaped(row->words ? row->words : "");
    printf("</small>%s", beside ? " <b class=\"beside\">" : "");
    print_escaped(beside ? beside->name : "");
    fputs(beside ? "</b>" : across ? " <b class=\"across\">" : "", stdout);
    print_escaped(across ? across->name : "");
    puts(across ? "</b></p>" : "</p>");
    printf("<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"%s\" data-low=\"%g\" "
           "data-high=\"%g\" data-step=\"%g\"%s data-top=\"%d\" data-height=\"%d\" data-name=\"",
           width, height, width, height, row->kind == DRAGGED ? "group" : "img", (double)row->low,
           (double)row->high, step_of(row), row->scale == POWERS ? " data-powers" : "", TOP,
           HEIGHT);
    print_escaped(row->name);
    printf("\" aria-label=\"");
    print_escaped(row->name);
    printf(": ");
    print_numbers(row);
    puts("\">");
    if (row->kind != LINES)
        printf("<line class=\"zero\" x1=\"0\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>", width, zero,
               zero);
    if (together)
        print_groups(together, (double)width / row->count);
    for (int i = 0; i < row->count; i++) {
        if (row->kind == LINES)
            print_line(row, i, width);
        else
            print_bar(row, i, width, 0, beside ? 2 : 1);
        if (beside && i < beside->count)
            print_bar(beside, i, width, 1, 2);
    }
    if (across)
        print_across(row, across, width);
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
