/* A Markdown text as HTML, by md4c's calls. HTML within the text is left out: lessons hold none but
 * comments. See book.h. */
#include "book.h"

#include <ctype.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN, IN_CODE, IN_INLINE_CODE, IN_FORMULA, IN_PICTURE };

typedef struct {
    Text *text;
    const Lessons *lessons;
    Buffer gathered; /* of a block of code, a formula or `code` */
    size_t heading;  /* where in the section's words its title begins */
    int state;
    bool in_heading, in_head, example; /* example: "try" it in C */
    unsigned level;
} Writer;

static Section *section(Writer *w)
{
    return &w->text->sections[w->text->count - 1];
}

/* ---- sections ---- */
static bool is_taken(const Text *text, const char *id)
{
    for (int i = 0; i + 1 < text->count; i++)
        if (text->sections[i].id && !strcmp(text->sections[i].id, id))
            return true;
    return !strcmp(id, "text") || !strcmp(id, "figure") || !strcmp(id, "contents");
}

/* "What it is and why" becomes what-it-is-and-why. Caller frees. */
static char *id_of(const Text *text, const char *title)
{
    Buffer id = {0};
    for (const char *c = title; *c; c++) {
        char low = (char)tolower((unsigned char)*c);
        if (isalnum((unsigned char)low) && (unsigned char)low < 0x80)
            buffer_append(&id, &low, 1);
        else if (id.length && id.data[id.length - 1] != '-')
            add_text(&id, "-");
    }
    while (id.length && id.data[id.length - 1] == '-')
        id.length--;
    buffer_append(&id, "", 1);
    char *made = format_text("%s", *id.data ? id.data : "section");
    for (int n = 2; is_taken(text, made); n++) {
        free(made);
        made = format_text("%s-%d", id.data, n);
    }
    buffer_free(&id);
    return made;
}

static void begin_heading(Writer *w, unsigned level)
{
    Text *text = w->text;
    section(w)->ends = text->html.length;
    if (text->count < MOST_SECTIONS)
        text->count++;
    Section *here = section(w);
    here->level = level;
    here->begins = text->html.length;
    w->heading = here->words.length;
    w->in_heading = true;
    w->level = level;
    buffer_free(&w->gathered);
}

static void end_heading(Writer *w)
{
    Section *here = section(w);
    Buffer *out = &w->text->html;
    char *title = format_text("%.*s", (int)(here->words.length - w->heading),
                              here->words.data ? here->words.data + w->heading : "");
    here->words.length = w->heading;
    here->title = title;
    here->id = id_of(w->text, title);
    html_print(out, "<h%u id=\"%s\">", w->level, here->id);
    buffer_append(out, w->gathered.data ? w->gathered.data : "", w->gathered.length);
    if (w->level > 1) {
        html_print(out, "<a class=\"anchor\" href=\"#%s\" aria-label=\"Link to: ", here->id);
        html_escape(out, title, strlen(title));
        add_text(out, "\">#</a>");
    } else if (!w->text->title) {
        w->text->title = format_text("%s", title);
    }
    html_print(out, "</h%u>\n", w->level);
    w->in_heading = false;
    buffer_free(&w->gathered);
}

/* ---- links that the text does not write as such ---- */
static void add_link(Writer *w, Buffer *out, const char *file, const char *words, size_t length)
{
    bool here = !strcmp(file, w->text->file);
    if (!here)
        html_print(out, "<a href=\"%s\">", file);
    html_escape(out, words, length);
    add_text(out, here ? "" : "</a>");
}

/* "lesson 05" at the beginning of what is left: its page, and how long these words are. */
static const char *named_lesson(const Writer *w, const char *text, size_t left, size_t *length)
{
    static const char word[] = "lesson ";
    size_t n = sizeof word - 1;
    if (left < n + 2 || strncasecmp(text, word, n) != 0 || !isdigit((unsigned char)text[n]) ||
        !isdigit((unsigned char)text[n + 1]) ||
        (left > n + 2 && isdigit((unsigned char)text[n + 2])))
        return NULL;
    char number[] = {text[n], text[n + 1], '\0'};
    *length = n + 2;
    return lesson_find(w->lessons, number);
}

static void add_plain(Writer *w, Buffer *out, const char *text, size_t length)
{
    size_t from = 0, named = 0;
    for (size_t i = 0; i < length; i++) {
        const char *lesson = w->in_heading ? NULL : named_lesson(w, text + i, length - i, &named);
        if (!lesson || (i && isalpha((unsigned char)text[i - 1])))
            continue;
        char *file = format_text("%s.html", lesson);
        prose_add(out, text + from, i - from);
        add_link(w, out, file, text + i, named);
        free(file);
        from = i + named;
        i = from - 1;
    }
    prose_add(out, text + from, length - from);
}

/* `lessons/01_layer_norm.md` leads to its page. */
static void add_code(Writer *w, Buffer *out)
{
    static const char folder[] = "lessons/";
    const char *code = w->gathered.data ? w->gathered.data : "";
    size_t length = w->gathered.length, n = sizeof folder - 1;
    char *file = NULL;
    if (length > n + 3 && !strncmp(code, folder, n) && !strncmp(code + length - 3, ".md", 3)) {
        file = format_text("%.*s.html", (int)(length - n - 3), code + n);
        char *lesson = format_text("%.*s", (int)strcspn(file, "."), file);
        if (!lesson_find(w->lessons, lesson) && strcmp(lesson, "slips") != 0) {
            free(file);
            file = NULL;
        }
        free(lesson);
    }
    add_text(out, "<code>");
    if (file)
        add_link(w, out, file, code, length);
    else
        html_escape(out, code, length);
    add_text(out, "</code>");
    free(file);
}

/* ---- blocks ---- */
static bool is_word(const MD_ATTRIBUTE *attribute, const char *word)
{
    size_t length = strlen(word);
    return attribute->size >= length && !strncmp(attribute->text, word, length) &&
           (attribute->size == length || attribute->text[length] == ' ');
}

static bool begins_with(const char *text, size_t length, const char *words)
{
    return length >= strlen(words) && !strncmp(text, words, strlen(words));
}

static void add_block_of_code(Buffer *out, const MD_BLOCK_CODE_DETAIL *code, const char *text,
                              size_t length)
{
    const char *known[] = {"c", "console", "output", ""};
    int kind = 0;
    while (kind < 3 && !is_word(&code->lang, known[kind]))
        kind++;
    bool run = kind == 0 && code->info.size == 5 && !strncmp(code->info.text, "c run", 5);
    bool lab = kind == 1 && begins_with(text, length, "$ make lab");
    bool race = kind == 1 && begins_with(text, length, "$ make race");
    html_print(out, "%s<pre class=\"%s%s\"><code>", run ? "<div class=\"block-tools\"></div>" : "",
               known[kind],
               run    ? " run"
               : lab  ? " machine lab"
               : race ? " machine race"
                      : "");
    if (kind == 0)
        highlight_c(out, text, length);
    else if (kind == 1)
        highlight_console(out, text, length);
    else
        html_escape(out, text, length);
    add_text(out, "</code></pre>\n");
}

static void end_code(Writer *w, const MD_BLOCK_CODE_DETAIL *code)
{
    Buffer *out = &w->text->html;
    buffer_append(&w->gathered, "", 1);
    size_t length = w->gathered.length - 1;
    bool drawn = is_word(&code->lang, "plot") ? plot_add_svg(out, w->gathered.data, length)
                 : !code->lang.size           ? diagram_add_svg(out, w->gathered.data, length)
                                              : false;
    if (!drawn)
        add_block_of_code(out, code, w->gathered.data, length);
    buffer_free(&w->gathered);
    w->state = PLAIN;
}

static const char *element_of(MD_BLOCKTYPE type)
{
    switch (type) {
    case MD_BLOCK_QUOTE:
        return "blockquote";
    case MD_BLOCK_UL:
        return "ul";
    case MD_BLOCK_OL:
        return "ol";
    case MD_BLOCK_LI:
        return "li";
    case MD_BLOCK_P:
        return "p";
    case MD_BLOCK_THEAD:
        return "thead";
    case MD_BLOCK_TBODY:
        return "tbody";
    case MD_BLOCK_TR:
        return "tr";
    default:
        return NULL;
    }
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *writer)
{
    Writer *w = writer;
    Buffer *out = &w->text->html;
    const char *element = element_of(type);
    if (type == MD_BLOCK_H) {
        begin_heading(w, ((MD_BLOCK_H_DETAIL *)detail)->level);
    } else if (type == MD_BLOCK_CODE) {
        w->state = IN_CODE;
    } else if (type == MD_BLOCK_HR) {
        add_text(out, "<hr>\n");
    } else if (type == MD_BLOCK_TABLE) {
        add_text(out, "<div class=\"table\"><table>\n");
    } else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
        bool right = ((MD_BLOCK_TD_DETAIL *)detail)->align == MD_ALIGN_RIGHT;
        html_print(out, "<t%c%s>", type == MD_BLOCK_TH ? 'h' : 'd',
                   right ? " class=\"right\"" : "");
    } else if (type == MD_BLOCK_OL && ((MD_BLOCK_OL_DETAIL *)detail)->start != 1) {
        html_print(out, "<ol start=\"%u\">", ((MD_BLOCK_OL_DETAIL *)detail)->start);
    } else if (element) {
        html_print(out, "<%s>", element);
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *writer)
{
    Writer *w = writer;
    Buffer *out = &w->text->html;
    const char *element = element_of(type);
    if (type == MD_BLOCK_H)
        end_heading(w);
    else if (type == MD_BLOCK_CODE)
        end_code(w, detail);
    else if (type == MD_BLOCK_TABLE)
        add_text(out, "</table></div>\n");
    else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        add_text(out, type == MD_BLOCK_TH ? "</th>" : "</td>");
    else if (element)
        html_print(out, "</%s>\n", element);
    if (type != MD_BLOCK_H)
        add_text(&section(w)->words, " ");
    return 0;
}

/* ---- spans ---- */
static Buffer *where(Writer *w)
{
    return w->in_heading ? &w->gathered : &w->text->html;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *writer)
{
    Writer *w = writer;
    if (w->state == IN_PICTURE) /* its words are plain */
        return 0;
    if (type == MD_SPAN_STRONG || type == MD_SPAN_EM) {
        add_text(where(w), type == MD_SPAN_EM ? "<em>" : "<strong>");
    } else if (type == MD_SPAN_CODE && w->in_heading) {
        add_text(where(w), "<code>");
    } else if (type == MD_SPAN_CODE) {
        w->state = IN_INLINE_CODE;
    } else if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
        w->state = IN_FORMULA;
    } else if (type == MD_SPAN_IMG) {
        w->state = IN_PICTURE;
    } else if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *to = &((MD_SPAN_A_DETAIL *)detail)->href;
        add_text(where(w), "<a href=\"");
        html_escape(where(w), to->text, to->size);
        add_text(where(w), "\">");
    }
    return 0;
}

/* A picture that lies beside the text, with the room that it takes, which so is there before it. */
static void add_picture(Writer *w, const MD_ATTRIBUTE *from)
{
    char *path = format_text("lessons/%.*s", (int)from->size, from->text), *svg;
    int width, height;
    add_text(&w->text->html, "<img loading=\"lazy\" src=\"");
    html_escape(&w->text->html, from->text, from->size);
    if ((svg = read_file(path, NULL)) &&
        sscanf(svg, "<svg xmlns=\"%*[^\"]\" width=\"%d\" height=\"%d\"", &width, &height) == 2)
        html_print(&w->text->html, "\" width=\"%d\" height=\"%d", width, height);
    add_text(&w->text->html, "\" alt=\"");
    html_escape(&w->text->html, w->gathered.data, w->gathered.length);
    add_text(&w->text->html, "\">");
    free(svg);
    free(path);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *writer)
{
    Writer *w = writer;
    if (w->state == IN_PICTURE && type != MD_SPAN_IMG)
        return 0;
    if (type == MD_SPAN_STRONG || type == MD_SPAN_EM) {
        add_text(where(w), type == MD_SPAN_EM ? "</em>" : "</strong>");
    } else if (type == MD_SPAN_CODE && w->in_heading) {
        add_text(where(w), "</code>");
    } else if (type == MD_SPAN_CODE) {
        add_code(w, &w->text->html);
    } else if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY) {
        mathml_add(&w->text->html, w->gathered.data ? w->gathered.data : "", w->gathered.length,
                   type == MD_SPAN_LATEXMATH_DISPLAY);
    } else if (type == MD_SPAN_IMG) {
        add_picture(w, &((MD_SPAN_IMG_DETAIL *)detail)->src);
    } else if (type == MD_SPAN_A) {
        add_text(where(w), "</a>");
    }
    if (w->state == IN_INLINE_CODE || w->state == IN_FORMULA || w->state == IN_PICTURE) {
        w->state = PLAIN;
        buffer_free(&w->gathered);
    }
    return 0;
}

/* "&lt;" and the like, as what they mean. */
static void add_entity(Buffer *words, const char *text, size_t length)
{
    static const char *const known[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", " "}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i][0]) == length && !strncmp(known[i][0], text, length))
            add_text(words, known[i][1]);
}

static int add_piece(MD_TEXTTYPE type, const MD_CHAR *piece, MD_SIZE size, void *writer)
{
    Writer *w = writer;
    const char *text = piece;
    size_t length = size;
    if (type == MD_TEXT_HTML)
        return 0;
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR || type == MD_TEXT_NULLCHAR) {
        text = " ";
        length = 1;
    }
    if (type == MD_TEXT_ENTITY)
        add_entity(&section(w)->words, text, length);
    else if (w->state != IN_CODE && w->state != IN_FORMULA)
        buffer_append(&section(w)->words, text, length);
    if (w->state != PLAIN)
        buffer_append(&w->gathered, text, length);
    else if (type == MD_TEXT_ENTITY)
        buffer_append(where(w), text, length);
    else if (type == MD_TEXT_BR)
        add_text(where(w), "<br>");
    else
        add_plain(w, where(w), text, length);
    return 0;
}

bool text_read(Text *text, const Lessons *lessons, const char *markdown, const char *file)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES | MD_FLAG_LATEXMATHSPANS,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = add_piece};
    Writer writer = {.text = text, .lessons = lessons};
    *text = (Text){.file = format_text("%s", file), .count = 1};
    bool read = !md_parse(markdown, (MD_SIZE)strlen(markdown), &parser, &writer);
    section(&writer)->ends = text->html.length;
    buffer_append(&text->html, "", 1); /* behind what counts: it is a string, too */
    text->html.length--;
    buffer_free(&writer.gathered);
    if (!text->title)
        text->title = format_text("%s", file);
    return read;
}

void text_free(Text *text)
{
    for (int i = 0; i < text->count; i++) {
        free(text->sections[i].id);
        free(text->sections[i].title);
        buffer_free(&text->sections[i].words);
    }
    free(text->file);
    free(text->title);
    buffer_free(&text->html);
}
