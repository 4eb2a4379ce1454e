/* Lesson 09, group norm: its checks, and the oracles that can make every mistake of mistakes.h.
 *
 * As in lesson 02, dx is asked only where the given mean is the group's own: a dx that takes the
 * paths through mean and variance one by one has a term more, which is zero there but for rounding.
 */
#include "mistakes.h"

#include <stdlib.h>

/* Channels of one image that have something in common. */
typedef struct {
    int first, step, count;
} Channels;

static Channels channels_of(const Case *c, int group, Mistakes m)
{
    int groups = size_of(c, "groups"), of_group = size_of(c, "channels") / groups;
    if (has(m, GROUPS_INTERLEAVED))
        return (Channels){group, groups, of_group};
    return (Channels){group * of_group, 1, of_group};
}

/* What a learner who types numbers may ask for. True: there are no such groups. */
static bool cannot_be_grouped(Case *c)
{
    bool even = size_of(c, "channels") % size_of(c, "groups") == 0;
    if (!even)
        rule_out(c, "channels / groups has to be a whole number");
    return !even;
}

/* Where the pixels of that channel begin. */
static int place_of(const Case *c, int image, int channel)
{
    return (image * size_of(c, "channels") + channel) * size_of(c, "pixels");
}

/* Whose gamma and beta the group's channel number k gets. */
static int parameter_of(Channels own, int group, int k, Mistakes m)
{
    return has(m, GAMMA_OF_GROUP) ? group : has(m, GAMMA_FROM_START) ? k : own.first + k * own.step;
}

/* ---- group_norm ---- */
static Moments moments_over(const Case *c, int image, int images, Channels some, Mistakes m)
{
    const float *values = given(c, "x");
    int channels = size_of(c, "channels"), pixels = size_of(c, "pixels"), count = 0;
    Real *x = new_reals(images * some.count * pixels);
    for (int b = image; b < image + images; b++)
        for (int k = 0; k < some.count; k++) {
            const float *at = values + (b * channels + some.first + k * some.step) * pixels;
            for (int p = 0; p < pixels; p++)
                x[count++] = exact(at[p]);
        }
    Moments found = moments_of(x, count);
    if (has(m, CANCELLATION)) {
        Sum squares = {0};
        for (int i = 0; i < count; i++)
            include(&squares, square(x[i]));
        found.variance = cancelled(average(squares, count), found.mean);
    }
    free(x);
    return found;
}

/* Of the numbers that channel number k of the group is normalized with. */
static Moments moments_at(const Case *c, int image, Channels own, int k, Mistakes m)
{
    int batch = size_of(c, "batch");
    if (has(m, CHANNEL_STATISTICS))
        own = (Channels){own.first + k * own.step, 1, 1};
    else if (has(m, IMAGE_STATISTICS))
        own = (Channels){0, 1, size_of(c, "channels")};
    return has(m, BATCH_STATISTICS) ? moments_over(c, 0, batch, own, m)
                                    : moments_over(c, image, 1, own, m);
}

static void normalize_group(Case *c, int image, int group, Mistakes m)
{
    int saved = image * size_of(c, "groups") + group;
    int pixels = size_of(c, "pixels");
    const float *x = given(c, "x");
    Real *y = wanted(c, "y");
    Channels own = channels_of(c, group, m);
    Moments found = {0};
    Real rstd = {0};
    for (int k = 0; k < own.count; k++) {
        int at = place_of(c, image, own.first + k * own.step), j = parameter_of(own, group, k, m);
        if (k == 0 || has(m, CHANNEL_STATISTICS)) {
            found = moments_at(c, image, own, k, m);
            rstd = divide(exact(1), root(add(found.variance, exact(scalar_of(c, "eps")))));
        }
        Real gamma = exact(given(c, "gamma")[j]), beta = exact(given(c, "beta")[j]);
        for (int i = at; i < at + pixels; i++) {
            Real xhat = mul(sub(exact(x[i]), found.mean), rstd);
            y[i] = add(mul(gamma, xhat), beta);
            reveal(c, "xhat", xhat);
        }
    }
    wanted(c, "mean")[saved] = found.mean;
    wanted(c, "rstd")[saved] = rstd;
}

static void forward_oracle(Case *c, Mistakes m)
{
    if (cannot_be_grouped(c))
        return;
    for (int b = 0; b < size_of(c, "batch"); b++)
        for (int g = 0; g < size_of(c, "groups"); g++)
            normalize_group(c, b, g, m);
}

/* ---- group_norm_backward ---- */
/* One group of one image. */
typedef struct {
    Case *c;
    Mistakes m;
    int image, group, pixels;
    const float *x, *dy, *gamma;
    Channels own;
    Real mean, rstd;
} Group;

static Group group_at(Case *c, int image, int group, Mistakes m)
{
    int saved = image * size_of(c, "groups") + group;
    return (Group){.c = c,
                   .m = m,
                   .image = image,
                   .group = group,
                   .pixels = size_of(c, "pixels"),
                   .x = given(c, "x"),
                   .dy = given(c, "dy"),
                   .gamma = given(c, "gamma"),
                   .own = channels_of(c, group, m),
                   .mean = exact(given(c, "mean")[saved]),
                   .rstd = exact(given(c, "rstd")[saved])};
}

static Real xhat_at(const Group *group, int i)
{
    return mul(sub(exact(group->x[i]), group->mean), group->rstd);
}

/* One channel's dgamma and dbeta, in the making. */
typedef struct {
    Sum dbeta, dgamma, dgamma_afterwards;
} Parameters;

/* Honest code may sum dy * x and subtract mean times the sum of dy afterwards, as PyTorch does. */
static void add_image(Parameters *sums, const Group *group, int channel)
{
    int at = place_of(group->c, group->image, channel);
    Sum plain = {0}, with_x = {0};
    for (int i = at; i < at + group->pixels; i++) {
        Real dy = exact(group->dy[i]);
        include(&plain, dy);
        include_product(&with_x, dy, exact(group->x[i]));
        include(&sums->dbeta, dy);
        include_product(&sums->dgamma, dy, xhat_at(group, i));
    }
    Real centered = sub(total(with_x), mul(group->mean, total(plain)));
    include_product(&sums->dgamma_afterwards, centered, group->rstd);
}

static void parameters_oracle(Case *c, Mistakes m)
{
    int batch = size_of(c, "batch");
    double count = has(m, AVERAGED_OVER_ALL)     ? (double)batch * size_of(c, "pixels")
                   : has(m, AVERAGED_OVER_BATCH) ? batch
                                                 : 1;
    for (int g = 0; g < size_of(c, "groups"); g++) {
        Channels own = channels_of(c, g, m);
        for (int k = 0; k < own.count; k++) {
            int channel = own.first + k * own.step;
            Parameters sums = {0};
            for (int b = has(m, LAST_IMAGE_ONLY) ? batch - 1 : 0; b < batch; b++) {
                Group group = group_at(c, b, g, m);
                add_image(&sums, &group, channel);
            }
            Real dgamma = larger_bound(total(sums.dgamma), total(sums.dgamma_afterwards));
            wanted(c, "dgamma")[channel] = count > 1 ? divide(dgamma, exact(count)) : dgamma;
            wanted(c, "dbeta")[channel] =
                count > 1 ? average(sums.dbeta, count) : total(sums.dbeta);
        }
    }
}

/* What the two means of dx are taken over: channels `from` to `to` of the group. */
typedef struct {
    Sum g, g_xhat, g_x, xhat;
} Sums;

static Real g_at(const Group *group, int k, int i)
{
    int j = parameter_of(group->own, group->group, k, group->m);
    Real dy = exact(group->dy[i]);
    return has(group->m, GAMMA_OUTSIDE_MEANS) ? dy : mul(exact(group->gamma[j]), dy);
}

static Sums sums_of(const Group *group, int from, int to)
{
    Sums sums = {0};
    for (int k = from; k < to; k++) {
        int at = place_of(group->c, group->image, group->own.first + k * group->own.step);
        for (int i = at; i < at + group->pixels; i++) {
            Real g = g_at(group, k, i), xhat = xhat_at(group, i);
            include(&sums.g, g);
            include_product(&sums.g_xhat, g, xhat);
            include_product(&sums.g_x, g, exact(group->x[i]));
            include(&sums.xhat, xhat);
        }
    }
    return sums;
}

static Real dx_at(const Group *group, int k, int i, const Sums *sums)
{
    int j = parameter_of(group->own, group->group, k, group->m), n = sums->g.terms;
    Real g = g_at(group, k, i), xhat = xhat_at(group, i), mean_g = average(sums->g, n);
    Real afterwards = sub(average(sums->g_x, n), mul(group->mean, mean_g));
    Real mean_g_xhat = larger_bound(average(sums->g_xhat, n), mul(afterwards, group->rstd));

    /* Honest code may follow the path through rstd on to the mean, which ends in the average xhat,
     * about 0, ... */
    Real mean_xhat = average(sums->xhat, n);
    xhat.e += fabs(mean_xhat.v) + mean_xhat.e;
    /* ... or sum a row of the Jacobian, where g is one of n terms. */
    g.e += n * UNIT_ROUNDOFF * fabs(g.v);

    Real bracket = g;
    if (!has(group->m, STATISTICS_CONSTANT))
        bracket = sub(sub(g, mean_g), mul(xhat, mean_g_xhat));
    if (has(group->m, GAMMA_OUTSIDE_MEANS))
        bracket = mul(exact(group->gamma[j]), bracket);
    reveal(group->c, "g", g);
    return mul(bracket, group->rstd);
}

static void input_oracle(const Group *group)
{
    int count = group->own.count;
    Real *dx = wanted(group->c, "dx");
    Sums sums = sums_of(group, 0, count);
    for (int k = 0; k < count; k++) {
        int at = place_of(group->c, group->image, group->own.first + k * group->own.step);
        if (has(group->m, MEANS_PER_CHANNEL))
            sums = sums_of(group, k, k + 1);
        for (int i = at; i < at + group->pixels; i++)
            dx[i] = dx_at(group, k, i, &sums);
    }
}

static void backward_oracle(Case *c, Mistakes m)
{
    if (cannot_be_grouped(c))
        return;
    parameters_oracle(c, m);
    for (int b = 0; b < size_of(c, "batch"); b++)
        for (int g = 0; g < size_of(c, "groups"); g++) {
            Group group = group_at(c, b, g, m);
            input_oracle(&group);
        }
}

static const Step steps[] = {
    {FORWARD, forward_oracle, NULL},
    {BACKWARD, backward_oracle, NULL},
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

/* mean and rstd are those that a forward pass saves. */
static void draw_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = draw_images(cases, rng, BACKWARD, i);
        int groups = size_of(c, "groups");
        for (int k = 0; k < size_of(c, "batch") * groups; k++) {
            Moments found = moments_over(c, k / groups, 1, channels_of(c, k % groups, 0), 0);
            fill(c, "mean")[k] = (float)found.mean.v;
            fill(c, "rstd")[k] = (float)(1 / sqrt(found.variance.v + 1e-5));
        }
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
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5 groups=1",
    .sample = "batch=2 channels=6 pixels=3 groups=2",
    .needs = "02",
    .learned = "groups lie between layer norm and instance norm.",
};
