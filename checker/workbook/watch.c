/* make watch: checks on every save, and shows what matters of it; with l all that `make check`
 * shows.
 *
 * A save during a check ends that check and starts another, so that the last save is always the
 * one that is graded, and a burst of saves gives one verdict. A lesson that is passed stays on the
 * screen until `n`. */
#include "workbook.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

enum { LOOK_EVERY = 8, MISSING_FOR = 300, QUIET_FOR = 300 }; /* all in milliseconds */

/* ---- whether an exercise was saved ----
 *
 * Found by looking: that works on network drives, in WSL and on macOS alike, and whichever way an
 * editor saves.
 *
 * The invariant: two contents that follow each other are never taken for one. Size, inode and time
 * tell nearly all of them apart; but clocks of files tick every few milliseconds, or seconds, and
 * two saves of the same size may fall into one tick. So a file that changed a moment ago is
 * compared by its content too. */
enum { LONGEST_TICK = 3000 /* ms; FAT's is 2 s */ };

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#else
#define MODIFIED st_mtim
#endif

typedef struct {
    bool there;
    ino_t inode;
    off_t size;
    struct timespec modified;
    uint64_t content;
    struct timespec seen; /* when this was found */
} Saved;

static double milliseconds_since(struct timespec then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then.tv_sec) * 1e3 + (double)(now.tv_nsec - then.tv_nsec) / 1e6;
}

/* FNV-1a; 0 when the file can't be read. */
static uint64_t content_of(const char *path)
{
    size_t length = 0;
    char *text = read_file(path, &length);
    uint64_t hash = text ? 0xcbf29ce484222325u : 0;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    free(text);
    return hash;
}

static bool same(const Saved *a, const Saved *b)
{
    return a->there == b->there && a->inode == b->inode && a->size == b->size &&
           a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

static Saved what_is(const char *path)
{
    struct stat info;
    if (stat(path, &info))
        return (Saved){0};
    return (Saved){
        .there = true, .inode = info.st_ino, .size = info.st_size, .modified = info.MODIFIED};
}

/* Looks again, and remembers what it saw. */
static bool was_saved(Saved *saved, const char *lesson)
{
    char path[NAME_SIZE + 16];
    snprintf(path, sizeof path, "exercises/%s.c", lesson);
    Saved now = what_is(path);
    bool changed = !same(&now, saved);
    if (!changed && (!now.there || milliseconds_since(saved->seen) > LONGEST_TICK))
        return false;
    now.content = now.there ? content_of(path) : 0;
    if (now.there && !now.content && !what_is(path).there) { /* gone since that look */
        now = (Saved){0};
        changed = saved->there;
    }
    if (!changed && now.content == saved->content)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now.seen);
    *saved = now;
    return true;
}

/* ---- what changed since the run before ---- */
typedef struct {
    bool known;    /* the lesson was checked since the watch began */
    bool compiled; /* at its last run */
    int count;
    bool *passed; /* by check, when it last compiled */
} Past;

/* Whether every check of the step passed; `passed` NULL: now. */
static bool whole(const Report *report, const char *step, const bool *passed)
{
    for (int i = 0; i < report->count; i++)
        if (!strcmp(report->results[i].step, step) &&
            !(passed ? passed[i] : report->results[i].status == PASSED))
            return false;
    return true;
}

static bool broke(const Past *past, const Report *now, const char *step)
{
    return whole(now, step, past->passed) && !whole(now, step, NULL);
}

/* "row_mean, row_variance and layer_norm broke again." */
static int write_broken(FILE *out, const Past *past, const Report *now)
{
    const char *names[MAX_FUNCTIONS];
    int count = 0;
    for (int i = 0; i < now->count && count < MAX_FUNCTIONS; i++) {
        const char *step = now->results[i].step;
        bool listed = i && !strcmp(step, now->results[i - 1].step);
        if (!listed && broke(past, now, step))
            names[count++] = step;
    }
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", names[i]);
    if (count)
        fputs(" broke again.\n", out);
    return count;
}

/* "2 more pass." */
static int write_count(FILE *out, int count, const char *word)
{
    if (count)
        fprintf(out, "%d %s pass%s.\n", count, word, count == 1 ? "es" : "");
    return count;
}

static void write_changes(FILE *out, const Past *past, const Report *now)
{
    int more = 0, fewer = 0;
    for (int i = 0; i < now->count; i++) {
        bool passes = now->results[i].status == PASSED;
        more += passes && !past->passed[i];
        fewer += !passes && past->passed[i] && !broke(past, now, now->results[i].step);
    }
    if (!past->compiled)
        fputs("It compiles now.\n", out);
    int said = write_broken(out, past, now) + write_count(out, more, "more") +
               write_count(out, fewer, "fewer");
    if (!said && past->compiled)
        fputs("The same checks pass as before.\n", out);
}

/* What changed since the run before, as whole lines, perhaps none; and remembers this one. */
static char *changes_since(Past *past, const Report *now)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    if (past->count != now->count) {
        free(past->passed);
        *past = (Past){.compiled = true, .count = now->count};
        past->passed = calloc((size_t)now->count + 1, sizeof *past->passed);
        if (!past->passed)
            abort();
    }
    if (past->known && now->build_error && past->compiled)
        fputs("It compiled the last time.\n", out);
    else if (past->known && !now->build_error && !now->untouched)
        write_changes(out, past, now);
    past->known = true;
    past->compiled = !now->build_error;
    for (int i = 0; i < now->count && past->compiled; i++)
        past->passed[i] = now->results[i].status == PASSED;
    fclose(out);
    return text;
}

/* ---- the screen ----
 *
 * The invariant: the last line holds the keys, and a screen is written at once, so that it never
 * flickers. Without a terminal the same lines follow each other, without the keys. */
typedef struct {
    bool keys;        /* there is a terminal */
    bool clears;      /* and it understands the sequence for that */
    bool have;        /* `report` is one */
    bool whole;       /* all of it is shown, however long */
    bool below;       /* something is on the screen that no redraw brings back */
    Words words;      /* for the verdict's last lines */
    Report report;    /* the one that is shown */
    char *changes;    /* since the run before */
    char *remarks;    /* what the checker wrote beside its report */
    const char *next; /* the lesson that comes after the one that is shown; NULL: none does */
    char *others;     /* the numbers of those that are a choice beside it, or "" */
} Screen;

static bool all_passed(const Report *report)
{
    return report->count && report->passed == report->count;
}

static void write_passed(FILE *out, const Screen *screen)
{
    bool choice = screen->keys && screen->next && *screen->others;
    fprintf(out, "%s Lesson %.*s is passed.", mark_pass(), (int)strcspn(screen->report.lesson, "_"),
            screen->report.lesson);
    if (choice)
        fprintf(out, " n goes on to %.*s.", (int)strcspn(screen->next, "_"), screen->next);
    else if (screen->keys)
        fputs(screen->next ? " n goes on to the next."
                           : " It was the last one: n checks them all once more.",
              out);
    fputc('\n', out);
    char *words = format_text("Ready as well, by saving its file: %s.", screen->others);
    if (choice)
        write_wrapped(out, words, 0);
    free(words);
}

static void screen_keys(const Screen *screen)
{
    static const char wide[] =
        "n next  h hint  w why  r run again  f fast?  l list  m map  e edit  q quit";
    if (screen->keys)
        printf("\n%s", window_columns() > (int)sizeof wide
                           ? wide
                           : "n)ext h)int w)hy r)un l)ist e)dit q)uit");
    fflush(stdout);
}

/* For a few lines below what is shown: first this, then they, then the keys again. */
static void screen_begin(Screen *screen)
{
    if (screen->keys)
        fputs(screen->clears ? "\r\033[K" : "\n", stdout);
    screen->below = true;
}

/* What is said behind the verdict. Caller frees. */
static char *screen_end(const Screen *screen)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    if (all_passed(&screen->report))
        write_passed(out, screen);
    fputs(screen->remarks, out);
    fclose(out);
    return text;
}

static void write_whole(FILE *out, const Screen *screen, const char *end)
{
    report_human(out, &screen->report);
    if (*screen->changes || *end)
        fputc('\n', out);
    fprintf(out, "%s%s%s", screen->changes, end, screen->keys ? "" : "\n");
}

static void screen_draw(Screen *screen)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    if (screen->keys)
        fputs(screen->clears ? "\033[H\033[2J" : "\n\n", out);
    if (screen->have) {
        char *end = screen_end(screen);
        screen->report.words = screen->words;
        if (screen->keys && !screen->whole)
            write_brief(out, &screen->report, screen->changes, end);
        else
            write_whole(out, screen, end);
        free(end);
    }
    fclose(out);
    fwrite(text, 1, size, stdout);
    free(text);
    screen->below = false;
    screen_keys(screen);
}

/* ---- the watch ---- */
typedef struct {
    const Lessons *lessons;
    WorkbookOptions options; /* for the checks */
    Saved saved[MAX_LESSONS];
    Past past[MAX_LESSONS];
    Screen screen;
    int at;     /* the lesson that is worked on */
    FILE *from; /* the check that runs, or NULL */
    pid_t child;
    FILE *remarks;         /* what it writes to stderr */
    bool wanted;           /* another check is to be started */
    bool told;             /* that a check takes a while */
    struct timespec since; /* when the check was wanted, or started */
    int later;             /* a key that waits for the check to end, or KEY_NONE */
    bool quit;
    bool from_prompt; /* it was started there, and goes back there */
} Watch;

static const char *name(const Watch *w)
{
    return w->lessons->names[w->at];
}

static int number_length(const Watch *w)
{
    return (int)strcspn(name(w), "_");
}

/* ---- checks ---- */
static void stop_check(Watch *w)
{
    if (!w->from)
        return;
    kill(w->child, SIGTERM);
    terminal_child(0);
    fclose(w->from);
    while (waitpid(w->child, NULL, 0) < 0 && errno == EINTR)
        ;
    w->from = NULL;
}

static void want_check(Watch *w, int lesson)
{
    stop_check(w);
    w->at = lesson;
    w->wanted = true;
    w->later = KEY_NONE;
    clock_gettime(CLOCK_MONOTONIC, &w->since);
}

/* Another lesson is switched to when its file is saved, not when it goes away; and not when this
 * one was saved with it. */
static void look(Watch *w)
{
    int saved = -1;
    for (int i = 0; i < w->lessons->count; i++)
        if (was_saved(&w->saved[i], w->lessons->names[i]) &&
            (i == w->at || (w->saved[i].there && saved < 0)))
            saved = saved == w->at ? saved : i;
    if (saved >= 0 && saved != w->at)
        lesson_remember(w->lessons->names[saved]);
    if (saved >= 0)
        want_check(w, saved);
}

static void start_check(Watch *w)
{
    const Saved *file = &w->saved[w->at];
    /* No file, or an empty one, is most often one that is being written. */
    if (w->from || !w->wanted ||
        ((!file->there || !file->size) && milliseconds_since(w->since) < MISSING_FOR))
        return;
    w->wanted = w->told = false;
    clock_gettime(CLOCK_MONOTONIC, &w->since);
    int remarks = fileno(w->remarks);
    if (lseek(remarks, 0, SEEK_SET) || ftruncate(remarks, 0))
        remarks = STDERR_FILENO;
    w->from = checker_start(name(w), &w->options, remarks, &w->child);
    if (w->from)
        terminal_child(w->child);
    else
        fprintf(stderr, "The check could not be started: %s\n", strerror(errno));
}

/* An endless loop is waited for: the screen is not to look as if nothing had happened. */
static void tell_of_waiting(Watch *w)
{
    if (!w->from || w->told || !w->screen.keys || milliseconds_since(w->since) < QUIET_FOR)
        return;
    w->told = true;
    screen_begin(&w->screen);
    printf("Checking lesson %.*s ...\n", number_length(w), name(w));
    screen_keys(&w->screen);
}

static void forget_screen(Screen *screen)
{
    if (screen->have)
        report_free(&screen->report);
    free(screen->changes);
    free(screen->remarks);
    free(screen->others);
    *screen = (Screen){.keys = screen->keys, .clears = screen->clears};
}

/* The last line of a pass is the screen's own: write_passed(). */
static Words words_on_screen(const Watch *w)
{
    Words words = words_for(w->lessons, name(w), &(WorkbookOptions){0});
    free((char *)words.onward);
    words.onward = NULL;
    if (w->screen.keys)
        words.hint = "h";
    if (w->from_prompt)
        words.prompt = " q, then";
    return words;
}

static void finish_check(Watch *w)
{
    Report report = {0};
    int code;
    FILE *from = w->from;
    w->from = NULL;
    terminal_child(0);
    bool good = checker_finish(from, w->child, &report, &code);
    char remarks[4096];
    ssize_t length = pread(fileno(w->remarks), remarks, sizeof remarks - 1, 0);
    remarks[length > 0 ? length : 0] = '\0';
    if (good) {
        forget_screen(&w->screen);
        w->screen.have = true;
        w->screen.report = report;
        w->screen.changes = changes_since(&w->past[w->at], &report);
        w->screen.remarks = format_text("%s", remarks);
        w->screen.next = lesson_after(w->lessons, name(w));
        w->screen.others = lesson_choice(w->lessons, w->screen.next);
        w->screen.words = words_on_screen(w);
        screen_draw(&w->screen);
        return;
    }
    screen_begin(&w->screen);
    printf("The check did not come to an end. r runs it again.\n%s", remarks);
    screen_keys(&w->screen);
}

/* ---- keys ---- */
static pid_t begin_command(Watch *w, int (*run)(const Lessons *, const WorkbookOptions *),
                           const WorkbookOptions *options, bool aside)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fprintf(stderr, "No process could be started: %s\n", strerror(errno));
    if (child != 0)
        return child;
    if (aside) {
        setpgid(0, 0);
        setenv("PAGER", "cat", 1); /* the keys are not its own */
        signal(SIGTTOU, SIG_IGN);  /* where `stty tostop` keeps the background from writing */
    }
    int code = run(w->lessons, options);
    fflush(stdout);
    _exit(code);
}

/* A command of the workbook, below what is on the screen; in a group of its own, so that whatever
 * it starts can be ended with it. */
static int show(Watch *w, int (*run)(const Lessons *, const WorkbookOptions *),
                const WorkbookOptions *options)
{
    int status = 0;
    pid_t child = begin_command(w, run, options, true);
    if (child < 0)
        return 2;
    setpgid(child, child);
    terminal_child(-child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    terminal_child(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* Nobody is told to be through on the strength of what was so once. */
static void check_everything(Watch *w)
{
    WorkbookOptions every = {0};
    puts("Every lesson is passed. All of them once more:\n");
    if (!show(w, check_all_command, &every)) {
        puts("\nAll done. You have written every lesson of this workbook.");
        return;
    }
    const char *failing = lesson_current(w->lessons);
    if (failing) {
        w->at = lesson_index(w->lessons, failing);
        printf("\nLesson %.*s does not pass any more: r shows why.\n", number_length(w), name(w));
    }
}

static void go_on(Watch *w)
{
    const char *next = lesson_after(w->lessons, name(w));
    if (next) {
        lesson_remember(next);
        want_check(w, lesson_index(w->lessons, next));
        return;
    }
    screen_begin(&w->screen);
    if (lesson_passed(name(w)))
        check_everything(w);
    else
        puts("This is the only lesson left.");
    screen_keys(&w->screen);
}

static void give_hint(Watch *w)
{
    const Report *report = &w->screen.report;
    WorkbookOptions options = {.lesson = name(w)};
    for (int i = 0; w->screen.have && !options.step && i < report->count; i++)
        if (!strcmp(report->lesson, options.lesson) && report->results[i].status != PASSED)
            options.step = report->results[i].step;
    options.report = options.step ? report : NULL;
    screen_begin(&w->screen);
    show(w, hint_command, &options);
    screen_keys(&w->screen);
}

static void say_why(Watch *w)
{
    WorkbookOptions options = {.lesson = name(w)};
    if (w->screen.have && !strcmp(w->screen.report.lesson, options.lesson))
        options.report = &w->screen.report;
    screen_begin(&w->screen);
    show(w, why_command, &options);
    screen_keys(&w->screen);
}

static void list_lessons(Watch *w)
{
    WorkbookOptions options = {.lesson = name(w)};
    screen_begin(&w->screen);
    show(w, lessons_command, &options);
    screen_keys(&w->screen);
}

/* The whole of the verdict, and back. */
static void list_checks(Watch *w)
{
    w->screen.whole = !w->screen.whole;
    screen_draw(&w->screen);
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static void edit(Watch *w)
{
    WorkbookOptions options = {.lesson = name(w)};
    screen_begin(&w->screen);
    if (!is_set("VISUAL") && !is_set("EDITOR")) {
        printf("Which editor? Leave with q, then say so, as in: export EDITOR=nano\n"
               "Or open exercises/%s.c in another window.\n",
               name(w));
    } else {
        pid_t editor = begin_command(w, edit_command, &options, false);
        int code = editor > 0 ? terminal_lend(editor) : 2;
        if (!code) {
            screen_draw(&w->screen);
            return;
        }
        printf("The editor ended with code %d.\n", code);
    }
    screen_keys(&w->screen);
}

/* Of the lesson that is watched. The keys' narrow line has no room for it, nor for m. */
static void race(Watch *w)
{
    WorkbookOptions options = {.lesson = name(w)};
    screen_begin(&w->screen);
    show(w, race_command, &options);
    screen_keys(&w->screen);
}

static void act(Watch *w, int key)
{
    enum { CTRL_D = 4 };
    if (key == 'q' || key == CTRL_D || key == KEY_END)
        w->quit = true;
    else if (key == 'r')
        want_check(w, w->at);
    else if (w->from && (key == 'n' || key == 'h' || key == 'w' || key == 'l' || key == 'm' ||
                         key == 'e' || key == 'f'))
        w->later = key; /* or the verdict would come on top of the answer */
    else if (key == 'n')
        go_on(w);
    else if (key == 'h')
        give_hint(w);
    else if (key == 'w')
        say_why(w);
    else if (key == 'l')
        list_checks(w);
    else if (key == 'm')
        list_lessons(w);
    else if (key == 'f')
        race(w);
    else if (key == 'e')
        edit(w);
}

/* ---- the loop ---- */
static void wait_a_moment(Watch *w)
{
    int key = terminal_key(LOOK_EVERY, w->from ? fileno(w->from) : -1);
    if (key != KEY_NONE) {
        act(w, key);
    } else if (w->from && terminal_readable(fileno(w->from))) {
        finish_check(w);
        key = w->later;
        w->later = KEY_NONE;
        act(w, key);
    }
    bool continued = terminal_continued(), resized = terminal_resized();
    if (continued && w->from)
        want_check(w, w->at); /* its limits ran out while everything was stopped */
    else if (continued && w->screen.below)
        screen_keys(&w->screen);
    else if ((continued || (resized && !w->screen.below)) && !w->from)
        screen_draw(&w->screen);
}

static bool begin(Watch *w, const Lessons *lessons, const WorkbookOptions *options)
{
    *w = (Watch){.lessons = lessons,
                 .options = {.seed = options->seed, .limit = options->limit},
                 .from_prompt = options->place == AT_PROMPT};
    if (options->step || options->impl || options->format) {
        fputs("watch takes LESSON, SEED and LIMIT, but no STEP, IMPL or FORMAT.\n", stderr);
        return false;
    }
    const char *lesson =
        options->lesson ? lesson_resolve(lessons, options->lesson) : lesson_current(lessons);
    if (!lessons->count || (options->lesson && !lesson))
        return false;
    w->at = lesson ? lesson_index(lessons, lesson) : 0;
    for (int i = 0; i < lessons->count; i++)
        was_saved(&w->saved[i], lessons->names[i]);
    w->remarks = tmpfile();
    if (!w->remarks)
        fprintf(stderr, "A temporary file could not be made: %s\n", strerror(errno));
    return w->remarks;
}

int watch_command(const Lessons *lessons, const WorkbookOptions *options)
{
    static Watch w;
    if (!begin(&w, lessons, options))
        return 2;
    const char *kind = getenv("TERM");
    w.screen.clears = kind && strcmp(kind, "dumb") != 0;
    w.screen.keys = terminal_open();
    want_check(&w, w.at);
    while (!w.quit) {
        look(&w);
        start_check(&w);
        tell_of_waiting(&w);
        wait_a_moment(&w);
    }
    stop_check(&w);
    terminal_close();
    forget_screen(&w.screen);
    for (int i = 0; i < lessons->count; i++)
        free(w.past[i].passed);
    fclose(w.remarks);
    return 0;
}
