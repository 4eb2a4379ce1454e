/* The race: how fast a learner's functions are, beside the plain version of them and beside a copy
 * of the same bytes. In the order of a run:
 *
 *   main.c      the order of things
 *   shapes.c    the shapes, and where the arrays of a call lie
 *   inputs.c    fresh numbers for every measurement
 *   lanes.c     the processes that run, seen from outside, and the clock
 *   racer.c     the same from inside: build/racer, a program of its own (racer.h: what it is told)
 *   pytorch.py  the same, with PyTorch
 *   judge.c     is what a timed call left right?
 *   verdict.c   from times to a figure, and from figures to marks
 *   rounds.c    measurements until the marks are decided
 *   table.c     the lines
 *   picture.c   the same as an SVG, and the numbers as a file
 *
 * The invariants: the clock is this program's, which runs nothing of the learner's; no figure is
 * shown of a call whose numbers were not judged; and what the machine does beside can make a mark
 * undecided, but not turn it round. */
#ifndef RACE_H
#define RACE_H

#include "box.h"
#include "racer.h"

/* ---- lessons/NN_name/race.c ----
 * All that a lesson needs to take part:
 *
 *     const Race race = {.plain = "solutions/01_layer_norm.c",
 *                        .functions = {{"layer_norm", FORWARD}}}; */
typedef enum { NO_KIND, FORWARD, FORWARD_SAVING, BACKWARD, KINDS } Kind; /* see shapes.c */

enum { MOST_FUNCTIONS = 4 };
typedef struct {
    const char *plain;    /* the file of the plain version */
    const char *solution; /* NULL: the plain version is the solution. A hand-out has it not */
    struct {
        const char *name;
        Kind kind; /* what it takes and gives */
    } functions[MOST_FUNCTIONS];
} Race;
extern const Race race;

/* ---- shapes.c ---- */
enum { SHAPE_COUNT = 6 };
typedef struct {
    int rows, features;
    int calls; /* of a small shape: so many in one measurement, each on numbers of its own */
} RaceShape;
extern const RaceShape race_shapes[SHAPE_COUNT];

typedef enum { X, DY, GAMMA, BETA, GIVEN_MEAN, GIVEN_RSTD, INPUTS_END } Input;
typedef enum { Y, MEAN, RSTD, DX, DGAMMA, DBETA, OUTPUTS_END } Output;

typedef struct {
    size_t offset, step; /* bytes: the first call's, and from call to call */
    size_t length;       /* floats; 0: not among them */
} Placed;

/* Where the arrays of all the calls of a measurement lie in what is shared. */
typedef struct {
    RaceShape shape;
    Kind kind;
    Placed in[INPUTS_END], out[OUTPUTS_END];
    size_t copied; /* bytes of one call, half of those that come in and go out */
} Layout;
Layout layout_of(Kind kind, RaceShape shape);
size_t layout_room(void); /* bytes that are enough for every layout */
/* What a racer is asked for. */
WireRace request_of(const Layout *layout, const char *function);

/* ---- inputs.c ---- */
enum { NOISE_LANES = 8 };
typedef struct {
    uint32_t state[NOISE_LANES];
} Noise;
#define RACE_EPS 1e-5f
void noise_seed(Noise *noise);
/* Fills in all that the calls are given. */
void inputs_fill(char *in, const Layout *layout, Noise *noise);

/* ---- judge.c ---- */
typedef struct {
    const char *array; /* NULL: nothing is wrong */
    int row, column;   /* -1: it has none */
    double got, expected, allowed;
} Wrong;
/* Are all outputs of all calls what they should be? The first that is not. */
Wrong race_judge(const char *in, const char *out, const Layout *layout);

/* ---- lanes.c ---- */
typedef struct {
    Channel channel;
    char *out;
    int out_file;
    clockid_t processor; /* its processor time */
    double seen;         /* what that was when it had last answered */
    const char *source;  /* its file; NULL: PyTorch */
    char object[80];
} Lane;

typedef struct {
    char *in;
    int in_file, readable; /* the second can't be written through */
    size_t room;
} Shared;

/* False: `error` says why. */
bool shared_make(Shared *shared, char *error, size_t size);
/* Starts the process; it comes to loading while others do other things. */
bool lane_start(Lane *lane, const Shared *shared, const char *const argv[], char *error,
                size_t size);
bool lane_load(Lane *lane, char *error, size_t size);
/* One measurement: its seconds. Negative: there is none, and `error` says why. */
double lane_time(Lane *lane, const void *request, size_t length, char *error, size_t size);
/* The same for PyTorch, which is told first what is to come: that is not timed. */
bool pytorch_prepare(Lane *lane, const Layout *layout, char *error, size_t size);
double processor_seconds(const Lane *lane);
double clock_seconds(void);
void lane_end(Lane *lane);

/* ---- verdict.c ---- */
typedef struct {
    double median, low, high; /* low and high: 999 times in 1000 the median lies between them */
} Figure;
/* Of `processors`, so many had nothing to do and so many did ours: the share of the others that was
 * busy, and in a crowd, where ours has no whole one, the share of that one that others had. */
double busy_share(double processors, double idle, double own);
/* Of so many ratios, on a machine that was that busy with other things. */
Figure figure_of(const double *ratios, int count, double busy);

typedef enum { UNDECIDED, REACHED, MISSED, NOT_ASKED } Mark;
enum { MARKS = 3 };
typedef enum { ANOTHER, PLAIN_VERSION, NOT_HERE } SolutionIs; /* of the last: NOT_ASKED */
typedef struct {
    Figure to_plain, to_copy, to_solution, to_pytorch;
} Figures;
void marks_of(const Figures *figures, SolutionIs solution, Mark marks[MARKS]);
bool is_look(int rounds); /* is it time to look at the figures? */
/* Faster than the bytes can be moved by so many processors: not to be believed. */
bool beyond_belief(const Figures *figures, int processors);

/* ---- rounds.c ---- */
typedef struct {
    Lane yours, plain, solution, pytorch;
    SolutionIs solution_is;
    bool has_pytorch;
    Shared shared;
    Noise noise;
} Field;

typedef struct {
    const char *function;
    Layout layout;
    int rounds;
    double seconds_yours; /* the median of a call's */
    double busy;
    Figures figures;
    Mark marks[MARKS];
    bool unbelievable;
    Wrong wrong;
} Line;
/* Races one function on one shape for so many seconds, or one round. False: `error` says why it
 * ended. */
bool race_line(Field *field, Line *line, double seconds, char *error, size_t size);

/* ---- table.c ---- */
void table_head(FILE *out, const char *function, bool pytorch);
void table_line(FILE *out, const Line *line, bool pytorch);
void table_end(FILE *out, const Line *lines, int count, SolutionIs solution, bool pytorch);

/* ---- picture.c ---- */
/* Writes .workbook/lab/NN_name_race.csv and .svg, and says so. False: it failed. */
bool race_files(const Line *lines, int count, bool solution, bool pytorch);
/* The numbers alone, into that file. */
bool race_numbers(const Line *lines, int count, const char *path);

#endif
