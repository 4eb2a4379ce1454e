/* A Runner: the learner's file, compiled, behind a worker that is handed one call at a time.
 *
 * The invariant: every call ends in an answer of exactly the case's size, or in a reason. Nothing
 * in a frame is used before its length is checked, and a worker that has not behaved is ended and
 * replaced for the next call. */
#include "runner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *payload(const Runner *r)
{
    return r->reply.data + sizeof(FrameHead);
}

/* ---- when it does not answer ---- */
/* What the worker says of its end. A report that ends no call can't come from it: it would be an
 * answer without arrays. */
static bool last_words(const Runner *r, Outcome outcome, const FrameHead *head, WireReport *report)
{
    WireReport said;
    if (outcome != GOT_FRAME || head->kind != ENDED || head->length != sizeof said)
        return false;
    memcpy(&said, payload(r), sizeof said);
    if (said.kind >= GROWS)
        return false;
    *report = said;
    return true;
}

/* The call is over without an answer: says why, and ends the worker. */
static void give_up(Runner *r, Outcome outcome, const FrameHead *head, const Function *function,
                    const size_t *lengths, Answer *answer)
{
    WireReport report = {.kind = BY_TIME, .param = -1};
    answer->ending = TIMED_OUT;
    if (last_words(r, outcome, head, &report)) {
        worker_end(r);
        explain(r, function, lengths, &report, answer);
        return;
    }
    if (outcome == GONE) {
        bool closed = worker_closed_channel(r);
        explain_silence(worker_end(r), closed, answer);
        return;
    }
    worker_end(r);
    if (outcome == TOO_LATE || outcome == TOO_BIG) {
        report.kind = outcome == TOO_BIG ? BY_MEMORY : BY_TIME;
        explain(r, function, lengths, &report, answer);
    } else if (outcome == TOO_MANY) {
        snprintf(answer->reason, sizeof answer->reason,
                 "started more threads than the checker allows");
        snprintf(answer->ended_by, sizeof answer->ended_by, "thread limit");
    } else if (outcome == TOO_LOUD) {
        snprintf(answer->reason, sizeof answer->reason, "printed more than %zu KB",
                 r->options.printed_limit >> 10);
        snprintf(answer->ended_by, sizeof answer->ended_by, "output limit");
    } else {
        answer->ending = QUIT;
        snprintf(answer->reason, sizeof answer->reason, "wrote into the channel to the checker");
        snprintf(answer->ended_by, sizeof answer->ended_by, "channel");
    }
}

/* ---- loading ---- */
/* glibc: "x.so: undefined symbol: row_men"
 * musl:  "Error relocating x.so: row_men: symbol not found"
 * macOS: "dlopen(x.so, 0x0002): symbol not found in flat namespace '_row_men'" */
const char *missing_symbol(const char *said)
{
    static const char *const before[] = {"undefined symbol: ", "flat namespace '_"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = strstr(said, before[i]);
        if (found)
            return found + strlen(before[i]);
    }
    const char *name = strstr(said, ": symbol not found");
    while (name && name > said && name[-1] != ' ')
        name--;
    return name;
}

static void explain_linker(Runner *r, const char *said, char *error, size_t error_size)
{
    const char *symbol = missing_symbol(said);
    if (!symbol) {
        snprintf(error, error_size, "The compiled file can't be loaded (%s).%s", said,
                 strstr(said, "map") ? " Its static arrays may be too large." : "");
        return;
    }
    snprintf(error, error_size, "%s", r->warnings);
    r->said = strlen(error);
    snprintf(error + r->said, error_size - r->said, "%s%.*s is used%s but defined nowhere in %s.",
             r->said ? "\n" : "", (int)strcspn(symbol, " \n,:'"), symbol,
             r->calls[0] ? " or asked for" : "", r->options.source);
}

/* Tells a worker what to load. False: `answer` says how that ended, or error what the linker says.
 */
static bool load(Runner *r, Answer *answer, char *error, size_t error_size)
{
    WireLimits limits = {r->options.call_limit, r->options.memory_limit};
    WireLoaded loaded;
    FrameHead head;
    if (!r->worker.pid && !worker_start(r)) {
        snprintf(error, error_size, "Can't start build/worker: %s.", strerror(errno));
        return false;
    }
    frame_open(&r->request, LOAD);
    buffer_append(&r->request, &limits, sizeof limits);
    buffer_append(&r->request, r->object, strlen(r->object));
    frame_close(&r->request);
    Outcome outcome = exchange(r, r->options.call_limit + 5, sizeof(WireReport), &head);
    if (outcome != GOT_FRAME || head.kind != LOADED || head.length != sizeof loaded) {
        give_up(r, outcome, &head, NULL, NULL, answer);
        return false;
    }
    memcpy(&loaded, payload(r), sizeof loaded);
    loaded.error[sizeof loaded.error - 1] = '\0';
    if (loaded.error[0])
        explain_linker(r, loaded.error, error, error_size);
    return !loaded.error[0];
}

/* ---- the interface: see engine.h ---- */
static void set_up(Runner *r, const RunnerOptions *options)
{
    r->options = *options;
    r->options.source = strdup(options->source);
    r->options.header = strdup(options->header);
}

Runner *runner_begin(const RunnerOptions *options)
{
    Runner *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    set_up(r, options);
    close_memory(); /* which holds what is expected */
    if (!build_prepare(r, r->begin_error, sizeof r->begin_error))
        return r;
    if (!build_start(r, NULL, &r->compiler))
        snprintf(r->begin_error, sizeof r->begin_error, "Can't start the compiler: %s.",
                 strerror(errno));
    else
        worker_start(r); /* beside the compiler; load() tries again if this failed */
    return r;
}

bool runner_ready(Runner *r, char *error, size_t error_size, const char **advice)
{
    snprintf(error, error_size, "%s", r->begin_error);
    if (!error[0])
        r->warnings = build_finish(r, &r->compiler, error, error_size);
    if (r->warnings && load(r, &r->never_loaded, error, error_size))
        r->loads = true;
    *advice = error + r->said + (error[r->said] == '\n');
    if (error[0])
        runner_stop(r);
    return !error[0];
}

Runner *runner_start(const RunnerOptions *options, char *error, size_t error_size,
                     const char **advice)
{
    Runner *r = runner_begin(options);
    return runner_ready(r, error, error_size, advice) ? r : NULL;
}

const char *runner_warnings(const Runner *runner)
{
    return runner->warnings;
}

size_t put_case(Buffer *request, FrameKind kind, uint32_t sequence, const Case *c, size_t *lengths)
{
    const Function *f = c->function;
    WireCall call = {.sequence = sequence};
    size_t answer_size = sizeof(WireAnswer);
    snprintf(call.function, sizeof call.function, "%s", f->name);
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
    frame_open(request, kind);
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
    const char *at = payload(r);
    memcpy(&wire, at, sizeof wire);
    at += sizeof wire;
    answer->ending = ANSWERED;
    answer->seconds = wire.seconds;
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

static bool same_sequence(const Runner *r)
{
    uint32_t sequence;
    memcpy(&sequence, payload(r), sizeof sequence);
    return sequence == r->sequence;
}

void runner_call(Runner *r, const Case *c, Answer *answer)
{
    size_t lengths[MAX_PARAMS], size;
    char error[256] = "";
    FrameHead head;
    *answer = (Answer){.ending = CRASHED};
    r->printed.length = r->printed_total = 0;
    if (!r->loads) {
        *answer = r->never_loaded;
    } else if (!r->worker.pid && !load(r, answer, error, sizeof error)) {
        if (error[0])
            snprintf(answer->reason, sizeof answer->reason, "%s", error);
    } else {
        size = put_case(&r->request, CALL, ++r->sequence, c, lengths);
        size_t most = size > sizeof(WireReport) ? size : sizeof(WireReport);
        Outcome outcome = exchange(r, r->options.call_limit + 0.5, most, &head);
        if (outcome == GOT_FRAME && head.kind == ANSWER && head.length == size && same_sequence(r))
            take_answer(r, c->function, lengths, answer);
        else if (outcome == GOT_FRAME && head.kind == UNKNOWN && head.length == 0)
            explain_missing(r, c->function, answer);
        else
            give_up(r, outcome, &head, c->function, lengths, answer);
    }
    buffer_append(&r->printed, "", 1);
    answer->printed = strdup(r->printed.data);
    answer->printed_total = r->printed_total;
}

bool runner_leaks(Runner *r, const Case *c, Answer *answer)
{
    size_t lengths[MAX_PARAMS];
    char error[256] = "";
    FrameHead head;
    WireReport report;
    *answer = (Answer){.ending = ANSWERED};
    r->printed.length = r->printed_total = 0;
    if (!SANITIZED || !r->loads || (!r->worker.pid && !load(r, answer, error, sizeof error)))
        return false;
    put_case(&r->request, LEAKS, ++r->sequence, c, lengths);
    Outcome outcome = exchange(r, 4 * r->options.call_limit + 0.5, sizeof report, &head);
    if (outcome != GOT_FRAME || head.kind != LEAKING || head.length != sizeof report) {
        give_up(r, outcome, &head, c->function, lengths, answer);
        return true;
    }
    memcpy(&report, payload(r), sizeof report);
    if (report.kind != GROWS)
        return false;
    explain(r, c->function, lengths, &report, answer);
    return true;
}

void answer_free(Answer *answer)
{
    for (int i = 0; i < MAX_PARAMS; i++)
        free(answer->left[i]);
    free(answer->printed);
    *answer = (Answer){0};
}

void runner_stop(Runner *r)
{
    child_end(&r->compiler);
    worker_end(r);
    folder_remove(&r->folder);
    buffer_free(&r->request);
    buffer_free(&r->reply);
    buffer_free(&r->printed);
    free(r->warnings);
    free((char *)(uintptr_t)r->options.source);
    free((char *)(uintptr_t)r->options.header);
    free(r);
}
