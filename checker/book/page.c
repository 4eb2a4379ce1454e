/* A text in its page: the head, what is on the page, the pages before and behind it; the index;
 * what the search looks at. See book.h. */
#include "book.h"

#include <stdlib.h>
#include <string.h>

static const char book_title[] = "The Layer Normalization Workbook";

static void add_escaped(Buffer *out, const char *text)
{
    html_escape(out, text, strlen(text));
}

/* ---- what all pages have ---- */
static void begin_page(Buffer *out, const char *title, const char *class)
{
    html_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    add_escaped(out, title);
    html_print(out,
               "</title>\n<link rel=\"icon\" href=\"data:,\">\n"
               "<link rel=\"stylesheet\" href=\"book.css\">\n"
               "<script defer src=\"book.js\"></script>\n</head>\n<body class=\"%s\">\n"
               "<a class=\"skip\" href=\"#text\">To the text</a>\n<header class=\"top\">"
               "<a class=\"home\" href=\"index.html\">%s</a>\n"
               "<form class=\"search\" role=\"search\"><label for=\"search\">Search</label>"
               "<input id=\"search\" type=\"search\" placeholder=\"Search all lessons\" "
               "autocomplete=\"off\" aria-controls=\"found\">"
               "<div id=\"found\" aria-live=\"polite\" hidden></div></form></header>\n",
               class, book_title);
}

static void end_page(Buffer *out)
{
    html_add(out, "</body>\n</html>\n");
}

/* "01 Layer Normalization", from "Lesson 01: Layer Normalization". */
static void add_title(Buffer *out, const Text *text)
{
    const char *title = text->title, *colon = strchr(title, ':');
    if (!strncmp(title, "Lesson ", 7) && colon && colon[1] == ' ') {
        html_add(out, "<span class=\"number\">");
        html_escape(out, title + 7, (size_t)(colon - title) - 7);
        html_add(out, "</span> ");
        title = colon + 2;
    }
    add_escaped(out, title);
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
    html_add(out,
             "<nav class=\"contents\" aria-label=\"On this page\"><p>On this page</p>\n<ul>\n");
    for (int i = 0; i < text->count; i++) {
        const Section *section = &text->sections[i];
        if (section->level < 2 || section->level > 3)
            continue;
        if (figure && section->begins >= place) {
            html_add(out, "<li class=\"level3\"><a href=\"#figure\">The figure</a></li>\n");
            figure = false;
        }
        html_print(out, "<li class=\"level%u\"><a href=\"#%s\">", section->level, section->id);
        add_escaped(out, section->title);
        html_add(out, "</a></li>\n");
    }
    html_add(out, "</ul></nav>\n");
}

static void add_neighbour(Buffer *out, const Text *text, const char *class, const char *word)
{
    if (!text) {
        html_add(out, "<span></span>\n");
        return;
    }
    html_print(out, "<a class=\"%s\" rel=\"%s\" href=\"%s\"><small>%s</small> ", class, class,
               text->file, word);
    add_title(out, text);
    html_add(out, "</a>\n");
}

/* How much of a text's HTML is its title. */
static size_t title_length(const Text *text)
{
    static const char end[] = "</h1>\n";
    const char *at = strstr(text->html.data, end);
    return at ? (size_t)(at - text->html.data) + sizeof end - 1 : 0;
}

/* Behind the title. */
static void add_text(Buffer *out, const Page *page)
{
    const Text *text = page->text;
    const char *html = text->html.data;
    size_t from = title_length(text), place = page->figure ? place_of_figure(text) : from;
    buffer_append(out, html + from, place - from);
    html_add(out, page->figure ? page->figure : "");
    buffer_append(out, html + place, text->html.length - place);
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
        add_escaped(out, page->about->title);
        html_add(out, "</a>.</p>\n");
    }
}

void page_add(Buffer *out, const Page *page)
{
    char *title = format_text("%s \u00B7 %s", page->text->title, book_title);
    begin_page(out, title, page->about ? "mistakes" : "lesson");
    free(title);
    html_add(out, "<main class=\"page\" id=\"text\">\n<div class=\"title\">\n");
    buffer_append(out, page->text->html.data, title_length(page->text));
    html_add(out, page->passed ? "<p class=\"passed\">You passed this lesson.</p>\n" : "");
    html_add(out, "</div>\n");
    add_contents(out, page->text, page->figure);
    html_add(out, "<div class=\"text\">\n");
    add_text(out, page);
    add_asides(out, page);
    html_add(out, "<nav class=\"turn\" aria-label=\"Lessons\">\n");
    add_neighbour(out, page->before, "prev", "\u2190 Before");
    add_neighbour(out, page->behind, "next", "Next \u2192");
    html_add(out, "</nav>\n</div>\n</main>\n");
    end_page(out);
}

/* ---- the index ---- */
/* The first sentence of a text. */
static void add_first_sentence(Buffer *out, const Text *text)
{
    const Section *first = &text->sections[text->count > 1 ? 1 : 0];
    const char *words = first->words.data ? first->words.data : "";
    size_t length = 0;
    while (length < first->words.length && words[length] == ' ') {
        words++;
    }
    while (length < first->words.length - (size_t)(words - first->words.data) &&
           !(length && words[length - 1] == '.' && words[length] == ' '))
        length++;
    html_escape(out, words, length);
}

static void add_needs(Buffer *out, const Needs *needs, int lesson)
{
    const char *between = "builds on ";
    html_add(out, "<small>");
    for (int i = 0; i < needs->lessons->count; i++)
        if (needs->on[lesson][i]) {
            html_print(out, "%s%.2s", between, needs->lessons->names[i]);
            between = ", ";
        }
    html_add(out, "</small>");
}

void index_add(Buffer *out, const Lessons *lessons, Text *const texts[], const bool passed[],
               const Text *slips)
{
    Needs needs;
    needs_read(&needs, lessons);
    begin_page(out, book_title, "index");
    html_print(
        out,
        "<main class=\"page\" id=\"text\">\n<h1>%s</h1>\n"
        "<p>Learn normalization by building it, in C. These are the lessons to read. To write "
        "the functions and have them checked, type <code>make start</code> in the workbook's "
        "folder.</p>\n<ol class=\"lessons\">\n",
        book_title);
    for (int i = 0; i < lessons->count; i++) {
        html_print(out, "<li%s><a href=\"%s\">", passed[i] ? " class=\"done\"" : "",
                   texts[i]->file);
        add_title(out, texts[i]);
        html_print(out, "</a>%s<p>", passed[i] ? " <span class=\"done\">\u2713 passed</span>" : "");
        add_first_sentence(out, texts[i]);
        html_add(out, " ");
        add_needs(out, &needs, i);
        html_add(out, "</p></li>\n");
    }
    html_add(out, "</ol>\n");
    if (slips)
        html_print(out,
                   "<p class=\"aside\"><a href=\"%s\">Slips of the pen</a>, which can happen in "
                   "any lesson.</p>\n",
                   slips->file);
    html_add(out, "</main>\n");
    end_page(out);
}

/* ---- what the search looks at ---- */
static void add_string(Buffer *out, const char *text, size_t length)
{
    bool blank = true;
    html_add(out, "\"");
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if ((unsigned char)c <= ' ') {
            html_add(out, blank ? "" : " ");
            blank = true;
            continue;
        }
        blank = false;
        if (c == '"' || c == '\\')
            html_add(out, "\\");
        buffer_append(out, &c, 1);
    }
    html_add(out, "\"");
}

void search_begin(Buffer *out)
{
    html_add(out, "\"use strict\";\nwindow.bookFound([");
}

void search_add(Buffer *out, const Text *text)
{
    html_add(out, "\n[");
    add_string(out, text->file, strlen(text->file));
    html_add(out, ",");
    add_string(out, text->title, strlen(text->title));
    for (int i = 1; i < text->count; i++) {
        const Section *section = &text->sections[i];
        html_add(out, ",\n[");
        add_string(out, section->id, strlen(section->id));
        html_add(out, ",");
        add_string(out, section->title, strlen(section->title));
        html_add(out, ",");
        add_string(out, section->words.data ? section->words.data : "", section->words.length);
        html_add(out, "]");
    }
    html_add(out, "],");
}

void search_end(Buffer *out)
{
    html_add(out, "\n]);\n");
}
