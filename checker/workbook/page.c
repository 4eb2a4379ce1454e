/* What a window shows: how wide it is, words that are not broken, and a pager for what is long:
 * $PAGER, less, or our own where there is none, which shows a screen at a time, on, back, to a
 * word, until q.
 *
 * The invariant: the terminal is left as it was (terminal.h), the text on it. */
#include "workbook.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "markdown.h"
#include "terminal.h"

enum { WIDEST = 80 };

int window_columns(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) || window.ws_col < 1)
        return WIDEST;
    return window.ws_col;
}

int window_rows(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) || window.ws_row < 1)
        return 24;
    return window.ws_row;
}

void write_wrapped(FILE *out, const char *text, int indent)
{
    int width = window_columns() < WIDEST ? window_columns() - 1 : WIDEST - 1, column = indent;
    const char *blank = "";
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + (int)strlen(blank) + length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            blank = "";
        }
        fprintf(out, "%s%.*s", blank, length, text);
        column += (int)strlen(blank) + length;
        text += length;
        blank = " ";
        if (*text == '\n') {
            fprintf(out, "\n%*s", text[1] ? indent : 0, "");
            column = indent;
            blank = "";
        }
        text += *text ? 1 : 0;
    }
    fputc('\n', out);
}

void print_wrapped(const char *text, int indent)
{
    write_wrapped(stdout, text, indent);
}

/* What a terminal that is not UTF-8 gets for the characters that lessons use. */
static const struct {
    uint32_t code;
    const char *ascii;
} plain[] = {{0xB2, "^2"},   {0xB3, "^3"},  {0xB7, "*"},    {0xD7, "x"},   {0x302, "^"},
             {0x2013, "-"},  {0x2014, "-"}, {0x2018, "'"},  {0x2019, "'"}, {0x201C, "\""},
             {0x201D, "\""}, {0x2022, "*"}, {0x2026, "..."}};

static void to_ascii(FILE *out, const char *text)
{
    size_t length = strlen(text), count = sizeof plain / sizeof *plain;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        int size = utf8_decode(text + i, length - i, &code);
        if (size == 1) {
            putc(text[i], out);
        } else {
            size_t k = 0;
            while (k < count && plain[k].code != code)
                k++;
            fputs(k < count ? plain[k].ascii : "?", out);
        }
        i += size ? (size_t)size : 1;
    }
}

/* As this terminal can show it. Caller frees. */
static char *shown(const char *text)
{
    char *ascii = NULL;
    size_t length;
    if (locale_is_utf8())
        return format_text("%s", text);
    FILE *out = open_memstream(&ascii, &length);
    if (!out)
        abort();
    to_ascii(out, text);
    fclose(out);
    return ascii;
}

static int write_to(const char *pager, const char *text)
{
    setenv("LESS", "FRX", 0);
    if (locale_is_utf8())
        setenv("LESSCHARSET", "utf-8", 0); /* also where that locale is not installed */
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* who quits the pager early has read enough */
    signal(SIGINT, SIG_IGN);  /* less means something else by Ctrl-C */
    FILE *to = popen(pager, "w");
    if (!to)
        return 2;
    fputs(text, to);
    int status = pclose(to);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* ---- our own pager ---- */
typedef struct {
    const char **lines; /* each up to a '\n' or the end */
    int count, top;
    int rows, columns; /* of the window, without the line of keys */
    char wanted[64];   /* what is looked for */
    const char *said;  /* in place of the keys, once; or NULL */
} Pager;

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

static void measure(Pager *p)
{
    struct winsize window;
    bool known =
        !ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) && window.ws_row > 1 && window.ws_col > 0;
    p->rows = known ? window.ws_row - 1 : 23;
    p->columns = known ? window.ws_col : 80;
}

/* How many rows of the window that line takes. */
static int height(const Pager *p, int line)
{
    int columns = text_columns(p->lines[line], line_length(p->lines[line]));
    return columns > p->columns ? (columns + p->columns - 1) / p->columns : 1;
}

/* The line behind the last one that the window holds when `top` is its first. */
static int bottom(const Pager *p, int top)
{
    int rows = 0, line = top;
    while (line < p->count && rows + height(p, line) <= p->rows)
        rows += height(p, line++);
    return line > top || line == p->count ? line : top + 1;
}

/* The first line of a window whose last one is before `end`. */
static int page_before(const Pager *p, int end)
{
    int rows = 0, line = end;
    while (line > 0 && rows + height(p, line - 1) <= p->rows)
        rows += height(p, --line);
    return line < end || end <= 0 ? line : end - 1;
}

static void go_to(Pager *p, int line)
{
    int last = page_before(p, p->count);
    p->top = line < 0 ? 0 : line > last ? last : line;
}

static void draw(Pager *p)
{
    int end = bottom(p, p->top);
    fputs("\033[H\033[J", stdout);
    for (int line = p->top; line < end; line++)
        printf("%.*s\n", (int)line_length(p->lines[line]), p->lines[line]);
    char *keys = p->said ? format_text("%s", p->said)
                         : format_text("%d %%   space on   b back   / search   q leave",
                                       p->count ? 100 * end / p->count : 100);
    printf("\033[0;7m%.*s\033[0m", p->columns - 1, keys);
    fflush(stdout);
    free(keys);
    p->said = NULL;
}

/* ---- our own pager: looking for a word ---- */
static bool holds(const char *line, const char *wanted)
{
    size_t length = strlen(wanted), end = line_length(line);
    for (size_t i = 0; i + length <= end; i++)
        if (!strncasecmp(line + i, wanted, length))
            return true;
    return false;
}

static void search(Pager *p)
{
    for (int i = 1; i <= p->count && *p->wanted; i++) {
        int line = (p->top + i) % p->count;
        if (holds(p->lines[line], p->wanted)) {
            p->top = line; /* even where less than a window follows: it is what was looked for */
            return;
        }
    }
    p->said = *p->wanted ? "That is not in this text." : NULL;
}

/* Reads it at the place of the keys. False: the learner thought better of it. */
static bool read_wanted(Pager *p)
{
    size_t length = 0;
    p->wanted[0] = '\0';
    for (;;) {
        printf("\r\033[K/%s", p->wanted);
        fflush(stdout);
        int key = terminal_key(-1, -1);
        if (key == KEY_END || key == '\033')
            return false;
        if (key == '\n' || key == '\r')
            return length > 0;
        if ((key == 127 || key == '\b') && length > 0)
            p->wanted[--length] = '\0';
        else if (key >= ' ' && key != 127 && length + 1 < sizeof p->wanted) {
            p->wanted[length++] = (char)key;
            p->wanted[length] = '\0';
        }
    }
}

/* False: that was the end of it. */
static bool obey(Pager *p, int key)
{
    int end = bottom(p, p->top);
    switch (key) {
    case 'q':
    case 'Q':
    case KEY_END:
        return false;
    case ' ':
    case 'f':
        if (end == p->count)
            p->said = "That was the end.   b back   / search   q leave";
        else
            go_to(p, end);
        return true;
    case 'b':
        go_to(p, page_before(p, p->top));
        return true;
    case 'j':
    case '\n':
    case '\r':
        go_to(p, p->top + 1);
        return true;
    case 'k':
        go_to(p, p->top - 1);
        return true;
    case 'g':
        go_to(p, 0);
        return true;
    case 'G':
        go_to(p, p->count);
        return true;
    case '/':
        if (read_wanted(p))
            search(p);
        return true;
    case 'n':
        search(p);
        return true;
    default:
        return true;
    }
}

/* KEY_NONE: the window has another size now, or was not shown for a while. */
static int next_key(Pager *p)
{
    int key;
    do
        key = terminal_key(1000, -1);
    while (key == KEY_NONE && !terminal_resized() && !terminal_continued());
    measure(p);
    return key;
}

static void find_lines(Pager *p, const char *text)
{
    int room = 1;
    for (const char *at = text; *at; at++)
        room += *at == '\n';
    p->lines = calloc((size_t)room, sizeof *p->lines);
    if (!p->lines)
        abort();
    for (const char *at = text; *at; at += line_length(at) + (at[line_length(at)] == '\n'))
        p->lines[p->count++] = at;
}

static int pager_show(const char *text)
{
    Pager p = {0};
    find_lines(&p, text);
    measure(&p);
    if (bottom(&p, 0) == p.count || !terminal_open()) {
        fputs(text, stdout);
        free(p.lines);
        return delivered(stdout) ? 0 : 1;
    }
    do
        draw(&p);
    while (obey(&p, next_key(&p)));
    fputs("\r\033[K", stdout);
    terminal_close();
    free(p.lines);
    return 0;
}

/* ---- whichever there is ---- */
int page(const char *text)
{
    const char *pager = getenv("PAGER");
    char *converted = shown(text);
    int code;
    if ((!pager || !*pager) && is_installed("less"))
        pager = "exec less";
    if (!isatty(STDOUT_FILENO)) {
        fputs(converted, stdout);
        code = delivered(stdout) ? 0 : 1;
    } else
        code = pager && *pager ? write_to(pager, converted) : pager_show(converted);
    free(converted);
    return code;
}
