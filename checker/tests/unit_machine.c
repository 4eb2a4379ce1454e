/* What differs from machine to machine, as far as every machine can show it: the words of the
 * dynamic linkers, and what a compiler leaves in a run's folder. */
#include "box.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unity.h"

const Lesson lesson = {0};
const char lesson_name[] = "00_none";

void setUp(void)
{
}

void tearDown(void)
{
}

static void symbol_is(const char *said)
{
    const char *found = missing_symbol(said);
    TEST_ASSERT_NOT_NULL_MESSAGE(found, said);
    TEST_ASSERT_EQUAL_STRING_LEN("row_men", found, 7);
    TEST_ASSERT_NOT_NULL_MESSAGE(strchr(" \n,'", found[7]), said);
}

static void test_the_missing_symbol_is_found_in_the_words_of_each_dynamic_linker(void)
{
    symbol_is("build/run/7/x.so: undefined symbol: row_men");
    symbol_is("dlopen(/Users/ada/build/run/7/x.so, 0x0002): symbol not found in flat namespace "
              "'_row_men'");
    TEST_ASSERT_NULL(missing_symbol("x.so: failed to map segment from shared object"));
    TEST_ASSERT_NULL(missing_symbol(""));
}

static void test_a_runs_folder_goes_with_the_folders_in_it(void)
{
    static const char *const folders[] = {"/x.so.dSYM", "/x.so.dSYM/Contents",
                                          "/x.so.dSYM/Contents/Resources"};
    char outside[] = "build/tests/outside.XXXXXX", error[256], path[128], kept[64];
    Folder folder;
    TEST_ASSERT_NOT_NULL(mkdtemp(outside));
    snprintf(kept, sizeof kept, "%s/kept", outside);
    fclose(fopen(kept, "w"));
    TEST_ASSERT_TRUE_MESSAGE(folder_make(&folder, error, sizeof error), error);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s%s", folder.path, folders[i]);
        TEST_ASSERT_EQUAL(0, mkdir(path, 0777));
        snprintf(path, sizeof path, "%s%s/file", folder.path, folders[i]);
        fclose(fopen(path, "w"));
    }
    snprintf(path, sizeof path, "%s/x.so.dSYM/link", folder.path);
    snprintf(kept, sizeof kept, "../../../../%s", outside);
    TEST_ASSERT_EQUAL(0, symlink(kept, path));
    snprintf(kept, sizeof kept, "%s/kept", outside);
    strcpy(path, folder.path);
    folder_remove(&folder);
    TEST_ASSERT_NOT_EQUAL(0, access(path, F_OK));
    TEST_ASSERT_EQUAL_MESSAGE(0, access(kept, F_OK), "a link was followed");
    remove(kept);
    remove(outside);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_missing_symbol_is_found_in_the_words_of_each_dynamic_linker);
    RUN_TEST(test_a_runs_folder_goes_with_the_folders_in_it);
    return UNITY_END();
}
