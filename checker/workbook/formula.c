/* The lessons' formulas, readable in a terminal: \frac{1}{n} \sum_j x_j becomes 1/n Σ_j x_j. A
 * command that is not known here stays as its name. See markdown.h. */
#include "markdown.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

enum { DEEPEST = 50 };

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

static const char *formula(Buffer *out, const char *from, const char *end);

/* One {group}, or one character, at `from`; returns what is behind it. */
static const char *argument(Buffer *out, const char *from, const char *end)
{
    while (from < end && *from == ' ')
        from++;
    if (from < end && *from == '{') {
        from = formula(out, from + 1, end);
        return from < end ? from + 1 : end;
    }
    if (from < end && *from != '\\')
        buffer_append(out, from++, 1);
    return from;
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

static const char *fraction(Buffer *out, const char *from, const char *end)
{
    Buffer above = {0}, below = {0};
    from = argument(&above, from, end);
    from = argument(&below, from, end);
    append_operand(out, &above);
    add_text(out, "/");
    append_operand(out, &below);
    free(above.data);
    free(below.data);
    return from;
}

/* `from` is behind a backslash. */
static const char *command(Buffer *out, const char *from, const char *end)
{
    const char *name = from;
    while (from < end && isalpha((unsigned char)*from))
        from++;
    size_t length = (size_t)(from - name);
    if (!length) { /* "\_" is the character, "\ " and "\;" are a space */
        buffer_append(out, strchr("_{}%$#&", *from) ? from : " ", 1);
        return from + 1;
    }
    if (length == 4 && !strncmp(name, "frac", 4))
        return fraction(out, from, end);
    if (length == 4 && !strncmp(name, "sqrt", 4)) {
        add_text(out, locale_is_utf8() ? "√(" : "sqrt(");
        from = argument(out, from, end);
        add_text(out, ")");
        return from;
    }
    if (length == 3 && !strncmp(name, "hat", 3)) {
        from = argument(out, from, end);
        add_text(out, locale_is_utf8() ? "\xCC\x82" : "hat"); /* U+0302 */
        return from;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].name) == length && !strncmp(name, signs[i].name, length)) {
            add_text(out, locale_is_utf8() ? signs[i].utf8 : signs[i].ascii);
            return from;
        }
    buffer_append(out, name, length);
    return from;
}

/* x^2 is x², where that can be shown; x^{-3/2} is x^(-3/2). */
static const char *exponent(Buffer *out, const char *from, const char *end)
{
    Buffer power = {0};
    from = argument(&power, from, end);
    bool digit = power.length == 1 && (power.data[0] == '2' || power.data[0] == '3');
    if (digit && locale_is_utf8()) {
        add_text(out, power.data[0] == '2' ? "²" : "³");
    } else {
        add_text(out, "^");
        append_operand(out, &power);
    }
    free(power.data);
    return from;
}

/* Up to `end`, or to the '}' that closes the group; returns where it stopped. */
static const char *formula(Buffer *out, const char *from, const char *end)
{
    while (from < end && *from != '}') {
        bool blank = out->length && out->data[out->length - 1] == ' ';
        if (*from == '\\' && from + 1 < end) {
            from = command(out, from + 1, end);
        } else if (*from == '^') {
            from = exponent(out, from + 1, end);
        } else if (*from == '{') {
            from = argument(out, from, end);
        } else if (*from == ' ' && (blank || !out->length)) {
            from++;
        } else if (*from == '_') {
            add_text(out, "_");
            from = argument(out, from + 1, end);
        } else {
            buffer_append(out, from++, 1);
        }
    }
    return from;
}

static int nested(const char *tex, size_t length)
{
    int depth = 0, most = 0;
    for (size_t i = 0; i < length; i++) {
        depth += (tex[i] == '{') - (tex[i] == '}');
        most = depth > most ? depth : most;
    }
    return most;
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
    const char *end = tex + length;
    if (nested(tex, length) > DEEPEST) {
        buffer_append(out, tex, length);
        return;
    }
    for (const char *at = tex; at < end; at += at < end) /* a '}' that closes nothing is left out */
        at = formula(&text, at, end);
    while (text.length && text.data[text.length - 1] == ' ')
        text.length--;
    hold_parentheses(&text);
    buffer_append(out, text.data, text.length);
    buffer_free(&text);
}
