/* The line that compares two numbers:
 *
 *     y[1][3]: expected 0.5393, got 0.4824 (off by 0.057, allowed 0.0000012)
 *
 * The invariant: numbers that differ are never printed alike. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 64 };

/* Cuts the zeros at the end of the digits, where what is left is the same float: 0.5 for 0.5000,
 * 1e-08 for 1.0e-08. */
static void trim_zeros(char *text, double value)
{
    char *point = strchr(text, '.');
    if (!point)
        return;
    char *end = point + strcspn(point, "e"), *cut = end;
    while (cut[-1] == '0')
        cut--;
    if (cut - 1 == point)
        cut--;
    char trimmed[NUMBER_SIZE];
    snprintf(trimmed, sizeof trimmed, "%.*s%s", (int)(cut - text), text, end);
    if (fabs(strtod(trimmed, NULL) - value) <= 3e-8 * fabs(value))
        strcpy(text, trimmed);
}

/* Significant digits, in plain decimals from 0.0000001 to 999999999. */
static void number(char text[NUMBER_SIZE], double value, int digits)
{
    if (isnan(value)) {
        strcpy(text, "NaN");
    } else if (isinf(value)) {
        strcpy(text, value < 0 ? "-infinity" : "infinity");
    } else if (value == 0) {
        strcpy(text, "0");
    } else {
        snprintf(text, NUMBER_SIZE, "%.*e", digits - 1, value);
        int exponent = atoi(strchr(text, 'e') + 1); /* after rounding: 0.99996 counts as 1 */
        int decimals = digits - 1 - exponent;
        if (exponent >= -7 && exponent <= 8)
            snprintf(text, NUMBER_SIZE, "%.*f", decimals > 0 ? decimals : 0, value);
        trim_zeros(text, value);
    }
}

/* From `digits` on, as many as it takes until the printed numbers are about as far apart as the
 * numbers are. */
static void two_numbers(char a_text[NUMBER_SIZE], char b_text[NUMBER_SIZE], double a, double b,
                        int digits)
{
    double apart = fabs(a - b);
    for (; digits <= 17; digits++) {
        number(a_text, a, digits);
        number(b_text, b, digits);
        double seen = fabs(strtod(a_text, NULL) - strtod(b_text, NULL));
        if (!isfinite(apart) || fabs(seen - apart) <= apart / 4)
            return;
    }
}

char *numbers_line(const char *where, double expected, double got, double allowed)
{
    char expected_text[NUMBER_SIZE], got_text[NUMBER_SIZE];
    char off_text[NUMBER_SIZE], allowed_text[NUMBER_SIZE];
    double off = fabs(expected - got);
    two_numbers(expected_text, got_text, expected, got, 4);
    if (!isfinite(off))
        return format_text("%s: expected %s, got %s", where, expected_text, got_text);
    number(off_text, off, 2);
    number(allowed_text, allowed, 2);
    if (strcmp(off_text, allowed_text) == 0)
        two_numbers(off_text, allowed_text, off, allowed, 3);
    return format_text("%s: expected %s, got %s (off by %s, allowed %s)", where, expected_text,
                       got_text, off_text, allowed_text);
}
