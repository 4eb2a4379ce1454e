/* Inputs: made by a lesson's draw functions or read from its vectors, looked up by the names in the
 * lesson's header. A name that the header doesn't have is an error of the lesson's author, found at
 * the first run: it ends the checker with a sentence. */
#include "run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void author_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "checker/lessons/%s: this lesson's checks are wrong: ", lesson_name);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    exit(3);
}

/* ---- random numbers: xoshiro256**, seeded by splitmix64 -----------------------------------------
 */
void rng_seed(Rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        rng->state[i] = z ^ z >> 31;
    }
}

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t next_random(Rng *rng)
{
    uint64_t *s = rng->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double uniform(Rng *rng, double low, double high)
{
    return low + (high - low) * (double)(next_random(rng) >> 11) / 9007199254740992.0; /* 2^53 */
}

int uniform_int(Rng *rng, int low, int high)
{
    return low + (int)(uniform(rng, 0, 1) * ((double)high - low + 1));
}

double normal(Rng *rng)
{
    double radius = sqrt(-2 * log(1 - uniform(rng, 0, 1)));
    return radius * cos(6.283185307179586 * uniform(rng, 0, 1));
}

/* ---- looking things up ---- */
static int find(const Case *c, const char *name, bool (*kind)(Role), const char *what)
{
    int p = param_index(c->function, name);
    if (p < 0 || !kind(c->function->params[p].role))
        author_error("%s has no %s called \"%s\"", c->function->name, what, name);
    return p;
}

static bool is_size(Role role)
{
    return role == SIZE;
}

static bool is_scalar(Role role)
{
    return role == SCALAR;
}

int size_of(const Case *c, const char *name)
{
    return c->sizes[find(c, name, is_size, "int")];
}

float scalar_of(const Case *c, const char *name)
{
    return c->scalars[find(c, name, is_scalar, "float")];
}

/* A size may be negative; an array then has no elements. */
int dimension(const Case *c, int param, int dim)
{
    const Dim *d = &c->function->params[param].dims[dim];
    int64_t length = 0;
    for (int t = 0; t < d->term_count; t++) {
        int64_t product = d->terms[t].number;
        for (int i = 0; i < d->terms[t].size_count; i++)
            product *= c->sizes[d->terms[t].sizes[i]];
        length += product;
    }
    if (length > INT32_MAX)
        author_error("%s of a case of %s is %" PRId64, d->text, c->function->name, length);
    return length > 0 ? (int)length : 0;
}

size_t case_length(const Case *c, int param)
{
    size_t length = c->null[param] ? 0 : 1;
    for (int d = 0; length && d < c->function->params[param].dim_count; d++)
        length *= (size_t)dimension(c, param, d);
    return length;
}

int last_dimension(const Case *c, int param)
{
    int count = c->function->params[param].dim_count;
    return count ? dimension(c, param, count - 1) : 1;
}

double value_at(const Param *param, const void *values, size_t i)
{
    return param->is_int ? ((const int *)values)[i] : (double)((const float *)values)[i];
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        author_error("out of memory");
    return memory;
}

Real *new_reals(int count)
{
    return allocate((size_t)count, sizeof(Real));
}

Real *as_reals(const float *values, int count)
{
    Real *reals = values ? new_reals(count) : NULL;
    for (int i = 0; values && i < count; i++)
        reals[i] = exact(values[i]);
    return reals;
}

_Static_assert(sizeof(int) == sizeof(float), "an array's bytes are counted without its type");

static int find_array(const Case *c, const char *name, bool is_int)
{
    int p = find(c, name, is_given, "input array");
    if (c->function->params[p].is_int != is_int)
        author_error("%s of %s holds %s", name, c->function->name, is_int ? "floats" : "ints");
    return p;
}

static void *to_be_filled(Case *c, int p)
{
    if (c->null[p])
        author_error("%s of %s is NULL", c->function->params[p].name, c->function->name);
    if (!c->given[p])
        c->given[p] = allocate(case_length(c, p), sizeof(float));
    return c->given[p];
}

float *fill(Case *c, const char *name)
{
    return to_be_filled(c, find_array(c, name, false));
}

int *fill_ints(Case *c, const char *name)
{
    return to_be_filled(c, find_array(c, name, true));
}

void set_null(Case *c, const char *name)
{
    int p = find(c, name, is_array, "array");
    if (!c->function->params[p].may_be_null)
        author_error("%s of %s is never NULL: the header does not say so", name, c->function->name);
    c->null[p] = true;
}

static const void *filled(const Case *c, int p)
{
    if (!c->given[p] && !c->null[p])
        author_error("%s of %s was never filled", c->function->params[p].name, c->function->name);
    return c->given[p];
}

const float *given(const Case *c, const char *name)
{
    return filled(c, find_array(c, name, false));
}

const int *given_ints(const Case *c, const char *name)
{
    return filled(c, find_array(c, name, true));
}

Real *wanted(Case *c, const char *name)
{
    int p = find(c, name, is_answer, "output");
    if (!c->wanted[p] && !c->null[p])
        c->wanted[p] = allocate(case_length(c, p), sizeof(Real));
    return c->wanted[p];
}

static void promise_nothing(Case *c)
{
    for (int p = 0; p < c->function->count; p++)
        for (size_t i = 0; is_answer(c->function->params[p].role) && i < case_length(c, p); i++)
            wanted(c, c->function->params[p].name)[i] = (Real){NAN, INFINITY};
}

void rule_out(Case *c, const char *why)
{
    promise_nothing(c);
    c->ruled_out = why;
}

static void keep_revealed(const Case *c, const char *name, const Real *values, int count, int row)
{
    struct Revealed *all = c->revealed;
    if (!all)
        return;
    all->cut = all->cut || count > MOST_REVEALED - all->count;
    for (int i = 0; i < count && !all->cut; i++, all->count++) {
        snprintf(all->items[all->count].name, NAME_SIZE, "%s", name);
        all->items[all->count].value = values[i].v;
        all->items[all->count].row = row;
    }
}

void reveal(const Case *c, const char *name, Real value)
{
    keep_revealed(c, name, &value, 1, 0);
}

void reveal_row(const Case *c, const char *name, const Real *values, int count)
{
    keep_revealed(c, name, values, count, count);
}

/* ---- making cases ---- */
Case *case_new(Cases *cases, const char *function)
{
    const Function *found = contract_find(cases->contract, function);
    if (!found)
        author_error("the header declares no function \"%s\"", function);
    if (cases->count == cases->room) {
        cases->room = cases->room ? 2 * cases->room : 32;
        cases->items = realloc(cases->items, (size_t)cases->room * sizeof *cases->items);
        if (!cases->items)
            author_error("out of memory");
    }
    Case *c = &cases->items[cases->count++];
    memset(c, 0, sizeof *c);
    c->function = found;
    return c;
}

size_t case_numbers(const Case *c)
{
    size_t count = 0;
    for (int p = 0; p < c->function->count; p++)
        count += is_array(c->function->params[p].role) ? case_length(c, p) : 1;
    return count;
}

bool takes(const Case *c, const char *name)
{
    return param_index(c->function, name) >= 0;
}

void set_size(Case *c, const char *name, int value)
{
    c->sizes[find(c, name, is_size, "int")] = value;
}

void set_scalar(Case *c, const char *name, float value)
{
    c->scalars[find(c, name, is_scalar, "float")] = value;
}

void case_label(Case *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->label, sizeof c->label, format, args);
    va_end(args);
}

/* Two numbers that chance made all but equal, far from zero, would be more than float32 can tell
 * apart, and no answer could be right. So they are drawn again. */
void fill_spread(float *values, int count, int step, Rng *rng, double spread, double offset)
{
    const double least_variance = 0.1; /* of those drawn with a spread of 1 */
    double sum, squares;
    do {
        sum = squares = 0;
        for (int i = 0; i < count; i++) {
            double drawn = normal(rng);
            values[i * step] = (float)(spread * (offset + drawn));
            sum += drawn;
            squares += drawn * drawn;
        }
    } while (count > 1 && squares / count - sum * sum / count / count < least_variance);
}

void fill_rows(Case *c, const char *name, Rng *rng, double spread, double offset)
{
    float *values = fill(c, name);
    int p = find(c, name, is_given, "input array");
    size_t count = case_length(c, p), length = (size_t)last_dimension(c, p);
    for (size_t i = 0; i < count; i += length) { /* no row can borrow another's statistics */
        double row_spread = spread * uniform(rng, 0.6, 1.5);
        fill_spread(values + i, (int)length, 1, rng, row_spread, offset);
    }
}

/* 0.3 to 0.8 or 1.25 to 2.5, of either sign: a factor that is dropped, doubled or moved shows. */
static float factor(Rng *rng)
{
    double size = uniform(rng, 0, 1) < 0.5 ? uniform(rng, 0.3, 0.8) : uniform(rng, 1.25, 2.5);
    return (float)(uniform(rng, 0, 1) < 0.5 ? -size : size);
}

void fill_rest(Case *c, Rng *rng)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        if (!is_given(param->role) || c->given[p] || c->null[p])
            continue;
        if (param->is_int)
            author_error("%s of %s holds ints: fill_ints() them", param->name, c->function->name);
        float *values = fill(c, param->name);
        bool factors = !strcmp(param->name, "gamma");
        for (size_t i = 0, count = case_length(c, p); i < count; i++)
            values[i] = factors ? factor(rng) : (float)normal(rng);
    }
}

Shape odd_shape(Rng *rng, int index)
{
    static const int sizes[SHAPES][2] = {
        {3, 5},  {1, 7},    {2, 3},    {7, 4},   {1, 1},  {5, 1},   {4, 13},  {13, 2},
        {2, 14}, {1, 31},   {6, 6},    {11, 11}, {2, 64}, {1, 127}, {29, 3},  {5, 8},
        {2, 53}, {1, 4100}, {1, 1000}, {3, 997}, {98, 2}, {4, 256}, {17, 23}, {2, 4100}};
    static const int more[SHAPES][2] = {
        [8] = {5, 20}, [17] = {0, 1900}, [20] = {202, 3}, [23] = {0, 400}};
    static const float epsilons[] = {1e-5f, 1e-3f, 1e-6f};
    static const double spreads[] = {1, 0.01, 100, 0.1, 10, 0.03, 3};
    static const double offsets[] = {0, 0.5, -3, 0, 1000, 10, -100, 0, -0.3};
    int rows = sizes[index][0] + uniform_int(rng, 0, more[index][0]);
    int features = sizes[index][1] + uniform_int(rng, 0, more[index][1]);
    /* 29 x 3: so large that no smaller one stands in for it */
    double drawn_eps = index == 14 ? uniform(rng, 0.25, 2) : pow(10, uniform(rng, -6, -0.5));
    Shape shape = {rows, features, spreads[index % 7], offsets[index % 9], epsilons[index % 3]};
    if (index % 8 == 3) /* 7 x 4, 11 x 11, 3 x 997 */
        shape.eps = 0;
    if (index % 8 == 6)
        shape.eps = (float)drawn_eps;
    if (shape.rows == 1 || shape.features == 1) /* what has no spread leaves but rounding */
        shape.offset = fmin(shape.offset, 10);
    if (shape.features > 64 &&
        fabs(shape.offset) > 10) /* what float32 can still tell apart there */
        shape.offset /= 10;
    return shape;
}

Case *case_of_shape(Cases *cases, Rng *rng, const char *function, int index)
{
    Shape shape = odd_shape(rng, index);
    Case *c = case_new(cases, function);
    if (takes(c, "rows"))
        set_size(c, "rows", shape.rows);
    if (takes(c, "features"))
        set_size(c, "features", shape.features);
    if (takes(c, "eps"))
        set_scalar(c, "eps", shape.eps);
    if (takes(c, "x"))
        fill_rows(c, "x", rng, shape.spread, shape.offset);
    case_label(c, "%d x %d", shape.rows, shape.features);
    return c;
}

void cases_free(Cases *cases)
{
    for (int i = 0; i < cases->count; i++)
        for (int p = 0; p < MAX_PARAMS; p++) {
            free(cases->items[i].given[p]);
            free(cases->items[i].wanted[p]);
            free(cases->items[i].truth[p]);
        }
    free(cases->items);
    *cases = (Cases){.contract = cases->contract};
}
