/* Whatever stands in a learner's file: the parser understands it or is silent, and every change
 * that it leads to can be made. */
#include "fuzz.h"
#include "line.h"

#include <stdlib.h>

/* With the first changes of that definition. */
static void make_text(const Base *base, int definition)
{
    enum { MOST = 200 };
    Edit changes[MOST];
    Sited all[MOST];
    uint32_t numbers[MOST];
    Edits edits = {0};
    Buffer out = {0};
    edits_of(&base->program, definition, &edits);
    int count = edits.count < MOST ? edits.count : MOST;
    for (int i = 0; i < count; i++) {
        changes[i] = placed(base, &edits.items[i], &all[i]);
        numbers[i] = (uint32_t)i + 1;
    }
    append_program(&out, base, &(Changes){changes, all, numbers, count});
    for (int i = 0; i < count; i++)
        free(changes[i].pieces[0].text);
    buffer_free(&out);
    edits_free(&edits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Base base;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    base = (Base){.prelude = text};
    if (program_read(&base.program, text, size))
        for (int i = 0; i < base.program.definition_count; i++) {
            base.asked[i] = base.reached[i] =
                base.program.definitions[i].body >= 0 && base_prepare(&base, i);
            if (base.reached[i])
                make_text(&base, i);
            base.asked[i] = base.reached[i] = false;
        }
    base_free(&base);
    free(text);
    return 0;
}
