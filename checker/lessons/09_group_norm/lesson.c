/* Lesson 09, group norm: its checks. What is right, and the mistakes with a name, stand in
 * lessons/09_group_norm.formulas.
 *
 * As in lesson 02, dx is asked only where the given mean is the group's own: a dx that takes the
 * paths through mean and variance one by one has a term more, which is zero there but for rounding.
 */
#include "author.h"

#include <stdlib.h>

#define FORWARD "group_norm"
#define BACKWARD "group_norm_backward"

static const Step steps[] = {
    {FORWARD},
    {BACKWARD},
    {0},
};

/* ---- cases drawn afresh ---- */
/* A shape's features are the numbers of a group, cut into channels and pixels in one way or
 * another; its rows are images or groups. In place of one shape come many images of two numbers. */
static Case *draw_images(Cases *cases, Rng *rng, const char *function, int index)
{
    enum { ONLY_CHANNELS = 1, MORE_CHANNELS, ONLY_PIXELS, MANY_IMAGES = 18 };
    Shape shape = odd_shape(rng, index);
    int count = shape.features, batch = shape.rows, groups = uniform_int(rng, 1, 3), channels = 1;
    if (index % 3 == 2 || batch > 97)
        groups = shape.rows, batch = uniform_int(rng, 1, 2);
    if (index == MANY_IMAGES)
        batch = uniform_int(rng, 4100, 4500), count = 2, groups = 1;
    for (int k = 2; k * k <= count && index % 4 != ONLY_PIXELS; k++)
        channels = count % k ? channels : k; /* of each group */
    if (index % 4 == MORE_CHANNELS || index % 4 == ONLY_CHANNELS)
        channels = count / (index % 4 == MORE_CHANNELS ? channels : 1);
    Case *c = case_new(cases, function);
    set_size(c, "batch", batch);
    set_size(c, "channels", channels * groups);
    set_size(c, "pixels", count / channels);
    set_size(c, "groups", groups);
    for (int k = 0; k < batch * groups; k++)
        fill_spread(fill(c, "x") + k * count, count, 1, rng, shape.spread * uniform(rng, 0.6, 1.5),
                    shape.offset);
    case_label(c, "%d x %d x %d, %d group%s", batch, channels * groups, count / channels, groups,
               groups > 1 ? "s" : "");
    if (takes(c, "eps"))
        set_scalar(c, "eps", shape.eps);
    return c;
}

static void draw_forward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(draw_images(cases, rng, FORWARD, i), rng);
}

/* mean and rstd are those that a forward pass saves. The numbers of a group follow one another. */
static void draw_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = draw_images(cases, rng, BACKWARD, i);
        int groups = size_of(c, "groups");
        int count = size_of(c, "channels") / groups * size_of(c, "pixels");
        Real *x = as_reals(given(c, "x"), size_of(c, "batch") * groups * count);
        for (int k = 0; k < size_of(c, "batch") * groups; k++) {
            Moments found = moments_of(x + k * count, count);
            fill(c, "mean")[k] = (float)found.mean.v;
            fill(c, "rstd")[k] = (float)(1 / sqrt(found.variance.v + 1e-5));
        }
        free(x);
        fill_rest(c, rng);
    }
}

static const Check checks[] = {
    {FORWARD, FORWARD " saves the mean of each group", .vectors = "forward", .only = "mean"},
    {FORWARD, FORWARD " saves rstd, one over the root", .vectors = "forward", .only = "rstd"},
    {FORWARD, FORWARD " gives each channel its gamma and beta", .vectors = "forward"},
    {FORWARD, FORWARD " with one group is layer norm", .vectors = "layer norm"},
    {FORWARD, FORWARD " with a group for each channel is instance norm",
     .vectors = "instance norm"},
    {FORWARD, FORWARD " holds on images far from zero", .vectors = "far from zero"},
    {FORWARD, FORWARD " holds on 24 shapes drawn afresh", .draw = draw_forward},
    {BACKWARD, BACKWARD " sums dbeta over images and pixels", .vectors = "backward",
     .only = "dbeta"},
    {BACKWARD, BACKWARD " sums dgamma over images and pixels", .vectors = "backward",
     .only = "dgamma"},
    {BACKWARD, BACKWARD " matches PyTorch's dx", .vectors = "backward"},
    {BACKWARD, BACKWARD " with one group is layer norm's", .vectors = "backward, layer norm"},
    {BACKWARD, BACKWARD " with a group for each channel is instance norm's",
     .vectors = "backward, instance norm"},
    {BACKWARD, BACKWARD " uses the mean it is given", .vectors = "given mean", .only = "dgamma"},
    {BACKWARD, BACKWARD " uses the rstd it is given", .vectors = "given rstd"},
    {BACKWARD, BACKWARD " holds on images far from zero", .vectors = "backward, far from zero"},
    {BACKWARD, BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_backward},
    {0},
};

const Lesson lesson = {
    "Group Normalization",
    steps,
    checks,
    .defaults = "gamma=1 beta=0 eps=1e-5 groups=1",
    .sample = "batch=2 channels=6 pixels=3 groups=2",
    .needs = "02",
    .learned = "groups lie between layer norm and instance norm.",
};
