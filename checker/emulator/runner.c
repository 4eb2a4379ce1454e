/* A Runner without a process: the learner's file is compiled to an image, and a machine of ours
 * makes the calls.
 *
 * The invariant: as for box/runner.c: every call ends in an answer of exactly the case's size, or
 * in a reason; and what ended badly leaves nothing to the next call. Time is counted in
 * instructions: the same file gets the same verdict on every computer. */
#include "library.h"

#include <stdlib.h>

struct Runner {
    RunnerOptions options;
    Image image;
    Machine machine;
    char error[2048];
    bool made;
    char *warnings;
    double budget, left; /* instructions; 0: no limit */
    bool kept_some;      /* memory, in any call so far */
};

/* ---- the texts ---- */
static bool begins(const char *text, const char *beginning)
{
    return !strncmp(text, beginning, strlen(beginning));
}

/* Those of include/, a lesson's calls.h, and those beside the learner's file. */
static char *header(void *context, const char *path)
{
    const Runner *r = context;
    if (begins(path, "include/") && !strchr(path + strlen("include/"), '/'))
        return read_file(path, NULL);
    if (r->options.calls && !strcmp(path, "memory.h")) /* the library has what is in it */
        return strdup("");
    if (r->options.calls && !strcmp(path, "calls.h")) {
        char *name = format_text("checker/lessons/%s/calls.h", lesson_name);
        char *text = read_file(name, NULL);
        free(name);
        return text;
    }
    return strchr(path, '/')
               ? NULL
               : read_beside(r->options.path ? r->options.path : r->options.source, path);
}

/* "exercises/a\"b.c" for a #line. */
static void append_quoted(Buffer *out, const char *name)
{
    for (; *name; name++) {
        const char *escape = *name == '"' || *name == '\\' ? "\\" : "";
        buffer_append(out, escape, strlen(escape));
        buffer_append(out, *name == '\n' ? "?" : name, 1);
    }
}

static void append_file(Buffer *out, const char *path)
{
    char *text = read_file(path, NULL);
    if (text)
        buffer_append(out, text, strlen(text));
    free(text);
}

/* What stands before each text: the library's names. */
static Buffer prelude(void)
{
    Buffer out = {0};
    append_file(&out, "checker/box/trial_prelude.h");
    append_file(&out, "checker/emulator/prelude.h");
    return out;
}

/* `at`: where the learner's own begins in it. */
static char *learners_text(const RunnerOptions *o, size_t *at)
{
    Buffer out = prelude();
    const char *const pieces[] = {"\n#include \"", o->header, "\"\n#line 1 \""};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        buffer_append(&out, pieces[i], strlen(pieces[i]));
    append_quoted(&out, o->source);
    buffer_append(&out, "\"\n", 2);
    *at = out.length;
    buffer_append(&out, o->text, o->length);
    buffer_append(&out, "\n", 2);
    return out.data;
}

static char *lessons_text(void)
{
    Buffer out = prelude();
    char *before = text_before(), *behind = text_behind();
    buffer_append(&out, before, strlen(before));
    buffer_append(&out, "\n", 1);
    buffer_append(&out, behind, strlen(behind) + 1);
    free(before);
    free(behind);
    return out.data;
}

/* ---- the interface: see Runners in run.h ---- */
static Runner *begin(const RunnerOptions *options)
{
    Runner *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->options = *options;
    size_t own_at, stopped_at = SIZE_MAX;
    char undefined[NAME_SIZE] = "";
    char *texts[] = {learners_text(options, &own_at), options->calls ? lessons_text() : NULL, NULL};
    const Sources sources = {
        options->source, (const char *const *)texts, header, r, &stopped_at, undefined,
        CALLS_PREFIX};
    r->made = image_make(&r->image, &sources, r->error, sizeof r->error);
    if (!r->made && stopped_at != SIZE_MAX) /* behind the text's end the compiler is nowhere */
        complain(options, stopped_at >= own_at ? stopped_at - own_at : options->length, r->error,
                 sizeof r->error);
    else if (undefined[0])
        complain_of_undefined(options, undefined, r->error, sizeof r->error);
    r->warnings = r->made ? warnings_of(options) : NULL;
    free(texts[0]);
    free(texts[1]);
    return r;
}

static void stop(Runner *r)
{
    machine_close(&r->machine);
    image_free(&r->image);
    free(r->warnings);
    free(r);
}

static bool ready(Runner *r, char *error, size_t error_size, const char **advice)
{
    if (r->made) {
        machine_open(&r->machine, &r->image);
        r->machine.garbage = r->options.calls ? STALE_BITS & 0xff : MALLOC_BITS & 0xff;
        r->machine.held_limit = r->options.memory_limit;
        r->machine.printed_limit = r->options.printed_limit;
        return true;
    }
    snprintf(error, error_size, "%s", r->error);
    *advice = strstr(error, ": error: ") ? error + strlen(error) : error;
    stop(r);
    return false;
}

static const char *warnings(const Runner *runner)
{
    return runner->warnings;
}

static void budget(Runner *r, double seconds)
{
    r->budget = r->left = seconds * INSTRUCTIONS_A_SECOND;
}

static double time_left(Runner *r)
{
    return r->budget > 0 ? r->left / INSTRUCTIONS_A_SECOND : INFINITY;
}

/* ---- a call ---- */
static void say_where(const Runner *r, const WireReport *report, char *where, size_t size)
{
    int line = 0;
    for (uint32_t i = 0; i < report->frame_count && !line; i++)
        line = image_line(&r->image, (uint32_t)report->frames[i]);
    where[0] = '\0';
    if (line)
        snprintf(where, size, " at %s:%d", r->options.source, line);
    else if (r->options.calls && report->frame_count)
        snprintf(where, size, " when the checker used what your functions left");
}

static void out_of_time(const Runner *r, Answer *answer)
{
    say_ended(answer, OUT_OF_TIME, "time limit",
              "the calls of this check took more than %.4g million instructions together",
              r->budget * 1e-6);
}

/* A call's limit, in instructions. The hungriest right styles, which go through all numbers again
 * for each of them, take 3.5 for each pair; those that do not, some million in all, and lesson 06's
 * whole lives, of few numbers, 10 million. An endless loop mostly shows with the first and smallest
 * case, but in every function that calls the one it is in: so each ends soon. */
static double most_instructions(const Runner *r, const Case *c)
{
    const double numbers = (double)case_numbers(c);
    const double a_second = 5e7 + 32 * numbers * numbers;
    return r->options.call_limit *
           (a_second < INSTRUCTIONS_A_SECOND ? a_second : INSTRUCTIONS_A_SECOND);
}

static void explain(Runner *r, const Case *c, Answer *answer)
{
    const WireReport *report = &r->machine.report;
    size_t lengths[MAX_PARAMS];
    char where[600], limit[48];
    for (int i = 0; i < c->function->count; i++)
        lengths[i] = case_length(c, i);
    say_where(r, report, where, sizeof where);
    snprintf(limit, sizeof limit, "%.4g million instructions", most_instructions(r, c) * 1e-6);
    explain_ended(report,
                  &(EndedCall){c->function, lengths, where, limit, r->options.memory_limit,
                               r->options.printed_limit},
                  answer);
}

static void take_answer(Runner *r, const Case *c, Answer *answer)
{
    const Function *f = c->function;
    answer->ending = ANSWERED;
    for (int i = 0; i < f->count; i++) {
        const bool array = is_array(f->params[i].role);
        const size_t bytes = array ? case_length(c, i) * sizeof(float) : sizeof(float);
        if (!array && f->params[i].role != RETURNED)
            continue;
        answer->left[i] = calloc(1, bytes ? bytes : 1);
        if (!answer->left[i])
            abort();
        if (bytes && !c->null[i])
            memcpy(answer->left[i], argument_left(&r->machine, c, i), bytes);
    }
}

/* False: it did not return, or there is no such function, and `answer` says so. Whatever a call
 * that did not return has changed is undone. */
static bool make_call(Runner *r, const Case *c, Answer *answer)
{
    Machine *m = &r->machine;
    const ImageSymbol *function = image_function(&r->image, c->function->symbol);
    if (!function) {
        say_ended(answer, NOT_DEFINED, "", "%s is not defined in %s", c->function->name,
                  r->options.source);
        return false;
    }
    const double most = most_instructions(r, c);
    const bool last = r->budget > 0 && r->left < most;
    machine_begin(m);
    arguments_place(m, c);
    m->left = (int64_t)(last ? r->left : most);
    const int64_t begun = m->left;
    const int blocks = m->blocks;
    bool returned = machine_call(m, REGION_START(IMAGE_REGION) + function->at);
    r->left -= (double)(begun - m->left);
    answer->kept_memory = m->blocks > blocks;
    r->kept_some = r->kept_some || answer->kept_memory;
    if (returned)
        return true;
    if (m->report.kind == BY_TIME && last)
        out_of_time(r, answer);
    else
        explain(r, c, answer);
    machine_reset(m);
    return false;
}

static void call(Runner *r, const Case *c, Answer *answer)
{
    Machine *m = &r->machine;
    *answer = (Answer){.ending = CRASHED};
    m->printed.length = m->printed_total = 0;
    if (r->budget > 0 && r->left <= 0)
        out_of_time(r, answer);
    else if (make_call(r, c, answer))
        take_answer(r, c, answer);
    buffer_append(&m->printed, "", 1);
    answer->printed = strdup(m->printed.data);
    answer->printed_total = m->printed_total;
}

/* ---- leaks: as box/worker.c looks for them ---- */
typedef struct {
    int rounds, warm_up, calls;
    double most; /* instructions: what takes more keeps its secret */
} Look;
static const Look few_calls = {6, 3, 1, INFINITY},
                  rounds_of_calls = {6, 1, 12, 0.5 * INSTRUCTIONS_A_SECOND};

/* 1: memory grows; 0: it does not; -1: a call did not return. */
static int grows(Runner *r, const Case *c, const Look *look, Answer *answer)
{
    Machine *m = &r->machine;
    const double begun = r->left;
    bool each = true;
    for (int round = 0; round < look->rounds && each; round++) {
        const int blocks = m->blocks;
        const size_t held = m->held - m->bytes_left;
        for (int i = 0; i < look->calls && begun - r->left < look->most; i++)
            if (!make_call(r, c, answer))
                return -1;
        if (round < look->warm_up)
            continue;
        each = m->blocks > blocks;
        m->report = (WireReport){.kind = GROWS,
                                 .param = -1,
                                 .number = look->calls,
                                 .size = m->held - m->bytes_left - held,
                                 .what = "malloc"};
    }
    for (int i = m->region_count - 1; each && i > 0 && !m->report.frame_count; i--)
        if (m->regions[i].kind == A_BLOCK && !m->regions[i].left) {
            m->report.frames[0] = m->regions[i].allocated_at;
            m->report.frame_count = 1;
        }
    return each && begun - r->left < look->most;
}

static const Look until_it_stops = {240, 0, 12, 0.5 * INSTRUCTIONS_A_SECOND};
enum { MOST_KEPT = 16 << 20 }; /* bytes */

/* As there; who does not return does not stop. */
static bool stops(Runner *r, const Case *c)
{
    const Look *look = &until_it_stops;
    const WireReport report = r->machine.report; /* of the leak that it may be */
    const double begun = r->left;
    const size_t held = r->machine.held;
    bool stopped = false, goes_on = true;
    for (int round = 0; round < look->rounds && goes_on && !stopped; round++) {
        const int blocks = r->machine.blocks;
        for (int i = 0; i < look->calls && goes_on; i++) {
            Answer ended = {.ending = ANSWERED};
            goes_on = begun - r->left < look->most && r->machine.held < held + MOST_KEPT &&
                      make_call(r, c, &ended);
            answer_free(&ended);
        }
        stopped = goes_on && r->machine.blocks <= blocks;
    }
    r->machine.report = report;
    return stopped;
}

static bool leaks(Runner *r, const Case *c, Answer *answer)
{
    *answer = (Answer){.ending = ANSWERED};
    r->machine.printed.length = r->machine.printed_total = 0;
    int found = grows(r, c, &few_calls, answer);
    if (!found && r->kept_some)
        found = grows(r, c, &rounds_of_calls, answer);
    if (found == 1 && stops(r, c))
        found = 0;
    if (found == 1)
        explain(r, c, answer);
    return found != 0;
}

static void debug(Runner *r, const Case *c)
{
    (void)c;
    fputs("A debugger needs a process, and the emulator has none.\n", stderr);
    stop(r);
}

static char *missing_protections(void)
{
    return format_text("Run by the emulator, which needs no sandbox and is slower: of the "
                       "compiler's warnings it has four.");
}

const Runners emulated = {.begin = begin,
                          .ready = ready,
                          .warnings = warnings,
                          .budget = budget,
                          .time_left = time_left,
                          .beside = 0.1,
                          .call = call,
                          .leaks = leaks,
                          .debug = debug,
                          .stop = stop,
                          .missing_protections = missing_protections};
