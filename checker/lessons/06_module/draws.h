/* Lesson 06: the cases that are drawn afresh at every run, for each sequence of calls.h. */
#ifndef LESSON_06_DRAWS_H
#define LESSON_06_DRAWS_H

#include "author.h"

#include <limits.h>

enum { MOST_FEATURES = 6000 };

/* A shape of one to four numbers: small ones, then one that chance hardly draws twice. Returns the
 * product: at most so many, or what the small ones make. */
static int draw_shape(Case *c, Rng *rng, int most)
{
    int dims = uniform_int(rng, 1, 4), features = 1;
    set_size(c, "dims", dims);
    set_size(c, "bias", uniform_int(rng, 0, 1));
    for (int d = 0; d < dims - 1; d++)
        features *= fill_ints(c, "shape")[d] = uniform_int(rng, 1, 9);
    const int left = most > features ? most / features : 1;
    return features * (fill_ints(c, "shape")[dims - 1] = uniform_int(rng, 1, left));
}

static void draw_init_fields(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 8; i++) {
        Case *c = case_new(cases, "init_fields");
        draw_shape(c, rng, MOST_FEATURES);
        set_scalar(c, "eps", i % 4 == 3 ? 0 : (float)uniform(rng, i % 4 ? 1e-6 : 0.25, 0.5));
    }
}

static void draw_init_parameters(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 8; i++) {
        Case *c = case_new(cases, "init_parameters");
        set_size(c, "features", draw_shape(c, rng, MOST_FEATURES));
        if (!size_of(c, "bias")) {
            set_null(c, "beta");
            set_null(c, "dbeta");
        }
    }
}

/* numbers: dims; NULL: any, and `dims` does not count them. */
static void refuse(Cases *cases, Rng *rng, int dims, const int *numbers, const char *what)
{
    Case *c = case_new(cases, "init_refused");
    int count = numbers ? dims : uniform_int(rng, 1, 4);
    set_size(c, "numbers", count);
    set_size(c, "dims", dims);
    set_size(c, "bias", uniform_int(rng, 0, 1));
    for (int d = 0; d < count; d++)
        fill_ints(c, "shape")[d] = numbers ? numbers[d] : uniform_int(rng, 1, 9);
    case_label(c, "%s", what);
}

static void draw_init_refused(Cases *cases, Rng *rng)
{
    int some = uniform_int(rng, 2, 900), other = uniform_int(rng, 2, 900);
    refuse(cases, rng, 0, NULL, "no dimension");
    refuse(cases, rng, -uniform_int(rng, 1, 9), NULL, "fewer than none");
    refuse(cases, rng, 1, (int[]){-some}, "a negative number");
    refuse(cases, rng, 2, (int[]){some, 0}, "a 0 at the end");
    refuse(cases, rng, 3, (int[]){0, some, other}, "a 0 at the start");
    refuse(cases, rng, 3, (int[]){some, -1, other}, "one negative number");
    refuse(cases, rng, 2, (int[]){-some, -other}, "two negative numbers");
    refuse(cases, rng, 2, (int[]){46341 + some, 46341}, "hardly too many");
    refuse(cases, rng, 3, (int[]){65537, 65537, some}, "far too many: 32 bits hold a small rest");
    refuse(cases, rng, 4, (int[]){65536, 256, 256, some}, "far too many: 32 bits hold 0");
    refuse(cases, rng, 2, (int[]){INT_MAX - some, INT_MAX - other}, "as many as can be");
    refuse(cases, rng, 2, (int[]){2, INT_MAX / 2 + some}, "twice the half, and more");
}

static void draw_init_without_memory(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 4; i++) {
        Case *c = case_new(cases, "init_without_memory");
        draw_shape(c, rng, MOST_FEATURES);
        set_size(c, "bias", i % 2);
    }
}

/* Three of the shapes are small: what keeps some is asked for many lives of them. */
static void draw_free_new(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 4; i++) {
        Case *c = case_new(cases, "free_new");
        draw_shape(c, rng, i < 3 ? 60 : 1000);
        set_size(c, "bias", i % 2);
    }
}

/* Every third layer is without a bias. */
static void draw_shapes(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, function);
        set_size(c, "rows", shape.rows);
        set_size(c, "features", shape.features);
        set_scalar(c, "eps", shape.eps);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        if (i % 3 == 2)
            set_null(c, "beta");
        if (i % 3 == 2 && takes(c, "dbeta"))
            set_null(c, "dbeta");
        fill_rest(c, rng);
        case_label(c, "%d x %d", shape.rows, shape.features);
    }
}

static void draw_forward(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, "forward");
}

static void draw_backward(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, "backward");
}

/* Sizes and eps; `bias` 0: what a case has of beta is NULL, and its eps is large. */
static Case *small_case(Cases *cases, Rng *rng, const char *function, int bias)
{
    Case *c = case_new(cases, function);
    if (takes(c, "features"))
        set_size(c, "features", uniform_int(rng, 2, 8));
    if (takes(c, "rows"))
        set_size(c, "rows", uniform_int(rng, 2, 6));
    if (takes(c, "eps"))
        set_scalar(c, "eps", (float)(bias ? uniform(rng, 1e-5, 0.1) : uniform(rng, 0.25, 1)));
    static const char *const of_beta[] = {"beta",         "beta_image", "dbeta",
                                          "dbeta_zeroed", "beta_after", "dbeta_after"};
    for (int i = 0; i < 6 && !bias; i++)
        if (takes(c, of_beta[i]))
            set_null(c, of_beta[i]);
    return c;
}

static void draw_forward_shape(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 4; i++) {
        Case *c = small_case(cases, rng, "forward_shape", i % 2);
        set_size(c, "height", uniform_int(rng, 2, 5));
        set_size(c, "width", uniform_int(rng, 2, 5));
        fill_rest(c, rng);
    }
}

/* Growing, shrinking, the same again. */
static void draw_forward_turns(Cases *cases, Rng *rng)
{
    static const int rows[][3] = {{2, 5, 3}, {5, 1, 4}, {3, 3, 3}, {1, 2, 90}, {90, 2, 1}};
    for (int i = 0; i < 5; i++) {
        Case *c = small_case(cases, rng, "forward_turns", i % 2);
        set_size(c, "rows_1", rows[i][0]);
        set_size(c, "rows_2", rows[i][1] + uniform_int(rng, 0, 2) * (i != 2));
        set_size(c, "rows_3", rows[i][2]);
        fill_rest(c, rng);
    }
}

/* None, fewer than none, and so many that their product with `features` does not fit an int. */
static void draw_forward_refused(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 7; i++) {
        Case *c = small_case(cases, rng, "forward_refused", i % 2);
        int features = size_of(c, "features"), most = INT_MAX / features;
        /* 2^32 and a little, over features: 32 bits hold the little */
        int wraps = (int)(4294967296.0 / features) + 1;
        int bad[] = {0, -1, INT_MIN, most + 1, INT_MAX, features > 2 ? wraps : INT_MAX - 1, -7};
        set_size(c, "bad_rows", bad[i]);
        fill_rest(c, rng);
    }
}

static void draw_forward_without_memory(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 6; i++) {
        Case *c = small_case(cases, rng, "forward_without_memory", i % 2);
        set_size(c, "later_rows", size_of(c, "rows") + uniform_int(rng, 1, 40));
        fill_rest(c, rng);
    }
}

static void draw_backward_again(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 6; i++) {
        Case *c = small_case(cases, rng, "backward_again", i % 3 != 2);
        set_size(c, "rows_1", uniform_int(rng, 1, 7));
        set_size(c, "rows_2", uniform_int(rng, 1, 7));
        fill_rest(c, rng);
    }
}

static void draw_backward_of_two(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 4; i++) {
        Case *c = small_case(cases, rng, "backward_of_two", 0);
        set_size(c, "rows_a", uniform_int(rng, 1, 6));
        set_size(c, "rows_b", uniform_int(rng, 1, 6));
        set_size(c, "features_a", uniform_int(rng, 2, 8));
        set_size(c, "features_b", uniform_int(rng, 2, 8));
        fill_rest(c, rng);
    }
}

static void draw_zero_grad(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 6; i++)
        fill_rest(small_case(cases, rng, "zero_grad", i % 2), rng);
}

static void draw_step(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 6; i++) {
        Case *c = small_case(cases, rng, "step", i % 2);
        set_scalar(c, "rate", (float)uniform(rng, 0.05, 0.9));
        fill_rest(c, rng);
    }
}

static void draw_train(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 4; i++) {
        Case *c = small_case(cases, rng, "train", i % 2);
        set_size(c, "steps", uniform_int(rng, 2, 4));
        set_size(c, "height", uniform_int(rng, 1, 4));
        set_size(c, "width", uniform_int(rng, 2, 4));
        set_scalar(c, "rate", (float)uniform(rng, 0.02, 0.1));
        fill_rest(c, rng);
    }
}

static void draw_lives(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 4; i++) {
        Case *c = small_case(cases, rng, "lives", 1);
        set_size(c, "bias", i % 2);
        set_size(c, "rounds", i < 3 ? 1 : 50);
        fill_rest(c, rng);
    }
}

#endif
