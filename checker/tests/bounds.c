/* How much of what the checker allows do honest programs really use? build/NN_name/bounds FILE...
 *
 * Runs every file, a right answer in a style of its own, on the lesson's vectors and on the cases
 * of a few seeds. For each output and three classes of size it prints the largest part of an
 * allowed error that any of them used, and whose it was. More than 1 is a right answer refused;
 * hardly anything is a bound that lets wrong ones pass: test_lessons.py holds both against it. */
#include "box.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = 5, CLASSES = 3, MOST_CHECKS = 64 };
static const char *const classes[CLASSES] = {"small", "middle", "large"};

typedef struct {
    double used;
    const char *style, *label;
    long elements;
} Use;

static Contract contract;
static Use uses[MAX_FUNCTIONS][MAX_PARAMS][CLASSES];

/* By its largest size: sums of up to 8 terms, of up to 64, and of more. */
static int class_of(const Case *c)
{
    int largest = 0;
    for (int p = 0; p < c->function->count; p++)
        if (c->function->params[p].role == SIZE && c->sizes[p] > largest)
            largest = c->sizes[p];
    return largest <= 8 ? 0 : largest <= 64 ? 1 : 2;
}

/* The check that asks for that case, and of some only for a part of the answer. */
static void measure(const Case *c, const Check *check, const Answer *answer, const char *style)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        bool asked = is_answer(param->role) && word_in(check->only, param->name);
        Use *use = &uses[c->function - contract.functions][p][class_of(c)];
        for (size_t i = 0; asked && i < case_length(c, p); i++) {
            double expected = c->truth[p] ? c->truth[p][i] : c->wanted[p][i].v;
            double allowed = c->wanted[p][i].e + 1e-12 * fabs(expected);
            double used = fabs(value_at(param, answer->left[p], i) - expected) / allowed;
            if (!(c->wanted[p][i].e > 0)) /* to be met exactly */
                continue;
            use->elements++;
            if (!(used <= use->used)) {
                use->used = used;
                use->style = style;
                use->label = c->label;
            }
        }
    }
}

static void run_style(const char *file, const Cases *cases)
{
    char error[4096];
    const char *advice;
    size_t length;
    char *text = read_file(file, &length);
    if (!text)
        author_error("%s can't be read", file);
    Runner *runner = runner_start(&processes,
                                  &(RunnerOptions){.source = file,
                                                   .text = text,
                                                   .length = length,
                                                   .header = lesson_header(),
                                                   .calls = lesson_calls(),
                                                   .call_limit = 20,
                                                   .memory_limit = (size_t)1 << 30,
                                                   .printed_limit = 1 << 20},
                                  error, sizeof error, &advice);
    if (!runner)
        author_error("%s: %s", file, error);
    for (int i = 0; lesson.checks[i].step; i++)
        for (int k = 0; k < cases[i].count; k++) {
            Answer answer = {0};
            processes.call(runner, &cases[i].items[k], &answer);
            if (answer.ending != ANSWERED)
                author_error("%s: %s", file, answer.reason);
            measure(&cases[i].items[k], &lesson.checks[i], &answer, file);
            answer_free(&answer);
        }
    processes.stop(runner);
    free(text);
}

/* Of each check, in order. */
static void make_cases(Cases *cases)
{
    char path[512], error[512];
    snprintf(path, sizeof path, "checker/lessons/%s/vectors.json", lesson_name);
    Vectors *vectors = vectors_open(path, error, sizeof error);
    for (int i = 0; lesson.checks[i].step; i++) {
        const Check *check = &lesson.checks[i];
        cases[i].contract = &contract;
        if (check->vectors && vectors)
            vectors_add(vectors, check->vectors, &cases[i], error, sizeof error);
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            draw_fresh(check, seed, &cases[i]);
        for (int k = 0; k < cases[i].count; k++)
            lesson_answer(lesson_step(check->step), &cases[i].items[k], 0);
    }
    vectors_close(vectors);
}

static void print_uses(void)
{
    for (int f = 0; f < contract.count; f++)
        for (int p = 0; p < contract.functions[f].count; p++)
            for (int size = 0; size < CLASSES; size++) {
                const Use *use = &uses[f][p][size];
                if (use->elements)
                    printf("%s %s %s %.4f of %ld: %s, \"%s\"\n", contract.functions[f].name,
                           contract.functions[f].params[p].name, classes[size], use->used,
                           use->elements, use->style ? use->style : "none",
                           use->label ? use->label : "");
            }
}

int main(int argc, char **argv)
{
    static Cases cases[MOST_CHECKS];
    char error[512];
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    make_cases(cases);
    for (int i = 1; i < argc; i++)
        run_style(argv[i], cases);
    print_uses();
    for (int i = 0; i < MOST_CHECKS; i++)
        cases_free(&cases[i]);
    return 0;
}
