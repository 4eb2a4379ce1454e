/* complaint.c: any text, with any error of a compiler's at any place of it. A line, what it says on
 * it, and nothing that is longer than it may be. */
#include "emulator.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *message = as_text(data, size), error[512];
    char *text = strchr(message, '\n');
    if (text && text[1]) {
        *text++ = '\0';
        const size_t length = strlen(text + 1);
        const RunnerOptions options = {.source = "x.c",
                                       .text = text + 1,
                                       .length = length,
                                       .header = "include/01_layer_norm.h"};
        snprintf(error, sizeof error, "x.c:1: error: %s", message);
        complain(&options, length * (unsigned char)*text / 255, error, sizeof error);
        require(!strncmp(error, "x.c:", 4) && strlen(error) < sizeof error);
    }
    free(message);
    return 0;
}
