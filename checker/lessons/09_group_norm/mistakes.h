/* Lesson 09, group norm: the mistakes that can be named, and what is said of each. The oracles in
 * lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_09_MISTAKES_H
#define LESSON_09_MISTAKES_H

#include "author.h"

enum {
    GROUPS_INTERLEAVED,
    CHANNEL_STATISTICS,
    IMAGE_STATISTICS,
    BATCH_STATISTICS,
    CANCELLATION,
    GAMMA_OF_GROUP,
    GAMMA_FROM_START,
    GAMMA_OUTSIDE_MEANS,
    MEANS_PER_CHANNEL,
    STATISTICS_CONSTANT,
    LAST_IMAGE_ONLY,
    AVERAGED_OVER_BATCH,
    AVERAGED_OVER_ALL,
};

#define FORWARD "group_norm"
#define BACKWARD "group_norm_backward"

static const Mistake mistakes[] = {
    [GROUPS_INTERLEAVED] = {"groups_interleaved", FORWARD " " BACKWARD,
                            "channel c is put into group c % groups",
                            "A group is channels / groups neighbours", "Every other channel"},
    [CHANNEL_STATISTICS] = {"channel_statistics", FORWARD,
                            "each channel has a mean and a variance of its own",
                            "The channels of a group share theirs", "A mean for each channel"},
    [IMAGE_STATISTICS] = {"image_statistics", FORWARD,
                          "all groups of an image share one mean and one variance",
                          "Each group has its own", "A mean for the whole image"},
    [BATCH_STATISTICS] = {"batch_statistics", FORWARD,
                          "mean and variance are taken over all images of the batch",
                          "No image knows of another", "A mean over the batch"},
    [CANCELLATION] = {"cancellation", FORWARD,
                      "the variance is the mean of the squares minus the square of the mean",
                      "Far from zero two large numbers cancel; add up squared distances",
                      "The mean of the squares minus the square of the mean"},
    [GAMMA_OF_GROUP] = {"gamma_of_group", FORWARD " " BACKWARD,
                        "gamma and beta are looked up by the number of the group",
                        "Each channel has its own", "Gamma by the number of the group"},
    [GAMMA_FROM_START] = {"gamma_from_start", FORWARD " " BACKWARD,
                          "every group begins with gamma[0] and beta[0]",
                          "Count the channels from the start of the image, not of the group",
                          "Gamma counted from the start of the group"},
    [GAMMA_OUTSIDE_MEANS] = {"gamma_outside_means", BACKWARD,
                             "gamma multiplies the bracket of dx, after the means",
                             "gamma differs from channel to channel: the means are of gamma * dy",
                             "Gamma outside the means"},
    [MEANS_PER_CHANNEL] = {"means_per_channel", BACKWARD,
                           "the two means in dx are those of each channel alone",
                           "They are taken over the whole group, as mean and rstd are",
                           "Means of a channel in dx"},
    [STATISTICS_CONSTANT] = {"statistics_constant", BACKWARD,
                             "dx is gamma * dy * rstd, as if mean and rstd did not depend on x",
                             "Every x moves its group's mean and rstd",
                             "Mean and rstd as constants"},
    [LAST_IMAGE_ONLY] = {"last_image_only", BACKWARD,
                         "dgamma and dbeta hold the last image's part only",
                         "They are sums over all images", "Only the last image counted"},
    [AVERAGED_OVER_BATCH] = {"averaged_over_batch", BACKWARD,
                             "dgamma and dbeta are divided by the number of images",
                             "They are plain sums", "Averages where sums belong"},
    [AVERAGED_OVER_ALL] = {"averaged_over_all", BACKWARD,
                           "dgamma and dbeta are divided by the number of images times pixels",
                           "They are plain sums", "Averages where sums belong"},
    {0},
};

#endif
