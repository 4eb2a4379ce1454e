/* The transformer of the lab: see lab_encoder.h. The invariant: whichever place the norm has, all
 * else is the same; and every shortcut and every norm goes through the functions in `paths`. (A
 * norm of x alone is post_norm with a branch of zeros.) */
#include "lab_encoder.h"

#include <stdlib.h>
#include <string.h>

static const float EPS = 1e-5f;

/* ---- memory and weights ---- */
static void *own(Encoder *e, int count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    e->owned = realloc(e->owned, (size_t)(e->owned_count + 1) * sizeof *e->owned);
    if (!memory || !e->owned)
        author_error("there is no memory for the lab's network");
    e->owned[e->owned_count++] = memory;
    return memory;
}

static float *numbers(Encoder *e, int count)
{
    return own(e, count, sizeof(float));
}

void encoder_free(Encoder *e)
{
    for (int i = 0; i < e->owned_count; i++)
        free(e->owned[i]);
    free(e->owned);
}

/* Where each array begins, of all in one. Returns how many numbers that are. */
static int lay_out(Weights *w, float *all, int layers, int hidden)
{
    const int n = FEATURES;
    const struct {
        float **array;
        int count;
    } parts[] = {{&w->w2, layers * hidden * n},
                 {&w->w1, layers * n * hidden},
                 {&w->attention, layers * 4 * n * n},
                 {&w->bias2, layers * n},
                 {&w->bias1, layers * hidden},
                 {&w->abias, layers * 4 * n},
                 {&w->gamma, layers * 2 * n},
                 {&w->beta, layers * 2 * n},
                 {&w->symbol, SYMBOLS * n},
                 {&w->position, TIME * n},
                 {&w->last_gamma, n},
                 {&w->last_beta, n},
                 {&w->answer, n * SYMBOLS},
                 {&w->answer_bias, SYMBOLS}};
    int total = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].array = all ? all + total : NULL;
        total += parts[i].count;
    }
    return total;
}

static void draw(float *values, int count, double variance, Rng *rng)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)(sqrt(variance) * normal(rng));
}

static void start_weights(Encoder *e, Rng *rng)
{
    const int n = FEATURES, layers = e->layers, hidden = e->hidden;
    draw(e->w.symbol, SYMBOLS * n, 0.5, rng);
    draw(e->w.position, TIME * n, 0.5, rng);
    draw(e->w.answer, n * SYMBOLS, 2.0 / (n + SYMBOLS), rng);
    draw(e->w.attention, layers * 4 * n * n, 2.0 / (n + n), rng);
    draw(e->w.w1, layers * n * hidden, 2.0 / (n + hidden), rng);
    draw(e->w.w2, layers * hidden * n, 2.0 / (hidden + n), rng);
    for (int j = 0; j < layers * 2 * n; j++)
        e->w.gamma[j] = 1;
    for (int j = 0; j < n; j++)
        e->w.last_gamma[j] = 1;
}

static void start_halves(Encoder *e)
{
    const int numbers_of_x = e->rows * FEATURES;
    e->halves = own(e, 2 * e->layers + 1, sizeof *e->halves);
    for (int i = 0; i <= 2 * e->layers; i++) {
        Half *h = &e->halves[i];
        float **const arrays[] = {&h->x, &h->input, &h->branch, &h->q, &h->k, &h->v, &h->context};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            *arrays[a] = numbers(e, numbers_of_x);
        h->mean = numbers(e, e->rows);
        h->rstd = numbers(e, e->rows);
        h->attention = numbers(e, e->batch * FEATURES / HEAD_SIZE * TIME * TIME);
        h->inside = numbers(e, e->rows * e->hidden);
    }
}

void encoder_start(Encoder *e, const Paths *paths, Place place, int layers, int hidden, int batch,
                   Rng *rng)
{
    *e = (Encoder){.paths = paths,
                   .place = place,
                   .layers = layers,
                   .hidden = hidden,
                   .batch = batch,
                   .rows = batch * TIME};
    e->count = lay_out(&e->w, NULL, layers, hidden);
    float **const of_weights[] = {&e->values, &e->slopes, &e->means, &e->squares};
    float **const of_x[] = {&e->dx,    &e->dbranch, &e->dinput, &e->more,
                            &e->zeros, &e->dq,      &e->dk,     &e->dv};
    for (size_t i = 0; i < sizeof of_weights / sizeof *of_weights; i++)
        *of_weights[i] = numbers(e, e->count);
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++)
        *of_x[i] = numbers(e, e->rows * FEATURES);
    e->answers = numbers(e, e->rows * SYMBOLS);
    e->danswers = numbers(e, e->rows * SYMBOLS);
    e->hidden_slopes = numbers(e, e->rows * hidden);
    e->turned = numbers(e, FEATURES * (hidden > FEATURES ? hidden : FEATURES));
    lay_out(&e->w, e->values, layers, hidden);
    lay_out(&e->dw, e->slopes, layers, hidden);
    start_weights(e, rng);
    start_halves(e);
}

void encoder_step(Encoder *e, float rate)
{
    adam(e->values, e->means, e->squares, e->slopes, e->count, rate, ++e->step);
}

/* ---- linear layers ---- */
static void linear(float *y, const float *x, const float *w, const float *bias, int rows,
                   int inputs, int outputs)
{
    product(y, x, w, rows, inputs, outputs);
    add_bias(y, bias, rows, outputs);
}

static void linear_back(Encoder *e, float *dx, float *dw, float *dbias, const float *dy,
                        const float *x, const float *w, int inputs, int outputs)
{
    product_of_columns(dw, x, dy, inputs, e->rows, outputs);
    sum_rows(dbias, dy, e->rows, outputs);
    transpose(e->turned, w, inputs, outputs);
    product(dx, dy, e->turned, e->rows, outputs, inputs);
}

static void add_to(float *sum, const float *more, int count)
{
    for (int i = 0; i < count; i++)
        sum[i] += more[i];
}

/* ---- the two kinds of branches ---- */
static void attention_forward(Encoder *e, int layer, Half *h)
{
    const int n = FEATURES;
    const float *w = e->w.attention + layer * 4 * n * n, *bias = e->w.abias + layer * 4 * n;
    linear(h->q, h->input, w, bias, e->rows, n, n);
    linear(h->k, h->input, w + n * n, bias + n, e->rows, n, n);
    linear(h->v, h->input, w + 2 * n * n, bias + 2 * n, e->rows, n, n);
    attend(h->context, h->attention, h->q, h->k, h->v, e->batch, n);
    linear(h->branch, h->context, w + 3 * n * n, bias + 3 * n, e->rows, n, n);
}

/* dbranch in, dinput out. */
static void attention_back(Encoder *e, int layer, const Half *h, const float *dbranch)
{
    const int n = FEATURES, at = layer * 4 * n * n;
    const float *w = e->w.attention + at;
    float *dw = e->dw.attention + at, *dbias = e->dw.abias + layer * 4 * n;
    linear_back(e, e->more, dw + 3 * n * n, dbias + 3 * n, dbranch, h->context, w + 3 * n * n, n,
                n);
    attend_backward(e->dq, e->dk, e->dv, e->more, h->attention, h->q, h->k, h->v, e->batch, n);
    linear_back(e, e->dinput, dw, dbias, e->dq, h->input, w, n, n);
    linear_back(e, e->more, dw + n * n, dbias + n, e->dk, h->input, w + n * n, n, n);
    add_to(e->dinput, e->more, e->rows * n);
    linear_back(e, e->more, dw + 2 * n * n, dbias + 2 * n, e->dv, h->input, w + 2 * n * n, n, n);
    add_to(e->dinput, e->more, e->rows * n);
}

static void feed_forward(Encoder *e, int layer, Half *h)
{
    const int n = FEATURES, at = layer * n * e->hidden;
    linear(h->inside, h->input, e->w.w1 + at, e->w.bias1 + layer * e->hidden, e->rows, n,
           e->hidden);
    for (int i = 0; i < e->rows * e->hidden; i++)
        h->inside[i] = h->inside[i] > 0 ? h->inside[i] : 0;
    linear(h->branch, h->inside, e->w.w2 + at, e->w.bias2 + layer * n, e->rows, e->hidden, n);
}

static void feed_back(Encoder *e, int layer, const Half *h, const float *dbranch)
{
    const int n = FEATURES, at = layer * n * e->hidden;
    linear_back(e, e->hidden_slopes, e->dw.w2 + at, e->dw.bias2 + layer * n, dbranch, h->inside,
                e->w.w2 + at, e->hidden, n);
    for (int i = 0; i < e->rows * e->hidden; i++)
        e->hidden_slopes[i] = h->inside[i] > 0 ? e->hidden_slopes[i] : 0;
    linear_back(e, e->dinput, e->dw.w1 + at, e->dw.bias1 + layer * e->hidden, e->hidden_slopes,
                h->input, e->w.w1 + at, n, e->hidden);
}

/* ---- the shortcuts: the learner's functions ---- */
static void half_forward(Encoder *e, int i)
{
    Half *h = &e->halves[i];
    float *y = e->halves[i + 1].x;
    const float *gamma = e->w.gamma + i * FEATURES, *beta = e->w.beta + i * FEATURES;
    int count = e->rows * FEATURES;
    if (e->place == PRE_NORM)
        e->paths->post_norm(h->input, h->mean, h->rstd, h->x, e->zeros, gamma, beta, e->rows,
                            FEATURES, EPS);
    else
        memcpy(h->input, h->x, (size_t)count * sizeof *h->x);
    (i % 2 ? feed_forward : attention_forward)(e, i / 2, h);
    if (e->place == POST_NORM) {
        e->paths->post_norm(y, h->mean, h->rstd, h->x, h->branch, gamma, beta, e->rows, FEATURES,
                            EPS);
    } else {
        memcpy(y, h->x, (size_t)count * sizeof *y);
        add_to(y, h->branch, count);
    }
}

/* dx is the slope of the half's end at first, then that of its beginning. */
static void half_back(Encoder *e, int i)
{
    Half *h = &e->halves[i];
    const float *gamma = e->w.gamma + i * FEATURES;
    float *dgamma = e->dw.gamma + i * FEATURES, *dbeta = e->dw.beta + i * FEATURES, *dy = e->dx;
    void (*branch_back)(Encoder *, int, const Half *, const float *) =
        i % 2 ? feed_back : attention_back;
    int count = e->rows * FEATURES;
    if (e->place == POST_NORM) {
        e->paths->post_norm_backward(e->more, e->dbranch, dgamma, dbeta, dy, h->x, h->branch, gamma,
                                     h->mean, h->rstd, e->rows, FEATURES);
        memcpy(e->dx, e->more, (size_t)count * sizeof *e->dx);
        branch_back(e, i / 2, h, e->dbranch);
        add_to(e->dx, e->dinput, count);
    } else if (e->place == PRE_NORM) {
        branch_back(e, i / 2, h, dy);
        e->paths->pre_norm_backward(e->more, dgamma, dbeta, dy, e->dinput, h->x, gamma, h->mean,
                                    h->rstd, e->rows, FEATURES);
        memcpy(e->dx, e->more, (size_t)count * sizeof *e->dx);
    } else {
        branch_back(e, i / 2, h, dy);
        add_to(e->dx, e->dinput, count);
    }
}

/* ---- the whole ---- */
void encoder_forward(Encoder *e, const int *symbols)
{
    const int n = FEATURES;
    Half *end = &e->halves[2 * e->layers];
    for (int r = 0; r < e->rows; r++)
        for (int j = 0; j < n; j++)
            e->halves[0].x[r * n + j] =
                e->w.symbol[symbols[r] * n + j] + e->w.position[r % TIME * n + j];
    for (int i = 0; i < 2 * e->layers; i++)
        half_forward(e, i);
    if (e->place == PRE_NORM)
        e->paths->post_norm(end->input, end->mean, end->rstd, end->x, e->zeros, e->w.last_gamma,
                            e->w.last_beta, e->rows, n, EPS);
    else
        memcpy(end->input, end->x, (size_t)(e->rows * n) * sizeof *end->x);
    linear(e->answers, end->input, e->w.answer, e->w.answer_bias, e->rows, n, SYMBOLS);
}

void encoder_backward(Encoder *e, const int *symbols)
{
    const int n = FEATURES;
    const Half *end = &e->halves[2 * e->layers];
    memset(e->slopes, 0, (size_t)e->count * sizeof *e->slopes);
    linear_back(e, e->dx, e->dw.answer, e->dw.answer_bias, e->danswers, end->input, e->w.answer, n,
                SYMBOLS);
    if (e->place == PRE_NORM) { /* nothing leads past this norm */
        e->paths->pre_norm_backward(e->more, e->dw.last_gamma, e->dw.last_beta, e->zeros, e->dx,
                                    end->x, e->w.last_gamma, end->mean, end->rstd, e->rows, n);
        memcpy(e->dx, e->more, (size_t)(e->rows * n) * sizeof *e->dx);
    }
    for (int i = 2 * e->layers - 1; i >= 0; i--)
        half_back(e, i);
    for (int r = 0; r < e->rows; r++)
        for (int j = 0; j < n; j++) {
            e->dw.symbol[symbols[r] * n + j] += e->dx[r * n + j];
            e->dw.position[r % TIME * n + j] += e->dx[r * n + j];
        }
}
