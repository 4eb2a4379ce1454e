/* Digits to learn from, for labs: drawn at random, so that they need no network and no file; or
 * read from the files in which MNIST's come. */
#ifndef LABS_DIGITS_H
#define LABS_DIGITS_H

#include "run.h"

enum { DIGITS = 10 };

/* image: side x side, from 0, paper, to 1, ink. The digit of a font of 5 x 7 points, turned by up
 * to 15 degrees, stretched by 0.75 to 1.15 either way, slanted by up to a quarter, and moved by up
 * to a ninth of the side. */
void draw_digit(float *image, int side, int digit, Rng *rng);

enum { IMAGE_SIDE = 28, IMAGE_PIXELS = IMAGE_SIDE * IMAGE_SIDE };

/* Images, and which digit each of them shows. */
typedef struct {
    int count;
    unsigned char *pixels; /* count x IMAGE_PIXELS, 0 to 255 */
    unsigned char *digits; /* count */
} DigitSet;

void draw_digits(DigitSet *set, int count, Rng *rng);
/* folder/PART-images-idx3-ubyte and folder/PART-labels-idx1-ubyte. Whatever they hold, the set is
 * whole, or `error` is a sentence and nothing is kept. */
bool read_digits(DigitSet *set, const char *folder, const char *part, char *error,
                 size_t error_size);
void digits_free(DigitSet *set);
/* Mean and standard deviation of all pixels, where 255 is 1. */
void digits_spread(const DigitSet *set, double *mean, double *spread);

#endif
