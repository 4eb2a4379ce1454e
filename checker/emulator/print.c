/* printf() and the like: each conversion of the format by ours, its argument from where the caller
 * put it.
 *
 * The invariant: what reaches our printf() is one conversion of ours, with an argument of its type.
 */
#include "library.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- the arguments ---- */
static bool next_word(Machine *m, Variadic *from, uint64_t *word)
{
    if (from->words < 8) {
        *word = m->x[from->words++];
        return true;
    }
    const unsigned char *at = reach(m, from->stack, sizeof *word, false);
    if (at)
        memcpy(word, at, sizeof *word);
    from->stack += sizeof *word;
    return at;
}

static bool next_double(Machine *m, Variadic *from, double *number)
{
    const unsigned char *at = NULL;
    if (from->floats < 8) {
        at = (const unsigned char *)&m->v[from->floats++].low;
    } else {
        at = reach(m, from->stack, sizeof *number, false);
        from->stack += sizeof *number;
    }
    if (at)
        memcpy(number, at, sizeof *number);
    return at;
}

/* ---- one conversion ---- */
typedef struct {
    char flags[8];
    int width, precision; /* -1: none */
    char length;          /* 0, 'h', 'H' for hh, 'l', 'L' */
    char kind;
} Conversion;

static bool read_number(Machine *m, const char **at, Variadic *from, int *number)
{
    uint64_t word;
    if (**at == '*') {
        (*at)++;
        if (!next_word(m, from, &word))
            return false;
        *number = (int32_t)word;
        return true;
    }
    *number = 0;
    for (; isdigit((unsigned char)**at); (*at)++)
        *number = *number < 100000 ? *number * 10 + (**at - '0') : *number;
    return true;
}

/* Behind the '%'. */
static bool read_conversion(Machine *m, const char **at, Variadic *from, Conversion *c)
{
    size_t flags = 0;
    *c = (Conversion){.precision = -1};
    for (; **at && strchr("-+ #0", **at); (*at)++)
        if (flags < sizeof c->flags - 1 && !strchr(c->flags, **at))
            c->flags[flags++] = **at;
    if (!read_number(m, at, from, &c->width))
        return false;
    if (c->width < 0) {
        c->flags[0] = '-';
        c->width = -c->width;
    }
    if (**at == '.') {
        (*at)++;
        if (!read_number(m, at, from, &c->precision))
            return false;
    }
    for (; **at && strchr("hlLzjt", **at); (*at)++)
        c->length = **at == 'L' ? 'L' : **at != 'h' ? 'l' : c->length == 'h' ? 'H' : 'h';
    c->kind = **at;
    *at += **at != '\0';
    return true;
}

enum { MOST_WIDE = 4096 };
#define SHOW(value)                                                                                \
    (c->precision < 0 ? snprintf(text, sizeof text, format, width, value)                          \
                      : snprintf(text, sizeof text, format, width, precision, value))

static void format_of(const Conversion *c, const char *length, char *format, size_t size)
{
    snprintf(format, size, "%%%s*%s%s%c", c->flags, c->precision < 0 ? "" : ".*", length, c->kind);
}

static int64_t shortened(const Conversion *c, uint64_t word)
{
    return c->length == 'l'   ? (int64_t)word
           : c->length == 'H' ? (int8_t)word
           : c->length == 'h' ? (int16_t)word
                              : (int32_t)word;
}

static uint64_t shortened_unsigned(const Conversion *c, uint64_t word)
{
    return c->length == 'l'   ? word
           : c->length == 'H' ? (uint8_t)word
           : c->length == 'h' ? (uint16_t)word
                              : (uint32_t)word;
}

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
static bool show_number(Machine *m, const Conversion *c, Variadic *from, Buffer *out)
{
    char text[MOST_WIDE + 512], format[32];
    int width = c->width < MOST_WIDE ? c->width : MOST_WIDE, count;
    int precision = c->precision < 64 ? c->precision : 64;
    uint64_t word;
    double number;
    if (strchr("eEfFgGaA", c->kind)) {
        format_of(c, "", format, sizeof format);
        if (!next_double(m, from, &number))
            return false;
        count = SHOW(number);
    } else {
        format_of(c, "ll", format, sizeof format);
        if (!next_word(m, from, &word))
            return false;
        count = strchr("di", c->kind) ? SHOW((long long)shortened(c, word))
                                      : SHOW((unsigned long long)shortened_unsigned(c, word));
    }
    buffer_append(out, text, count > 0 ? (size_t)count : 0);
    return true;
}

/* A text, a character or an address: with the blanks that its width asks for. */
static bool show_text(Machine *m, const Conversion *c, Variadic *from, Buffer *out)
{
    char made[32];
    const char *text = made;
    uint64_t word, length = 1;
    if (!next_word(m, from, &word))
        return false;
    if (c->kind == 'c') {
        made[0] = (char)word;
    } else if (c->kind == 'p') {
        length = (uint64_t)snprintf(made, sizeof made, word ? "0x%llx" : "(nil)",
                                    (unsigned long long)word);
    } else if (c->precision >= 0) {
        for (length = 0; length < (uint64_t)c->precision; length++) {
            const unsigned char *at = reach(m, word + length, 1, false);
            if (!at)
                return false;
            if (!*at)
                break;
        }
        text = length ? (const char *)reach(m, word, length, false) : "";
    } else {
        text = reach_text(m, word);
        length = text ? strlen(text) : 0;
    }
    if (!text)
        return false;
    const uint64_t wide = c->width < MOST_WIDE ? (uint64_t)c->width : MOST_WIDE;
    const bool left = strchr(c->flags, '-');
    for (uint64_t i = length; i < wide && !left; i++)
        buffer_append(out, " ", 1);
    buffer_append(out, text, length);
    for (uint64_t i = length; i < wide && left; i++)
        buffer_append(out, " ", 1);
    return true;
}

bool print_formatted(Machine *m, uint64_t format, Variadic from, Buffer *out)
{
    const char *at = reach_text(m, format);
    while (at && *at) {
        Conversion c;
        size_t plain = strcspn(at, "%");
        buffer_append(out, at, plain);
        at += plain;
        if (!*at)
            break;
        at++;
        if (!read_conversion(m, &at, &from, &c))
            return false;
        if (c.kind == '%')
            buffer_append(out, "%", 1);
        else if (c.kind && strchr("eEfFgGaAdiuxXo", c.kind) && c.length != 'L') {
            if (!show_number(m, &c, &from, out))
                return false;
        } else if (c.kind && strchr("scp", c.kind)) {
            if (!show_text(m, &c, &from, out))
                return false;
        }
    }
    return at;
}
