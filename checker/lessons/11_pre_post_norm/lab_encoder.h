/* The transformer of lesson 11's lab: reads TIME symbols, and says for each position which symbol
 * should stand there. Its shortcuts and norms are the learner's functions. */
#ifndef LESSON_11_LAB_ENCODER_H
#define LESSON_11_LAB_ENCODER_H

#include "../../../include/11_pre_post_norm.h"
#include "attention.h"
#include "run.h"

enum { FEATURES = 32, SYMBOLS = 10 };
typedef enum { POST_NORM, PRE_NORM, NO_NORM } Place;

typedef struct {
    __typeof__(post_norm) *post_norm;
    __typeof__(post_norm_backward) *post_norm_backward;
    __typeof__(pre_norm_backward) *pre_norm_backward;
    __typeof__(gradient_norms) *gradient_norms;
} Paths;

/* Each is an array for all layers: that of layer l begins at l times its size. */
typedef struct {
    float *w2, *w1;                /* hidden x FEATURES, FEATURES x hidden */
    float *attention;              /* 4 x FEATURES x FEATURES: query, key, value, output */
    float *bias2, *bias1, *abias;  /* FEATURES, hidden, 4 x FEATURES */
    float *gamma, *beta;           /* 2 x FEATURES: of the norms of both halves */
    float *symbol, *position;      /* once: SYMBOLS x FEATURES, TIME x FEATURES */
    float *last_gamma, *last_beta; /* once: FEATURES; pre-norm's norm behind the last block */
    float *answer, *answer_bias;   /* once: FEATURES x SYMBOLS, SYMBOLS */
} Weights;

/* Half a layer, attention or feed-forward, with its shortcut: what its backward pass needs. */
typedef struct {
    float *x, *input, *branch;              /* rows x FEATURES; input: what the branch was given */
    float *mean, *rstd;                     /* rows */
    float *q, *k, *v, *context, *attention; /* attention's: see attend() */
    float *inside;                          /* feed-forward's: rows x hidden, behind the ReLU */
} Half;

typedef struct {
    const Paths *paths;
    Place place;
    int layers, hidden, batch, rows; /* rows: batch * TIME */
    Weights w, dw;
    int count; /* of all the weights */
    float *values, *slopes, *means, *squares;
    Half *halves; /* 2 * layers, and one whose x is the end and whose input is that normalized */
    float *answers, *danswers;                                            /* rows x SYMBOLS */
    float *dx, *dbranch, *dinput, *more, *hidden_slopes, *turned, *zeros; /* for a while */
    float *dq, *dk, *dv;
    void **owned;
    int owned_count, step;
} Encoder;

/* Weights of mean 0 with the variance 2 / (inputs + outputs), symbols and positions of spread 1;
 * biases 0, gammas 1. */
void encoder_start(Encoder *e, const Paths *paths, Place place, int layers, int hidden, int batch,
                   Rng *rng);
void encoder_free(Encoder *e);
/* symbols: batch x TIME. Leaves the scores in answers. */
void encoder_forward(Encoder *e, const int *symbols);
/* From danswers to all the slopes. */
void encoder_backward(Encoder *e, const int *symbols);
void encoder_step(Encoder *e, float rate);

#endif
