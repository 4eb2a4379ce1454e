/* Measurements of one line of the table, round after round, until its marks are decided.
 *
 * A round is one measurement of each who takes part, in an order that is drawn, on numbers that are
 * drawn for the round, so that each sees them once. What was timed of the learner's is judged. The
 * numbers are read before each, and what the others gave is read as well, so that all find their
 * arrays in the same caches. Only times of one round are divided by each other. A call of nothing
 * takes part, too: what it takes is the clock's own, and is taken off.
 */
#include "race.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { YOURS, PLAIN, COPY, EMPTY, SOLUTION, PYTORCH, LANES };
enum { MOST_ROUNDS = 1000 };
static const double LEAST_SECONDS = 0.5; /* or the share that others were busy would be all ticks */

typedef struct {
    Lane *lane; /* NULL: it does not take part */
    WireRace request;
    size_t length;
    double times[MOST_ROUNDS];
} Entry;

/* ---- what runs beside ---- */
typedef struct {
    double now, idle, own; /* seconds: by the clock, of all processors, and of our processes */
} Moment;

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* False: the system does not say. */
static bool moment_read(Moment *moment, const Field *field)
{
    unsigned long long idle, waiting;
    struct rusage own;
    FILE *file = fopen("/proc/stat", "re");
    bool said = file && fscanf(file, "cpu %*s %*s %*s %llu %llu", &idle, &waiting) == 2;
    if (file)
        fclose(file);
    getrusage(RUSAGE_SELF, &own);
    moment->now = clock_seconds();
    moment->idle = said ? (double)(idle + waiting) / (double)sysconf(_SC_CLK_TCK) : 0;
    moment->own = seconds_of(own.ru_utime) + seconds_of(own.ru_stime) +
                  processor_seconds(&field->yours) + processor_seconds(&field->plain);
    moment->own += field->solution_is == ANOTHER ? processor_seconds(&field->solution) : 0;
    moment->own += field->has_pytorch ? processor_seconds(&field->pytorch) : 0;
    return said;
}

/* How busy the machine was with what is not ours; as if all others were, where nobody says. */
static double busy_between(const Moment *a, const Moment *b, bool said)
{
    double processors = (double)sysconf(_SC_NPROCESSORS_ONLN), seconds = b->now - a->now;
    double idle = (b->idle - a->idle) / seconds, own = (b->own - a->own) / seconds;
    return said ? busy_share(processors, idle, own) : 1;
}

/* ---- a round ---- */
static void shuffle(int *order, int count, Noise *noise)
{
    for (int i = count - 1; i > 0; i--) {
        uint32_t *state = &noise->state[i % NOISE_LANES];
        *state = *state * 1664525u + 1013904223u;
        int j = (int)((*state >> 8) % (uint32_t)(i + 1)), other = order[j];
        order[j] = order[i];
        order[i] = other;
        *state |= 1;
    }
}

static void read_all(const volatile char *shared, const Placed *placed, int count, int calls)
{
    enum { CACHE_LINE = 64 };
    for (int i = 0; i < count; i++) {
        size_t bytes = placed[i].length ? placed[i].step * (size_t)calls : 0;
        for (size_t at = 0; at < bytes; at += CACHE_LINE)
            (void)shared[placed[i].offset + at];
    }
}

/* False: `error` says why there is none. What becomes of PyTorch ends no race. */
static bool run_round(Field *field, Entry *lanes, Line *line, int round, char *error, size_t size)
{
    int order[LANES] = {YOURS, PLAIN, COPY, EMPTY, SOLUTION, PYTORCH};
    const Layout *layout = &line->layout;
    shuffle(order, LANES, &field->noise);
    inputs_fill(field->shared.in, layout, &field->noise);
    for (int i = 0; i < LANES; i++) {
        Entry *r = &lanes[order[i]];
        if (!r->lane)
            continue;
        read_all(field->shared.in, layout->in, INPUTS_END, layout->shape.calls);
        r->times[round] = lane_time(r->lane, &r->request, r->length, error, size);
        if (r->times[round] < 0 && order[i] == PYTORCH)
            r->lane = NULL;
        else if (r->times[round] < 0)
            return false;
        if (order[i] == YOURS)
            line->wrong = race_judge(field->shared.in, field->yours.out, layout);
        else if (r->lane)
            read_all(r->lane->out, layout->out, OUTPUTS_END, layout->shape.calls);
    }
    return true;
}

/* ---- figures ---- */
static double median_of(const double *values, int count)
{
    return figure_of(values, count, 0).median;
}

static Figure figure(const Entry *a, const Entry *b, const double *nothing, int count, double busy)
{
    double ratios[MOST_ROUNDS], own = median_of(nothing, count);
    for (int i = 0; i < count; i++)
        ratios[i] = fmax(a->times[i] - own, 0) / fmax(b->times[i] - own, 1e-9);
    return figure_of(ratios, count, busy);
}

static void look(Line *line, const Entry *lanes, int rounds, double busy, SolutionIs solution)
{
    const double *nothing = lanes[EMPTY].times;
    Figures *f = &line->figures;
    line->rounds = rounds;
    line->busy = busy;
    line->seconds_yours =
        fmax(median_of(lanes[YOURS].times, rounds) - median_of(nothing, rounds), 0) /
        line->layout.shape.calls;
    f->to_plain = figure(&lanes[YOURS], &lanes[PLAIN], nothing, rounds, busy);
    f->to_copy = figure(&lanes[YOURS], &lanes[COPY], nothing, rounds, busy);
    f->to_solution = lanes[SOLUTION].lane
                         ? figure(&lanes[YOURS], &lanes[SOLUTION], nothing, rounds, busy)
                         : (Figure){NAN, 0, INFINITY};
    f->to_pytorch = lanes[PYTORCH].lane
                        ? figure(&lanes[YOURS], &lanes[PYTORCH], nothing, rounds, busy)
                        : (Figure){NAN, 0, INFINITY};
    marks_of(f, solution, line->marks);
    line->unbelievable = beyond_belief(f, (int)sysconf(_SC_NPROCESSORS_ONLN));
}

static bool all_decided(const Line *line)
{
    for (int m = 0; m < MARKS; m++)
        if (line->marks[m] == UNDECIDED)
            return false;
    return true;
}

static void line_up(Field *field, Entry *lanes, const Line *line)
{
    Lane *const runs[LANES] = {&field->yours,
                               &field->plain,
                               &field->plain,
                               &field->plain,
                               field->solution_is == ANOTHER ? &field->solution : NULL,
                               field->has_pytorch ? &field->pytorch : NULL};
    for (int i = 0; i < LANES; i++) {
        const char *name = i == COPY ? RACER_COPY : i == EMPTY ? RACER_NOTHING : line->function;
        lanes[i].lane = runs[i];
        lanes[i].request = request_of(&line->layout, name);
        lanes[i].length = i == PYTORCH ? 0 : sizeof lanes[i].request;
    }
}

bool race_line(Field *field, Line *line, double seconds, char *error, size_t size)
{
    Entry *lanes = calloc(LANES, sizeof *lanes);
    Moment began, now;
    if (!lanes)
        abort();
    field->has_pytorch =
        field->has_pytorch && pytorch_prepare(&field->pytorch, &line->layout, error, size);
    line_up(field, lanes, line);
    bool decided = false;
    /* The first one warms up, if there is time. */
    bool good = seconds <= 0 || run_round(field, lanes, line, 0, error, size);
    bool said = moment_read(&began, field);
    for (int round = 0; good && !line->wrong.array && !decided; round++) {
        good = run_round(field, lanes, line, round, error, size);
        double since = clock_seconds() - began.now;
        bool over = since > seconds || round + 1 == MOST_ROUNDS;
        if (!good || !(over || (is_look(round + 1) && since > LEAST_SECONDS)))
            continue;
        said = moment_read(&now, field) && said;
        look(line, lanes, round + 1, busy_between(&began, &now, said), field->solution_is);
        decided = over || all_decided(line);
    }
    field->has_pytorch = field->has_pytorch && lanes[PYTORCH].lane;
    free(lanes);
    return good;
}
