/* make lab LESSON=05: build/05_batch_norm/lab. Compares the norms of lessons 01, 03 and 05, then
 * trains the same small network with batch norm and with layer norm at three batch sizes.
 *
 * The invariant: for a given seed it prints the same numbers whenever the functions are the same.
 */
#include "lab.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "runner.h"

static bool parse_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *seed <= UINT64_MAX - SEEDS;
}

static bool run(const char *program, uint64_t seed, const char *folder)
{
    static Curves curves;
    Part parts[PARTS];
    choose_parts(stdout, parts, folder);
    if (!build_parts(parts, folder) || !watch_training(program, seed, parts, folder, curves))
        return false;
    print_tables(stdout, seed, curves);
    bool drawn = draw_picture(seed, curves, folder);
    return delivered(stdout) && drawn;
}

int main(int argc, char **argv)
{
    char error[512];
    uint64_t seed = 1;
    Folder place;
    if (argc == 4 && strcmp(argv[1], "--train") == 0)
        return serve_training(argv + 2);
    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--seed") != 0 || !parse_seed(argv[2], &seed))) {
        fputs("SEED is a whole number, 1 unless you say otherwise: make lab LESSON=05 SEED=7\n",
              stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    if (!folder_make(&place, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    bool good = run(argv[0], seed, place.path);
    folder_remove(&place);
    return good ? 0 : 1;
}
