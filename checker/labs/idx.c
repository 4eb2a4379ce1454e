/* Digits read from the files in which MNIST's come, and what all sets need: see digits.h.
 *
 * An IDX file is a number that says what follows, the sizes of an array, and its bytes; all numbers
 * are 4 bytes, the highest first. The invariant: nothing in a file is believed before it has been
 * compared with how long the file is. */
#include "box.h"
#include "digits.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
