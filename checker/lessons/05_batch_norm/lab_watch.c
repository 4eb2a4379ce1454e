/* The lab's first process: starts the one that trains, asks it for one result after the other, and
 * shows how far it is.
 *
 * The invariant: nothing that comes back is believed: neither its length, nor that a text is
 * harmless, nor that an accuracy lies between 0 and 1. Whatever the other process does, this one
 * goes on or ends with a sentence. */
#include "lab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runner.h"

enum { PATIENCE = 6, MOST_TEXT = 1 << 16 };

/* ---- the progress bar ---- */
static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void repeat(const char *text, int times)
{
    while (times-- > 0)
        fputs(text, stderr);
}

/* "[####....]  50 % what", as long as there is room for it. */
static void draw_bar(int percent, const char *what)
{
    bool utf8 = locale_is_utf8();
    int room = terminal_width() - (int)strlen(what) - 10;
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
    repeat(" ", terminal_width() - 1);
    fputc('\r', stderr);
}

/* On one line of the terminal, wiped at the end; only on a terminal. */
static void show_progress(int done, int total, const char *what)
{
    static int shown = -1;
    int percent = (int)(100L * done / total);
    if (!isatty(STDERR_FILENO) || percent == shown)
        return;
    shown = percent;
    wipe_line();
    if (done < total)
        draw_bar(percent, what);
    fflush(stderr);
}

/* ---- the other process ---- */
static bool start(Runner *r, const char *program, uint64_t seed)
{
    char number[24];
    const char *argv[] = {program, "--train", number, r->folder.path, NULL};
    Limits limits = {.cpu_seconds = 600, .address_bytes = (long)r->options.memory_limit};
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    return channel_start(r, argv, &limits);
}

/* Why there is no result, as a sentence on stderr. */
static void explain_end(Runner *r, Outcome outcome, const FrameHead *head, const Part parts[PARTS],
                        const char *what)
{
    WireReport report = {.kind = BY_TIME, .param = -1};
    Answer answer = {.ended_by = ""};
    bool said = outcome == GOT_FRAME && head->kind == ENDED && head->length == sizeof report;
    if (said)
        memcpy(&report, r->reply.data + sizeof *head, sizeof report);
    int part = said && report.param >= 0 && report.param < PARTS ? report.param : -1;
    if (part >= 0) {
        r->options.source = parts[part].source;
        snprintf(r->object, sizeof r->object, "%s", parts[part].object);
    } else {
        report.frame_count = 0;
    }
    if (outcome == GONE) {
        bool closed = worker_closed_channel(r);
        explain_silence(worker_end(r), closed, &answer);
    } else {
        worker_end(r);
        if (outcome == TOO_BIG)
            report.kind = BY_MEMORY;
        if (outcome == TOO_LOUD)
            snprintf(answer.reason, sizeof answer.reason, "printed more than %zu KB",
                     r->options.printed_limit >> 10);
        else if (said || outcome == TOO_LATE || outcome == TOO_BIG)
            explain(r, NULL, NULL, &report, &answer);
        else
            snprintf(answer.reason, sizeof answer.reason, "gave no result that can be used");
    }
    fprintf(stderr, "The lab ended early (%s): %s %s.\n", what,
            part >= 0 ? parts[part].source : "one of the functions", answer.reason);
    fputs("It passed its checks. What differs here: one process makes thousands of calls.\n",
          stderr);
    if (r->printed.length > 0) {
        fputs("It printed:\n", stderr);
        write_lines(stderr, BAR, BAR, r->printed.data, r->printed.length);
    }
}

/* Asks for the next result. False: there is none that fits. */
static bool ask(Runner *r, size_t most, FrameHead *head, Outcome *outcome)
{
    r->printed.length = r->printed_total = 0;
    frame_open(&r->request, CALL, 0);
    frame_close(&r->request);
    *outcome = exchange(r, PATIENCE, most, head);
    return *outcome == GOT_FRAME && head->kind == ANSWER && head->length <= most;
}

static bool is_possible(const Point *p)
{
    return p->accuracy >= 0 && p->accuracy <= 1 && !(p->test_loss < 0) && !(p->training_loss < 0);
}

static bool next_point(Runner *r, Point *point, FrameHead *head, Outcome *outcome)
{
    size_t most = sizeof *point > sizeof(WireReport) ? sizeof *point : sizeof(WireReport);
    if (!ask(r, most, head, outcome) || head->length != sizeof *point)
        return false;
    memcpy(point, r->reply.data + sizeof *head, sizeof *point);
    return is_possible(point);
}

/* Fills in the curves. False: `what` says during what it ended. */
static bool collect(Runner *r, uint64_t seed, Curves curves, char *what, size_t what_size,
                    FrameHead *head, Outcome *outcome)
{
    const int all = METHODS * SIZES * SEEDS * (PASSES + 1);
    Point *points = &curves[0][0][0][0];
    for (int done = 0; done < all; done++) {
        int run = done / (PASSES + 1), method = run / SEEDS / SIZES, size = run / SEEDS % SIZES;
        snprintf(what, what_size, "%s, batch size %d, seed %llu", method_names[method],
                 batch_sizes[size], (unsigned long long)seed + (unsigned)(run % SEEDS));
        show_progress(done, all, what);
        if (!next_point(r, &points[done], head, outcome)) {
            show_progress(all, all, what);
            return false;
        }
    }
    show_progress(all, all, what);
    return true;
}

static void print_comparison(const Runner *r, const FrameHead *head)
{
    char *text = escaped(r->reply.data + sizeof *head, head->length);
    printf("\n%s", text);
    fflush(stdout);
    free(text);
}

bool watch_training(const char *program, uint64_t seed, const Part parts[PARTS], const char *folder,
                    Curves curves)
{
    Runner r = {.options = {.call_limit = PATIENCE - 1,
                            .memory_limit = (size_t)1 << 30,
                            .printed_limit = (size_t)1 << 20}};
    FrameHead head = {0};
    Outcome outcome = GONE;
    char what[80] = "comparing the norms";
    snprintf(r.folder.path, sizeof r.folder.path, "%s", folder);
    if (!start(&r, program, seed)) {
        fprintf(stderr, "The lab can't start its second process: %s.\n", strerror(errno));
        return false;
    }
    bool good = ask(&r, MOST_TEXT, &head, &outcome);
    if (good) {
        print_comparison(&r, &head);
        good = collect(&r, seed, curves, what, sizeof what, &head, &outcome);
    }
    if (good)
        worker_end(&r);
    else
        explain_end(&r, outcome, &head, parts, what);
    buffer_free(&r.request);
    buffer_free(&r.reply);
    buffer_free(&r.printed);
    return good;
}
