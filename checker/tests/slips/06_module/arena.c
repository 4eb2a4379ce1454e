/* One allocation for all parameters, one for what forward saves; pointers into them. */
#include "06_module.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
	static const struct layer_norm nothing;
	size_t n = 1;
	*m = nothing;
	if (dims < 1)
		return -1;
	while (dims--) {
		if (*shape < 1 || n > (size_t)(INT_MAX / *shape))
			return -1;
		n *= *shape++;
	}
	float *block = calloc(n * (bias ? 4 : 2), sizeof *block);
	if (!block)
		return -1;
	m->gamma = block;
	m->dgamma = block + n;
	if (bias) {
		m->beta = block + 2 * n;
		m->dbeta = block + 3 * n;
	}
	for (size_t i = 0; i < n; i++)
		block[i] = 1;
	m->features = n;
	m->eps = eps;
	return 0;
}

int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
	const int n = m->features;
	float *saved;
	if (rows < 1 || rows > INT_MAX / n)
		return -1;
	saved = malloc(sizeof *saved * ((size_t)rows * n + rows));
	if (!saved)
		return -1;
	free(m->xhat);
	m->xhat = saved;
	m->rstd = saved + (size_t)rows * n;
	m->rows = rows;
	for (int r = 0; r < rows; r++) {
		float *hat = m->xhat + r * n;
		double sum = 0, squares = 0;
		for (int j = 0; j < n; j++)
			sum += x[j];
		double mean = sum / n;
		for (int j = 0; j < n; j++) {
			hat[j] = x[j] - mean;
			squares += (x[j] - mean) * (x[j] - mean);
		}
		m->rstd[r] = 1 / sqrt(squares / n + m->eps);
		for (int j = 0; j < n; j++) {
			hat[j] *= m->rstd[r];
			y[j] = hat[j] * m->gamma[j];
			if (m->beta)
				y[j] += m->beta[j];
		}
		x += n;
		y += n;
	}
	return 0;
}

void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
	const int n = m->features;
	for (int r = 0; r < m->rows; r++, dx += n, dy += n) {
		const float *hat = &m->xhat[r * n];
		double first = 0, second = 0;
		for (int j = 0; j < n; j++) {
			dx[j] = m->gamma[j] * dy[j];
			first += dx[j];
			second += dx[j] * hat[j];
			m->dgamma[j] += dy[j] * hat[j];
			if (m->dbeta)
				m->dbeta[j] += dy[j];
		}
		for (int j = 0; j < n; j++)
			dx[j] = m->rstd[r] * (dx[j] - (first + hat[j] * second) / n);
	}
}

static void add(float *to, const float *from, float times, int n)
{
	if (to)
		for (int j = 0; j < n; j++)
			to[j] += times * from[j];
}

void layer_norm_zero_grad(struct layer_norm *m)
{
	add(m->dgamma, m->dgamma, -1, m->features);
	add(m->dbeta, m->dbeta, -1, m->features);
}

void layer_norm_step(struct layer_norm *m, float rate)
{
	add(m->gamma, m->dgamma, -rate, m->features);
	add(m->beta, m->dbeta, -rate, m->features);
}

void layer_norm_free(struct layer_norm *m)
{
	free(m->gamma);
	free(m->xhat);
	*m = (struct layer_norm){.features = 0};
}
