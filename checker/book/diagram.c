/* A diagram that a text draws with characters, as SVG:
 *
 *     x --+--------> (-) --> y      words are boxes; those that no wire touches are notes
 *         |           ^             (-) (+) (x) (*) are signs in a circle
 *         +--> mean --+             - | + are wires and where they meet, > < ^ v their heads
 *
 * It is read on the text's own lines and columns. A line and a column are then as large as what is
 * largest in them.
 *
 * The invariant: every wire comes from words or a sign, and has a head at words or a sign. What
 * can't be read so is no diagram. */
#include <math.h>
#include <string.h>

#include "book.h"

enum { MOST_LINES = 40, MOST_COLUMNS = 100, MOST_ITEMS = 60 };
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };
enum { NOWHERE = -2, A_WIRE = -1 }; /* what a place leads to, where it is no item */
/* In pixels of a drawing that is not made smaller. */
enum { PAD = 4, BOX = 22, SIGN = 10, HEAD = 7, EDGE = 2 };

typedef struct {
    int line, from, to; /* columns, the last one not in it */
    bool sign, wired;
} Item;

typedef struct {
    int lines, columns, count;
    char text[MOST_LINES][MOST_COLUMNS];
    unsigned char arms[MOST_LINES][MOST_COLUMNS], head[MOST_LINES][MOST_COLUMNS];
    short item[MOST_LINES][MOST_COLUMNS]; /* and 1; 0: none */
    Item items[MOST_ITEMS];
    int head_now, followed[MOST_LINES][MOST_COLUMNS]; /* by which head, the last time; 0: by none */
    double x[MOST_COLUMNS + 1], y[MOST_LINES + 1];    /* where a column and a line begin */
} Diagram;

/* ---- the text's lines and columns ---- */
static bool read_lines(Diagram *d, const char *block, size_t length)
{
    int column = 0;
    memset(d, 0, sizeof *d);
    memset(d->text, ' ', sizeof d->text);
    for (size_t i = 0; i < length; i++) {
        if (block[i] == '\n') {
            column = 0;
            d->lines++;
            continue;
        }
        if (block[i] < ' ' || block[i] > '~' || d->lines >= MOST_LINES || column >= MOST_COLUMNS)
            return false;
        d->text[d->lines][column++] = block[i];
        d->columns = column > d->columns ? column : d->columns;
    }
    return d->lines <= MOST_LINES;
}

static bool inside(const Diagram *d, int line, int column)
{
    return line >= 0 && line < d->lines && column >= 0 && column < d->columns;
}

static char at(const Diagram *d, int line, int column)
{
    return inside(d, line, column) ? d->text[line][column] : ' ';
}

static bool one_of(char c, const char *characters)
{
    return strchr(characters, c) != NULL;
}

/* ---- wires ---- */
static void read_wire(Diagram *d, int line, int column)
{
    unsigned char *arms = &d->arms[line][column], *head = &d->head[line][column];
    char left = at(d, line, column - 1), right = at(d, line, column + 1);
    char up = at(d, line - 1, column), down = at(d, line + 1, column);
    bool alone = left == ' ' && right == ' ';
    switch (d->text[line][column]) {
    case '-':
        *arms = one_of(left, "-+<|") || one_of(right, "-+>|") ? LEFT | RIGHT : 0;
        break;
    case '|': /* one that lies across a wire does not meet it */
        *arms = alone ? UP | DOWN : left == '-' && right == '-' ? LEFT | RIGHT | UP | DOWN : 0;
        break;
    case '+':
        *arms = (left == '-' ? LEFT : 0) | (right == '-' ? RIGHT : 0) |
                (one_of(up, "|^+") ? UP : 0) | (one_of(down, "|v+") ? DOWN : 0);
        if (!(*arms & (*arms - 1)) || (left == '(' && right == ')')) /* one arm meets nothing */
            *arms = 0;
        break;
    case '>':
        *arms = left == '-' ? LEFT : 0;
        *head = *arms ? RIGHT : 0;
        break;
    case '<':
        *arms = right == '-' ? RIGHT : 0;
        *head = *arms ? LEFT : 0;
        break;
    case '^':
        *arms = alone && down != ' ' ? DOWN : 0;
        *head = *arms ? UP : 0;
        break;
    case 'v':
        *arms = alone && up != ' ' ? UP : 0;
        *head = *arms ? DOWN : 0;
        break;
    }
}

/* ---- words and signs ---- */
static bool is_free(const Diagram *d, int line, int column)
{
    return !inside(d, line, column) || d->text[line][column] == ' ' || d->arms[line][column];
}

static bool is_sign(const Diagram *d, int line, int column)
{
    return at(d, line, column) == '(' && one_of(at(d, line, column + 1), "-+x*") &&
           at(d, line, column + 2) == ')' && is_free(d, line, column - 1) &&
           is_free(d, line, column + 3);
}

/* Where the item that begins here ends: words go on over one space. */
static int end_of_item(const Diagram *d, int line, int from)
{
    if (is_sign(d, line, from))
        return from + 3;
    for (int to = from + 1;; to++) {
        int next = to + (at(d, line, to) == ' ');
        if (is_free(d, line, next) || (next > to && is_sign(d, line, next)))
            return to;
        to = next;
    }
}

static bool read_items(Diagram *d, int line)
{
    for (int column = 0; column < d->columns; column++) {
        if (is_free(d, line, column))
            continue;
        if (d->count == MOST_ITEMS)
            return false;
        Item *item = &d->items[d->count++];
        *item = (Item){line, column, end_of_item(d, line, column), is_sign(d, line, column), false};
        for (; column < item->to; column++)
            d->item[line][column] = (short)d->count;
        column--;
    }
    return true;
}

/* ---- what leads where ---- */
static unsigned opposite(unsigned arm)
{
    return arm & (LEFT | UP) ? arm << 1 : arm >> 1;
}

static void step(int *line, int *column, unsigned arm)
{
    *line += arm == DOWN ? 1 : arm == UP ? -1 : 0;
    *column += arm == RIGHT ? 1 : arm == LEFT ? -1 : 0;
}

/* An item, A_WIRE or NOWHERE. Between a wire and words there may be a space. From above and below a
 * sign has its middle only. */
static int leads_to(const Diagram *d, int line, int column, unsigned arm)
{
    step(&line, &column, arm);
    if (inside(d, line, column) && d->arms[line][column])
        return d->arms[line][column] & opposite(arm) ? A_WIRE : NOWHERE;
    if (arm & (LEFT | RIGHT) && at(d, line, column) == ' ')
        step(&line, &column, arm);
    int found = inside(d, line, column) ? d->item[line][column] - 1 : NOWHERE;
    if (found < 0 ||
        (arm & (UP | DOWN) && d->items[found].sign && column != d->items[found].from + 1))
        return NOWHERE;
    return found;
}

/* Goes along the wire from here, not back through `came`, and marks the items that it comes from.
 * Where wires cross it goes straight on, and where it has been it need not go again. */
static bool follow(Diagram *d, int line, int column, unsigned came, bool *from)
{
    unsigned arms = d->arms[line][column] & ~came;
    if (d->text[line][column] == '|' && came)
        arms = opposite(came);
    else if (d->followed[line][column] == d->head_now)
        return true;
    d->followed[line][column] = d->head_now;
    for (unsigned arm = LEFT; arm <= DOWN; arm <<= 1) {
        if (!(arms & arm))
            continue;
        int found = leads_to(d, line, column, arm), next_line = line, next_column = column;
        if (found == NOWHERE)
            return false;
        if (found >= 0) {
            from[found] = d->items[found].wired = true;
            continue;
        }
        step(&next_line, &next_column, arm);
        if (!d->head[next_line][next_column] &&
            !follow(d, next_line, next_column, opposite(arm), from))
            return false;
    }
    return true;
}

static void add_item(Buffer *out, const Diagram *d, const Item *item)
{
    static const char *const signs[] = {"+", "plus", "-", "minus", "*", "times", "x", "times"};
    const char *text = d->text[item->line] + item->from;
    for (int i = 0; item->sign && i < 8; i += 2)
        if (*signs[i] == text[1])
            add_text(out, signs[i + 1]);
    if (!item->sign)
        html_escape(out, text, (size_t)(item->to - item->from));
}

/* "x to mean, mean to minus": what each head is led to from. */
static bool say_heads(Buffer *said, Diagram *d)
{
    for (int line = 0; line < d->lines; line++)
        for (int column = 0; column < d->columns; column++) {
            bool from[MOST_ITEMS] = {false}, any = false;
            unsigned head = d->head[line][column];
            int to = head ? leads_to(d, line, column, head) : NOWHERE;
            d->head_now++;
            if (head && (to < 0 || !follow(d, line, column, 0, from)))
                return false;
            for (int i = 0; head && i < d->count; i++) {
                if (!from[i])
                    continue;
                add_text(said, said->length ? ", " : "");
                add_item(said, d, &d->items[i]);
                add_text(said, " to ");
                add_item(said, d, &d->items[to]);
                any = d->items[to].wired = true;
            }
            if (head && !any)
                return false;
        }
    for (int line = 0; line < d->lines; line++)
        for (int column = 0; column < d->columns; column++)
            if (d->arms[line][column] && !d->followed[line][column])
                return false;
    return said->length > 0;
}

static bool diagram_read(Diagram *d, Buffer *said, const char *block, size_t length)
{
    if (!read_lines(d, block, length))
        return false;
    for (int line = 0; line < d->lines; line++)
        for (int column = 0; column < d->columns; column++)
            read_wire(d, line, column);
    for (int line = 0; line < d->lines; line++)
        if (!read_items(d, line))
            return false;
    return say_heads(said, d);
}

/* ---- how large it is ---- */
/* As wide as it is in most fonts without serifs, or somewhat less. */
static double width_of(const Diagram *d, const Item *item)
{
    double width = 2 * PAD;
    for (int i = item->from; i < item->to; i++) {
        char c = d->text[item->line][i];
        width += one_of(c, "ijltfr.,:;'|![]() ") ? 4.6 : one_of(c, "mwMW") ? 11.5 : 7.8;
    }
    return item->sign ? 2 * SIGN : width;
}

/* A wire comes to this line from above or from below here. */
static bool is_met(const Diagram *d, int line, int column)
{
    const unsigned char *above = line ? &d->arms[line - 1][column] : NULL;
    const unsigned char *below = line + 1 < d->lines ? &d->arms[line + 1][column] : NULL;
    return (above && *above & (UP | DOWN)) || (below && *below & (UP | DOWN));
}

/* Where a column ends, at least, for what stands in it on that line. In words that a wire meets
 * there it is as far from their beginning as in the text. */
static double least_end(const Diagram *d, int line, int column)
{
    int i = d->item[line][column] - 1, end = column + 1;
    const Item *item = i < 0 ? NULL : &d->items[i];
    if (!item)
        return d->x[column] + (d->head[line][column]                 ? HEAD + 1
                               : d->arms[line][column] & (UP | DOWN) ? 6
                                                                     : 2);
    if (end < item->to && !item->sign && !is_met(d, line, column) && !is_met(d, line, end))
        return d->x[column] + 1;
    return d->x[item->from] + width_of(d, item) * (end - item->from) / (item->to - item->from);
}

static void lay_out(Diagram *d)
{
    for (int column = 0; column < d->columns; column++)
        for (int line = 0; line < d->lines; line++)
            d->x[column + 1] = fmax(d->x[column + 1], least_end(d, line, column));
    for (int line = 0; line < d->lines; line++)
        for (int column = 0; column < d->columns; column++) {
            int i = d->item[line][column] - 1;
            double high = i >= 0 ? d->items[i].wired ? BOX + 2 * EDGE : BOX - 5
                          : d->head[line][column] & (UP | DOWN) ? HEAD + 4
                                                                : 9;
            d->y[line + 1] = fmax(d->y[line + 1], d->y[line] + high);
        }
}

/* ---- the picture ---- */
static double middle(const double *begins, int from, int to)
{
    return (begins[from] + begins[to]) / 2;
}

static double middle_of(const Diagram *d, const Item *item)
{
    return middle(d->x, item->from + item->sign, item->to - item->sign);
}

/* Where the wire ends that leaves this place in that direction: at what it leads to. */
static double end_of_arm(const Diagram *d, int line, int column, unsigned arm)
{
    int found = leads_to(d, line, column, arm);
    if (found < 0)
        return arm == LEFT    ? d->x[column]
               : arm == RIGHT ? d->x[column + 1]
               : arm == UP    ? d->y[line]
                              : d->y[line + 1];
    const Item *item = &d->items[found];
    double x = middle_of(d, item), y = middle(d->y, item->line, item->line + 1);
    double beside = item->sign ? SIGN : x - d->x[item->from], above = item->sign ? SIGN : BOX / 2;
    return arm == LEFT ? x + beside : arm == RIGHT ? x - beside : arm == UP ? y + above : y - above;
}

static void add_head(Buffer *out, const Diagram *d, int line, int column)
{
    static const char *const shapes[] = {
        [LEFT] = "l7 -4v8z", [RIGHT] = "l-7 -4v8z", [UP] = "l-4 7h8z", [DOWN] = "l-4 -7h8z"};
    unsigned head = d->head[line][column];
    double tip = end_of_arm(d, line, column, head);
    bool lies = head & (LEFT | RIGHT);
    html_print(out, "M%.1f %.1f%s", lies ? tip : middle(d->x, column, column + 1),
               lies ? middle(d->y, line, line + 1) : tip, shapes[head]);
}

/* From where to where the wire goes here, along its line or its column; false: it does not. */
static bool reach(const Diagram *d, int line, int column, bool along, double *from, double *to)
{
    unsigned back = along ? LEFT : UP, on = along ? RIGHT : DOWN;
    unsigned arms = d->arms[line][column] | d->head[line][column];
    double here = along ? middle(d->x, column, column + 1) : middle(d->y, line, line + 1);
    *from = arms & back ? end_of_arm(d, line, column, back) : here;
    *to = arms & on ? end_of_arm(d, line, column, on) : here;
    *from += d->head[line][column] == back ? HEAD - 1 : 0; /* a head's own tip is sharp */
    *to -= d->head[line][column] == on ? HEAD - 1 : 0;
    return arms & (back | on);
}

/* One line's or one column's wires, each from its beginning to its end. */
static void add_wires(Buffer *out, const Diagram *d, int which, bool along)
{
    double begun = 0, ends = -1, from, to;
    int count = along ? d->columns : d->lines;
    double beside = along ? middle(d->y, which, which + 1) : middle(d->x, which, which + 1);
    for (int i = 0; i <= count; i++) {
        bool goes = i < count && reach(d, along ? which : i, along ? i : which, along, &from, &to);
        if (goes && from == ends) {
            ends = to;
            continue;
        }
        if (ends > begun && along)
            html_print(out, "M%.1f %.1fH%.1f", begun, beside, ends);
        else if (ends > begun)
            html_print(out, "M%.1f %.1fV%.1f", beside, begun, ends);
        begun = goes ? from : 0;
        ends = goes ? to : -1;
    }
}

static void add_box(Buffer *out, const Diagram *d, const Item *item)
{
    static const char *const shown[] = {"+", "+", "-", "\u2212", "*", "\u00d7", "x", "\u00d7"};
    double x = middle_of(d, item), y = middle(d->y, item->line, item->line + 1);
    const char *text = d->text[item->line] + item->from;
    if (item->sign)
        html_print(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>", x, y, SIGN);
    else if (item->wired)
        html_print(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"4\"/>",
                   d->x[item->from], y - BOX / 2, d->x[item->to] - d->x[item->from], BOX);
    html_print(out, "<text%s x=\"%.1f\" y=\"%.1f\">", item->wired ? "" : " class=\"note\"", x,
               y + 4.5);
    for (int i = 0; item->sign && i < 8; i += 2)
        if (*shown[i] == text[1])
            add_text(out, shown[i + 1]);
    if (!item->sign)
        html_escape(out, text, (size_t)(item->to - item->from));
    add_text(out, "</text>");
}

static void add_picture(Buffer *out, const Diagram *d)
{
    add_text(out, "<path class=\"wire\" d=\"");
    for (int line = 0; line < d->lines; line++)
        add_wires(out, d, line, true);
    for (int column = 0; column < d->columns; column++)
        add_wires(out, d, column, false);
    add_text(out, "\"/><path class=\"head\" d=\"");
    for (int line = 0; line < d->lines; line++)
        for (int column = 0; column < d->columns; column++)
            if (d->head[line][column])
                add_head(out, d, line, column);
    add_text(out, "\"/>");
    for (int i = 0; i < d->count; i++)
        add_box(out, d, &d->items[i]);
}

bool diagram_add_svg(Buffer *out, const char *block, size_t length)
{
    static Diagram d;
    Buffer said = {0};
    bool read = diagram_read(&d, &said, block, length);
    if (read) {
        lay_out(&d);
        html_print(out,
                   "<figure class=\"diagram\"><svg width=\"%.0f\" viewBox=\"-1 -1 %.0f %.0f\" "
                   "role=\"img\" aria-label=\"",
                   d.x[d.columns] + 2, d.x[d.columns] + 2, d.y[d.lines] + 2);
        buffer_append(out, said.data, said.length);
        for (int i = 0; i < d.count; i++)
            if (!d.items[i].wired) {
                add_text(out, ". ");
                add_item(out, &d, &d.items[i]);
            }
        add_text(out, "\">");
        add_picture(out, &d);
        add_text(out, "</svg></figure>\n");
    }
    buffer_free(&said);
    return read;
}
