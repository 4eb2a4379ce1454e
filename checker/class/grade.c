/* make grade: what was asked, and the order of the day. See class.h.
 *
 * The invariant: the exit code is 0 only when every hand-in has its grade. */
#include "class.h"
#include "box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN = 12 };

/* ---- what was asked ---- */
static int say_usage(void)
{
    fputs(
        "make grade needs the class's folder: a folder, a file or an archive for each student.\n"
        "  make grade CLASS=hand-ins LESSONS=\"01 02\"\n"
        "It may be an archive itself, as Moodle and Canvas give it out. Also:\n"
        "  OUT=folder     where grades.csv, report.html and feedback/ go (CLASS-grades)\n"
        "  SEED=7         the cases that are drawn are those of this number\n"
        "  ALL=yes        a function's later checks are run though an earlier one failed\n"
        "  WEIGHTS=file   points: a line \"20 01\" for a lesson, \"3 01 row_mean\" for its checks\n"
        "  STUDENTS=file  who is in the class: a name a line, or a table of Moodle's or Canvas's\n"
        "  COURSE=file    due dates, lateness, exceptions: see checker/class/class.h\n"
        "  ONLY=name      this student is graded anew, and the feedback shown\n"
        "  BEFORE=folder  another class's grades, which report.html compares with\n"
        "  BLIND=yes      pseudonyms for names; the key is OUT-key.csv\n"
        "  LIMIT=2        seconds that one call may take\n"
        "  SLURM=yes      by a job array; SLURM_OPTIONS=\"--partition=short\" goes to sbatch\n"
        "  LINES=no       no search for the line that is wrong\n"
        "  SPEED=yes      who passed a lesson that has a race races, for points of its own\n",
        stderr);
    return ASKED_WRONGLY;
}

static bool is_number(const char *name, const char *text, bool whole)
{
    char *end;
    errno = 0;
    double value = whole ? (double)strtoull(text, &end, 10) : strtod(text, &end);
    if (*text >= '0' && *text <= '9' && !*end && !errno && (whole || value >= 0.01) &&
        strlen(text) < sizeof((Job *)0)->limit)
        return true;
    fprintf(stderr, "%s=%s: %s\n", name, text,
            whole ? "a whole number from 0 to 2^64 - 1 is wanted"
                  : "a number of seconds, 0.01 or more, is wanted");
    return false;
}

static bool read_asked(Asked *asked, const WorkbookOptions *options)
{
    const char *out = given_as("OUT"), *lines = given_as("LINES"), *lessons = given_as("LESSONS");
    const char *blind = given_as("BLIND");
    static char class[4096];
    snprintf(class, sizeof class, "%s%s", given_as("CLASS")[0] == '-' ? "./" : "",
             given_as("CLASS"));
    for (size_t n = strlen(class); n > 1 && class[n - 1] == '/'; n--)
        class[n - 1] = '\0';
    *asked = (Asked){.class = class,
                     .lessons = lessons ? lessons : options->lesson,
                     .weights = given_as("WEIGHTS"),
                     .students = given_as("STUDENTS"),
                     .course = given_as("COURSE"),
                     .only = given_as("ONLY"),
                     .before = given_as("BEFORE"),
                     .blind = blind && strcmp(blind, "no") != 0 ? blind : NULL,
                     .seed = options->seed,
                     .limit = options->limit ? options->limit : "2",
                     .all = given_yes("ALL"),
                     .lines = !lines || strcmp(lines, "no") != 0,
                     .insists = given_yes("INSIST"),
                     .slurm = given_yes("SLURM"),
                     .speed = given_yes("SPEED")};
    asked->out =
        out ? format_text("%s", out) : format_text("%.*s-grades", (int)archive_stem(class), class);
    if (access(class, R_OK) != 0) {
        fprintf(stderr, "CLASS=%s: %s\n", class, strerror(errno));
        return false;
    }
    return (!asked->seed || is_number("SEED", asked->seed, true)) &&
           is_number("LIMIT", asked->limit, false);
}

/* Strangers' code is run here, many times, and nobody looks. */
bool is_protected(const Asked *asked)
{
    unsigned layers = active_layers();
    if (layers == (LANDLOCK | SECCOMP) || asked->insists)
        return true;
    char *notice = missing_protections();
    fprintf(
        stderr,
        "A class is graded only where Landlock and seccomp hold what students hand in.\n%s\n"
        "Grade on a Linux of 5.13 or newer, or in a container or virtual machine (bwrap, podman)\n"
        "that holds nothing but the workbook and the hand-ins, and say so: INSIST=yes\n",
        notice ? notice : "");
    free(notice);
    return false;
}

/* None asked for: those that somebody handed in (class_find). */
bool read_lessons(Class *class)
{
    Lessons some;
    const char *words = class->asked->lessons;
    const Lessons *asked = lessons_named(class->all_lessons, words, &some);
    class->lessons = calloc(MAX_LESSONS, sizeof *class->lessons);
    for (int i = 0; words && asked && i < asked->count; i++)
        class->lessons[class->lesson_count++].name =
            lesson_find(class->all_lessons, asked->names[i]);
    return asked && class->lessons;
}

/* ---- where it is kept ---- */
static int failed_at(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return NOT_ALL_GRADED;
}

/* What was begun by a run that was killed. */
static void clean_up(const Class *class)
{
    static const char *const folders[] = {"", "/kept", "/kept/verdicts", "/feedback"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = format_text("%s%s", class->asked->out, folders[i]);
        remove_left_over(path);
        free(path);
    }
    char *files = format_text("%s/files", class->kept);
    DIR *dir = opendir(files);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *path = format_text("%s/%s", files, entry->d_name);
        remove_left_over(path);
        free(path);
    }
    if (dir)
        closedir(dir);
    free(files);
}

/* The folders, and the lock that is held until this program ends. 0: all is there. */
int open_out(Class *class)
{
    static const char *const folders[] = {"%s", "%s/kept", "%s/kept/files", "%s/kept/verdicts",
                                          "%s/feedback"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = format_text(folders[i], class->asked->out);
        bool there = folder_there(path);
        if (!there)
            return failed_at(path);
        free(path);
    }
    class->kept = format_text("%s/kept", class->asked->out);
    char *path = format_text("%s/lock", class->kept);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock < 0)
        return failed_at(path);
    /* Of one that was killed a child may hold it for a moment longer. */
    const struct timespec pause = {.tv_nsec = 50000000};
    bool held = false;
    for (int i = 0; i < 60 && (held = flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK); i++)
        nanosleep(&pause, NULL);
    if (held) {
        fprintf(stderr, "Another make grade is at work in %s.\n", class->asked->out);
        return ASKED_WRONGLY;
    }
    free(path);
    clean_up(class);
    return 0;
}

/* One for the whole class and for every later run. */
bool choose_seed(Class *class)
{
    char *path = format_text("%s/seed", class->kept);
    char *text = class->asked->seed ? NULL : read_file(path, NULL);
    uint32_t random = 0;
    bool good = true;
    if (class->asked->seed) {
        snprintf(class->seed, sizeof class->seed, "%s", class->asked->seed);
    } else if (text && *text) {
        snprintf(class->seed, sizeof class->seed, "%.*s", (int)strspn(text, "0123456789"), text);
    } else {
        good = getentropy(&random, sizeof random) == 0;
        snprintf(class->seed, sizeof class->seed, "%u", (unsigned)random % 1000000);
        good = good && write_whole(path, class->seed, strlen(class->seed));
    }
    if (!good)
        failed_at(path);
    free(text);
    free(path);
    return good;
}

/* ---- the work ---- */
static int by_lesson(const void *a, const void *b)
{
    const Job *x = a, *y = b;
    int lessons = strcmp(x->lesson, y->lesson);
    return lessons ? lessons : strcmp(x->verdict, y->verdict);
}

/* Each content once, lesson by lesson: a checker makes its cases once. With `line`: those whose
 * line is to be looked for. */
int list_jobs(const Class *class, Job *jobs, bool line)
{
    int count = 0, different = 0;
    for (int i = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++) {
            const Entry *entry = &class->students[i].entries[l];
            if (class->only >= 0 && class->only != i)
                continue;
            if (!entry->verdict[0] || (line && (!entry->has_report || !wants_line(&entry->report))))
                continue;
            Job *job = &jobs[count++];
            *job = (Job){.all = class->asked->all};
            strcpy(job->verdict, entry->verdict);
            strcpy(job->key, entry->key);
            strcpy(job->lesson, class->lessons[l].name);
            strcpy(job->seed, class->seed);
            strcpy(job->limit, class->asked->limit);
        }
    qsort(jobs, (size_t)count, sizeof *jobs, by_lesson);
    for (int i = 0; i < count; i++)
        if (!i || strcmp(jobs[i].verdict, jobs[i - 1].verdict) != 0)
            jobs[different++] = jobs[i];
    return different;
}

static bool write_jobs(const Class *class, const Job *jobs, int count)
{
    Buffer text = {0};
    char *path = format_text("%s/jobs", class->kept);
    for (int i = 0; i < count; i++) {
        char *line =
            format_text("%s %s %s %s %s %d %d\n", jobs[i].verdict, jobs[i].key, jobs[i].lesson,
                        jobs[i].seed, jobs[i].limit, jobs[i].all, class->asked->lines);
        buffer_append(&text, line, strlen(line));
        free(line);
    }
    bool good = write_whole(path, text.data ? text.data : "", text.length);
    if (!good)
        failed_at(path);
    buffer_free(&text);
    free(path);
    return good;
}

void settle(Class *class)
{
    for (int i = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++) {
            entry_settle(class, &class->lessons[l], &class->students[i].entries[l]);
            course_apply(class, &class->students[i], l);
            speed_settle(class, l, &class->students[i].entries[l]);
        }
}

static bool write_out(const Class *class, const char *name,
                      void (*write)(const Class *class, Buffer *out))
{
    Buffer text = {0};
    char *path = format_text("%s/%s", class->asked->out, name);
    write(class, &text);
    bool good = write_synced(path, text.data, text.length);
    if (!good)
        failed_at(path);
    buffer_free(&text);
    free(path);
    return good;
}

static bool write_book(const Class *class)
{
    return write_out(class, "grades.csv", csv_write) &&
           write_out(class, "grades-by-student.csv", by_student_write) &&
           write_out(class, "grades.json", json_write) &&
           write_out(class, "report.html", teachers_page) && write_feedback(class) &&
           write_returned(class);
}

static int stop_early(const Class *class, const Job *jobs, int count)
{
    int done = 0;
    for (int i = 0; i < count; i++) {
        char *path = verdict_path(class->kept, jobs[i].verdict, false);
        done += access(path, R_OK) == 0;
        free(path);
    }
    fprintf(stderr,
            "Stopped. %d of %d different files are graded and kept: the same command goes "
            "on from there.\n",
            done, count);
    return was_stopped_by_user() ? STOPPED : NOT_ALL_GRADED;
}

static int say_result(const Class *class, double seconds)
{
    int counts[STATUSES] = {0}, all = 0;
    for (int i = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++, all++)
            counts[class->students[i].entries[l].status]++;
    printf("\n");
    for (int s = 0; s < STATUSES; s++)
        if (counts[s])
            printf("%6d %s\n", counts[s], status_words((ClassStatus)s));
    printf("%6d in all   (%.2f s, seed %s)\n\nIn %s: grades.csv, grades.json, report.html, "
           "feedback/\n",
           all, seconds, class->seed, class->asked->out);
    for (int i = 0, said = 0; i < class->count; i++)
        for (int l = 0; l < class->lesson_count; l++) {
            const Entry *entry = &class->students[i].entries[l];
            if (entry->status != NOT_GRADED || said++ >= SHOWN)
                continue;
            if (said == 1)
                fputs("\nCould not be graded, which is this machine's doing. The same command "
                      "tries again:\n",
                      stderr);
            char *line = format_text("%s: %s", entry->path, entry->reason);
            put_line(stderr, "  ", line);
            free(line);
        }
    return counts[NOT_GRADED] ? NOT_ALL_GRADED : GRADED;
}

/* What is known of ONLY= is forgotten. False: said on stderr. */
static bool choose_only(Class *class)
{
    const char *name = class->asked->only;
    class->only = name ? student_named(class, name) : -1;
    for (int l = 0; l < class->lesson_count && class->only >= 0; l++)
        forget_verdict(class->kept, class->students[class->only].entries[l].verdict);
    if (name && class->only < 0)
        fprintf(stderr, "ONLY=%s: %s in the class is called that.\n", name,
                class->only == -1 ? "nobody" : "more than one");
    return !name || class->only >= 0;
}

/* As the student will see it. */
static void show_feedback(const Class *class)
{
    char *path =
        format_text("%s/feedback/%s.txt", class->asked->out, class->students[class->only].file);
    char *text = read_file(path, NULL);
    printf("\n%s:\n", path);
    if (text)
        write_lines(stdout, BAR, BAR, text, strlen(text));
    free(text);
    free(path);
}

static int grade_class(Class *class)
{
    double began = clock_now();
    Job *jobs = calloc((size_t)(class->count * class->lesson_count) + 1, sizeof *jobs);
    if (!jobs)
        abort();
    int count = list_jobs(class, jobs, false);
    say_students(stdout, class);
    if (!write_taken(class) || !write_jobs(class, jobs, count))
        return NOT_ALL_GRADED;
    if (class->asked->slurm && !grade_by_slurm(class->kept, jobs, count))
        return stop_early(class, jobs, count);
    if (!grade_jobs(class->kept, jobs, count, false))
        return stop_early(class, jobs, count);
    settle(class);
    find_alike(class);
    if (!write_book(class))
        return NOT_ALL_GRADED;
    if (class->asked->lines) {
        count = list_jobs(class, jobs, true);
        bool found = grade_jobs(class->kept, jobs, count, true);
        if (!found && !was_stopped_by_user())
            return NOT_ALL_GRADED;
        settle(class);
        if (!write_book(class))
            return NOT_ALL_GRADED;
        if (!found) {
            fputs("Stopped. All are graded; the lines of some are still to be found.\n", stderr);
            return STOPPED;
        }
    }
    free(jobs);
    bool raced = true;
    if (class->asked->speed) {
        raced = race_class(class);
        settle(class);
        if (!write_book(class))
            return NOT_ALL_GRADED;
        if (!raced && was_stopped_by_user()) {
            fputs("Stopped. All are graded; some are still to be raced.\n", stderr);
            return STOPPED;
        }
    }
    int code = say_result(class, clock_now() - began);
    if (class->only >= 0)
        show_feedback(class);
    return delivered(stdout) && raced ? code : NOT_ALL_GRADED;
}

int grade_command(const Lessons *lessons, const WorkbookOptions *options)
{
    static Asked asked;
    static Class class;
    setenv("NO_COLOR", "1", 1); /* what is written here is written to files as well */
    if (!given_as("CLASS"))
        return say_usage();
    if (!read_asked(&asked, options) || !is_protected(&asked))
        return ASKED_WRONGLY;
    class = (Class){.asked = &asked, .all_lessons = lessons};
    if (!read_lessons(&class))
        return ASKED_WRONGLY;
    int code = open_out(&class);
    if (code)
        return code;
    if (!choose_seed(&class))
        return NOT_ALL_GRADED;
    if (!students_read(&class) || !before_read(&class))
        return ASKED_WRONGLY;
    code = class_find(&class);
    if (!code && (!weights_read(&class) || !course_read(&class)))
        code = ASKED_WRONGLY;
    if (!code)
        code = class_choose(&class);
    if (!code && (!blind(&class) || !choose_only(&class)))
        code = ASKED_WRONGLY;
    return code ? code : grade_class(&class);
}
