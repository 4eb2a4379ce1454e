/* What a learner's text finds in place of the standard headers, beside box/trial_prelude.h:
 * library.c has the functions. */
typedef struct FILE FILE;
#undef assert
#define assert(x) ((x) ? (void)0 : abort())
#define offsetof(type, member) ((size_t) & ((type *)0)->member)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define UINT_MAX 4294967295u
#define LONG_MIN (-LONG_MAX - 1)
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT32_MAX UINT_MAX
#define CHAR_BIT 8
#define FLT_DIG 6
#define DBL_DIG 15
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
#define M_E 2.71828182845904523536
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define M_LN2 0.69314718055994530942
#define static_assert _Static_assert
FILE *fopen(const char *, const char *);
int system(const char *);
void _exit(int);
int snprintf(char *, size_t, const char *, ...);
int fputs(const char *, void *);
int fputc(int, void *);
int putc(int, void *);
int fflush(void *);
void *aligned_alloc(size_t, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
char *strcpy(char *, const char *);
long labs(long);
long long llabs(long long);
long lrintf(float), lrint(double), lroundf(float), lround(double);
float asinf(float), acosf(float), asinhf(float), acoshf(float), atanhf(float), erfcf(float);
double asin(double), acos(double), asinh(double), acosh(double), atanh(double), erfc(double);
float tgammaf(float), lgammaf(float), atan2f(float, float), remainderf(float, float);
double tgamma(double), lgamma(double), atan2(double, double), remainder(double, double);
float nextafterf(float, float);
double nextafter(double, double);
