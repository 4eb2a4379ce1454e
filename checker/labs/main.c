/* make lab LESSON=NN: build/NN_name/lab, whatever its lesson.
 *
 * The invariant: for a given seed it prints the same numbers whenever the functions are the same;
 * but for times. */
#include "labs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"

enum { MOST_EXPERIMENTS = 8, MOST_SEEDS = 1000 };

static bool parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *seed <= UINT64_MAX - MOST_SEEDS;
}

/* DATA=: puts the files that it names into the folder, and lets the lab look at them, so that what
 * is wrong with them is said here. The script takes its words from the environment. */
static bool take_data(const char *folder)
{
    const char *data = getenv("DATA");
    if (!data || !*data)
        return true;
    if (!lab.load) {
        fprintf(stderr, "The lab of lesson %.2s makes its own data: DATA is not for it.\n",
                lesson_name);
        return false;
    }
    char *to = format_text("%s/data", folder);
    bool there = setenv("TO", to, 1) == 0 && system("exec sh checker/deps/mnist.sh") == 0;
    free(to);
    return there && load_data(folder);
}

/* False: what was said is no seed, or no option. */
static bool take_options(int argc, char **argv, uint64_t *seed, const char **from)
{
    for (int i = 1; i < argc; i += 2)
        if (i + 1 < argc && !strcmp(argv[i], "--impl"))
            *from = argv[i + 1];
        else if (i + 1 == argc || strcmp(argv[i], "--seed") || !parse_seed(argv[i + 1], seed))
            return false;
    return true;
}

static bool run(const char *program, uint64_t seed, const char *folder, bool mine, const char *from)
{
    LabResults results[MOST_EXPERIMENTS];
    Parts parts;
    char *picture = NULL;
    int count = 0;
    for (const LabExperiment *e = lab.experiments; e->measure; e++) {
        if (count == MOST_EXPERIMENTS || e->seeds > MOST_SEEDS)
            author_error("a lab has up to %d experiments of %d seeds", MOST_EXPERIMENTS,
                         MOST_SEEDS);
        results_make(&results[count++], e, seed);
    }
    bool good = choose_parts(stdout, &parts, folder, mine, from) && build_parts(&parts, folder) &&
                watch_measuring(program, seed, &parts, folder, results);
    bool kept = good;
    for (int i = 0; i < count; i++) {
        if (good) {
            results[i].experiment->show(stdout, &results[i]);
            kept = draw_pictures(&results[i], &picture) && kept;
            kept = save_numbers(&results[i]) && kept;
        }
        free(results[i].numbers);
    }
    if (picture)
        show_picture(picture);
    free(picture);
    free_parts(&parts);
    return delivered(stdout) && kept;
}

int main(int argc, char **argv)
{
    char error[512];
    uint64_t seed = 1;
    Folder place;
    const char *mine = getenv("MINE"), *from = NULL;
    if (argc == 4 && strcmp(argv[1], "--measure") == 0)
        return serve_measuring(argv + 2);
    if (!take_options(argc, argv, &seed, &from)) {
        fprintf(stderr,
                "SEED is a whole number, 1 unless you say otherwise: make lab LESSON=%.2s SEED=7\n",
                lesson_name);
        return 2;
    }
    if (mine && *mine && strcmp(mine, "yes") && strcmp(mine, "no")) {
        fputs("MINE is yes or no: yes runs your file although it does not pass yet.\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    if (!folder_make(&place, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    bool good =
        take_data(place.path) && run(argv[0], seed, place.path, mine && !strcmp(mine, "yes"), from);
    folder_remove(&place);
    return good ? 0 : 1;
}
