/* The numbers of the same calls by processes and by the emulator: build/NN_name/both SEED FILE...
 *
 * For each file a line: how many numbers its calls left in both, and how many of them differ in a
 * bit; what is no number is one, whatever its bits. Then one line for each call that ended in one
 * way here and in another there. test_emulator.py asks. */
#include "box.h"
#include "emulator.h"

#include <stdlib.h>
#include <string.h>

static Runner *begin(const Runners *by, const char *path, const char *text)
{
    char error[8192];
    const char *advice;
    const RunnerOptions options = {.source = path,
                                   .text = text,
                                   .length = strlen(text),
                                   .header = lesson_header(),
                                   .calls = lesson_calls(),
                                   .call_limit = 5,
                                   .memory_limit = (size_t)1 << 30,
                                   .printed_limit = 1 << 20};
    Runner *runner = by->begin(&options);
    if (by->ready(runner, error, sizeof error, &advice))
        return runner;
    printf("%s: %s\n", by == &emulated ? "the emulator" : "the compiler", error);
    return NULL;
}

static bool differ(const Param *param, const float *a, const float *b, size_t i)
{
    return memcmp(a + i, b + i, sizeof *a) && (param->is_int || !isnan(a[i]) || !isnan(b[i]));
}

typedef struct {
    long numbers, different;
} Count;

static void compare_call(const Case *c, Runner *process, Runner *emulator, Count *count)
{
    Answer native, ours;
    processes.call(process, c, &native);
    emulated.call(emulator, c, &ours);
    if (native.ending != ours.ending || native.kept_memory != ours.kept_memory)
        printf("%s on %s: ended %d (%s), in the emulator %d (%s)\n", c->function->name, c->label,
               native.ending, native.reason, ours.ending, ours.reason);
    for (int i = 0; i < c->function->count; i++)
        for (size_t k = 0; native.left[i] && ours.left[i] && k < case_length(c, i); k++) {
            count->numbers++;
            count->different += differ(&c->function->params[i], native.left[i], ours.left[i], k);
        }
    answer_free(&native);
    answer_free(&ours);
}

static void compare_file(const char *path, uint64_t seed, const Contract *contract,
                         const Vectors *vectors)
{
    char error[512];
    char *text = read_file(path, NULL);
    Runner *process = begin(&processes, path, text), *emulator = begin(&emulated, path, text);
    Count count = {0};
    for (const Check *check = lesson.checks; process && emulator && check->step; check++) {
        Cases cases = {.contract = contract};
        if (!check_cases(check, vectors, seed, &cases, error, sizeof error))
            author_error("%s", error);
        for (int k = 0; k < cases.count; k++)
            compare_call(&cases.items[k], process, emulator, &count);
        cases_free(&cases);
    }
    printf("%ld numbers, %ld different: %s\n", count.numbers, count.different, path);
    if (process)
        processes.stop(process);
    if (emulator)
        emulated.stop(emulator);
    free(text);
}

int main(int argc, char **argv)
{
    Contract contract;
    char error[512];
    char *path = format_text("checker/lessons/%s/vectors.json", lesson_name);
    Vectors *vectors = vectors_open(path, error, sizeof error);
    if (argc < 3 || !vectors || !lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    for (int i = 2; i < argc; i++)
        compare_file(argv[i], strtoull(argv[1], NULL, 10), &contract, vectors);
    vectors_close(vectors);
    free(path);
    return 0;
}
