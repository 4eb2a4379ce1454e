/* The file behind progress.c: reading it, changing it safely, setting a damaged one aside. */
#ifndef PROGRESS_FILE_H
#define PROGRESS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "cJSON.h"

typedef enum { FILE_READ, FILE_MISSING, FILE_DAMAGED, FILE_REFUSED } FileState;

/* FILE_READ: `*document` is the caller's. FILE_DAMAGED and FILE_REFUSED: `error` says why. Refused
 * is what must be left alone: not readable, not a plain file, or made by a newer workbook. */
FileState progress_read(cJSON **document, char *error, size_t error_size);

/* Locks, reads (a damaged file is set aside, with a word on stderr), lets `change` edit the object
 * of that lesson, and replaces the file. What `change` doesn't touch stays as it is. */
bool progress_change(const char *lesson, void (*change)(cJSON *entry, const void *data),
                     const void *data, char *error, size_t error_size);

#endif
