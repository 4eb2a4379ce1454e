/* Digits to learn from, drawn at random or read from files: see digits.h. */
#include "digits.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"

/* ---- drawn ----
 *
 * Each pixel looks up where in the font it comes from: the moves undone, last one first. All of it
 * in double, so that the float that comes out does not depend on the machine. */
enum { WIDTH = 5, HEIGHT = 7 };

static const char *const font[DIGITS][HEIGHT] = {
    {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "},
    {"  #  ", " ##  ", "# #  ", "  #  ", "  #  ", "  #  ", "#####"},
    {" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"},
    {"#### ", "    #", "    #", " ### ", "    #", "    #", "#### "},
    {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "},
    {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "},
    {"  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "},
    {"#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "},
    {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "},
    {" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "},
};

static double point(int digit, int row, int column)
{
    bool inside = row >= 0 && row < HEIGHT && column >= 0 && column < WIDTH;
    return inside && font[digit][row][column] == '#';
}

/* Between the middles of four points. */
static double ink(int digit, double row, double column)
{
    int top = (int)floor(row), left = (int)floor(column);
    double down = row - top, right = column - left;
    double above = (1 - right) * point(digit, top, left) + right * point(digit, top, left + 1);
    double below =
        (1 - right) * point(digit, top + 1, left) + right * point(digit, top + 1, left + 1);
    return (1 - down) * above + down * below;
}

void draw_digit(float *image, int side, int digit, Rng *rng)
{
    const double degree = 3.14159265358979 / 180;
    const double points = 28.0 / 3; /* as many as the side is long */
    double turn = degree * uniform(rng, -15, 15), sine = sin(turn), cosine = cos(turn);
    double wide = uniform(rng, 0.75, 1.15), high = uniform(rng, 0.75, 1.15);
    double slant = uniform(rng, -0.25, 0.25);
    double aside = uniform(rng, -1, 1), down = uniform(rng, -1, 1);
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            double x = ((column + 0.5) / side - 0.5) * points - aside;
            double y = ((row + 0.5) / side - 0.5) * points - down;
            double upright_x = x * cosine + y * sine;
            double upright_y = y * cosine - x * sine;
            image[row * side + column] =
                (float)ink(digit, upright_y / high + (HEIGHT - 1) / 2.0,
                           (upright_x - slant * upright_y) / wide + (WIDTH - 1) / 2.0);
        }
}

void draw_digits(DigitSet *set, int count, Rng *rng)
{
    float image[IMAGE_PIXELS];
    *set = (DigitSet){count, malloc((size_t)count * IMAGE_PIXELS), malloc((size_t)count)};
    if (!set->pixels || !set->digits)
        author_error("there is no memory for the lab's images");
    for (int i = 0; i < count; i++) {
        set->digits[i] = (unsigned char)uniform_int(rng, 0, DIGITS - 1);
        draw_digit(image, IMAGE_SIDE, set->digits[i], rng);
        for (int k = 0; k < IMAGE_PIXELS; k++)
            set->pixels[i * IMAGE_PIXELS + k] = (unsigned char)lrintf(255 * image[k]);
    }
}

/* ---- read from the files in which MNIST's come ----
 *
 * An IDX file is a number that says what follows, the sizes of an array, and its bytes; all numbers
 * are 4 bytes, the highest first. The invariant: nothing in a file is believed before it has been
 * compared with how long the file is. */
enum { MOST_BYTES = 1 << 26, IMAGES = 0x803, LABELS = 0x801 };

/* One file, in memory. */
typedef struct {
    char name[64];
    unsigned char *bytes;
    size_t length;
} Idx;

static bool say(char *error, size_t error_size, const Idx *file, const char *what)
{
    snprintf(error, error_size, "%s %s", file->name, what);
    return false;
}

static bool idx_open(Idx *file, const char *folder, const char *part, const char *kind, char *error,
                     size_t error_size)
{
    snprintf(file->name, sizeof file->name, "%s-%s-ubyte", part, kind);
    char *path = format_text("%s/%s", folder, file->name);
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    file->bytes = NULL;
    if (descriptor >= 0)
        file->bytes = (unsigned char *)read_open_file(descriptor, MOST_BYTES, &file->length);
    free(path);
    if (file->bytes)
        return true;
    if (errno == EFBIG)
        return say(error, error_size, file, "is longer than 64 MB, which MNIST's files are not");
    char *why = format_text("can't be read: %s", strerror(errno));
    say(error, error_size, file, why);
    free(why);
    return false;
}

/* The number at `place`, 0 for the first; 0 where the file is too short for it. */
static uint32_t idx_number(const Idx *file, size_t place)
{
    const unsigned char *b = file->bytes + 4 * place;
    if (file->length < 4 * place + 4)
        return 0;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Are there `count` items of `size` bytes behind `numbers` numbers, and nothing else? */
static bool idx_fits(const Idx *file, uint64_t count, uint64_t size, uint64_t numbers)
{
    return count > 0 && file->length == 4 * numbers + count * size;
}

static bool idx_check(const Idx *images, const Idx *labels, char *error, size_t error_size)
{
    if (idx_number(images, 0) != IMAGES)
        return say(error, error_size, images, "is no IDX file of images: it does not begin so");
    if (idx_number(labels, 0) != LABELS)
        return say(error, error_size, labels, "is no IDX file of labels: it does not begin so");
    if (idx_number(images, 2) != IMAGE_SIDE || idx_number(images, 3) != IMAGE_SIDE)
        return say(error, error_size, images, "does not hold images of 28 x 28 pixels");
    if (!idx_fits(images, idx_number(images, 1), IMAGE_PIXELS, 4))
        return say(error, error_size, images, "is not as long as it says");
    if (!idx_fits(labels, idx_number(labels, 1), 1, 2))
        return say(error, error_size, labels, "is not as long as it says");
    if (idx_number(labels, 1) != idx_number(images, 1))
        return say(error, error_size, labels, "has not one label for each image");
    for (size_t i = 8; i < labels->length; i++)
        if (labels->bytes[i] >= DIGITS)
            return say(error, error_size, labels, "has a label that is no digit");
    return true;
}

bool read_digits(DigitSet *set, const char *folder, const char *part, char *error,
                 size_t error_size)
{
    Idx images, labels = {.bytes = NULL};
    bool good = idx_open(&images, folder, part, "images-idx3", error, error_size) &&
                idx_open(&labels, folder, part, "labels-idx1", error, error_size) &&
                idx_check(&images, &labels, error, error_size);
    if (good) {
        *set = (DigitSet){(int)idx_number(&labels, 1), images.bytes, labels.bytes};
        memmove(images.bytes, images.bytes + 16, images.length - 16);
        memmove(labels.bytes, labels.bytes + 8, labels.length - 8);
        return true;
    }
    free(images.bytes);
    free(labels.bytes);
    return false;
}

/* ---- sets ---- */
void digits_free(DigitSet *set)
{
    free(set->pixels);
    free(set->digits);
}

void digits_spread(const DigitSet *set, double *mean, double *spread)
{
    size_t count = (size_t)set->count * IMAGE_PIXELS;
    uint64_t sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += set->pixels[i];
        squares += (uint64_t)set->pixels[i] * set->pixels[i];
    }
    *mean = (double)sum / (double)count / 255;
    *spread = sqrt(fmax(0, (double)squares / (double)count / 255 / 255 - *mean * *mean));
}
