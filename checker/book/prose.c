/* Mathematics in the middle of a sentence, typeset as in the formulas: -1 and x - mean with a
 * minus, rstd^3 with a raised 3, sqrt(variance) under a root. What is none of that stays as it is.
 * See book.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "book.h"

static bool is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* How long "sqrt(...)" at the beginning of what is left is; 0: it is none, or goes on elsewhere. */
static size_t root_length(const char *text, size_t left)
{
    static const char begin[] = "sqrt(";
    int depth = 0;
    if (left < sizeof begin || strncmp(text, begin, sizeof begin - 1) != 0)
        return 0;
    for (size_t i = sizeof begin - 2; i < left; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (!depth)
            return i + 1;
    }
    return 0;
}

static void add_root(Buffer *out, const char *text, size_t length)
{
    char *tex = format_text("\\sqrt{%.*s}", (int)length - 6, text + 5);
    mathml_add(out, tex, strlen(tex), false);
    free(tex);
}

/* How long the exponent behind a ^ is, "2" or "-149"; 0: something else stands there. */
static size_t exponent_length(const char *text, size_t left)
{
    size_t sign = left && *text == '-', length = sign;
    while (length < left && isdigit((unsigned char)text[length]))
        length++;
    return length > sign ? length : 0;
}

/* How long a name with an index at the beginning of what is left is, and its part before the _; 0:
 * there is none. layer_norm has none: an index has one letter or two, or is one of these. */
static size_t indexed_length(const char *text, size_t left, size_t *base)
{
    static const char *const words[] = {"next", "gamma", "beta"};
    size_t length = 0, at = 0;
    while (length < left && is_in_name(text[length]))
        length++;
    while (at < length && text[at] != '_')
        at++;
    size_t index = length - at - (at < length);
    bool known = index == 1 || index == 2;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        known |= index == strlen(words[i]) && !strncmp(text + at + 1, words[i], index);
    *base = at;
    return at && known && !memchr(text + at + 1, '_', index) ? length : 0;
}

/* Is the - at i a minus, and no hyphen? It stands between blanks, or in front of what is none. */
static bool is_minus(const char *text, size_t length, size_t i)
{
    char before = ' ', behind = ' ';
    if (i)
        before = text[i - 1];
    if (i + 1 < length)
        behind = text[i + 1];
    if (behind == ' ')
        return before == ' ' && length > 1;
    return !strchr("-=>", behind) && strchr(" (/=*,[|", before) &&
           (i || isdigit((unsigned char)behind));
}

/* Writes what begins at `at`, if it is set in a way of its own. How long that is; 0: it is not. */
static size_t add_typeset(Buffer *out, const char *text, size_t length, size_t at)
{
    char before = ' ';
    const char *here = text + at;
    size_t left = length - at, base, taken;
    if (at)
        before = text[at - 1];
    if (*here == '-' && is_minus(text, length, at)) {
        add_text(out, "\u2212");
        return 1;
    }
    if (*here == '^' && (is_in_name(before) || strchr(")]", before)) &&
        (taken = exponent_length(here + 1, left - 1))) {
        add_text(out, "<sup>");
        prose_add(out, here + 1, taken);
        add_text(out, "</sup>");
        return taken + 1;
    }
    if (is_in_name(before))
        return 0;
    if ((taken = root_length(here, left))) {
        add_root(out, here, taken);
    } else if ((taken = indexed_length(here, left, &base))) {
        html_print(out, "%.*s<sub>%.*s</sub>", (int)base, here, (int)(taken - base - 1),
                   here + base + 1);
    }
    return taken;
}

void prose_add(Buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t taken = add_typeset(out, text, length, i);
        if (!taken)
            html_escape(out, text + i, taken = 1);
        i += taken;
    }
}
