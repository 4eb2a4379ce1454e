/* `try 10 50 20`: the learner's functions on numbers that the learner types, beside the
 * reference's.
 *
 * The lesson's steps are called in order. What an earlier one gives (the reference's numbers, so
 * that one error does not spread) is known to the later ones by its name; so are the lesson's
 * defaults. A function over one row is called once for each row. Nothing here knows any lesson. */
#include "formulas.h"
#include "try.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what to type ---- */
enum { MOST_TOLD = 64 }; /* numbers in the line */

static char *joined_with(char *text, char *more)
{
    char *longer = format_text("%s %s", text, more);
    free(text);
    free(more);
    return longer;
}

/* "gamma=1 2 3"; one number where they are all the same, and the sizes are told elsewhere. */
static char *typed(const Case *c, int p, bool shortened)
{
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p), width = (size_t)last_dimension(c, p);
    bool same = shortened;
    for (size_t i = 1; i < length; i++)
        same = same && value_at(param, c->given[p], i) == value_at(param, c->given[p], 0);
    bool is_x = !strcmp(param->name, "x");
    char *text = format_text("%s%s", is_x ? "" : param->name, is_x ? "" : "=");
    for (size_t i = 0; i < (same ? 1 : length); i++) {
        char *longer = format_text("%s%s%.6g", text,
                                   !i          ? ""
                                   : i % width ? " "
                                               : "; ",
                                   value_at(param, c->given[p], i));
        free(text);
        text = longer;
    }
    return text;
}

static bool is_default(const char *name, double value)
{
    KnownList list = {0};
    char error[256];
    bool same = false;
    if (lesson.defaults && known_parse(&list, lesson.defaults, "x", error, sizeof error)) {
        const Known *known = known_find(&list, name);
        same =
            known && known->rows * known->columns == 1 && (float)known->values[0] == (float)value;
    }
    known_free(&list);
    return same;
}

static bool is_default_array(const Case *c, int p)
{
    const Param *param = &c->function->params[p];
    bool all = true;
    for (size_t i = 0; i < case_length(c, p); i++)
        all = all && is_default(param->name, value_at(param, c->given[p], i));
    return all;
}

/* Is that size the length of a dimension of x? */
static bool told_by_x(const Case *c, int size)
{
    int x = param_index(c->function, "x");
    for (int d = 0; x >= 0 && d < c->function->params[x].dim_count; d++)
        if (!strcmp(c->function->params[x].dims[d].text, c->function->params[size].name))
            return c->function->params[x].dim_count <= 2;
    return false;
}

/* Does an array's shape name that size? */
static bool told_by_arrays(const Function *function, int size)
{
    for (int p = 0; p < function->count; p++)
        for (int d = 0; d < function->params[p].dim_count; d++)
            if (is_given(function->params[p].role) &&
                !strcmp(function->params[p].dims[d].text, function->params[size].name))
                return true;
    return false;
}

char *call_to_try(const Case *c)
{
    const Function *function = c->function;
    int x = param_index(function, "x");
    char *text = format_text("try %s", function->name);
    if (x >= 0 && is_given(function->params[x].role))
        text = joined_with(text, typed(c, x, false));
    for (int p = 0; p < function->count; p++) {
        const Param *param = &function->params[p];
        if (is_given(param->role) && p != x && !c->null[p] && case_length(c, p) &&
            !is_default_array(c, p))
            text = joined_with(text, typed(c, p, true));
        if (param->role == SCALAR && !is_default(param->name, (double)c->scalars[p]))
            text = joined_with(text, format_text("%s=%.6g", param->name, (double)c->scalars[p]));
        if (param->role == SIZE && !told_by_x(c, p))
            text = joined_with(text, format_text("%s=%d", param->name, c->sizes[p]));
    }
    return text;
}

/* With all its numbers, where they are few. NULL: they are many. */
static char *short_call(const Case *c)
{
    const Function *function = c->function;
    int x = param_index(function, "x");
    size_t numbers = 0;
    for (int p = 0; p < function->count; p++)
        numbers += is_given(function->params[p].role) && !c->null[p] ? case_length(c, p) : 0;
    if (lesson_step(function->name)->calls || x < 0 || !is_array(function->params[x].role) ||
        !numbers || numbers > MOST_TOLD || c->null[x])
        return NULL;
    char *text = call_to_try(c);
    if (strlen(text) <= 72)
        return text;
    free(text);
    return NULL;
}

/* By its own name or by the learner's function that it calls. */
static bool is_named(const Step *step, const char *name)
{
    return step->function &&
           (!strcmp(step->function, name) || !strcmp(learners_function(step->function), name));
}

/* The first; NULL: that is no function's name. */
static const Step *step_named(const char *name)
{
    const Step *step = lesson.steps;
    while (step->function && !is_named(step, name))
        step++;
    return step->function ? step : NULL;
}

char *line_to_try(const Case *c)
{
    const char *function = c->function->name, *learners = learners_function(function);
    char *text = short_call(c), *changed = text ? NULL : changed_example(c);
    if (step_named(learners) == lesson_step(function))
        function = learners;
    if (changed && strlen(function) + strlen(changed) <= 68)
        text = format_text("try %s%s", function, changed);
    free(changed);
    return text;
}

/* ---- what is shown ---- */
static void print_row(const char *name, const char *whose, const char *mark)
{
    printf("  %-18s %-10s%s", name, whose, mark);
}

static void print_numbers(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf(" %10.6g", isnan(values[i]) ? fabs(values[i]) : values[i] == 0 ? 0 : values[i]);
    putchar('\n');
}

typedef enum { RIGHT_ROW, WRONG_ROW, NO_FLOAT } Mark;

/* A row beside the reference's. Where that is no number, yours is none either; and nobody can be
 * wrong to have none where no float is large enough, there or on the way. */
static Mark mark_of(const Try *t, const double *yours, const Real *wanted, const float *left,
                    size_t count, bool is_int)
{
    Mark mark = RIGHT_ROW;
    for (size_t k = 0; k < count; k++) {
        bool written = left && (is_int || !is_unwritten(left[k]));
        bool none = isnan(wanted[k].v), too_large = fabs(wanted[k].v) > FLT_MAX;
        bool lost = !none && !isfinite(yours[k]) && (t->too_large || !isfinite(wanted[k].e));
        if (!written ||
            (!too_large && !lost && !(none ? isnan(yours[k]) : meets(yours[k], wanted[k]))))
            return WRONG_ROW;
        mark = too_large || lost ? NO_FLOAT : mark;
    }
    return mark;
}

/* `row`: which of several calls this is; -1 when it is the only one. */
static void print_output(Try *t, const Step *step, const Case *c, const Answer *answer, int p,
                         int row)
{
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p), width = (size_t)last_dimension(c, p);
    double *numeric = numeric_gradient(t, c, p), *yours = calloc(length + 1, sizeof *yours),
           *reference = calloc(length + 1, sizeof *reference);
    const char *base = param->role != RETURNED ? param->name
                       : step->result          ? step->result
                                               : learners_function(step->function);
    for (size_t i = 0; yours && reference && i < length; i++) {
        yours[i] = answer->left[p] ? value_at(param, answer->left[p], i) : NAN;
        reference[i] = c->wanted[p][i].v;
    }
    for (size_t i = 0; i < length; i += width) {
        char name[2 * NAME_SIZE];
        snprintf(name, sizeof name, "%s", base);
        if (param->dim_count > 1 && length > width)
            snprintf(name, sizeof name, "%s[%zu]", base, i / width);
        if (row >= 0)
            snprintf(name, sizeof name, "%s[%d]", base, row);
        const float *left = answer->left[p];
        Mark mark =
            mark_of(t, yours + i, c->wanted[p] + i, left ? left + i : NULL, width, param->is_int);
        t->wrong += mark == WRONG_ROW;
        if (answer->ending == ANSWERED) {
            print_row(name, "yours",
                      mark == RIGHT_ROW   ? mark_pass()
                      : mark == WRONG_ROW ? mark_fail()
                                          : "  ");
            if (!param->is_int && is_unwritten(answer->left[p][i]))
                puts(" not written");
            else
                print_numbers(yours + i, width);
        }
        print_row(answer->ending == ANSWERED ? "" : name, "reference", "  ");
        print_numbers(reference + i, width);
        if (mark == NO_FLOAT)
            puts("  no float is large enough for this, or for what leads to it");
        if (numeric) {
            print_row("", "numeric", "  ");
            print_numbers(numeric + i, width);
        }
    }
    free(numeric);
    free(yours);
    free(reference);
}

/* All the numbers of one name together. `width`: a row of x. */
static void print_revealed(const struct Revealed *revealed, int width)
{
    for (int i = 0; i < revealed->count; i++) {
        const char *name = revealed->items[i].name;
        double values[MOST_REVEALED];
        int n = 0, first = 0, row = revealed->items[i].row ? revealed->items[i].row : width;
        while (strcmp(revealed->items[first].name, name) != 0)
            first++;
        for (int k = i; first == i && k < revealed->count; k++)
            if (!strcmp(revealed->items[k].name, name))
                values[n++] = revealed->items[k].value;
        for (int k = 0; k < n; k += row) {
            print_row(k ? "" : name, "between", "  ");
            print_numbers(values + k, (size_t)(n - k < row ? n - k : row));
        }
    }
    if (revealed->cut)
        printf("  and more between: here are the first %d numbers\n", revealed->count);
}

/* How what was typed is understood: "x is 1 row of 3, gamma is 3 numbers". */
static void print_reading(const Try *t)
{
    char text[1000] = "";
    bool one_row = false;
    for (int i = 0; i < t->typed; i++) {
        const Known *known = &t->known.items[i];
        bool flat = known->rows == 1; /* and a row to no function */
        size_t used = strlen(text);
        if (known->rows * known->columns == 1)
            continue;
        for (int f = 0; f < t->contract.count; f++) {
            int p = param_index(&t->contract.functions[f], known->name);
            flat = flat && (p < 0 || t->contract.functions[f].params[p].dim_count == 1);
        }
        if (flat)
            snprintf(text + used, sizeof text - used, "%s%s is %d numbers", used ? ", " : "",
                     known->name, known->columns);
        else
            snprintf(text + used, sizeof text - used, "%s%s is %d row%s of %d", used ? ", " : "",
                     known->name, known->rows, known->rows == 1 ? "" : "s", known->columns);
        one_row = one_row || (!flat && known->rows == 1);
    }
    if (one_row)
        strncat(text, "   (a ; begins another row)", sizeof text - strlen(text) - 1);
    if (*text)
        write_lines(stdout, "", "  ", text, strlen(text));
}

static bool all_equal(const Case *c, int p)
{
    const Param *param = &c->function->params[p];
    for (size_t i = 1; i < case_length(c, p); i++)
        if (value_at(param, c->given[p], i) != value_at(param, c->given[p], 0))
            return false;
    return true;
}

/* An array that is given, row by row; of many equal numbers one. */
static void print_given_array(const Case *c, int p, const char *whose)
{
    enum { FEW = 8 };
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p), width = (size_t)last_dimension(c, p);
    const bool one = length > FEW && all_equal(c, p);
    double *values = calloc(length + 1, sizeof *values);
    for (size_t i = 0; values && i < length; i++)
        values[i] = value_at(param, c->given[p], i);
    for (size_t i = 0; values && i < length; i = one ? length : i + width) {
        print_row(i ? "" : param->name, i ? "" : whose, "  ");
        if (one)
            printf(" %10.6g   (all %zu)\n", values[0], length);
        else
            print_numbers(values + i, width);
    }
    free(values);
}

/* What the function is called with, where not all of it was typed. */
static void print_given(const Try *t, const Case *c)
{
    printf("The example of %s%s:\n", learners_function(c->function->name),
           t->typed ? ", with what you typed" : "");
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = known_find(&t->known, param->name);
        const char *whose = known && known->from == FROM_TYPED ? "typed" : "given";
        double number = param->role == SIZE ? c->sizes[p] : (double)c->scalars[p];
        if (is_given(param->role) && !c->null[p])
            print_given_array(c, p, whose);
        if (param->role != SCALAR && (param->role != SIZE || told_by_arrays(c->function, p)))
            continue;
        print_row(param->name, whose, "  ");
        print_numbers(&number, 1);
    }
}

static void try_call(Try *t, const Step *step, Case *c, int row, int rows)
{
    const Function *function = c->function;
    int x = param_index(function, "x");
    bool by_row = x >= 0 && is_array(function->params[x].role);
    Answer answer = {0};
    if (t->by_example)
        print_given(t, c);
    else
        print_reading(t);
    t->typed = 0; /* once is enough */
    t->options->runners->call(t->runner, c, &answer);
    if (!function->returns)
        printf("%s\n", function->name);
    print_revealed(c->revealed, by_row ? last_dimension(c, x) : 256);
    if (answer.ending != ANSWERED) {
        printf("  %-18s ", function->name);
        write_lines(stdout, "", "     ", answer.reason, strlen(answer.reason));
    }
    for (int p = 0; p < function->count; p++)
        if (is_answer(function->params[p].role))
            print_output(t, step, c, &answer, p, rows > 1 ? row : -1);
    if (answer.printed && *answer.printed) {
        puts("  it printed:");
        write_lines(stdout, BAR, BAR, answer.printed, strlen(answer.printed));
    }
    t->wrong += answer.ending != ANSWERED;
    answer_free(&answer);
}

/* Sizes that the header rules out: neither is the learner's function to blame for what it makes of
 * them, nor has the reference numbers. */
static bool is_ruled_out(Try *t, const Case *c)
{
    if (c->ruled_out) {
        t->lacks = true;
        snprintf(t->error, sizeof t->error, "%s is not for these numbers: %s",
                 learners_function(c->function->name), c->ruled_out);
    }
    return c->ruled_out;
}

/* An oracle that tells nothing of what is on the way has a formula beside it that does. */
static void reveal_by_formula(const Step *step, Case *c)
{
    struct Revealed *revealed = c->revealed;
    const Formula *formula = formula_find(lesson_formulas(), step->function);
    if (revealed->count || !step->oracle || !formula || c->ruled_out)
        return;
    formula_answer(formula, c);
    c->revealed = NULL;
    lesson_answer(step, c, 0);
    c->revealed = revealed;
}

static bool try_step(Try *t, const Step *step, bool printed)
{
    const Function *function = contract_find(&t->contract, step->function);
    int rows = rows_to_go(t, function);
    Cases *calls = calloc((size_t)rows + 1, sizeof *calls); /* one case each */
    struct Revealed revealed = {0};
    bool good = calls, ruled_out = false;
    for (int r = 0; good && r < rows; r++) {
        calls[r].contract = &t->contract;
        Case *c = case_new(&calls[r], step->function);
        good = prepare_call(t, c, r, rows);
        if (!good)
            break;
        revealed.count = 0;
        revealed.cut = false;
        c->revealed = &revealed;
        lesson_answer(step, c, 0);
        reveal_by_formula(step, c);
        ruled_out = is_ruled_out(t, c) || ruled_out;
        if (printed && !ruled_out)
            try_call(t, step, c, r, rows);
    }
    if (good) /* ruled out, too: the later ones are then as well, and need not ask for these */
        learn_results(t, step, calls, rows);
    for (int r = 0; calls && r < rows; r++)
        cases_free(&calls[r]);
    free(calls);
    return good && !ruled_out;
}

static bool no_such_parameter(Try *t)
{
    for (int i = 0; i < t->known.count; i++) {
        bool found = false;
        for (int f = 0; f < t->contract.count; f++)
            found = found || param_index(&t->contract.functions[f], t->known.items[i].name) >= 0;
        if (!found) {
            snprintf(t->error, sizeof t->error, "nothing in this lesson is called \"%s\"",
                     t->known.items[i].name);
            return true;
        }
    }
    return false;
}

/* What keeps a function from being shown, each said once. */
typedef struct {
    int count;
    const char *of[4];
    char words[4][600];
} Lacking;

static void add_lacking(Lacking *all, const char *function, const char *words)
{
    bool said = all->count == 4;
    for (int i = 0; i < all->count; i++)
        said = said || !strcmp(all->words[i], words);
    if (said)
        return;
    all->of[all->count] = function;
    snprintf(all->words[all->count++], sizeof all->words[0], "%.599s", words);
}

static bool is_among(const char *const *functions, int count, const char *function)
{
    bool found = false;
    for (int i = 0; i < count; i++)
        found = found || !strcmp(functions[i], function);
    return found;
}

/* The steps in order; with a name, that one is shown and the ones before it only worked out, where
 * the numbers are any for them.
 * Without one, a step that lacks something, or is not for these numbers, is passed over with a
 * word, if any other could be shown.
 */
static bool try_steps(Try *t, const char *named)
{
    Lacking lacking = {0};
    const char *shown_functions[MAX_FUNCTIONS];
    int shown = 0;
    for (const Step *step = lesson.steps; step->function; step++) {
        bool printed =
            !named || (t->by_example ? step == step_named(named) : is_named(step, named));
        t->lacks = false;
        bool good = try_step(t, step, printed);
        if (good && printed && shown < MAX_FUNCTIONS)
            shown_functions[shown++] = learners_function(step->function);
        if (!good && !t->lacks && printed)
            return false;
        if (!good && printed)
            add_lacking(&lacking, learners_function(step->function), t->error);
        if (named && printed && (t->by_example || !is_named(step + 1, named)))
            break;
    }
    for (int i = 0; i < lacking.count && shown; i++)
        if (!is_among(shown_functions, shown, lacking.of[i]))
            printf("  %s\n", lacking.words[i]);
    snprintf(t->error, sizeof t->error, "%s", lacking.count ? lacking.words[0] : "");
    t->lacks = lacking.count;
    return shown > 0;
}

/* What was typed and, behind it, the lesson's defaults; with an example all that its function takes
 * is from there. */
static bool know(Try *t, const char *words, const Case *example)
{
    KnownList defaults = {0};
    known_free(&t->known);
    t->by_example = example;
    bool good =
        known_parse(&t->known, words, "x", t->error, sizeof t->error) && !no_such_parameter(t);
    t->typed = t->known.count;
    for (int i = 0; i < t->typed; i++)
        t->known.items[i].from = FROM_TYPED;
    if (good && example)
        example_take(t, example);
    good = good && (!lesson.defaults ||
                    known_parse(&defaults, lesson.defaults, "x", t->error, sizeof t->error));
    for (int i = 0; i < defaults.count; i++)
        if (!known_find(&t->known, defaults.items[i].name) &&
            (!example || param_index(example->function, defaults.items[i].name) < 0))
            known_add(&t->known, defaults.items[i].name, defaults.items[i].values, 1,
                      defaults.items[i].columns);
    known_free(&defaults);
    return good;
}

/* Where something lacks, or nothing was typed, the function's example takes its place. */
static bool try_example(Try *t, const char *words, const char *named)
{
    char *lacking = format_text("%s", t->error);
    Cases cases;
    const Case *example = example_find(step_named(named)->function, &cases);
    bool good = know(t, words, example) && try_steps(t, named);
    if (!good && *lacking && strcmp(lacking, t->error) != 0) {
        char *unfit = format_text("%s. The example does not fit: %s", lacking, t->error);
        snprintf(t->error, sizeof t->error, "%s", unfit);
        free(unfit);
    }
    cases_free(&cases);
    free(lacking);
    return good;
}

/* `named`: a function, or NULL. */
static bool try_words(Try *t, const char *words, const char *named)
{
    bool bare = !words[strspn(words, " ")];
    if (!named || !bare) {
        bool good = try_steps(t, named);
        if (good || !named || !t->lacks)
            return good;
    }
    return try_example(t, words, named);
}

int try_lesson(const CheckOptions *options, const char *words)
{
    static Try t;
    char named[NAME_SIZE] = "";
    t = (Try){.options = options};
    if (!lesson_contract(&t.contract, t.error, sizeof t.error))
        author_error("%s", t.error);
    t.cases.contract = &t.contract;
    words += strspn(words, " ");
    snprintf(named, sizeof named, "%.*s", (int)strcspn(words, " "), words);
    bool one = step_named(named);
    words += one ? strlen(named) : 0;
    bool good = know(&t, words, NULL);
    const RunnerOptions how = check_runner(options);
    const char *advice = t.error;
    const char *refused = options->not_graded ? options->not_graded : options->refused;
    if (good && !options->text)
        snprintf(t.error, sizeof t.error, "%s", refused);
    else if (good)
        t.runner = runner_start(options->runners, &how, t.error, sizeof t.error, &advice);
    good = t.runner && try_words(&t, words, one ? named : NULL);
    if (!good)
        write_build_error(stderr, t.error, advice ? advice : t.error);
    if (t.runner)
        options->runners->stop(t.runner);
    known_free(&t.known);
    return !good ? 2 : t.wrong ? 1 : 0;
}
