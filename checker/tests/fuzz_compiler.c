/* build.c: what the compiler said, the first error in the learner's own file first. Every line that
 * is no noise is shown, or counted as left out. */
#include "../engine/build.c"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *output = as_text(data, size), *error;
    size_t room = strlen(output) + 256;
    char *text = malloc(room);
    require(text);
    arrange(output, "exercises/x.c", text, room);
    require(strlen(text) < room);
    error = malloc(1024);
    require(error);
    snprintf(error, 1024, "%s", text);
    add_advice(error, 1024);
    require(strlen(error) < 1024);
    free(error);
    free(text);
    free(output);
    return 0;
}
