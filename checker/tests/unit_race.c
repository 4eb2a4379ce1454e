/* The race's logic, without a clock that anything hangs on: what simulated times decide, what is
 * right and wrong, and that work which is done while a racer ought to wait counts. */
#include "../race/race.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "../../include/02_backward.h"
#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "01_layer_norm";
const Race race = {.plain = ""};

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- decisions ---- */
static Figure exactly(double value)
{
    return (Figure){value, value, value};
}

static void test_eleven_ratios_are_the_fewest_that_say_anything(void)
{
    double ratios[20];
    for (int i = 0; i < 20; i++)
        ratios[i] = 20 - i; /* the largest first: 20 to 1, or of eleven to 10 */
    Figure ten = figure_of(ratios, 10, 0), eleven = figure_of(ratios, 11, 0);
    TEST_ASSERT_FALSE(isfinite(ten.high));
    TEST_ASSERT_EQUAL_DOUBLE(15.5, ten.median);
    TEST_ASSERT_EQUAL_DOUBLE(10, eleven.low);
    TEST_ASSERT_EQUAL_DOUBLE(20, eleven.high);
    TEST_ASSERT_EQUAL_DOUBLE(15, eleven.median);
    /* Of 20 the fourth from either end: 2 (1 + 20 + 190) / 2^20 = .0004, with 1140 more .0026. */
    Figure twenty = figure_of(ratios, 20, 0);
    TEST_ASSERT_EQUAL_DOUBLE(3, twenty.low);
    TEST_ASSERT_EQUAL_DOUBLE(18, twenty.high);
}

static void test_the_median_lies_outside_its_interval_once_in_a_thousand(void)
{
    enum { TRIES = 20000, COUNT = 24 };
    Rng rng;
    int outside = 0;
    rng_seed(&rng, 1);
    for (int i = 0; i < TRIES; i++) {
        double ratios[COUNT];
        for (int j = 0; j < COUNT; j++) /* lopsided, and its median is 1 */
            ratios[j] = exp(normal(&rng));
        Figure figure = figure_of(ratios, COUNT, 0);
        outside += figure.low > 1 || figure.high < 1;
    }
    TEST_ASSERT_LESS_THAN(TRIES / 1000 * 2, outside);
}

static void test_other_processors_at_work_widen_the_interval(void)
{
    double ratios[11];
    for (int i = 0; i < 11; i++)
        ratios[i] = 0.6;
    Figure figure = figure_of(ratios, 11, 1);
    TEST_ASSERT_EQUAL_DOUBLE(0.3, figure.low);
    TEST_ASSERT_EQUAL_DOUBLE(1.2, figure.high);
}

static void test_a_share_of_our_own_processor_counts_beside_that_of_the_others(void)
{
    TEST_ASSERT_EQUAL_DOUBLE(0, busy_share(2, 1, 1));
    TEST_ASSERT_EQUAL_DOUBLE(0, busy_share(1, 0, 1.01)); /* as clocks are */
    TEST_ASSERT_EQUAL_DOUBLE(0.25, busy_share(5, 3, 1));
    TEST_ASSERT_EQUAL_DOUBLE(1, busy_share(2, 0, 1));
    TEST_ASSERT_EQUAL_DOUBLE(1.75, busy_share(2, 0, 0.25));
    TEST_ASSERT_EQUAL_DOUBLE(1.75, busy_share(9, 0, 0.25));
}

static void marks_are(Mark faster, Mark twice, Mark near, double to_plain, double to_copy,
                      double to_solution)
{
    Figures figures = {exactly(to_plain), exactly(to_copy), exactly(to_solution), {0}};
    Mark marks[MARKS];
    marks_of(&figures, ANOTHER, marks);
    TEST_ASSERT_EQUAL(faster, marks[0]);
    TEST_ASSERT_EQUAL(twice, marks[1]);
    TEST_ASSERT_EQUAL(near, marks[2]);
}

static void test_each_mark_has_its_limit(void)
{
    marks_are(MISSED, MISSED, MISSED, 0.96, 2.1, 1.3);
    marks_are(REACHED, MISSED, MISSED, 0.94, 2.1, 1.3);
    marks_are(REACHED, REACHED, MISSED, 0.49, 2.1, 1.3);
    marks_are(REACHED, REACHED, MISSED, 0.94, 1.9, 1.3);
    marks_are(REACHED, REACHED, REACHED, 0.49, 1.9, 1.2);
    Figures same = {exactly(1), exactly(9), exactly(9), {0}};
    Mark marks[MARKS];
    marks_of(&same, PLAIN_VERSION, marks);
    TEST_ASSERT_EQUAL(REACHED, marks[2]);
    marks_of(&same, NOT_HERE, marks); /* as in a hand-out */
    TEST_ASSERT_EQUAL(NOT_ASKED, marks[2]);
}

static void test_an_interval_with_a_limit_in_it_decides_nothing(void)
{
    Figures figures = {{0.8, 0.4, 1.4}, {3, 1.9, 4}, {1.2, 1.1, 1.3}, {0}};
    Mark marks[MARKS];
    marks_of(&figures, ANOTHER, marks);
    for (int m = 0; m < MARKS; m++)
        TEST_ASSERT_EQUAL(UNDECIDED, marks[m]);
}

static void test_less_than_moving_the_bytes_takes_is_not_believed(void)
{
    Figures figures = {.to_copy = exactly(0.66)};
    TEST_ASSERT_TRUE(beyond_belief(&figures, 1));
    TEST_ASSERT_FALSE(beyond_belief(&figures, 2));
    figures.to_copy = (Figure){0.5, 0.4, 0.7};
    TEST_ASSERT_FALSE(beyond_belief(&figures, 1));
}

/* ---- simulated clocks ---- */
/* What a program of true ratios would be told, its rounds simulated: each time is off by some
 * hundredths, one in ten is stretched up to three times; and where another program takes its share
 * of the memory, what waits for memory takes up to twice as long, for the whole try. */
static void simulate(Rng *rng, double to_plain, double to_copy, double busy, Mark marks[MARKS])
{
    enum { MOST = 1000 };
    static double plain[MOST], copy[MOST];
    double slowed = uniform(rng, 1, 1 + busy), slowed_copy = uniform(rng, 1, 1 + busy);
    bool decided = false;
    for (int round = 0; round < MOST && !decided; round++) {
        double times[3] = {slowed, 1, slowed_copy};
        for (int i = 0; i < 3; i++) {
            times[i] *= exp(0.03 * normal(rng));
            times[i] *= uniform(rng, 0, 1) < 0.1 ? uniform(rng, 1, 3) : 1;
        }
        plain[round] = to_plain * times[0] / times[1];
        copy[round] = to_copy * times[0] / times[2];
        if (!is_look(round + 1))
            continue;
        Figures figures = {
            figure_of(plain, round + 1, busy), figure_of(copy, round + 1, busy), {0}, {0}};
        marks_of(&figures, PLAIN_VERSION, marks);
        decided = marks[0] && marks[1] && marks[2];
    }
}

static const double truths[][2] = {{0.3, 1.5}, {0.3, 4},   {0.45, 3}, {0.6, 1.7},
                                   {0.8, 4},   {1.0, 2.5}, {1.0, 5},  {1.4, 6}};

static void test_fifty_tries_on_a_quiet_machine_say_what_is_true(void)
{
    Rng rng;
    rng_seed(&rng, 2);
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        Figures truth = {exactly(truths[t][0]), exactly(truths[t][1]), {0}, {0}};
        Mark right[MARKS], marks[MARKS];
        marks_of(&truth, PLAIN_VERSION, right);
        for (int try = 0; try < 50; try++) {
            simulate(&rng, truths[t][0], truths[t][1], 0.01, marks);
            TEST_ASSERT_EQUAL_MEMORY(right, marks, sizeof marks);
        }
    }
}

static void test_fifty_tries_beside_a_busy_core_turn_no_mark_round(void)
{
    Rng rng;
    int undecided = 0;
    rng_seed(&rng, 3);
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        Figures truth = {exactly(truths[t][0]), exactly(truths[t][1]), {0}, {0}};
        Mark right[MARKS], marks[MARKS];
        marks_of(&truth, PLAIN_VERSION, right);
        for (int try = 0; try < 50; try++) {
            simulate(&rng, truths[t][0], truths[t][1], 1, marks);
            for (int m = 0; m < MARKS; m++) {
                TEST_ASSERT_TRUE(marks[m] == UNDECIDED || marks[m] == right[m]);
                undecided += marks[m] == UNDECIDED;
            }
        }
    }
    TEST_ASSERT_GREATER_THAN(0, undecided);
}

/* ---- right and wrong ---- */
static const RaceShape small_shapes[] = {{1, 768, 2}, {7, 5, 3}, {3, 1, 1}, {300, 8, 1}, {2, 9, 1}};
enum { SMALL_SHAPES = sizeof small_shapes / sizeof *small_shapes };

typedef struct {
    Layout layout;
    char *in, *out;
} Call;

static Call call_of(Kind kind, RaceShape shape)
{
    Call call = {layout_of(kind, shape), calloc(1, layout_room()), calloc(1, layout_room())};
    Noise noise;
    noise_seed(&noise);
    inputs_fill(call.in, &call.layout, &noise);
    return call;
}

static void end_call(Call *call)
{
    free(call->in);
    free(call->out);
}

static float *array_in(char *at, const Placed *placed, int call)
{
    return (float *)(void *)(at + placed->offset + (size_t)call * placed->step);
}

/* With lesson 02's solution. */
static void compute(Call *c)
{
    const Layout *l = &c->layout;
    float *spare = calloc((size_t)l->shape.rows * 2, sizeof *spare);
    for (int call = 0; call < l->shape.calls; call++) {
        float *in[INPUTS_END], *out[OUTPUTS_END];
        for (int i = 0; i < INPUTS_END; i++)
            in[i] = array_in(c->in, &l->in[i], call);
        for (int o = 0; o < OUTPUTS_END; o++)
            out[o] = array_in(c->out, &l->out[o], call);
        bool saves = l->kind == FORWARD_SAVING;
        if (l->kind == BACKWARD)
            layer_norm_backward(out[DX], out[DGAMMA], out[DBETA], in[DY], in[X], in[GAMMA],
                                in[GIVEN_MEAN], in[GIVEN_RSTD], l->shape.rows, l->shape.features);
        else
            layer_norm_forward(out[Y], saves ? out[MEAN] : spare,
                               saves ? out[RSTD] : spare + l->shape.rows, in[X], in[GAMMA],
                               in[BETA], l->shape.rows, l->shape.features, RACE_EPS);
    }
    free(spare);
}

static void test_what_the_solution_gives_is_right_on_every_shape(void)
{
    for (int kind = FORWARD; kind < KINDS; kind++)
        for (int s = 0; s < SMALL_SHAPES; s++)
            for (int try = 0; try < 20; try++) {
                Call call = call_of((Kind)kind, small_shapes[s]);
                compute(&call);
                TEST_ASSERT_NULL(race_judge(call.in, call.out, &call.layout).array);
                end_call(&call);
            }
}

/* One number after the other is moved by a hundredth of the row's spread, and then made NaN. */
static void test_one_wrong_number_anywhere_is_found(void)
{
    for (int kind = FORWARD; kind < KINDS; kind++) {
        Call call = call_of((Kind)kind, (RaceShape){7, 5, 3});
        compute(&call);
        for (int o = 0; o < OUTPUTS_END; o++)
            for (size_t i = 0; i < call.layout.out[o].length * 3; i++) {
                size_t length = call.layout.out[o].length;
                float *at = array_in(call.out, &call.layout.out[o], (int)(i / length)) + i % length;
                float right = *at;
                *at = right + 0.01f;
                TEST_ASSERT_NOT_NULL(race_judge(call.in, call.out, &call.layout).array);
                *at = NAN;
                TEST_ASSERT_NOT_NULL(race_judge(call.in, call.out, &call.layout).array);
                *at = right;
            }
        TEST_ASSERT_NULL(race_judge(call.in, call.out, &call.layout).array);
        end_call(&call);
    }
}

/* real.h, operation for operation. */
static Real y_by_the_rules(const Call *call, int r, int j)
{
    const Layout *l = &call->layout;
    const int n = l->shape.features;
    const float *x = array_in(call->in, &l->in[X], 0) + r * n;
    Real *row = as_reals(x, n);
    Moments moments = moments_of(row, n);
    Real rstd = divide(exact(1), root(add(moments.variance, exact((double)RACE_EPS))));
    Real hat = mul(sub(row[j], moments.mean), rstd);
    Real gamma = exact((double)array_in(call->in, &l->in[GAMMA], 0)[j]);
    free(row);
    return add(mul(gamma, hat), exact((double)array_in(call->in, &l->in[BETA], 0)[j]));
}

static void test_the_bounds_of_y_are_those_of_the_rules(void)
{
    Call call = call_of(FORWARD, (RaceShape){3, 200, 1});
    compute(&call);
    for (int r = 0; r < 3; r++)
        for (int j = 0; j < 200; j++) {
            float *y = array_in(call.out, &call.layout.out[Y], 0) + r * 200 + j, right = *y;
            Real want = y_by_the_rules(&call, r, j);
            *y = (float)(want.v + 0.9 * want.e);
            TEST_ASSERT_NULL(race_judge(call.in, call.out, &call.layout).array);
            *y = (float)(want.v + 1.1 * want.e);
            Wrong wrong = race_judge(call.in, call.out, &call.layout);
            TEST_ASSERT_NOT_NULL(wrong.array);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * want.e, want.e, wrong.allowed);
            TEST_ASSERT_EQUAL(r, wrong.row);
            TEST_ASSERT_EQUAL(j, wrong.column);
            *y = right;
        }
    end_call(&call);
}

/* Statistics of all but the last part of each row. */
static void test_to_leave_out_a_fiftieth_of_long_rows_is_found(void)
{
    const RaceShape shape = {200, 65536, 1};
    const int used = shape.features - shape.features / 50;
    Layout layout = layout_of(FORWARD, shape);
    char *in = calloc(1, 2 * sizeof(float) * 200 * 65536),
         *out = calloc(1, sizeof(float) * 200 * 65600);
    Noise noise;
    noise_seed(&noise);
    inputs_fill(in, &layout, &noise);
    const float *x = array_in(in, &layout.in[X], 0), *gamma = array_in(in, &layout.in[GAMMA], 0);
    const float *beta = array_in(in, &layout.in[BETA], 0);
    float *y = array_in(out, &layout.out[Y], 0);
    for (int r = 0; r < shape.rows; r++, x += shape.features, y += shape.features) {
        double mean = 0, variance = 0;
        for (int j = 0; j < used; j++)
            mean += (double)x[j] / used;
        for (int j = 0; j < used; j++)
            variance += ((double)x[j] - mean) * ((double)x[j] - mean) / used;
        for (int j = 0; j < shape.features; j++)
            y[j] = (float)((double)gamma[j] * ((double)x[j] - mean) /
                               sqrt(variance + (double)RACE_EPS) +
                           (double)beta[j]);
    }
    TEST_ASSERT_NOT_NULL(race_judge(in, out, &layout).array);
    free(in);
    free(out);
}

static void test_no_two_measurements_are_of_the_same_numbers(void)
{
    Noise noise;
    noise_seed(&noise);
    for (int kind = FORWARD; kind < KINDS; kind++) {
        Layout layout = layout_of((Kind)kind, (RaceShape){4, 6, 2});
        char *first = calloc(1, layout_room()), *second = calloc(1, layout_room());
        inputs_fill(first, &layout, &noise);
        inputs_fill(second, &layout, &noise);
        for (int i = 0; i < INPUTS_END; i++)
            for (int call = 0; layout.in[i].length && call < 2; call++) {
                size_t bytes = layout.in[i].length * sizeof(float);
                float *a = array_in(first, &layout.in[i], 0);
                TEST_ASSERT_NOT_EQUAL(0, memcmp(a, array_in(second, &layout.in[i], call), bytes));
                TEST_ASSERT_NOT_EQUAL(0, memcmp(array_in(first, &layout.in[i], 1),
                                                array_in(second, &layout.in[i], call), bytes));
            }
        free(first);
        free(second);
    }
}

/* ---- a racer ---- */
static const char works_later[] =
    "#include <pthread.h>\n#include <time.h>\n"
    "static void *work(void *nothing)\n"
    "{\n"
    "    struct timespec used = {0};\n"
    "    while (used.tv_nsec < 50000000)\n"
    "        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);\n"
    "    return nothing;\n"
    "}\n"
    "void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,\n"
    "                int features, float eps)\n"
    "{\n"
    "    pthread_t thread;\n"
    "    (void)y, (void)x, (void)gamma, (void)beta, (void)rows, (void)features, (void)eps;\n"
    "    pthread_create(&thread, NULL, work, NULL);\n"
    "    pthread_detach(thread);\n"
    "}\n";

/* The answer comes at once, and 50 ms of work behind it: this time and the next are as long. */
static void test_work_that_is_done_while_nobody_asked_counts(void)
{
    static const char *const argv[] = {"build/racer", NULL}, *const speed[] = {NULL};
    char error[512] = "", source[96];
    Folder folder;
    Shared shared;
    Lane lane = {.source = source};
    Layout layout = layout_of(FORWARD, (RaceShape){1, 8, 1});
    WireRace request = request_of(&layout, "layer_norm");
    TEST_ASSERT_TRUE_MESSAGE(folder_make(&folder, error, sizeof error), error);
    snprintf(source, sizeof source, "%s/late.c", folder.path);
    snprintf(lane.object, sizeof lane.object, "%s/late.so", folder.path);
    TEST_ASSERT_TRUE(write_new_file(source, works_later, strlen(works_later), false));
    TEST_ASSERT_TRUE(
        optimized_build(lesson_name, source, lane.object, folder.path, speed, "the test"));
    TEST_ASSERT_TRUE_MESSAGE(shared_make(&shared, error, sizeof error), error);
    TEST_ASSERT_TRUE_MESSAGE(lane_start(&lane, &shared, argv, error, sizeof error), error);
    TEST_ASSERT_TRUE_MESSAGE(lane_load(&lane, error, sizeof error), error);
    double before = processor_seconds(&lane);
    double first = lane_time(&lane, &request, sizeof request, error, sizeof error);
    for (int i = 0; i < 6000 && processor_seconds(&lane) < before + 0.05; i++)
        poll(NULL, 0, 10);
    request = request_of(&layout, RACER_NOTHING);
    double second = lane_time(&lane, &request, sizeof request, error, sizeof error);
    lane_end(&lane);
    folder_remove(&folder);
    TEST_ASSERT_TRUE_MESSAGE(first > 0 && second > 0, error);
    TEST_ASSERT_TRUE(first + second > 0.045);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_eleven_ratios_are_the_fewest_that_say_anything);
    RUN_TEST(test_the_median_lies_outside_its_interval_once_in_a_thousand);
    RUN_TEST(test_other_processors_at_work_widen_the_interval);
    RUN_TEST(test_a_share_of_our_own_processor_counts_beside_that_of_the_others);
    RUN_TEST(test_each_mark_has_its_limit);
    RUN_TEST(test_an_interval_with_a_limit_in_it_decides_nothing);
    RUN_TEST(test_less_than_moving_the_bytes_takes_is_not_believed);
    RUN_TEST(test_fifty_tries_on_a_quiet_machine_say_what_is_true);
    RUN_TEST(test_fifty_tries_beside_a_busy_core_turn_no_mark_round);
    RUN_TEST(test_what_the_solution_gives_is_right_on_every_shape);
    RUN_TEST(test_one_wrong_number_anywhere_is_found);
    RUN_TEST(test_the_bounds_of_y_are_those_of_the_rules);
    RUN_TEST(test_to_leave_out_a_fiftieth_of_long_rows_is_found);
    RUN_TEST(test_no_two_measurements_are_of_the_same_numbers);
    RUN_TEST(test_work_that_is_done_while_nobody_asked_counts);
    return UNITY_END();
}
