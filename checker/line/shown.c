/* A change as a person would write it: in the learner's own lines, with their blanks and comments,
 * and without the parentheses that keep a change safe and that nobody needs. See line.h.
 *
 * The invariant: what is made here is what the ordinary checker is asked about, so that nothing is
 * shown that was not tried. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 22 };

typedef struct {
    Tokens a, b;   /* before, and as it was changed */
    int *match;    /* of each token of b: which one of a it is, or -1 */
    bool *dropped; /* of each token of b */
} Pair;

static bool equal(const Pair *p, int i, int j)
{
    const Token *s = &p->a.items[i], *t = &p->b.items[j];
    return s->length == t->length &&
           !memcmp(p->a.text + s->at, p->b.text + t->at, (size_t)s->length);
}

/* The longest sequence that both have, between tokens of a and of b. False: they are too long. */
static bool match_between(Pair *p, int a, int a_end, int b, int b_end)
{
    size_t rows = (size_t)(a_end - a) + 1, columns = (size_t)(b_end - b) + 1;
    uint16_t *length = rows * columns < MOST_PAIRS ? calloc(rows * columns, sizeof *length) : NULL;
    if (!length)
        return false;
    for (size_t i = rows - 1; i-- > 0;)
        for (size_t j = columns - 1; j-- > 0;) {
            uint16_t *at = &length[i * columns + j];
            *at = at[columns] > at[1] ? at[columns] : at[1];
            if (equal(p, a + (int)i, b + (int)j) && at[columns + 1] + 1 > *at)
                *at = (uint16_t)(at[columns + 1] + 1);
        }
    for (size_t i = 0, j = 0; i + 1 < rows && j + 1 < columns;) {
        const uint16_t *at = &length[i * columns + j];
        if (equal(p, a + (int)i, b + (int)j) && *at == at[columns + 1] + 1)
            p->match[b + (int)j++] = a + (int)i++;
        else if (*at == at[columns])
            i++;
        else
            j++;
    }
    free(length);
    return true;
}

/* Where names were exchanged, each token has its own. */
static bool match_in_place(Pair *p, int first, int a, int b)
{
    int same = 0;
    for (int i = first; a == b && i < a; i++)
        same += equal(p, i, i);
    if (a != b || 3 * same < 2 * (a - first))
        return false;
    for (int i = first; i < a; i++)
        p->match[i] = equal(p, i, i) ? i : -1;
    return true;
}

static bool match_all(Pair *p)
{
    int first = 0, a = p->a.count, b = p->b.count;
    for (int j = 0; j <= b; j++)
        p->match[j] = -1;
    for (; first < a && first < b && equal(p, first, first); first++)
        p->match[first] = first;
    for (; a > first && b > first && equal(p, a - 1, b - 1); a--, b--)
        p->match[b - 1] = a - 1;
    p->match[p->b.count] = p->a.count; /* the ends */
    if (match_in_place(p, first, a, b))
        return true;
    return match_between(p, first, a, first, b);
}

/* ---- what nobody needs ---- */
/* The token of b before or behind that is still there; -1 or the count: none. */
static int beside(const Pair *p, int j, int step)
{
    do
        j += step;
    while (j >= 0 && j < p->b.count && p->dropped[j]);
    return j;
}

static bool is_one_of(const Pair *p, int j, const char *marks)
{
    char text[16];
    if (j < 0 || j >= p->b.count || p->b.items[j].length >= (int)sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", p->b.items[j].length, p->b.text + p->b.items[j].at);
    return word_in(marks, text);
}

static int closing(const Pair *p, int open)
{
    int depth = 0;
    for (int j = open; j < p->b.count; j = beside(p, j, 1)) {
        depth += is_one_of(p, j, "( [ {") - is_one_of(p, j, ") ] }");
        if (!depth)
            return j;
    }
    return -1;
}

typedef enum { LIST, LOOSE, PRODUCT, WHOLE } Binding; /* how well it holds together by itself */

static Binding binding_of(const Pair *p, int from, int to)
{
    Binding binding = is_one_of(p, from, "+ - * & ! ~ ++ --") || from == to ? LOOSE : WHOLE;
    for (int j = from, depth = 0; j < to; j = beside(p, j, 1)) {
        depth -= is_one_of(p, j, ") ] }");
        bool name = p->b.items[j].kind != MARK, joined = is_one_of(p, j, "( [ . -> ) ]");
        if (!depth && is_one_of(p, j, ","))
            return LIST;
        if (!depth && !name && !joined)
            binding = binding != LOOSE && is_one_of(p, j, "* /") ? PRODUCT : LOOSE;
        depth += is_one_of(p, j, "( [ {");
    }
    return is_one_of(p, from, "(") && binding == WHOLE ? LOOSE : binding; /* perhaps a cast */
}

/* Whose text may lack them: around a use of it, or one of its arguments. */
static bool is_of_macro(const Pair *p, int open)
{
    int at = open, depth = 0;
    if (is_macro(&p->b, beside(p, open, 1)))
        return true;
    for (at = beside(p, at, -1); at >= 0 && depth >= 0 && !is_one_of(p, at, "; { }");
         at = beside(p, at, -1))
        depth += is_one_of(p, at, ") ]") - is_one_of(p, at, "( [");
    return depth < 0 && at >= 0 && is_macro(&p->b, at);
}

static bool is_needless(const Pair *p, int open, int close)
{
    static const char *const begins = "= += -= *= /= ( [ , return";
    int before = beside(p, open, -1), behind = beside(p, close, 1);
    Binding inner = binding_of(p, beside(p, open, 1), close);
    bool named = before >= 0 && p->b.items[before].kind == NAME && !is_one_of(p, before, "return");
    bool cast =
        behind < p->b.count && (p->b.items[behind].kind != MARK || is_one_of(p, behind, "("));
    if (inner == LIST || named || is_of_macro(p, open) || cast || is_one_of(p, before, ") ]"))
        return false;
    if (inner == WHOLE)
        return true;
    if (is_one_of(p, before, begins) && is_one_of(p, behind, "; ) ] ,"))
        return true;
    return inner == PRODUCT && (is_one_of(p, before, begins) || is_one_of(p, before, "+ -")) &&
           is_one_of(p, behind, "; ) ] , + - * /");
}

/* Of the change are those that are new, and those around something new that now stands alone. */
static bool is_of_the_change(const Pair *p, int open, int close)
{
    bool theirs = p->match[open] >= 0 && p->match[close] >= 0;
    return !theirs || (p->match[close] - p->match[open] != close - open &&
                       binding_of(p, beside(p, open, 1), close) == WHOLE);
}

static bool drop_parentheses(Pair *p)
{
    for (int open = 0; open < p->b.count; open++) {
        int close = !p->dropped[open] && is_one_of(p, open, "(") ? closing(p, open) : -1;
        if (close < 0 || !is_of_the_change(p, open, close) || !is_needless(p, open, close))
            continue;
        p->dropped[open] = p->dropped[close] = true;
        return true;
    }
    return false;
}

/* What is left where a statement was. */
static void drop_empty_statements(Pair *p)
{
    int last = -1;
    for (int j = 0; j < p->b.count; j++) {
        bool changed = p->match[j] < 0 || p->match[j] != last + 1;
        if (changed && is_one_of(p, j, ";") && is_one_of(p, beside(p, j, -1), "; { }"))
            p->dropped[j] = true;
        last = p->match[j] >= 0 ? p->match[j] : last;
    }
}

/* ---- the text ---- */
typedef struct {
    const char *text;
    size_t length;
} Gap; /* what stands before a token */

static Gap gap_of(const Tokens *t, int token)
{
    const Token *before = token ? &t->items[token - 1] : NULL;
    int from = before ? before->at + before->length : 0;
    return (Gap){t->text + from, (size_t)(t->items[token].at - from)};
}

/* Of b's own, where a has none for it: nothing stands before what ends or separates. */
static Gap own_gap(const Pair *p, int j)
{
    Gap gap = gap_of(&p->b, j);
    if (gap.length && strspn(gap.text, " ") >= gap.length && is_one_of(p, j, "; ) ] , ++ --"))
        gap.length = 0;
    return gap;
}

static bool has_line(Gap gap)
{
    return gap.length && memchr(gap.text, '\n', gap.length);
}

typedef struct {
    int last;      /* the last token of a that is there */
    int inserted;  /* tokens since that it has not */
    bool new_line; /* they began on a line of their own */
} Place;

/* The blanks and comments before token j of b: those of a wherever that has them. */
static Gap gap_before(const Pair *p, Place *at, int j)
{
    const int i = p->match[j];
    Gap own = own_gap(p, j);
    if (i < 0) {
        int next = j;
        while (p->match[next] < 0)
            next++;
        bool replaces = p->match[next] > at->last + 1;
        if (!at->inserted++ && replaces)
            return gap_of(&p->a, at->last + 1);
        at->new_line = at->new_line || (!replaces && has_line(own));
        return own;
    }
    bool deleted = i > at->last + 1, inserted = at->inserted;
    Gap there = gap_of(&p->a, i);
    bool theirs =
        deleted == inserted || (has_line(there) && !at->new_line) || is_one_of(p, j - 1, "++ --");
    *at = (Place){.last = i};
    return theirs ? there : own;
}

static char *write(const Pair *p)
{
    Buffer out = {0};
    Place at = {.last = -1};
    Gap kept = {0};
    for (int j = 0; j <= p->b.count; j++) {
        Gap gap = gap_before(p, &at, j);
        if (kept.text)
            gap = kept;
        kept = (Gap){0};
        if (j < p->b.count && p->dropped[j]) {
            if (is_one_of(p, j, "("))
                kept = gap;
            continue;
        }
        buffer_append(&out, gap.text, gap.length);
        buffer_append(&out, p->b.text + p->b.items[j].at, (size_t)p->b.items[j].length);
    }
    buffer_append(&out, "", 1);
    return out.data;
}

char *as_one_writes_it(const char *before, size_t before_length, const char *after,
                       size_t after_length)
{
    Pair p = {0};
    char *text = NULL;
    if (tokens_read(&p.a, before, before_length) && tokens_read(&p.b, after, after_length)) {
        p.match = calloc((size_t)p.b.count + 1, sizeof *p.match);
        p.dropped = calloc((size_t)p.b.count + 1, sizeof *p.dropped);
        if (p.match && p.dropped && match_all(&p)) {
            drop_empty_statements(&p);
            while (drop_parentheses(&p))
                continue;
            text = write(&p);
        }
    }
    free(p.match);
    free(p.dropped);
    tokens_free(&p.a);
    tokens_free(&p.b);
    return text;
}

/* ---- the lines ---- */
/* The line that begins there, without the blanks around it. Caller frees. */
static char *line_at(const char *text)
{
    text += strspn(text, " \t");
    int length = (int)strcspn(text, "\r\n");
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return format_text("%.*s", length < 200 ? length : 200, text);
}

static const char *line_behind(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static int lines_in(const char *text)
{
    int count = 0;
    for (; *text; text = line_behind(text))
        count++;
    return count;
}

char *line_of_text(const char *text, int line)
{
    for (int i = 1; i < line; i++)
        text = line_behind(text);
    return line_at(text);
}

/* Lines that are gone are taken for those before the last that both have. */
bool add_changed_lines(Fix *fix, const char *before, const char *after)
{
    int lines = lines_in(before), more = lines_in(after) - lines, shared = 0;
    const char *a = before + strlen(before), *b = after + strlen(after);
    while (more && a > before && b > after && a[-1] == b[-1])
        shared += *--a == '\n', b--;
    for (int n = 1; n <= lines; n++, before = line_behind(before)) {
        bool gone = n > lines - shared + more && n <= lines - shared;
        char *is = line_at(before), *becomes = gone ? format_text("%s", "") : line_at(after);
        after = gone ? after : line_behind(after);
        if (strcmp(is, becomes) != 0 && fix->line_count < MOST_CHANGED_LINES && more <= 0) {
            fix->lines[fix->line_count++] = (ChangedLine){n, is, becomes};
            continue;
        }
        bool same = !strcmp(is, becomes);
        free(is);
        free(becomes);
        if (!same)
            return false;
    }
    return true;
}
