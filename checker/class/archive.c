/* An archive becomes a stream of tar. See class.h.
 *
 * Unpacking is left to the machine's own tools, which know every damaged and odd archive there is,
 * rather than to a library that would have to be fetched for it: bsdtar turns a .zip into tar, gzip
 * opens a .tar.gz. Neither is trusted with a name. Each writes to a pipe, started without a shell
 * and shut in by Landlock: it may read the system's libraries and this one archive, and write
 * nowhere. What arrives is cut off at a number of bytes, so a bomb ends there.
 *
 * The invariant: no tool makes a file; tar.c does. */
#include "class.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOOL_SECONDS = 120, CAN_T_START = 127 };

typedef struct {
    const char *words[8];
    const char *package;
    const char *opens;
} Tool;

static Tool tool_for(const char *path, char *at_path, size_t size)
{
    const char *end = path + archive_stem(path);
    if (!strcasecmp(end, ".zip")) {
        snprintf(at_path, size, "@%s", path);
        return (Tool){{"bsdtar", "-c", "-f", "-", "--format", "pax", at_path},
                      "libarchive-tools",
                      "opens .zip archives"};
    }
    snprintf(at_path, size, "%s", path);
    return (Tool){{"gzip", "-d", "-c", at_path}, "gzip", "opens .tar.gz archives"};
}

/* Its words are for whoever typed its command. */
static _Noreturn void become(const Tool *tool, const char *archive, int stream)
{
    char *readable[] = {"/usr",
                        "/bin",
                        "/lib",
                        "/lib64",
                        "/opt/homebrew",
                        "/etc/ld.so.cache",
                        (char *)(uintptr_t)archive};
    Limits limits = {.file_bytes = 1 << 20, .cpu_seconds = TOOL_SECONDS, .address_bytes = 1L << 30};
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(stream, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    setenv("LC_ALL", "C.UTF-8", 1);
    signal(SIGPIPE, SIG_DFL);
    limit_process(&limits);
    if (landlock_version() > 0 &&
        !confine_compiler(readable, sizeof readable / sizeof *readable, "/dev/null"))
        _exit(CAN_T_START);
    execvp(tool->words[0], (char *const *)(uintptr_t)tool->words);
    _exit(CAN_T_START);
}

static Unpacked unpack_with(const Tool *tool, const Unpack *unpack, char *why, size_t size)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0) {
        snprintf(why, size, "%s", strerror(errno));
        return NO_ROOM;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0)
        become(tool, unpack->path, ends[1]);
    close(ends[1]);
    Unpacked result = child < 0 ? NO_ROOM : tar_unpack(ends[0], unpack, why, size);
    if (child < 0)
        snprintf(why, size, "%s", strerror(errno));
    char rest[4096];
    ssize_t more = result == UNPACKED ? 1 : 0;
    for (int i = 0; i < 1024 && more > 0; i++) /* the padding: a tool not heard to its end fails */
        more = read(ends[0], rest, sizeof rest);
    if (more > 0) {
        snprintf(why, size, "it goes on behind its end");
        result = REFUSED;
    }
    close(ends[0]);
    if (child > 0) {
        if (result != UNPACKED)
            kill(child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    if (result == UNPACKED && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        snprintf(why, size, "it is damaged, or no archive");
        result = REFUSED;
    }
    return result;
}

Unpacked archive_unpack(const Unpack *unpack, char *why, size_t size)
{
    char *at_path = malloc(strlen(unpack->path) + 2);
    struct stat info;
    if (!at_path)
        abort();
    if (lstat(unpack->path, &info) != 0 || !S_ISREG(info.st_mode)) {
        snprintf(why, size, "it is a link, or no plain file");
        free(at_path);
        return REFUSED;
    }
    if (mkdir(unpack->to, 0700) != 0 && errno != EEXIST) {
        snprintf(why, size, "%s", strerror(errno));
        free(at_path);
        return NO_ROOM;
    }
    Unpacked result;
    if (!strcasecmp(unpack->path + archive_stem(unpack->path), ".tar")) {
        int file = open(unpack->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        result = tar_unpack(file, unpack, why, size);
        close(file);
    } else {
        Tool tool = tool_for(unpack->path, at_path, strlen(unpack->path) + 2);
        if (!is_installed(tool.words[0])) {
            snprintf(why, size, "%s is missing: it %s. Get it with: apt-get install %s",
                     tool.words[0], tool.opens, tool.package);
            result = NO_TOOL;
        } else
            result = unpack_with(&tool, unpack, why, size);
    }
    free(at_path);
    return result;
}
