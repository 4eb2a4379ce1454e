/* The worker as a process at the other end of a channel: starting it, exchanging one frame for
 * another, ending it.
 *
 * The invariant: exchange() comes back within its limit, whatever the worker sends or fails to
 * send, and it never blocks on anything but the limit: neither on a full pipe nor on half a frame.
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PRINTED_KEPT = 4096, POLL_MS = 20, MOST_THREADS = 2000 };
static const double TO_ANSWER = 0.5; /* seconds, for who is told that its time is up */

static void drain_printed(Runner *r)
{
    char bytes[65536];
    for (ssize_t got; (got = read(r->worker.output, bytes, sizeof bytes)) > 0;) {
        size_t keep = r->printed.length < PRINTED_KEPT ? PRINTED_KEPT - r->printed.length : 0;
        buffer_append(&r->printed, bytes, keep < (size_t)got ? keep : (size_t)got);
        r->printed_total += (size_t)got;
        if (r->printed_total > r->options.printed_limit)
            return;
    }
}

/* Looks at the worker's memory and threads every 20 ms, where the platform shows them. The time
 * goes on from call to call, or many short calls would be a way around it. */
static bool takes_too_much(Runner *r, double now, Outcome *what)
{
    char path[64], text[512];
    unsigned long threads = 0, resident = 0;
    const size_t most = r->options.memory_limit + (64u << 20); /* its own, and shadows */
    if (now < r->look_again)
        return false;
    r->look_again = now + POLL_MS / 1000.0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)r->worker.pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    /* The second field is a name in parentheses, of any characters; the 20th counts threads, the
     * 24th pages. */
    const char *fields = strrchr(text, ')');
    if (!fields || sscanf(fields,
                          ") %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                          "%lu %*s %*s %*s %lu",
                          &threads, &resident) != 2)
        threads = resident = 0;
    r->threads = threads;
    *what = threads > MOST_THREADS ? TOO_MANY : TOO_BIG;
    return threads > MOST_THREADS || resident * (size_t)sysconf(_SC_PAGESIZE) > most;
}

/* What comes next from the worker into r->reply: false when nothing will. */
static bool receive(Runner *r)
{
    enum { STEP = 65536 };
    ssize_t got = recv(r->channel, buffer_room(&r->reply, STEP), STEP, 0);
    if (got > 0)
        r->reply.length += (size_t)got;
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* When the worker is gone nothing more is sent; what it said before is still there to be read. */
static void send_more(Runner *r, size_t *sent)
{
#ifdef MSG_NOSIGNAL
    const int quietly = MSG_NOSIGNAL;
#else
    const int quietly = 0; /* SO_NOSIGPIPE is set */
#endif
    ssize_t done = send(r->channel, r->request.data + *sent, r->request.length - *sent, quietly);
    if (done > 0)
        *sent += (size_t)done;
    else if (errno != EAGAIN && errno != EINTR)
        *sent = r->request.length;
}

/* Seconds in which a process was ready to run and had no processor, all told: from what it has,
 * open, of /proc/PID/schedstat. 0 where the system does not say. */
static double seconds_waited(int schedstat)
{
    char text[96];
    ssize_t got = schedstat < 0 ? 0 : pread(schedstat, text, sizeof text - 1, 0);
    double nanoseconds = 0;
    ssize_t i = 0;
    while (i < got && text[i] != ' ') /* the first number: how long it ran */
        i++;
    while (++i < got && text[i] >= '0' && text[i] <= '9')
        nanoseconds = nanoseconds * 10 + (text[i] - '0');
    return nanoseconds / 1e9;
}

double waited_since(Runner *r)
{
    double all = seconds_waited(r->schedstat), more = all - r->waited;
    r->waited = all;
    if (more > r->patience || r->threads > 1) /* threads wait for each other */
        more = r->threads > 1 ? 0 : r->patience;
    r->patience -= more;
    return more;
}

/* What is printed meanwhile is collected. The channel is looked at first: what the worker printed
 * before it answered is then there to be read. */
Outcome exchange(Runner *r, double limit, size_t most, FrameHead *head)
{
    double deadline = clock_now() + limit;
    bool told = false;
    size_t sent = 0;
    int output = r->worker.output;
    Outcome too_much;
    r->reply.length = 0;
    bool up = true;
    send_more(r, &sent);
    while (up) {
        short both = sent < r->request.length ? POLLIN | POLLOUT : POLLIN;
        struct pollfd fds[2] = {{r->channel, both, 0}, {output, POLLIN, 0}};
        poll(fds, 2, POLL_MS);
        if (fds[0].revents & POLLOUT)
            send_more(r, &sent);
        if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
            up = receive(r);
        if (fds[1].revents & POLLIN)
            drain_printed(r);
        else if (fds[1].revents)
            output = -1; /* the learner's code has closed it */
        if (r->printed_total > r->options.printed_limit)
            return TOO_LOUD;
        double now = clock_now();
        if (takes_too_much(r, now, &too_much))
            return too_much;
        while (frame_complete(&r->reply, head)) {
            if (r->loading || head->kind != LOADING || head->length > 0)
                return r->reply.length == head->length + sizeof *head ? GOT_FRAME : GARBAGE;
            r->loading = true;
            deadline = clock_now() + r->options.call_limit;
            r->reply.length -= sizeof *head;
            memmove(r->reply.data, r->reply.data + sizeof *head, r->reply.length);
        }
        if (head->length > most || (head->kind && (head->kind < LOADING || head->kind > ENDED)))
            return GARBAGE;
        if (now > deadline || (r->until > 0 && now > r->until)) {
            double more = waited_since(r);
            deadline += more;
            r->until += r->until > 0 ? more : 0;
        }
        if (now > deadline && told)
            return TOO_LATE;
        if (now > deadline) { /* the worker says where it is */
            kill(r->worker.pid, SIGALRM);
            told = true;
            deadline = now + TO_ANSWER;
        }
        if (r->until > 0 && now > r->until)
            return OVER_BUDGET;
    }
    drain_printed(r);
    return GONE;
}

int worker_end(Runner *r)
{
    if (!r->worker.pid)
        return 0;
    close(r->channel);
    if (r->schedstat >= 0)
        close(r->schedstat);
    return child_end(&r->worker);
}

/* The channel has ended. Has the worker too? It is given a moment: the channel goes first. */
bool worker_closed_channel(const Runner *r)
{
    siginfo_t info = {0};
    for (int i = 0; i < 50; i++) {
        if (waitid(P_PID, (id_t)r->worker.pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid)
            return false;
        poll(NULL, 0, 2);
    }
    return true;
}

bool channel_start(Runner *r, const char *const argv[], const Limits *limits)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    r->loading = false;
    Launch launch = {argv, *limits, NULL, NULL, ends[1]};
    r->channel = ends[0];
    if (child_start(&r->worker, &launch)) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)r->worker.pid);
        r->schedstat = open(path, O_RDONLY | O_CLOEXEC);
        r->waited = 0;
        return true;
    }
    close(ends[0]);
    return false;
}

bool worker_start(Runner *r)
{
    static const char *const argv[] = {"build/worker", NULL};
    Limits limits = {.cpu_seconds = 600, .stack_bytes = 8L << 20};
    if (!SANITIZED)
        limits.address_bytes = (long)(4 * r->options.memory_limit);
    return channel_start(r, argv, &limits);
}
