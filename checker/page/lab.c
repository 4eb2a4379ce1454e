/* Lesson 13's lab in a page: its first part, the histograms behind tanh, which asks for no other
 * lesson's functions. The lab is the very one of `make lab`; what it calls is asked of the
 * emulator.
 *
 * The invariant: what is shown are the numbers that `make lab` gets of the same rows and the same
 * seed. A row's way through the layers is its own, so few rows are those of many, sooner. */
#include "page.h"

#include "../lessons/13_activations/lab_layers.h"
#include "emulator.h"
#include "labs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One of everything: a lab calls plain functions, which are handed nothing of ours. */
static struct {
    Runner *runner;
    Contract contract;
    int rows;       /* of the ROWS that the lab has */
    char why[1024]; /* a call ended: the function, and how; "": none did */
} here;

/* ---- the learner's functions ---- */
static void take_argument(Case *c, int i, void **array, va_list *arguments)
{
    const Param *param = &c->function->params[i];
    if (param->role == SIZE)
        c->sizes[i] = va_arg(*arguments, int);
    else if (param->role == SCALAR)
        c->scalars[i] = (float)va_arg(*arguments, double);
    else
        array[i] = va_arg(*arguments, void *);
    if (is_given(param->role))
        c->given[i] = array[i];
}

/* Calls the learner's function with what C would hand it. Once a call has ended otherwise than by
 * returning, none is made any more, and what it was to fill is left as it was. */
static void ask(const char *name, ...)
{
    Case c = {.function = contract_find(&here.contract, name)};
    void *array[MAX_PARAMS] = {NULL};
    Answer answer;
    va_list arguments;
    va_start(arguments, name);
    for (int i = 0; i < c.function->count; i++)
        take_argument(&c, i, array, &arguments);
    va_end(arguments);
    if (here.why[0])
        return;
    emulated.call(here.runner, &c, &answer);
    for (int i = 0; i < c.function->count; i++)
        if (answer.ending == ANSWERED && is_answer(c.function->params[i].role))
            memcpy(array[i], answer.left[i], case_length(&c, i) * sizeof(float));
    if (answer.ending != ANSWERED)
        snprintf(here.why, sizeof here.why, "%s: %s", name, answer.reason);
    answer_free(&answer);
}

static void deep_forward_there(float *h, const float *x, const float *w, int layers, int rows,
                               int features, int normalized, float eps)
{
    const size_t whole = (size_t)rows * (size_t)features;
    const size_t part = (size_t)here.rows * (size_t)features;
    ask("deep_forward", h, x, w, layers, here.rows, features, normalized, (double)eps);
    for (size_t l = (size_t)layers; l-- > 1;) /* each layer to where the lab has it */
        memmove(h + l * whole, h + l * part, part * sizeof *h);
}

/* The lab asks for one layer at a time: its first rows come first. */
static void layer_spread_there(float *mean, float *spread, const float *h, int layers, int rows,
                               int features)
{
    (void)rows;
    *mean = *spread = 0;
    ask("layer_spread", mean, spread, h, layers, here.rows, features);
}

static void histogram_there(float *share, const float *x, int count, int bins, float low,
                            float high)
{
    memset(share, 0, (size_t)bins * sizeof *share);
    ask("histogram", share, x, count / ROWS * here.rows, bins, (double)low, (double)high);
}

static const Paths there = {.deep_forward = deep_forward_there,
                            .layer_spread = layer_spread_there,
                            .histogram = histogram_there};
static const struct {
    const char *name;
    const void *function;
} bridges[] = {{"deep_forward", &there.deep_forward},
               {"layer_spread", &there.layer_spread},
               {"histogram", &there.histogram}};

static void place_functions(void)
{
    for (const LabFunction *f = lab.functions; f->name; f++)
        for (size_t i = 0; i < sizeof bridges / sizeof *bridges; i++)
            if (!strcmp(f->name, bridges[i].name))
                memcpy(f->place, bridges[i].function, sizeof there.histogram);
}

/* ---- the lab ---- */
static const LabExperiment *measured;
static double *next_values;

static void tell(const double *values)
{
    const int count = value_count(measured);
    bool fit = values_fit(measured, values);
    for (int v = 0; v < count; v++)
        fit = fit && !isnan(values[v]); /* an answer that was never written */
    if (!here.why[0] && !fit)
        snprintf(here.why, sizeof here.why, "one of the functions gave no result that can be used");
    memcpy(next_values, values, (size_t)count * sizeof *values);
    next_values += count;
}

static void show(const LabResults *results)
{
    static const int layers[] = {0, 1, 4, 9, 14, 19};
    const LabTable spread = {.heading = "Spread",
                             .value = measured->grid->spread,
                             .points = layers,
                             .count = 6,
                             .width = 9,
                             .decimals = 1,
                             .scientific = true,
                             .unit = "layer"};
    char *svg = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&svg, &length);
    lab_table(stdout, results, &spread);
    if (!out)
        abort();
    grid_picture(out, results);
    fclose(out);
    fwrite(svg, 1, length, stdout);
    free(svg);
}

static bool passes(const CheckOptions *options)
{
    Report report = {.seconds = 0};
    const Listener nobody = {.hear = hear_nothing};
    CheckOptions quiet = *options;
    quiet.trials = NULL;
    check_lesson(&quiet, NULL, &report, &nobody);
    bool passed = report.count && report.passed == report.count;
    report_free(&report);
    return passed;
}

static void measure(uint64_t seed)
{
    LabExperiment one = lab.experiments[0];
    LabResults results;
    one.seeds = 1;
    measured = &one;
    results_make(&results, &one, seed);
    next_values = results.numbers;
    for (int curve = 0; curve < curve_count(&one) && !here.why[0]; curve++) {
        fprintf(stderr, "%d of %d: %s\n", curve + 1, curve_count(&one), one.curves[curve].name);
        one.measure(curve, seed, tell);
    }
    if (here.why[0])
        printf("The lab ended early: %s.\n", here.why);
    else
        show(&results);
    free(results.numbers);
}

/* Of the lab's seed 1, with so many of its rows. Prints a table and then the picture, an SVG; on
 * stderr, how far it is. 0: it did; 1: it ended early, and what it printed says why. */
CALLED("lab") int page_lab(const char *text, size_t length, int rows)
{
    char error[2048];
    const char *advice;
    const CheckOptions options = page_options(text, length);
    const RunnerOptions how = check_runner(&options);
    if (!passes(&options))
        puts("Your file does not pass yet. This is what it does all the same.\n");
    here.why[0] = '\0';
    here.rows = rows;
    here.runner = emulated.begin(&how);
    if (!lesson_contract(&here.contract, error, sizeof error))
        author_error("%s", error);
    if (emulated.ready(here.runner, error, sizeof error, &advice)) {
        place_functions();
        measure(1);
        emulated.stop(here.runner);
    } else {
        snprintf(here.why, sizeof here.why, "it does not compile");
        puts(error);
    }
    fflush(stdout);
    return here.why[0] != '\0';
}
