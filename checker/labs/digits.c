/* Digits drawn at random: see digits.h.
 *
 * Each pixel looks up where in the font it comes from: the moves undone, last one first. All of it
 * in double, so that the float that comes out does not depend on the machine. */
#include "digits.h"

#include <math.h>
#include <stdlib.h>

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
