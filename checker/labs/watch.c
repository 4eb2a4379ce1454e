/* A lab's first process: starts the one that measures, asks it for one point after the other, and
 * shows how far it is.
 *
 * The invariant: nothing that comes back is believed: neither its length, nor that a text is
 * harmless, nor that an accuracy lies between 0 and 1. Whatever the other process does, this one
 * goes on or ends with a sentence. */
#include "labs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"

/* Seconds for one point, which takes some milliseconds; and for a processor, on a busy machine. */
enum { PATIENCE = 5, PROCESSOR = 300 };
enum { MOST_TEXT = 1 << 16, MOST_PAUSES = 1000 };

/* ---- the other process ---- */
static bool start(Channel *c, const char *program, uint64_t seed, const char *folder)
{
    char number[24];
    const char *argv[] = {program, "--measure", number, folder, NULL};
    Limits limits = {.cpu_seconds = 600, .address_bytes = (long)c->memory_limit};
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    return channel_start(c, argv, &limits);
}

/* Why there is no result, as a sentence on stderr. */
static void explain_end(Channel *c, Outcome outcome, const FrameHead *head, const Parts *parts,
                        const char *what)
{
    WireReport report = {.kind = BY_TIME, .param = -1};
    Answer answer = {.ended_by = ""};
    Built built = {.source = ""};
    bool said = outcome == GOT_FRAME && head->kind == ENDED && head->length == sizeof report;
    if (said)
        memcpy(&report, c->reply.data + sizeof *head, sizeof report);
    int part = said && report.param >= 0 && report.param < parts->count ? report.param : -1;
    if (part >= 0) {
        built.source = built.shown = parts->items[part].source;
        snprintf(built.object, sizeof built.object, "%s", parts->items[part].object);
    } else {
        report.frame_count = 0;
    }
    if (outcome == GONE) {
        bool closed = channel_closed(c);
        explain_silence(channel_end(c), closed, &answer);
    } else {
        channel_end(c);
        if (outcome == TOO_BIG)
            report.kind = BY_MEMORY;
        if (outcome == TOO_LOUD)
            snprintf(answer.reason, sizeof answer.reason, "printed more than %zu KB",
                     c->printed_limit >> 10);
        else if (said || outcome == TOO_LATE || outcome == TOO_BIG)
            explain_report(&built, c, NULL, NULL, &report, &answer);
        else
            snprintf(answer.reason, sizeof answer.reason, "gave no result that can be used");
    }
    fprintf(stderr, "The lab ended early (%s): %s %s.\n", what,
            part >= 0 ? parts->items[part].source : "one of the functions", answer.reason);
    if (passed_its_checks(parts, part))
        fputs("It passed its checks. What differs here: one process makes thousands of calls.\n",
              stderr);
    if (c->printed.length > 0) {
        fputs("It printed:\n", stderr);
        write_lines(stderr, BAR, BAR, c->printed.data, c->printed.length);
    }
}

/* Asks for the next result. False: there is none that fits. */
static bool ask(Channel *c, size_t most, FrameHead *head, Outcome *outcome)
{
    c->printed.length = c->printed_total = 0;
    frame_open(&c->request, CALL, 0);
    frame_close(&c->request);
    waited_since(c); /* what was before does not count */
    c->patience = PROCESSOR;
    *outcome = exchange(c, PATIENCE, most, head);
    return *outcome == GOT_FRAME && head->kind == ANSWER && head->length <= most;
}

/* Fills in the values of one point. */
static bool next_point(Channel *c, const LabExperiment *e, double *values, FrameHead *head,
                       Outcome *outcome)
{
    size_t size = (size_t)value_count(e) * sizeof *values;
    bool answered;
    int pauses = 0; /* that there is more to come */
    do
        answered = ask(c, size > sizeof(WireReport) ? size : sizeof(WireReport), head, outcome);
    while (answered && head->length == 0 && pauses++ < MOST_PAUSES);
    if (!answered || head->length != size)
        return false;
    memcpy(values, c->reply.data + sizeof *head, size);
    return values_fit(e, values);
}

static long points_in_all(void)
{
    long points = 0;
    for (const LabExperiment *e = lab.experiments; e->measure; e++)
        points += (long)curve_count(e) * e->seeds * e->points;
    return points;
}

/* Fills in the results of one experiment. False: `what` says during what it ended. */
static bool collect(Channel *c, LabResults *results, long done, char *what, size_t what_size,
                    FrameHead *head, Outcome *outcome)
{
    const LabExperiment *e = results->experiment;
    double *values = results->numbers;
    for (int run = 0; run < curve_count(e) * e->seeds; run++) {
        char name[NAME_SIZE];
        curve_name(e, run / e->seeds, name, sizeof name);
        unsigned long long seed = results->seed + (unsigned)(run % e->seeds);
        if (e->seeds > 1)
            snprintf(what, what_size, "%s, seed %llu", name, seed);
        else
            snprintf(what, what_size, "%s", name);
        for (int point = 0; point < e->points; point++, values += value_count(e)) {
            show_progress(done++, points_in_all(), what);
            if (!next_point(c, e, values, head, outcome))
                return false;
        }
    }
    return true;
}

static bool collect_all(Channel *c, LabResults *results, char *what, size_t what_size,
                        FrameHead *head, Outcome *outcome)
{
    long all = points_in_all(), done = 0;
    bool good = true;
    for (const LabExperiment *e = lab.experiments; good && e->measure; e++, results++) {
        good = collect(c, results, done, what, what_size, head, outcome);
        done += (long)curve_count(e) * e->seeds * e->points;
    }
    show_progress(all, all, what);
    return good;
}

static bool print_introduction(Channel *c, FrameHead *head, Outcome *outcome)
{
    if (!lab.introduce)
        return true;
    if (!ask(c, MOST_TEXT, head, outcome))
        return false;
    char *text = escaped(c->reply.data + sizeof *head, head->length);
    printf("\n%s", text);
    fflush(stdout);
    free(text);
    return true;
}

bool watch_measuring(const char *program, uint64_t seed, const Parts *parts, const char *folder,
                     LabResults *results)
{
    Channel c = {
        .call_limit = PATIENCE, .memory_limit = (size_t)1 << 30, .printed_limit = (size_t)1 << 20};
    FrameHead head = {0};
    Outcome outcome = GONE;
    char what[120] = "before the first measurement";
    if (!start(&c, program, seed, folder)) {
        fprintf(stderr, "The lab can't start its second process: %s.\n", strerror(errno));
        return false;
    }
    on_interrupt("\nStopped. What earlier runs of it drew and wrote is as it was.\n");
    bool good = print_introduction(&c, &head, &outcome) &&
                collect_all(&c, results, what, sizeof what, &head, &outcome);
    on_interrupt(NULL);
    if (!good)
        explain_end(&c, outcome, &head, parts, what);
    channel_free(&c);
    return good;
}
