/* BLIND=yes: a pseudonym in the place of every student's name, the same in every run; which is
 * whose stands in a key of its own, beside OUT and not in it. See class.h.
 *
 * The invariant: nothing that is written to OUT tells a student by a name, a number, a path or the
 * order in which they stand. What stands in their code is theirs. */
#include "class.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { MOST_TRIES = 100000 };

typedef struct {
    char *pseudonym, *name, *id;
} Known;

typedef struct {
    Known *items;
    int count, room;
} Key;

static void add_known(Key *key, const char *pseudonym, const char *name, const char *id)
{
    key->items = grown(key->items, key->count, &key->room, sizeof *key->items);
    key->items[key->count++] =
        (Known){format_text("%s", pseudonym), format_text("%s", name), format_text("%s", id)};
}

/* False: it is there, and no key. */
static bool read_key(const char *path, Key *key)
{
    char *text = read_file(path, NULL);
    Sheet sheet;
    Record record;
    bool good = true;
    if (!text)
        return errno == ENOENT;
    sheet_open(&sheet, text);
    for (int row = 0; good && sheet_next(&sheet, &record); row++) {
        good = record.count == 3 && (row || !strcmp(record.cells[0], "pseudonym"));
        if (row && good)
            add_known(key, record.cells[0], record.cells[1], record.cells[2]);
    }
    good = good && !sheet.damaged;
    sheet_close(&sheet);
    free(text);
    return good;
}

/* A name is quoted, so that nothing is trimmed or doubled, and is itself: this is no table for
 * spreadsheets, but what the next run reads. */
static void add_quoted(Buffer *out, const char *text, const char *end)
{
    buffer_append(out, "\"", 1);
    for (const char *c = text; *c; c++)
        buffer_append(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    buffer_append(out, "\"", 1);
    buffer_append(out, end, strlen(end));
}

static bool write_key(const char *path, const Key *key)
{
    Buffer out = {0};
    static const char heading[] = "pseudonym,student,id\r\n";
    buffer_append(&out, heading, strlen(heading));
    for (int i = 0; i < key->count; i++) {
        add_quoted(&out, key->items[i].pseudonym, ",");
        add_quoted(&out, key->items[i].name, ",");
        add_quoted(&out, key->items[i].id, "\r\n");
    }
    bool good = write_synced(path, out.data, out.length);
    buffer_free(&out);
    return good;
}

static const char *pseudonym_of(const Key *key, const Student *student)
{
    for (int i = 0; i < key->count; i++) {
        const Known *known = &key->items[i];
        bool same = !*known->id || !*student->id || !strcmp(known->id, student->id);
        char *name = format_text("%s", student->name);
        same = same && !strcmp(known->name, trimmed(name));
        free(name);
        if (same)
            return known->pseudonym;
    }
    return NULL;
}

static bool is_in_use(const Key *key, const char *pseudonym)
{
    for (int i = 0; i < key->count; i++)
        if (!strcmp(key->items[i].pseudonym, pseudonym))
            return true;
    return false;
}

/* Drawn, so that their order says nothing. */
static bool draw(Key *key, const Student *student)
{
    char text[32];
    for (int i = 0; i < MOST_TRIES; i++) {
        uint32_t random;
        if (getentropy(&random, sizeof random) != 0)
            return false;
        snprintf(text, sizeof text, "Student %04u",
                 (unsigned)(random % (i < 1000 ? 10000 : 1000000)));
        if (!is_in_use(key, text)) {
            char *name = format_text("%s", student->name);
            add_known(key, text, trimmed(name), student->id);
            free(name);
            return true;
        }
    }
    return false;
}

/* What came in and is not used, without the paths, in which a name may stand. Caller frees. */
static char *why_without_names(const HandIns *in)
{
    enum { SHOWN = 5 };
    char *all = format_text("%s", "");
    for (int i = 0, said = 0; i < in->count && said < SHOWN; i++) {
        const HandIn *item = &in->items[i];
        const char *why = item->why ? item->why : item->refused;
        if (!why || item->aside || item->beside || strstr(all, why))
            continue;
        char *longer = format_text("%s%s%s", all, said++ ? "; " : "", why);
        free(all);
        all = longer;
    }
    return all;
}

static void hide(Class *class, Student *student, const char *pseudonym)
{
    free(student->name);
    free(student->file);
    free(student->id);
    student->name = format_text("%s", pseudonym);
    student->file = harmless_name(pseudonym);
    student->id = format_text("%s", "");
    student->of_moodle = false;
    student->list_row = 0;
    for (int l = 0; l < class->lesson_count; l++) {
        Entry *entry = &student->entries[l];
        if (entry->path) {
            free(entry->path);
            entry->path = format_text("%s.c", class->lessons[l].name);
        }
        if (entry->status == UNUSABLE || entry->status == NOT_TAKEN) {
            free(entry->reason);
            entry->reason = why_without_names(&student->in);
        }
    }
    for (int i = 0; i < student->in.count; i++)
        hand_in_free(&student->in.items[i]);
    student->in.count = 0;
}

static int by_pseudonym(const void *a, const void *b)
{
    return strcmp(((const Student *)a)->name, ((const Student *)b)->name);
}

/* What an earlier run has written that has the names in it. */
static void remove_names(const Class *class)
{
    static const char *const files[] = {"grades-canvas.csv", "grades-moodle.csv",
                                        "feedback-moodle.zip"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = format_text("%s/%s", class->asked->out, files[i]);
        unlink(path);
        free(path);
    }
}

bool blind(Class *class)
{
    const char *asked = class->asked->blind;
    if (!asked)
        return true;
    char *path = strcmp(asked, "yes") != 0 ? format_text("%s", asked)
                                           : format_text("%s-key.csv", class->asked->out);
    Key key = {0};
    bool good = read_key(path, &key);
    if (!good)
        fprintf(stderr, "%s: it is no key of BLIND=yes, and is left as it is.\n", path);
    for (int i = 0; i < class->count && good; i++)
        good = pseudonym_of(&key, &class->students[i]) || draw(&key, &class->students[i]);
    if (good && !write_key(path, &key)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        good = false;
    }
    for (int i = 0; i < class->count && good; i++)
        hide(class, &class->students[i], pseudonym_of(&key, &class->students[i]));
    if (good) {
        qsort(class->students, (size_t) class->count, sizeof(Student), by_pseudonym);
        buffer_free(&class->left_out);
        class->left_out = (Buffer){0};
        remove_names(class);
        printf("Names are hidden. Which is whose stands in %s.\n", path);
    }
    for (int i = 0; i < key.count; i++) {
        free(key.items[i].pseudonym);
        free(key.items[i].name);
        free(key.items[i].id);
    }
    free(key.items);
    free(path);
    return good;
}
