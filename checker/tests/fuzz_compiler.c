/* build.c: what the compiler said, the first error in the learner's own file first. Every line that
 * is no noise is shown, or counted as left out. */
#include "../box/build.c"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *output = as_text(data, size), error[1024];
    size_t room = strlen(output) + 256;
    char *text = calloc(room, 1);
    require(text);
    arrange(output, "exercises/x.c", text, room);
    require(strlen(text) < room);
    copy_lines(error, sizeof error, text);
    advice_on(error, "");
    require(strlen(error) < sizeof error);
    free(text);
    free(output);
    return 0;
}
