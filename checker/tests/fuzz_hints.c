/* hint.c: a lesson's .hints. Any hint of any function is a text or none. */
#include "fuzz.h"
#include "workbook.h"

#include <sys/stat.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    enter_scratch("hints");
    require(!mkdir("lessons", 0700));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const steps[] = {"row_mean", "layer_norm", ""};
    write_file("lessons/01_layer_norm.hints", data, size);
    for (int step = 0; step < 3; step++)
        for (int tier = 0; tier <= 4; tier++)
            free(hint_text("01_layer_norm", steps[step], tier));
    return 0;
}
