/* A text in its page: the head, what is on the page, the pages before and behind it; the index;
 * what the search looks at. See book.h. */
#include "book.h"

#include <stdlib.h>
#include <string.h>

static const char book_title[] = "The Layer Normalization Workbook";
static const char book_about[] = "Learn normalization by building it, in C.";

/* ---- what all pages have ---- */
/* The first sentence of a text. */
static void add_first_sentence(Buffer *out, const Text *text)
{
    const Section *first = &text->sections[text->count > 1 ? 1 : 0];
    const char *words = first->words.data ? first->words.data : "";
    size_t from = 0, to;
    while (from < first->words.length && words[from] == ' ')
        from++;
    for (to = from; to < first->words.length; to++)
        if (to > from && words[to - 1] == '.' && words[to] == ' ')
            break;
    html_escape(out, words + from, to - from);
}

/* "row_mean", of a section "Step 1: row_mean"; NULL: it is none. */
static const char *step_of(const Section *section)
{
    const char *colon = section->title ? strstr(section->title, ": ") : NULL;
    return colon && !strncmp(section->title, "Step ", 5) ? colon + 2 : NULL;
}

/* In the bar: the steps, which write.js marks. */
static void add_steps(Buffer *out, const Text *text)
{
    int number = 0;
    add_text(out, "<nav class=\"steps\" aria-label=\"Steps\">");
    for (int i = 0; i < text->count; i++)
        if (step_of(&text->sections[i])) {
            html_print(out, "<a href=\"#%s\" data-step=\"", text->sections[i].id);
            html_text(out, step_of(&text->sections[i]));
            html_print(out, "\">%d</a>", ++number);
        }
    add_text(out, "</nav>\n");
}

/* "01 Layer Normalization", from "Lesson 01: Layer Normalization". */
static void add_title(Buffer *out, const Text *text)
{
    const char *title = text->title, *colon = strchr(title, ':');
    if (!strncmp(title, "Lesson ", 7) && colon && colon[1] == ' ') {
        add_text(out, "<span class=\"number\">");
        html_escape(out, title + 7, (size_t)(colon - title) - 7);
        add_text(out, "</span> ");
        title = colon + 2;
    }
    html_text(out, title);
}

/* In the bar: all lessons, folded. */
static void add_lessons(Buffer *out, const Page *page)
{
    add_text(out, "<details class=\"all\"><summary>");
    if (page->at < page->count)
        html_print(out, "<span>Lesson</span> %.2s", page->text->file);
    else
        add_text(out, "Lessons");
    add_text(out, "</summary>\n<nav aria-label=\"All lessons\">"
                  "<a href=\"index.html\">The first page</a>\n");
    for (int i = 0; i < page->count; i++) {
        html_print(out, "<a href=\"%s\"%s>", page->lessons[i]->file,
                   i == page->at ? " aria-current=\"page\"" : "");
        add_title(out, page->lessons[i]);
        add_text(out, "</a>\n");
    }
    add_text(out, "</nav></details>\n");
}

/* page: NULL: it is the book's first. written: it has write.js. */
static void begin_page(Buffer *out, const char *title, const Page *page, const char *class,
                       bool written)
{
    add_text(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html_text(out, title);
    add_text(out, "</title>\n<meta name=\"description\" content=\"");
    if (page)
        add_first_sentence(out, page->text);
    else
        html_text(out, book_about);
    html_print(out,
               "\">\n<link rel=\"icon\" href=\"data:,\">\n"
               "<link rel=\"stylesheet\" href=\"book.css\">\n"
               "<script defer src=\"book.js\"></script>\n%s</head>\n<body class=\"%s\">\n"
               "<a class=\"skip\" href=\"#text\">To the text</a>\n<header class=\"top\">"
               "<a class=\"home\" href=\"index.html\">%s</a>\n",
               written ? "<link rel=\"stylesheet\" href=\"write.css\">\n"
                         "<script defer src=\"write.js\"></script>\n"
                       : "",
               class, book_title);
    if (page)
        add_lessons(out, page);
    if (written && page)
        add_steps(out, page->text);
    add_text(
        out,
        "<form class=\"search\" role=\"search\"><label for=\"search\">Search all lessons</label>"
        "<input id=\"search\" type=\"search\" placeholder=\"Search\" "
        "autocomplete=\"off\" aria-controls=\"found\">"
        "<div id=\"found\" aria-live=\"polite\" hidden></div></form></header>\n");
}

void close_page(Buffer *out, const char *stamp)
{
    if (stamp)
        html_print(out, "<data id=\"stamp\" value=\"%s\" hidden></data>\n", stamp);
    add_text(out, "</body>\n</html>\n");
}

/* ---- a text's page ---- */
/* Behind the worked example, or else where the first section would begin. */
static size_t place_of_figure(const Text *text)
{
    size_t place = text->html.length;
    for (int i = text->count - 1; i > 0; i--)
        if (text->sections[i].level == 2)
            place = text->sections[i].begins;
    for (int i = 1; i < text->count; i++)
        if (text->sections[i].level == 2 && !strcmp(text->sections[i].title, "A worked example")) {
            int next = i + 1;
            while (next < text->count && text->sections[next].level > 2)
                next++;
            return next < text->count ? text->sections[next].begins : text->html.length;
        }
    return place;
}

static void add_contents(Buffer *out, const Text *text, bool figure)
{
    size_t place = place_of_figure(text);
    add_text(out,
             "<nav class=\"contents\" aria-label=\"On this page\"><p>On this page</p>\n<ul>\n");
    for (int i = 0; i < text->count; i++) {
        const Section *section = &text->sections[i];
        if (section->level < 2 || section->level > 3)
            continue;
        if (figure && section->begins >= place) {
            add_text(out, "<li class=\"level3\"><a href=\"#figure\">The figure</a></li>\n");
            figure = false;
        }
        html_print(out, "<li class=\"level%u\"><a href=\"#%s\">", section->level, section->id);
        html_text(out, section->title);
        add_text(out, "</a></li>\n");
    }
    add_text(out, "</ul></nav>\n");
}

static void add_neighbour(Buffer *out, const Text *text, const char *class, const char *word)
{
    if (!text) {
        add_text(out, "<span></span>\n");
        return;
    }
    html_print(out, "<a class=\"%s\" rel=\"%s\" href=\"%s\"><small>%s</small> ", class, class,
               text->file, word);
    add_title(out, text);
    add_text(out, "</a>\n");
}

/* How much of a text's HTML is its title. */
static size_t title_length(const Text *text)
{
    static const char end[] = "</h1>\n";
    const char *at = strstr(text->html.data, end);
    return at ? (size_t)(at - text->html.data) + sizeof end - 1 : 0;
}

/* Behind a step, where write.js puts the editor when it is opened there. */
static void add_place_to_write(Buffer *out, const Section *section)
{
    html_print(out, "<section class=\"write\" data-at=\"%s\" data-step=\"", section->id);
    html_text(out, step_of(section));
    add_text(out, "\"></section>\n");
}

/* Does the step that was begun last end here, its own parts with it? */
static bool ends_step(const Text *text, const Section *step, int i)
{
    return step && (i + 1 == text->count || text->sections[i + 1].level <= step->level);
}

/* Behind the title. */
static void add_body(Buffer *out, const Page *page)
{
    const Text *text = page->text;
    const Section *step = NULL;
    size_t at = title_length(text), place = page->figure ? place_of_figure(text) : 0;
    for (int i = 0; i < text->count; i++) {
        const Section *section = &text->sections[i];
        if (section->ends < at)
            continue;
        buffer_append(out, text->html.data + at, section->ends - at);
        at = section->ends;
        if (page->stub && step_of(section))
            step = section;
        if (ends_step(text, step, i)) {
            add_place_to_write(out, step);
            step = NULL;
        }
        if (page->figure && at == place)
            add_text(out, page->figure);
    }
    if (page->stub) {
        html_print(out, "<pre id=\"stub\" data-lesson=\"%.*s\" hidden>",
                   (int)strcspn(text->file, "."), text->file);
        html_text(out, page->stub);
        add_text(out, "</pre>\n");
    }
}

static void add_asides(Buffer *out, const Page *page)
{
    if (page->mistakes)
        html_print(out,
                   "<p class=\"aside\"><a href=\"%s\">The mistakes of this lesson</a>, for when "
                   "the checker names one.</p>\n",
                   page->mistakes->file);
    if (page->about) {
        html_print(out, "<p class=\"aside\">Back to <a href=\"%s\">", page->about->file);
        html_text(out, page->about->title);
        add_text(out, "</a>.</p>\n");
    }
}

void page_add(Buffer *out, const Page *page)
{
    char *title = format_text("%s \u00B7 %s", page->text->title, book_title);
    begin_page(out, title, page, page->about ? "mistakes" : "lesson", page->stub);
    free(title);
    add_text(out, "<main class=\"page\" id=\"text\">\n<div class=\"title\">\n");
    buffer_append(out, page->text->html.data, title_length(page->text));
    add_text(out, page->passed ? "<p class=\"passed\">You passed this lesson.</p>\n" : "");
    add_text(out, "</div>\n");
    add_contents(out, page->text, page->figure);
    add_text(out, "<div class=\"text\">\n");
    add_body(out, page);
    add_asides(out, page);
    add_text(out, "<nav class=\"turn\" aria-label=\"Lessons\">\n");
    add_neighbour(out, page->before, "prev", "\u2190 Before");
    add_neighbour(out, page->behind, "next", "Next \u2192");
    add_text(out, "</nav>\n</div>\n</main>\n");
}

/* ---- the index ---- */
static void add_needs(Buffer *out, const Needs *needs, int lesson)
{
    const char *between = "builds on ";
    add_text(out, "<small>");
    for (int i = 0; i < needs->lessons->count; i++)
        if (needs->on[lesson][i]) {
            html_print(out, "%s%.2s", between, needs->lessons->names[i]);
            between = ", ";
        }
    add_text(out, "</small>");
}

void index_add(Buffer *out, const Lessons *lessons, Text *const texts[], const bool passed[],
               const Text *slips, bool written)
{
    Needs needs;
    needs_read(&needs, lessons);
    begin_page(out, book_title, NULL, "index", written);
    html_print(
        out,
        "<main class=\"page\" id=\"text\">\n<h1>%s</h1>\n"
        "<p>%s These are the lessons to read. To write the functions and have them checked, %stype "
        "<code>make start</code> in the workbook's folder.</p>\n<ol class=\"lessons\">\n",
        book_title, book_about,
        written ? "open a lesson: its page has an editor behind each step. Or " : "");
    for (int i = 0; i < lessons->count; i++) {
        html_print(out, "<li%s><a href=\"%s\">", passed[i] ? " class=\"done\"" : "",
                   texts[i]->file);
        add_title(out, texts[i]);
        html_print(out, "</a>%s<p>", passed[i] ? " <span class=\"done\">\u2713 passed</span>" : "");
        add_first_sentence(out, texts[i]);
        add_text(out, " ");
        add_needs(out, &needs, i);
        add_text(out, "</p></li>\n");
    }
    add_text(out, "</ol>\n");
    if (slips)
        html_print(out,
                   "<p class=\"aside\"><a href=\"%s\">Slips of the pen</a>, which can happen in "
                   "any lesson.</p>\n",
                   slips->file);
    add_text(out, "</main>\n");
}

/* ---- what the search looks at ---- */
static void add_string(Buffer *out, const char *text, size_t length)
{
    bool blank = true;
    add_text(out, "\"");
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if ((unsigned char)c <= ' ') {
            add_text(out, blank ? "" : " ");
            blank = true;
            continue;
        }
        blank = false;
        if (c == '"' || c == '\\')
            add_text(out, "\\");
        buffer_append(out, &c, 1);
    }
    add_text(out, "\"");
}

void search_begin(Buffer *out)
{
    add_text(out, "\"use strict\";\nwindow.bookFound([");
}

void search_add(Buffer *out, const Text *text)
{
    add_text(out, "\n[");
    add_string(out, text->file, strlen(text->file));
    add_text(out, ",");
    add_string(out, text->title, strlen(text->title));
    for (int i = 1; i < text->count; i++) {
        const Section *section = &text->sections[i];
        add_text(out, ",\n[");
        add_string(out, section->id, strlen(section->id));
        add_text(out, ",");
        add_string(out, section->title, strlen(section->title));
        add_text(out, ",");
        add_string(out, section->words.data ? section->words.data : "", section->words.length);
        add_text(out, "]");
    }
    add_text(out, "],");
}

void search_end(Buffer *out)
{
    add_text(out, "\n]);\n");
}
