/* make lab LESSON=12: an LSTM reads digits row by row, with lesson 12's norms and without any. Its
 * inputs are made smaller and larger, then its learning rate; and at last the lab asks how long the
 * first gradient is when images begin with rows of zeros.
 *
 * The invariant: for one seed, the first weights and all the images are the same for both cells. */
#include "lab_reader.h"

#include "lab.h"
#include "network.h"

static Steps steps;
static const LabFunction functions[] = {
    {"12_lstm", "lstm_project", &steps.project},
    {"12_lstm", "lstm_project_backward", &steps.project_backward},
    {"12_lstm", "lstm_cell", &steps.cell},
    {"12_lstm", "lstm_cell_backward", &steps.cell_backward},
    {0}};

/* ---- the images ---- */
enum { DRAWN = 4096, TESTS = 512, IMAGES_SEED = 1 << 20 };
static struct {
    DigitSet training, test;
    double mean, spread; /* of all the training pixels */
} images;

static bool load(const char *folder, char *error, size_t error_size)
{
    Rng rng;
    rng_seed(&rng, IMAGES_SEED);
    if (!folder) {
        draw_digits(&images.training, DRAWN, &rng);
        draw_digits(&images.test, TESTS, &rng);
    } else if (!read_digits(&images.training, folder, "train", error, error_size) ||
               !read_digits(&images.test, folder, "t10k", error, error_size)) {
        return false;
    }
    digits_spread(&images.training, &images.mean, &images.spread);
    if (images.spread > 1e-7) /* one pixel in 60,000 images makes more */
        return true;
    snprintf(error, error_size, "The images to learn from are blank");
    return false;
}

static void introduce(FILE *out)
{
    fprintf(out,
            "The digits: %d images to learn from, %d to test with. The mean of their pixels is\n"
            "%.3f, their spread %.3f; white is 0, black is 1.\n",
            images.training.count, TESTS, images.mean, images.spread);
}

typedef enum { RAW, STANDARDIZED } Pixels;

/* Image `place` of the set becomes example k of r's batch. */
static void put_image(Reader *r, int k, const DigitSet *set, int place, Pixels pixels, double size)
{
    const unsigned char *image = set->pixels + (size_t)place * IMAGE_PIXELS;
    double mean = pixels == RAW ? 0 : images.mean, spread = pixels == RAW ? 1 : images.spread;
    for (int t = 0; t < SIDE; t++)
        for (int j = 0; j < SIDE; j++)
            r->x[t][k * SIDE + j] = (float)(size * (image[t * SIDE + j] / 255.0 - mean) / spread);
}

static void draw_batch(Reader *r, int *digits, Pixels pixels, double size, Rng *rng)
{
    for (int k = 0; k < BATCH; k++) {
        int place = uniform_int(rng, 0, images.training.count - 1);
        put_image(r, k, &images.training, place, pixels, size);
        digits[k] = images.training.digits[place];
    }
}

/* ---- training ---- */
enum { UPDATES = 100, SEEDS = 3 };
typedef enum { ADAM, SGD } Method;
static const double rates[] = {[ADAM] = 0.01, [SGD] = 0.3};

static double accuracy(Reader *r, double size)
{
    int digits[BATCH], right = 0;
    for (int done = 0; done < TESTS; done += BATCH) {
        for (int k = 0; k < BATCH; k++) {
            int place = (done + k) % images.test.count;
            put_image(r, k, &images.test, place, STANDARDIZED, size);
            digits[k] = images.test.digits[place];
        }
        reader_forward(r);
        softmax_loss(r->dscores, r->scores, digits, BATCH, DIGITS, &right);
    }
    return (double)right / TESTS;
}

/* What the network reads of the test images in the end. `times`: the method's rate. */
static double train(Cell cell, Method method, double times, double size, uint64_t seed,
                    LabTell *tell)
{
    static Reader r;
    int digits[BATCH], right = 0;
    Rng rng;
    rng_seed(&rng, seed);
    reader_start(&r, &steps, cell, &rng);
    for (int update = 1; update <= UPDATES; update++) {
        draw_batch(&r, digits, STANDARDIZED, size, &rng);
        reader_forward(&r);
        softmax_loss(r.dscores, r.scores, digits, BATCH, DIGITS, &right);
        reader_backward(&r);
        if (method == ADAM)
            reader_adam(&r, (float)(times * rates[ADAM]));
        else
            reader_descend(&r, (float)(times * rates[SGD]));
        if (update % 10 == 0)
            tell(NULL);
    }
    return accuracy(&r, size);
}

/* Both experiments train with Adam at its rate, on inputs of size 1: once is enough. */
static double train_usual(Cell cell, uint64_t seed, LabTell *tell)
{
    static double known[2][SEEDS];
    double *read = &known[cell][seed % SEEDS]; /* the seeds follow one another */
    if (*read == 0)
        *read = train(cell, ADAM, 1, 1, seed, tell);
    return *read;
}

/* ---- what both tables of accuracies show ---- */
/* Of pairs of one seed: in how many does curve `one` read more? */
static int ahead(const LabResults *r, int one, int other, int point)
{
    int count = 0;
    for (int seed = 0; seed < SEEDS; seed++)
        count += lab_number(r, one, seed, point, 0) > lab_number(r, other, seed, point, 0);
    return count;
}

/* Means, then from where to where the seeds lie, then who is ahead: curves come in pairs. */
static void show_accuracies(FILE *out, const LabResults *r, const char *unit)
{
    const LabExperiment *e = r->experiment;
    lab_table(out, r,
              &(LabTable){.heading = "Read, of all", .width = 13, .decimals = 3, .unit = unit});
    fputs("From the lowest of the seeds to the highest\n", out);
    for (int curve = 0; e->curves[curve].name; curve++) {
        fprintf(out, "  %-*s", lab_names_width(e) - 2, e->curves[curve].name);
        for (int i = 0; i < e->points; i++) {
            LabSpread spread = lab_spread(r, curve, i, 0);
            fprintf(out, "  %.3f-%.3f", spread.low, spread.high);
        }
        fputc('\n', out);
    }
    fputs("Seeds with which the normalized cell reads more\n", out);
    for (int curve = 0; e->curves[curve].name; curve += 2) {
        fprintf(out, "  %-*s", lab_names_width(e) - 2, e->curves[curve + 1].name);
        for (int i = 0; i < e->points; i++)
            fprintf(out, "%8d of %d", ahead(r, curve + 1, curve, i), SEEDS);
        fputc('\n', out);
    }
}

/* ---- how large the inputs are ---- */
enum { SIZES = 5 }; /* from .01 to 100 */

static double size_at(int point)
{
    return pow(10, point - SIZES / 2);
}

static void measure_sizes(int curve, uint64_t seed, LabTell *tell)
{
    for (int i = 0; i < SIZES; i++)
        tell((double[]){i == SIZES / 2 ? train_usual((Cell)curve, seed, tell)
                                       : train((Cell)curve, ADAM, 1, size_at(i), seed, tell)});
}

static void show_sizes(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nThe part of the test images that is read after %d updates, by how large the inputs\n"
            "are: standardized pixels, times a factor. Adam, rate %g, means of %d seeds.\n\n",
            UPDATES, rates[ADAM], SEEDS);
    show_accuracies(out, r, "times");
}

/* ---- the learning rate ---- */
enum { RATES = 3 };

static double rate_factor(int point)
{
    return pow(20, point - RATES / 2);
}

static void measure_rates(int curve, uint64_t seed, LabTell *tell)
{
    Cell cell = (Cell)(curve % 2);
    Method method = curve < 2 ? ADAM : SGD;
    for (int i = 0; i < RATES; i++)
        tell((double[]){method == ADAM && i == RATES / 2
                            ? train_usual(cell, seed, tell)
                            : train(cell, method, rate_factor(i), 1, seed, tell)});
}

static void show_rates(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nThe same by the learning rate: %g for Adam and %g for gradient descent, a 20th\nof "
            "it, and 20 times as much.\n\n",
            rates[ADAM], rates[SGD]);
    show_accuracies(out, r, "times the rate");
}

/* ---- rows of zeros ---- */
static double row_at(int point)
{
    return point + 1;
}

enum { LENGTH, SLOPE };

static void measure_blanks(int curve, uint64_t seed, LabTell *tell)
{
    static Reader r;
    int digits[BATCH], right = 0;
    Rng rng;
    rng_seed(&rng, seed);
    reader_start(&r, &steps, curve < 2 ? NORMALIZED : PLAIN, &rng);
    draw_batch(&r, digits, curve == 1 ? STANDARDIZED : RAW, 1, &rng);
    reader_forward(&r);
    softmax_loss(r.dscores, r.scores, digits, BATCH, DIGITS, &right);
    reader_backward(&r);
    for (int t = 0; t < SIDE; t++)
        tell((double[]){r.dh_length[t], reader_slope(&r)});
}

static void show_blanks(FILE *out, const LabResults *r)
{
    const LabExperiment *e = r->experiment;
    fputs("\nBefore the first update: the length of the gradient of h behind a row of the image.\n"
          "Raw pixels are 0 where the paper is white.\n\n",
          out);
    lab_table(out, r,
              &(LabTable){.heading = "Gradient of h",
                          .points = (int[]){0, 1, 2, 3, 5, 7, 13, 27},
                          .count = 8,
                          .width = 9,
                          .decimals = 1,
                          .scientific = true,
                          .unit = "row"});
    fputs("Gradient of all the weights, mean and highest\n", out);
    for (int curve = 0; e->curves[curve].name; curve++) {
        LabSpread spread = lab_spread(r, curve, 0, SLOPE);
        fprintf(out, "  %-*s%9.1e%9.1e\n", lab_names_width(e) - 2, e->curves[curve].name,
                spread.mean, spread.high);
    }
}

/* ---- all of them ---- */
#define ACCURACY                                                                                   \
    .y_label = "part of the test images that is read", .level_name = "guessing", .level = 0.1,     \
    .x_log = true

static const LabExperiment experiments[] = {
    {.name = "size",
     .curves = (LabCurve[]){{"plain", 0, 0}, {"normalized", 1, 0}, {0}},
     .values = (LabValue[]){{"accuracy", 0, 1}, {0}},
     .x_name = "size",
     .points = SIZES,
     .seeds = SEEDS,
     .x = size_at,
     .measure = measure_sizes,
     .show = show_sizes,
     .pictures = (LabPicture[]){{.title = "What is read, by the size of the inputs",
                                 .x_label = "standardized pixels, times",
                                 ACCURACY},
                                {0}}},
    {.name = "rate",
     .curves = (LabCurve[]){{"plain, Adam", 0, 0},
                            {"normalized, Adam", 1, 0},
                            {"plain, descent", 0, 1},
                            {"normalized, descent", 1, 1},
                            {0}},
     .values = (LabValue[]){{"accuracy", 0, 1}, {0}},
     .x_name = "times",
     .points = RATES,
     .seeds = SEEDS,
     .x = rate_factor,
     .measure = measure_rates,
     .show = show_rates,
     .pictures = (LabPicture[]){{.title = "What is read, by the learning rate",
                                 .x_label = "learning rate, times 0.01 (Adam) or 0.3 (descent)",
                                 ACCURACY},
                                {0}}},
    {.name = "blank",
     .curves = (LabCurve[]){{"normalized, raw pixels", 1, 0},
                            {"normalized, standardized", 1, 1},
                            {"plain, raw pixels", 0, 0},
                            {0}},
     .values = (LabValue[]){{"dh", 0, INFINITY}, {"all", 0, INFINITY}, {0}},
     .x_name = "row",
     .points = SIDE,
     .seeds = SEEDS,
     .x = row_at,
     .measure = measure_blanks,
     .show = show_blanks,
     .pictures = (LabPicture[]){{.title = "How long the gradient is behind each row of the image",
                                 .x_label = "row of the image",
                                 .y_label = "length of the gradient of h behind it",
                                 .y_log = true},
                                {0}}},
    {0},
};

const Lab lab = {
    .functions = functions, .load = load, .introduce = introduce, .experiments = experiments};
