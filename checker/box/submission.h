/* The file to grade.
 *
 * The invariant: it is opened once. What is compiled, compared with the stub and shown is that one
 * reading, whatever becomes of the file in the meantime. */
#ifndef SUBMISSION_H
#define SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>

/* ---- submission.c ---- */
/* Its whole text, with a '\0' behind it. NULL: `error` says why it is not graded. Caller frees. */
char *submission_read(const char *path, size_t *length, char *error, size_t error_size);

/* ---- stub.c: what of that text is still as it was handed out ---- */
bool is_stub(const char *text, size_t length);           /* the whole file */
bool is_stub_of(const char *text, const char *function); /* that function */

#endif
