/* Whatever stands in a learner's file: the parser understands it or is silent, and every change
 * that it leads to can be made. */
#include "edits.h"
#include "fuzz.h"
#include "search.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Search s;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    s = (Search){.prelude = text};
    if (program_read(&s.program, text, size))
        for (int i = 0; i < s.program.definition_count; i++) {
            Edits edits = {0};
            Buffer out = {0};
            s.wrong = &s.program.definitions[i];
            s.asked[i] = s.reached[i] =
                s.wrong->body >= 0 && render(&s.program, s.wrong, &s.rendered[i]);
            if (s.reached[i])
                edits_of(&s.program, i, &edits);
            for (int k = 0; k < edits.count && k < 200; k++) {
                out.length = 0;
                append_copy(&out, &s, (unsigned)k, &edits.items[k]);
            }
            buffer_free(&out);
            edits_free(&edits);
            rendered_free(&s.rendered[i]);
            s.asked[i] = s.reached[i] = false;
        }
    program_free(&s.program);
    free(text);
    return 0;
}
