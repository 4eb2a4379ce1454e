/* Whatever stands in a learner's file: the parser understands it or is silent, and every change
 * that it leads to can be made. */
#include "edits.h"
#include "fuzz.h"
#include "search.h"

#include <stdlib.h>

/* With the first changes of that definition. */
static void make_text(const Search *s, int definition)
{
    Edit changes[BATCH];
    Sited all[BATCH];
    uint32_t numbers[BATCH];
    Edits edits = {0};
    Buffer out = {0};
    edits_of(&s->program, definition, &edits);
    int count = edits.count < BATCH ? edits.count : BATCH;
    for (int i = 0; i < count; i++) {
        changes[i] = placed(s, &edits.items[i], &all[i]);
        numbers[i] = (uint32_t)i + 1;
    }
    append_program(&out, s, &(Changes){changes, all, numbers, count});
    for (int i = 0; i < count; i++)
        free(changes[i].pieces[0].text);
    buffer_free(&out);
    edits_free(&edits);
}

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
            s.wrong = &s.program.definitions[i];
            s.asked[i] = s.reached[i] = s.wrong->body >= 0 &&
                                        render(&s.program, s.wrong, &s.rendered[i]) &&
                                        find_sites(&s.program, s.wrong, &s.sites[i]);
            if (s.reached[i])
                make_text(&s, i);
            rendered_free(&s.rendered[i]);
            free(s.sites[i].items);
            s.sites[i] = (Sites){0};
            s.asked[i] = s.reached[i] = false;
        }
    program_free(&s.program);
    free(text);
    return 0;
}
