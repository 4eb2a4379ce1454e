/* formula.c and page.c: a lesson's text, its formulas set for a terminal, wrapped and in ASCII. */
#include "fuzz.h"
#include "prompt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size), *readable = formulas_plain(text);
    require(readable);
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
