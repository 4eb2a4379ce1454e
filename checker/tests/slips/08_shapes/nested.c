/* shapes, with all the loops there are: I like to see b, c, h and w */
#include <math.h>
#include <string.h>
#include "08_shapes.h"

void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps) {
	for (int o = 0; o < outer; o++) {
		for (int i = 0; i < inner; i++) {
			float total = 0, squares = 0;
			for (int f = 0; f < features; f++) total += x[(o * features + f) * inner + i];
			float mean = total / features;
			for (int f = 0; f < features; f++) {
				float d = x[(o * features + f) * inner + i] - mean;
				squares += d * d;
			}
			float rstd = 1 / sqrtf(squares / features + eps);
			for (int f = 0; f < features; f++) {
				int at = (o * features + f) * inner + i;
				y[at] = (x[at] - mean) * rstd;
			}
		}
	}
}

void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
		     int time, int features, float eps) {
	for (int b = 0; b < batch; b++) {
		for (int t = 0; t < time; t++) {
			const float *token = x + (b * time + t) * features;
			float mean = 0, var = 0;
			for (int f = 0; f < features; f++) mean += token[f] / features;
			for (int f = 0; f < features; f++)
				var += (token[f] - mean) * (token[f] - mean) / features;
			for (int f = 0; f < features; f++)
				y[(b * time + t) * features + f] =
					gamma[f] * (token[f] - mean) / sqrtf(var + eps) + beta[f];
		}
	}
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
		      int channels, int height, int width, float eps) {
	int all = channels * height * width;
	layer_norm_axis(y, x, batch, all, 1, eps);
	for (int b = 0; b < batch; b++) {
		int k = 0;
		for (int c = 0; c < channels; c++)
			for (int h = 0; h < height; h++)
				for (int w = 0; w < width; w++) {
					y[b * all + k] = y[b * all + k] * gamma[k] + beta[k];
					k++;
				}
	}
}

void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
		       int channels, int height, int width, float eps) {
	for (int b = 0; b < batch; b++)
		for (int h = 0; h < height; h++)
			for (int w = 0; w < width; w++) {
				double mean = 0, var = 0;
				for (int c = 0; c < channels; c++)
					mean += x[((b * channels + c) * height + h) * width + w];
				mean /= channels;
				for (int c = 0; c < channels; c++)
					var += pow(x[((b * channels + c) * height + h) * width + w] - mean, 2);
				var /= channels;
				for (int c = 0; c < channels; c++) {
					int at = ((b * channels + c) * height + h) * width + w;
					y[at] = (x[at] - mean) / sqrt(var + eps) * gamma[c] + beta[c];
				}
			}
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
		       const float *beta, int batch, int time, int channels, float eps) {
	memset(y, 0, sizeof(float) * batch * time * channels);
	for (int b = 0; b < batch; b++) {
		int n = length[b];
		for (int c = 0; c < channels; c++) {
			float sum = 0, var = 0;
			for (int t = 0; t < n; t++)
				sum += x[(b * time + t) * channels + c];
			float mean = sum / n;
			for (int t = 0; t < n; t++) {
				float d = x[(b * time + t) * channels + c] - mean;
				var += d * d;
			}
			float rstd = 1 / sqrtf(var / n + eps);
			for (int t = 0; t < n; t++) {
				int at = (b * time + t) * channels + c;
				y[at] = (x[at] - mean) * rstd * gamma[c] + beta[c];
			}
		}
	}
}
