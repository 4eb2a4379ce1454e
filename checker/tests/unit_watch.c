/* watch.c: is a file saved, or gone, when it goes away between one look at it and the next? */
#define read_file read_watched /* in place of the engine's */
#include "../workbook/watch.c"

#include <unistd.h>

#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

static char folder[] = "/tmp/unit_watch.XXXXXX";
static const char file[] = "exercises/01_one.c";
static bool taken_away; /* just before it is read */
static Saved saved;

char *read_watched(const char *path, size_t *length)
{
    char *text = malloc(8);
    if (taken_away)
        unlink(path);
    FILE *in = fopen(path, "r");
    if (!in || !text) {
        free(text);
        return NULL;
    }
    *length = fread(text, 1, 8, in);
    fclose(in);
    return text;
}

static void save(const char *text)
{
    FILE *out = fopen(file, "w");
    TEST_ASSERT_NOT_NULL(out);
    fputs(text, out);
    fclose(out);
}

void setUp(void)
{
    taken_away = false;
    saved = (Saved){0};
    save("one");
    was_saved(&saved, "01_one");
}

void tearDown(void)
{
    unlink(file);
}

static void test_what_stays_is_not_saved(void)
{
    TEST_ASSERT_TRUE(saved.there);
    TEST_ASSERT_FALSE(was_saved(&saved, "01_one"));
}

static void test_another_content_is_saved(void)
{
    save("two");
    TEST_ASSERT_TRUE(was_saved(&saved, "01_one"));
    TEST_ASSERT_TRUE(saved.there);
    TEST_ASSERT_FALSE(was_saved(&saved, "01_one"));
}

static void test_a_file_that_goes_away_while_it_is_looked_at_is_gone(void)
{
    taken_away = true;
    TEST_ASSERT_TRUE(was_saved(&saved, "01_one"));
    TEST_ASSERT_FALSE(saved.there);
    TEST_ASSERT_FALSE(was_saved(&saved, "01_one"));
}

static void test_one_that_comes_and_goes_was_never_there(void)
{
    unlink(file);
    TEST_ASSERT_TRUE(was_saved(&saved, "01_one"));
    save("two");
    taken_away = true;
    TEST_ASSERT_FALSE(was_saved(&saved, "01_one"));
    TEST_ASSERT_FALSE(saved.there);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) || mkdir("exercises", 0700))
        return 2;
    UNITY_BEGIN();
    RUN_TEST(test_what_stays_is_not_saved);
    RUN_TEST(test_another_content_is_saved);
    RUN_TEST(test_a_file_that_goes_away_while_it_is_looked_at_is_gone);
    RUN_TEST(test_one_that_comes_and_goes_was_never_there);
    int failures = UNITY_END();
    return rmdir("exercises") || rmdir(folder) ? 2 : failures;
}
