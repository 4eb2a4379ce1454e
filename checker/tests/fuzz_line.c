/* commands.c and arguments.c: a line typed at the prompt: which command it is, what its words mean,
 * what could complete it, and which word is nearest. Nothing is run. */
#include "../workbook/commands.c"

#include "fuzz.h"

static Lessons lessons;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    lessons_find(&lessons);
    require(lessons.count > 0);
    return 0;
}

static void offered(void *to, const char *line)
{
    require(strlen(line) >= *(size_t *)to); /* a completion only adds */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = as_text(data, size), *words = tidy(line);
    size_t typed = strrchr(line, ' ') ? (size_t)(strrchr(line, ' ') - line) : 0;
    Prompt prompt = {.lessons = &lessons, .lesson = lessons.names[size % (size_t)lessons.count]};
    size_t length = strcspn(words, " ");
    const Command *command = command_find(words, length);
    candidates(&prompt, line, offered, &typed);
    if (command) {
        WorkbookOptions options = {0};
        if (arguments_parse(&prompt, command, words + length + (words[length] != '\0'), &options))
            require(!options.lesson || lesson_find(&lessons, options.lesson));
    } else if (*words) {
        say_unknown(words);
    }
    free(words);
    free(line);
    return 0;
}
