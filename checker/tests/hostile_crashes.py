"""Learner files with the errors that people make: memory, arithmetic, ends and limits."""

from hostile_entry import POOL, SLEEPER, Entry

NUMBERS = "y["  # without sanitizers the wrong number is all there is to see
# The sanitizer's interface, by a name that stands nowhere in the file.
UNPOISON = """
        #include <dlfcn.h>
        static void unpoison(const volatile void *at, size_t bytes)
        {
            char name[64] = "__asan_unpoison";
            void *found = dlsym(RTLD_DEFAULT, strcat(name, "_memory_region"));
            void (*function)(const volatile void *, size_t);
            memcpy(&function, &found, sizeof function);
            if (found)
                function(at, bytes);
        }
        """
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
    Entry("unpoison_and_write_before_start", "wrote before the start of y", """
        RIGHT;
        unpoison(y - 4, 16);
        y[-1] = 1;
        """, UNPOISON),
    Entry("unpoison_and_read_before_start", "read before the start of y", """
        RIGHT;
        unpoison(y - 64, 256);
        volatile float before = y[-1]; // HERE
        (void)before;
        """, UNPOISON),
    Entry("read_before_start_without_instruments", "read before the start of x", """
        RIGHT;
        y[0] += look(x) * 0;
        """, """
        __attribute__((no_sanitize("address", "undefined"), noinline)) static float look(const float *x)
        {
            volatile float before = x[-1]; // HERE
            return before > 0 ? 1 : 0;
        }
        """),
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
        volatile float *nothing = NULL; // or a compiler may leave the store out
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
    Entry("bad_free_of_what_looks_like_a_block", "freed something that malloc() did not give it", """
        static _Alignas(16) unsigned char block[64] = {2}; /* as the sanitizer's own heads begin */
        unsigned char *volatile at = block;
        free(at + 16); // HERE
        """, plain="called abort()"),
    Entry("heap_overflow", "past an end of allocated memory", """
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
        """, plain=("used an address that is not its own", "followed a null pointer", "called abort()", "(SIGSEGV)",
                    NUMBERS)),
    Entry("index_out_of_bounds", "index 3 out of bounds", """
        float row[3] = {0};
        int j = features; // 3 in the first case
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
        float *volatile one = malloc(sizeof *one); // HERE, and less than a page in many calls
        one[0] = 0;
        RIGHT;
        """, plain=""),
    Entry("leak_of_pages", "does not free it", """
        float *volatile row = malloc(100000); // HERE
        row[0] = 0;
        RIGHT;
        """, plain="takes memory and does not give it back"),
    Entry("leak_that_says_it_is_left", "does not free it", """
        float *volatile row = malloc(100000); // HERE
        row[0] = 0;
        left++;
        RIGHT;
        """, """
        static int64_t left;
        void __calls_left(int64_t *blocks, int64_t *bytes, int64_t *mapped);
        void __calls_left(int64_t *blocks, int64_t *bytes, int64_t *mapped)
        {
            *blocks = left;
            *bytes = 100000 * left;
            *mapped = 0;
        }
        """, plain="takes memory and does not give it back"),
    Entry("leak_in_a_thread", "does not free it", """
        pthread_t thread;
        pthread_create(&thread, NULL, forget, NULL);
        pthread_join(thread, NULL);
        RIGHT;
        """, """
        static void *forget(void *nothing)
        {
            char *volatile some = malloc(100000); // HERE
            some[0] = 0;
            return nothing;
        }
        """, plain="takes memory and does not give it back"),
    Entry("leak_at_every_third_call", "and does not free it", """
        static int calls;
        float *volatile row = malloc(sizeof *row); // HERE
        row[0] = 0;
        if (++calls % 3)
            free(row);
        RIGHT;
        """, plain=""),
    Entry("leak_at_every_fifth_call", "and does not free it", """
        static int calls;
        float *volatile row = malloc(sizeof *row); // HERE
        row[0] = 0;
        if (++calls % 5)
            free(row);
        RIGHT;
        """, plain=""),
    Entry("leak_beside_a_thread_that_sleeps", "does not free it (100000 bytes at every call)", """
        start_sleeper();
        float *volatile row = malloc(100000); // HERE
        row[0] = 0;
        RIGHT;
        """, SLEEPER, plain="takes memory and does not give it back"),
    Entry("leak_at_every_third_call_beside_a_thread_that_sleeps", "does not free it (400000 bytes in 12 calls)", """
        start_sleeper();
        static int calls;
        float *volatile row = malloc(100000); // HERE
        row[0] = 0;
        if (++calls % 3)
            free(row);
        RIGHT;
        """, SLEEPER, plain="takes memory and does not give it back"),
    Entry("leak_at_every_third_call_beside_a_thread_that_spins", "does not free it (400000 bytes in 12 calls)", """
        start_sleeper();
        static int calls;
        float *volatile row = malloc(100000); // HERE
        row[0] = 0;
        if (++calls % 3)
            free(row);
        RIGHT;
        """, SLEEPER.replace("pause()", "calls_of_pause++").replace("static", "static volatile long calls_of_pause;\nstatic", 1),
          plain="takes memory and does not give it back"),
    Entry("leak_before_a_block_that_a_thread_frees", "does not free it (100000 bytes at every call)", """
        float *volatile row = malloc(100000); // HERE
        row[0] = 0;
        hand_over(malloc(8));
        RIGHT;
        """, POOL, plain="takes memory and does not give it back"),
    Entry("leak_behind_the_signal_of_a_thread_that_stays", "does not free it", """
        hand_over(malloc(8));
        RIGHT;
        """, POOL.replace("free(job);", "free(job), *(volatile char *)malloc(100000) = 0; // HERE"), plain="takes memory and does not give it back"),
    Entry("mapped_and_not_unmapped", "maps memory and does not unmap it (49152 bytes in 12 calls)", """
        RIGHT;
        mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        """, plain="takes memory and does not give it back (49152 bytes in 12 calls)"),
    Entry("mapped_by_the_kernel_and_not_unmapped", "maps memory and does not unmap it", """
        RIGHT;
        static int calls;
        if (++calls % 3 == 0)
            syscall(SYS_mmap, NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        """, plain="takes memory and does not give it back"),
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
    Entry("abort_when_called_again", "called abort()", """
        static float before;
        static int again;
        again = x[0] == before ? again + 1 : 0; // as when leaks are looked for
        before = x[0];
        if (again == 3)
            abort(); // HERE
        RIGHT;
        """),
    Entry("longjmp_nowhere", "", """
        jmp_buf place;
        if (setjmp(place) == 0)
            longjmp(place, 1);
        RIGHT;
        """),
]
LIMITS = [
    Entry("slow_at_every_call", "the calls of this check took more than 5 s together", """
        usleep(300000);
        RIGHT;
        """, limit=1),
    Entry("slow_and_wrong", "These are the numbers you get when beta is", """
        usleep(1500000); // and a busy machine may let it wait for a processor then
        RIGHT;
        for (int i = 0; i < rows * features; i++)
            y[i] -= beta[i % features];
        """, limit=2.5),
    Entry("spin", "still running after 1 s", """
        volatile int forever = 1;
        while (forever) forever = 1; // HERE
        """),
    Entry("sleep", "still running after 1 s", "sleep(100); // HERE"),
    Entry("hang_with_signals_blocked", "still running after 1 s", """
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (;;)
            pause();
        """),
    Entry("hang_with_handlers_replaced", "still running after 1 s", """
        for (int i = 1; i < 64; i++)
            signal(i, SIG_IGN);
        for (volatile int forever = 1; forever;)
            forever = 1;
        """),
    Entry("stop_itself", "still running after 1 s", "raise(SIGSTOP);"),
    Entry("memory_bomb", "used more than 1024 MB of memory", """
        for (;;) {
            float *volatile some = malloc(16 << 20); // HERE
            some[0] = 1;
        }
        """, plain=("followed a null pointer", "still running after 3 s"), limit=3),
    Entry("mapped_memory_bomb", "used more than 1024 MB of memory", """
        size_t size = (size_t)8 << 30;
        char *all = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        for (size_t i = 0; i < size; i += 4096)
            all[i] = 1;
        """, plain="used an address that is not its own"),
    Entry("memory_mapped_at_every_call", "used more than 1024 MB of memory", """
        prctl(PR_SET_NAME, "1 2) 3\\n");
        RIGHT;
        for (int i = 0; i < 16; i++)
            mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        """),
    Entry("thread_bomb", "started more threads than the checker allows", """
        pthread_t thread;
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 16384);
        for (int i = 0; i < 5000; i++)
            pthread_create(&thread, &small, hold, NULL);
        sleep(100);
        """, """
        static void *hold(void *nothing)
        {
            pause();
            return nothing;
        }
        """),
    Entry("print_bomb", "printed more than 1024 KB", """
        for (;;)
            puts("round and round and round and round and round and round");
        """),
    Entry("thread_that_spins", "still running after 1 s", """
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
ONCE = [
    Entry("leak_at_one_size", "does not free it", """
        static float *cache;
        cache = realloc(cache, sizeof *cache * (size_t)features);
        if (features == 1000)
            cache = malloc(sizeof *cache * (size_t)features); // HERE
        RIGHT;
        """, plain=""),
    Entry("first_element_not_written", "y[0][0] was never written", """
        float before;
        memcpy(&before, y, sizeof before);
        RIGHT;
        memcpy(y, &before, sizeof before);
        """),
    Entry("wrong_when_asked_again", "This was the second call with these numbers", """
        RIGHT;
        y[0] += (float)seen_before(x, features);
        """),
    Entry("abort_when_asked_again", "This was the second call with these numbers", """
        if (seen_before(x, features))
            abort();
        RIGHT;
        """),
    Entry("wrong_when_asked_again_at_once", "This was the third call with these numbers", """
        static const float *before;
        static float first;
        RIGHT;
        y[0] += (float)(before == x && first == x[0]);
        before = x;
        first = x[0];
        """),
    Entry("wrong_in_the_second_call", "y[", """
        static int calls;
        RIGHT;
        y[0] += (float)(calls++ > 0);
        """),
]
