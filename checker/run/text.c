/* What everything that prints needs: marks, formatting, escaping, lines, and the two numbers of a
 * comparison.
 *
 * The invariants: where the locale is not UTF-8, nothing that goes through here is outside ASCII;
 * nothing that a learner's program or file contains reaches a terminal as a control character, nor
 * begins a line there; numbers that differ are never printed alike. */
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The four forms of a mark. The ASCII ones are padded to one width, so that names line up. */
typedef struct {
    const char *utf8, *utf8_coloured, *ascii, *ascii_coloured;
} Mark;

static const char *mark(const Mark *forms)
{
    static int colour = -1;
    if (colour < 0)
        colour = colour_wanted();
    if (locale_is_utf8())
        return colour ? forms->utf8_coloured : forms->utf8;
    return colour ? forms->ascii_coloured : forms->ascii;
}

const char *mark_pass(void)
{
    static const Mark forms = {"✅", "\033[32m✅\033[0m", "ok  ", "\033[32mok\033[0m  "};
    return mark(&forms);
}

const char *mark_fail(void)
{
    static const Mark forms = {"❌", "\033[31m❌\033[0m", "FAIL", "\033[31mFAIL\033[0m"};
    return mark(&forms);
}

const char *mark_skip(void)
{
    static const Mark forms = {"➖", "\033[33m➖\033[0m", "--  ", "\033[33m--\033[0m  "};
    return mark(&forms);
}

static void *or_die(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

char *format_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return or_die(length < 0 ? NULL : text);
}

bool word_in(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; p && *p; p += strcspn(p, " "), p += *p == ' ')
        if (strcspn(p, " ") == length && !strncmp(p, word, length))
            return true;
    return !words;
}

int utf8_decode(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    if (length == 0)
        return 0;
    int size = bytes[0] < 0x80   ? 1
               : bytes[0] < 0xC0 ? 0 /* a continuation byte without a beginning */
               : bytes[0] < 0xE0 ? 2
               : bytes[0] < 0xF0 ? 3
               : bytes[0] < 0xF8 ? 4
                                 : 0;
    if (size == 0 || (size_t)size > length)
        return 0;
    *code = size == 1 ? bytes[0] : bytes[0] & (0x7Fu >> size);
    for (int i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (bytes[i] & 0x3F);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < smallest[size] || *code > 0x10FFFF || surrogate ? 0 : size;
}

/* Characters that act on the terminal instead of being seen: C0 and C1 controls, line separators,
 * and those that change the direction of the text around them. */
static bool acts_on_terminal(uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
           code == 0x061C || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

char *escaped(const char *text, size_t length)
{
    /* The longest growth: one byte becomes the four of \x1b. */
    char *result = or_die(malloc(4 * length + 1)), *end = result;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        int size = utf8_decode(text + i, length - i, &code);
        if (size == 0) {
            code = (unsigned char)text[i];
            size = 1;
            end += sprintf(end, "\\x%02" PRIx32, code);
        } else if (code == '\r') {
            end += sprintf(end, "\\r");
        } else if (code < 0x80 && acts_on_terminal(code)) {
            end += sprintf(end, "\\x%02" PRIx32, code);
        } else if (code >= 0x80 && (acts_on_terminal(code) || !locale_is_utf8())) {
            for (int byte = 0; byte < size; byte++)
                end += sprintf(end, "\\x%02x", (unsigned char)text[i + (size_t)byte]);
        } else {
            memcpy(end, text + i, (size_t)size);
            end += size;
        }
        i += (size_t)size;
    }
    *end = '\0';
    return result;
}

char *joined_names(const char *const *names, int count)
{
    char *text = format_text("%s", "");
    for (int i = 0; i < count; i++) {
        char *longer = format_text("%s%s%s", text,
                                   !i              ? ""
                                   : i + 1 < count ? ", "
                                                   : " and ",
                                   names[i]);
        free(text);
        text = longer;
    }
    return text;
}

void put_on_one_line(char *text)
{
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? '?' : *c;
}

/* What the character at `at` takes on a line, or less; `size` are its bytes. */
static int width_of(const char *at, int *size)
{
    uint32_t code = 0;
    *size = utf8_decode(at, strnlen(at, 4), &code);
    return code == '\t' ? 8 : code < 0x80 ? 1 : 2;
}

/* Of what a line begins with, which may be in colour. */
static int begun_width(const char *first)
{
    int width = 0, size;
    for (; *first; first += size)
        if (*first == '\033') /* ESC [ ... m */
            size = (int)strcspn(first, "m") + 1;
        else
            width += width_of(first, &size);
    return width;
}

/* Of the word that begins there; 0 where none does. */
static int word_width(const char *at)
{
    int width = 0, size;
    for (; *at && *at != ' ' && *at != '\n'; at += size)
        width += width_of(at, &size);
    return width;
}

/* Lines are broken at blanks, and within a word only where it is longer than a line. */
void write_lines(FILE *out, const char *first, const char *next, const char *text, size_t length)
{
    int most = terminal_columns(out), indent = (int)strlen(next), column = begun_width(first);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    char *safe = escaped(text, length);
    fputs(first, out);
    for (const char *at = safe; *at;) {
        int size, width = width_of(at, &size), word = *at == ' ' ? word_width(at + 1) : 0;
        bool at_blank = word && word <= most - indent && column + width + word > most;
        bool ends = *at == '\n' || ((at_blank || column + width > most) && column > indent);
        if (ends) {
            fprintf(out, "\n%s", next);
            column = indent;
        }
        if (!ends || (*at != '\n' && *at != ' ')) {
            fwrite(at, 1, (size_t)size, out);
            column += width;
        }
        at += size;
    }
    fputc('\n', out);
    free(safe);
}

bool delivered(FILE *out)
{
    if (fflush(out) == 0 && !ferror(out))
        return true;
    fprintf(stderr, "The results could not be written: %s.\n", strerror(errno));
    return false;
}

/* ---- two numbers ----
 *     y[1][3]: expected 0.5393, got 0.4824 (off by 0.057, allowed 0.0000012) */
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
