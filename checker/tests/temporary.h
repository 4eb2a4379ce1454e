/* A text as a file, for what reads files: temporary_file(text) is its path. Whoever asks
 * removes it. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unity.h"

/* Holds until the next call. */
static inline const char *temporary_file(const char *text)
{
    static char path[32];
    snprintf(path, sizeof path, "/tmp/unit_text.XXXXXX");
    int file = mkstemp(path);
    TEST_ASSERT_EQUAL((ssize_t)strlen(text), write(file, text, strlen(text)));
    close(file);
    return path;
}

#endif
