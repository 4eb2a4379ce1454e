/* Layers, loss and passes of the labs that train: see network.h. */
#include "network.h"
#include "products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

float *zeros(int count)
{
    float *values = calloc((size_t)count, sizeof *values);
    if (!values)
        author_error("there is no memory for the lab's network");
    return values;
}

/* ---- linear layers ---- */
void linear_start(Linear *l, int inputs, int outputs, double square, Rng *rng)
{
    int count = inputs * outputs;
    *l = (Linear){inputs,       outputs,        zeros(count),  zeros(count),
                  zeros(count), zeros(outputs), zeros(outputs)};
    for (int i = 0; i < count; i++)
        l->w[i] = (float)(sqrt(square / inputs) * normal(rng));
}

void linear_free(Linear *l)
{
    free(l->w);
    free(l->dw);
    free(l->turned);
    free(l->bias);
    free(l->dbias);
}

void linear_forward(const Linear *l, float *y, const float *x, int batch)
{
    for (int r = 0; r < batch; r++)
        memcpy(y + r * l->outputs, l->bias, (size_t)l->outputs * sizeof *y);
    add_product(y, x, l->w, batch, l->inputs, l->outputs);
}

void linear_backward(Linear *l, float *dx, const float *dy, const float *x, int batch)
{
    product_of_columns(l->dw, x, dy, l->inputs, batch, l->outputs);
    sum_rows(l->dbias, dy, batch, l->outputs);
    if (!dx)
        return;
    transpose(l->turned, l->w, l->inputs, l->outputs);
    product(dx, dy, l->turned, batch, l->outputs, l->inputs);
}

void linear_step(Linear *l, float rate)
{
    descend(l->w, l->dw, l->inputs * l->outputs, rate);
    descend(l->bias, l->dbias, l->outputs, rate);
}

/* ---- ReLU ---- */
void relu_forward(float *y, const float *x, int count)
{
    for (int i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : 0;
}

void relu_backward(float *dx, const float *dy, const float *x, int count)
{
    for (int i = 0; i < count; i++)
        dx[i] = x[i] > 0 ? dy[i] : 0;
}

/* ---- the loss ---- */
double softmax_loss(float *dscores, const float *scores, const int *classes, int batch,
                    int class_count, int *right)
{
    double loss = 0;
    for (int r = 0; r < batch; r++, scores += class_count, dscores += class_count) {
        int best = 0;
        for (int c = 1; c < class_count; c++)
            best = scores[c] > scores[best] ? c : best;
        double sum = exp((double)scores[0] - scores[best]);
        for (int c = 1; c < class_count; c++)
            sum += exp((double)scores[c] - scores[best]);
        for (int c = 0; c < class_count; c++) {
            double power = exp((double)scores[c] - scores[best]);
            dscores[c] = (float)((power / sum - (c == classes[r])) / batch);
        }
        loss += log(sum) - ((double)scores[classes[r]] - scores[best]);
        *right += best == classes[r];
    }
    return loss;
}

/* ---- training ---- */
void descend(float *values, const float *slopes, int count, float rate)
{
    for (int i = 0; i < count; i++)
        values[i] -= rate * slopes[i];
}

void first_order(int *order, int examples)
{
    for (int i = 0; i < examples; i++)
        order[i] = i;
}

static void shuffle(int *order, int examples, Rng *rng)
{
    for (int i = examples - 1; i > 0; i--) {
        int other = (int)uniform(rng, 0, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

double pass_over(int *order, int examples, int batch, Rng *rng,
                 double (*step)(void *network, const int *chosen, int batch), void *network)
{
    double loss = 0;
    shuffle(order, examples, rng);
    for (int done = 0; done < examples; done += batch)
        loss += step(network, order + done, batch);
    return loss / examples;
}
