/* A table in columns that fit: the widest gives way first, and its cells are broken into lines.
 * Where they are too many, cell after cell. See markdown.h. */
#include "markdown.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { GAP = 2 };

void table_cell(Table *table, const char *text, size_t length)
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
            add_repeated(out, locale_is_utf8() ? "\u2500" : "-", widths[c]);
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

void table_add(Buffer *out, const Look *look, Table *table, const char *indent)
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
