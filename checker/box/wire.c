/* Frames: making them, and reading them in the worker. See wire.h. */
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void frame_open(Buffer *buffer, FrameKind kind, uint64_t token)
{
    buffer->length = 0;
    FrameHead head = {kind, 0, token};
    buffer_append(buffer, &head, sizeof head);
}

void frame_close(Buffer *buffer)
{
    uint32_t payload = (uint32_t)(buffer->length - sizeof(FrameHead));
    memcpy(buffer->data + offsetof(FrameHead, length), &payload, sizeof payload);
}

bool frame_complete(const Buffer *buffer, FrameHead *head)
{
    *head = (FrameHead){0};
    if (buffer->length < sizeof *head)
        return false;
    memcpy(head, buffer->data, sizeof *head);
    return head->length <= MAX_PAYLOAD && buffer->length - sizeof *head >= head->length;
}

bool write_all(int fd, const void *data, size_t length)
{
    const char *at = data;
    while (length > 0) {
        ssize_t done = write(fd, at, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        length -= (size_t)done;
    }
    return true;
}

bool frame_read(int fd, Buffer *buffer, FrameHead *head)
{
    buffer->length = 0;
    while (!frame_complete(buffer, head)) {
        size_t missing = head->kind ? head->length + sizeof *head - buffer->length : 16384;
        if (missing > MAX_PAYLOAD)
            return false;
        ssize_t got = read(fd, buffer_room(buffer, missing), missing);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        buffer->length += (size_t)got;
    }
    return true;
}
