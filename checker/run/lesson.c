/* What the tables of a lesson's lesson.c say, looked up, and where its other parts are.
 *
 * A lesson whose functions can't be called one by one has calls.c and calls.h in its folder: flat
 * functions, which call the learner's in turn and are linked with the learner's file. A check then
 * calls one of these, and is about one of the learner's functions that it calls; or it calls one of
 * the header's as it is. */
#include "formulas.h"

#include <string.h>

const Step *lesson_step(const char *function)
{
    for (const Step *step = lesson.steps; step && step->function; step++)
        if (!strcmp(step->function, function))
            return step;
    author_error("no oracle for \"%s\"", function);
}

const char *lesson_formulas_path(void)
{
    static char path[NAME_SIZE + 32];
    snprintf(path, sizeof path, "lessons/%s.formulas", lesson_name);
    return path;
}

/* Read when they are first asked for, and kept: the lesson's own, as its tables are. */
const Formulas *lesson_formulas(void)
{
    static Contract contract;
    static Formulas *formulas;
    static bool is_read;
    char error[512] = "";
    if (is_read)
        return formulas;
    is_read = true;
    if (lesson_contract(&contract, error, sizeof error))
        formulas = formulas_read(lesson_formulas_path(), &contract, error, sizeof error);
    if (error[0] && !formulas)
        author_error("%s", error);
    return formulas;
}

const Mistake *lesson_mistakes(void)
{
    static const Mistake none[] = {{0}};
    const Formulas *formulas = lesson.mistakes ? NULL : lesson_formulas();
    return lesson.mistakes ? lesson.mistakes : formulas ? formulas_mistakes(formulas) : none;
}

int mistake_count(void)
{
    const Mistake *mistakes = lesson_mistakes();
    int count = 0;
    while (count < MOST_MISTAKES && mistakes[count].id)
        count++;
    return count;
}

void lesson_answer(const Step *step, Case *c, Mistakes set)
{
    if (step->oracle && (!set || lesson.mistakes)) { /* else the mistakes are the formulas' */
        step->oracle(c, set);
        return;
    }
    const Formula *formula = formula_find(lesson_formulas(), step->function);
    if (!formula)
        author_error("%s has neither an oracle nor a formula", step->function);
    if (!formula_answer_with(formula, c, set) && !set)
        author_error("the formula of %s can't be worked out for \"%s\"", step->function, c->label);
}

bool is_made_in(const Mistake *mistake, const Step *step)
{
    return word_in(mistake->steps, step->function) ||
           word_in(mistake->steps, learners_function(step->function));
}

const char *learners_function(const char *function)
{
    const Step *step = lesson_step(function);
    const char *last = step->calls ? strrchr(step->calls, ' ') : NULL;
    if (step->about)
        return step->about;
    return last ? last + 1 : step->calls ? step->calls : function;
}

const char *lesson_header(void)
{
    static char path[NAME_SIZE + 32];
    snprintf(path, sizeof path, "include/%s.h", lesson_name);
    return path;
}

static const char *calls_header(void)
{
    static char path[NAME_SIZE + 32];
    snprintf(path, sizeof path, "checker/lessons/%s/calls.h", lesson_name);
    return is_readable(path) ? path : NULL;
}

const char *lesson_calls(void)
{
    static char path[NAME_SIZE + 32];
    snprintf(path, sizeof path, "build/%s/calls.o", lesson_name);
    return calls_header() ? path : NULL;
}

/* The learner's function that a check calls as it is, beside those of calls.h. */
static bool add_own(Contract *contract, const char *function, char *error, size_t error_size)
{
    Contract header;
    if (!contract_read(&header, lesson_header(), error, error_size))
        return false;
    const Function *found = contract_find(&header, function);
    if (found && contract->count < MAX_FUNCTIONS)
        contract->functions[contract->count++] = *found;
    return true;
}

static void give_prefix(Function *function)
{
    const size_t length = sizeof CALLS_PREFIX - 1;
    memcpy(function->symbol, CALLS_PREFIX, length);
    memcpy(function->symbol + length, function->name, NAME_SIZE);
}

bool lesson_contract(Contract *contract, char *error, size_t error_size)
{
    const char *calls = calls_header();
    bool good = contract_read(contract, calls ? calls : lesson_header(), error, error_size);
    for (int i = 0; good && calls && i < contract->count; i++)
        give_prefix(&contract->functions[i]);
    for (const Step *step = lesson.steps; good && calls && step && step->function; step++)
        if (!step->calls && !contract_find(contract, step->function))
            good = add_own(contract, step->function, error, error_size);
    return good;
}

/* Each check has a seed of its own, so that narrowing to one step does not change what its checks
 * ask. */
void draw_fresh(const Check *check, uint64_t seed, Cases *cases)
{
    Rng rng;
    rng_seed(&rng, seed + (uint64_t)(check - lesson.checks) * 1000003);
    if (check->draw)
        check->draw(cases, &rng);
}

/* While a lesson has no vectors yet, what another check of the same function draws stands in. */
static const Check *drawn_for(const Check *check, const Cases *cases)
{
    for (const Check *other = lesson.checks; other->step && !check->draw && !cases->count; other++)
        if (other->draw && !strcmp(other->step, check->step))
            return other;
    return check;
}

bool check_cases(const Check *check, const Vectors *vectors, uint64_t seed, Cases *cases,
                 char *error, size_t error_size)
{
    if (check->vectors && !vectors_add(vectors, check->vectors, cases, error, error_size))
        return false;
    draw_fresh(drawn_for(check, cases), seed, cases);
    if (!cases->count)
        author_error("the check \"%s\" has no cases", check->title);
    return true;
}
