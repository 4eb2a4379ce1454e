/* Lesson 10: The Transformer Block. What exercises/10_transformer_block.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. Weights are stored as
 * PyTorch's Linear.weight: one row of inputs for each output. */
#ifndef LESSON_10_TRANSFORMER_BLOCK_H
#define LESSON_10_TRANSFORMER_BLOCK_H

/* y[r][o] = b[o] + sum over i of w[o][i] * x[r][i] */
void linear(float *y,       /* rows x outputs */
            const float *x, /* rows x inputs */
            const float *w, /* outputs x inputs */
            const float *b, /* outputs */
            int rows, int inputs, int outputs);

/* y[r][j] = exp(x[r][j]) / sum over k of exp(x[r][k]), right for finite numbers of any size. */
void softmax(float *y,       /* rows x features */
             const float *x, /* rows x features */
             int rows, int features);

/* Self-attention with several heads, as PyTorch's MultiheadAttention without dropout. The sequences
 * of a batch have nothing to do with each other.
 *   - w and b hold four maps of features to features: query, key, value, output.
 *   - heads divides features. Head h uses the features from h * features / heads on, of query, key
 *     and value alike; its scores are divided by sqrt(features / heads).
 *   - No token looks at a token whose keep[n][t] is 0: that one's weight is exactly 0. At least one
 *     of every sequence is kept. What is kept holds any number but 0. Rows of y at tokens that are
 *     not kept are computed like the others. Every x is finite, at those tokens too. */
void attention(float *y,        /* batch x time x features */
               const float *x,  /* batch x time x features */
               const int *keep, /* batch x time */
               const float *w,  /* 4 x features x features */
               const float *b,  /* 4 x features */
               int batch, int time, int features, int heads);

/* A linear map to hidden numbers, ReLU (what is negative becomes 0), a linear map back. */
void feed_forward(float *y,        /* rows x features */
                  const float *x,  /* rows x features */
                  const float *w1, /* hidden x features */
                  const float *b1, /* hidden */
                  const float *w2, /* features x hidden */
                  const float *b2, /* features */
                  int rows, int features, int hidden);

/* The encoder block after training, without dropout, normalized behind each sum (post-norm):
 *     x1 = norm(x + attention(x))
 *     y  = norm(x1 + feed_forward(x1))
 * norm is layer norm over the features of each token, with eps, gamma and beta. The rows of norms:
 * gamma and beta of the first norm, gamma and beta of the second. */
void encoder_block(float *y,                 /* batch x time x features */
                   const float *x,           /* batch x time x features */
                   const int *keep,          /* batch x time */
                   const float *attention_w, /* 4 x features x features */
                   const float *attention_b, /* 4 x features */
                   const float *w1,          /* hidden x features */
                   const float *b1,          /* hidden */
                   const float *w2,          /* features x hidden */
                   const float *b2,          /* features */
                   const float *norms,       /* 4 x features */
                   int batch, int time, int features, int heads, int hidden, float eps);

#endif
