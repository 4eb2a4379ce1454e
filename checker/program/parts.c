/* Do the parts of a lesson speak of the same things? Its header, lesson.c, text and hints are
 * written by hand, and each names functions and headings of the others. Here every name is looked
 * up in the part that it comes from, so that a lesson is not handed out with a hint, a section or a
 * check that leads nowhere. */
#include "formulas.h"
#include "program.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { HINTS = 3 };

static int broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int broken(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("BROKEN %s: ", lesson_name);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    return 1;
}

static bool is_step(const char *function)
{
    for (const Step *step = lesson.steps; step->function; step++)
        if (!strcmp(step->function, function))
            return true;
    return false;
}

static bool is_called(const char *function)
{
    for (const Check *check = lesson.checks; check->step; check++)
        if (!strcmp(check->step, function))
            return true;
    return false;
}

/* The words are looked up one by one; `found` says whether one is there. */
static int words_broken(const char *words, bool (*found)(const char *word, const void *in),
                        const void *in, const char *who)
{
    int count = 0;
    char *copy = format_text("%s", words), *save = NULL;
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        if (!found(word, in))
            count += broken("\"%s\" names %s, which is not there", who, word);
    free(copy);
    return count;
}

static bool is_before(const char *function, const Step *later)
{
    const Step *step = lesson.steps;
    while (step < later && strcmp(step->function, function) != 0)
        step++;
    return step < later;
}

/* Has one of the learner's functions a step that is about it? */
static bool is_asked(const char *function)
{
    for (const Step *step = lesson.steps; step->function; step++)
        if (!strcmp(learners_function(step->function), function))
            return true;
    return false;
}

static bool is_declared(const char *word, const void *in)
{
    return contract_find(in, word);
}

static int steps_broken(const Contract *contract, const Contract *header)
{
    int count = 0;
    for (int i = 0; i < header->count; i++)
        if (!is_asked(header->functions[i].name))
            count += broken("the header declares %s, lesson.c has no step for it",
                            header->functions[i].name);
    for (int i = 0; i < contract->count && lesson_calls(); i++)
        if (!is_step(contract->functions[i].name))
            count += broken("calls.h declares %s, lesson.c has no step for it",
                            contract->functions[i].name);
    for (const Step *step = lesson.steps; step->function; step++) {
        if (!contract_find(contract, step->function))
            count += broken("the step %s is not declared in %s", step->function,
                            lesson_calls() ? "calls.h" : "the header");
        if (step->calls)
            count += words_broken(step->calls, is_declared, header, step->function);
        else if (lesson_calls() && !contract_find(header, step->function))
            count += broken("the step %s does not say which functions it calls", step->function);
        if (step->about && !word_in(step->calls, step->about))
            count += broken("the step %s is about %s, which it does not call", step->function,
                            step->about);
        if (!step->oracle && !formula_find(lesson_formulas(), step->function))
            count += broken("the step %s has neither an oracle nor a formula", step->function);
        if (step->slopes_of && *step->slopes_of && !is_before(step->slopes_of, step))
            count += broken("the step %s gives slopes of %s, which is no step before it",
                            step->function, step->slopes_of);
        if (!is_called(step->function))
            count += broken("no check calls %s", step->function);
    }
    return count;
}

static bool is_output(const char *word, const void *in)
{
    const Function *function = in;
    int param = param_index(function, word);
    return param >= 0 && is_answer(function->params[param].role);
}

static bool is_steps_name(const char *word, const void *in)
{
    (void)in;
    return is_step(word) || is_asked(word);
}

static int checks_broken(const Contract *contract)
{
    int count = 0;
    for (const Check *check = lesson.checks; check->step; check++) {
        const Function *function = contract_find(contract, check->step);
        const char *about = is_step(check->step) ? learners_function(check->step) : "";
        size_t length = strlen(about);
        if (!length)
            count += broken("\"%s\" calls %s, which is no step", check->title, check->step);
        else if (strncmp(check->title, about, length) || check->title[length] != ' ')
            count += broken("\"%s\" does not start with %s", check->title, about);
        if (!check->vectors && !check->draw)
            count += broken("\"%s\" has neither vectors nor a draw function", check->title);
        if (check->only && function)
            count += words_broken(check->only, is_output, function, check->title);
    }
    return count;
}

static int mistakes_broken(void)
{
    int count = 0;
    for (const Mistake *m = lesson_mistakes(); m->id; m++) {
        if (!m->steps || !m->when || !m->instead || !m->section) {
            count += broken("the mistake %s is not filled in", m->id);
            continue;
        }
        count += words_broken(m->steps, is_steps_name, NULL, m->id);
        for (const Mistake *other = lesson_mistakes(); other < m; other++)
            if (!strcmp(other->id, m->id))
                count += broken("two mistakes are called %s", m->id);
        if (m - lesson_mistakes() == MOST_MISTAKES)
            count += broken("there are more than %d mistakes", MOST_MISTAKES);
    }
    return count;
}

/* ---- what is said of the mistakes: a section for each, and none for nothing ---- */

static bool is_section(const char *heading, size_t length)
{
    for (const Mistake *m = lesson_mistakes(); m->id; m++)
        if (m->section && strlen(m->section) == length && !strncmp(m->section, heading, length))
            return true;
    return false;
}

static int sections_broken(void)
{
    char *path = format_text("lessons/%s.mistakes.md", lesson_name), *text = read_file(path, NULL);
    int count = 0;
    for (const Mistake *m = lesson_mistakes(); text && m->id; m++) {
        char *heading = format_text("\n## %s\n", m->section ? m->section : "");
        if (!strstr(text, heading))
            count += broken("%s has no \"## %s\", for %s", path, m->section, m->id);
        free(heading);
    }
    for (char *at = text; at && (at = strstr(at, "\n## ")); at++) {
        int length = (int)strcspn(at + 4, "\n");
        if (mistake_count() && !is_section(at + 4, (size_t)length))
            count +=
                broken("%s: \"## %.*s\" is about no mistake of lesson.c", path, length, at + 4);
    }
    free(text);
    free(path);
    return count;
}

/* ---- the hints: three for each function, in order ---- */
static int hints_broken(const Contract *contract)
{
    char *path = format_text("lessons/%s.hints", lesson_name), *text = read_file(path, NULL);
    int tiers[MAX_FUNCTIONS] = {0}, count = 0;
    const Function *function = NULL;
    char *save = NULL;
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        if (!strncmp(line, "# ", 2) && !(function = contract_find(contract, line + 2)))
            count += broken("%s: \"%s\" is no function of the header", path, line);
        else if (function && isdigit((unsigned char)line[0]) && line[1] == '.' &&
                 line[0] - '1' == tiers[function - contract->functions])
            tiers[function - contract->functions]++;
    }
    for (int i = 0; i < contract->count; i++) /* without the file, verify says so */
        if (text && tiers[i] != HINTS)
            count += broken("%s has %d of the %d hints for %s", path, tiers[i], HINTS,
                            contract->functions[i].name);
    free(text);
    free(path);
    return count;
}

/* ---- what a lesson can do without ---- */
static int list(int listed, const char *what)
{
    if (!listed)
        printf("  it lacks, what is worth most first: ");
    printf("%s%s", listed ? ", " : "", what);
    return listed + 1;
}

/* Wrong programs stand in either file. */
static bool wrong_whole(void)
{
    char *path = format_text("checker/lessons/%s/wrong.c", lesson_name);
    bool there = is_readable(path);
    free(path);
    return there;
}

void print_missing(int steps_without_vectors)
{
    static const char *const parts[] = {"lessons/%s.md",
                                        "checker/lessons/%s/reference.py",
                                        "checker/lessons/%s/vectors.json",
                                        "lessons/%s.hints",
                                        NULL, /* mistakes, which are no file */
                                        "lessons/%s.mistakes.md",
                                        "checker/lessons/%s/wrong.txt",
                                        "checker/lessons/%s/right.c"};
    int listed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char path[2 * NAME_SIZE + 32] = "mistakes";
        if (parts[i])
            snprintf(path, sizeof path, parts[i], lesson_name);
        bool there = parts[i] ? is_readable(path) : mistake_count() > 0;
        there = there || (parts[i] && strstr(parts[i], "wrong.txt") && wrong_whole());
        if (!there)
            listed = list(listed, path);
        else if (parts[i] && strstr(parts[i], "vectors") && steps_without_vectors)
            listed = list(listed, "vectors for every step");
    }
    if (listed)
        putchar('\n');
}

int parts_broken(const Contract *contract)
{
    Contract header; /* the learner's functions; they may be others than those that are called */
    contract_names(&header, lesson_header());
    return steps_broken(contract, &header) + checks_broken(contract) + mistakes_broken() +
           sections_broken() + hints_broken(&header);
}
