/* guard.c and readable.c: what a compiler may open where Landlock is missing, asked call by call.
 */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"
#include "unity.h"

const char lesson_name[] = "00_guard";
const Lesson lesson = {0};

static char place[32]; /* and in it: allowed/file, allowed-not/file, own/file */
static Readable readable;

static void make_file(const char *folder)
{
    char *path = format_text("%s/%s", place, folder);
    TEST_ASSERT_EQUAL(0, mkdir(path, 0700));
    free(path);
    path = format_text("%s/%s/file", place, folder);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    TEST_ASSERT_EQUAL(4, write(file, "text", 4));
    close(file);
    free(path);
}

void setUp(void)
{
    static char *paths[1];
    if (!guard_works())
        TEST_IGNORE_MESSAGE("seccomp can't ask here");
    strcpy(place, "/tmp/guard.XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(place));
    make_file("allowed");
    make_file("allowed-not");
    make_file("own");
    paths[0] = format_text("%s/allowed", place);
    readable = (Readable){.paths = paths, .count = 1, .folder = format_text("%s/own", place)};
    TEST_ASSERT_EQUAL(0, chdir(place));
}

void tearDown(void)
{
    char *command = format_text("rm -rf %s", place);
    TEST_ASSERT_EQUAL(0, system(command));
    free(command);
}

typedef long Open(const char *path, int flags);

static long by_openat(const char *path, int flags)
{
    return openat(AT_FDCWD, path, flags, 0600);
}

static long by_openat_in_a_folder(const char *path, int flags)
{
    return openat(open("allowed", O_RDONLY | O_DIRECTORY), path, flags, 0600);
}

static long by_openat2(const char *path, int flags)
{
#ifdef __linux__
    uint64_t how[3] = {(uint64_t)flags};
    return syscall(437, AT_FDCWD, path, how, sizeof how);
#else
    return openat(-1, path, flags);
#endif
}

/* 0: opened; else the error. */
static int guarded(Open *open_it, const char *path, int flags)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        if (!guard_start(&readable))
            _exit(255);
        errno = 0;
        _exit(open_it(path, flags) >= 0 ? 0 : errno);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_a_file_is_read_where_it_may_be(void)
{
    TEST_ASSERT_EQUAL(0, guarded(by_openat, "allowed/file", O_RDONLY));
    TEST_ASSERT_EQUAL(0, guarded(by_openat, "own/file", O_RDONLY));
    TEST_ASSERT_EQUAL(0, guarded(by_openat, "/dev/null", O_WRONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed-not/file", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed/../allowed-not/file", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, ".", O_RDONLY | O_DIRECTORY));
}

static void test_it_writes_in_its_folder_only(void)
{
    TEST_ASSERT_EQUAL(0, guarded(by_openat, "own/file", O_WRONLY | O_TRUNC));
    TEST_ASSERT_EQUAL(0, guarded(by_openat, "own/new", O_WRONLY | O_CREAT));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed/file", O_WRONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed/file", O_RDWR));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed/file", O_RDONLY | O_TRUNC));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed/new", O_RDONLY | O_CREAT));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "own/../new", O_WRONLY | O_CREAT));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "new", O_WRONLY | O_CREAT));
}

static void test_what_is_not_there_is_not_there(void)
{
    TEST_ASSERT_EQUAL(ENOENT, guarded(by_openat, "allowed-not/nothing", O_RDONLY));
    TEST_ASSERT_EQUAL(ENOENT, guarded(by_openat, "nowhere/file", O_WRONLY | O_CREAT));
}

static void test_a_link_is_what_it_leads_to(void)
{
    TEST_ASSERT_EQUAL(0, symlink("../allowed-not/file", "allowed/link"));
    TEST_ASSERT_EQUAL(0, symlink("../allowed/file", "own/link"));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "allowed/link", O_RDONLY));
    TEST_ASSERT_EQUAL(0, guarded(by_openat, "own/link", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, "own/link", O_WRONLY));
}

static void test_other_calls_that_open_get_no_further(void)
{
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat_in_a_folder, "../allowed-not/file", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat_in_a_folder, "file", O_RDONLY));
    TEST_ASSERT_EQUAL(ENOSYS, guarded(by_openat2, "allowed-not/file", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, (char *)16, O_RDONLY));
}

#ifdef SYS_open
static long by_open(const char *path, int flags)
{
    return syscall(SYS_open, path, flags, 0600);
}

static long by_creat(const char *path, int flags)
{
    (void)flags;
    return syscall(SYS_creat, path, 0600);
}

static void test_older_calls_are_asked_about_too(void)
{
    TEST_ASSERT_EQUAL(0, guarded(by_open, "allowed/file", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_open, "allowed-not/file", O_RDONLY));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_open, "allowed/file", O_WRONLY));
    TEST_ASSERT_EQUAL(0, guarded(by_creat, "own/other", 0));
    TEST_ASSERT_EQUAL(EACCES, guarded(by_creat, "allowed/other", 0));
}
#endif

static void test_a_path_may_cross_a_page_and_has_an_end(void)
{
    char *pages = aligned_alloc(4096, 12288);
    memset(pages, '/', 12288);
    strcpy(pages + 4090, "allowed-not/file");
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, pages + 4090, O_RDONLY));
    strcpy(pages + 4090, "allowed/file");
    TEST_ASSERT_EQUAL(0, guarded(by_openat, pages + 4090, O_RDONLY));
    memset(pages, '/', 12288);
    pages[12287] = '\0';
    TEST_ASSERT_EQUAL(EACCES, guarded(by_openat, pages, O_RDONLY));
    free(pages);
}

static void test_a_folders_name_is_no_beginning_of_anothers(void)
{
    TEST_ASSERT_TRUE(lies_in("/usr/lib/x", "/usr/lib"));
    TEST_ASSERT_TRUE(lies_in("/usr/lib", "/usr/lib"));
    TEST_ASSERT_FALSE(lies_in("/usr/library/x", "/usr/lib"));
    TEST_ASSERT_FALSE(lies_in("/usr", "/usr/lib"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_folders_name_is_no_beginning_of_anothers);
    RUN_TEST(test_a_file_is_read_where_it_may_be);
    RUN_TEST(test_it_writes_in_its_folder_only);
    RUN_TEST(test_what_is_not_there_is_not_there);
    RUN_TEST(test_a_link_is_what_it_leads_to);
    RUN_TEST(test_other_calls_that_open_get_no_further);
#ifdef SYS_open
    RUN_TEST(test_older_calls_are_asked_about_too);
#endif
    RUN_TEST(test_a_path_may_cross_a_page_and_has_an_end);
    return UNITY_END();
}
