/* Lesson 08, shapes: the mistakes that can be named, and what is said of each. The oracles in
 * lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_08_MISTAKES_H
#define LESSON_08_MISTAKES_H

#include "author.h"

enum {
    SIDE_BY_SIDE,
    LAST_AXIS,
    AXES_TOGETHER,
    BATCH_NORM,
    ALONG_TIME,
    EACH_CHANNEL,
    EACH_PIXEL,
    GAMMA_PER_CHANNEL,
    GAMMA_SIDE_BY_SIDE,
    PADDING_COUNTED,
    DIVIDED_BY_TIME,
    PADDING_NORMALIZED,
    PADDING_GETS_BETA,
    SUMS_TIMES_ZERO,
    Y_TIMES_ZERO,
    CANCELLATION,
};

#define AXIS "layer_norm_axis"
#define TEXT "layer_norm_text"
#define IMAGE "layer_norm_image"
#define PIXELS "layer_norm_pixels"
#define SERIES "layer_norm_series"

static const Mistake mistakes[] = {
    [SIDE_BY_SIDE] = {"side_by_side", AXIS " " PIXELS " " SERIES,
                      "what is normalized together is taken from side by side in memory",
                      "Along this axis one number is a whole step from the next",
                      "Neighbours in memory"},
    [LAST_AXIS] = {"last_axis", AXIS " " IMAGE " " PIXELS " " SERIES,
                   "the numbers along the last dimension are normalized together",
                   "The axis is not always the last one", "The last dimension, always"},
    [AXES_TOGETHER] = {"axes_together", AXIS " " TEXT " " PIXELS " " SERIES,
                       "everything in one example is normalized together",
                       "Only the numbers along one axis share a mean here",
                       "One mean for the whole example"},
    [BATCH_NORM] = {"batch_norm", AXIS " " TEXT " " IMAGE " " PIXELS,
                    "each place along the axis is normalized over all the rest, the batch included",
                    "That is batch norm: here the mean runs along the axis",
                    "A mean across the axis"},
    [ALONG_TIME] = {"along_time", TEXT, "each feature is normalized along time",
                    "A token is normalized alone, over its features", "Text along time"},
    [EACH_CHANNEL] = {"each_channel", IMAGE " " PIXELS,
                      "each channel is normalized alone, over height and width",
                      "Its numbers are compared with those of the other channels",
                      "Each channel alone"},
    [EACH_PIXEL] = {"each_pixel", IMAGE, "each pixel is normalized alone, over its channels",
                    "Here the whole image is normalized together", "Each pixel alone"},
    [GAMMA_PER_CHANNEL] = {"gamma_per_channel", IMAGE,
                           "gamma and beta are taken to be one for each channel",
                           "This norm has one for every number of an image",
                           "A gamma for each channel"},
    [GAMMA_SIDE_BY_SIDE] = {"gamma_side_by_side", PIXELS,
                            "gamma and beta change with every number in memory",
                            "They change with the channel, and that changes every height * width",
                            "A gamma that runs too fast"},
    [PADDING_COUNTED] = {"padding_counted", SERIES,
                         "mean and variance include what stands behind the end",
                         "They are those of the first length[b] steps", "Padding in the mean"},
    [DIVIDED_BY_TIME] = {"divided_by_time", SERIES,
                         "the sums over length[b] steps are divided by time",
                         "A mean is divided by how many numbers went into it",
                         "Divided by all the steps"},
    [PADDING_NORMALIZED] = {"padding_normalized", SERIES,
                            "what stands behind the end is normalized too", "y is 0 behind the end",
                            "Padding in y"},
    [PADDING_GETS_BETA] = {"padding_gets_beta", SERIES, "y is beta behind the end",
                           "It is set to 0 after beta was added", "Beta behind the end"},
    [SUMS_TIMES_ZERO] = {"sums_times_zero", SERIES,
                         "the sums take what stands behind the end times 0",
                         "0 times NaN is NaN: leave it out", "Padding times zero"},
    [Y_TIMES_ZERO] = {"y_times_zero", SERIES, "y behind the end is some number times 0",
                      "0 times NaN is NaN: write the 0 itself", "Padding times zero"},
    [CANCELLATION] = {"cancellation", AXIS " " TEXT " " IMAGE " " PIXELS " " SERIES,
                      "the variance is the mean of the squares minus the square of the mean",
                      "Far from zero two large numbers cancel; add up squared distances",
                      "The mean of the squares minus the square of the mean"},
    {0},
};

#endif
