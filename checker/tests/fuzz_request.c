/* worker_call.c: a request, as the worker reads it. The learner's code runs beside it and may have
 * written one. What is accepted is placed in the arrays. */
#include "fuzz.h"
#include "worker.h"

/* More would be a quarter of a gigabyte of array for a few bytes of input, which is allowed. */
static bool is_small(const Request *w)
{
    size_t elements = 0;
    for (uint32_t i = 0; i < w->call.count; i++)
        elements += w->call.params[i].length;
    return elements < 100000;
}

/* Nothing has written beside the arrays in between: closing them finds nothing. */
static void place_and_close(const Request *w, Place place)
{
    WireReport report;
    Arguments arguments = place_all(w, false, place);
    require(arguments.float_count <= MAX_SCALARS);
    for (int i = 0; i < (int)w->call.count; i++)
        require(!holds_array(&w->call.params[i]) || array_close(i, &report));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Request w = {.values = NULL};
    Buffer request = {0};
    FrameHead head;
    int file = memfd_create("request", 0);
    require(file >= 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    while (frame_read(file, &request, &head))
        if (read_call(&w, request.data + sizeof head, head.length) && is_small(&w)) {
            place_and_close(&w, BEFORE_A_WALL);
            place_and_close(&w, BEHIND_A_WALL);
        }
    close(file);
    buffer_free(&request);
    return 0;
}
