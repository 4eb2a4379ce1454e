/* A block of a lesson's text, `c run`, run with the learner's functions. It is compiled behind
 * their file, as the body of a function without parameters: a case like any other. */
#include "page.h"

#include "emulator.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_NAME "__block"
#define BLOCK_FILE "the block"

static void append(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

static void tell_end(const Answer *answer)
{
    fputs(answer->printed, stdout);
    if (answer->printed_total > strlen(answer->printed))
        printf("\n... and %zu bytes more", answer->printed_total - strlen(answer->printed));
    if (answer->ending != ANSWERED)
        printf("%sIt ended: %s\n", *answer->printed ? "\n" : "", answer->reason);
}

/* Prints what it printed, or why it does not compile or ended. 0: it ran to its end; 1: it did not.
 */
CALLED("run") int page_run(const char *text, size_t length, const char *block)
{
    static const Function function = {.name = BLOCK_NAME, .symbol = BLOCK_NAME};
    char error[2048];
    const char *advice;
    const Case call = {.function = &function};
    Buffer whole = {0};
    Answer answer;
    buffer_append(&whole, text, length);
    append(&whole, "\n#include <math.h>\n#include <stdio.h>\nvoid " BLOCK_NAME
                   "(void)\n{\n#line 1 \"" BLOCK_FILE "\"\n");
    append(&whole, block);
    append(&whole, "\n}\n");
    const CheckOptions options = page_options(whole.data, whole.length);
    const RunnerOptions how = check_runner(&options);
    Runner *runner = emulated.begin(&how);
    int code = 1;
    if (emulated.ready(runner, error, sizeof error, &advice)) {
        emulated.call(runner, &call, &answer);
        tell_end(&answer);
        code = answer.ending != ANSWERED;
        answer_free(&answer);
        emulated.stop(runner);
    } else {
        puts(error);
    }
    buffer_free(&whole);
    fflush(stdout);
    return code;
}
