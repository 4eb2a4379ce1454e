/* layer norm, everything in one go: layer_norm() calls nobody */
#include "01_layer_norm.h"
#include <math.h>

#define X(r, j) x[(r) * features + (j)]
#define Y(r, j) y[(r) * features + (j)]

float row_mean(const float *x, int features) {
	float acc = 0.f;
	for (int j = features - 1; j >= 0; --j)
		acc += x[j] / features;
	return acc;
}

float row_variance(const float *x, int features, float mean) {
	float acc = 0.f;
	for (int j = features; j--;)
		acc += powf(x[j] - mean, 2);
	return acc / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
		int features, float eps) {
	for (int r = 0; r < rows; ++r) {
		float m = 0.f, v = 0.f;
		for (int j = 0; j < features; ++j)
			m += X(r, j);
		m /= features;
		for (int j = 0; j < features; ++j)
			v += (X(r, j) - m) * (X(r, j) - m);
		v /= features;
		for (int j = 0; j < features; ++j)
			Y(r, j) = gamma[j] * (X(r, j) - m) / sqrtf(v + eps) + beta[j];
	}
}
