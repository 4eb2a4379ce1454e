/* The lab's first part: what each norm is invariant to, measured on the functions themselves.
 *
 * A linear layer gives h = W x for a batch of inputs, a norm follows. Something is changed, in the
 * weights or in the inputs, and the outputs before and after are compared. "yes" means that the
 * norm did not notice. The invariant: every word and number printed comes from calling the
 * functions; nothing is known beforehand. The random numbers are the same on every machine. */
#include "lab_norms.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { INPUTS = 6, UNITS = 8, BATCH = 16, LARGEST_BATCH = 64 };
static const float EPS = 1e-5f;
/* Of the largest output. Epsilon itself makes 0.00001 or so; a norm that notices makes 0.1. */
static const double SAME = 1e-3;

typedef enum { BATCH_NORM, LAYER_NORM, RMS_NORM, NORM_COUNT } Norm;

typedef struct {
    float w[UNITS][INPUTS]; /* unit i has the weights w[i] */
    float x[BATCH][INPUTS];
} Layer;

/* Close to normal, from integers alone: twelve uniform numbers, added. */
static float bell(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 40) / 16777216.0; /* 2^24 */
    }
    return (float)sum;
}

static void fill_bells(float *values, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++)
        values[i] = bell(state);
}

/* gamma 1 and beta 0: what they do afterwards is the same for all. */
static void normalize(Norm norm, float *y, const float *h, int rows)
{
    float ones[UNITS], zeros[UNITS] = {0}, running_mean[UNITS] = {0}, running_var[UNITS] = {0};
    for (int i = 0; i < UNITS; i++)
        ones[i] = 1;
    if (norm == BATCH_NORM)
        norms.batch_norm_train(y, running_mean, running_var, h, ones, zeros, rows, UNITS, 0.1f,
                               EPS);
    else if (norm == LAYER_NORM)
        norms.layer_norm(y, h, ones, zeros, rows, UNITS, EPS);
    else
        norms.rms_norm(y, h, ones, rows, UNITS, EPS);
}

static void outputs(Norm norm, const Layer *layer, float y[BATCH][UNITS])
{
    float h[BATCH][UNITS];
    for (int r = 0; r < BATCH; r++)
        for (int i = 0; i < UNITS; i++) {
            h[r][i] = 0;
            for (int k = 0; k < INPUTS; k++)
                h[r][i] += layer->w[i][k] * layer->x[r][k];
        }
    normalize(norm, y[0], h[0], BATCH);
}

/* The largest difference, as a part of the largest number in `before`. */
static double change_of(const float *before, const float *after, int count)
{
    double largest = 0, furthest = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs((double)before[i]));
        furthest = fmax(furthest, fabs((double)after[i] - before[i]));
    }
    return largest > 0 ? furthest / largest : furthest;
}

static void print_change(FILE *out, double change)
{
    fprintf(out, "   %-3s %.3f", change < SAME ? "yes" : "no", change);
}

/* ---- the table of Ba, Kiros and Hinton, 2016
 * ------------------------------------------------------ */
static void rescale_weights(Layer *layer)
{
    for (int i = 0; i < UNITS; i++)
        for (int k = 0; k < INPUTS; k++)
            layer->w[i][k] *= 3;
}

static void recenter_weights(Layer *layer)
{
    for (int i = 0; i < UNITS; i++)
        for (int k = 0; k < INPUTS; k++)
            layer->w[i][k] += 0.5f * (float)(k - 1); /* the same vector for every unit */
}

static void rescale_each_unit(Layer *layer)
{
    for (int i = 0; i < UNITS; i++)
        for (int k = 0; k < INPUTS; k++)
            layer->w[i][k] *= 1 + (float)i;
}

static void rescale_inputs(Layer *layer)
{
    for (int r = 0; r < BATCH; r++)
        for (int k = 0; k < INPUTS; k++)
            layer->x[r][k] *= 3;
}

static void recenter_inputs(Layer *layer)
{
    for (int r = 0; r < BATCH; r++)
        for (int k = 0; k < INPUTS; k++)
            layer->x[r][k] += 0.5f * (float)(k - 1); /* the same vector for every input */
}

static void rescale_one_input(Layer *layer)
{
    for (int k = 0; k < INPUTS; k++)
        layer->x[0][k] *= 3;
}

static void print_invariances(FILE *out, const Layer *layer)
{
    static const struct {
        const char *what;
        void (*change)(Layer *layer);
    } changes[] = {
        {"all weights times 3", rescale_weights},
        {"one vector added to every unit's weights", recenter_weights},
        {"each unit's weights times its own factor", rescale_each_unit},
        {"all inputs times 3", rescale_inputs},
        {"one vector added to every input", recenter_inputs},
        {"a single input times 3", rescale_one_input},
    };
    fputs("Does the output stay the same? (the largest change, over the largest output)\n\n", out);
    fprintf(out, "%-42s   %-9s   %-9s   %s\n", "", "batch", "layer", "RMS");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fprintf(out, "%-42s", changes[i].what);
        for (int norm = 0; norm < NORM_COUNT; norm++) {
            Layer changed = *layer;
            float before[BATCH][UNITS], after[BATCH][UNITS];
            changes[i].change(&changed);
            outputs((Norm)norm, layer, before);
            outputs((Norm)norm, &changed, after);
            print_change(out, change_of(before[0], after[0], BATCH * UNITS));
        }
        fputc('\n', out);
    }
}

/* ---- what depends on the batch
 * ---------------------------------------------------------------------- */

/* Bell-shaped numbers, each column with its own middle and width. */
static void next_batch(float *x, int rows, uint64_t *state)
{
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < UNITS; i++)
            x[r * UNITS + i] = (float)(i - 3) + (0.5f + (float)i) * bell(state);
}

/* A batch norm as training leaves it: after 500 batches of 64. */
typedef struct {
    float gamma[UNITS], beta[UNITS], mean[UNITS], var[UNITS];
} Trained;

static void train(Trained *t, uint64_t *state)
{
    float x[LARGEST_BATCH * UNITS], y[LARGEST_BATCH * UNITS];
    for (int i = 0; i < UNITS; i++)
        t->gamma[i] = 1, t->beta[i] = 0, t->mean[i] = 0, t->var[i] = 1;
    for (int step = 0; step < 500; step++) {
        next_batch(x, LARGEST_BATCH, state);
        norms.batch_norm_train(y, t->mean, t->var, x, t->gamma, t->beta, LARGEST_BATCH, UNITS, 0.1f,
                               EPS);
    }
}

static void print_neighbours(FILE *out, const Trained *t, uint64_t *state)
{
    float x[BATCH * UNITS], other[BATCH * UNITS], before[BATCH * UNITS], after[BATCH * UNITS];
    next_batch(x, BATCH, state);
    next_batch(other, BATCH, state);
    memcpy(other, x, UNITS * sizeof *x); /* the same first example, with other neighbours */

    fputs("\nDoes an example's output stay the same when the rest of its batch is another?\n\n",
          out);
    static const char *const names[] = {"batch norm, training", "layer norm", "RMS norm"};
    for (int norm = 0; norm < NORM_COUNT; norm++) {
        normalize((Norm)norm, before, x, BATCH);
        normalize((Norm)norm, after, other, BATCH);
        fprintf(out, "%-42s", names[norm]);
        print_change(out, change_of(before, after, UNITS));
        fputc('\n', out);
    }
    norms.batch_norm_eval(before, t->mean, t->var, x, t->gamma, t->beta, BATCH, UNITS, EPS);
    norms.batch_norm_eval(after, t->mean, t->var, other, t->gamma, t->beta, BATCH, UNITS, EPS);
    fprintf(out, "%-42s", "batch norm, evaluation");
    print_change(out, change_of(before, after, UNITS));
    fputc('\n', out);
}

static void print_train_against_eval(FILE *out, const Trained *t, uint64_t *state)
{
    enum { EXAMPLES = 4096 };
    fputs("\nHow far apart are training and evaluation, on the same batch? (average of both)\n\n",
          out);
    fprintf(out, "%-12s %-14s %-16s %s\n", "batch size", "size of y,", "size of y,", "difference");
    fprintf(out, "%-12s %-14s %s\n", "", "in training", "in evaluation");
    for (int rows = 1; rows <= LARGEST_BATCH; rows *= rows == 1 ? 2 : rows == 2 ? 4 : 8) {
        double trained = 0, evaluated = 0, apart = 0;
        for (int done = 0; done < EXAMPLES; done += rows) {
            float x[LARGEST_BATCH * UNITS], a[LARGEST_BATCH * UNITS], b[LARGEST_BATCH * UNITS];
            next_batch(x, rows, state);
            normalize(BATCH_NORM, a, x, rows);
            norms.batch_norm_eval(b, t->mean, t->var, x, t->gamma, t->beta, rows, UNITS, EPS);
            for (int i = 0; i < rows * UNITS; i++) {
                trained += fabs((double)a[i]);
                evaluated += fabs((double)b[i]);
                apart += fabs((double)a[i] - b[i]);
            }
        }
        double count = (double)EXAMPLES * UNITS;
        fprintf(out, "%-12d %-14.2f %-16.2f %.2f\n", rows, trained / count, evaluated / count,
                apart / count);
    }
}

void compare_norms(FILE *out)
{
    uint64_t state = 2016;
    Layer layer = {0};
    Trained trained;
    fill_bells(layer.w[0], UNITS * INPUTS, &state);
    fill_bells(layer.x[0], BATCH * INPUTS, &state);
    print_invariances(out, &layer);
    train(&trained, &state);
    print_neighbours(out, &trained, &state);
    print_train_against_eval(out, &trained, &state);
}
