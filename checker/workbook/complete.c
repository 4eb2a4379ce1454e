/* Tab, and the rest of the line in grey. linenoise hands nothing on to its callbacks, so where the
 * prompt is has to be kept here. */
#include "prompt.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "linenoise.h"

static const Prompt *at;

static void give_completion(void *to, const char *line)
{
    linenoiseAddCompletion(to, line);
}

static void complete(const char *line, linenoiseCompletions *all)
{
    candidates(at, line, give_completion, all);
}

typedef struct {
    char *line;
    int count;
} Only;

static void keep(void *to, const char *line)
{
    Only *only = to;
    if (!only->count++)
        only->line = format_text("%s", line);
}

/* The rest of the only word that it can become; behind a finished command, what it takes. */
static char *hint(const char *line, int *colour, int *bold)
{
    Only only = {0};
    const Command *command = command_find(line, strcspn(line, " "));
    const char *space = strchr(line, ' ');
    *colour = colour_wanted() ? 90 : 39; /* grey; without colours the text's own, */
    *bold = colour_wanted() ? 0 : 2;     /* but dim */
    if (!*line)
        return NULL;
    if (command && *command->arguments && (space ? !space[1] : !strcmp(line, command->name)))
        return format_text("%s%s", space ? "" : " ",
                           command->takes & TAKES_NUMBERS ? example_for(at->lesson)
                                                          : command->arguments);
    candidates(at, line, keep, &only);
    char *rest = only.count == 1 ? format_text("%s", only.line + strlen(line)) : NULL;
    free(only.line);
    return rest;
}

void complete_for(const Prompt *prompt)
{
    at = prompt;
    linenoiseSetCompletionCallback(prompt ? complete : NULL);
    linenoiseSetHintsCallback(prompt ? hint : NULL);
    linenoiseSetFreeHintsCallback(free);
}

bool confirm(const Prompt *prompt, const char *question)
{
    complete_for(NULL);
    char *answer = linenoise(question);
    complete_for(prompt);
    bool yes = answer && (!strcasecmp(answer, "y") || !strcasecmp(answer, "yes"));
    linenoiseFree(answer);
    return yes;
}
