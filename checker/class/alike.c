/* Files that look alike: sim_c, where it is installed. See class.h.
 *
 * The invariant: sim_c sees copies under names of ours, so nothing of a student's becomes a word of
 * its command or of its answer; and a pair is a place to look at, never a verdict. */
#include "class.h"
#include "box.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 200, PATIENCE = 300 };

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

static void add_lines(Lines *lines, const char *path)
{
    char *text = read_file(path, NULL);
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, "\n");
        lines->items = grown(lines->items, lines->count, &lines->room, sizeof *lines->items);
        lines->items[lines->count++] = bare_line(at, length);
        at += length + (at[length] == '\n');
    }
    free(text);
}

/* The stub's lines, the page's, and the header's. */
static Lines shared_lines(const char *lesson)
{
    static const char *const sources[] = {"checker/lessons/%s/stub.c", "lessons/%s.md",
                                          "include/%s.h"};
    Lines lines = {0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char *path = format_text(sources[i], lesson);
        add_lines(&lines, path);
        free(path);
    }
    qsort(lines.items, (size_t)lines.count, sizeof *lines.items, by_text);
    return lines;
}

static bool copy_own_lines(const char *from, const char *to, const Lines *shared)
{
    char *text = read_file(from, NULL);
    Buffer own = {0};
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, "\n");
        char *line = bare_line(at, length);
        if (!bsearch(&line, shared->items, (size_t)shared->count, sizeof line, by_text)) {
            buffer_append(&own, at, length);
            buffer_append(&own, "\n", 1);
        }
        free(line);
        at += length + (at[length] == '\n');
    }
    free(text);
    bool good = write_whole(to, own.data ? own.data : "", own.length);
    buffer_free(&own);
    return good;
}

static void add_pair(Class *class, int l, Pair pair)
{
    int room = class->pair_counts[l];
    if (pair.percent < 100 && class->pair_counts[l] >= MOST_PAIRS)
        return;
    class->pairs[l] = realloc(class->pairs[l], (size_t)(room + 1) * sizeof pair);
    if (!class->pairs[l])
        abort();
    class->pairs[l][class->pair_counts[l]++] = pair;
}

static bool is_looked_at(const Entry *entry)
{
    return entry->key[0] && entry->status != IS_STUB;
}

/* "12.c consists for 84 % of 7.c material", the likest first. */
static void read_pairs(Class *class, int l, char *said)
{
    char *rest = said, *line;
    while ((line = strsep(&rest, "\n"))) {
        Pair pair;
        if (sscanf(line, "%d.c consists for %d %% of %d.c material", &pair.a, &pair.percent,
                   &pair.b) != 3)
            continue;
        bool known = pair.a < 0 || pair.b < 0 || pair.a >= class->count || pair.b >= class->count;
        for (int i = 0; i < class->pair_counts[l]; i++)
            known = known || (class->pairs[l][i].a == pair.b && class->pairs[l][i].b == pair.a);
        if (!known)
            add_pair(class, l, pair);
    }
}

/* In the folder of the copies, whose names it then prints. */
static char *run_sim(const char *folder, const Buffer *names)
{
    char *list = format_text("%s/names", folder), *said = NULL;
    int status = 1;
    if (write_whole(list, names->data, names->length)) {
        const char *command[] = {
            "sh",    "-c",   "cd \"$1\" && exec sim_c -p -a -s -T -r 24 -t 70 -i <names",
            "sim_c", folder, NULL};
        Launch launch = {.argv = command,
                         .limits = {.file_bytes = 64 << 20, .cpu_seconds = PATIENCE}};
        Child child;
        if (child_start(&child, &launch) && !child_finish(&child, PATIENCE, &said, &status))
            status = 1;
    }
    free(list);
    if (status != 0) {
        free(said);
        said = NULL;
    }
    return said;
}

static void compare_lesson(Class *class, int l)
{
    char *folder = format_text("%s/alike", class->kept);
    Lines shared = shared_lines(class->lessons[l].name);
    Buffer names = {0};
    remove_tree(folder);
    bool good = folder_there(folder);
    for (int i = 0; i < class->count && good; i++) {
        const Entry *entry = &class->students[i].entries[l];
        int same = 0;
        while (same < i && (strcmp(class->students[same].entries[l].sum, entry->sum) != 0 ||
                            !is_looked_at(&class->students[same].entries[l])))
            same++;
        if (!is_looked_at(entry))
            continue;
        if (same < i) {
            add_pair(class, l, (Pair){same, i, 100});
            continue;
        }
        char *from =
            format_text("%s/files/%s/%s.c", class->kept, entry->key, class->lessons[l].name);
        char *name = format_text("%d.c\n", i), *to = format_text("%s/%d.c", folder, i);
        good = copy_own_lines(from, to, &shared);
        buffer_append(&names, name, strlen(name));
        free(from);
        free(name);
        free(to);
    }
    char *said = good && names.length ? run_sim(folder, &names) : NULL;
    if (said)
        read_pairs(class, l, said);
    class->compared = class->compared && (said || !names.length);
    free(said);
    buffer_free(&names);
    for (int i = 0; i < shared.count; i++)
        free(shared.items[i]);
    free(shared.items);
    remove_tree(folder);
    free(folder);
}

void find_alike(Class *class)
{
    class->compared = true;
    for (int l = 0; l < class->lesson_count; l++)
        compare_lesson(class, l);
}
