/* What md4c finds in a Markdown text, block by block, as lines. See markdown.h.
 *
 * A block's words are gathered in `text` and set when the block ends, or another begins within it.
 */
#include "markdown.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "plot.h"

#ifdef HAVE_MD4C
#include <md4c.h>

/* ---- a table in columns that fit ----
 *
 * The widest gives way first, and its cells are broken into lines. Where they are too many, cell
 * after cell. */
enum { MOST_COLUMNS = 16, GAP = 2 };

typedef struct {
    int columns, count; /* cells, row after row, the header's first */
    char **cells;
    bool right[MOST_COLUMNS]; /* set at the right edge */
} Table;

static void table_cell(Table *table, const char *text, size_t length)
{
    char **cells = realloc(table->cells, (size_t)(table->count + 1) * sizeof *cells);
    if (!cells)
        abort();
    table->cells = cells;
    cells[table->count++] = format_text("%.*s", (int)length, length ? text : "");
}

/* A word is not cut, so no column is narrower. */
static int longest_word(const char *text)
{
    const char blanks[] = {' ', HELD_BLANK, LINE_END, '\0'};
    int longest = 1;
    for (; *text; text += *text != '\0') {
        size_t length = strcspn(text, blanks);
        int columns = text_columns(text, length);
        longest = columns > longest ? columns : longest;
        text += length;
    }
    return longest;
}

/* The widest column that can be narrower; -1: none can. */
static int widest(const int *widths, const int *least, int columns)
{
    int found = -1;
    for (int c = 0; c < columns; c++)
        if (widths[c] > least[c] && (found < 0 || widths[c] > widths[found]))
            found = c;
    return found;
}

/* False: no such widths fit. */
static bool choose_widths(const Table *table, int room, int *widths)
{
    int least[MOST_COLUMNS] = {0}, all = GAP * (table->columns - 1);
    for (int c = 0; c < table->columns; c++) {
        widths[c] = 1;
        for (int i = c; i < table->count; i += table->columns) {
            int columns = text_columns(table->cells[i], strlen(table->cells[i]));
            int word = longest_word(table->cells[i]);
            widths[c] = columns > widths[c] ? columns : widths[c];
            least[c] = word > least[c] ? word : least[c];
        }
        all += widths[c];
    }
    for (; all > room; all--) {
        int c = widest(widths, least, table->columns);
        if (c < 0)
            return false;
        widths[c]--;
    }
    return true;
}

/* One line of a cell, which is taken from the front of `rest`. */
static void add_part(Buffer *out, const char **rest, int width, bool right, bool last)
{
    size_t length = strcspn(*rest, "\n");
    int blank = width - text_columns(*rest, length);
    add_repeated(out, " ", right ? blank : 0);
    buffer_append(out, *rest, length);
    add_repeated(out, " ", last ? 0 : (right ? 0 : blank) + GAP);
    *rest += length + ((*rest)[length] == '\n');
}

static void add_row(Buffer *out, const Look *look, const Table *table, int row, const int *widths,
                    const char *indent)
{
    Buffer set[MOST_COLUMNS] = {{0}};
    const char *rest[MOST_COLUMNS];
    bool more = true;
    for (int c = 0; c < table->columns; c++) {
        int cell = row * table->columns + c;
        Look narrow = *look;
        narrow.width = widths[c];
        char *text =
            format_text(row ? "%s" : "\1%s\1", cell < table->count ? table->cells[cell] : "");
        lines_add(&set[c], &narrow, text, "", "");
        buffer_append(&set[c], "", 1);
        rest[c] = set[c].data;
        free(text);
    }
    while (more) {
        more = false;
        add_text(out, indent);
        for (int c = 0; c < table->columns; c++) {
            add_part(out, &rest[c], widths[c], table->right[c], c == table->columns - 1);
            more = more || *rest[c];
        }
        while (out->length && out->data[out->length - 1] == ' ')
            out->length--;
        add_text(out, "\n");
    }
    for (int c = 0; c < table->columns; c++)
        buffer_free(&set[c]);
}

static void add_rows(Buffer *out, const Look *look, const Table *table, const int *widths,
                     const char *indent)
{
    for (int row = 0; row * table->columns < table->count; row++) {
        add_row(out, look, table, row, widths, indent);
        if (row)
            continue;
        add_text(out, indent);
        for (int c = 0; c < table->columns; c++) {
            add_repeated(out, sign("\u2500", "-"), widths[c]);
            add_repeated(out, " ", c < table->columns - 1 ? GAP : 0);
        }
        add_text(out, "\n");
    }
}

/* "feature 0: 1", below what the row begins with. */
static void add_cells(Buffer *out, const Look *look, const Table *table, const char *indent)
{
    char *deeper = format_text("%s  ", indent), *deepest = format_text("%s    ", indent);
    for (int i = table->columns; i < table->count; i++) {
        int column = i % table->columns;
        const char *name = table->cells[column];
        char *text = !column ? format_text("\1%s%s%s\1", name, *name ? " " : "", table->cells[i])
                             : format_text("%s%s%s", name, *name ? ": " : "", table->cells[i]);
        lines_add(out, look, text, column ? deeper : indent, column ? deepest : indent);
        free(text);
    }
    free(deeper);
    free(deepest);
}

/* And empties it. */
static void table_add(Buffer *out, const Look *look, Table *table, const char *indent)
{
    int widths[MOST_COLUMNS];
    if (choose_widths(table, look->width - text_columns(indent, strlen(indent)), widths))
        add_rows(out, look, table, widths, indent);
    else
        add_cells(out, look, table, indent);
    for (int i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (Table){0};
}

/* ---- the text, block by block ---- */
enum { DEEPEST = 12, PREFIX = 128 };

typedef struct {
    bool ordered, tight, begun;
    unsigned number;
} List;

typedef struct {
    Buffer *out;
    const Look *look;
    Buffer text; /* of the block that is being read */
    size_t span; /* where in it the code or the formula begins */
    Table table;
    List lists[DEEPEST];
    int depth;
    size_t indents[2 * DEEPEST]; /* how long `next` was before */
    int indent_count;
    char first[PREFIX], next[PREFIX]; /* what the next line begins with, and those behind it */
    bool in_code, after_code;
    bool is_output; /* of a program: a block of code */
} Setting;

/* ---- what a line begins with ---- */
static void begin_indent(Setting *s, const char *first, const char *next)
{
    size_t used = strlen(s->next), room = sizeof s->next - used;
    if (s->indent_count < 2 * DEEPEST)
        s->indents[s->indent_count] = used;
    s->indent_count++;
    if (s->indent_count > 2 * DEEPEST || strlen(first) >= room || strlen(next) >= room)
        return; /* so deep that it does not show */
    snprintf(s->first, sizeof s->first, "%s%s", s->next, first);
    strcat(s->next, next);
}

static void end_indent(Setting *s)
{
    s->indent_count--;
    if (s->indent_count < 2 * DEEPEST)
        s->next[s->indents[s->indent_count]] = '\0';
    strcpy(s->first, s->next);
}

/* An empty line, but not at the beginning, nor between the items of a tight list. */
static void add_gap(Setting *s)
{
    bool gap = s->out->length > 0;
    for (int d = (s->depth < DEEPEST ? s->depth : DEEPEST) - 1; d >= 0; d--)
        if (s->lists[d].begun) {
            gap = !s->lists[d].tight;
            break;
        }
    for (int d = 0; d < s->depth && d < DEEPEST; d++)
        s->lists[d].begun = true;
    add_text(s->out, gap ? "\n" : "");
}

static const char *first_indent(Setting *s, char room[PREFIX])
{
    memcpy(room, s->first, PREFIX);
    strcpy(s->first, s->next);
    return room;
}

/* ---- blocks ---- */
static void end_text(Setting *s)
{
    buffer_append(&s->text, "", 1);
}

/* What has been gathered becomes a paragraph. */
static void flush(Setting *s)
{
    char first[PREFIX];
    if (!s->text.length)
        return;
    end_text(s);
    add_gap(s);
    lines_add(s->out, s->look, s->text.data, first_indent(s, first), s->next);
    s->text.length = 0;
    s->after_code = false;
}

static void flush_heading(Setting *s, unsigned level)
{
    const char *line = level == 1 ? sign("\u2550", "=") : sign("\u2500", "-");
    char *text = format_text("%c%.*s%c", BOLD, (int)s->text.length, s->text.data, BOLD);
    int columns = text_columns(text, strlen(text));
    s->text.length = 0;
    add_text(&s->text, text);
    free(text);
    flush(s);
    if (level > 2)
        return;
    add_text(s->out, s->next);
    add_repeated(s->out, line, columns < s->look->width ? columns : s->look->width);
    add_text(s->out, "\n");
}

/* Is that what stands behind a block of code's fence? */
static bool is_kind(const MD_BLOCK_CODE_DETAIL *block, const char *kind)
{
    return block->lang.size == strlen(kind) && !strncmp(block->lang.text, kind, block->lang.size);
}

/* Of the block of code that was gathered. */
static int widest_line(const Setting *s)
{
    int widest = 0;
    for (size_t at = 0; at < s->text.length;) {
        const char *line = s->text.data + at, *end = memchr(line, '\n', s->text.length - at);
        size_t length = end ? (size_t)(end - line) : s->text.length - at;
        int columns = text_columns(line, length);
        widest = columns > widest ? columns : widest;
        at += length + 1;
    }
    return widest;
}

/* Code is indented; what a program prints stands behind a line. */
static void flush_code(Setting *s, bool console)
{
    char *code = format_text("%s    ", s->next);
    const char *bar = sign("\u2502", "|");
    char *output = format_text("%s  %s ", s->next, bar);
    if (widest_line(s) > s->look->width - text_columns(output, strlen(output))) {
        free(output); /* which gives way */
        output = format_text("%s%s ", s->next, bar);
    }
    if (!s->is_output || !s->after_code)
        add_gap(s);
    for (size_t at = 0; at < s->text.length;) {
        const char *line = s->text.data + at, *end = memchr(line, '\n', s->text.length - at);
        size_t length = end ? (size_t)(end - line) : s->text.length - at;
        bool typed = console ? length > 1 && !strncmp(line, "$ ", 2) : !s->is_output;
        code_line_add(s->out, s->look, line, length, typed ? code : output);
        at += length + 1;
    }
    s->text.length = 0;
    s->after_code = !s->is_output;
    free(code);
    free(output);
}

/* False: these numbers make no picture. */
static bool flush_plot(Setting *s)
{
    Plot plot;
    if (!plot_read(&plot, s->text.data, s->text.length))
        return false;
    add_gap(s);
    plot_add(s->out, s->look, &plot, s->next);
    plot_free(&plot);
    s->text.length = s->after_code = 0;
    return true;
}

/* A formula on lines of its own. */
static void flush_formula(Setting *s)
{
    Buffer formula = {0};
    char *first = format_text("%s    ", s->next), *next = format_text("%s        ", s->next);
    formula_set_in_parts(&formula, s->text.data + s->span, s->text.length - s->span,
                         s->look->width - text_columns(next, strlen(next)));
    s->text.length = s->span;
    while (s->text.length && s->text.data[s->text.length - 1] == ' ')
        s->text.length--;
    flush(s);
    add_gap(s);
    lines_add(s->out, s->look, formula.data, first, next);
    buffer_free(&formula);
    free(first);
    free(next);
}

static void begin_item(Setting *s)
{
    List *list = &s->lists[(s->depth < DEEPEST ? s->depth : DEEPEST) - 1];
    char *marker = list->ordered ? format_text("%u. ", list->number++)
                                 : format_text("%s ", sign("\u2022", "*"));
    char *blanks = format_text("%*s", text_columns(marker, strlen(marker)), "");
    begin_indent(s, marker, blanks);
    free(marker);
    free(blanks);
}

static void begin_list(Setting *s, bool ordered, unsigned number, int tight)
{
    if (s->depth++ < DEEPEST)
        s->lists[s->depth - 1] = (List){ordered, tight != 0, false, number};
}

/* ---- what md4c calls ---- */
static int enter_block(MD_BLOCKTYPE type, void *detail, void *setting)
{
    Setting *s = setting;
    flush(s);
    if (type == MD_BLOCK_QUOTE) {
        begin_indent(s, sign("\u2502 ", "> "), sign("\u2502 ", "> "));
    } else if (type == MD_BLOCK_UL) {
        begin_list(s, false, 0, ((MD_BLOCK_UL_DETAIL *)detail)->is_tight);
    } else if (type == MD_BLOCK_OL) {
        const MD_BLOCK_OL_DETAIL *list = detail;
        begin_list(s, true, list->start, list->is_tight);
    } else if (type == MD_BLOCK_LI) {
        begin_item(s);
    } else if (type == MD_BLOCK_CODE) {
        s->in_code = true;
        s->is_output = is_kind(detail, "output") || is_kind(detail, "plot");
    } else if (type == MD_BLOCK_TABLE) {
        unsigned columns = ((MD_BLOCK_TABLE_DETAIL *)detail)->col_count;
        s->table.columns = columns <= MOST_COLUMNS ? (int)columns : MOST_COLUMNS;
    }
    return 0;
}

static void end_cell(Setting *s, const MD_BLOCK_TD_DETAIL *cell)
{
    int column = s->table.columns ? s->table.count % s->table.columns : 0;
    s->table.right[column] = cell->align == MD_ALIGN_RIGHT;
    table_cell(&s->table, s->text.data, s->text.length);
    s->text.length = 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *setting)
{
    Setting *s = setting;
    if (type == MD_BLOCK_H) {
        flush_heading(s, ((MD_BLOCK_H_DETAIL *)detail)->level);
    } else if (type == MD_BLOCK_CODE) {
        s->in_code = false;
        if (!is_kind(detail, "plot") || !flush_plot(s))
            flush_code(s, is_kind(detail, "console"));
    } else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
        end_cell(s, detail);
    } else if (type == MD_BLOCK_TABLE) {
        add_gap(s);
        table_add(s->out, s->look, &s->table, s->next);
    } else if (type == MD_BLOCK_HR) {
        add_gap(s);
        add_text(s->out, s->next);
        add_repeated(s->out, sign("\u2500", "-"), s->look->width / 2);
        add_text(s->out, "\n");
    } else {
        flush(s);
    }
    s->depth -= type == MD_BLOCK_UL || type == MD_BLOCK_OL;
    if (type == MD_BLOCK_LI || type == MD_BLOCK_QUOTE)
        end_indent(s);
    return 0;
}

static void add_byte(Setting *s, char byte)
{
    buffer_append(&s->text, &byte, 1);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *setting)
{
    Setting *s = setting;
    (void)detail;
    if (type == MD_SPAN_STRONG)
        add_byte(s, BOLD);
    if (type == MD_SPAN_EM)
        add_byte(s, s->look->styled ? (char)EMPHASIS : '*');
    if (type == MD_SPAN_IMG)
        add_byte(s, '[');
    s->span = s->text.length;
    if (type == MD_SPAN_CODE) {
        add_byte(s, CODE);
        add_byte(s, '`');
    }
    return 0;
}

static void end_formula(Setting *s)
{
    Buffer formula = {0};
    formula_set(&formula, s->text.data + s->span, s->text.length - s->span);
    s->text.length = s->span;
    buffer_append(&s->text, formula.data, formula.length);
    buffer_free(&formula);
    hold_short(s->text.data + s->span, s->text.length - s->span);
}

/* Where a link leads to, or a picture lies, if that is not in this text. A picture beside it is the
 * lesson's lab's, and the reader can have one of their own. */
static void add_place(Setting *s, const MD_ATTRIBUTE *place, bool picture)
{
    int digits = (int)strspn(place->size ? place->text : "", "0123456789");
    if (!place->size || place->text[0] == '#')
        return;
    if (picture && digits) {
        char *own = format_text(" Your own: make lab LESSON=%.*s", digits, place->text);
        add_text(&s->text, own);
        free(own);
        return;
    }
    add_text(&s->text, " (");
    buffer_append(&s->text, place->text, place->size);
    add_text(&s->text, ")");
}

static int leave_span(MD_SPANTYPE type, void *detail, void *setting)
{
    Setting *s = setting;
    if (type == MD_SPAN_STRONG)
        add_byte(s, BOLD);
    if (type == MD_SPAN_EM)
        add_byte(s, s->look->styled ? (char)EMPHASIS : '*');
    if (type == MD_SPAN_IMG)
        add_byte(s, ']');
    if (type == MD_SPAN_CODE) {
        add_byte(s, '`');
        add_byte(s, CODE);
        hold_short(s->text.data + s->span, s->text.length - s->span);
    }
    if (type == MD_SPAN_LATEXMATH)
        end_formula(s);
    if (type == MD_SPAN_LATEXMATH_DISPLAY)
        flush_formula(s);
    if (type == MD_SPAN_A || type == MD_SPAN_IMG)
        add_place(s,
                  type == MD_SPAN_A ? &((MD_SPAN_A_DETAIL *)detail)->href
                                    : &((MD_SPAN_IMG_DETAIL *)detail)->src,
                  type == MD_SPAN_IMG);
    return 0;
}

/* &lt; and the like. */
static void add_entity(Setting *s, const char *text, size_t length)
{
    static const struct {
        const char *name, *means;
    } known[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", "\4"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && !strncmp(known[i].name, text, length)) {
            add_text(&s->text, known[i].means);
            return;
        }
    buffer_append(&s->text, text, length);
}

/* Nothing of it acts on the terminal, or is taken for a style. */
static void add_words(Setting *s, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        int size = utf8_decode(text + i, length - i, &code);
        bool line = code == '\n' && s->in_code;
        if (!size || code == 0x7F || (code >= 0x80 && code < 0xA0) ||
            (code >= 0x2028 && code < 0x202F))
            add_byte(s, '?');
        else if (code < ' ' && !line)
            add_byte(s, ' ');
        else
            buffer_append(&s->text, text + i, (size_t)size);
        i += size ? (size_t)size : 1;
    }
}

static int add_piece(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *setting)
{
    Setting *s = setting;
    if (type == MD_TEXT_BR)
        add_byte(s, LINE_END);
    else if (type == MD_TEXT_SOFTBR)
        add_byte(s, ' ');
    else if (type == MD_TEXT_NULLCHAR)
        add_byte(s, '?');
    else if (type == MD_TEXT_ENTITY)
        add_entity(s, text, size);
    else if (type != MD_TEXT_HTML) /* comments */
        add_words(s, text, size);
    return 0;
}

char *markdown_set(const char *markdown, const Look *look)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES | MD_FLAG_LATEXMATHSPANS,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = add_piece};
    Buffer out = {0};
    Setting *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->out = &out;
    s->look = look;
    bool read = !md_parse(markdown, (MD_SIZE)strlen(markdown), &parser, s);
    for (int i = 0; i < s->table.count; i++)
        free(s->table.cells[i]);
    free(s->table.cells);
    buffer_free(&s->text);
    free(s);
    buffer_append(&out, "", 1);
    if (read)
        return out.data;
    buffer_free(&out);
    return NULL;
}

#else

char *markdown_set(const char *markdown, const Look *look)
{
    (void)markdown;
    (void)look;
    return NULL;
}
#endif
