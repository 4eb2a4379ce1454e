/* lock FILE COMMAND [ARGUMENT ...]: runs the command while nobody else runs one who names that
 * file.
 *
 * The kernel keeps the lock and lets go of it when the last process that has it is gone, however it
 * ended; it holds between containers that share the folder, too. Not every machine has flock(1). It
 * is the first thing that is compiled, so the compiler's errors about this file say what the
 * workbook can't be built with (tools.sh shows the part behind "workbook:"). */
#if defined __TINYC__ || !defined __GNUC__
#error workbook: it is neither gcc nor clang
#elif !defined __LP64__
#error workbook: it makes programs of 32 bits, and the workbook needs 64
#elif !defined __x86_64__ && !defined __aarch64__
#error workbook: it makes programs for a processor that is neither x86-64 nor arm64
#elif !defined __linux__ && !defined __APPLE__
#error workbook: it makes programs for a system that is neither Linux nor macOS
#else
#include <stdio.h>
#if defined __linux__ && !defined __GLIBC__
#error workbook: its C library is not glibc, and no other one is supported on Linux (musl is not)
#elif defined __linux__ && __GLIBC__ == 2 && __GLIBC_MINOR__ < 25
#error workbook: its C library is older than glibc 2.25
#endif
#endif

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int file = argc > 2 ? open(argv[1], O_RDWR | O_CREAT, 0666) : -1;
    if (file < 0) {
        fprintf(stderr, "%s: %s\n", argc > 2 ? argv[1] : "lock", strerror(errno));
        return 2;
    }
    /* Where a file system has no locks, two builds at once are on their own. */
    if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        fputs("Another make builds the workbook in this folder. Waiting for it...\n", stderr);
        while (flock(file, LOCK_EX) && errno == EINTR)
            continue;
    }
    execvp(argv[2], argv + 2); /* the command inherits the file, and so the lock */
    fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
    return 2;
}
