/* build/bookbinder FOLDER [marks] [write]: writes the book into a folder that is there. With
 * "marks" it says which lessons the learner has passed, and changed.js holds a stamp of every page,
 * by which a page that is open sees that it is another one now. With "write" a lesson's page has an
 * editor. build/bookbinder FOLDER in PLACE: puts a folder into its place. See book.h. */
#include "book.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Lessons lessons;
    Text *texts[MAX_LESSONS], *mistakes[MAX_LESSONS]; /* NULL: there are none */
    Text *slips;
    bool passed[MAX_LESSONS];
    bool marks, write;
    Buffer stamps; /* changed.js */
} Book;

static void die(const char *path)
{
    fprintf(stderr, "%s can't be written: %s\n", path, strerror(errno));
    exit(1);
}

static void write_file(const char *folder, const char *name, const Buffer *text)
{
    char *path = format_text("%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out || fwrite(text->data, 1, text->length, out) != text->length || fclose(out))
        die(path);
    free(path);
}

/* The text in lessons/NAME.md; NULL: there is none. */
static Text *read_text(const Lessons *lessons, const char *name)
{
    char *path = format_text("lessons/%s.md", name), *file = format_text("%s.html", name);
    char *markdown = read_file(path, NULL);
    Text *text = markdown ? malloc(sizeof *text) : NULL;
    if (text && !*markdown) { /* most often in the middle of a save */
        fprintf(stderr, "%s is empty\n", path);
        exit(1);
    }
    if (text && !text_read(text, lessons, markdown, file)) {
        fprintf(stderr, "%s can't be read as Markdown\n", path);
        exit(1);
    }
    free(markdown);
    free(path);
    free(file);
    return text;
}

static void read_book(Book *book)
{
    lessons_find(&book->lessons);
    for (int i = 0; i < book->lessons.count; i++) {
        const char *name = book->lessons.names[i];
        char *mistakes = format_text("%s.mistakes", name);
        book->texts[i] = read_text(&book->lessons, name);
        book->mistakes[i] = read_text(&book->lessons, mistakes);
        book->passed[i] = book->marks && lesson_passed(name);
        free(mistakes);
        if (!book->texts[i]) {
            fprintf(stderr, "lessons/%s.md can't be read: %s\n", name, strerror(errno));
            exit(1);
        }
    }
    book->slips = read_text(&book->lessons, "slips");
}

/* FNV-1a: two pages that differ have stamps that differ, as good as always. */
static uint64_t stamp_of(const Buffer *page)
{
    uint64_t stamp = 0xcbf29ce484222325u;
    for (size_t i = 0; i < page->length; i++)
        stamp = (stamp ^ (unsigned char)page->data[i]) * 0x100000001b3u;
    return stamp;
}

static void finish_page(Book *book, const char *folder, const char *name, Buffer *page)
{
    char *stamp = format_text("%016" PRIx64, stamp_of(page));
    html_print(&book->stamps, "\"%s\": \"%s\",\n", name, stamp);
    close_page(page, book->marks ? stamp : NULL);
    write_file(folder, name, page);
    buffer_free(page);
    free(stamp);
}

static void write_page(Book *book, const char *folder, Page *page)
{
    Buffer out = {0};
    page->lessons = book->texts;
    page->count = book->lessons.count;
    page_add(&out, page);
    finish_page(book, folder, page->text->file, &out);
}

static void write_lesson(Book *book, const char *folder, int i)
{
    const char *name = book->lessons.names[i];
    char *source = format_text("checker/lessons/%s/figure.c", name);
    char *solution = format_text("solutions/%s.c", name);
    char *path = format_text("build/%s/figure.html", name);
    bool made = !access(source, F_OK) && !access(solution, F_OK);
    char *figure = made ? read_file(path, NULL) : NULL; /* not an old one */
    char *handed_out = format_text("checker/lessons/%s/stub.c", name);
    char *stub = book->write ? read_file(handed_out, NULL) : NULL;
    const Text *before = i ? book->texts[i - 1] : NULL;
    const Text *behind = i + 1 < book->lessons.count ? book->texts[i + 1] : NULL;
    write_page(book, folder,
               &(Page){.at = i,
                       .text = book->texts[i],
                       .before = before,
                       .behind = behind,
                       .mistakes = book->mistakes[i],
                       .figure = figure,
                       .stub = stub,
                       .passed = book->passed[i]});
    if (book->mistakes[i])
        write_page(book, folder,
                   &(Page){.at = i, .text = book->mistakes[i], .about = book->texts[i]});
    free(stub);
    free(handed_out);
    free(figure);
    free(path);
    free(source);
    free(solution);
}

static void write_search(const Book *book, const char *folder)
{
    Buffer out = {0};
    search_begin(&out);
    for (int i = 0; i < book->lessons.count; i++) {
        search_add(&out, book->texts[i]);
        if (book->mistakes[i])
            search_add(&out, book->mistakes[i]);
    }
    if (book->slips)
        search_add(&out, book->slips);
    search_end(&out);
    write_file(folder, "search.js", &out);
    buffer_free(&out);
}

static void copy_file(const char *folder, const char *from, const char *name)
{
    Buffer out = {0};
    char *path = format_text("%s/%s", from, name);
    size_t length;
    char *text = read_file(path, &length);
    if (!text)
        die(path);
    buffer_append(&out, text, length);
    write_file(folder, name, &out);
    buffer_free(&out);
    free(text);
    free(path);
}

/* The pictures that lie beside the texts. */
static void copy_pictures(const char *folder)
{
    glob_t found;
    if (glob("lessons/*.svg", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            copy_file(folder, "lessons", strchr(found.gl_pathv[i], '/') + 1);
    globfree(&found);
}

static void free_text(Text *text)
{
    if (text)
        text_free(text);
    free(text);
}

int main(int argc, char **argv)
{
    static Book book;
    Buffer index = {0};
    if (argc < 2) {
        fputs("usage: bookbinder FOLDER [marks] [write] | FOLDER in PLACE\n", stderr);
        return 2;
    }
    if (argc == 4 && !strcmp(argv[2], "in")) {
        if (!place_folder(argv[1], argv[3], true))
            die(argv[3]);
        return 0;
    }
    for (int i = 2; i < argc; i++) {
        book.marks |= !strcmp(argv[i], "marks");
        book.write |= !strcmp(argv[i], "write");
    }
    add_text(&book.stamps, "\"use strict\";\nwindow.bookStamps({\n");
    read_book(&book);
    for (int i = 0; i < book.lessons.count; i++)
        write_lesson(&book, argv[1], i);
    if (book.slips)
        write_page(&book, argv[1], &(Page){.at = book.lessons.count, .text = book.slips});
    index_add(&index, &book.lessons, book.texts, book.passed, book.slips, book.write);
    finish_page(&book, argv[1], "index.html", &index);
    write_search(&book, argv[1]);
    copy_file(argv[1], "checker/book", "book.css");
    copy_file(argv[1], "checker/book", "book.js");
    copy_file(argv[1], "checker/book", "figure.js");
    copy_pictures(argv[1]);
    add_text(&book.stamps, "});\n");
    if (book.marks)
        write_file(argv[1], "changed.js", &book.stamps);
    buffer_free(&book.stamps);
    for (int i = 0; i < book.lessons.count; i++) {
        free_text(book.texts[i]);
        free_text(book.mistakes[i]);
    }
    free_text(book.slips);
    return 0;
}
