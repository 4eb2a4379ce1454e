/* Tables as spreadsheets and courses' systems write them: RFC 4180, with any of , ; and a tab
 * between cells. See class.h.
 *
 * The invariant: what is read can be written back byte for byte: of each cell it is known where it
 * stands in the text. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

char *trimmed(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* What stands between cells is what first stands so in the heading, outside of quotes. */
void sheet_open(Sheet *table, const char *text)
{
    bool quoted = false;
    const char *at = text;
    for (; *at && (quoted || (*at != '\n' && !strchr(",;\t", *at))); at++)
        quoted = quoted != (*at == '"');
    *table = (Sheet){.text = text, .copy = format_text("%s", text)};
    table->between = *at && *at != '\n' ? *at : '\n';
    table->at = table->copy;
}

void sheet_close(Sheet *table)
{
    free(table->copy);
}

/* The copy is changed on the way: a cell without its quotes is not longer. */
bool sheet_next(Sheet *table, Record *record)
{
    char *at = table->at, *to = at, end;
    bool quoted;
    record->count = 0;
    record->begin = (size_t)(at - table->copy);
    if (table->damaged || !*at)
        return false;
    do {
        char *cell = to;
        size_t begin = (size_t)(at - table->copy);
        quoted = *at == '"';
        at += quoted;
        while (*at && (quoted || (*at != table->between && *at != '\n'))) {
            if (quoted && *at == '"' && at[1] != '"') {
                quoted = false;
                at++;
                continue;
            }
            at += quoted && *at == '"';
            *to++ = *at++;
        }
        size_t stop = (size_t)(at - table->copy);
        end = *at;
        at += end != '\0';
        *to++ = '\0';
        if (record->count < MOST_CELLS) {
            record->first[record->count] = begin;
            record->behind[record->count] = stop;
            record->cells[record->count++] = trimmed(cell);
        }
    } while (end && end != '\n');
    table->at = at;
    table->damaged = quoted;
    record->end = (size_t)(at - table->copy);
    return !quoted;
}
