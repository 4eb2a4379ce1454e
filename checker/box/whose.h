/* Whose a file is by its name, where one folder holds the files of several students.
 *
 * The invariant: one rule for what the compiler may read (box.h) and for what comes along when a
 * class is graded (class/). A name is compared and copied, never opened by what it says. */
#ifndef WHOSE_H
#define WHOSE_H

#include <stdbool.h>

typedef struct {
    char name[256]; /* the student's, as it stands in the file's name */
    char id[32];    /* the number that Moodle or Canvas gave the student; "" */
    char file[256]; /* what is left of the name: the file's own; "" */
    bool of_moodle; /* the number is Moodle's */
    bool late;      /* Canvas says so */
} Whose;

/* As a course's system calls what was handed in: "Ada L_12345_assignsubmission_file_own.h" by
 * Moodle, "lovelaceada_LATE_4711_815_own.h" by Canvas. */
bool whose_by_course(const char *name, Whose *found);
/* Does this file, by its name, belong to another student than `own`? */
bool is_of_another(const char *name, const char *own);
/* Is that header one of the student's whose file is `own`, beside which it lies? `shared`: some
 * file there is of another's. */
bool is_own_header(const char *header, const char *own, bool shared);

#endif
