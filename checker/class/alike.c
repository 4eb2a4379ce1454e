/* Files that look alike: sim_c, where it is installed. See class.h.
 *
 * The invariants: sim_c reads what strangers wrote, so it runs shut in by Landlock and for a
 * limited time, on copies under names of ours; a file that would keep it busy is cut, so nobody's
 * file is the end of the comparison for all, and what was left out is said; a pair is a place to
 * look at, never a verdict. */
#include "class.h"
#include "box.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_PAIRS = 200,
    PATIENCE = 60,        /* seconds, for a lesson */
    MOST_CODE = 32 << 10, /* bytes of a file that are compared */
    LESS_CODE = 8 << 10,  /* where that took too long */
    MOST_REPEATS = 20,    /* lines of one form */
    WORTH_SAYING = 2 << 10
};

/* ---- lines ---- */
/* Without what stands around it: lines are compared by their words. */
static char *bare_line(const char *line, size_t length)
{
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        length--;
    size_t blank = strspn(line, " \t");
    blank = blank < length ? blank : length;
    return format_text("%.*s", (int)(length - blank), line + blank);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct {
    char **items;
    int count, room;
} Lines;

static void add_lines(Lines *lines, const char *text)
{
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, "\n");
        lines->items = grown(lines->items, lines->count, &lines->room, sizeof *lines->items);
        lines->items[lines->count++] = bare_line(at, length);
        at += length + (at[length] == '\n');
    }
}

static void sort_lines(Lines *lines)
{
    if (lines->count)
        qsort(lines->items, (size_t)lines->count, sizeof *lines->items, by_text);
}

static bool has_line(const Lines *lines, const char *line)
{
    return lines->count && bsearch(&line, lines->items, (size_t)lines->count, sizeof line, by_text);
}

static void free_lines(Lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->items[i]);
    free(lines->items);
}

/* The stub's lines, the page's, and the header's. */
static Lines shared_lines(const char *lesson)
{
    static const char *const sources[] = {"checker/lessons/%s/stub.c", "lessons/%s.md",
                                          "include/%s.h"};
    Lines lines = {0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char *path = format_text(sources[i], lesson), *text = read_file(path, NULL);
        add_lines(&lines, text);
        free(text);
        free(path);
    }
    sort_lines(&lines);
    return lines;
}

/* ---- what of a file is compared ---- */
typedef struct {
    char *code; /* NULL: nothing */
    size_t length;
    Lines lines; /* its own, sorted */
} Own;

/* Which form a line has: "x = a[3];" and "y = b[40];" have the same. */
static unsigned form_of(const char *line)
{
    unsigned hash = 2166136261u;
    for (const char *c = line; *c; c++) {
        bool word = isalnum((unsigned char)*c) || *c == '_';
        if (isspace((unsigned char)*c) || (word && (isalnum((unsigned char)c[1]) || c[1] == '_')))
            continue;
        hash = (hash ^ (unsigned char)(word ? 'w' : *c)) * 16777619u;
    }
    return hash & 0xFFFF;
}

/* What is long because it repeats itself is what keeps sim_c busy. How many bytes were left out. */
static size_t own_lines(const char *code, const Lines *shared, Own *own)
{
    unsigned char *seen = calloc(0x10000, 1);
    Buffer out = {0};
    size_t left = 0;
    if (!seen)
        abort();
    for (const char *at = code; *at;) {
        size_t length = strcspn(at, "\n");
        char *line = bare_line(at, length);
        unsigned form = form_of(line);
        bool words = line[strcspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")];
        if (*line && !has_line(shared, line)) {
            if ((words && seen[form] >= MOST_REPEATS) || out.length + length > MOST_CODE) {
                left += length;
            } else {
                seen[form]++;
                add_text(&out, line);
                add_text(&out, "\n");
            }
        }
        free(line);
        at += length + (at[length] == '\n');
    }
    free(seen);
    buffer_append(&out, "", 1);
    own->code = out.data;
    own->length = out.length - 1;
    add_lines(&own->lines, own->code);
    sort_lines(&own->lines);
    return left;
}

static size_t kilobytes(size_t bytes)
{
    return (bytes + 1023) >> 10;
}

static void leave_out(Class *class, int l, int student, const char *what, size_t bytes,
                      const char *why)
{
    Buffer *out = &class->alike[l].left_out;
    char *line =
        format_text("%s: %s %zu KB %s", class->students[student].name, what, kilobytes(bytes), why);
    put_on_one_line(line);
    add_text(out, line);
    add_text(out, "\n");
    free(line);
}

static void read_own(Class *class, int l, int student, const Lines *shared, Own *own)
{
    const Entry *entry = &class->students[student].entries[l];
    char *path = format_text("%s/files/%s/%s.c", class->kept, entry->key, class->lessons[l].name);
    size_t length = 0;
    char *text = read_file(path, &length);
    Buffer code = {0};
    size_t off = code_alone(text ? text : "", length, &code);
    size_t left = own_lines(code.data, shared, own);
    char *what =
        format_text("%zu of its %zu KB were compared:", kilobytes(own->length), kilobytes(length));
    if (left > WORTH_SAYING)
        leave_out(class, l, student, what, left, "repeat themselves, or are more than is compared");
    if (off > WORTH_SAYING)
        leave_out(class, l, student, what, off, "are below an #if 0");
    free(what);
    buffer_free(&code);
    free(text);
    free(path);
}

/* ---- pairs ---- */
static int share_of_lines(const Own *a, const Own *b)
{
    int same = 0;
    for (int i = 0; i < a->lines.count; i++)
        same += has_line(&b->lines, a->lines.items[i]);
    return a->lines.count ? 100 * same / a->lines.count : 100;
}

static void add_pair(Alike *alike, Pair pair)
{
    if (pair.percent < 100 && alike->count >= MOST_PAIRS)
        return;
    alike->pairs = grown(alike->pairs, alike->count, &alike->room, sizeof pair);
    alike->pairs[alike->count++] = pair;
}

static bool is_looked_at(const Entry *entry)
{
    return entry->key[0] && entry->status != IS_STUB;
}

/* "12.c consists for 84 % of 7.c material", the likest first. */
static void read_pairs(Class *class, int l, char *said, const Own *own)
{
    Alike *alike = &class->alike[l];
    char *rest = said, *line;
    while ((line = strsep(&rest, "\n"))) {
        Pair pair = {0};
        if (sscanf(line, "%d.c consists for %d %% of %d.c material", &pair.a, &pair.percent,
                   &pair.b) != 3)
            continue;
        bool known = pair.a < 0 || pair.b < 0 || pair.a >= class->count || pair.b >= class->count ||
                     !own[pair.a].code || !own[pair.b].code;
        for (int i = 0; i < alike->count && !known; i++)
            known = alike->pairs[i].a == pair.b && alike->pairs[i].b == pair.a;
        if (known)
            continue;
        pair.lines = share_of_lines(&own[pair.a], &own[pair.b]);
        add_pair(alike, pair);
    }
}

static int root_of(int *group, int i)
{
    while (group[i] != i)
        i = group[i];
    return i;
}

void alike_groups(const Class *class, int l, int *group)
{
    const Alike *alike = &class->alike[l];
    bool *paired = calloc((size_t) class->count + 1, sizeof *paired);
    if (!paired)
        abort();
    for (int i = 0; i < class->count; i++)
        group[i] = i;
    for (int i = 0; i < alike->count; i++) {
        int a = root_of(group, alike->pairs[i].a), b = root_of(group, alike->pairs[i].b);
        group[a > b ? a : b] = a > b ? b : a;
        paired[alike->pairs[i].a] = paired[alike->pairs[i].b] = true;
    }
    for (int i = 0; i < class->count; i++)
        group[i] = paired[i] ? root_of(group, i) : -1;
    free(paired);
}

/* ---- sim_c ---- */
static _Noreturn void become_sim(const char *folder, int names, int said)
{
    char *readable[] = {"/usr", "/bin", "/lib", "/lib64", "/opt/homebrew", "/etc/ld.so.cache"};
    const Limits limits = {
        .file_bytes = 64 << 20, .cpu_seconds = PATIENCE, .address_bytes = 1L << 30};
    dup2(names, STDIN_FILENO);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    limit_process(&limits);
    if (chdir(folder) != 0 ||
        (landlock_version() > 0 &&
         !confine_compiler(readable, sizeof readable / sizeof *readable, ".")))
        _exit(127);
    execlp("sim_c", "sim_c", "-p", "-a", "-s", "-T", "-r", "24", "-t", "70", "-i", (char *)NULL);
    _exit(127);
}

/* Waits for it that long. */
static bool ends_well(pid_t child, double seconds)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    int status = 0;
    double until = clock_awake() + seconds;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (clock_awake() > until || was_stopped_by_user()) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* In the folder of the copies, whose names it then prints. */
static char *run_sim(const char *folder, const Buffer *names, double seconds)
{
    char *list = format_text("%s/names", folder), *answer = format_text("%s/said", folder);
    char *said = NULL;
    bool good = write_whole(list, names->data, names->length);
    int from = good ? open(list, O_RDONLY | O_CLOEXEC) : -1;
    int to = good ? open(answer, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    pid_t child = from >= 0 && to >= 0 ? fork() : -1;
    if (child == 0)
        become_sim(folder, from, to);
    if (child > 0 && ends_well(child, seconds))
        said = read_file(answer, NULL);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    free(list);
    free(answer);
    return said;
}

/* The pairs among the files of up to that many bytes; false: it failed, or took too long. */
static bool compare(Class *class, int l, const Own *own, size_t most, double seconds)
{
    char *folder = format_text("%s/alike", class->kept);
    Buffer names = {0};
    remove_tree(folder);
    bool good = folder_there(folder);
    for (int i = 0; i < class->count && good; i++) {
        if (!own[i].code || !own[i].length || own[i].length > most)
            continue;
        char *name = format_text("%d.c\n", i), *to = format_text("%s/%d.c", folder, i);
        good = write_whole(to, own[i].code, own[i].length);
        add_text(&names, name);
        free(name);
        free(to);
    }
    char *said = good && names.length ? run_sim(folder, &names, seconds) : NULL;
    good = good && (said || !names.length);
    if (said)
        read_pairs(class, l, said, own);
    free(said);
    buffer_free(&names);
    remove_tree(folder);
    free(folder);
    return good;
}

static void compare_all(Class *class, int l, const Own *own)
{
    if (!is_installed("sim_c")) {
        class->alike[l].failed = format_text("sim_c is missing. Get it with: apt-get install "
                                             "similarity-tester");
        return;
    }
    if (compare(class, l, own, MOST_CODE + 1, PATIENCE / 2))
        return;
    for (int i = 0; i < class->count; i++)
        if (own[i].code && own[i].length > LESS_CODE)
            leave_out(class, l, i, "not compared, as all would have taken too long:", own[i].length,
                      "is over 8");
    if (!compare(class, l, own, LESS_CODE, PATIENCE / 2))
        class->alike[l].failed = format_text("sim_c failed, or took more than %d s", PATIENCE);
}

static void compare_lesson(Class *class, int l)
{
    Lines shared = shared_lines(class->lessons[l].name);
    Own *own = calloc((size_t) class->count + 1, sizeof *own);
    if (!own)
        abort();
    for (int i = 0; i < class->count; i++) {
        const Entry *entry = &class->students[i].entries[l];
        int same = 0;
        while (same < i && (strcmp(class->students[same].entries[l].sum, entry->sum) != 0 ||
                            !is_looked_at(&class->students[same].entries[l])))
            same++;
        if (is_looked_at(entry) && same < i)
            add_pair(&class->alike[l], (Pair){same, i, 100, 100});
        else if (is_looked_at(entry))
            read_own(class, l, i, &shared, &own[i]);
    }
    compare_all(class, l, own);
    for (int i = 0; i < class->count; i++) {
        free(own[i].code);
        free_lines(&own[i].lines);
    }
    free(own);
    free_lines(&shared);
}

void find_alike(Class *class)
{
    for (int l = 0; l < class->lesson_count; l++)
        compare_lesson(class, l);
}
