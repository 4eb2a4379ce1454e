"""Learner files that misbehave, one way each. test_runner.py says what for."""

import inspect

ONLY = "and nothing else of the workbook"
SECRET = "the reference solution"  # words of solutions/01_layer_norm.c

HEAD = """#define _GNU_SOURCE
#include "01_layer_norm.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

"""
TAIL = """
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / (float)features;
}

static void right(float *y, const float *x, const float *gamma, const float *beta, int rows,
                  int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1 / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}
#define RIGHT right(y, x, gamma, beta, rows, features, eps)
"""
OPEN = """
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
"""


def wrap(body, before=""):
    """A lesson file whose layer_norm has that body, and everything else right."""
    return HEAD + TAIL + inspect.cleandoc(before) + OPEN + inspect.cleandoc(body) + "\n}\n"


class Entry:
    """`words`: what the checker says ("": it passes); `plain`: what it says without sanitizers, if
    that differs. It names a line with HERE."""

    def __init__(self, name, words, body, before="", plain=None, others="passed",
                 limit=0.4):
        self.name, self.words, self.body, self.before = name, words, body, before
        self.plain, self.others, self.limit = plain, others, limit

    def code(self):
        return wrap(self.body, self.before)

    def lines(self):
        lines = self.code().split("\n")
        return [number for number, text in enumerate(lines, 1) if "HERE" in text]


def entries():
    return MEMORY + ENDS + LIMITS + FORBIDDEN + CHANNEL + HARMLESS


NUMBERS = "y["  # without sanitizers the wrong number is all there is to see
MEMORY = [
    Entry("read_past_end", "read 4 bytes past the end of x", """
        RIGHT;
        y[0] = x[rows * features]; // HERE
        """, plain=NUMBERS),
    Entry("read_before_start", "read 4 bytes before the start of x", """
        RIGHT;
        y[0] = x[-1]; // HERE
        """, plain=NUMBERS),
    Entry("write_past_end", "wrote 4 bytes past the end of y", """
        RIGHT;
        y[rows * features] = 1; // HERE
        """, plain="wrote past the end of y"),
    Entry("write_before_start", "wrote 4 bytes before the start of y", """
        RIGHT;
        y[-1] = 1; // HERE
        """, plain="wrote before the start of y"),
    Entry("write_far_past_end", "past the end of y", """
        RIGHT;
        y[rows * features + 300] = 1; // HERE
        """),
    Entry("read_in_a_helper", "past the end of gamma", """
        RIGHT;
        y[0] = last(gamma, features);
        """, """
        static float last(const float *a, int n)
        {
            return a[n + 4]; // HERE
        }
        """),
    Entry("memcpy_past_end", "bytes past the end of y", """
        RIGHT;
        memset(y, 0, sizeof(float) * (size_t)(rows * features + 30)); // HERE
        """, plain="wrote past the end of y"),
    Entry("write_input", "writes to its input x", """
        RIGHT;
        ((float *)x)[0] = 0; // HERE
        """),
    Entry("null", "followed a null pointer", """
        float *nothing = NULL;
        nothing[features - features] = 1; // HERE
        """, plain="followed a null pointer"),
    Entry("wild", "used an address that is not its own", """
        *(volatile float *)0x123456789000 = 1; // HERE
        """),
    Entry("after_free", "memory after freeing it", """
        float *row = malloc(sizeof *row * (size_t)features);
        free(row);
        row[0] = 1; // HERE
        RIGHT;
        """, plain=""),
    Entry("double_free", "freed the same memory twice", """
        float *volatile row = malloc(sizeof *row * (size_t)features);
        free(row);
        free(row); // HERE
        """, plain="called abort()"),
    Entry("bad_free", "freed something that malloc() did not give it", """
        free(y + 1); // HERE
        """, plain="called abort()"),
    Entry("heap_overflow", "past an end of memory that it allocated", """
        float *row = malloc(sizeof *row * (size_t)features);
        row[features] = 1; // HERE
        free(row);
        RIGHT;
        """, plain=""),
    Entry("local_overflow", "past the end of a local array", """
        float row[4];
        float *volatile at = row;
        for (int j = 0; j < features; j++)
            at[j] = x[j]; // HERE
        RIGHT;
        """, plain="called with"),
    Entry("index_out_of_bounds", "index 5 out of bounds", """
        float row[5] = {0};
        int j = features; // 5 in the first case
        y[0] = row[j]; // HERE
        """, plain=NUMBERS),
    Entry("endless_recursion", "ran out of stack (endless recursion?)", """
        y[0] = deeper(x, features);
        """, """
        static float deeper(const float *x, int n)
        { // HERE
            volatile float local[64]; // HERE
            local[n % 64] = x[0]; // HERE
            return deeper(x, n + 1) + local[0]; // HERE
        }
        """),
    Entry("huge_local_array", "ran out of stack (a local array too large?)", """
        volatile float all[1 << 22];
        all[features] = 1;
        y[0] = all[features];
        """),
    Entry("integer_overflow", "signed integer overflow", """
        int big = INT_MAX - features;
        big += rows + features; // HERE
        y[0] = (float)big;
        """, plain=NUMBERS),
    Entry("integer_division", "divided an integer by zero", """
        volatile int zero = rows - rows;
        y[0] = (float)(features / zero); // HERE
        """),
    Entry("shift", "shift exponent", """
        y[0] = (float)(1 << (features + 60)); // HERE
        """, plain=NUMBERS),
    Entry("leak", "does not free it", """
        float *volatile row = malloc(sizeof *row * (size_t)features); // HERE
        row[0] = 0;
        RIGHT;
        """, plain=""),
    Entry("too_much_at_once", "asked for more memory than there is", """
        float *volatile all = malloc((size_t)1 << 50); // HERE
        y[0] = all[0];
        """, plain="followed a null pointer"),
]
ENDS = [
    Entry("abort", "called abort()", "abort(); // HERE"),
    Entry("trap", "ran into a trap", "__builtin_trap(); // HERE"),
    Entry("exit_0", "called exit(0)", "exit(0); // HERE"),
    Entry("exit_3", "called exit(3)", "exit(3); // HERE"),
    Entry("_exit", "called _exit(0)", "_exit(0); // HERE"),
    Entry("exit_group", "ended its process (exit status 9)", "syscall(SYS_exit_group, 9);"),
    Entry("exit_as_if_done", "ended its process", "syscall(SYS_exit_group, 77);"),
    Entry("pthread_exit", "ended its process", "pthread_exit(NULL);"),
    Entry("kill_itself", "ended by signal 9", "raise(SIGKILL);"),
    Entry("raise", "was ended by signal 10", "raise(SIGUSR1);"),
    Entry("exit_after_printing_ok", "called exit(0)", """
        puts("OK");
        puts("9 passed, 0 failed");
        exit(0); // HERE
        """),
    Entry("longjmp_nowhere", "", """
        jmp_buf place;
        if (setjmp(place) == 0)
            longjmp(place, 1);
        RIGHT;
        """),
]
SPIN = "for (volatile int forever = 1; forever;) // HERE"
LIMITS = [
    Entry("spin", "still running after 0.4 s", """
        volatile int forever = 1;
        while (forever) forever = 1; // HERE
        """),
    Entry("sleep", "still running after 0.4 s", "sleep(100); // HERE"),
    Entry("hang_with_signals_blocked", "still running after 0.4 s", """
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (;;)
            pause();
        """),
    Entry("hang_with_handlers_replaced", "still running after 0.4 s", """
        for (int i = 1; i < 64; i++)
            signal(i, SIG_IGN);
        for (volatile int forever = 1; forever;)
            forever = 1;
        """),
    Entry("stop_itself", "still running after 0.4 s", "raise(SIGSTOP);"),
    Entry("memory_bomb", "used more than 1024 MB of memory", """
        for (;;) {
            float *volatile some = malloc(16 << 20); // HERE
            some[0] = 1;
        }
        """, plain="called with"),
    Entry("mapped_memory_bomb", "used more than 1024 MB of memory", """
        size_t size = (size_t)8 << 30;
        char *all = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        for (size_t i = 0; i < size; i += 4096)
            all[i] = 1;
        """, plain="called with", limit=20),
    Entry("print_bomb", "printed more than 1024 KB", """
        for (;;)
            puts("round and round and round and round and round and round");
        """),
    Entry("thread_that_spins", "still running after 0.4 s", """
        pthread_t thread;
        pthread_create(&thread, NULL, spin, NULL);
        pthread_join(thread, NULL);
        """, """
        static void *spin(void *nothing)
        {
            for (;;)
                *(volatile int *)&(int){0} = 1;
            return nothing;
        }
        """),
]
FORBIDDEN = [
    Entry("fork", "tried to start a process", """
        if (fork() == 0) // HERE
            for (;;)
                pause();
        RIGHT;
        """),
    Entry("vfork", "tried to start a process", "syscall(SYS_vfork); // HERE"),
    Entry("exec", "tried to start a process", """
        execl("/bin/sh", "sh", "-c", "echo hello", (char *)NULL); // HERE
        """),
    Entry("system", "tried to start a process", """
        y[0] = (float)system("echo hello");
        """),
    Entry("setsid", "tried to start a process", "setsid(); // HERE"),
    Entry("socket", "tried to use the network", """
        socket(AF_INET, SOCK_STREAM, 0); // HERE
        """),
    Entry("kill_the_checker", "tried to send a signal to another process", """
        kill(getppid(), SIGKILL); // HERE
        """),
    Entry("kill_everything", "tried to send a signal to another process", "kill(-1, 9); // HERE"),
    Entry("open_for_writing", "tried to open a file", """
        FILE *file = fopen("exercises/debug.txt", "w"); // HERE
        if (file)
            fclose(file);
        RIGHT;
        """),
    Entry("open_vectors", "tried to open a file", """
        open("checker/01_layer_norm/vectors.json", O_RDONLY); // HERE
        """),
    Entry("open_proc", "tried to open a file", 'open("/proc/self/maps", O_RDONLY); // HERE'),
    Entry("remove", "tried to change a file", 'remove("exercises/01_layer_norm.c"); // HERE'),
    Entry("rename", "tried to change a file", 'rename("solutions", "exercises/x"); // HERE'),
    Entry("ptrace", "tried to look into another process", """
        ptrace(PTRACE_ATTACH, getppid(), NULL, NULL); // HERE
        """),
    Entry("quiet_refusals", "", """
        errno = 0;
        struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        int allowed = 0;
        allowed += setrlimit(RLIMIT_FSIZE, &none) == 0;
        allowed += prctl(PR_SET_PDEATHSIG, 0) == 0;
        allowed += syscall(SYS_bpf, 0, NULL, 0) >= 0;
        allowed += syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0;
        allowed += syscall(SYS_keyctl, 0, 0) >= 0;
        allowed += syscall(SYS_memfd_create, "x", 0) >= 0;
        allowed += syscall(SYS_userfaultfd, 0) >= 0;
        allowed += chdir("/") == 0;
        if (!allowed)
            RIGHT;
        """),
]
CHANNEL = [
    Entry("close_everything", "closed the channel", """
        for (int fd = 0; fd < 1024; fd++)
            close(fd);
        """),
    Entry("write_everywhere", "wrote into the channel", """
        for (int fd = 3; fd < 1024; fd++)
            if (write(fd, "garbage garbage garbage", 23) < 0)
                errno = 0;
        RIGHT;
        """),
    Entry("announce_a_huge_frame", "wrote into the channel", """
        unsigned head[2] = {0x4c4f4148, 0xffffffff};
        if (write(100, head, sizeof head) < 0)
            errno = 0;
        for (;;)
            pause();
        """),
    Entry("half_a_frame", "wrote into the channel", """
        unsigned head[2] = {0x4c4f4148, 32};
        if (write(100, head, sizeof head) < 0)
            errno = 0;
        for (;;)
            pause();
        """),
    Entry("answer_twice", "wrote into the channel", """
        unsigned frame[6] = {0x4c4f4148, 16};
        RIGHT;
        for (int i = 0; i < 3; i++)
            if (write(100, frame, sizeof frame) < 0)
                errno = 0;
        """),
    Entry("false_last_words", "called with", """
        unsigned frame[2 + 624 / 4] = {0x4c4f414b, 624};
        for (int i = 2; i < 158; i++)
            frame[i] = (unsigned)rand() * 3u;
        frame[2] = 1;
        frame[4] = 1;
        if (write(100, frame, sizeof frame) < 0)
            errno = 0;
        for (;;)
            pause();
        """),
    Entry("die_after_the_call", "called with", """
        pthread_t thread;
        RIGHT;
        if (features == 7)
            pthread_create(&thread, NULL, die, NULL);
        else
            usleep(200);
        """, """
        static void *die(void *nothing)
        {
            usleep(100);
            abort();
            return nothing;
        }
        """),
    Entry("eat_the_requests", "called with", """
        pthread_t thread;
        RIGHT;
        pthread_create(&thread, NULL, eat, NULL);
        usleep(1000);
        """, """
        static void *eat(void *nothing)
        {
            char bytes[4096];
            for (;;)
                if (read(100, bytes, sizeof bytes) < 0)
                    usleep(10);
            return nothing;
        }
        """),
]
HARMLESS = [
    Entry("static_cache", "", """
        static float *cache;
        if (!cache)
            cache = malloc(1 << 20);
        cache[0] = x[0];
        RIGHT;
        """),
    Entry("buffer_made_anew", "", """
        static float *buffer, *other;
        free(buffer);
        buffer = malloc(sizeof *buffer * (size_t)features);
        other = realloc(other, sizeof *other * (size_t)rows);
        RIGHT;
        """),
    Entry("malloc_and_free", "", """
        float *row = calloc((size_t)features, sizeof *row);
        row = realloc(row, sizeof *row * (size_t)features * 2);
        free(row);
        RIGHT;
        """),
    Entry("many_blocks", "", """
        void **blocks = malloc(2000 * sizeof *blocks);
        for (int i = 0; i < 2000; i++)
            blocks[i] = malloc(8);
        for (int i = 0; i < 2000; i++)
            free(blocks[i]);
        free(blocks);
        RIGHT;
        """),
    Entry("threads", "", """
        struct work all = {y, x, gamma, beta, rows, features, eps};
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, run, &all);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        """, """
        struct work {
            float *y;
            const float *x, *gamma, *beta;
            int rows, features;
            float eps;
        };
        static void *run(void *given)
        {
            struct work *w = given;
            right(w->y, w->x, w->gamma, w->beta, w->rows, w->features, w->eps);
            return NULL;
        }
        """),
    Entry("thread_left_running", "", """
        static int started;
        pthread_t thread;
        if (!started++)
            pthread_create(&thread, NULL, spin, NULL);
        RIGHT;
        """, """
        static void *spin(void *nothing)
        {
            for (;;)
                usleep(1000);
            return nothing;
        }
        """),
    Entry("atexit", "", """
        atexit(abort);
        RIGHT;
        """),
    Entry("prints", "", """
        printf("rows %d", rows);
        fflush(stdout);
        RIGHT;
        """),
    Entry("constructor", "", "RIGHT;", """
        static int made;
        __attribute__((constructor)) static void make(void)
        {
            made = 1;
        }
        """),
    Entry("names_of_the_c_library", "", """
        RIGHT;
        y[0] += error(0) + backtrace(0);
        """, """
        float error(float x) { return x; }
        float backtrace(float x) { return x; }
        """),
    Entry("time_and_random", "", """
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        srand((unsigned)now.tv_sec);
        y[0] = (float)rand() + (float)localtime(&now.tv_sec)->tm_year;
        RIGHT;
        """),
    Entry("constructor_that_hangs", "still running after 0.4 s", "RIGHT;", """
        __attribute__((constructor)) static void make(void)
        {
            for (volatile int forever = 1; forever;) // HERE
                forever = 1; // HERE
        }
        """, others="failed"),
    Entry("constructor_that_exits", "called exit(0)", "RIGHT;", """
        __attribute__((constructor)) static void make(void)
        {
            exit(0); // HERE
        }
        """, others="failed"),
]


class Refused:
    def __init__(self, name, text, *words):
        self.name, self.text, self.words = name, text, words


def refused_by_the_compiler(tree):
    only = ONLY
    vectors = "checker/01_layer_norm/vectors.json"
    up = "../../.."  # from build/tests/hostile
    asm = '__asm__(".section .rodata\\n.incbin \\"%s\\"\\n.previous");\n'
    return [
        Refused("include_relative", f'#include "{up}/solutions/01_layer_norm.c"\n', only),
        Refused("include_absolute", f'#include "{tree}/solutions/01_layer_norm.c"\n', only),
        Refused("include_through_proc", '#include "/proc/self/cwd/solutions/01_layer_norm.c"\n',
                "error"),
        Refused("include_through_the_include_folder",
                '#include "../solutions/01_layer_norm.c"\n', only),
        Refused("include_vectors", f'const char *v = \n#include "{up}/{vectors}"\n;', only),
        Refused("include_an_exercise", f'#include "{up}/exercises/01_layer_norm.c"\n', only),
        Refused("incbin_solution", asm % "solutions/01_layer_norm.c", only),
        Refused("incbin_vectors", asm % vectors, only),
        Refused("incbin_vectors_absolute", asm % f"{tree}/{vectors}", only),
        Refused("asm_include", '__asm__(".include \\"solutions/01_layer_norm.c\\"");\n', only),
        Refused("embed", 'const char *v = \n#embed "/etc/passwd"\n;', "error"),
        Refused("line_directive", '#line 40 "solutions/01_layer_norm.c"\nint x = y;\n', "error"),
        Refused("include_zeroes", '#include "/dev/zero"\n', "error"),
        Refused("undefined", HEAD + "float row_mean(const float *x, int features)\n"
                "{\n    return row_men(x, features);\n}\n",
                "row_men is used but defined nowhere in build/tests/hostile/undefined.c"),
        Refused("huge_array", "char all[1ul << 40] = {1};\n"),
        Refused("fill", '__asm__(".fill 1000000000, 8, 1");\n', "Compiling was stopped"),
        Refused("macro_bomb", "\n".join(
            ["#define A0 x = x * 3 + 1;"] +
            [f"#define A{i} {' '.join([f'A{i - 1}'] * 10)}" for i in range(1, 9)] +
            ["int f(int x)\n{\n    A8\n    return x;\n}\n"]), "Compiling was stopped"),
        Refused("nested_includes", '#include __FILE__\n', "nested"),
    ]
