/* vectors.c: a lesson's vectors.json, read against the headers of the real lessons. What is taken
 * over has every array that the header names. */
#include "run.h"
#include "fuzz.h"

#include <glob.h>

#include "cJSON.h"

enum { MOST = 20 };
static Contract contracts[MOST];
static int contract_count;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    glob_t headers = {0};
    char error[512];
    (void)argc, (void)argv;
    require(!glob("include/[0-9]*_*.h", 0, NULL, &headers));
    for (size_t i = 0; i < headers.gl_pathc && contract_count < MOST; i++)
        contract_count +=
            contract_read(&contracts[contract_count], headers.gl_pathv[i], error, sizeof error);
    globfree(&headers);
    require(contract_count > 0);
    return 0;
}

static void add_group(const Vectors *vectors, const char *group, const Contract *contract)
{
    char error[1024] = "";
    Cases cases = {.contract = contract};
    if (vectors_add(vectors, group, &cases, error, sizeof error))
        for (int i = 0; i < cases.count; i++)
            for (int p = 0; p < cases.items[i].function->count; p++)
                require(cases.items[i].function->params[p].role != OUTPUT ||
                        cases.items[i].truth[p]);
    else
        require(error[0]);
    cases_free(&cases);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[512] = "", *text = as_text(data, size);
    Vectors *vectors = vectors_open(as_file(data, size), error, sizeof error);
    require(vectors || error[0]);
    /* The groups' names, as another reader finds them. */
    cJSON *document = vectors ? cJSON_Parse(text) : NULL;
    const cJSON *group, *groups = cJSON_GetObjectItemCaseSensitive(document, "groups");
    cJSON_ArrayForEach(group, groups) for (int i = 0; group->string && i < contract_count; i++)
        add_group(vectors, group->string, &contracts[i]);
    cJSON_Delete(document);
    vectors_close(vectors);
    free(text);
    return 0;
}
