/* What a copy is compiled behind in place of the system's headers, which the compiler of the trial
 * does not read: it opens no file. trial.c has the functions. */
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
#define NULL ((void *)0)
#define bool _Bool
#define true 1
#define false 0
#define restrict
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define LONG_MAX 9223372036854775807L
#define SIZE_MAX 18446744073709551615UL
#define FLT_EPSILON 1.19209290e-07f
#define FLT_MAX 3.40282347e+38f
#define FLT_MIN 1.17549435e-38f
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define HUGE_VAL (1e300 * 1e300)
#define HUGE_VALF (1e30f * 1e30f)
#define INFINITY HUGE_VALF
#define NAN (INFINITY - INFINITY)
#define M_PI 3.14159265358979323846
#define isnan(x) ((x) != (x))
#define isfinite(x) ((x) - (x) == 0)
#define isinf(x) (!isnan(x) && !isfinite(x))
#define signbit(x) (copysign(1.0, (x)) < 0)
#define assert(x) ((void)0)
#define stdout ((void *)0)
#define stderr ((void *)0)
extern int64_t __fuel;
extern int __chosen;
int __spent(void);
#define __FUEL (--__fuel > 0 || __spent())
#define __NAN_AT(node, of_zero) (__fuel = -1 - 2 * (node) - (of_zero), __spent())
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void exit(int);
void abort(void);
int printf(const char *, ...);
int fprintf(void *, const char *, ...);
int puts(const char *);
int putchar(int);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
int abs(int);
/* clang-format off */
#define ONE_(name) float name##f(float); double name(double);
#define TWO_(name) float name##f(float, float); double name(double, double);
ONE_(sqrt) ONE_(fabs) ONE_(exp) ONE_(exp2) ONE_(expm1) ONE_(log) ONE_(log2) ONE_(log1p) ONE_(log10)
ONE_(tanh) ONE_(sin) ONE_(cos) ONE_(tan) ONE_(atan) ONE_(cbrt) ONE_(floor) ONE_(ceil) ONE_(round)
ONE_(erf) ONE_(sinh) ONE_(cosh)
ONE_(trunc) ONE_(rint) ONE_(nearbyint) TWO_(fdim)
TWO_(pow) TWO_(fmax) TWO_(fmin) TWO_(fmod) TWO_(hypot) TWO_(copysign)
    /* clang-format on */
    float fmaf(float, float, float);
double fma(double, double, double);
float ldexpf(float, int);
double ldexp(double, int);
float frexpf(float, int *);
double frexp(double, int *);
long double sqrtl(long double), fabsl(long double), expl(long double), logl(long double);
long double powl(long double, long double);
