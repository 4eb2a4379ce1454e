/* known.c: what a learner types behind `try`. What is kept is a table of numbers, once each. */
#include "run.h"
#include "fuzz.h"
#include "try.h"

const Lesson lesson = {0};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    KnownList list = {0};
    char error[512] = "", *text = as_text(data, size);
    if (known_parse(&list, text, "x", error, sizeof error))
        for (int i = 0; i < list.count; i++)
            require(list.items[i].rows > 0 && list.items[i].columns > 0 &&
                    known_find(&list, list.items[i].name) == &list.items[i]);
    else
        require(error[0]);
    known_free(&list);
    free(text);
    return 0;
}
