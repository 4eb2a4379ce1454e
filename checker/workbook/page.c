/* What a window shows: how wide it is, words that are not broken, and a pager for what is long. */
#include "prompt.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDEST = 80 };

int window_columns(void)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) || window.ws_col < 1)
        return WIDEST;
    return window.ws_col;
}

void print_wrapped(const char *text, int indent)
{
    int width = window_columns() < WIDEST ? window_columns() - 1 : WIDEST - 1, column = indent;
    const char *blank = "";
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + (int)strlen(blank) + length > width) {
            printf("\n%*s", indent, "");
            column = indent;
            blank = "";
        }
        printf("%s%.*s", blank, length, text);
        column += (int)strlen(blank) + length;
        text += length;
        blank = " ";
        if (*text == '\n') {
            printf("\n%*s", text[1] ? indent : 0, "");
            column = indent;
            blank = "";
        }
        text += *text ? 1 : 0;
    }
    putchar('\n');
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
