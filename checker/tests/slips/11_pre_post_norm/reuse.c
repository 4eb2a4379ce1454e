// lesson 11, everything goes through one struct of row statistics
#include <math.h>
#include <string.h>
#include "11_pre_post_norm.h"

struct row {
  const float *a, *b; /* b may be NULL */
  float mean, rstd;
  int n;
};

static float at(const struct row *row, int j) {
  return row->b ? row->a[j] + row->b[j] : row->a[j];
}

static float hat(const struct row *row, int j) {
  return (at(row, j) - row->mean) * row->rstd;
}

static void measure(struct row *row, float eps) {
  double sum = 0, squares = 0;
  for (int j = 0; j < row->n; ++j) sum += at(row, j);
  row->mean = sum / row->n;
  for (int j = 0; j < row->n; ++j) squares += pow(at(row, j) - row->mean, 2);
  row->rstd = pow(squares / row->n + eps, -0.5);
}

static void back(const struct row *row, float *dx, float *dgamma, float *dbeta, const float *dy,
                 const float *gamma) {
  double s1 = 0, s2 = 0;
  for (int j = 0; j < row->n; ++j) {
    double g = (double)gamma[j] * dy[j];
    s1 += g;
    s2 += g * hat(row, j);
    dgamma[j] += dy[j] * hat(row, j);
    dbeta[j] += dy[j];
  }
  for (int j = 0; j < row->n; ++j)
    dx[j] = row->rstd * (gamma[j] * dy[j] - (s1 + hat(row, j) * s2) / row->n);
}

void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps) {
  for (int r = 0; r < rows; ++r) {
    struct row row = {x + r * features, branch + r * features, 0, 0, features};
    measure(&row, eps);
    mean[r] = row.mean;
    rstd[r] = row.rstd;
    for (int j = 0; j < features; ++j) y[r * features + j] = gamma[j] * hat(&row, j) + beta[j];
  }
}

void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features) {
  memset(dgamma, 0, sizeof(float) * features);
  memset(dbeta, 0, sizeof(float) * features);
  for (int r = 0; r < rows; ++r) {
    int o = r * features;
    struct row row = {x + o, branch + o, mean[r], rstd[r], features};
    back(&row, dx + o, dgamma, dbeta, dy + o, gamma);
  }
  memcpy(dbranch, dx, sizeof(float) * rows * features);
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features) {
  memset(dgamma, 0, sizeof(float) * features);
  memset(dbeta, 0, sizeof(float) * features);
  for (int r = 0; r < rows; ++r) {
    int o = r * features;
    struct row row = {x + o, NULL, mean[r], rstd[r], features};
    back(&row, dx + o, dgamma, dbeta, dinput + o, gamma);
  }
  for (int i = 0; i < rows * features; ++i) dx[i] += dy[i];
}

void gradient_norms(float *length, const float *gradient, int layers, int count) {
  const float *p = gradient;
  for (int l = 0; l < layers; ++l) {
    double squares = 0;
    for (const float *end = p + count; p < end; ++p) squares += (double)*p * *p;
    length[l] = sqrt(squares);
  }
}
