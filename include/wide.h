/* Many floats at a time, for those who want to be fast: a Floats holds WIDE of them, and + - * /
 * work on all. What C has no word for is here, for AVX-512, AVX2 and NEON; elsewhere a Floats is a
 * float, and the same code is plain C. Nothing here needs a place that is aligned. */
#ifndef WIDE_H
#define WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __AVX512F__
#include <immintrin.h>
#define WIDE 16
#elif defined __AVX2__
#include <immintrin.h>
#define WIDE 8
#elif defined __ARM_NEON && defined __aarch64__
#include <arm_neon.h>
#define WIDE 4
#else
#define WIDE 1
#endif

#if WIDE > 1
typedef float Floats __attribute__((vector_size(WIDE * sizeof(float))));
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
typedef float Floats;
#define ALWAYS_INLINE static inline
#endif

/* `value` in all places. */
ALWAYS_INLINE Floats all(float value)
{
    return value - (Floats){0};
}

/* ---- memory ---- */
/* Is an output so large that writing it drives from the cache what is still to be read? 8 MB do.
 * Such a one is written past the cache, in fours, for which its rows have to lie right. */
ALWAYS_INLINE bool is_far(const float *out, int rows, int features)
{
    return (size_t)rows * (size_t)features >= 2 << 20 && features % 4 == 0 &&
           (uintptr_t)out % (4 * sizeof(float)) == 0;
}

#if WIDE > 4
ALWAYS_INLINE void stream(float *to, Floats v)
{
#ifdef __AVX512F__
    __m512 all = (__m512)v;
    if ((uintptr_t)to % sizeof v == 0) {
        _mm512_stream_ps(to, all);
        return;
    }
    _mm_stream_ps(to, _mm512_castps512_ps128(all));
    _mm_stream_ps(to + 4, _mm512_extractf32x4_ps(all, 1));
    _mm_stream_ps(to + 8, _mm512_extractf32x4_ps(all, 2));
    _mm_stream_ps(to + 12, _mm512_extractf32x4_ps(all, 3));
#else
    _mm_stream_ps(to, _mm256_castps256_ps128((__m256)v));
    _mm_stream_ps(to + 4, _mm256_extractf128_ps((__m256)v, 1));
#endif
}
#endif

/* from[0] to from[count - 1], or the first WIDE of them; `rest` in the places behind. */
ALWAYS_INLINE Floats load_or(const float *from, int count, Floats rest)
{
    Floats v = rest;
    if (count >= WIDE)
        memcpy(&v, from, sizeof v);
    else if (count > 0)
        memcpy(&v, from, (size_t)count * sizeof(float));
    return v;
}

ALWAYS_INLINE Floats load(const float *from, int count)
{
    return load_or(from, count, all(0));
}

/* The first `count` of v, or all. `far`, those that are whole: past the cache, where that can be.
 */
ALWAYS_INLINE void store(float *to, int count, Floats v, bool far)
{
#if WIDE > 4
    if (far && count >= WIDE) {
        stream(to, v);
        return;
    }
#endif
    (void)far;
    if (count >= WIDE)
        memcpy(to, &v, sizeof v);
    else if (count > 0)
        memcpy(to, &v, (size_t)count * sizeof(float));
}

/* Behind the last store: what went past the cache has come to memory before anything else does. */
ALWAYS_INLINE void settle(bool far)
{
#if WIDE > 4
    if (far)
        _mm_sfence();
#endif
    (void)far;
}

/* Asks for what lies 16 KB behind `from`, where memory is waited for. It may be nobody's. */
ALWAYS_INLINE void ahead(const float *from, bool far)
{
#if WIDE > 1
    if (far)
        __builtin_prefetch(from + 4096);
#endif
    (void)from, (void)far;
}

ALWAYS_INLINE Floats root(Floats v)
{
#if defined __AVX512F__
    return (Floats)_mm512_sqrt_ps((__m512)v);
#elif defined __AVX2__
    return (Floats)_mm256_sqrt_ps((__m256)v);
#elif WIDE > 1
    return (Floats)vsqrtq_f32((float32x4_t)v);
#else
    return sqrtf(v);
#endif
}

/* What is in the first place, where all hold the same. */
ALWAYS_INLINE float one(Floats v)
{
    float first;
    memcpy(&first, &v, sizeof first);
    return first;
}

/* The sum of all places. */
ALWAYS_INLINE float total(Floats v)
{
    float lane[16] = {0};
    memcpy(lane, &v, sizeof v);
    for (int i = 0; i < 8; i++)
        lane[i] += lane[i + 8];
    for (int i = 0; i < 4; i++)
        lane[i] += lane[i + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* ---- WIDE short rows, each in a place of its own: places[j][r] = rows[r][j], and back ---- */
enum { SHORT = 8 };
typedef float Places[SHORT][WIDE];

ALWAYS_INLINE void turn(Places places, const float *rows)
{
    for (int r = 0; r < WIDE; r++)
        for (int j = 0; j < SHORT; j++)
            places[j][r] = rows[r * SHORT + j];
}

ALWAYS_INLINE void turn_back(float *rows, Places places)
{
    for (int r = 0; r < WIDE; r++)
        for (int j = 0; j < SHORT; j++)
            rows[r * SHORT + j] = places[j][r];
}

/* From its sums in the places, the average of a row of n; or, `apart`, of each of WIDE such rows.
 */
ALWAYS_INLINE Floats average(Floats sums, int n, bool apart)
{
    return apart ? sums / (float)(n / WIDE) : all(total(sums) / (float)n);
}

/* What all the rows have in common. */
ALWAYS_INLINE void turn_one(Places places, const float *row)
{
    for (int j = 0; j < SHORT; j++)
        store(places[j], WIDE, all(row[j]), false);
}

/* Of each number its sum over the rows. */
ALWAYS_INLINE void total_each(float *row, Places places)
{
    for (int j = 0; j < SHORT; j++)
        row[j] = total(load(places[j], WIDE));
}

#endif
