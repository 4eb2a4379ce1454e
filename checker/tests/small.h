/* The header of the small lesson in unit_engine.c: y = a * x + b, row by row. */
#ifndef SMALL_H
#define SMALL_H

void line(float *y,       /* rows x n */
          const float *x, /* rows x n */
          const float *a, // other comment
                          /* n */
          int rows, int n, float b);

float sum(const float *x, /* n */
          int n);

#endif
