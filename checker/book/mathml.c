/* A formula in TeX, as far as lessons use it, as MathML. A word such as rstd is one name; in a
 * script "rj" is two, and "gamma" one. See book.h. */
#include "book.h"

#include <ctype.h>
#include <string.h>

#include "markdown.h"

typedef struct {
    bool display, script;
    bool operand; /* the last thing was a name, a number or what is in parentheses */
    bool blank;   /* and behind it was a blank */
    bool goes_on; /* it begins with the sign at which a formula was broken */
} Row;

static const struct {
    const char *name, *html;
} signs[] = {
    {"cdot", "<mo>·</mo>"},
    {"times", "<mo>×</mo>"},
    {"partial", "<mi>∂</mi>"},
    {"approx", "<mo>≈</mo>"},
    {"le", "<mo>≤</mo>"},
    {"leq", "<mo>≤</mo>"},
    {"ge", "<mo>≥</mo>"},
    {"geq", "<mo>≥</mo>"},
    {"ne", "<mo>≠</mo>"},
    {"in", "<mo>∈</mo>"},
    {"infty", "<mi>∞</mi>"},
    {"ldots", "<mo>…</mo>"},
    {"leftarrow", "<mo>←</mo>"},
    {"rightarrow", "<mo>→</mo>"},
    {"qquad", "<mspace width=\"2em\"></mspace>"},
    {"quad", "<mspace width=\"1em\"></mspace>"},
};

static void row_add(Buffer *out, const char *at, const char *end, Row row);
static void add_base(Buffer *out, const TexPart *part, const char **at, const char *end,
                     const Row *row);

/* What an argument is, as one element. */
static void add_argument(Buffer *out, const char **at, const char *end, bool script)
{
    TexPart part = tex_argument(at, end);
    Row row = {.script = script};
    add_text(out, "<mrow>");
    if (part.kind == TEX_GROUP)
        row_add(out, part.text, part.text + part.length, row);
    else
        add_base(out, &part, at, end, &row); /* in x_j^2 the 2 is not j's */
    add_text(out, "</mrow>");
}

/* ---- names, numbers, signs ---- */
static bool is_letter(const char *at, const char *end)
{
    return at < end && isalpha((unsigned char)*at);
}

static bool is_digit(const char *at, const char *end)
{
    return at < end &&
           (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])));
}

/* The word that begins at `from`; in it "\_" is a character. */
static void add_name(Buffer *out, const char *from, const char **at, const char *end,
                     const Row *row)
{
    Buffer name = {0};
    const char *to = from;
    while (is_letter(to, end) || (end - to > 2 && to[0] == '\\' && to[1] == '_')) {
        to += *to == '\\';
        buffer_append(&name, to++, 1);
    }
    if (row->script && name.length <= 3) { /* indices */
        for (size_t i = 0; i < name.length; i++)
            html_print(out, "<mi>%c</mi>", name.data[i]);
    } else {
        add_text(out, "<mi>");
        html_escape(out, name.data, name.length);
        add_text(out, "</mi>");
    }
    buffer_free(&name);
    *at = to;
}

static void add_number(Buffer *out, const char *from, const char **at, const char *end)
{
    while (is_digit(*at, end))
        ++*at;
    html_print(out, "<mn>%.*s</mn>", (int)(*at - from), from);
}

static void add_sign(Buffer *out, const TexPart *part, bool goes_on)
{
    bool fence = strchr("()[]", *part->text);
    add_text(out, fence ? "<mo stretchy=\"false\">" : goes_on ? "<mo form=\"infix\">" : "<mo>");
    if (*part->text == '-')
        add_text(out, "−");
    else
        html_escape(out, part->text, part->length);
    add_text(out, "</mo>");
}

/* \text{...}: words as they stand. */
static void add_words(Buffer *out, const char **at, const char *end)
{
    TexPart part = tex_argument(at, end);
    add_text(out, "<mtext>");
    for (size_t i = 0; i < part.length; i++)
        if (part.text[i] == ' ' && (i == 0 || i + 1 == part.length))
            add_text(out, "\u00A0"); /* a blank at an edge would not be shown */
        else
            html_escape(out, part.text + i, 1);
    add_text(out, "</mtext>");
}

/* ---- commands ---- */
static bool add_structure(Buffer *out, const TexPart *name, const char **at, const char *end,
                          const Row *row)
{
    if (tex_is(name, "frac")) {
        add_text(out, "<mfrac>");
        add_argument(out, at, end, row->script);
        add_argument(out, at, end, row->script);
        add_text(out, "</mfrac>");
    } else if (tex_is(name, "sqrt")) {
        add_text(out, "<msqrt>");
        add_argument(out, at, end, row->script);
        add_text(out, "</msqrt>");
    } else if (tex_is(name, "hat")) {
        add_text(out, "<mover accent=\"true\">");
        add_argument(out, at, end, row->script);
        add_text(out, "<mo stretchy=\"false\">^</mo></mover>");
    } else if (tex_is(name, "text")) {
        add_words(out, at, end);
    } else if (tex_is(name, "sum")) {
        add_text(out, "<mo>∑</mo>");
    } else if (tex_is(name, "left") || tex_is(name, "right")) {
        TexPart fence = tex_argument(at, end);
        add_text(out, "<mo stretchy=\"true\">");
        html_escape(out, fence.text, fence.length);
        add_text(out, "</mo>");
    } else {
        return false;
    }
    return true;
}

static void add_command(Buffer *out, const TexPart *name, const char **at, const char *end,
                        const Row *row)
{
    if (add_structure(out, name, at, end, row))
        return;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (tex_is(name, signs[i].name)) {
            add_text(out, signs[i].html);
            return;
        }
    add_text(out, "<mi>");
    html_escape(out, name->text, name->length);
    add_text(out, "</mi>");
}

/* ---- a row of parts, each with what stands below and above it ---- */
static bool begins_operand(const TexPart *part, const char *end)
{
    if (part->kind == TEX_COMMAND)
        return tex_is(part, "frac") || tex_is(part, "sqrt") || tex_is(part, "hat") ||
               tex_is(part, "sum") || tex_is(part, "partial") || tex_is(part, "left");
    return part->kind == TEX_CHARACTER &&
           (is_letter(part->text, end) || is_digit(part->text, end) || *part->text == '(' ||
            (unsigned char)*part->text >= 0x80);
}

static void add_base(Buffer *out, const TexPart *part, const char **at, const char *end,
                     const Row *row)
{
    if (part->kind == TEX_COMMAND)
        add_command(out, part, at, end, row);
    else if (part->kind == TEX_GROUP)
        row_add(out, part->text, part->text + part->length, (Row){.script = row->script});
    else if (part->kind == TEX_SPACE)
        add_text(out, "<mspace width=\".28em\"></mspace>");
    else if (is_letter(part->text, end))
        add_name(out, part->text, at, end, row);
    else if (is_digit(part->text, end))
        add_number(out, part->text, at, end);
    else if (part->kind == TEX_CHARACTER)
        add_sign(out, part, row->goes_on);
}

/* What follows as "_..." and "^..." is taken along. */
static void add_atom(Buffer *out, const TexPart *part, const char **at, const char *end, Row *row)
{
    Buffer base = {0}, scripts[2] = {{0}, {0}};
    bool sum = part->kind == TEX_COMMAND && tex_is(part, "sum");
    add_base(&base, part, at, end, row);
    for (const char *next = *at;; next = *at) {
        TexPart script = tex_next(&next, end);
        if (script.kind != TEX_BELOW && script.kind != TEX_ABOVE)
            break;
        *at = next;
        add_argument(&scripts[script.kind == TEX_ABOVE], at, end, true);
    }
    bool below = scripts[0].length, above = scripts[1].length;
    const char *name = below && above ? "subsup" : below ? "sub" : "sup";
    if (sum && row->display)
        name = below && above ? "underover" : below ? "under" : "over";
    if (below || above)
        html_print(out, "<m%s><mrow>", name);
    buffer_append(out, base.data ? base.data : "", base.length);
    if (below || above)
        add_text(out, "</mrow>");
    for (int i = 0; i < 2; i++)
        buffer_append(out, scripts[i].data ? scripts[i].data : "", scripts[i].length);
    if (below || above)
        html_print(out, "</m%s>", name);
    buffer_free(&base);
    buffer_free(&scripts[0]);
    buffer_free(&scripts[1]);
}

static void row_add(Buffer *out, const char *at, const char *end, Row row)
{
    for (TexPart part; (part = tex_next(&at, end)).kind != TEX_END;) {
        if (part.kind == TEX_BLANK) {
            row.blank = true;
            continue;
        }
        bool operand = begins_operand(&part, end);
        if (operand && row.operand && row.blank)
            add_text(out, "<mspace width=\".2em\"></mspace>");
        add_atom(out, &part, &at, end, &row);
        row.operand = (operand && !tex_is(&part, "sum") && !tex_is(&part, "left") &&
                       !tex_is(&part, "partial") && *part.text != '(') ||
                      (part.kind == TEX_CHARACTER && strchr(")]", *part.text));
        row.blank = row.goes_on = false;
    }
}

/* ---- where a long formula may go on in the next line ---- */
enum { SHORT = 15 };

static bool is_sign(const TexPart *part, const char *signs)
{
    return part->kind == TEX_CHARACTER && strchr(signs, *part->text);
}

/* Behind `at` and outside of all groups and parentheses: the next "=" or \qquad, and behind what is
 * not short the next "+" or "-"; else the end. */
static const char *next_break(const char *at, const char *end, bool *apart)
{
    int depth = 0;
    for (const char *from = at; from < end;) {
        const char *here = from;
        TexPart part = tex_next(&from, end);
        bool opens = part.kind == TEX_COMMAND && tex_is(&part, "left");
        bool closes = part.kind == TEX_COMMAND && tex_is(&part, "right");
        if (opens || closes)
            tex_argument(&from, end);
        depth += (is_sign(&part, "([") || opens) - (is_sign(&part, ")]") || closes);
        *apart = part.kind == TEX_COMMAND && tex_is(&part, "qquad");
        bool equal =
            is_sign(&part, "=") || (part.kind == TEX_COMMAND && tex_is(&part, "leftarrow"));
        bool plus = is_sign(&part, "+-") && here - at > SHORT && here[-1] == ' ';
        if (!depth && here > at && (*apart || equal || plus))
            return here;
    }
    *apart = false;
    return end;
}

static void add_row(Buffer *out, const char *from, const char *end, Row row)
{
    add_text(out, "<mrow>");
    row_add(out, from, end, row);
    add_text(out, "</mrow>");
}

/* A displayed formula is one element in rows, between which a line may end (book.css). */
void mathml_add(Buffer *out, const char *tex, size_t length, bool display)
{
    const char *at = tex, *end = tex + length;
    if (tex_is_too_deep(tex, length)) {
        add_text(out, "<code>");
        html_escape(out, tex, length);
        add_text(out, "</code>");
        return;
    }
    if (!display) {
        add_text(out, "<math>");
        add_row(out, at, end, (Row){0});
        add_text(out, "</math>");
        return;
    }
    add_text(out, "<math class=\"formula\" displaystyle=\"true\"><mrow class=\"equation\">");
    for (bool apart = true; at < end;) {
        bool goes_on = !apart;
        const char *to = next_break(at, end, &apart);
        add_row(out, at, to, (Row){.display = true, .goes_on = goes_on});
        add_text(out, apart ? "</mrow> <mrow class=\"equation\">" : to < end ? " " : "");
        at = apart ? to + strlen("\\qquad") : to;
    }
    add_text(out, "</mrow></math>");
}
