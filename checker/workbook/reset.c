/* make reset LESSON=01: puts the stub back, after keeping what was there.
 *
 * Nothing is overwritten that has not been copied to .workbook/backup/ and synced first; the copy
 * bears the date, and no copy replaces another. The stub is kept in
 * checker/lessons/NN_name/stub.c, so neither git nor the solution is needed. */
#include "box.h"
#include "workbook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char *back_up(const char *lesson, const char *text, size_t length)
{
    char date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d_%H-%M-%S", localtime(&now));
    mkdir(".workbook", 0777);
    mkdir(".workbook/backup", 0777);
    for (int i = 0; i < 100; i++) {
        char *path = i ? format_text(".workbook/backup/%s.%s.%d.c", lesson, date, i)
                       : format_text(".workbook/backup/%s.%s.c", lesson, date);
        if (write_new_file(path, text, length, true))
            return path;
        free(path);
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

int reset_command(const Lessons *lessons, const WorkbookOptions *options)
{
    if (!options->lesson) {
        fputs("Say which lesson: make reset LESSON=01\n", stderr);
        return 2;
    }
    const char *lesson = lesson_resolve(lessons, options->lesson);
    if (!lesson)
        return 2;
    char *source = lesson_source(lesson, NULL),
         *stub_path = format_text("checker/lessons/%s/stub.c", lesson);
    size_t length = 0, stub_length = 0;
    char *stub = read_file(stub_path, &stub_length), *text = read_file(source, &length);
    int reason = errno;
    if (!stub || (!text && reason != ENOENT)) {
        fprintf(stderr, "%s can't be read: %s\n", stub ? source : stub_path, strerror(reason));
        return 2;
    }
    if (text && length == stub_length && !memcmp(text, stub, length)) {
        printf("%s is the stub already.\n", source);
        return 0;
    }
    char *kept = text ? back_up(lesson, text, length) : NULL;
    if (text && !kept) {
        fprintf(stderr, "%s was left alone: no copy could be kept under .workbook/backup/: %s\n",
                source, strerror(errno));
        return 1;
    }
    char *fresh = format_text("%s.new", source);
    unlink(fresh);
    if (!write_new_file(fresh, stub, stub_length, true) || rename(fresh, source)) {
        fprintf(stderr, "%s was left alone: %s\n", source, strerror(errno));
        unlink(fresh);
        return 1;
    }
    printf("%s is the stub again.\n", source);
    if (kept)
        printf("What was there is kept as %s\n", kept);
    return 0;
}
