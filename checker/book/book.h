/* The book: the lessons as pages for a browser, which `make book` writes to build/book/.
 *
 *   main.c       which pages there are, and the files
 *   text.c       a Markdown text, parsed by md4c -> HTML, and its sections
 *   mathml.c     a formula in TeX                -> MathML
 *   prose.c      mathematics within a sentence   -> the same, typeset
 *   highlight.c  code                            -> the same, with its parts marked
 *   plot_svg.c   numbers (checker/workbook/plot.h) -> a picture, as SVG (checker/workbook/curves.h)
 *   diagram.c    a diagram of characters         -> the same, as SVG
 *   page.c       a text                          -> a whole page: its head, contents, neighbours
 *   place.c      the new book                    -> in the place of the one before, at once
 *   book.css, book.js   how it looks; the search, and staying at its place when it changes
 *   write.js     where a learner writes: the editor, the verdict, what is kept. The files that it
 *                imports say what each does; bundle.sh puts them together
 *   figure.h     a lesson's figure, drawn by still.c and moved by module.c: programs of its own
 *
 * The invariant: a page asks for nothing from outside its folder, and whatever a text holds, it is
 * shown as characters and never taken for HTML. */
#ifndef BOOK_H
#define BOOK_H

#include <stdbool.h>

#include "markup.h"
#include "workbook.h"

/* ---- highlight.c ---- */
void highlight_c(Buffer *out, const char *code, size_t length);
void highlight_console(Buffer *out, const char *code, size_t length);

/* ---- mathml.c ---- */
void mathml_add(Buffer *out, const char *tex, size_t length, bool display);

/* ---- prose.c ---- */
void prose_add(Buffer *out, const char *text, size_t length);

/* ---- plot_svg.c ---- */
/* block: the text of a block `plot`. False: it is none. */
bool plot_add_svg(Buffer *out, const char *block, size_t length);

/* ---- diagram.c ---- */
/* block: the text of a block without a word. False: it is no diagram. */
bool diagram_add_svg(Buffer *out, const char *block, size_t length);

/* ---- text.c ---- */
enum { MOST_SECTIONS = 100 };
typedef struct {
    unsigned level;
    char *id, *title;    /* plain */
    Buffer words;        /* what the search looks at: the text without its code */
    size_t begins, ends; /* in the page's HTML, its heading with it */
} Section;

typedef struct {
    const char *lesson; /* NULL: it belongs to none */
    char *file;         /* "01_layer_norm.html" */
    char *title;
    Buffer html;
    Section sections[MOST_SECTIONS]; /* the first is what stands before any heading */
    int count;
} Text;
/* False: md4c can't read it. `file` is the page's name. */
bool text_read(Text *text, const Lessons *lessons, const char *markdown, const char *file);
void text_free(Text *text);

/* ---- page.c ---- */
typedef struct {
    Text *const *lessons; /* all, for the bar; at: where this page is in them, or behind them */
    int count, at;
    const Text *text, *before, *behind; /* NULL: there is none */
    const Text *mistakes;               /* of the lesson, or NULL */
    const Text *about;                  /* on a page of mistakes: the lesson */
    const char *figure;                 /* HTML, or NULL */
    const char *stub;                   /* what a learner begins with; NULL: no editor here */
    bool passed;
} Page;
/* These two leave a page open: what is in it is known before its end. */
void page_add(Buffer *out, const Page *page);
/* The page of contents. passed: of each lesson; written: the lessons have editors. */
void index_add(Buffer *out, const Lessons *lessons, Text *const texts[], const bool passed[],
               const Text *slips, bool written);
void close_page(Buffer *out, const char *stamp); /* stamp: what changed.js says of it, or NULL */
/* All sections, as a script that the search loads. */
void search_begin(Buffer *out);
void search_add(Buffer *out, const Text *text);
void search_end(Buffer *out);

/* ---- place.c ---- */
/* The folder gets to this place; what was there is where the folder was then, or beside it, as
 * FOLDER.1 and so on. at_once: by one exchange, where there is one. False: errno. */
bool place_folder(const char *folder, const char *place, bool at_once);

#endif
