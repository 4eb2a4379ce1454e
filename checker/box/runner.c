/* A Runner: the learner's file, compiled, behind a worker that is handed one call at a time.
 *
 * The invariant: every call ends in an answer of exactly the case's size, or in a reason. Nothing
 * in a frame is used before its length is checked, and a worker that has not behaved is ended and
 * replaced for the next call. */
#include "box.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

static bool worker_start(Runner *r)
{
    static const char *const argv[] = {"build/worker", NULL};
    Limits limits = {.cpu_seconds = 600, .stack_bytes = 8L << 20};
    if (!SANITIZED)
        limits.address_bytes = (long)(4 * r->worker.memory_limit);
    return channel_start(&r->worker, argv, &limits);
}

/* ---- asking ---- */
static uint64_t fresh_token(void)
{
    uint64_t token = 0;
    if (getentropy(&token, sizeof token) != 0)
        abort();
    return token;
}

/* What the worker says of its end; what ends no call would be an answer without arrays. */
static bool are_last_words(const Runner *r, const FrameHead *head)
{
    WireReport said = {.kind = GROWS};
    if (head->kind == ENDED && head->length == sizeof said)
        memcpy(&said, payload_of(&r->worker), sizeof said);
    return said.kind < GROWS;
}

/* Sends the request and waits for the frame of that kind and length which answers it. Anything else
 * that comes is GOT_FRAME too if it is the worker's last words, and else GARBAGE. */
static Outcome ask(Runner *r, double limit, FrameKind kind, size_t length, FrameHead *head)
{
    size_t most = length > sizeof(WireReport) ? length : sizeof(WireReport);
    Outcome outcome = exchange(&r->worker, limit, most, head);
    if (outcome != GOT_FRAME || are_last_words(r, head))
        return outcome;
    bool answers = head->kind == kind && head->length == length;
    answers = answers || (kind == ANSWER && head->kind == UNKNOWN && head->length == 0);
    return answers && head->token == r->token ? GOT_FRAME : GARBAGE;
}

/* ---- when it does not answer ---- */
static void out_of_time(const Runner *r, Answer *answer)
{
    answer->ending = OUT_OF_TIME;
    snprintf(answer->reason, sizeof answer->reason,
             "the calls of this check took more than %g s together", r->worker.budget);
    snprintf(answer->ended_by, sizeof answer->ended_by, "time limit");
}

/* The call is over without an answer: says why, and ends the worker. */
static void give_up(Runner *r, Outcome outcome, const Function *function, const size_t *lengths,
                    Answer *answer)
{
    WireReport report = {.kind = BY_TIME, .param = -1};
    answer->ending = TIMED_OUT;
    if (outcome == GOT_FRAME) {
        memcpy(&report, payload_of(&r->worker), sizeof report);
        channel_end(&r->worker);
        explain_report(&r->built, &r->worker, function, lengths, &report, answer);
        return;
    }
    if (outcome == GONE) {
        bool closed = channel_closed(&r->worker);
        explain_silence(channel_end(&r->worker), closed, answer);
        return;
    }
    channel_end(&r->worker);
    if (outcome == TOO_LATE || outcome == TOO_BIG || outcome == TOO_LOUD) {
        report.kind = outcome == TOO_BIG ? BY_MEMORY : outcome == TOO_LOUD ? BY_OUTPUT : BY_TIME;
        explain_report(&r->built, &r->worker, function, lengths, &report, answer);
    } else if (outcome == OVER_BUDGET) {
        out_of_time(r, answer);
    } else if (outcome == TOO_MANY) {
        snprintf(answer->reason, sizeof answer->reason,
                 "started more threads than the checker allows");
        snprintf(answer->ended_by, sizeof answer->ended_by, "thread limit");
    } else {
        answer->ending = QUIT;
        snprintf(answer->reason, sizeof answer->reason, "wrote into the channel to the checker");
        snprintf(answer->ended_by, sizeof answer->ended_by, "channel");
    }
}

/* A process of ours, says errno. */
static void cant_start(const char *what, char *reason, size_t size)
{
    char limits[200];
    const char *failure = strerror(errno);
    limits_in_force(limits, sizeof limits);
    snprintf(reason, size, "Can't start %s: %s.%s%s", what, failure,
             limits[0] ? " Limits here: " : "", limits);
}

/* It ended, or did not come to it, before it ran any of the learner's code. */
static void not_started(Runner *r, Outcome outcome, Answer *answer)
{
    char limits[240], said[120] = "", how[48] = ""; /* all fit into a reason */
    int status = channel_end(&r->worker), end;
    limits_in_force(limits, sizeof limits);
    buffer_append(&r->worker.printed, "", 1);
    for (end = 0; r->worker.printed.data[end] == '\n' || r->worker.printed.data[end] == '='; end++)
        continue;
    snprintf(said, sizeof said, "%.*s", (int)strcspn(r->worker.printed.data + end, "\n"),
             r->worker.printed.data + end);
    if (outcome == TOO_LATE)
        snprintf(how, sizeof how, "was not ready in time");
    else if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "ended by signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(status));
    answer->ending = NOT_STARTED;
    snprintf(answer->reason, sizeof answer->reason,
             "build/worker %s before anything of yours ran.%s%s%s%s", how,
             said[0] ? " It said: " : "", said, limits[0] ? " Limits here: " : "", limits);
}

/* ---- loading ---- */
/* Tells a worker what to load, which takes nothing from the calls' budget. False: `answer` says how
 * that ended, or error what the linker says. */
static bool load(Runner *r, Answer *answer, char *error, size_t error_size)
{
    WireLimits limits = {r->worker.memory_limit, r->options.calls != NULL};
    WireLoaded loaded;
    FrameHead head;
    if (!r->worker.child.pid && !worker_start(r)) {
        cant_start("build/worker", answer->reason, sizeof answer->reason);
        answer->ending = NOT_STARTED;
        return false;
    }
    r->token = fresh_token();
    frame_open(&r->worker.request, LOAD, r->token);
    buffer_append(&r->worker.request, &limits, sizeof limits);
    buffer_append(&r->worker.request, r->built.object, strlen(r->built.object));
    frame_close(&r->worker.request);
    double began = clock_awake(), until = r->worker.until;
    r->worker.until = 0;
    Outcome outcome = ask(r, r->worker.call_limit + 5, LOADED, sizeof loaded, &head);
    waited_since(&r->worker); /* which gives it nothing either */
    r->worker.until = until > 0 ? until + clock_awake() - began : 0;
    if (!r->worker.loading) {
        not_started(r, outcome, answer);
        return false;
    }
    if (outcome != GOT_FRAME || head.kind != LOADED) {
        give_up(r, outcome, NULL, NULL, answer);
        return false;
    }
    memcpy(&loaded, payload_of(&r->worker), sizeof loaded);
    loaded.error[sizeof loaded.error - 1] = '\0';
    if (loaded.error[0])
        explain_linker(r, loaded.error, error, error_size);
    return !loaded.error[0];
}

/* ---- the interface: see Runners in run.h ---- */
static void set_up(Runner *r, const RunnerOptions *options)
{
    r->options = *options;
    r->worker = (Channel){.call_limit = options->call_limit,
                          .memory_limit = options->memory_limit,
                          .printed_limit = options->printed_limit,
                          .patience = MOST_WAITED};
    r->options.source = r->built.source = strdup(options->source);
    r->options.path = r->built.path = strdup(options->path ? options->path : options->source);
    char *shown = strdup(options->source);
    put_on_one_line(shown);
    r->built.shown = shown;
    r->options.header = strdup(options->header);
}

static void stop(Runner *r)
{
    child_end(&r->compiler);
    channel_free(&r->worker);
    folder_remove(&r->built.folder);
    free(r->warnings);
    free((char *)(uintptr_t)r->built.source);
    free((char *)(uintptr_t)r->built.path);
    free((char *)(uintptr_t)r->built.shown);
    free((char *)(uintptr_t)r->options.header);
    free(r);
}

/* What is only to pass or not is compiled in half the time. Without the optimizer a function that
 * is `inline` and not static would be missing. */
#define PLAINLY "-g0 -O0 -fgnu89-inline"

static Runner *begin(const RunnerOptions *options)
{
    Runner *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    set_up(r, options);
    close_memory(); /* which holds what is expected */
    if (!build_prepare(r, r->begin_error, sizeof r->begin_error))
        return r;
    if (!build_start(r, options->without_lines ? PLAINLY : "", &r->compiler))
        cant_start("the compiler", r->begin_error, sizeof r->begin_error);
    else if (!options->busy)
        worker_start(r); /* beside the compiler; load() tries again if this failed */
    return r;
}

static bool ready(Runner *r, char *error, size_t error_size, const char **advice)
{
    snprintf(error, error_size, "%s", r->begin_error);
    r->machine = error[0];
    if (!error[0] && r->options.busy)
        worker_start(r);
    if (!error[0])
        r->warnings = build_finish(r, &r->compiler, error, error_size);
    if (r->warnings && load(r, &r->never_loaded, error, error_size))
        r->loads = true;
    if (r->never_loaded.ending == NOT_STARTED) {
        r->machine = true;
        snprintf(error, error_size, "%s", r->never_loaded.reason);
    }
    *advice = r->machine ? NULL : error + r->said + (error[r->said] == '\n');
    if (error[0])
        stop(r);
    return !error[0];
}

static const char *warnings(const Runner *runner)
{
    return runner->warnings;
}

size_t put_case(Buffer *request, FrameKind kind, uint64_t token, const Case *c, size_t *lengths)
{
    const Function *f = c->function;
    WireCall call = {.count = 0};
    size_t answer_size = sizeof(WireAnswer);
    snprintf(call.function, sizeof call.function, "%s", f->symbol);
    for (int i = 0; i < f->count; i++) {
        WireParam *p = &call.params[i];
        lengths[i] = case_length(c, i);
        if (f->params[i].role == RETURNED) {
            call.returns_int = f->params[i].is_int;
            continue;
        }
        call.count = (uint32_t)i + 1;
        p->role = f->params[i].role;
        if (p->role == SIZE)
            p->value.size = c->sizes[i];
        if (p->role == SCALAR)
            p->value.scalar = c->scalars[i];
        p->is_null = c->null[i];
        if (is_array(f->params[i].role)) {
            p->length = (uint32_t)lengths[i];
            answer_size += lengths[i] * sizeof(float);
        }
    }
    frame_open(request, kind, token);
    buffer_append(request, &call, sizeof call);
    for (int i = 0; i < f->count; i++)
        if (is_given(f->params[i].role) && lengths[i])
            buffer_append(request, c->given[i], lengths[i] * sizeof(float));
    frame_close(request);
    return answer_size;
}

/* Copies an answer's arrays out of the frame, whose length is known to be right. */
static void take_answer(const Runner *r, const Function *f, const size_t *lengths, Answer *answer)
{
    WireAnswer wire;
    const char *at = payload_of(&r->worker);
    memcpy(&wire, at, sizeof wire);
    at += sizeof wire;
    answer->ending = ANSWERED;
    answer->kept_memory = wire.kept > 0;
    for (int i = 0; i < f->count; i++) {
        bool array = is_array(f->params[i].role);
        size_t bytes = array ? lengths[i] * sizeof(float) : sizeof(float);
        if (!array && f->params[i].role != RETURNED)
            continue;
        answer->left[i] = malloc(bytes ? bytes : 1);
        if (!answer->left[i])
            abort();
        memcpy(answer->left[i], array ? at : (const char *)&wire.returned, bytes);
        at += array ? bytes : 0;
    }
}

static void budget(Runner *r, double seconds)
{
    channel_budget(&r->worker, seconds);
}

static double time_left(Runner *r)
{
    return channel_time_left(&r->worker);
}

/* Sends the case and waits. False: the answer is there, because there is no frame of that kind. */
static bool send_case(Runner *r, FrameKind kind, double limit, const Case *c, size_t *lengths,
                      FrameHead *head, Answer *answer)
{
    r->token = fresh_token();
    size_t size = put_case(&r->worker.request, kind, r->token, c, lengths);
    Outcome outcome = kind == CALL ? ask(r, limit, ANSWER, size, head)
                                   : ask(r, limit, LEAKING, sizeof(WireReport), head);
    if (outcome == GOT_FRAME && head->kind != ENDED)
        return true;
    give_up(r, outcome, c->function, lengths, answer);
    return false;
}

static void call(Runner *r, const Case *c, Answer *answer)
{
    size_t lengths[MAX_PARAMS];
    char error[256] = "";
    FrameHead head;
    *answer = (Answer){.ending = CRASHED};
    r->worker.printed.length = r->worker.printed_total = 0;
    if (!r->loads) {
        *answer = r->never_loaded;
    } else if (!r->worker.child.pid && !load(r, answer, error, sizeof error)) {
        if (error[0])
            snprintf(answer->reason, sizeof answer->reason, "%s", error);
    } else if (time_left(r) <= 0) {
        out_of_time(r, answer);
    } else if (send_case(r, CALL, r->worker.call_limit, c, lengths, &head, answer)) {
        if (head.kind == UNKNOWN)
            explain_missing(&r->built, c->function, answer);
        else
            take_answer(r, c->function, lengths, answer);
    }
    buffer_append(&r->worker.printed, "", 1);
    answer->printed = strdup(r->worker.printed.data);
    answer->printed_total = r->worker.printed_total;
}

static bool leaks(Runner *r, const Case *c, Answer *answer)
{
    size_t lengths[MAX_PARAMS];
    char error[256] = "";
    FrameHead head;
    WireReport report;
    *answer = (Answer){.ending = ANSWERED};
    r->worker.printed.length = r->worker.printed_total = 0;
    if (!r->loads || (!r->worker.child.pid && !load(r, answer, error, sizeof error)))
        return false;
    if (!send_case(r, LEAKS, 6 * r->worker.call_limit, c, lengths, &head, answer))
        return true;
    memcpy(&report, payload_of(&r->worker), sizeof report);
    if (report.kind != GROWS)
        return false;
    explain_report(&r->built, &r->worker, c->function, lengths, &report, answer);
    return true;
}

const Runners processes = {.begin = begin,
                           .ready = ready,
                           .warnings = warnings,
                           .budget = budget,
                           .time_left = time_left,
                           .call = call,
                           .leaks = leaks,
                           .debug = debug_case,
                           .stop = stop,
                           .missing_protections = missing_protections};
