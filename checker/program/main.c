/* A lesson's checker: build/NN_name/check. The workbook program starts it; its options are the
 * Makefile's variables of the same names. */
#include "box.h"
#include "program.h"
#ifdef EMULATED
#include "emulator.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Who runs a learner's file: processes, or in build/NN_name/emulated, the emulator. */
#ifdef EMULATED
#define RUNNERS emulated
#define TRIALS &emulated_trials
/* It runs a file where it was asked to, or where nothing can hold a process. */
static char *why_emulated(void)
{
    return active_layers()
               ? emulated.missing_protections()
               : format_text(
                     "Neither Landlock nor seccomp is here to shut your code in, so the "
                     "emulator runs it: long loops take some 40 times as long, and it knows "
                     "plain C only. As a process all the same: make check BOX=processes");
}
#else
#define RUNNERS processes
#define TRIALS &process_trials
#endif

/* Not graded: it is this machine's doing, or the lesson's. */
enum { EXIT_ALL_PASSED = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NOT_GRADED = 3 };

typedef struct {
    CheckOptions check;
    Format format;
    bool own_file; /* the learner's: its progress is kept */
    bool debug, self_test, signature, needs, each;
    int draws;         /* of how many seeds, to test them; 0: grade */
    const char *words; /* to try; NULL: grade */
    Words to_type;     /* where the learner is */
} Options;

static int usage(const char *what, const char *value)
{
    fprintf(stderr, "%s: %s\n", what, value);
    return EXIT_USAGE;
}

static bool parse_number(const char *text, double low, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && *value >= low && isfinite(*value);
}

static bool parse_step(const char *text, const char **step)
{
    const char *before = "";
    for (int i = 0; lesson.steps[i].function; i++)
        if (!strcmp(learners_function(lesson.steps[i].function), text)) {
            *step = text;
            return true;
        }
    fprintf(stderr, "STEP=%s: lesson %s has", text, lesson_name);
    for (int i = 0; lesson.steps[i].function; i++) {
        const char *function = learners_function(lesson.steps[i].function);
        if (strcmp(function, before))
            fprintf(stderr, "%s %s", i ? "," : "", function);
        before = function;
    }
    fputs("\n", stderr);
    return false;
}

/* 0: go on; else the exit code. */
static int parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        double number;
        char *end;
        if (!strcmp(name, "--debug"))
            o->debug = true;
        else if (!strcmp(name, "--self-test"))
            o->self_test = true;
        else if (!strcmp(name, "--signature"))
            o->signature = true;
        else if (!strcmp(name, "--needs"))
            o->needs = true;
        else if (!strcmp(name, "--all"))
            o->check.every = true;
        else if (!strcmp(name, "--no-line"))
            o->check.trials = NULL;
        else if (!strcmp(name, "--each"))
            o->each = true;
        else if (++i >= argc)
            return usage(name, "is no option, or lacks its value");
        else if (!strcmp(name, "--try"))
            o->words = value;
        else if (!strcmp(name, "--shown"))
            o->check.shown = value;
        else if (!strcmp(name, "--hint"))
            o->to_type.hint = value;
        else if (!strcmp(name, "--prompt"))
            o->to_type.prompt = value;
        else if (!strcmp(name, "--onward"))
            o->to_type.onward = value;
        else if (!strcmp(name, "--impl")) {
            o->check.source = value;
            o->own_file = false;
        } else if (!strcmp(name, "--step")) {
            if (!parse_step(value, &o->check.step))
                return EXIT_USAGE;
        } else if (!strcmp(name, "--format")) {
            if (!format_find(value, &o->format))
                return EXIT_USAGE;
        } else if (!strcmp(name, "--seed")) {
            errno = 0;
            o->check.seed = strtoull(value, &end, 10);
            if (!*value || *end || errno || *value == '-')
                return usage("SEED is a whole number from 0 to 2^64 - 1, not", value);
        } else if (!strcmp(name, "--draws")) {
            if (!parse_number(value, 2, &number) || number > 1e6)
                return usage("--draws is a number of seeds from 2 to 1000000, not", value);
            o->draws = (int)number;
        } else if (!strcmp(name, "--limit")) {
            if (!parse_number(value, 0.01, &number))
                return usage("LIMIT is a number of seconds, 0.01 or more, not", value);
            o->check.call_limit = number;
        } else
            return usage("unknown option", name);
    }
    return 0;
}

/* Short enough to be typed again, and new at every run. */
static uint64_t fresh_seed(void)
{
    uint32_t random = 0;
    if (getentropy(&random, sizeof random))
        author_error("no random numbers: %s", strerror(errno));
    return random % 1000000;
}

/* What the compiler said of lesson.c or calls.c, when there is only an empty one in its place. */
static bool broken_lesson(void)
{
    static const char *const parts[] = {"lesson", "calls"};
    bool broken = false;
    for (int i = 0; i < 2; i++) {
        char *path = format_text("build/%s/%s.o.errors", lesson_name, parts[i]);
        char *words = read_file(path, NULL);
        if (words)
            fprintf(stderr, "Lesson %s can't be graded: its %s.c does not compile.\n%s",
                    lesson_name, parts[i], words);
        broken = broken || words;
        free(words);
        free(path);
    }
    return broken;
}

/* An output that is closed stays one that can't be written to: no file that is opened later is
 * taken for it. */
static void keep_closed(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Reads the file, where this machine can grade any; what it says stands in the options then. */
static void take_file(CheckOptions *o)
{
    static char error[8192];
    if (!limits_suffice(error, sizeof error)) {
        o->not_graded = error;
        return;
    }
    o->text = submission_read(o->source, &o->length, error, sizeof error);
    o->refused = error;
}

/* `prepared`: as in check_lesson(). */
static int grade(Options *options, Questions *prepared)
{
    Report report = {.words = options->to_type};
    const Listener listener = {report_hear, stdout, options->format};
    take_file(&options->check);
    check_lesson(&options->check, prepared, &report, &listener);
    bool written = delivered(stdout);
    if (options->own_file && !report.not_graded)
        verdict_line_keep(&report);
    if (options->own_file && !options->check.step && !report.not_graded) {
        char error[512];
        if (!progress_record(&report, error, sizeof error))
            fprintf(stderr, "Your progress could not be saved: %s\n", error);
    }
    bool all_passed = report.count && report.passed == report.count;
    bool graded = !report.not_graded;
    report_free(&report);
    return !graded ? EXIT_NOT_GRADED : written && all_passed ? EXIT_ALL_PASSED : EXIT_FAILED;
}

/* ---- for a class ---- */
static volatile pid_t grading;

/* The one that grades ends its compiler and its worker. */
static void pass_on(int signal)
{
    if (grading > 0)
        kill(grading, signal);
    raise(signal); /* with the default action, which SA_RESETHAND has put back */
}

static void take_signals(void (*handler)(int))
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESETHAND};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &action, NULL);
}

/* The files that standard input names, a byte 0 behind each name: each in a process of its own,
 * which finds the cases made and nothing of another file. Behind each report comes a byte 0. */
static int grade_each(Options *options)
{
    char *name = NULL;
    size_t size = 0;
    close_memory(); /* which holds what is expected */
    Questions *prepared = check_prepare(&options->check);
    options->own_file = false;
    setvbuf(stdin, NULL, _IONBF, 0); /* of a file each would put back what it has not read */
    take_signals(pass_on);
    while (getdelim(&name, &size, '\0', stdin) > 0) {
        options->check.source = name;
        grading = fork();
        if (grading == 0) {
            take_signals(SIG_DFL);
            exit(grade(options, prepared));
        }
        while (grading > 0 && waitpid(grading, NULL, 0) < 0 && errno == EINTR)
            continue;
        grading = 0;
        putchar('\0');
        if (!delivered(stdout))
            break;
    }
    free(name);
    return 0;
}

/* Large arrays come and go with every case. Given back to the system they would be paid for anew.
 */
static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

int main(int argc, char **argv)
{
    keep_closed();
    keep_memory();
    signal(SIGPIPE, SIG_IGN); /* `make check | head` must not lose the record of the run */
    if (broken_lesson())
        return EXIT_NOT_GRADED;
    char source[512];
    snprintf(source, sizeof source, "exercises/%s.c", lesson_name);
    Runners runners = RUNNERS;
#ifdef EMULATED
    runners.missing_protections = why_emulated;
#endif
    Options options = {.check = {.runners = &runners,
                                 .trials = TRIALS,
                                 .source = source,
                                 .call_limit = 2,
                                 .seed = fresh_seed()},
                       .own_file = true};
    int code = parse(argc, argv, &options);
    if (code)
        return code;
    if (options.self_test)
        return self_test(options.check.seed);
    if (options.draws)
        return test_draws(options.check.seed, options.draws);
    if (options.signature) {
        char signature[SIGNATURE_SIZE];
        checks_signature(lesson.checks, signature);
        puts(signature);
        return 0;
    }
    if (options.needs) {
        printf("%s\n%s\n", lesson.needs ? lesson.needs : "", lesson.core ? "core" : "");
        return 0;
    }
    if (options.each)
        return grade_each(&options);
    if (!options.words && !options.debug)
        return grade(&options, NULL);
    take_file(&options.check);
    return options.words ? try_lesson(&options.check, options.words) : debug_lesson(&options.check);
}
