/* Lesson 06: calls the learner's functions in turn and copies out what they left. What a forward
 * pass was lent is spoiled and freed before anything else is called.
 *
 * The invariant: no value is expected here. Every number that leaves comes from the learner's
 * struct, or counts its memory. */
#include "06_module.h"
#include "calls.h"
#include "memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- what is lent and copied ---- */
static void copy(float *to, const float *from, int count)
{
    if (to && from)
        memcpy(to, from, (size_t)count * sizeof *to);
}

static float *lend(const float *values, int count)
{
    float *lent = malloc((size_t)count * sizeof *lent);
    copy(lent, values, count);
    return lent;
}

static void take_back(float *lent, int count)
{
    for (int i = 0; i < count; i++)
        ((volatile float *)lent)[i] = NAN;
    free(lent);
}

/* Adds up those of the nine that are not. What lies between them does not count. */
static void fields_not_zero(float *left, const struct layer_norm *m)
{
    const int not_zero[] = {m->features != 0, m->rows != 0,    m->eps != 0,
                            m->gamma != NULL, m->beta != NULL, m->dgamma != NULL,
                            m->dbeta != NULL, m->xhat != NULL, m->rstd != NULL};
    for (int i = 0; i < 9; i++)
        left[i] += (float)not_zero[i];
}

static void fields_none(float *left)
{
    for (int i = 0; i < 9; i++)
        left[i] = 0;
}

static int arrays_of(const struct layer_norm *m)
{
    return (m->gamma != NULL) + (m->beta != NULL) + (m->dgamma != NULL) + (m->dbeta != NULL) +
           (m->xhat != NULL) + (m->rstd != NULL);
}

/* What the struct still held and free leaves is free's affair, which has a check of its own: here
 * it does not count. What was lost before is a leak. `held` blocks there were at the beginning. */
static void end_life(struct layer_norm *m, int held)
{
    const bool lost = blocks_held() - held > arrays_of(m);
    layer_norm_free(m);
    if (!lost)
        leave_since(held);
}

static float arrays_saved(const struct layer_norm *m)
{
    return (float)((m->xhat != NULL) + (m->rstd != NULL));
}

/* ---- the learner's functions ---- */
static int init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    memset(m, 0xa5, sizeof *m);
    return layer_norm_init(m, shape, dims, eps, bias);
}

static bool was_written(const void *pointer)
{
    const void *garbage;
    memset(&garbage, 0xa5, sizeof garbage);
    return pointer != garbage;
}

/* After an init alone, when free is perhaps not there yet. Where init took fewer blocks than there
 * are arrays, they are parts of a store of the learner's, which is to have them back. */
static void end_init(struct layer_norm *m, int held)
{
    if (blocks_held() - held < arrays_of(m) && was_written(m->gamma) && was_written(m->beta) &&
        was_written(m->dgamma) && was_written(m->dbeta) && was_written(m->xhat) &&
        was_written(m->rstd))
        layer_norm_free(m);
    leave_since(held);
    leave_hidden();
}

static struct layer_norm with_parameters(const int *shape, int dims, const float *gamma,
                                         const float *beta, float eps)
{
    struct layer_norm m = {0}; /* no garbage: where init is not written yet, little happens */
    layer_norm_init(&m, shape, dims, eps, beta != NULL);
    copy(m.gamma, gamma, m.features);
    copy(m.beta, beta, m.features);
    return m;
}

static int forward_lent(struct layer_norm *m, float *y, const float *x, int rows)
{
    float *lent = lend(x, rows * m->features);
    int result = layer_norm_forward(m, y, lent, rows);
    take_back(lent, rows * m->features);
    return result;
}

/* For those whose y is not asked for. */
static void forward_only(struct layer_norm *m, const float *x, int rows)
{
    float *y = malloc((size_t)rows * (size_t)m->features * sizeof *y);
    forward_lent(m, y, x, rows);
    take_back(y, rows * m->features);
}

static void backward_only(struct layer_norm *m, const float *dy, int rows)
{
    float *dx = malloc((size_t)rows * (size_t)m->features * sizeof *dx);
    layer_norm_backward(m, dx, dy);
    free(dx);
}

static void copy_saved(const struct layer_norm *m, float *xhat, float *rstd, float *m_rows,
                       int rows)
{
    copy(xhat, m->xhat, rows * m->features);
    copy(rstd, m->rstd, rows);
    *m_rows = (float)m->rows;
}

/* ---- init ---- */
int init_fields(float *m_features, float *m_eps, float *m_rows, float *saved, const int *shape,
                int dims, float eps, int bias)
{
    struct layer_norm m;
    int held = blocks_held();
    int result = init(&m, shape, dims, eps, bias);
    *m_features = (float)m.features;
    *m_eps = m.eps;
    *m_rows = (float)m.rows;
    *saved = arrays_saved(&m);
    end_init(&m, held);
    return result;
}

int init_parameters(float *gamma, float *dgamma, float *beta, float *dbeta, float *bias_arrays,
                    const int *shape, int dims, int features, int bias)
{
    struct layer_norm m;
    int held = blocks_held();
    int result = init(&m, shape, dims, 1e-5f, bias);
    if (result == 0) {
        copy(gamma, m.gamma, features);
        copy(dgamma, m.dgamma, features);
        copy(beta, m.beta, beta ? features : 0);
        copy(dbeta, m.dbeta, dbeta ? features : 0);
        *bias_arrays = (float)((m.beta != NULL) + (m.dbeta != NULL));
    }
    end_init(&m, held);
    return result;
}

int init_refused(float *fields_left, const int *shape, int numbers, int dims, int bias)
{
    struct layer_norm m;
    (void)numbers;
    int result = init(&m, shape, dims, 1e-5f, bias);
    fields_none(fields_left);
    fields_not_zero(fields_left, &m);
    return result;
}

static int init_failing(struct layer_norm *m, const int *shape, int dims, int bias, int failing,
                        int *asked)
{
    fail_allocation(failing);
    int result = init(m, shape, dims, 1e-5f, bias);
    *asked = allocations();
    fail_allocation(0);
    return result;
}

/* Who asks for none can't be without: it shows what it leaves behind where there is no shape. */
int init_without_memory(float *fields_left, const int *shape, int dims, int bias)
{
    int result = 0;
    for (int nth = 1;; nth++) {
        struct layer_norm m;
        int held = blocks_held();
        int asked, this = init_failing(&m, shape, dims, bias, nth, &asked);
        if (asked >= nth && this == 0) { /* it copes with one that fails */
            end_init(&m, held);
            this = init_failing(&m, shape, dims, bias, -nth, &asked);
        }
        if (asked < nth) { /* it had all that it asked for */
            end_init(&m, held);
            return nth > 1 ? result : init_refused(fields_left, shape, dims, 0, bias);
        }
        result = this;
        fields_none(fields_left);
        fields_not_zero(fields_left, &m);
        for (int i = 0; i < 9; i++)
            if (fields_left[i] > 0)
                return result;
        if (result != -1)
            return result;
    }
}

/* ---- what is kept ----
 * Who frees a block some time later keeps one more each time at first, and then no more. A leak
 * never stops, be it in one of TOGETHER only. What is done once more goes through so many numbers:
 * that is to take no longer than the rest. */
enum { TOGETHER = 12, MOST_TIMES = 2400, MOST_NUMBERS = 1 << 19 };

struct again {
    struct layer_norm *m; /* of a round */
    const int *shape;
    int dims, bias, rows;
    const float *x;
};

static bool settles(void (*once_more)(const struct again *), const struct again *what, int numbers)
{
    for (int times = 0; times < MOST_TIMES && times <= MOST_NUMBERS / numbers; times += TOGETHER) {
        int held = blocks_held();
        for (int i = 0; i < TOGETHER; i++)
            once_more(what);
        if (blocks_held() <= held)
            return true;
    }
    return false;
}

/* ---- free ---- */
static void make_and_free(const struct again *what)
{
    struct layer_norm m;
    init(&m, what->shape, what->dims, 1e-5f, what->bias);
    layer_norm_free(&m);
}

void free_new(float *blocks_held_after, float *fields_left, const int *shape, int dims, int bias)
{
    struct layer_norm m;
    init(&m, shape, dims, 1e-5f, bias);
    layer_norm_free(&m);
    int held = blocks_held(); /* what the first life alone keeps is a store for the next ones */
    init(&m, shape, dims, 1e-5f, bias);
    layer_norm_free(&m);
    int kept = blocks_held() - held, features = 1;
    fields_none(fields_left);
    fields_not_zero(fields_left, &m);
    layer_norm_free(&m);
    for (int i = 0; i < dims; i++)
        features *= shape[i];
    const struct again what = {.shape = shape, .dims = dims, .bias = bias};
    *blocks_held_after =
        (float)(kept > 0 && !settles(make_and_free, &what, 4 * features) ? kept : 0);
}

/* ---- forward ---- */
int forward(float *y, float *xhat, float *rstd, float *m_rows, const float *x, const float *gamma,
            const float *beta, int rows, int features, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    int result = forward_lent(&m, y, x, rows);
    copy_saved(&m, xhat, rstd, m_rows, rows);
    end_life(&m, held);
    return result;
}

int forward_shape(float *y, const float *images, const float *gamma_image, const float *beta_image,
                  int rows, int height, int width, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters((int[]){height, width}, 2, gamma_image, beta_image, eps);
    int result = forward_lent(&m, y, images, rows);
    end_life(&m, held);
    return result;
}

int forward_turns(float *y, float *xhat, float *rstd, float *dgamma_after, const float *x_1,
                  const float *x_2, const float *x_3, const float *gamma, const float *beta,
                  const float *dgamma, int rows_1, int rows_2, int rows_3, int features, float eps)
{
    float m_rows;
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    copy(m.dgamma, dgamma, features);
    forward_only(&m, x_1, rows_1);
    forward_only(&m, x_2, rows_2);
    int result = forward_lent(&m, y, x_3, rows_3);
    copy_saved(&m, xhat, rstd, &m_rows, rows_3);
    copy(dgamma_after, m.dgamma, features);
    end_life(&m, held);
    return result;
}

int forward_refused(float *y, float *xhat, float *rstd, float *m_rows, const float *x,
                    const float *second, const float *gamma, const float *beta, int rows,
                    int bad_rows, int features, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    forward_lent(&m, y, x, rows);
    int result = layer_norm_forward(&m, y, second, bad_rows);
    copy_saved(&m, xhat, rstd, m_rows, rows);
    end_life(&m, held);
    return result;
}

int forward_without_memory(float *y, float *xhat, float *rstd, float *m_rows, float *saved,
                           const float *x, const float *later, const float *gamma,
                           const float *beta, int rows, int later_rows, int features, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    int most = rows > later_rows ? rows : later_rows, result = 0, nth = 1;
    bool copes = false, fails, told = false; /* copes: with one that fails */
    float *here = malloc((size_t)most * (size_t)features * sizeof *here);
    forward_lent(&m, here, x, rows);
    do {
        copy(y, here, rows * features);
        copy_saved(&m, xhat, rstd, m_rows, rows);
        *saved = arrays_saved(&m);
        fail_allocation(copes ? -nth : nth);
        int this = layer_norm_forward(&m, here, later, later_rows);
        fails = allocations() >= nth;
        fail_allocation(0);
        copes = fails && this == 0 && !copes;
        if (copes) {
            forward_lent(&m, here, x, rows);
            continue;
        }
        result = fails ? this : result;
        told = told || fails;
        nth++;
    } while (copes || (fails && result == -1));
    if (!told) /* who asks for none can't be without: rows are refused as well */
        result = layer_norm_forward(&m, here, later, 0);
    free(here);
    end_life(&m, held);
    return result;
}

/* ---- backward ---- */
void backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
              const float *gamma, const float *beta, int rows, int features, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    forward_only(&m, x, rows);
    layer_norm_backward(&m, dx, dy);
    copy(dgamma, m.dgamma, features);
    copy(dbeta, m.dbeta, features);
    end_life(&m, held);
}

void backward_again(float *dx, float *dgamma, float *dbeta, const float *dy_1, const float *x_1,
                    const float *dy_2, const float *x_2, const float *gamma, const float *beta,
                    int rows_1, int rows_2, int features, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    forward_only(&m, x_1, rows_1);
    backward_only(&m, dy_1, rows_1);
    forward_only(&m, x_2, rows_2);
    backward_only(&m, dy_2, rows_2);
    layer_norm_backward(&m, dx, dy_2);
    copy(dgamma, m.dgamma, features);
    copy(dbeta, m.dbeta, features);
    end_life(&m, held);
}

void backward_of_two(float *dx_a, float *dgamma_a, float *dx_b, float *dgamma_b, const float *dy_a,
                     const float *x_a, const float *dy_b, const float *x_b, int rows_a,
                     int features_a, int rows_b, int features_b, float eps)
{
    int held = blocks_held();
    struct layer_norm a, b;
    init(&a, &features_a, 1, eps, 0);
    init(&b, &features_b, 1, eps, 1);
    forward_only(&a, x_a, rows_a);
    forward_only(&b, x_b, rows_b);
    layer_norm_backward(&a, dx_a, dy_a);
    layer_norm_backward(&b, dx_b, dy_b);
    copy(dgamma_a, a.dgamma, features_a);
    copy(dgamma_b, b.dgamma, features_b);
    const bool lost = blocks_held() - held > arrays_of(&a) + arrays_of(&b);
    layer_norm_free(&a);
    layer_norm_free(&b);
    if (!lost)
        leave_since(held);
}

/* ---- zero_grad ---- */
void zero_grad(float *dgamma_zeroed, float *dbeta_zeroed, float *dgamma, float *dbeta,
               const float *dy_before, const float *dy, const float *x, const float *gamma,
               const float *beta, int rows, int features, float eps)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, eps);
    forward_only(&m, x, rows);
    backward_only(&m, dy_before, rows);
    layer_norm_zero_grad(&m);
    copy(dgamma_zeroed, m.dgamma, features);
    copy(dbeta_zeroed, m.dbeta, features);
    backward_only(&m, dy, rows);
    copy(dgamma, m.dgamma, features);
    copy(dbeta, m.dbeta, features);
    end_life(&m, held);
}

/* ---- step ---- */
void step(float *gamma_after, float *beta_after, float *dgamma_after, float *dbeta_after,
          const float *gamma, const float *beta, const float *dgamma, const float *dbeta,
          int features, float rate)
{
    int held = blocks_held();
    struct layer_norm m = with_parameters(&features, 1, gamma, beta, 1e-5f);
    copy(m.dgamma, dgamma, features);
    copy(m.dbeta, dbeta, features);
    layer_norm_step(&m, rate);
    copy(gamma_after, m.gamma, features);
    copy(beta_after, m.beta, features);
    copy(dgamma_after, m.dgamma, features);
    copy(dbeta_after, m.dbeta, features);
    end_life(&m, held);
}

void train(float *y, float *gamma_after, float *beta_after, const float *batches,
           const float *targets, const float *gamma_image, const float *beta_image, int steps,
           int rows, int height, int width, float eps, float rate)
{
    int count = rows * height * width;
    int held = blocks_held();
    struct layer_norm m = with_parameters((int[]){height, width}, 2, gamma_image, beta_image, eps);
    float *dy = malloc((size_t)count * sizeof *dy);
    for (int i = 0; i < steps; i++) {
        layer_norm_zero_grad(&m);
        forward_lent(&m, y, batches + i * count, rows);
        for (int k = 0; k < count; k++)
            dy[k] = y[k] - targets[i * count + k];
        backward_only(&m, dy, rows);
        layer_norm_step(&m, rate);
    }
    copy(gamma_after, m.gamma, height * width);
    copy(beta_after, m.beta, height * width);
    free(dy);
    end_life(&m, held);
}

/* ---- whole lives ---- */
static void live_a_round(struct layer_norm *m, const float *x, int rows)
{
    float *y = malloc((size_t)rows * (size_t)m->features * sizeof *y);
    for (int r = rows; r > 0; r--) {
        layer_norm_zero_grad(m);
        layer_norm_forward(m, y, x, r);
        fail_allocation(2);
        layer_norm_forward(m, y, x, rows + 1 - r);
        fail_allocation(0);
        layer_norm_forward(m, y, x, 0);
        backward_only(m, x, m->rows);
        layer_norm_step(m, 0.01f);
    }
    free(y);
}

static void live_one_more_round(const struct again *what)
{
    live_a_round(what->m, what->x, what->rows);
}

static void live_once_more(const struct again *what)
{
    struct layer_norm m;
    init(&m, what->shape, what->dims, 1e-5f, what->bias);
    for (int i = 0; i < 3; i++)
        live_a_round(&m, what->x, what->rows);
    layer_norm_free(&m);
}

void lives(float *blocks_held_after, float *blocks_grown, float *fields_left, const float *x,
           int rows, int features, int bias, int rounds)
{
    struct layer_norm m;
    const int shape[] = {1, features};
    const struct again what = {&m, shape, 2, bias, rows, x};
    const int numbers = 32 * rows * rows * features; /* in a round, which has 2 * rows passes */
    int held = blocks_held();
    *blocks_grown = 0;
    fields_none(fields_left);
    for (int i = 0; i <= rounds; i++) {
        held = i == 1 ? blocks_held() : held; /* as in free_new */
        init(&m, shape, 2, 1e-5f, bias);
        live_a_round(&m, x, rows);
        int before = blocks_held();
        live_a_round(&m, x, rows);
        live_a_round(&m, x, rows);
        int grown = i ? blocks_held() - before : 0;
        if (grown > 0 && !settles(live_one_more_round, &what, numbers))
            *blocks_grown += (float)grown;
        layer_norm_free(&m);
        fields_not_zero(fields_left, &m);
        layer_norm_free(&m);
    }
    int kept = blocks_held() - held;
    *blocks_held_after =
        (float)(kept > 0 && !settles(live_once_more, &what, 3 * numbers) ? kept : 0);
}
