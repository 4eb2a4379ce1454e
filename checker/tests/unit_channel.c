/* channel.c: the time in which a process had no processor is not counted against it. The clock, the
 * processor and who answers are this file's: every look at the channel takes a second. */
#define clock_awake clock_here
#define poll poll_here
#define kill kill_here
#include "../box/channel.c"

#include <stdlib.h>

#include "unity.h"

const Lesson lesson = {.title = "No lesson"};
const char lesson_name[] = "00_none";

enum { START = 1000, NEVER = 1 << 30 };

static double now;
static double answers;  /* when */
static double from, to; /* when it waits for a processor */
static double works_until;
static int asked_to_end; /* how often */
static int other_end;
static FILE *schedstat; /* as /proc/PID/schedstat has it */
static FILE *own;       /* and ours */
static bool own_waits;  /* whenever it looks */
static Channel channel;

/* It ran, waited, and has had its turn seven times. */
static void show(FILE *file, double ran, double waited)
{
    rewind(file);
    fprintf(file, "%.0f %.0f 7\n", ran * 1e9, waited * 1e9);
    fflush(file);
}

static void show_what_was_waited(void)
{
    double waited = now < from ? 0 : now < to ? now - from : to - from;
    show(schedstat, (now < works_until ? now : works_until) - waited, waited);
}

double clock_here(void)
{
    return now;
}

int poll_here(struct pollfd *fds, nfds_t count, int milliseconds)
{
    (void)milliseconds;
    for (nfds_t i = 0; i < count; i++)
        fds[i].revents = 0;
    now++;
    show_what_was_waited();
    if (own_waits)
        show(own, 5, now - START);
    if (now == answers) {
        const FrameHead head = {.kind = ANSWER};
        TEST_ASSERT_EQUAL(sizeof head, write(other_end, &head, sizeof head));
        fds[0].revents = POLLIN;
    }
    return 1;
}

int kill_here(pid_t process, int signal)
{
    TEST_ASSERT_EQUAL(channel.child.pid, process);
    TEST_ASSERT_EQUAL(SIGALRM, signal);
    asked_to_end++;
    return 0;
}

void setUp(void)
{
    int ends[2];
    TEST_ASSERT_EQUAL(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    schedstat = tmpfile();
    own = tmpfile();
    TEST_ASSERT_TRUE(schedstat && own);
    own_process = getpid();
    own_schedstat = fileno(own);
    own_waits = false;
    show(own, 5, 0);
    now = START;
    answers = from = to = works_until = NEVER;
    asked_to_end = 0;
    other_end = ends[1];
    channel = (Channel){.child = {.pid = 1, .output = -1},
                        .end = ends[0],
                        .loading = true,
                        .schedstat = fileno(schedstat),
                        .patience = MOST_WAITED,
                        .look_again = NEVER};
    show_what_was_waited();
}

void tearDown(void)
{
    close(channel.end);
    close(other_end);
    fclose(schedstat);
    fclose(own);
    buffer_free(&channel.reply);
}

/* A call that may take three seconds and takes so many; it waits between these two of them. */
static Outcome call_of(double seconds, double wait_from, double wait_to)
{
    FrameHead head = {0};
    answers = START + seconds;
    from = START + wait_from;
    to = START + wait_to;
    show_what_was_waited();
    return exchange(&channel, 3, 0, &head);
}

static void test_who_has_the_processor_has_its_limit(void)
{
    TEST_ASSERT_EQUAL(GOT_FRAME, call_of(3, NEVER, NEVER));
    TEST_ASSERT_EQUAL(0, asked_to_end);
}

static void test_and_no_longer(void)
{
    TEST_ASSERT_EQUAL(TOO_LATE, call_of(20, NEVER, NEVER));
    TEST_ASSERT_EQUAL(1, asked_to_end);
}

static void test_who_waits_for_it_has_the_time_back(void)
{
    TEST_ASSERT_EQUAL(GOT_FRAME, call_of(203, 1, 201));
    TEST_ASSERT_EQUAL(0, asked_to_end);
}

static void test_and_no_more_than_that(void)
{
    TEST_ASSERT_EQUAL(TOO_LATE, call_of(220, 1, 201));
    TEST_ASSERT_EQUAL(1, asked_to_end);
}

static void test_who_waits_for_very_long_has_no_machine(void)
{
    TEST_ASSERT_EQUAL(GOT_FRAME, call_of(MOST_WAITED + 3, 1, NEVER));
    TEST_ASSERT_EQUAL(TOO_LATE, call_of(MOST_WAITED + 20, 1, NEVER));
}

static void test_threads_wait_for_each_other(void)
{
    channel.threads = 2;
    TEST_ASSERT_EQUAL(TOO_LATE, call_of(20, 1, 18));
}

static void test_where_nothing_says_how_long_none_is_given_back(void)
{
    channel.schedstat = -1;
    TEST_ASSERT_EQUAL(TOO_LATE, call_of(20, 1, 18));
}

static void test_what_another_call_waited_is_no_time_for_this_one(void)
{
    TEST_ASSERT_EQUAL(TOO_LATE, call_of(20, -50, 0));
}

static void test_but_it_is_none_of_the_checks_either(void)
{
    FrameHead head = {0};
    channel_budget(&channel, 10);
    from = START + 1;
    to = now = START + 7;
    answers = START + 15;
    show_what_was_waited();
    TEST_ASSERT_EQUAL(GOT_FRAME, exchange(&channel, 100, 0, &head));
    answers = START + 20;
    TEST_ASSERT_EQUAL(OVER_BUDGET, exchange(&channel, 100, 0, &head));
}

static void test_what_is_left_of_a_check_is_without_it(void)
{
    channel_budget(&channel, 10);
    from = START + 1;
    to = now = START + 7;
    show_what_was_waited();
    TEST_ASSERT_EQUAL_DOUBLE(9, channel_time_left(&channel));
}

static void test_a_check_has_the_time_back_that_its_call_waited(void)
{
    FrameHead head = {0};
    channel_budget(&channel, 10);
    from = START + 1;
    to = START + 51;
    answers = START + 60;
    TEST_ASSERT_EQUAL(GOT_FRAME, exchange(&channel, 100, 0, &head));
    TEST_ASSERT_EQUAL_DOUBLE(0, channel_time_left(&channel));
}

static void test_what_was_waited_in_a_check_is_no_time_for_the_next(void)
{
    FrameHead head = {0};
    from = START - 50;
    to = START;
    answers = START + 20;
    show_what_was_waited();
    channel_budget(&channel, 10);
    TEST_ASSERT_EQUAL(OVER_BUDGET, exchange(&channel, 100, 0, &head));
}

static void test_each_check_may_wait_for_long(void)
{
    channel.patience = 0;
    channel_budget(&channel, 1000);
    TEST_ASSERT_EQUAL(GOT_FRAME, call_of(203, 1, 201));
}

static void test_what_the_checker_waits_between_two_questions_is_given_back(void)
{
    channel_budget(&channel, 10);
    now += 30;
    show(own, 5, 28);
    TEST_ASSERT_EQUAL_DOUBLE(8, channel_time_left(&channel));
    now += 50;
    show(own, 5, 78);
    TEST_ASSERT_EQUAL(GOT_FRAME, call_of(83, NEVER, NEVER));
    TEST_ASSERT_EQUAL_DOUBLE(5, channel_time_left(&channel));
}

/* While it is asked the child may be at work: a second is given back once. */
static void test_but_not_what_it_waits_while_another_works(void)
{
    FrameHead head = {0};
    channel_budget(&channel, 10);
    answers = START + 6;
    own_waits = true;
    TEST_ASSERT_EQUAL(GOT_FRAME, exchange(&channel, 100, 0, &head));
    TEST_ASSERT_EQUAL_DOUBLE(4, channel_time_left(&channel));
}

static void test_an_answer_that_the_checker_sees_late_takes_no_longer(void)
{
    FrameHead head = {0};
    channel_budget(&channel, 10);
    answers = START + 9;
    works_until = START + 2;
    own_waits = true;
    TEST_ASSERT_EQUAL(GOT_FRAME, exchange(&channel, 100, 0, &head));
    TEST_ASSERT_EQUAL_DOUBLE(8, channel_time_left(&channel));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_who_has_the_processor_has_its_limit);
    RUN_TEST(test_and_no_longer);
    RUN_TEST(test_who_waits_for_it_has_the_time_back);
    RUN_TEST(test_and_no_more_than_that);
    RUN_TEST(test_who_waits_for_very_long_has_no_machine);
    RUN_TEST(test_threads_wait_for_each_other);
    RUN_TEST(test_where_nothing_says_how_long_none_is_given_back);
    RUN_TEST(test_what_another_call_waited_is_no_time_for_this_one);
    RUN_TEST(test_but_it_is_none_of_the_checks_either);
    RUN_TEST(test_what_is_left_of_a_check_is_without_it);
    RUN_TEST(test_a_check_has_the_time_back_that_its_call_waited);
    RUN_TEST(test_what_was_waited_in_a_check_is_no_time_for_the_next);
    RUN_TEST(test_each_check_may_wait_for_long);
    RUN_TEST(test_what_the_checker_waits_between_two_questions_is_given_back);
    RUN_TEST(test_but_not_what_it_waits_while_another_works);
    RUN_TEST(test_an_answer_that_the_checker_sees_late_takes_no_longer);
    return UNITY_END();
}
