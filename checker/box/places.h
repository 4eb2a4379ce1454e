/* Which files the compiler may read while it compiles a learner's file: what it needs to work
 * (build/toolchain), include/, the headers beside the learner's own file (of several students' in
 * one folder, those that begin with the student's name), and the run's folder.
 *
 * The invariant: one list for every way of holding the compiler to it. What is not in it is no
 * business of a learner's file: not the solutions, nor another student's, nor anything else here.
 */
#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>

typedef struct {
    char **paths; /* files, and folders with all that is below them */
    int count, room;
    char *folder; /* the run's own, as well: the only one that is written in */
} Places;

/* The places for the compiler of `source`. False: build/toolchain can't be read. */
bool places_find(Places *places, const char *source, const char *folder);
/* Turns the paths into those without links, for places_hold(). */
void places_resolve(Places *places);
/* Is that file in one of them? All paths are without links. */
bool places_hold(const Places *places, const char *path);
bool lies_in(const char *path, const char *place);
void places_free(Places *places);

#endif
