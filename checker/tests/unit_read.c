/* vectors.c and wire.c: what is read is what it says that it is, or refused. */
#include "run.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unity.h"

const char lesson_name[] = "00_line";
static Contract contract;
static char error[512];

void setUp(void)
{
    TEST_ASSERT_TRUE(contract_read(&contract, "checker/tests/small.h", error, sizeof error));
}

void tearDown(void)
{
}

/* Adds the cases of the group "g" in a file of that text; how many there are, -1: refused. */
static int cases_in(const char *text)
{
    char path[] = "build/vectors.XXXXXX";
    int file = mkstemp(path), count = -1;
    TEST_ASSERT_EQUAL((ssize_t)strlen(text), write(file, text, strlen(text)));
    close(file);
    Vectors *vectors = vectors_open(path, error, sizeof error);
    Cases cases = {.contract = &contract};
    if (vectors && vectors_add(vectors, "g", &cases, error, sizeof error))
        count = cases.count;
    cases_free(&cases);
    vectors_close(vectors);
    unlink(path);
    return count;
}

#define CASE(n, x, sum)                                                                            \
    "{\"groups\": {\"g\": [{\"label\": \"l\", \"function\": \"sum\", \"sizes\": {\"n\": " n        \
    "}, \"scalars\": {}, \"given\": {\"x\": [" x "]}, \"wanted\": {\"return\": [" sum "]}}]}}"

static void test_vectors_that_do_not_fit_the_header_are_refused(void)
{
    static const char *const wrong[] = {
        "",
        "[]",
        "{\"groups\": {\"g\": []}}",
        "{\"groups\": {\"other\": [1]}}",
        "{\"groups\": {\"g\": [{\"function\": \"no_such\"}]}}",
        CASE("3", "1, 2", "3"),
        CASE("3", "1, 2, 3, 4", "10"),
        CASE("3", "1, 2, \"3\"", "6"),
        CASE("3", "1, 2, 3", "6, 6"),
        CASE("3", "1, 2, 3", ""),
        CASE("-1", "", "0"),
        CASE("\"3\"", "1, 2, 3", "6"),
    };
    TEST_ASSERT_EQUAL(1, cases_in(CASE("3", "1, 2, 3", "6")));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error[0] = '\0';
        TEST_ASSERT_EQUAL_MESSAGE(-1, cases_in(wrong[i]), wrong[i]);
        TEST_ASSERT_TRUE_MESSAGE(error[0] != '\0', wrong[i]);
    }
}

static void test_a_frame_is_whole_when_all_that_its_head_announces_is_there(void)
{
    Buffer buffer = {0};
    FrameHead head;
    frame_open(&buffer, ANSWER, 1);
    buffer_append(&buffer, "12345678", 8);
    frame_close(&buffer);
    size_t whole = buffer.length;
    for (buffer.length = 0; buffer.length < whole; buffer.length++)
        TEST_ASSERT_FALSE(frame_complete(&buffer, &head));
    TEST_ASSERT_TRUE(frame_complete(&buffer, &head));
    TEST_ASSERT_EQUAL(8, head.length);
    buffer_free(&buffer);
}

static void test_a_frame_that_announces_too_much_is_not_waited_for(void)
{
    Buffer buffer = {0};
    FrameHead head = {.kind = ANSWER, .length = MAX_PAYLOAD + 1};
    int ends[2];
    TEST_ASSERT_EQUAL(0, pipe(ends));
    TEST_ASSERT_EQUAL(sizeof head, write(ends[1], &head, sizeof head));
    alarm(20); /* the other end stays open: who waits is ended */
    TEST_ASSERT_FALSE(frame_read(ends[0], &buffer, &head));
    TEST_ASSERT_TRUE(buffer.room < MAX_PAYLOAD);
    alarm(0);
    buffer_free(&buffer);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_vectors_that_do_not_fit_the_header_are_refused);
    RUN_TEST(test_a_frame_is_whole_when_all_that_its_head_announces_is_there);
    RUN_TEST(test_a_frame_that_announces_too_much_is_not_waited_for);
    return UNITY_END();
}
