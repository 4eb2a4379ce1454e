"""Learner files that want more than to compute, and odd ones that are within their rights."""

import os

from hostile_entry import POOL, SLEEPER, Entry

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
        open("checker/lessons/01_layer_norm/vectors.json", O_RDONLY); // HERE
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
REFUSED = "another system call that is refused"
if os.uname().machine == "x86_64":  # which has two more ways into the kernel, with other numbers
    FORBIDDEN += [
        Entry("x32_call", REFUSED, "syscall(0x40000000 + SYS_getpid);"),
        # To a kernel that runs no programs of 32 bits it is no call, but a fault.
        Entry("i386_call", (REFUSED, "used an address that is not its own", "SIGSEGV"), """
            long result = 20; // getpid
            __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
            if (result > 0)
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
        unsigned head[4] = {FRAME_ANSWER, 0xffffffff};
        if (write(CHANNEL, head, sizeof head) < 0)
            errno = 0;
        for (;;)
            pause();
        """),
    Entry("half_a_frame", "wrote into the channel", """
        unsigned head[4] = {FRAME_ANSWER, 32};
        if (write(CHANNEL, head, sizeof head) < 0)
            errno = 0;
        for (;;)
            pause();
        """, limit=1),
    Entry("answer_without_the_token", "wrote into the channel", """
        RIGHT;
        ANSWER(0, 0);
        for (;;)
            pause();
        """),
    Entry("answer_with_the_last_calls_token", "wrote into the channel", """
        static unsigned long long last;
        RIGHT;
        if (last)
            ANSWER(last, 0);
        find_request(&last);
        """),
    Entry("answer_twice", "wrote into the channel", """
        unsigned long long token;
        find_request(&token);
        RIGHT;
        ANSWER(token, 0);
        """),
    Entry("answer_too_short", "wrote into the channel", """
        unsigned long long token;
        find_request(&token);
        RIGHT;
        ANSWER(token, -1);
        for (;;)
            pause();
        """),
    Entry("answer_too_long", "wrote into the channel", """
        unsigned long long token;
        find_request(&token);
        RIGHT;
        ANSWER(token, 1);
        for (;;)
            pause();
        """),
    Entry("answer_and_go_on", "still running after 1 s", """
        unsigned long long token;
        find_request(&token);
        RIGHT;
        ANSWER(token, 0);
        for (;;)
            pause(); // HERE
        """),
    Entry("say_that_nothing_leaks_without_the_token", "wrote into the channel", """
        float *volatile row = malloc(sizeof *row * (size_t)features);
        row[0] = 0;
        RIGHT;
        unsigned long long token;
        memcpy(&frame.returned, &(unsigned){10}, 4); // CLEAN
        if (find_request(&token) == FRAME_LEAKS)
            send_frame(FRAME_LEAKING, 0, 624);
        """),
    Entry("false_last_words", "misused memory (", """
        unsigned report[156];
        for (int i = 0; i < 156; i++)
            report[i] = (unsigned)rand() * 3u;
        report[0] = 1;
        report[2] = 1;
        memcpy(&frame.returned, report, sizeof report);
        send_frame(FRAME_ENDED, 0, sizeof report);
        for (;;)
            pause();
        """),
    Entry("last_words_that_end_nothing", "wrote into the channel", """
        unsigned report[156] = {9, 0, -1u};
        memcpy(&frame.returned, report, sizeof report);
        send_frame(FRAME_ENDED, 0, sizeof report);
        for (;;)
            pause();
        """),
    Entry("die_after_the_call", ("called abort()", "wrote into the channel", "closed the channel"), """
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
    Entry("eat_the_requests", ("still running after 1 s", "closed the channel"), """
        pthread_t thread;
        RIGHT;
        pthread_create(&thread, NULL, eat, NULL);
        usleep(1000);
        """, """
        static void *eat(void *nothing)
        {
            char bytes[4096];
            for (;;)
                if (read(CHANNEL, bytes, sizeof bytes) < 0)
                    usleep(10);
            return nothing;
        }
        """, limit=1),
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
    Entry("mapped_and_unmapped", "", """
        char *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        page[0] = 1;
        munmap(page, 1 << 20);
        RIGHT;
        """),
    Entry("mapped_once", "", """
        static char *page;
        if (!page)
            page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        page[0] = 1;
        RIGHT;
        """),
    Entry("options_for_ones_own_sanitizer", "", "RIGHT;", """
        const char *__asan_default_options(void);
        const char *__asan_default_options(void)
        {
            return "detect_leaks=0";
        }
        """),
    Entry("mapped_for_a_while", "", """
        static int calls; // 60, between the first call that is made again and the last
        if (calls++ < 60)
            mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        RIGHT;
        """),
    Entry("large_blocks", "", """
        static int calls; // few take one: what the sanitizer keeps for a while, it maps till the end
        char *volatile large = calls++ % 3 ? NULL : malloc(140 << 10);
        free(large);
        RIGHT;
        """),
    Entry("buffer_made_anew_at_every_third_call", "", """
        static float *buffer;
        static int calls;
        if (calls++ % 3 == 0) {
            free(buffer);
            buffer = malloc(sizeof *buffer * (size_t)features);
        }
        RIGHT;
        """),
    Entry("many_threads", "", """
        pthread_t threads[16];
        for (int i = 0; i < 16; i++)
            pthread_create(&threads[i], NULL, allocate, NULL);
        for (int i = 0; i < 16; i++)
            pthread_join(threads[i], NULL);
        RIGHT;
        """, """
        static void *allocate(void *nothing)
        {
            char *volatile some = malloc(100000); // or the compiler would leave it out
            free(some);
            return nothing;
        }
        """),
    Entry("blocks_freed_by_threads", "", """
        void *blocks[4][500]; // all at one moment
        pthread_t threads[4];
        pthread_barrier_init(&all_are_here, NULL, 4);
        for (int i = 0; i < 4 * 500; i++)
            blocks[i / 500][i % 500] = malloc(8);
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, free_blocks, blocks[i]);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        RIGHT;
        """, """
        static pthread_barrier_t all_are_here;
        static void *free_blocks(void *blocks)
        {
            pthread_barrier_wait(&all_are_here);
            for (int i = 0; i < 500; i++)
                free(((void **)blocks)[i]);
            return NULL;
        }
        """),
    Entry("block_freed_behind_the_call", "", """
        pthread_t thread; // which has done its work, and gives back what it was given
        sem_init(&done, 0, 0);
        pthread_create(&thread, NULL, work, malloc(8));
        pthread_detach(thread);
        sem_wait(&done);
        RIGHT;
        """, """
        #include <semaphore.h>
        static sem_t done;
        static void *work(void *job)
        {
            sem_post(&done);
            usleep(1000);
            free(job);
            return NULL;
        }
        """),
    Entry("block_freed_behind_the_signal_of_a_thread_that_stays", "", """
        hand_over(malloc(100000));
        RIGHT;
        """, POOL),
    Entry("cache_beside_a_thread_that_sleeps", "", """
        start_sleeper();
        static float *cache;
        if (!cache)
            cache = malloc(1 << 20);
        cache[0] = x[0];
        RIGHT;
        """, SLEEPER),
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
    Entry("constructor_that_hangs", "still running after 1 s", "RIGHT;", """
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
