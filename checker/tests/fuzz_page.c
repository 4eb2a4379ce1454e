/* markdown.h and page.c: a lesson's text, its formulas set for a terminal, wrapped and in ASCII. */
#include "fuzz.h"
#include "markdown.h"
#include "workbook.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Look look = {.width = 20 + (int)(size % 81), .styled = size & 1, .coloured = size & 2};
    char *text = as_text(data, size), *readable = markdown_set(text, &look);
    require(readable);
    for (const char *c = readable; *c; c++)
        require((unsigned char)*c >= ' ' || *c == '\n' || (*c == '\033' && look.styled));
    page(readable);
    print_wrapped(text, (int)(size % 7));
    char *safe = escaped((const char *)data, size);
    for (const char *c = safe; *c; c++)
        require((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t');
    free(safe);
    free(readable);
    free(text);
    return 0;
}
