/* A lab's numbers: their spread over the seeds, a table of them, and all of them as a file. The
 * invariant: a number that is shown is one that was measured, or the mean, the lowest or the
 * highest over all seeds; and a file that is there is whole. */
#include "labs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int curve_count(const LabExperiment *experiment)
{
    int count = 0;
    while (experiment->curves[count].name)
        count++;
    return count;
}

int value_count(const LabExperiment *experiment)
{
    int count = 0;
    while (experiment->values[count].name)
        count++;
    return count;
}

void curve_name(const LabExperiment *experiment, int curve, char *name, size_t size)
{
    size_t length = 0;
    for (const char *c = experiment->curves[curve].name; *c && length + 1 < size; c++)
        if (*c != ' ' || (length > 0 && name[length - 1] != ' '))
            name[length++] = *c;
    name[length] = '\0';
}

bool values_fit(const LabExperiment *experiment, const double *values)
{
    for (int v = 0; v < value_count(experiment); v++)
        if (values[v] < experiment->values[v].low || values[v] > experiment->values[v].high)
            return false;
    return true;
}

double x_of(const LabExperiment *experiment, int point)
{
    return experiment->x ? experiment->x(point) : point;
}

static size_t results_length(const LabExperiment *experiment)
{
    return (size_t)curve_count(experiment) * (size_t)experiment->seeds *
           (size_t)experiment->points * (size_t)value_count(experiment);
}

void results_make(LabResults *results, const LabExperiment *experiment, uint64_t seed)
{
    results->experiment = experiment;
    results->seed = seed;
    results->numbers = calloc(results_length(experiment) + 1, sizeof *results->numbers);
    if (!results->numbers)
        author_error("there is no memory for the lab's numbers");
}

double lab_number(const LabResults *results, int curve, int seed, int point, int value)
{
    const LabExperiment *e = results->experiment;
    size_t run = (size_t)(curve * e->seeds + seed);
    return results->numbers[(run * (size_t)e->points + (size_t)point) * (size_t)value_count(e) +
                            (size_t)value];
}

LabSpread lab_spread(const LabResults *results, int curve, int point, int value)
{
    LabSpread spread = {0, INFINITY, -INFINITY};
    for (int s = 0; s < results->experiment->seeds; s++) {
        double v = lab_number(results, curve, s, point, value);
        spread.mean += v / results->experiment->seeds;
        spread.low = fmin(spread.low, v);
        spread.high = fmax(spread.high, v);
    }
    return spread;
}

/* ---- a table ---- */
int lab_names_width(const LabExperiment *experiment)
{
    size_t width = 0;
    for (const LabCurve *curve = experiment->curves; curve->name; curve++)
        width = strlen(curve->name) > width ? strlen(curve->name) : width;
    return (int)width + 2;
}

void lab_table(FILE *out, const LabResults *results, const LabTable *t)
{
    const LabExperiment *e = results->experiment;
    int count = t->points ? t->count : e->points, heading = (int)strlen(t->heading);
    int names = lab_names_width(e) > heading ? lab_names_width(e) : heading;
    fprintf(out, "%-*s", names, t->heading);
    for (int i = 0; i < count; i++)
        fprintf(out, "%*.6g", t->width, x_of(e, t->points ? t->points[i] : i));
    fprintf(out, "  %s\n", t->unit);
    for (int curve = 0; e->curves[curve].name; curve++) {
        fprintf(out, "  %-*s", names - 2, e->curves[curve].name);
        for (int i = 0; i < count; i++) {
            double mean = lab_spread(results, curve, t->points ? t->points[i] : i, t->value).mean;
            if (t->scientific)
                fprintf(out, "%*.*e", t->width, t->decimals, mean);
            else
                fprintf(out, "%*.*f", t->width, t->decimals, mean);
        }
        fputc('\n', out);
    }
}

/* ---- a file ---- */
/* Puts ".workbook/lab/05_batch_norm_NAME_MORE" together; either may be NULL. Caller frees. */
static char *lab_file(const LabExperiment *experiment, const char *more, const char *ending)
{
    const char *name = experiment->name;
    mkdir(".workbook", 0777);
    mkdir(LAB_FOLDER, 0777);
    return format_text(LAB_FOLDER "/%s%s%s%s%s%s", lesson_name, name ? "_" : "", name ? name : "",
                       more ? "_" : "", more ? more : "", ending);
}

/* As RFC 4180 has it: a curve's name may hold commas. Nine digits tell any two floats apart. */
static void write_numbers(FILE *out, const LabResults *results, const LabPicture *none)
{
    (void)none;
    const LabExperiment *e = results->experiment;
    fprintf(out, "curve,seed,%s", e->x_name);
    for (const LabValue *value = e->values; value->name; value++)
        fprintf(out, ",%s", value->name);
    fputc('\n', out);
    for (int curve = 0; e->curves[curve].name; curve++) {
        char name[NAME_SIZE];
        curve_name(e, curve, name, sizeof name);
        for (int s = 0; s < e->seeds; s++)
            for (int point = 0; point < e->points; point++) {
                fprintf(out, "\"%s\",%llu,%.9g", name,
                        (unsigned long long)results->seed + (unsigned)s, x_of(e, point));
                for (int v = 0; v < value_count(e); v++)
                    fprintf(out, ",%.9g", lab_number(results, curve, s, point, v));
                fputc('\n', out);
            }
    }
}

bool write_whole(const LabResults *results, const LabPicture *picture, const char *ending,
                 LabWrite *write, char **path)
{
    *path = lab_file(results->experiment, picture ? picture->name : NULL, ending);
    char *new = format_text("%s.new", *path);
    FILE *file = fopen(new, "w");
    if (file)
        write(file, results, picture);
    bool good = file && !ferror(file);
    good = file && fclose(file) == 0 && good && rename(new, *path) == 0;
    int reason = errno;
    free(new);
    errno = reason;
    return good;
}

void keep_first(char **first, bool written, char *path)
{
    if (written && !*first)
        *first = path;
    else
        free(path);
}

bool save_numbers(const LabResults *results)
{
    char *path;
    bool good = write_whole(results, NULL, ".csv", write_numbers, &path);
    if (good)
        printf("All the numbers: %s\n", path);
    else
        fprintf(stderr, "\nThe numbers could not be written to %s: %s\n", path, strerror(errno));
    free(path);
    return good;
}
