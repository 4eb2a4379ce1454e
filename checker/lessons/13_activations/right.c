/* Right answers for lesson 13 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double throughout ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    double a[features];
    for (int l = 0; l < layers; l++) {
        const float *from = l == 0 ? x : h + (l - 1) * rows * features;
        for (int r = 0; r < rows; r++) {
            double mean = 0, variance = 0;
            for (int j = 0; j < features; j++) {
                a[j] = 0;
                for (int k = 0; k < features; k++)
                    a[j] += (double)w[(l * features + j) * features + k] * from[r * features + k];
                mean += a[j] / features;
            }
            for (int j = 0; j < features; j++)
                variance += (a[j] - mean) * (a[j] - mean) / features;
            for (int j = 0; j < features; j++)
                h[(l * rows + r) * features + j] =
                    tanh(normalized != 0 ? (a[j] - mean) / sqrt(variance + eps) : a[j]);
        }
    }
}

void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    long n = (long)rows * features;
    for (int l = 0; l < layers; l++) {
        double m = 0, s = 0;
        for (long i = l * n; i < (l + 1) * n; i++)
            m += h[i];
        m /= n;
        for (long i = l * n; i < (l + 1) * n; i++)
            s += (h[i] - m) * (h[i] - m);
        mean[l] = m;
        spread[l] = sqrt(s / n);
    }
}

void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    double width = ((double)high - low) / bins;
    for (int b = 0; b < bins; b++)
        share[b] = 0;
    for (int i = 0; i < count; i++) {
        double place = floor(((double)x[i] - low) / width);
        int b = place < 0 ? 0 : place > bins - 1 ? bins - 1 : (int)place;
        share[b]++;
    }
    for (int b = 0; b < bins; b++)
        share[b] /= count;
}

/* ---- style: Welford, tanh by exp, edges that are added up ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    for (int l = 0; l < layers; l++) {
        float *out = h + (size_t)l * rows * features;
        for (int r = 0; r < rows; r++) {
            float *a = out + r * features, mean = 0, m2 = 0;
            for (int j = 0; j < features; j++) {
                a[j] = 0;
                for (int k = features - 1; k >= 0; k--)
                    a[j] += x[r * features + k] * w[j * features + k];
                float distance = a[j] - mean;
                mean += distance / (j + 1);
                m2 += distance * (a[j] - mean);
            }
            float spread = sqrtf(m2 / features + eps);
            for (int j = 0; j < features; j++) {
                if (normalized)
                    a[j] = (a[j] - mean) / spread;
                a[j] = 1 - 2 / (expf(2 * a[j]) + 1);
            }
        }
        x = out;
        w += features * features;
    }
}

void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    for (int l = 0; l < layers; l++) {
        float m = 0, m2 = 0;
        for (int i = 1; i <= rows * features; i++, h++) {
            float distance = *h - m;
            m += distance / i;
            m2 += distance * (*h - m);
        }
        mean[l] = m;
        spread[l] = sqrtf(m2 / (rows * features));
    }
}

void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    float width = (high - low) / bins;
    for (int b = 0; b < bins; b++)
        share[b] = 0;
    for (int i = 0; i < count; i++) {
        int b = 0;
        for (float edge = low + width; b < bins - 1 && x[i] >= edge; edge += width)
            b++;
        share[b] += 1.0f / count;
    }
}

/* ---- style: fast, each weight read once for several rows; one multiplication for a place ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    size_t n = features;
    float *turned = malloc(n * n * sizeof *turned);
    for (int l = 0; l < layers; l++) {
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                turned[k * n + j] = w[j * n + k];
        for (int r = 0; r < rows; r++) {
            float *restrict a = h + r * n;
            memset(a, 0, n * sizeof *a);
            for (size_t k = 0; k < n; k++)
                for (size_t j = 0; j < n; j++)
                    a[j] += x[r * n + k] * turned[k * n + j];
            float sum = 0, squares = 0, rstd = 1, mean = 0;
            if (normalized) {
                for (size_t j = 0; j < n; j++)
                    sum += a[j];
                mean = sum / n;
                for (size_t j = 0; j < n; j++)
                    squares += (a[j] - mean) * (a[j] - mean);
                rstd = 1 / sqrtf(squares / n + eps);
            }
            for (size_t j = 0; j < n; j++)
                a[j] = tanhf((a[j] - mean) * rstd);
        }
        x = h;
        h += rows * n;
        w += n * n;
    }
    free(turned);
}

void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    int n = rows * features;
    for (int l = 0; l < layers; l++, h += n) {
        float sum = 0, squares = 0, shift = h[0];
        for (int i = 0; i < n; i++) {
            float distance = h[i] - shift;
            sum += distance;
            squares += distance * distance;
        }
        float aside = sum / n, variance = squares / n - aside * aside;
        mean[l] = shift + aside;
        spread[l] = sqrtf(variance > 0 ? variance : 0);
    }
}

void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    int *counted = calloc(bins, sizeof *counted);
    float by = bins / (high - low), last = bins - 1;
    for (int i = 0; i < count; i++)
        counted[(int)fminf(fmaxf((x[i] - low) * by, 0), last)]++;
    for (int b = 0; b < bins; b++)
        share[b] = (float)counted[b] / count;
    free(counted);
}

/* ---- style: a function for each thing ---- */
static float dot(const float *a, const float *b, int n)
{
    return n == 0   ? 0
           : n == 1 ? a[0] * b[0]
                    : dot(a, b, n / 2) + dot(a + n / 2, b + n / 2, n - n / 2);
}

static float mean_of(const float *a, int n)
{
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[j] / n;
    return sum;
}

static float spread_of(const float *a, int n, float mean, float eps)
{
    float sum = eps;
    for (int j = 0; j < n; j++)
        sum += (a[j] - mean) * (a[j] - mean) / n;
    return sqrtf(sum);
}

static void one_row(float *to, const float *from, const float *w, int n, int normalized, float eps)
{
    for (int j = 0; j < n; j++)
        to[j] = dot(w + j * n, from, n);
    float mean = mean_of(to, n), spread = spread_of(to, n, mean, eps);
    for (int j = 0; j < n; j++)
        to[j] = normalized ? tanhf((to[j] - mean) / spread) : tanhf(to[j]);
}

void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    int n = features;
    for (int r = 0; r < rows; r++) /* one row through all the layers, then the next */
        for (int l = 0; l < layers; l++)
            one_row(h + (l * rows + r) * n, l ? h + ((l - 1) * rows + r) * n : x + r * n,
                    w + l * n * n, n, normalized, eps);
}

void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    int n = rows * features;
    for (int l = 0; l < layers; l++) {
        mean[l] = mean_of(h + l * n, n);
        spread[l] = spread_of(h + l * n, n, mean[l], 0);
    }
}

static float edge(int b, int bins, float low, float high)
{
    return low + b * ((high - low) / bins);
}

void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    for (int b = 0; b < bins; b++) { /* each part looks for its own */
        int own = 0;
        for (int i = 0; i < count; i++) {
            int above = b == 0 || x[i] >= edge(b, bins, low, high);
            int below = b == bins - 1 || x[i] < edge(b + 1, bins, low, high);
            own += above && below;
        }
        share[b] = (float)own / (float)count;
    }
}

/* ---- style: sums that go on from row to row ---- */
void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    for (int l = 0; l < layers; l++) {
        float m = 0, v = 0; /* of the rows so far */
        for (int r = 0; r < rows; r++, h += features) {
            float own = 0, squares = 0;
            for (int j = 0; j < features; j++)
                own += h[j];
            own /= features;
            for (int j = 0; j < features; j++)
                squares += (h[j] - own) * (h[j] - own);
            float part = 1.0f / (r + 1), apart = own - m;
            m += apart * part;
            v = v * (1 - part) + squares / features * part + apart * apart * part * (1 - part);
        }
        mean[l] = m;
        spread[l] = sqrtf(v);
    }
}

void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    for (int b = 0; b < bins; b++)
        share[b] = 0;
    for (int i = 0; i < count; i++) {
        if (x[i] < low)
            share[0]++;
        else if (x[i] >= high)
            share[bins - 1]++;
        else {
            int b = (x[i] - low) * bins / (high - low);
            share[b < bins ? b : bins - 1]++;
        }
    }
    for (int b = 0; b < bins; b++)
        share[b] *= 1.0f / count;
}

/* ---- style: the layer written in place of the norm's own loop; a search by halves ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    int size = rows * features;
    for (int i = 0; i < layers * size; i++) {
        int l = i / size, j = i % features;
        const float *in = (l ? h + (l - 1) * size : x) + i % size / features * features;
        const float *row = w + (l * features + j) * features;
        float sum = 0;
        for (int k = 0; k < features; k++)
            sum += row[k] * in[k];
        h[i] = sum;
        if (j < features - 1)
            continue;
        float *a = h + i - j, mean = 0, variance = 0; /* the row is whole */
        for (int k = 0; k < features; k++)
            mean += a[k];
        mean /= features;
        for (int k = 0; k < features; k++)
            variance += powf(a[k] - mean, 2);
        variance /= features;
        for (int k = 0; k < features; k++)
            a[k] = tanhf(normalized ? (a[k] - mean) / sqrtf(variance + eps) : a[k]);
    }
}

void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    float width = (high - low) / bins;
    int held[bins];
    memset(held, 0, sizeof held);
    for (int i = 0; i < count; i++) {
        int from = 0, to = bins - 1;
        while (from < to) {
            int half = (from + to + 1) / 2;
            if (x[i] >= low + width * half)
                from = half;
            else
                to = half - 1;
        }
        held[from]++;
    }
    for (int b = 0; b < bins; b++)
        share[b] = held[b] / (float)count;
}

/* ---- style: clamp first ---- */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    memset(share, 0, bins * sizeof *share);
    for (int i = 0; i < count; i++) {
        float inside = x[i] < low ? low : x[i] > high ? high : x[i];
        long b = lround(floor(bins * (double)((inside - low) / (high - low))));
        if (b == bins)
            b--;
        share[b] += 1;
    }
    for (int b = 0; b < bins; b++)
        share[b] = share[b] / count;
}
