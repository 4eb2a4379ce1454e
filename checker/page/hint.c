/* All hints on the step that a learner is at (run/hints.c), for a page that tells them one by one.
 */
#include "page.h"

#include "cJSON.h"

#include <stdlib.h>

void hear_nothing(const Listener *listener, const Report *report, Stage stage, int check)
{
    (void)listener, (void)report, (void)stage, (void)check;
}

/* Frees both. */
static void add_hint(cJSON *hints, char *title, char *text)
{
    cJSON *hint = cJSON_CreateObject();
    cJSON_AddStringToObject(hint, "title", title);
    cJSON_AddStringToObject(hint, "text", text);
    cJSON_AddItemToArray(hints, hint);
    free(title);
    free(text);
}

static void add_hints(cJSON *own, cJSON *general, const Report *report, const char *step)
{
    HintKind kinds[MOST_OWN_HINTS];
    const CheckResult *result = hint_result(report, step);
    int count = own_hints(result, kinds);
    for (int i = 0; i < count; i++)
        add_hint(own, format_text("Hint %d of %d on your own %s:", i + 1, count, step),
                 own_hint(result, kinds[i], report->source, "the link in the verdict"));
    for (int tier = 1; tier <= TIERS; tier++) {
        char *text = hint_text(report->lesson, step, tier);
        if (text)
            add_hint(general, format_text("Hint %d of %d for %s:", tier, TIERS, step), text);
    }
}

/* Prints {"step": its name or null, "own": [{"title", "text"}], "general": the same}. 0: all of it
 * passed; 1: not. */
CALLED("hint") int page_hint(const char *text, size_t length)
{
    Report report = {.seconds = 0};
    const Listener nobody = {.hear = hear_nothing};
    CheckOptions options = page_options(text, length);
    check_lesson(&options, NULL, &report, &nobody);
    cJSON *all = cJSON_CreateObject(), *own = cJSON_CreateArray(), *general = cJSON_CreateArray();
    const char *step = hint_step(&report);
    cJSON_AddItemToObject(all, "step", step ? cJSON_CreateString(step) : cJSON_CreateNull());
    cJSON_AddItemToObject(all, "own", own);
    cJSON_AddItemToObject(all, "general", general);
    if (step)
        add_hints(own, general, &report, step);
    char *printed = cJSON_PrintUnformatted(all);
    fputs(printed, stdout);
    fflush(stdout);
    int code = step || report.build_error;
    free(printed);
    cJSON_Delete(all);
    report_free(&report);
    return code;
}
