/* float only; the wide one divides by the largest number first */
#include "07_stability.h"
#include <math.h>

static float biggest(const float *v, int n)
{
	float top = 0;
	for (int i = 0; i < n; i++) {
		float size = fabsf(v[i]);
		if (!(size <= top))
			top = size;
	}
	return top;
}

void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
	while (rows-- > 0) {
		float average = x[0], squares = 0;
		for (int k = 1; k < features; k++) {
			float step = x[k] - average;
			squares += step * step * k / (k + 1);
			average += step / (k + 1);
		}
		*mean++ = average;
		*variance++ = squares / features;
		x += features;
	}
}

void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
	float pa = features_a / ((float)features_a + features_b);
	float pb = 1 - pa;
	pb = features_b / ((float)features_a + features_b);
	for (int r = 0; r < rows; r++) {
		float gap = mean_a[r] - mean_b[r];
		mean[r] = mean_b[r] + pa * gap;
		variance[r] = pa * variance_a[r] + pb * variance_b[r] + pa * pb * gap * gap;
	}
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
	for (int r = 0; r < rows; r++, x += features, y += features) {
		float unit = biggest(x, features);
		if (unit < sqrtf(eps))
			unit = sqrtf(eps);
		if (unit == 0)
			unit = 1;
		float sum = 0, squares = 0;
		for (int j = 0; j < features; j++) {
			y[j] = x[j] / unit - x[0] / unit;
			sum += y[j];
		}
		float middle = sum / features;
		for (int j = 0; j < features; j++) {
			y[j] -= middle;
			squares += y[j] * y[j];
		}
		float small = sqrtf(eps) / unit;
		float spread = sqrtf(squares / features + small * small);
		if (spread == 0)
			spread = 1;
		for (int j = 0; j < features; j++)
			y[j] = gamma[j] * (y[j] / spread) + beta[j];
	}
}
