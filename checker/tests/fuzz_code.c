/* class/code.c: what of a stranger's text is code, and which functions stand in it. */
#include "fuzz.h"

#include "../class/class.h"

#include <ctype.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 8 };
    Named found[MOST];
    Buffer code = {0}, again = {0};
    char *text = as_text(data, size);
    require(code_alone(text, size, &code) <= size);
    require(code.length <= 3 * size); /* '0' for a character that is never closed */
    require(!code_alone(code.data, code.length, &again)); /* no #if is left */
    require(again.length == code.length && !memcmp(again.data, code.data, code.length));
    int count = functions_in(text, size, found, MOST);
    require(count >= 0 && count <= MOST);
    for (int i = 0; i < count; i++) {
        require(found[i].name[0]);
        for (const char *c = found[i].name; *c; c++)
            require(isalnum((unsigned char)*c) || *c == '_');
        require(memmem(code.data, code.length, found[i].name, strlen(found[i].name)));
    }
    buffer_free(&again);
    buffer_free(&code);
    free(text);
    return 0;
}
