/* digits.c: the files of images that a learner's DATA= names. The first two bytes say how long the
 * labels are; the images follow. */
#include "fuzz.h"

#include "../labs/digits.c"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    enter_scratch("idx");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    DigitSet set;
    char error[256] = "";
    size_t labels = size < 2 ? 0 : (size_t)(data[0] << 8 | data[1]);
    if (size < 2 + labels)
        return 0;
    write_file("train-labels-idx1-ubyte", data + 2, labels);
    write_file("train-images-idx3-ubyte", data + 2 + labels, size - 2 - labels);
    if (!read_digits(&set, ".", "train", error, sizeof error)) {
        require(error[0]);
        return 0;
    }
    require(set.count > 0 && labels == 8 + (size_t)set.count &&
            size == 2 + labels + 16 + (size_t)set.count * IMAGE_PIXELS);
    for (int i = 0; i < set.count; i++)
        require(set.digits[i] == data[2 + 8 + i] && set.digits[i] < DIGITS);
    require(set.pixels[0] == data[2 + labels + 16]);
    double mean, spread;
    digits_spread(&set, &mean, &spread);
    require(mean >= 0 && mean <= 1 && spread <= 1);
    digits_free(&set);
    return 0;
}
