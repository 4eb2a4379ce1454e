/* For make bench: how long lesson 12's solution takes to train the network of its lab, one batch
 * again and again. Prints the loss before the last update, and the seconds of processor. The file
 * that is named as its argument gets the first weights, the images (row by row, each BATCH x SIDE)
 * and the digits, for others to do the same with. */
#include "../lessons/12_lstm/lab_reader.h"

#include "network.h"
#include "box.h"

#include <stdlib.h>

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

enum { UPDATES = 20 };
static const float RATE = 0.01f;
static const Steps steps = {lstm_project, lstm_project_backward, lstm_cell, lstm_cell_backward};

static void draw_images(Reader *r, int *digits, Rng *rng)
{
    float image[IMAGE_PIXELS];
    for (int k = 0; k < BATCH; k++) {
        digits[k] = k % DIGITS;
        draw_digit(image, SIDE, digits[k], rng);
        for (int t = 0; t < SIDE; t++)
            for (int j = 0; j < SIDE; j++)
                r->x[t][k * SIDE + j] = (image[t * SIDE + j] - 0.15f) / 0.27f;
    }
}

int main(int argc, char **argv)
{
    static Reader r;
    int digits[BATCH], right = 0;
    double loss = 0;
    Rng rng;
    rng_seed(&rng, 1);
    reader_start(&r, &steps, NORMALIZED, &rng);
    draw_images(&r, digits, &rng);
    FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (!file || fwrite(&r.w, sizeof r.w, 1, file) != 1 || fwrite(r.x, sizeof r.x, 1, file) != 1 ||
        fwrite(digits, sizeof digits, 1, file) != 1 || fclose(file))
        return 1;
    double begin = processor_time();
    for (int update = 0; update < UPDATES; update++) {
        reader_forward(&r);
        loss = softmax_loss(r.dscores, r.scores, digits, BATCH, DIGITS, &right) / BATCH;
        reader_backward(&r);
        reader_descend(&r, RATE);
    }
    printf("%.6f %.6f\n", loss, processor_time() - begin);
    return 0;
}
