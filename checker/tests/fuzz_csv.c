/* class/csv.c: a table of a teacher's, whose every byte belongs to one record. */
#include "fuzz.h"

#include "../class/class.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Sheet table;
    Record record;
    char *text = as_text(data, size);
    size_t length = strlen(text), at = 0;
    sheet_open(&table, text);
    while (sheet_next(&table, &record)) {
        require(record.begin == at && record.end > at && record.end <= length);
        require(record.count > 0 && record.count <= MOST_CELLS);
        size_t cell = record.begin;
        for (int i = 0; i < record.count; i++) {
            require(record.first[i] == cell && record.behind[i] >= cell);
            require(record.behind[i] <= record.end);
            require(strlen(record.cells[i]) <= record.behind[i] - cell);
            cell = record.behind[i] + 1;
        }
        require(record.count == MOST_CELLS || cell >= record.end);
        at = record.end;
    }
    require(table.damaged || at == length);
    sheet_close(&table);
    free(text);
    return 0;
}
