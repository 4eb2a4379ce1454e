/* A process at the other end of a channel: starting it, exchanging one frame for another, ending
 * it.
 *
 * The invariant: exchange() comes back within its limit, whatever the worker sends or fails to
 * send, and it never blocks on anything but the limit: neither on a full pipe nor on half a frame.
 */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PRINTED_KEPT = 4096, POLL_MS = 20, MOST_THREADS = 2000 };
static const double TO_ANSWER = 2; /* seconds, for who is told that its time is up */

static void drain_printed(Channel *c)
{
    char bytes[65536];
    for (ssize_t got; (got = read(c->child.output, bytes, sizeof bytes)) > 0;) {
        size_t keep = c->printed.length < PRINTED_KEPT ? PRINTED_KEPT - c->printed.length : 0;
        buffer_append(&c->printed, bytes, keep < (size_t)got ? keep : (size_t)got);
        c->printed_total += (size_t)got;
        if (c->printed_total > c->printed_limit)
            return;
    }
}

/* What the platform shows of the process, if it does, from behind its name on, which is in
 * parentheses and of any characters: from the third field on. NULL: nothing. */
static const char *fields_of_process(const Channel *c, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)c->child.pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return strrchr(text, ')');
}

/* Looks at the worker's memory and threads every 20 ms. The time goes on from call to call, or many
 * short calls would be a way around it. */
static bool takes_too_much(Channel *c, double now, Outcome *what)
{
    char text[512];
    unsigned long threads = 0, resident = 0;
    const size_t most = c->memory_limit + (64u << 20); /* its own, and shadows */
    if (now < c->look_again)
        return false;
    c->look_again = now + POLL_MS / 1000.0;
    /* The 20th field counts threads, the 24th pages. */
    const char *fields = fields_of_process(c, text, sizeof text);
    if (!fields || sscanf(fields,
                          ") %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                          "%lu %*s %*s %*s %lu",
                          &threads, &resident) != 2)
        threads = resident = 0;
    c->threads = threads;
    *what = threads > MOST_THREADS ? TOO_MANY : TOO_BIG;
    return threads > MOST_THREADS || resident * (size_t)sysconf(_SC_PAGESIZE) > most;
}

/* What comes next from the worker into c->reply: false when nothing will. */
static bool receive(Channel *c)
{
    enum { STEP = 65536 };
    ssize_t got = recv(c->end, buffer_room(&c->reply, STEP), STEP, 0);
    if (got > 0)
        c->reply.length += (size_t)got;
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* When the worker is gone nothing more is sent; what it said before is still there to be read. */
static void send_more(Channel *c, size_t *sent)
{
#ifdef MSG_NOSIGNAL
    const int quietly = MSG_NOSIGNAL;
#else
    const int quietly = 0; /* SO_NOSIGPIPE is set */
#endif
    ssize_t done = send(c->end, c->request.data + *sent, c->request.length - *sent, quietly);
    if (done > 0)
        *sent += (size_t)done;
    else if (errno != EAGAIN && errno != EINTR)
        *sent = c->request.length;
}

/* From what it has, open, of /proc/PID/schedstat. */
static Turns turns_of(int schedstat)
{
    char text[96];
    ssize_t got = schedstat < 0 ? 0 : pread(schedstat, text, sizeof text - 1, 0);
    double numbers[2] = {0, 0};
    for (ssize_t i = 0, k = 0; i < got && k < 2; i++)
        if (text[i] < '0' || text[i] > '9')
            k++;
        else
            numbers[k] = numbers[k] * 10 + (text[i] - '0');
    return (Turns){numbers[0] / 1e9, numbers[1] / 1e9};
}

double waited_since(Channel *c)
{
    const Turns all = c->child.pid ? turns_of(c->schedstat) : (Turns){0, 0};
    double more = all.waited - c->said.waited;
    c->said = all;
    if (more > c->patience || c->threads > 1) /* threads wait for each other */
        more = c->threads > 1 ? 0 : c->patience;
    c->patience -= more;
    return more;
}

/* This process's own. */
static int own_schedstat = -1;
static pid_t own_process;

static double own_seconds_waited(void)
{
    if (own_process != getpid()) {
        own_process = getpid();
        own_schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    }
    return turns_of(own_schedstat).waited;
}

/* Between two exchanges it is this process that a check's time goes by: it makes what is asked
 * next. How long it waited since this was last asked, or as long as `most`. */
static double own_wait_since(Channel *c, double most)
{
    const double all = own_seconds_waited(), waited = all - c->own_waited;
    const double more = fmax(0, fmin(waited, fmin(most, c->patience)));
    c->own_waited = all;
    c->patience -= more;
    return more;
}

/* What is printed meanwhile is collected. The channel is looked at first: what the worker printed
 * before it answered is then there to be read. */
static Outcome wait_for_answer(Channel *c, double limit, size_t most, FrameHead *head)
{
    double deadline = clock_awake() + limit;
    bool told = false;
    size_t sent = 0;
    int output = c->child.output;
    Outcome too_much;
    c->reply.length = 0;
    bool up = true;
    send_more(c, &sent);
    while (up) {
        short both = sent < c->request.length ? POLLIN | POLLOUT : POLLIN;
        struct pollfd fds[2] = {{c->end, both, 0}, {output, POLLIN, 0}};
        poll(fds, 2, POLL_MS);
        if (fds[0].revents & POLLOUT)
            send_more(c, &sent);
        if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
            up = receive(c);
        if (fds[1].revents & POLLIN)
            drain_printed(c);
        else if (fds[1].revents)
            output = -1; /* the learner's code has closed it */
        if (c->printed_total > c->printed_limit)
            return TOO_LOUD;
        double now = clock_awake();
        if (takes_too_much(c, now, &too_much))
            return too_much;
        while (frame_complete(&c->reply, head)) {
            if (c->loading || head->kind != LOADING || head->length > 0)
                return c->reply.length == head->length + sizeof *head ? GOT_FRAME : GARBAGE;
            c->loading = true;
            deadline = clock_awake() + c->call_limit;
            c->reply.length -= sizeof *head;
            memmove(c->reply.data, c->reply.data + sizeof *head, c->reply.length);
        }
        if (head->length > most || (head->kind && (head->kind < LOADING || head->kind > ENDED)))
            return GARBAGE;
        if (now > deadline || (c->until > 0 && now > c->until)) {
            double more = waited_since(c);
            deadline += more;
            c->until += c->until > 0 ? more : 0;
        }
        if (now > deadline && told)
            return TOO_LATE;
        if (now > deadline) { /* the worker says where it is */
            kill(c->child.pid, SIGALRM);
            told = true;
            deadline = now + TO_ANSWER;
        }
        if (c->until > 0 && now > c->until)
            return OVER_BUDGET;
    }
    drain_printed(c);
    return GONE;
}

/* While the child neither ran nor waited it had answered, and this process did not see it yet. */
Outcome exchange(Channel *c, double limit, size_t most, FrameHead *head)
{
    const double began = clock_awake(), before = waited_since(c); /* in the calls before this one */
    const Turns then = c->said;
    c->until += c->until > 0 ? before + own_wait_since(c, MOST_WAITED) : 0;
    Outcome outcome = wait_for_answer(c, limit, most, head);
    const Turns turns = turns_of(c->schedstat);
    const double at_work = turns.ran - then.ran + turns.waited - then.waited;
    const double seen_late = own_wait_since(c, clock_awake() - began - at_work);
    c->until += c->until > 0 && outcome == GOT_FRAME ? seen_late : 0;
    return outcome;
}

const char *payload_of(const Channel *c)
{
    return c->reply.data + sizeof(FrameHead);
}

void channel_budget(Channel *c, double seconds)
{
    c->budget = seconds;
    waited_since(c); /* in the check before this one */
    c->own_waited = own_seconds_waited();
    c->patience = MOST_WAITED;
    c->until = clock_awake() + seconds;
}

double channel_time_left(Channel *c)
{
    if (c->until > 0 && c->until - clock_awake() < c->budget / 2)
        c->until += waited_since(c) + own_wait_since(c, MOST_WAITED);
    return c->until > 0 ? c->until - clock_awake() : INFINITY;
}

int channel_end(Channel *c)
{
    if (!c->child.pid)
        return 0;
    close(c->end);
    if (c->schedstat >= 0)
        close(c->schedstat);
    return child_end(&c->child);
}

void channel_free(Channel *c)
{
    channel_end(c);
    buffer_free(&c->request);
    buffer_free(&c->reply);
    buffer_free(&c->printed);
}

/* Is it at its end, by the kernel's flags? False where the system does not show them. */
static bool is_ending(const Channel *c)
{
    enum { EXITING = 4 }; /* PF_EXITING of Linux */
    unsigned flags = 0;
    char text[512];
    const char *fields = fields_of_process(c, text, sizeof text);
    return fields && sscanf(fields, ") %*s %*s %*s %*s %*s %*s %u", &flags) == 1 &&
           (flags & EXITING);
}

/* The channel has ended. Has the process too? The channel goes first, and a busy machine may let
 * what is at its end wait. */
bool channel_closed(const Channel *c)
{
    siginfo_t info = {0};
    for (int i = 0; i < 50; i += !is_ending(c)) {
        if (waitid(P_PID, (id_t)c->child.pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid)
            return false;
        poll(NULL, 0, 2);
    }
    return true;
}

bool channel_start(Channel *c, const char *const argv[], const Limits *limits)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    c->loading = false;
    Launch launch = {.argv = argv, .limits = *limits, .channel = ends[1], .lent = c->lent};
    c->end = ends[0];
    if (child_start(&c->child, &launch)) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)c->child.pid);
        c->schedstat = open(path, O_RDONLY | O_CLOEXEC);
        c->said = (Turns){0, 0};
        return true;
    }
    close(ends[0]);
    return false;
}
