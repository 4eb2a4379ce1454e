/* Bytes that grow. The invariant: what is appended is there, or the program has ended. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

void *buffer_room(Buffer *buffer, size_t length)
{
    if (buffer->room - buffer->length < length) {
        size_t room = buffer->room ? buffer->room : 4096;
        while (room - buffer->length < length)
            room *= 2;
        char *data = realloc(buffer->data, room);
        if (!data)
            abort();
        buffer->data = data;
        buffer->room = room;
    }
    return buffer->data + buffer->length;
}

void buffer_append(Buffer *buffer, const void *data, size_t length)
{
    if (length == 0)
        return;
    memcpy(buffer_room(buffer, length), data, length);
    buffer->length += length;
}

void buffer_free(Buffer *buffer)
{
    free(buffer->data);
    *buffer = (Buffer){0};
}
