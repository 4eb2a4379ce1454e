/* A lab's second process: it loads the functions, measures with them, and hands over one point's
 * values for every request.
 *
 * The invariant: before the first line of a learner's code runs, the sandbox is closed, as in a
 * check: no files, no network, no other processes. Whatever ends this process, its last words say
 * which signal it was and where in the code. */
#include "labs.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox.h"
#include "wire.h"

#ifdef __linux__
#include <sys/syscall.h>
#endif

/* One of everything: a signal handler is given no arguments. */
static Parts parts;
static int descriptors[MOST_PARTS];
/* And so is what a lab's measure() is handed to tell its values with. */
static const LabExperiment *experiment;
static int told;

static int object_of(const char *path)
{
    for (int i = 0; path && i < parts.count; i++)
        if (strcmp(path, parts.items[i].object) == 0)
            return i;
    return -1;
}

/* ---- last words ---- */
/* The frames that lie in the object where things ended; `param` says which object that is. A return
 * address is that of the next instruction, so one less lies in the call; but what the handler
 * itself returns through, `tramp`, stands before the very instruction that was interrupted. */
static void find_frames(WireReport *report, const void *tramp)
{
    void *addresses[3 * MAX_FRAMES];
    int count = backtrace(addresses, sizeof addresses / sizeof *addresses);
    for (int i = 0; i < count && report->frame_count < MAX_FRAMES; i++) {
        Dl_info info;
        int object = dladdr(addresses[i], &info) ? object_of(info.dli_fname) : -1;
        if (object < 0 || (report->param >= 0 && object != report->param))
            continue;
        report->param = object;
        uint64_t offset = (uint64_t)((char *)addresses[i] - (char *)info.dli_fbase);
        bool interrupted = i > 0 && addresses[i - 1] == tramp;
        report->frames[report->frame_count++] = interrupted ? offset : offset - 1;
    }
}

static void on_end(int signal, siginfo_t *info, void *context)
{
    static volatile sig_atomic_t ending;
    struct {
        FrameHead head;
        WireReport report;
    } frame;
    (void)context;
    memset(&frame, 0, sizeof frame);
    frame.head = (FrameHead){ENDED, sizeof frame.report, 0};
    frame.report.kind = signal == SIGALRM ? BY_TIME : BY_SIGNAL;
    frame.report.number = signal;
    frame.report.param = -1;
    if (signal != SIGALRM && signal != SIGABRT)
        frame.report.address = (uint64_t)(uintptr_t)info->si_addr;
    if (ending++ == 0) /* looking for the frames may itself fail: then without them */
        find_frames(&frame.report, __builtin_return_address(0));
    write_all(CHANNEL, &frame, sizeof frame);
    _exit(WORKER_DONE);
}

#ifdef SYS_seccomp
/* A refused system call fails. The dynamic linker's wish to open the objects is granted, with the
 * descriptors that were opened before the door closed. */
static void on_refusal(int signal, siginfo_t *info, void *context)
{
    bool opens = offence_of(info->si_syscall) == FILE_OPENED;
    int object = opens ? object_of(offence_path(info->si_syscall, context)) : -1;
    (void)signal;
    answer_call(context, object >= 0 ? dup(descriptors[object]) : -13); /* EACCES */
}
#endif

static void install_handlers(void)
{
    void *address;
    backtrace(&address, 1); /* the first time loads a library, which later is refused */
#ifdef SYS_seccomp
    handle_signals(on_end, on_refusal);
#else
    handle_signals(on_end, NULL);
#endif
}

/* ---- serving ---- */
static void send_answer(const void *data, size_t length)
{
    static Buffer frame;
    frame_open(&frame, ANSWER, 0);
    buffer_append(&frame, data, length);
    frame_close(&frame);
    if (!write_all(CHANNEL, frame.data, frame.length))
        _exit(1);
}

/* Until then nothing of the learner's runs. */
static void wait_for_request(void)
{
    static Buffer request;
    FrameHead head;
    if (!frame_read(CHANNEL, &request, &head) || head.kind != CALL)
        _exit(0);
}

static void tell(const double *values)
{
    if (!values) {
        send_answer(NULL, 0);
        wait_for_request();
        return;
    }
    if (told++ == experiment->points)
        author_error("measure() tells more than %d points", experiment->points);
    send_answer(values, (size_t)value_count(experiment) * sizeof *values);
    wait_for_request();
}

static void send_introduction(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        _exit(1);
    lab.introduce(out);
    fclose(out);
    send_answer(text, length);
    free(text);
}

static void measure_all(uint64_t seed)
{
    for (experiment = lab.experiments; experiment->measure; experiment++)
        for (int curve = 0; curve < curve_count(experiment); curve++)
            for (int s = 0; s < experiment->seeds; s++) {
                told = 0;
                experiment->measure(curve, seed + (uint64_t)s, tell);
                if (told < experiment->points)
                    author_error("measure() tells %d points of %d", told, experiment->points);
            }
}

bool load_data(const char *folder)
{
    char *path = format_text("%s/data", folder), error[512];
    bool named = access(path, F_OK) == 0;
    bool loaded = !lab.load || lab.load(named ? path : NULL, error, sizeof error);
    if (!loaded) {
        char *said = format_text("The data can't be used: %s.", error);
        write_lines(stderr, "", "", said, strlen(said));
        free(said);
    }
    free(path);
    return loaded;
}

int serve_measuring(char **arguments)
{
    uint64_t seed = strtoull(arguments[0], NULL, 10);
    if (!load_data(arguments[1]))
        return 1;
    name_parts(&parts, arguments[1]);
    for (int i = 0; i < parts.count; i++) {
        Part *part = &parts.items[i];
        descriptors[i] = open(part->object, O_RDONLY | O_CLOEXEC);
        if (must_leave_root())
            name_by_descriptor(part->object, sizeof part->object, descriptors[i]);
    }
    install_handlers();
    wait_for_request();
    confine_files(arguments[1]);
    if (!confine_calls())
        confine_processes();
    const char *problem = load_parts(&parts);
    if (problem) {
        fprintf(stderr, "%s\n", problem);
        return 1;
    }
    if (lab.introduce) {
        send_introduction();
        wait_for_request();
    }
    measure_all(seed);
    return 0;
}
