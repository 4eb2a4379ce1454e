/* Formulas in TeX. First their parts, one after the other, which the book reads as well
 * (checker/book/mathml.c); then what a terminal shows: \frac{1}{n} \sum_j x_j becomes 1/n Σ_j x_j.
 * A command that is not known here stays as its name.
 *
 * The invariant: every part ends behind where it began, and a group holds no '}' of its own. */
#include "markdown.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* ---- parts ---- */
enum { DEEPEST = 50 };

/* `at` is behind a '{'; where the '}' is that closes it, or the end. */
static const char *group_end(const char *at, const char *end)
{
    for (int depth = 1; at < end; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
        else if (*at == '{')
            depth++;
        else if (*at == '}' && !--depth)
            break;
    }
    return at;
}

/* `from` is behind a backslash: a name, or one character. */
static TexPart command(const char *from, const char *end)
{
    size_t length = 0;
    while (from + length < end && isalpha((unsigned char)from[length]))
        length++;
    if (length)
        return (TexPart){TEX_COMMAND, from, length};
    /* "\_" is the character, "\ " and "\;" are a space */
    return (TexPart){strchr("_{}%$#&", *from) ? TEX_CHARACTER : TEX_SPACE, from, 1};
}

static size_t character_length(const char *from, const char *end)
{
    size_t length = 1;
    while (from + length < end && (from[length] & 0xC0) == 0x80)
        length++;
    return length;
}

TexPart tex_next(const char **at, const char *end)
{
    const char *from = *at;
    while (from < end && *from == '}') /* it closes nothing */
        from++;
    TexPart part = {TEX_END, from, 0};
    if (from < end && *from == '{') {
        part = (TexPart){TEX_GROUP, from + 1, (size_t)(group_end(from + 1, end) - (from + 1))};
        from = part.text + part.length;
        *at = from < end ? from + 1 : end;
        return part;
    }
    if (from < end && *from == '\\' && from + 1 < end)
        part = command(from + 1, end);
    else if (from < end)
        part = (TexPart){*from == '_'   ? TEX_BELOW
                         : *from == '^' ? TEX_ABOVE
                         : *from == ' ' ? TEX_BLANK
                                        : TEX_CHARACTER,
                         from, character_length(from, end)};
    *at = part.text + part.length;
    return part;
}

TexPart tex_argument(const char **at, const char *end)
{
    TexPart part = tex_next(at, end);
    while (part.kind == TEX_BLANK)
        part = tex_next(at, end);
    return part;
}

bool tex_is(const TexPart *command, const char *name)
{
    return strlen(name) == command->length && !strncmp(name, command->text, command->length);
}

bool tex_is_too_deep(const char *tex, size_t length)
{
    int depth = 0, most = 0;
    for (size_t i = 0; i < length; i++) {
        depth += (tex[i] == '{') - (tex[i] == '}');
        most = depth > most ? depth : most;
    }
    return most > DEEPEST;
}

/* ---- what a terminal shows ---- */
static const struct {
    const char *name, *utf8, *ascii;
} signs[] = {
    {"sum", "Σ", "sum"},         {"cdot", "·", "*"},        {"partial", "∂", "d"},
    {"times", "×", "x"},         {"left", "", ""},          {"right", "", ""},
    {"qquad", "\4\4 ", "\4\4 "}, {"quad", " ", " "},        {"text", "", ""},
    {"approx", "≈", "~="},       {"le", "≤", "<="},         {"ge", "≥", ">="},
    {"leq", "≤", "<="},          {"geq", "≥", ">="},        {"ne", "≠", "!="},
    {"infty", "∞", "infinity"},  {"in", "∈", "in"},         {"ldots", "...", "..."},
    {"leftarrow", "←", "<-"},    {"rightarrow", "→", "->"},
};

static void add_part(Buffer *out, const TexPart *part, const char **at, const char *end);

static void formula(Buffer *out, const char *from, const char *end)
{
    for (TexPart part; (part = tex_next(&from, end)).kind != TEX_END;)
        add_part(out, &part, &from, end);
}

static void argument(Buffer *out, const char **at, const char *end)
{
    TexPart part = tex_argument(at, end);
    add_part(out, &part, at, end);
}

/* In parentheses, unless it is one name, number or √(...). */
static void append_operand(Buffer *out, const Buffer *part)
{
    int depth = 0;
    bool one = true;
    for (size_t i = 0; i < part->length; i++) {
        char c = part->data[i];
        depth += (c == '(') - (c == ')');
        one = one && (depth || !strchr(" +-*/", c));
    }
    add_text(out, one ? "" : "(");
    buffer_append(out, part->data ? part->data : "", part->length);
    add_text(out, one ? "" : ")");
}

static void fraction(Buffer *out, const char **at, const char *end)
{
    Buffer above = {0}, below = {0};
    argument(&above, at, end);
    argument(&below, at, end);
    append_operand(out, &above);
    add_text(out, "/");
    append_operand(out, &below);
    free(above.data);
    free(below.data);
}

static void add_command(Buffer *out, const TexPart *name, const char **at, const char *end)
{
    if (tex_is(name, "frac")) {
        fraction(out, at, end);
        return;
    }
    if (tex_is(name, "sqrt")) {
        add_text(out, sign("√(", "sqrt("));
        argument(out, at, end);
        add_text(out, ")");
        return;
    }
    if (tex_is(name, "hat")) {
        argument(out, at, end);
        add_text(out, sign("\xCC\x82", "hat")); /* U+0302 */
        return;
    }
    if (tex_is(name, "partial"))
        while (*at < end && **at == ' ') /* ∂x, as one name */
            ++*at;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (tex_is(name, signs[i].name)) {
            add_text(out, sign(signs[i].utf8, signs[i].ascii));
            return;
        }
    buffer_append(out, name->text, name->length);
}

/* x^2 is x², where that can be shown; x^{-3/2} is x^(-3/2). */
static void add_exponent(Buffer *out, const char **at, const char *end)
{
    Buffer power = {0};
    argument(&power, at, end);
    bool digit = power.length == 1 && (power.data[0] == '2' || power.data[0] == '3');
    if (digit && locale_is_utf8()) {
        add_text(out, power.data[0] == '2' ? "²" : "³");
    } else {
        add_text(out, "^");
        append_operand(out, &power);
    }
    free(power.data);
}

/* What the part takes as its argument is taken off `at`. */
static void add_part(Buffer *out, const TexPart *part, const char **at, const char *end)
{
    char last = ' ';
    if (out->length)
        last = out->data[out->length - 1];
    if (part->kind == TEX_COMMAND) {
        add_command(out, part, at, end);
    } else if (part->kind == TEX_ABOVE) {
        add_exponent(out, at, end);
    } else if (part->kind == TEX_BELOW) {
        add_text(out, "_");
        argument(out, at, end);
    } else if (part->kind == TEX_GROUP) {
        formula(out, part->text, part->text + part->length);
    } else if (part->kind == TEX_SPACE) {
        add_text(out, " ");
    } else if (part->kind != TEX_BLANK || !strchr(" (", last)) {
        if (last == ' ' && out->length && part->text[0] == ')')
            out->length--;
        buffer_append(out, part->text, part->length);
    }
}

static void hold_parentheses(Buffer *text)
{
    size_t from = 0;
    int depth = 0;
    for (size_t i = 0; i < text->length; i++) {
        if (text->data[i] == '(' && !depth++)
            from = i;
        if (text->data[i] == ')' && depth && !--depth)
            hold_short(text->data + from, i - from);
    }
}

void formula_set(Buffer *out, const char *tex, size_t length)
{
    Buffer text = {0};
    if (tex_is_too_deep(tex, length)) {
        buffer_append(out, tex, length);
        return;
    }
    formula(&text, tex, tex + length);
    while (text.length && text.data[text.length - 1] == ' ')
        text.length--;
    hold_parentheses(&text);
    buffer_append(out, text.data, text.length);
    buffer_free(&text);
}

/* False: it is broken where it must, since it is wider than a line. */
static bool hold_fitting(char *text, size_t length, int columns)
{
    bool fits = text_columns(text, length) <= columns;
    for (size_t i = 0; i < length && fits; i++)
        text[i] = text[i] == ' ' ? HELD_BLANK : text[i];
    return fits;
}

/* To the last blank of the next gap. */
static size_t part_length(const char *text)
{
    size_t length = 0;
    while (text[length] && !(length && text[length] == ' ' && text[length - 1] == HELD_BLANK))
        length++;
    return length;
}

/* To the blank before the next equals sign that stands in no bracket. */
static size_t side_length(const char *text, size_t most)
{
    int depth = 0;
    size_t length = 0;
    while (length < most && (depth || strncmp(text + length, " = ", 3) != 0)) {
        depth += !!strchr("([", text[length]) - !!strchr(")]", text[length]);
        length++;
    }
    return length;
}

void formula_set_in_parts(Buffer *out, const char *tex, size_t length, int columns)
{
    formula_set(out, tex, length);
    buffer_append(out, "", 1);
    for (char *part = out->data; *part; part += *part == ' ') {
        size_t size = part_length(part), side;
        bool fits = hold_fitting(part, size, columns);
        for (size_t from = 0; from < size && !fits; from += side + 1) {
            side = side_length(part + from, size - from);
            hold_fitting(part + from, side, columns - 2);
        }
        for (size_t i = 0; i < size && !fits; i++)
            part[i] = part[i] == ' ' ? FORMULA_BLANK : part[i];
        part += size;
    }
}
