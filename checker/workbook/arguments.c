/* What the words behind a command mean: a lesson, a function of the lesson, a file.
 *
 * A function of the current lesson comes before a lesson of the same name (lesson 01 and its last
 * function are both called layer_norm). Lessons may be shortened as long as only one is meant. */
#include "workbook.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the nearest word ---- */

/* How many letters must be changed, added, left out or swapped with the next one. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    int d[LONGEST + 1][LONGEST + 1], la = (int)strlen(a), lb = (int)strlen(b);
    if (la > LONGEST || lb > LONGEST)
        return LONGEST;
    for (int i = 0; i <= la; i++)
        for (int j = 0; j <= lb; j++) {
            if (!i || !j) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = d[i - 2][j - 2] + 1 < best ? d[i - 2][j - 2] + 1 : best;
            d[i][j] = best;
        }
    return d[la][lb];
}

const char *nearest(const char *word, const char *const *words, int count)
{
    const char *found = NULL;
    int smallest = (int)strlen(word) < 3 ? 2 : 3; /* from there on nothing is near */
    for (int i = 0; i < count; i++) {
        int d = distance(word, words[i]);
        if (d < smallest) {
            smallest = d;
            found = words[i];
        }
    }
    return found;
}

/* ---- what a word can be ---- */

static Contract *contract_of(const char *lesson)
{
    static Contract contract;
    char error[512], *path = format_text("include/%s.h", lesson);
    if (!contract_read(&contract, path, error, sizeof error))
        contract_names(&contract, path);
    free(path);
    return &contract;
}

const char *example_for(const char *lesson)
{
    const Contract *contract = contract_of(lesson);
    for (int f = 0; f < contract->count; f++)
        if (param_index(&contract->functions[f], "dy") >= 0)
            return "10 50 20 dy=1 0 2";
    return "10 50 20 eps=1e-5";
}

static const char *short_name(const char *lesson)
{
    return strchr(lesson, '_') + 1;
}

static const char *lesson_meant(const Lessons *lessons, const char *word)
{
    const char *found = lesson_find(lessons, word);
    int count = 0;
    for (int i = 0; !found && i < lessons->count; i++)
        count += !strncmp(short_name(lessons->names[i]), word, strlen(word));
    for (int i = 0; count == 1 && !found && i < lessons->count; i++)
        if (!strncmp(short_name(lessons->names[i]), word, strlen(word)))
            found = lessons->names[i];
    return found;
}

/* exercises/01_layer_norm.c is the learner's own file of that lesson, and other/01_layer_norm.c
 * another answer to it. */
static bool is_file(const Prompt *prompt, const char *word, WorkbookOptions *options)
{
    struct stat info;
    if (stat(word, &info))
        return false;
    for (int i = 0; i < prompt->lessons->count; i++) {
        const char *lesson = prompt->lessons->names[i], *slash = strrchr(word, '/');
        const char *base = slash ? slash + 1 : word;
        if (!strncmp(base, lesson, strlen(lesson)) && !strcmp(base + strlen(lesson), ".c"))
            options->lesson = lesson;
    }
    char *own = format_text("exercises/%s.c", options->lesson);
    options->impl = strcmp(word, own) ? word : NULL;
    free(own);
    return true;
}

static bool is_known(const Prompt *prompt, int takes, const char *word, WorkbookOptions *options)
{
    const char *at = options->lesson ? options->lesson : prompt->lesson;
    const Function *function = takes & TAKES_FUNCTION ? contract_find(contract_of(at), word) : NULL;
    if (function) {
        options->step = function->name;
        return true;
    }
    const char *lesson = takes & TAKES_LESSON ? lesson_meant(prompt->lessons, word) : NULL;
    if (lesson) {
        options->lesson = lesson;
        return true;
    }
    return takes & TAKES_FILE && is_file(prompt, word, options);
}

static void say_expected(const Prompt *prompt, const Command *command, const char *word)
{
    const char *names[2 * MAX_LESSONS + MAX_FUNCTIONS];
    int count = 0;
    if (!*command->arguments) {
        fprintf(stderr, "%s stands alone, without \"%s\".\n", command->name, word);
        return;
    }
    for (int i = 0; command->takes & TAKES_LESSON && i < prompt->lessons->count; i++) {
        names[count++] = prompt->lessons->names[i];
        names[count++] = short_name(prompt->lessons->names[i]);
    }
    Contract *contract = contract_of(prompt->lesson);
    for (int i = 0; command->takes & TAKES_FUNCTION && i < contract->count; i++)
        names[count++] = contract->functions[i].name;
    const char *near = nearest(word, names, count);
    fprintf(stderr, "%s takes %s, not \"%s\".", command->name, command->arguments, word);
    if (near)
        fprintf(stderr, " Did you mean %s?", near);
    fputs("\n", stderr);
}

/* The first of the words, if it is a lesson's. */
static void take_lesson(const Prompt *prompt, const char **words, WorkbookOptions *options)
{
    size_t length = strcspn(*words, " ");
    char *word = format_text("%.*s", (int)length, *words);
    if (*word && is_known(prompt, TAKES_LESSON, word, options))
        *words += length + strspn(*words + length, " ");
    free(word);
}

bool arguments_parse(const Prompt *prompt, const Command *command, char *words,
                     WorkbookOptions *options)
{
    char *save = NULL;
    options->words = words;
    if (command->takes & (TAKES_NUMBERS | TAKES_COMMAND | TAKES_TEXT) ||
        (command->takes & TAKES_ALL && !strcmp(words, "all"))) {
        options->lesson = prompt->lesson;
        return true;
    }
    if (command->takes & TAKES_WORDS) {
        take_lesson(prompt, &options->words, options);
        return true;
    }
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
        if (!is_known(prompt, command->takes, word, options)) {
            say_expected(prompt, command, word);
            return false;
        }
    return true;
}

/* ---- what could stand there ---- */
typedef struct {
    const char *line;
    size_t kept; /* where the last word starts */
    Give *give;
    void *to;
} Offer;

static void offer(const Offer *o, const char *word, const char *ending)
{
    const char *begun = o->line + o->kept;
    if (strncmp(word, begun, strlen(begun)) != 0)
        return;
    char *line = format_text("%.*s%s%s", (int)o->kept, o->line, word, ending);
    o->give(o->to, line);
    free(line);
}

static void offer_lessons(const Offer *o, const Lessons *lessons)
{
    const char *begun = o->line + o->kept;
    for (int i = 0; i < lessons->count; i++) {
        const char *lesson = lessons->names[i];
        bool by_number = !strncmp(lesson, begun, strlen(begun));
        offer(o, by_number ? lesson : short_name(lesson), "");
    }
}

static void offer_names(const Offer *o, const char *lesson, bool parameters)
{
    const Contract *contract = contract_of(lesson);
    for (int f = 0; f < contract->count; f++)
        offer(o, contract->functions[f].name, parameters ? " " : "");
    for (int f = 0; parameters && f < contract->count; f++)
        for (int p = 0; p < contract->functions[f].count; p++) {
            const Param *param = &contract->functions[f].params[p];
            bool seen = !is_given(param->role) && param->role != SCALAR;
            for (int g = 0; g < f; g++)
                seen = seen || param_index(&contract->functions[g], param->name) >= 0;
            if (!seen)
                offer(o, param->name, "=");
        }
}

/* Those of the folder that has been typed; all of the top only when something has been. */
static void offer_files(const Offer *o)
{
    const char *begun = o->line + o->kept, *slash = strrchr(begun, '/');
    char *folder = slash ? format_text("%.*s", (int)(slash - begun + 1), begun) : NULL;
    DIR *open = *begun ? opendir(folder ? folder : ".") : NULL;
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char *path = format_text("%s%s", folder ? folder : "", entry->d_name);
        struct stat info;
        if (entry->d_name[0] != '.' && !stat(path, &info))
            offer(o, path, S_ISDIR(info.st_mode) ? "/" : "");
        free(path);
    }
    if (open)
        closedir(open);
    free(folder);
}

void candidates(const Prompt *prompt, const char *line, Give *give, void *to)
{
    const char *space = strrchr(line, ' ');
    Offer o = {line, space ? (size_t)(space - line) + 1 : 0, give, to};
    const Command *command = space ? command_find(line, strcspn(line, " ")) : NULL;
    if (!space || (command && command->takes & TAKES_COMMAND))
        for (const Command *c = commands; c->name; c++)
            offer(&o, c->name, "");
    if (!command)
        return;
    if (command->takes & TAKES_ALL)
        offer(&o, "all", "");
    if (command->takes & (TAKES_FUNCTION | TAKES_NUMBERS))
        offer_names(&o, prompt->lesson, command->takes & TAKES_NUMBERS);
    if (command->takes & TAKES_LESSON)
        offer_lessons(&o, prompt->lessons);
    if (command->takes & TAKES_FILE)
        offer_files(&o);
}
