/* The page's side of the checker: all lessons, the core and the emulator as one WebAssembly module,
 * build/page/workbook.wasm, and what it needs of a page.
 *
 *   page.c     what a page calls: a lesson chosen, a text checked or tried
 *   block.c    a block of a lesson's text, run
 *   hint.c     the hints on the step that a learner is at
 *   lab.c      lesson 13's lab, as much of it as takes a moment
 *   system.c   run/system.h without a machine: files that the page has handed in, and a clock
 *   page.js    the module's other side: openWorkbook(), which a worker, a page or node can call; it
 *              says how
 *   pack.c     a program for make: files as one JSON object, {path: text}
 *   page.mk    how they are made: build/page/workbook.wasm, build/page/files.json (what all lessons
 *              need), and for each lesson build/page/NN_name.json
 *
 * An instance is one lesson's from `open` on. What it prints goes out as it comes, by WASI's
 * fd_write: the verdict, and then what is said of the line. A lesson that can't be graded ends it
 * by proc_exit, and page.js makes a new one.
 *
 * The invariants: the learner's code is only ever the emulator's; nothing here asks the page for
 * anything but the time, and a place to come back to where TCC gives a text up. */
#ifndef PAGE_H
#define PAGE_H

#include "run.h"

/* ---- page.c ---- */
CheckOptions page_options(const char *text, size_t length); /* with the line */

/* ---- hint.c ---- */
void hear_nothing(const Listener *listener, const Report *report, Stage stage, int check);

/* What page.js calls by that name. Texts are handed in by malloc(), and stay the caller's. */
#define CALLED(name) __attribute__((export_name(name)))

#endif
