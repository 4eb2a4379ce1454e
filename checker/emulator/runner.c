/* A Runner without a process: the learner's file is compiled to an image, and a machine of ours
 * makes the calls.
 *
 * The invariant: as for box/runner.c: every call ends in an answer of exactly the case's size, or
 * in a reason; and what ended badly leaves nothing to the next call. Time is counted in
 * instructions: the same file gets the same verdict on every computer. */
#include "library.h"

#include <stdlib.h>

/* So many instructions count as a second, in the limits and budgets that are in seconds: a right
 * program may take as many as a compiled one does in that time. */
#define INSTRUCTIONS_A_SECOND 4e9

struct Runner {
    RunnerOptions options;
    Image image;
    Machine machine;
    char error[2048];
    bool made;
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

static char *learners_text(const RunnerOptions *o)
{
    Buffer out = prelude();
    const char *const pieces[] = {"\n#include \"", o->header, "\"\n#line 1 \""};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        buffer_append(&out, pieces[i], strlen(pieces[i]));
    append_quoted(&out, o->source);
    buffer_append(&out, "\"\n", 2);
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
    char *texts[] = {learners_text(options), options->calls ? lessons_text() : NULL, NULL};
    const Sources sources = {options->source, (const char *const *)texts, header, r};
    r->made = image_make(&r->image, &sources, r->error, sizeof r->error);
    free(texts[0]);
    free(texts[1]);
    return r;
}

static void stop(Runner *r)
{
    machine_close(&r->machine);
    image_free(&r->image);
    free(r);
}

static bool ready(Runner *r, char *error, size_t error_size, const char **advice)
{
    if (r->made) {
        machine_open(&r->machine, &r->image);
        machine_reset(&r->machine);
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
    (void)runner;
    return "";
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
/* Puts the arguments where arm64's calling convention has them: whole numbers and addresses, then
 * floats, each kind in its registers; the ninth whole number and what follows on the stack. */
typedef struct {
    uint64_t words[CALL_PARAMS];
    int count, floats;
} Arguments;

static void fill_array(Runner *r, const Case *c, int i)
{
    const uint32_t untouched = UNTOUCHED_BITS;
    const size_t length = case_length(c, i);
    const Role role = c->function->params[i].role;
    unsigned char *array = machine_array(&r->machine, i, length * sizeof untouched, role == INPUT);
    if (is_given(role) && length)
        memcpy(array, c->given[i], length * sizeof untouched);
    for (size_t k = 0; role == OUTPUT && k < length; k++)
        memcpy(array + k * sizeof untouched, &untouched, sizeof untouched);
}

static void place_arguments(Runner *r, const Case *c)
{
    Machine *m = &r->machine;
    Arguments a = {.count = 0};
    for (int i = 0; i < c->function->count; i++) {
        const Role role = c->function->params[i].role;
        if (role == SIZE)
            a.words[a.count++] = (uint64_t)(int64_t)c->sizes[i];
        if (role == SCALAR)
            memcpy(&m->v[a.floats++].low, &c->scalars[i], sizeof c->scalars[i]);
        if (!is_array(role))
            continue;
        if (!c->null[i])
            fill_array(r, c, i);
        a.words[a.count++] = c->null[i] ? 0 : array_address(i);
    }
    int behind = a.count > 8 ? a.count - 8 : 0;
    memcpy(m->x, a.words, (size_t)(a.count - behind) * sizeof *a.words);
    if (behind && stack_move(m, m->x[STACK_POINTER] - (uint64_t)(behind + behind % 2) * 8))
        memcpy(reach(m, m->x[STACK_POINTER], (uint64_t)behind * 8, true), a.words + 8,
               (size_t)behind * 8);
}

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

static void explain(Runner *r, const Case *c, Answer *answer)
{
    const WireReport *report = &r->machine.report;
    size_t lengths[MAX_PARAMS];
    char where[600], limit[48];
    for (int i = 0; i < c->function->count; i++)
        lengths[i] = case_length(c, i);
    say_where(r, report, where, sizeof where);
    snprintf(limit, sizeof limit, "%.4g million instructions",
             r->options.call_limit * INSTRUCTIONS_A_SECOND * 1e-6);
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
        const void *from = &r->machine.v[0].low;
        if (array)
            from = r->machine.regions[FIRST_ARRAY + i].memory;
        else if (f->params[i].is_int)
            from = &r->machine.x[0];
        if (bytes && !c->null[i])
            memcpy(answer->left[i], from, bytes);
    }
}

/* False: it did not return, or there is no such function, and `answer` says so. Whatever a call
 * that did not return has changed is undone. */
static bool make_call(Runner *r, const Case *c, Answer *answer)
{
    Machine *m = &r->machine;
    const ImageFunction *function = image_function(&r->image, c->function->symbol);
    if (!function) {
        say_ended(answer, NOT_DEFINED, "", "%s is not defined in %s", c->function->name,
                  r->options.source);
        return false;
    }
    const double most = r->options.call_limit * INSTRUCTIONS_A_SECOND;
    const bool last = r->budget > 0 && r->left < most;
    machine_begin(m);
    place_arguments(r, c);
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
        const size_t held = m->held;
        for (int i = 0; i < look->calls && begun - r->left < look->most; i++)
            if (!make_call(r, c, answer))
                return -1;
        if (round < look->warm_up)
            continue;
        each = m->blocks > blocks;
        m->report = (WireReport){.kind = GROWS,
                                 .param = -1,
                                 .number = look->calls,
                                 .size = m->held - held,
                                 .what = "malloc"};
    }
    for (int i = m->region_count - 1; each && i > 0 && !m->report.frame_count; i--)
        if (m->regions[i].kind == A_BLOCK) {
            m->report.frames[0] = m->regions[i].allocated_at;
            m->report.frame_count = 1;
        }
    return each && begun - r->left < look->most;
}

static bool leaks(Runner *r, const Case *c, Answer *answer)
{
    *answer = (Answer){.ending = ANSWERED};
    r->machine.printed.length = r->machine.printed_total = 0;
    int found = grows(r, c, &few_calls, answer);
    if (!found && r->kept_some)
        found = grows(r, c, &rounds_of_calls, answer);
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
    return format_text("Run by the emulator, which needs no sandbox: without the compiler's "
                       "warnings and without the search for the line.");
}

const Runners emulated = {.begin = begin,
                          .ready = ready,
                          .warnings = warnings,
                          .budget = budget,
                          .time_left = time_left,
                          .call = call,
                          .leaks = leaks,
                          .debug = debug,
                          .stop = stop,
                          .missing_protections = missing_protections};
