/* How far something is, on a terminal. The invariant: it leaves nothing there, and a file none of
 * it. */
#include "run.h"

#include <limits.h>
#include <string.h>

static void repeat(const char *text, int times)
{
    while (times-- > 0)
        fputs(text, stderr);
}

/* "[####....]  50 % what", as long as there is room for it. */
static void draw_bar(int percent, const char *what)
{
    bool utf8 = locale_is_utf8();
    int room = terminal_columns(stderr) - (int)strlen(what) - 10;
    if (room < 5) {
        fprintf(stderr, "\r%3d %%", percent);
        return;
    }
    int bar = room < 50 ? room : 50, full = bar * percent / 100;
    fputs("\r[", stderr);
    repeat(utf8 ? "█" : "#", full);
    repeat(utf8 ? "░" : ".", bar - full);
    fprintf(stderr, "] %3d %% %s", percent, what);
}

static void wipe_line(void)
{
    fputc('\r', stderr);
    repeat(" ", terminal_columns(stderr) - 1);
    fputc('\r', stderr);
}

void show_progress(long done, long total, const char *what)
{
    static int shown = -1;
    int percent = (int)(100 * done / total);
    if (terminal_columns(stderr) == INT_MAX || percent == shown)
        return;
    shown = percent;
    wipe_line();
    if (done < total)
        draw_bar(percent, what);
    fflush(stderr);
}
