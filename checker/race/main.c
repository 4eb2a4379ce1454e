/* make race LESSON=NN: build/NN_name/race FILE, the learner's file or another. Ends with 0 when all
 * lines were raced, whatever came out; with 1 where the functions can't be raced as they are; with
 * 2 where there is nothing to race against, and with 3 where this machine can't.
 *
 * For a class: build/NN_name/race FILE NUMBERS. The numbers are written there and nowhere else, no
 * mark being reached where it ends with 1; and PyTorch stays at home. */
#include "race.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOOD, NOT_RIGHT, ASKED_WRONG, NO_RACE };
static const double ALL_SECONDS = 20;

static int function_count(void)
{
    int count = 0;
    while (count < MOST_FUNCTIONS && race.functions[count].name)
        count++;
    return count;
}

/* threads: "-DTHREADS=2", or NULL. */
static bool build(Lane *lane, const char *source, const char *name, const char *folder,
                  const char *threads)
{
    const char *speed[] = {"-march=native", threads, NULL};
    lane->source = source;
    snprintf(lane->object, sizeof lane->object, "%s/%s.so", folder, name);
    return optimized_build(lesson_name, source, lane->object, folder, speed, "the race");
}

static bool start(Lane *lane, const Shared *shared, char *error, size_t size)
{
    static const char *const argv[] = {"build/racer", NULL};
    return lane_start(lane, shared, argv, error, size);
}

/* PyTorch is asked for before the compilers run, because it takes a second to come. */
static void call_pytorch(Field *field, const char *python)
{
    const char *const argv[] = {python, "-I", "checker/race/pytorch.py", NULL};
    char error[256];
    field->has_pytorch = access(python, X_OK) == 0 && access(argv[2], R_OK) == 0 &&
                         lane_start(&field->pytorch, &field->shared, argv, error, sizeof error);
}

static bool line_up(Field *field, const char *source, const char *threads, const char *folder,
                    char *error, size_t size)
{
    const bool another = field->solution_is == ANOTHER;
    bool built = build(&field->yours, source, "yours", folder, threads) &&
                 build(&field->plain, race.plain, "plain", folder, NULL) &&
                 (!another || build(&field->solution, race.solution, "solution", folder, NULL));
    error[0] = '\0'; /* the compiler's words have been said */
    return built && start(&field->yours, &field->shared, error, size) &&
           start(&field->plain, &field->shared, error, size) &&
           (!another || start(&field->solution, &field->shared, error, size)) &&
           lane_load(&field->yours, error, size) && lane_load(&field->plain, error, size) &&
           (!another || lane_load(&field->solution, error, size));
}

/* Is there an end to it, and which? */
static int tell_wrong(const Line *line)
{
    const Wrong *w = &line->wrong;
    char at[64] = "";
    if (w->row >= 0)
        snprintf(at, sizeof at, "[%d]", w->row);
    if (w->column >= 0)
        snprintf(at + strlen(at), sizeof at - strlen(at), "[%d]", w->column);
    fprintf(stderr,
            "%s is wrong on %d x %d, so there is no race: %s%s: expected %.9g, got %.9g (off by "
            "%.2g, allowed %.2g).\nWhat is wrong, make check LESSON=%.2s may tell.\n",
            line->function, line->layout.shape.rows, line->layout.shape.features, w->array, at,
            w->expected, w->got, fabs(w->got - w->expected), w->allowed, lesson_name);
    return NOT_RIGHT;
}

/* The lines of all functions, function by function. */
static int race_all(Field *field, Line *lines, int count)
{
    char error[512], what[80];
    const double until = clock_seconds() + ALL_SECONDS;
    const bool pytorch = field->has_pytorch;
    for (int i = 0; i < count; i++) {
        Line *line = &lines[i];
        const RaceShape shape = line->layout.shape;
        if (i % SHAPE_COUNT == 0)
            table_head(stdout, line->function, pytorch);
        fflush(stdout);
        snprintf(what, sizeof what, "%s, %d x %d", line->function, shape.rows, shape.features);
        show_progress(i, count, what);
        bool good =
            race_line(field, line, (until - clock_seconds()) / (count - i), error, sizeof error);
        show_progress(count, count, what);
        if (!good) {
            fprintf(stderr, "The race ended early (%s): %s\n", what, error);
            return NOT_RIGHT;
        }
        if (line->wrong.array)
            return tell_wrong(line);
        table_line(stdout, line, pytorch);
    }
    return GOOD;
}

static int race_them(Field *field, Line *lines, int count, const char *source, const char *threads,
                     const char *folder)
{
    char error[512] = "";
    if (!line_up(field, source, threads, folder, error, sizeof error)) {
        fprintf(stderr, "%s%s", error, error[0] ? "\n" : "");
        return NOT_RIGHT;
    }
    field->has_pytorch = field->has_pytorch && lane_load(&field->pytorch, error, sizeof error);
    printf("Lesson %.2s, %s%s%s against %s and a copy of the same bytes\n", lesson_name, source,
           threads ? " with " : "", threads ? threads : "", race.plain);
    on_interrupt("\nStopped. What earlier races drew and wrote is as it was.\n");
    int code = race_all(field, lines, count);
    on_interrupt(NULL);
    return code;
}

static bool write_marks(Line *lines, int count, SolutionIs solution, bool raced, const char *path)
{
    for (int i = 0; i < count && !raced; i++) {
        lines[i].unbelievable = false;
        for (int m = 0; m < MARKS; m++)
            lines[i].marks[m] = m == MARKS - 1 && solution == NOT_HERE ? NOT_ASKED : MISSED;
    }
    return race_numbers(lines, count, path);
}

/* numbers: NULL where a learner looks on. */
static int run(const char *source, const char *threads, const char *folder, const char *numbers)
{
    Field field = {.solution_is = !race.solution                     ? PLAIN_VERSION
                                  : access(race.solution, R_OK) == 0 ? ANOTHER
                                                                     : NOT_HERE};
    Line lines[MOST_FUNCTIONS * SHAPE_COUNT] = {{.function = NULL}};
    char error[512] = "";
    int count = function_count() * SHAPE_COUNT;
    for (int i = 0; i < count; i++) {
        lines[i].function = race.functions[i / SHAPE_COUNT].name;
        lines[i].layout =
            layout_of(race.functions[i / SHAPE_COUNT].kind, race_shapes[i % SHAPE_COUNT]);
    }
    if (!shared_make(&field.shared, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return NO_RACE;
    }
    noise_seed(&field.noise);
    if (!numbers)
        call_pytorch(&field, "/usr/bin/python3");
    int code = race_them(&field, lines, count, source, threads, folder);
    bool pytorch = field.has_pytorch;
    if (numbers) {
        bool written = write_marks(lines, count, field.solution_is, code == GOOD, numbers);
        code = written ? code : NO_RACE;
    } else if (code == GOOD) {
        table_end(stdout, lines, count, field.solution_is, pytorch);
        code = race_files(lines, count, field.solution_is == ANOTHER, pytorch) ? GOOD : NO_RACE;
    }
    lane_end(&field.yours);
    lane_end(&field.plain);
    lane_end(&field.solution);
    lane_end(&field.pytorch);
    return delivered(stdout) ? code : NO_RACE;
}

/* THREADS=2: the learner's file is compiled with it, and nobody else's. False: it is no number. */
static bool threads_asked(char *option, size_t size)
{
    const char *given = getenv("THREADS");
    char *end;
    option[0] = '\0';
    if (!given || !*given)
        return true;
    long count = strtol(given, &end, 10);
    snprintf(option, size, "-DTHREADS=%ld", count);
    return !*end && count >= 1 && count <= 64;
}

int main(int argc, char **argv)
{
    char error[512], threads[32] = "";
    Folder place;
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "As in: make race LESSON=%.2s\n", lesson_name);
        return ASKED_WRONG;
    }
    if (access(race.plain, R_OK) != 0) {
        fprintf(stderr, "The race of lesson %.2s is against %s, which is not here.\n", lesson_name,
                race.plain);
        return ASKED_WRONG;
    }
    if (argc == 2 && !threads_asked(threads, sizeof threads)) {
        fputs("THREADS is a number from 1 to 64, as in: make race THREADS=2\n", stderr);
        return ASKED_WRONG;
    }
    signal(SIGPIPE, SIG_IGN);
    if (!folder_make(&place, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return NO_RACE;
    }
    int code = run(argv[1], threads[0] ? threads : NULL, place.path, argv[2]);
    folder_remove(&place);
    return code;
}
