/* stub.c: a learner's file, held against the stub that was handed out. Only the stub is the stub.
 */
#include "run.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    bool whole = is_stub(text, size), all = true;
    static const char *const functions[] = {"row_mean", "row_variance", "layer_norm"};
    for (int i = 0; i < 3; i++)
        all = is_stub_of(text, functions[i]) && all;
    require(!whole || all);
    free(text);
    return 0;
}
