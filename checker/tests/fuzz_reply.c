/* runner.c, channel.c and reason.c: what a worker sends back, when the learner's code writes it.
 * The worker is a socket here, so the files of real processes are left out. */
#include "fuzz.h"
#include "box.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>

const Lesson lesson = {0};
static Contract contract;
static Cases cases;

bool child_start(Child *child, const Launch *launch)
{
    (void)child, (void)launch;
    return false;
}

int child_end(Child *child)
{
    close(child->output);
    *child = (Child){0};
    return 0;
}

bool child_finish(Child *child, double seconds, char **output, int *status)
{
    (void)child, (void)seconds, (void)status;
    *output = NULL;
    return false;
}

/* For the token of a request: else no input could answer it. */
int getentropy(void *buffer, size_t length)
{
    memset(buffer, 0, length);
    return 0;
}

double clock_awake(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    Rng rng;
    char error[512];
    (void)argc, (void)argv;
    require(contract_read(&contract, "include/01_layer_norm.h", error, sizeof error));
    cases.contract = &contract;
    rng_seed(&rng, 1);
    for (int f = 0; f < contract.count; f++) {
        Case *c = case_new(&cases, contract.functions[f].name);
        for (int p = 0; p < c->function->count; p++)
            if (c->function->params[p].role == SIZE)
                c->sizes[p] = 2;
        fill_rest(c, &rng);
    }
    return 0;
}

/* The first byte picks the function; the rest is what comes back. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    Answer answer;
    if (!size || size > 60000 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 0;
    Runner runner = {.built = {.source = "exercises/x.c"},
                     .loads = true,
                     .worker = {.end = ends[0],
                                .call_limit = 1,
                                .memory_limit = (size_t)1 << 40,
                                .printed_limit = 1 << 20,
                                .child = {.pid = getpid(), .output = open("/dev/null", O_RDONLY)}}};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    require(write(ends[1], data + 1, size - 1) == (ssize_t)size - 1);
    shutdown(ends[1], SHUT_WR);
    const Case *c = &cases.items[data[0] % cases.count];
    if (data[0] & 128)
        processes.leaks(&runner, c, &answer);
    else
        processes.call(&runner, c, &answer);
    bool asked = !(data[0] & 128);
    if (answer.ending != ANSWERED)
        require(answer.reason[0] && memchr(answer.reason, '\0', sizeof answer.reason));
    for (int p = 0; p < c->function->count && asked && answer.ending == ANSWERED; p++)
        require(answer.left[p] || !is_answer(c->function->params[p].role));
    answer_free(&answer);
    close(ends[1]);
    if (runner.worker.child.pid) {
        close(ends[0]);
        close(runner.worker.child.output);
    }
    buffer_free(&runner.worker.request);
    buffer_free(&runner.worker.reply);
    buffer_free(&runner.worker.printed);
    return 0;
}
