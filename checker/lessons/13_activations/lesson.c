/* Lesson 13, activations: its checks, and the oracles that can make every mistake of mistakes.h. */
#include "deep.h"

/* ---- deep_forward ---- */
static void deep_oracle(Case *c, Mistakes m)
{
    int layers = size_of(c, "layers"), rows = size_of(c, "rows"), n = size_of(c, "features");
    int together = has(m, BATCH_STATISTICS) || has(m, LAYER_STATISTICS) ? rows : 1;
    for (int first = 0; first < rows; first += together) {
        Rows some = rows_of(c, given(c, "x") + first * n, together, n, layers);
        for (int l = 0; l < layers; l++) {
            if (l && has(m, INPUT_AGAIN)) {
                rows_free(&some);
                some = rows_of(c, given(c, "x") + first * n, together, n, layers);
            }
            some.layer = l;
            const float *w = given(c, "w") + (has(m, FIRST_WEIGHTS) ? 0 : l * n * n);
            pass_layer(&some, w, size_of(c, "normalized"), scalar_of(c, "eps"), m);
            for (int i = 0; i < some.size; i++)
                wanted(c, "h")[(l * rows + first) * n + i] = number_at(&some, i);
        }
        rows_free(&some);
    }
}

/* ---- layer_spread ---- */
static Real mean_square(const float *h, int count)
{
    Sum squares = {0};
    for (int i = 0; i < count; i++)
        include(&squares, square(exact(h[i])));
    return average(squares, count);
}

static Moments moments_over(const float *h, int count)
{
    Real *numbers = as_reals(h, count);
    Moments found = moments_of(numbers, count);
    free(numbers);
    return found;
}

/* Of numbers that are all equal it is 0, and as far from it as their mean is rounded. */
static Real spread_of(const float *h, int count, Moments found)
{
    for (int i = 0; i < count; i++)
        if (h[i] != h[0])
            return root(found.variance);
    return (Real){0, h[0] == 0 ? 0 : found.mean.e};
}

static Real row_spreads(const float *h, int rows, int features)
{
    Sum sum = {0};
    for (int r = 0; r < rows; r++, h += features)
        include(&sum, spread_of(h, features, moments_over(h, features)));
    return average(sum, rows);
}

static void spread_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features"), n = rows * features;
    const float *h = given(c, "h");
    for (int l = 0; l < size_of(c, "layers"); l++, h += n) {
        Moments found = moments_over(h, n);
        Real spread = spread_of(h, n, found);
        if (has(m, ROWS_AVERAGED))
            spread = row_spreads(h, rows, features);
        if (has(m, FROM_ZERO))
            spread = root(mean_square(h, n));
        if (has(m, CANCELLATION))
            spread = root(cancelled(mean_square(h, n), found.mean));
        if (has(m, N_MINUS_1))
            spread = n > 1 ? divide(mul(spread, root(exact(n))), root(exact(n - 1))) : exact(NAN);
        wanted(c, "mean")[l] = found.mean;
        wanted(c, "spread")[l] = has(m, ROOT_LEFT_OUT) ? square(spread) : spread;
    }
}

/* ---- histogram ---- */
typedef struct {
    float low, high;
    int bins;
    double width;
} Parts;

static bool power_of_two(double x)
{
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

static bool on_grid(double x, double width)
{
    return x / width == floor(x / width) && fabs(x / width) < 1 << 24;
}

/* In parts from low on. Exact where all numbers on the way are, whichever way is taken; else off by
 * what the formula rounds, or what edges do that are found by adding the width again and again. */
static Real place_of(float x, const Parts *p)
{
    double exactly = ((double)x - p->low) / p->width;
    if (power_of_two(p->width) && power_of_two(p->bins) && on_grid(x, p->width) &&
        on_grid(p->low, p->width))
        return exact(exactly);
    Real range = sub(exact(p->high), exact(p->low));
    Real place = scaled(divide(sub(exact(x), exact(p->low)), range), p->bins);
    double by_adding = p->bins * UNIT_ROUNDOFF * (fabs(p->low) + fabs(p->high)) / p->width;
    return (Real){exactly, place.e + by_adding};
}

static int part_at(double place, const Parts *p, Mistakes m)
{
    if (has(m, INT_FIRST) && place >= 2147483648.0) /* what x86 makes of it is the lowest int */
        return 0;
    double part = has(m, EDGE_BELOW) ? ceil(place) - 1 : floor(place);
    return part < 0 ? 0 : part >= p->bins ? p->bins - 1 : (int)part;
}

/* How many numbers a part has for certain or by double precision, and how many it may have. */
typedef struct {
    int has, unsure;
} Tally;

static int tally(Tally *tallies, const Case *c, const Parts *p, Mistakes m)
{
    bool high = has(m, HIGH_DROPPED);
    bool drop = has(m, OUTSIDE_DROPPED) || has(m, INSIDE_ONLY) || high;
    int counted = 0;
    for (int i = 0; i < size_of(c, "count"); i++) {
        float x = given(c, "x")[i];
        if (drop && (x < p->low || x > p->high || (high && x == p->high)))
            continue;
        counted++;
        Real place = place_of(x, p);
        bool inside = x >= p->low && x < p->high;
        double e = inside ? place.e : 0;
        int from = part_at(place.v - e, p, m), to = part_at(place.v + e, p, m);
        tallies[part_at(place.v, p, m)].has++;
        for (int b = from; b <= to && from < to; b++)
            tallies[b].unsure++;
    }
    return counted;
}

/* A division, or as many additions of 1 / count; of as many numbers as it may have. */
static Real share_of(Tally t, int count)
{
    int most = t.has + t.unsure;
    Real share = divide(exact(most), exact(count));
    double rounding = share.e + most * UNIT_ROUNDOFF * share.v;
    return (Real){(double)t.has / count, rounding + (double)t.unsure / count};
}

static bool cannot_be_cut(Case *c)
{
    float low = scalar_of(c, "low"), high = scalar_of(c, "high");
    const char *why = !(low < high)           ? "low has to be below high"
                      : !isfinite(high - low) ? "high - low has to be a number"
                                              : NULL;
    for (int i = 0; i < size_of(c, "count"); i++)
        if (isnan(given(c, "x")[i]))
            why = "NaN lies in no part";
    if (why)
        rule_out(c, why);
    return why;
}

static void histogram_oracle(Case *c, Mistakes m)
{
    if (cannot_be_cut(c))
        return;
    Parts p = {scalar_of(c, "low"), scalar_of(c, "high"), size_of(c, "bins"), 0};
    Tally *tallies = room_of((size_t)p.bins, sizeof *tallies);
    p.width = ((double)p.high - p.low) / p.bins;
    int counted = tally(tallies, c, &p, m);
    for (int b = 0; b < p.bins; b++) {
        Tally t = tallies[b];
        Real share = share_of(t, has(m, INSIDE_ONLY) ? counted : size_of(c, "count"));
        if (has(m, DENSITY))
            share = divide(share, exact(p.width));
        if (has(m, COUNTS))
            share = (Real){t.has, t.unsure};
        wanted(c, "share")[b] = share;
        reveal(c, "in the part", exact(t.has));
    }
    free(tallies);
}

static const Step steps[] = {
    {DEEP, deep_oracle, NULL},
    {SPREAD, spread_oracle, NULL},
    {HISTOGRAM, histogram_oracle, NULL},
    {0},
};

/* ---- cases ---- */
enum { DRAWN = 24 };

typedef struct {
    int layers, rows, features;
} Sizes;

static Case *case_of_sizes(Cases *cases, const char *function, Sizes s)
{
    Case *c = case_new(cases, function);
    set_size(c, "layers", s.layers);
    set_size(c, "rows", s.rows);
    set_size(c, "features", s.features);
    case_label(c, "%d layer%s of %d x %d", s.layers, s.layers > 1 ? "s" : "", s.rows, s.features);
    return c;
}

/* By rounding, any number of the answer by hardly more than that, at worst. */
static const double MOST_MOVED = 1e-3;

static bool moved_far(Case *c)
{
    double most = 0;
    deep_oracle(c, 0);
    for (int i = 0; i < size_of(c, "layers") * size_of(c, "rows") * size_of(c, "features"); i++)
        most = fmax(most, wanted(c, "h")[i].e);
    return most > MOST_MOVED;
}

/* A row whose spread is small by chance makes much of what rounding did before it, and every layer
 * more of it. Such a network would be asked for next to nothing: another is drawn. That happens to
 * one in six at most, so the last try is hardly ever needed. */
static void fill_network(Case *c, Rng *rng, double spread, double size)
{
    enum { TRIES = 30 };
    int n = size_of(c, "features"), tries = 0;
    do {
        fill_rows(c, "x", rng, spread, 0.5);
        for (int k = 0; k < size_of(c, "layers") * n * n; k++)
            fill(c, "w")[k] = (float)(size * normal(rng) / sqrt(n));
    } while (++tries < TRIES && moved_far(c));
}

/* Without a norm a network of large weights is chaos: what rounding does to a number there doubles
 * in every layer. So a deep one has weights of size 1. */
static void draw_networks(Cases *cases, Rng *rng)
{
    static const Sizes sizes[DRAWN] = {{1, 3, 4},  {2, 1, 3},  {3, 4, 5},  {1, 1, 1},  {5, 2, 7},
                                       {2, 13, 2}, {8, 3, 6},  {1, 7, 31}, {12, 2, 6}, {3, 2, 16},
                                       {4, 5, 3},  {2, 98, 3}, {20, 1, 8}, {1, 2, 64}, {3, 29, 2},
                                       {6, 6, 6},  {2, 3, 23}, {1, 1, 97}, {9, 1, 11}, {1, 120, 1},
                                       {4, 11, 5}, {2, 2, 40}, {20, 2, 5}, {16, 1, 7}};
    static const float epsilons[] = {1e-5f, 1e-3f, 0, 0.4f};
    static const double spreads[] = {1, 0.1, 3, 30};
    for (int i = 0; i < DRAWN; i++) {
        Sizes s = sizes[i];
        s.rows += i % 3 == 1 ? uniform_int(rng, 0, 3) : 0;
        s.features += i % 3 == 2 ? uniform_int(rng, 0, 2) : 0;
        Case *c = case_of_sizes(cases, DEEP, s);
        bool with = i % 4 != 2;
        set_size(c, "normalized", with ? uniform_int(rng, 1, 3) * (i % 2 ? 1 : -1) : 0);
        set_scalar(c, "eps", s.features < 5 ? 1e-3f : epsilons[i / 4 % 4]);
        if (with)
            fill_network(c, rng, spreads[i % 4], spreads[i / 2 % 4]);
        else
            fill_network(c, rng, 1, s.layers > 6 ? 1 : 1 + i / 4 % 2);
    }
}

/* Rows of a mean of their own, so that none has the layer's spread. */
static void draw_layers(Cases *cases, Rng *rng)
{
    static const Sizes sizes[DRAWN] = {
        {1, 2, 2},  {3, 1, 5},    {2, 5, 1},    {1, 1, 1},  {4, 3, 7},    {40, 2, 3},
        {2, 13, 4}, {1, 7, 11},   {1, 98, 3},   {2, 4, 16}, {300, 1, 2},  {3, 6, 6},
        {1, 1, 31}, {2, 31, 1},   {1, 3, 997},  {5, 8, 8},  {1, 40, 100}, {2, 9, 23},
        {7, 2, 5},  {1, 4100, 1}, {1, 1, 4100}, {97, 3, 2}, {2, 17, 3},   {1, 150, 37}};
    static const double spreads[] = {1, 0.01, 100, 0.1, 10, 1e-6, 1e6};
    static const double offsets[] = {0, 0.5, -3, 1000, 0, 30, -300};
    for (int i = 0; i < DRAWN; i++) {
        Sizes s = sizes[i];
        s.layers += i % 3 == 0 ? uniform_int(rng, 0, 2) : 0;
        s.features += i % 3 == 1 ? uniform_int(rng, 0, 9) : 0;
        s.rows += i % 3 == 2 ? uniform_int(rng, 0, 9) : 0;
        Case *c = case_of_sizes(cases, SPREAD, s);
        int count = s.rows * s.features, silent = i % 4 == 3 ? uniform_int(rng, 0, s.layers) : -1;
        float *h = fill(c, "h");
        for (int l = 0; l < s.layers; l++, h += count) {
            double offset = offsets[count > 200 ? (i + l) % 3 : (i + l) % 7];
            double spread = spreads[(2 * i + l) % 7] * uniform(rng, 0.6, 1.5);
            fill_spread(h, count, 1, rng, spread, offset);
            for (int k = 0; k < count; k++) {
                double aside = spread * sin(1.7 * (k / s.features + i)); /* the same for a row */
                h[k] = l == silent ? 0 : (float)(h[k] + aside);
            }
        }
    }
}

static Case *case_of_numbers(Cases *cases, int count, int bins, double low, double high)
{
    Case *c = case_new(cases, HISTOGRAM);
    set_size(c, "count", count);
    set_size(c, "bins", bins);
    set_scalar(c, "low", (float)low);
    set_scalar(c, "high", (float)high);
    case_label(c, "%d numbers, %d part%s from %g to %g", count, bins, bins > 1 ? "s" : "",
               (double)(float)low, (double)(float)high);
    return c;
}

static void draw_numbers(Cases *cases, Rng *rng)
{
    static const int counts[] = {7,  1,   100, 13, 997, 2,    60, 31, 4100, 5,   256, 3,
                                 17, 300, 11,  89, 6,   1000, 1,  23, 64,   509, 10,  6000};
    static const int most_bins[] = {4, 10, 3, 1, 20, 7, 300, 16, 45, 2, 9, 64};
    for (int i = 0; i < DRAWN; i++) {
        bool far = i % 5 == 3;
        double power = pow(10, uniform_int(rng, -6, 6)), spread = power * uniform(rng, 1, 5);
        double offset = far ? 100 : uniform(rng, -1, 1), reach = uniform(rng, 0.8, 3);
        int bins = far ? 1 + most_bins[i % 12] % 16 : most_bins[i % 12];
        Case *c = case_of_numbers(cases, counts[i] + uniform_int(rng, 0, 5), bins,
                                  spread * (offset - reach), spread * (offset + reach));
        fill_spread(fill(c, "x"), size_of(c, "count"), 1, rng, spread, offset);
    }
}

/* Whole and half widths, from below low to above high; everything is exact. */
static void draw_edges(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 10; i++) {
        int bins = 1 << i % 6;
        double width = pow(2, uniform_int(rng, -12, 12)), low = width * uniform_int(rng, -50, 20);
        Case *c = case_of_numbers(cases, uniform_int(rng, 10, 90), bins, low, low + width * bins);
        float *x = fill(c, "x");
        for (int k = 0; k < size_of(c, "count"); k++)
            x[k] = (float)(low + width / 2 * uniform_int(rng, -3, 2 * bins + 3));
    }
}

/* As far outside as floats go. */
static void draw_far_outside(Cases *cases, Rng *rng)
{
    static const double far[] = {INFINITY, 3e38, 1e30, 3e10, 1e5, 1e-30};
    for (int i = 0; i < 8; i++) {
        double half = uniform(rng, 0.5, 3);
        double low = -half * uniform(rng, 0.6, 0.9);
        int bins = uniform_int(rng, 2, 12), count = uniform_int(rng, 5, 60);
        Case *c = case_of_numbers(cases, count, bins, low, half);
        float *x = fill(c, "x");
        for (int k = 0; k < size_of(c, "count"); k++) {
            double size = uniform(rng, 0, 1) < 0.4 ? normal(rng) : far[uniform_int(rng, 0, 5)];
            x[k] = (float)(uniform(rng, 0, 1) < 0.3 ? -size : size);
        }
    }
}

static const Check checks[] = {
    {DEEP, DEEP " multiplies and takes tanh", .vectors = "plain"},
    {DEEP, DEEP " normalizes each row before tanh", .vectors = "normalized"},
    {DEEP, DEEP " hands every layer on to the next", .vectors = "deep"},
    {DEEP, DEEP " normalizes for any number but 0", .vectors = "any number"},
    {DEEP, DEEP " holds on rows far from zero", .vectors = "far from zero"},
    {DEEP, DEEP " holds on 24 networks drawn afresh", .draw = draw_networks},
    {SPREAD, SPREAD " gives the mean of each layer", .vectors = "layers", .only = "mean"},
    {SPREAD, SPREAD " gives the standard deviation of each layer", .vectors = "layers"},
    {SPREAD, SPREAD " is 0 where all numbers are equal", .vectors = "equal"},
    {SPREAD, SPREAD " holds on layers far from zero", .vectors = "layers far from zero"},
    {SPREAD, SPREAD " holds on 24 shapes drawn afresh", .draw = draw_layers},
    {HISTOGRAM, HISTOGRAM " gives each part its share", .vectors = "shares"},
    {HISTOGRAM, HISTOGRAM " counts what lies outside at the ends", .vectors = "outside"},
    {HISTOGRAM, HISTOGRAM " puts a number on an edge above it", .vectors = "edges",
     .draw = draw_edges},
    {HISTOGRAM, HISTOGRAM " counts numbers of any size, and infinities", .vectors = "far outside",
     .draw = draw_far_outside},
    {HISTOGRAM, HISTOGRAM " holds on 24 lists drawn afresh", .draw = draw_numbers},
    {0},
};

const Lesson lesson = {
    "Activations Seen",
    steps,
    checks,
    mistakes,
    .defaults = "layers=1 normalized=1 eps=1e-5 bins=4 low=-1 high=1",
    .flags = "normalized",
    .needs = "01",
    .learned = "what deep layers hold can be seen: a spread, a histogram.",
};
