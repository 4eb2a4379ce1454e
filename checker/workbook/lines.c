/* Words into lines. See markdown.h. */
#include "markdown.h"

#include <string.h>

#include "run.h" /* utf8_decode() */

enum { SHORT = 32 };

void add_text(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

const char *sign(const char *utf8, const char *ascii)
{
    return locale_is_utf8() ? utf8 : ascii;
}

void add_repeated(Buffer *out, const char *text, int count)
{
    for (int i = 0; i < count; i++)
        add_text(out, text);
}

/* Of the character that begins there; `size` are its bytes. */
static int columns_at(const char *at, size_t length, int *size)
{
    uint32_t code = 0;
    *size = utf8_decode(at, length, &code);
    if (!*size) {
        *size = 1;
        return 1;
    }
    if (code == HELD_BLANK || code == FORMULA_BLANK)
        return 1;
    if (code < ' ' || (code >= 0x300 && code <= 0x36F)) /* a style; an accent on the one before */
        return 0;
    bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                (code >= 0x1F300 && code <= 0x1FAFF) || code == 0x2705 || code == 0x274C ||
                code == 0x2796;
    return wide ? 2 : 1;
}

int text_columns(const char *text, size_t length)
{
    int columns = 0;
    for (size_t i = 0; i < length;) {
        int size = 1;
        if (text[i] == '\033') { /* ESC [ ... m */
            while (i < length && text[i] != 'm')
                i++;
        } else {
            columns += columns_at(text + i, length - i, &size);
        }
        i += (size_t)size;
    }
    return columns;
}

void hold_short(char *text, size_t length)
{
    if (text_columns(text, length) <= SHORT)
        for (size_t i = 0; i < length; i++)
            text[i] = text[i] == ' ' ? HELD_BLANK : text[i];
}

/* ---- styles ---- */
static void write_style(Buffer *out, const Look *look, unsigned style)
{
    if (!look->styled)
        return;
    add_text(out, "\033[0m");
    if (style & 1u << BOLD)
        add_text(out, "\033[1m");
    if (style & 1u << EMPHASIS)
        add_text(out, "\033[4m");
    if (style & 1u << CODE && look->coloured)
        add_text(out, "\033[36m");
}

/* One byte of a text, as it is shown. */
static void write_byte(Buffer *out, const Look *look, char c, unsigned *style)
{
    if (c == BOLD || c == EMPHASIS || c == CODE) {
        *style ^= 1u << c;
        write_style(out, look, *style);
    } else {
        buffer_append(out, c == HELD_BLANK ? " " : &c, 1);
    }
}

/* ---- lines ---- */
/* Before what had to go on another line: an arrow with a hook. */
static const char *goes_on(void)
{
    return sign("\u21AA ", "\\ ");
}

static void end_line(Buffer *out, const Look *look, unsigned style)
{
    while (out->length && out->data[out->length - 1] == ' ')
        out->length--;
    if (style)
        write_style(out, look, 0);
    add_text(out, "\n");
}

void lines_add(Buffer *out, const Look *look, const char *text, const char *first, const char *next)
{
    const char blank[] = {' ', FORMULA_BLANK, '\0'};
    const char any_blank[] = {' ', FORMULA_BLANK, HELD_BLANK, '\0'};
    const char end[] = {' ', FORMULA_BLANK, LINE_END, '\0'};
    const char any_end[] = {' ', FORMULA_BLANK, LINE_END, HELD_BLANK, '\0'};
    unsigned style = 0;
    int indent = text_columns(next, strlen(next)), column = text_columns(first, strlen(first));
    int begins = column;
    bool let_go = false; /* of what is held together, for it is longer than a line */
    const char *at = text;
    add_text(out, first);
    while (*at) {
        size_t blanks = strspn(at, let_go ? any_blank : blank);
        size_t length = strcspn(at + blanks, end);
        int columns = text_columns(at + blanks, length), deeper = *at == FORMULA_BLANK ? 2 : 0;
        let_go = columns > look->width - indent - deeper;
        if (let_go) {
            length = strcspn(at + blanks, any_end);
            columns = text_columns(at + blanks, length);
        }
        bool beginning = column == begins;
        if (!beginning && length && column + 1 + columns > look->width) {
            end_line(out, look, style);
            add_text(out, next);
            add_text(out, deeper ? goes_on() : "");
            if (style)
                write_style(out, look, style);
            column = begins = indent + deeper;
            beginning = true;
        }
        if (blanks && !beginning && length) {
            add_text(out, " ");
            column++;
        }
        for (size_t i = 0; i < length; i++)
            write_byte(out, look, at[blanks + i], &style);
        column += columns;
        at += blanks + length;
        if (*at == LINE_END) {
            end_line(out, look, style);
            add_text(out, next);
            column = begins = indent;
            at++;
        }
    }
    end_line(out, look, style);
}

void code_line_add(Buffer *out, const Look *look, const char *line, size_t length,
                   const char *indent)
{
    size_t own = 0, i;
    while (own < length && line[own] == ' ')
        own++;
    int column = text_columns(indent, strlen(indent)), begins = column;
    bool begun = false;
    add_text(out, indent);
    for (i = 0; i < length;) {
        size_t word = i;
        while (word < length && line[word] == ' ')
            word++;
        while (word < length && line[word] != ' ')
            word++;
        int columns = text_columns(line + i, word - i);
        if (begun && column + columns > look->width) {
            end_line(out, look, 0);
            add_text(out, indent);
            /* At its own depth, where that leaves room for something. */
            int deeper = (int)own < (look->width - begins) / 3 ? (int)own : 0;
            add_repeated(out, " ", deeper);
            add_text(out, goes_on());
            while (i < word && line[i] == ' ')
                i++;
            columns = text_columns(line + i, word - i);
            column = begins + deeper + 2;
        }
        buffer_append(out, line + i, word - i);
        column += columns;
        begun = true;
        i = word;
    }
    end_line(out, look, 0);
}
