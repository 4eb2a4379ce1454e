/* What a lesson's functions give, right and with each mistake: build/NN_name/outputs CALL...
 *
 * A call is one argument, "scale n=3 x=1,2,6 factor=2". For each it prints a line per mistake that
 * can be made there ("right" for none): its section in the text, then every number of every output.
 * test_lessons.py holds the numbers that a text states against these. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* "1,2,6": one number alone stands for all. */
static void fill_in(Case *c, const char *name, char *values)
{
    int param = param_index(c->function, name);
    char *next = values;
    if (c->function->params[param].role == SCALAR) {
        set_scalar(c, name, strtof(values, NULL));
        return;
    }
    float *array = fill(c, name);
    for (size_t i = 0; i < case_length(c, param); i++) {
        array[i] = strtof(next, &next);
        next = *next == ',' ? next + 1 : values;
    }
}

/* "name=values" words, first those of the sizes, then the others. */
static void set_words(Case *c, const char *words, bool sizes)
{
    char *copy = format_text("%s", words), *rest;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *values = strchr(word, '=');
        if (!values)
            author_error("\"%s\" is no name=values", word);
        *values++ = '\0';
        int param = param_index(c->function, word);
        if (param < 0)
            author_error("%s has no %s", c->function->name, word);
        bool is_size = c->function->params[param].role == SIZE;
        if (is_size && sizes)
            set_size(c, word, atoi(values));
        else if (!is_size && !sizes)
            fill_in(c, word, values);
    }
    free(copy);
}

static void print_outputs(const char *section, const Case *c)
{
    printf("%s:", section);
    for (int p = 0; p < c->function->count; p++)
        for (size_t i = 0; is_answer(c->function->params[p].role) && i < case_length(c, p); i++)
            printf(" %.9g", c->wanted[p][i].v);
    putchar('\n');
}

int main(int argc, char **argv)
{
    Contract contract;
    char error[512];
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    for (int i = 1; i < argc; i++) {
        Cases cases = {.contract = &contract};
        char *words = strchr(argv[i], ' ');
        if (!words)
            author_error("\"%s\" is no call", argv[i]);
        *words++ = '\0';
        Case *c = case_new(&cases, argv[i]);
        const Step *step = lesson_step(argv[i]);
        set_words(c, words, true);
        set_words(c, words, false);
        lesson_answer(step, c, 0);
        print_outputs("right", c);
        for (int m = 0; m < mistake_count(); m++)
            if (is_made_in(&lesson_mistakes()[m], step)) {
                lesson_answer(step, c, (Mistakes)1 << m);
                print_outputs(lesson_mistakes()[m].section, c);
            }
        cases_free(&cases);
    }
    return 0;
}
