/* The lessons' formulas, readable in a terminal: \frac{1}{n} \sum_j x_j becomes 1/n Σ_j x_j.
 *
 * A formula stands between two "$$" on lines of its own, or between two "$" in a line. What is in
 * fenced blocks and `code` is left alone. A command that is not known here stays as its name. */
#include "prompt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *text;
    size_t length, room;
} Buffer;

static void append(Buffer *b, const char *text, size_t length)
{
    if (b->length + length + 1 > b->room) {
        b->room = 2 * (b->length + length + 1);
        b->text = realloc(b->text, b->room);
        if (!b->text)
            abort();
    }
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

static void append_string(Buffer *b, const char *text)
{
    append(b, text, strlen(text));
}

static const struct {
    const char *name, *utf8, *ascii;
} signs[] = {
    {"sum", "Σ", "sum"},        {"cdot", "·", "*"}, {"partial", "∂", "d"}, {"times", "×", "x"},
    {"left", "", ""},           {"right", "", ""},  {"qquad", "  ", "  "}, {"quad", " ", " "},
    {"approx", "≈", "~="},      {"le", "≤", "<="},  {"ge", "≥", ">="},     {"ne", "≠", "!="},
    {"infty", "∞", "infinity"},
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
        append(out, from++, 1);
    return from;
}

/* In parentheses, unless it is one name, number or √(...). */
static void append_operand(Buffer *out, const Buffer *part)
{
    int depth = 0;
    bool one = true;
    for (size_t i = 0; i < part->length; i++) {
        char c = part->text[i];
        depth += (c == '(') - (c == ')');
        one = one && (depth || !strchr(" +-*/", c));
    }
    append_string(out, one ? "" : "(");
    append(out, part->text ? part->text : "", part->length);
    append_string(out, one ? "" : ")");
}

static const char *fraction(Buffer *out, const char *from, const char *end)
{
    Buffer above = {0}, below = {0};
    from = argument(&above, from, end);
    from = argument(&below, from, end);
    append_operand(out, &above);
    append_string(out, "/");
    append_operand(out, &below);
    free(above.text);
    free(below.text);
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
        append(out, strchr("_{}%$#&", *from) ? from : " ", 1);
        return from + 1;
    }
    if (length == 4 && !strncmp(name, "frac", 4))
        return fraction(out, from, end);
    if (length == 4 && !strncmp(name, "sqrt", 4)) {
        append_string(out, locale_is_utf8() ? "√(" : "sqrt(");
        from = argument(out, from, end);
        append_string(out, ")");
        return from;
    }
    if (length == 3 && !strncmp(name, "hat", 3)) {
        from = argument(out, from, end);
        append_string(out, locale_is_utf8() ? "\xCC\x82" : "hat"); /* U+0302 */
        return from;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].name) == length && !strncmp(name, signs[i].name, length)) {
            append_string(out, locale_is_utf8() ? signs[i].utf8 : signs[i].ascii);
            return from;
        }
    append(out, name, length);
    return from;
}

/* x^2 is x², where that can be shown; x^{-3/2} is x^(-3/2). */
static const char *exponent(Buffer *out, const char *from, const char *end)
{
    Buffer power = {0};
    from = argument(&power, from, end);
    bool digit = power.length == 1 && (power.text[0] == '2' || power.text[0] == '3');
    if (digit && locale_is_utf8()) {
        append_string(out, power.text[0] == '2' ? "²" : "³");
    } else {
        append_string(out, "^");
        append_operand(out, &power);
    }
    free(power.text);
    return from;
}

/* Up to `end`, or to the '}' that closes the group; returns where it stopped. */
static const char *formula(Buffer *out, const char *from, const char *end)
{
    while (from < end && *from != '}') {
        bool blank = out->length && out->text[out->length - 1] == ' ';
        if (*from == '\\' && from + 1 < end) {
            from = command(out, from + 1, end);
        } else if (*from == '^') {
            from = exponent(out, from + 1, end);
        } else if (*from == '{') {
            from = argument(out, from, end);
        } else if (*from == ' ' && (blank || !out->length)) {
            from++;
        } else if (*from == '_') {
            append_string(out, "_");
            from = argument(out, from + 1, end);
        } else {
            append(out, from++, 1);
        }
    }
    return from;
}

/* The formula between `from` and `end`, with its ends around it. */
static void add_formula(Buffer *out, const char *before, const char *from, const char *end,
                        const char *behind)
{
    Buffer text = {0};
    formula(&text, from, end);
    while (text.length && text.text[text.length - 1] == ' ')
        text.length--;
    append_string(out, before);
    append(out, text.text ? text.text : "", text.length);
    append_string(out, behind);
    free(text.text);
}

/* One line outside fenced blocks. */
static void add_line(Buffer *out, const char *line, const char *end)
{
    bool code = false;
    while (line < end) {
        const char *close = NULL;
        if (*line == '$' && !code && line + 1 < end && line[1] != ' ')
            close = memchr(line + 1, '$', (size_t)(end - line - 1));
        if (close && close > line + 1 && close[-1] != ' ') {
            add_formula(out, "`", line + 1, close, "`");
            line = close + 1;
            continue;
        }
        code ^= *line == '`';
        append(out, line++, 1);
    }
}

char *formulas_plain(const char *markdown)
{
    Buffer out = {0};
    bool fenced = false;
    while (*markdown) {
        const char *end = markdown + strcspn(markdown, "\n");
        size_t length = (size_t)(end - markdown);
        bool fence = !strncmp(markdown, "```", 3);
        fenced ^= fence;
        if (fenced || fence)
            append(&out, markdown, length);
        else if (length > 4 && !strncmp(markdown, "$$", 2) && !strncmp(end - 2, "$$", 2))
            add_formula(&out, "    ", markdown + 2, end - 2, "");
        else
            add_line(&out, markdown, end);
        append_string(&out, "\n");
        markdown = *end ? end + 1 : end;
    }
    return out.text ? out.text : format_text("%s", "");
}
