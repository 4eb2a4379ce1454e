/* What everything that prints needs, and a Buffer. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- text.c ---- */
const char *mark_pass(void); /* a tick or "ok", by the locale; with colour only on a terminal */
const char *mark_fail(void);
const char *mark_skip(void);
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "y[1][3]: expected 0.5393, got 0.4824 (off by 0.057, allowed 0.0000012)". Caller frees. */
char *numbers_line(const char *where, double expected, double got, double allowed);
/* The character at the start of `text`: its bytes, 1 to 4; 0 when it is not valid UTF-8. */
int utf8_decode(const char *text, size_t length, uint32_t *code);
/* Learner output for a terminal: control characters and invalid UTF-8 made visible. Caller frees.
 */
char *escaped(const char *text, size_t length);
bool word_in(const char *words, const char *word); /* "b" in "a b c"; NULL words hold every word */
/* "mean, rstd and y"; "" for none. Caller frees. */
char *joined_names(const char *const *names, int count);
void put_on_one_line(char *text); /* a '?' for what would begin another */
/* In front of every line that is not the checker's own: the learner's, the compiler's. */
#define BAR "  | "
/* Writes a text, escaped, and ends its line. The first line starts with `first` and every other one
 * with `next`, those too that a terminal would begin because a line is too long for it. */
void write_lines(FILE *out, const char *first, const char *next, const char *text, size_t length);
/* Everything printed there has arrived. False, with a word on stderr: a full disk, a closed pipe; a
 * program must not end as a success then. Call it once, at the end. */
bool delivered(FILE *out);

/* ---- bar.c ---- */
/* How far something is, on one line of the terminal (stderr), wiped at the end; only on a terminal.
 */
void show_progress(long done, long total, const char *what);

/* ---- buffer.c ---- */
typedef struct {
    char *data;
    size_t length, room;
} Buffer;

/* Makes room for `length` more bytes and returns where they go. */
void *buffer_room(Buffer *buffer, size_t length);
void buffer_append(Buffer *buffer, const void *data, size_t length);
void buffer_free(Buffer *buffer);

#endif
