/* Lesson 09: Group Normalization. What exercises/09_group_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none.
 *
 * An image has `channels` channels of `pixels` numbers each; pixels is height * width. `groups`
 * divides channels: group k of an image holds the channels / groups channels from
 * k * channels / groups on, with all their pixels. */
#ifndef LESSON_09_GROUP_NORM_H
#define LESSON_09_GROUP_NORM_H

/* For each image b and each group k, over all numbers of that group:
 *     mean[b][k], and rstd[b][k] = 1 / sqrt(variance + eps), the variance being the biased one
 *     y[b][c][p] = gamma[c] * (x[b][c][p] - mean[b][k]) * rstd[b][k] + beta[c], k the group of c */
void group_norm(float *y,           /* batch x channels x pixels */
                float *mean,        /* batch x groups */
                float *rstd,        /* batch x groups */
                const float *x,     /* batch x channels x pixels */
                const float *gamma, /* channels */
                const float *beta,  /* channels */
                int batch, int channels, int pixels, int groups, float eps);

/* The gradients, given dy, that of the loss with respect to y. dgamma and dbeta are summed over the
 * batch and the pixels. With xhat = (x - mean) * rstd and g[b][c][p] = gamma[c] * dy[b][c][p]:
 *     dx = rstd * (g - mean(g) - xhat * mean(g * xhat)), means over the numbers of the group
 * mean and rstd are group_norm's. Use them: there is no eps here to work them out again. (A dx in
 * the long form, with a path through the mean and one through rstd, is as right: it differs only
 * where the mean is not the group's own, and no such dx is asked for.) */
void group_norm_backward(float *dx,          /* batch x channels x pixels */
                         float *dgamma,      /* channels */
                         float *dbeta,       /* channels */
                         const float *dy,    /* batch x channels x pixels */
                         const float *x,     /* batch x channels x pixels */
                         const float *gamma, /* channels */
                         const float *mean,  /* batch x groups */
                         const float *rstd,  /* batch x groups */
                         int batch, int channels, int pixels, int groups);

#endif
