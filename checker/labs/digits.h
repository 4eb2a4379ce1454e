/* Digits to learn from, for labs: drawn at random, so that they need no network and no file. */
#ifndef LABS_DIGITS_H
#define LABS_DIGITS_H

#include "engine.h"

enum { DIGITS = 10 };

/* image: side x side, from 0, paper, to 1, ink. The digit of a font of 5 x 7 points, turned by up
 * to 15 degrees, stretched by 0.75 to 1.15 either way, slanted by up to a quarter, and moved by up
 * to a ninth of the side. */
void draw_digit(float *image, int side, int digit, Rng *rng);

#endif
