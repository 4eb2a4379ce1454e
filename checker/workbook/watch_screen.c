/* What watch shows: the lines of `make check`, what changed since the run before, and the keys.
 *
 * The invariant: the last line holds the keys, and a screen is written at once, so that it never
 * flickers. Without a terminal the same lines follow each other, without the keys. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "prompt.h"

bool all_passed(const Report *report)
{
    return report->count && report->passed == report->count;
}

/* ---- what changed ---- */
/* Whether every check of the step passed; `passed` NULL: now. */
static bool whole(const Report *report, const char *step, const bool *passed)
{
    for (int i = 0; i < report->count; i++)
        if (!strcmp(report->results[i].step, step) &&
            !(passed ? passed[i] : report->results[i].status == PASSED))
            return false;
    return true;
}

static bool broke(const Past *past, const Report *now, const char *step)
{
    return whole(now, step, past->passed) && !whole(now, step, NULL);
}

/* "row_mean, row_variance and layer_norm broke again." */
static int write_broken(FILE *out, const Past *past, const Report *now)
{
    const char *names[MAX_FUNCTIONS];
    int count = 0;
    for (int i = 0; i < now->count && count < MAX_FUNCTIONS; i++) {
        const char *step = now->results[i].step;
        bool listed = i && !strcmp(step, now->results[i - 1].step);
        if (!listed && broke(past, now, step))
            names[count++] = step;
    }
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", names[i]);
    if (count)
        fputs(" broke again.\n", out);
    return count;
}

/* "2 more pass." */
static int write_count(FILE *out, int count, const char *word)
{
    if (count)
        fprintf(out, "%d %s pass%s.\n", count, word, count == 1 ? "es" : "");
    return count;
}

static void write_changes(FILE *out, const Past *past, const Report *now)
{
    int more = 0, fewer = 0;
    for (int i = 0; i < now->count; i++) {
        bool passes = now->results[i].status == PASSED;
        more += passes && !past->passed[i];
        fewer += !passes && past->passed[i] && !broke(past, now, now->results[i].step);
    }
    if (!past->compiled)
        fputs("It compiles now.\n", out);
    int said = write_broken(out, past, now) + write_count(out, more, "more") +
               write_count(out, fewer, "fewer");
    if (!said && past->compiled)
        fputs("The same checks pass as before.\n", out);
}

char *changes_since(Past *past, const Report *now)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    if (past->count != now->count) {
        free(past->passed);
        *past = (Past){.compiled = true, .count = now->count};
        past->passed = calloc((size_t)now->count + 1, sizeof *past->passed);
        if (!past->passed)
            abort();
    }
    if (past->known && now->build_error && past->compiled)
        fputs("It compiled the last time.\n", out);
    else if (past->known && !now->build_error && !now->untouched)
        write_changes(out, past, now);
    past->known = true;
    past->compiled = !now->build_error;
    for (int i = 0; i < now->count && past->compiled; i++)
        past->passed[i] = now->results[i].status == PASSED;
    fclose(out);
    return text;
}

/* ---- the screen ---- */
static void write_passed(FILE *out, const Screen *screen)
{
    fprintf(out, "%s Lesson %.*s is passed.", mark_pass(), (int)strcspn(screen->report.lesson, "_"),
            screen->report.lesson);
    if (screen->keys && !screen->next)
        fputs(" It was the last one: n checks them all once more.", out);
    else if (screen->keys && *screen->others)
        fprintf(out, " n goes on to %.*s.\nReady as well, by saving its file: %s.",
                (int)strcspn(screen->next, "_"), screen->next, screen->others);
    else if (screen->keys)
        fputs(" n goes on to the next.", out);
    fputc('\n', out);
}

void screen_keys(const Screen *screen)
{
    static const char wide[] = "n next  h hint  w why  r run again  l lessons  e edit  q quit";
    if (screen->keys)
        printf("\n%s", window_columns() > (int)sizeof wide
                           ? wide
                           : "n)ext h)int w)hy r)un l)ist e)dit q)uit");
    fflush(stdout);
}

void screen_begin(Screen *screen)
{
    if (screen->keys)
        fputs(screen->clears ? "\r\033[K" : "\n", stdout);
    screen->below = true;
}

void screen_draw(Screen *screen)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    if (screen->keys)
        fputs(screen->clears ? "\033[H\033[2J" : "\n\n", out);
    if (screen->have) {
        screen->report.words = screen->words;
        report_human(out, &screen->report);
        if (*screen->changes || all_passed(&screen->report) || *screen->remarks)
            fputc('\n', out);
        fputs(screen->changes, out);
        if (all_passed(&screen->report))
            write_passed(out, screen);
        fputs(screen->remarks, out);
        fputs(screen->keys ? "" : "\n", out);
    }
    fclose(out);
    fwrite(text, 1, size, stdout);
    free(text);
    screen->below = false;
    screen_keys(screen);
}
