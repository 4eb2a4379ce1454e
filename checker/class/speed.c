/* SPEED=yes: who passed a lesson that has a race runs it, one after the other, when nothing else of
 * this is at work any more. See class.h.
 *
 *     kept/verdicts/VERDICT.race.csv   each line's marks, as the race wrote them
 *     kept/verdicts/VERDICT.race.log   why it ended early; empty, if it did not
 *
 * The invariant: what this machine could not tell is counted nowhere, and the next run asks again.
 */
#include "class.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *kept_as(const Class *class, const Entry *entry, const char *ending)
{
    return format_text("%s/verdicts/%s.race.%s", class->kept, entry->verdict, ending);
}

static void count_mark(Speed *speed, const char *mark)
{
    bool reached = !strcmp(mark, "reached"), told = reached || !strcmp(mark, "not reached");
    speed->reached += reached;
    speed->told += told;
    speed->asked += strcmp(mark, "not asked") != 0;
}

/* What the marks in that file come to. */
static Speed marks_in(const char *path)
{
    static const char *const columns[] = {"mark_1", "mark_2", "mark_3"};
    static Record heading, line;
    Speed speed = {0};
    char *text = read_file(path, NULL);
    Sheet sheet;
    sheet_open(&sheet, text ? text : "");
    if (sheet_next(&sheet, &heading))
        while (sheet_next(&sheet, &line))
            for (int i = 0; i < 3; i++) {
                int column = sheet_column(&heading, columns[i]);
                if (column >= 0 && column < line.count)
                    count_mark(&speed, line.cells[column]);
            }
    sheet_close(&sheet);
    free(text);
    return speed;
}

static bool is_racer(const Class *class, int l, const Entry *entry)
{
    return entry->status == GOT_ALL && has_race(class->lessons[l].name);
}

void speed_settle(const Class *class, int l, Entry *entry)
{
    entry->speed = (Speed){0};
    if (!class->asked->speed || !is_racer(class, l, entry))
        return;
    char *numbers = kept_as(class, entry, "csv"), *log = kept_as(class, entry, "log");
    entry->speed = marks_in(numbers);
    entry->speed.ended = read_file(log, NULL);
    free(numbers);
    free(log);
}

char *speed_words(const Entry *entry)
{
    const Speed *s = &entry->speed;
    if (!s->asked)
        return NULL;
    char *untold = s->told == s->asked
                       ? format_text("%s", "")
                       : format_text(", and %d that could not be told", s->asked - s->told);
    char *words = format_text("%d of %d marks%s.%s%s", s->reached, s->told, untold,
                              s->ended && *s->ended ? "\n" : "", s->ended ? s->ended : "");
    free(untold);
    return words;
}

static _Noreturn void become_race(const char *lesson, const char *file, const char *numbers,
                                  const char *log)
{
    char *program = format_text("build/%s/race", lesson);
    int nowhere = open("/dev/null", O_RDWR), said = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    char *const argv[] = {program, (char *)(uintptr_t)file, (char *)(uintptr_t)numbers, NULL};
    if (nowhere < 0 || said < 0)
        _exit(127);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    execv(program, argv);
    _exit(127);
}

/* Of two races of the same file that one stays which told more. False: this machine has failed. */
static bool run_race(const Class *class, const char *lesson, const Entry *entry)
{
    char *numbers = kept_as(class, entry, "csv"), *log = kept_as(class, entry, "log");
    char *new = name_of_new(numbers), *new_log = name_of_new(log);
    char *file = format_text("%s/files/%s/%s.c", class->kept, entry->key, lesson);
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_race(lesson, file, new, new_log);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    bool good = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1;
    if (good && marks_in(new).told >= marks_in(numbers).told)
        good = rename(new_log, log) == 0 && rename(new, numbers) == 0;
    unlink(new);
    unlink(new_log);
    free(numbers);
    free(log);
    free(new);
    free(new_log);
    free(file);
    return good;
}

/* The marks of the same file are those of another student, too. */
static bool is_told(const Class *class, const Entry *entry)
{
    char *numbers = kept_as(class, entry, "csv");
    Speed speed = marks_in(numbers);
    free(numbers);
    return speed.asked && speed.told == speed.asked;
}

bool race_class(const Class *class)
{
    const int all = class->count * class->lesson_count;
    int failed = 0;
    for (int at = 0; at < all && !was_stopped_by_user(); at++) {
        const int l = at / class->count;
        const char *lesson = class->lessons[l].name;
        const Entry *entry = &class->students[at % class->count].entries[l];
        char *program = format_text("build/%s/race", lesson);
        if (is_racer(class, l, entry) && !is_told(class, entry)) {
            show_progress(at, all, "races, one after the other");
            failed += !build_first(program, "race") || !run_race(class, lesson, entry);
        }
        free(program);
    }
    show_progress(1, 1, "");
    if (failed && !was_stopped_by_user())
        fprintf(stderr,
                "%d races could not be run on this machine. The same command tries again.\n",
                failed);
    return !failed && !was_stopped_by_user();
}
