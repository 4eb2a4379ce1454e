/* The class's folder: who is there, and each one's file of each lesson. See class.h.
 *
 * Each thing in the folder is one student's: a folder, a file, or an archive. Where several files
 * are of one lesson the newest counts: by the number that Canvas gives a new hand-in, else by the
 * file's own time.
 *
 * The invariant: no link is followed, and no file of another student's, or of the workbook that a
 * student's repository is a copy of, is taken for this one's. */
#include "class.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 8, MOST_FILES = 20000, GUESSED = -1 };
static const int64_t most_of_one = (int64_t)256 << 20, most_of_all = (int64_t)16 << 30;

/* A file that may be somebody's answer. */
typedef struct {
    int student, lesson; /* lesson: of all; GUESSED: its name does not say */
    char *path, *shown;
    char *refused;
    time_t time;
    int version;
    bool of_exercises; /* it lies in a folder exercises/ */
} Found;

typedef struct {
    Class *class;
    Found *items;
    int count, room, archives;
    int code; /* GRADED: nothing has failed */
} Search;

/* ---- files ---- */
static void leave_out(Class *class, const char *shown, const char *why)
{
    char *name = shown_name(shown), *line = format_text("%s: %s", name, why);
    put_on_one_line(line);
    buffer_append(&class->left_out, line, strlen(line));
    buffer_append(&class->left_out, "\n", 1);
    free(line);
    free(name);
}

static Found *add_found(Search *s, int student, int lesson, char *path, char *shown)
{
    s->items = grown(s->items, s->count, &s->room, sizeof *s->items);
    Found *found = &s->items[s->count++];
    *found = (Found){.student = student, .lesson = lesson, .path = path, .shown = shown};
    return found;
}

/* All that the student handed in is refused. */
static void refuse(Search *s, int student, const char *shown, char *why)
{
    add_found(s, student, GUESSED, NULL, format_text("%s", shown))->refused = why;
}

static void add_file(Search *s, int student, const char *path, const char *shown, const char *name,
                     bool of_exercises)
{
    struct stat info;
    int version;
    size_t before;
    int lesson = lesson_of_file(name, s->class->all_lessons, &version, &before);
    if ((lesson < 0 && !is_c_file(name)) || lstat(path, &info) != 0)
        return;
    Found *found = add_found(s, student, lesson, format_text("%s", path), format_text("%s", shown));
    found->version = version;
    found->time = info.st_mtime;
    found->of_exercises = of_exercises;
}

static bool is_hidden(const char *name)
{
    return name[0] == '.' || !strcmp(name, "__MACOSX");
}

/* Names in order. Caller frees them and the list. */
static int names_in(const char *folder, struct dirent ***names)
{
    int count = scandir(folder, names, NULL, alphasort);
    return count < 0 ? 0 : count;
}

static void search_folder(Search *s, int student, const char *path, const char *shown, int depth,
                          bool of_exercises)
{
    struct dirent **names;
    int count = names_in(path, &names);
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        char *below = format_text("%s/%s", path, name), *named = format_text("%s/%s", shown, name);
        struct stat info;
        bool there = !is_hidden(name) && lstat(below, &info) == 0 && s->count < MOST_FILES * 10;
        bool folder = there && S_ISDIR(info.st_mode);
        if (folder && depth < MOST_DEPTH && strcmp(name, "build") != 0)
            search_folder(s, student, below, named, depth + 1,
                          of_exercises || !strcmp(name, "exercises"));
        else if (there && !folder)
            add_file(s, student, below, named, name, of_exercises);
        free(below);
        free(named);
        free(names[i]);
    }
    if (count)
        free(names);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

bool remove_tree(const char *path)
{
    return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT;
}

/* Where the archive was unpacked; NULL: it was not, `why` says so. Caller frees. */
static char *unpacked(Search *s, const char *path, bool whole_class, char *why, size_t size)
{
    char *to = format_text("%s/unpacked/%d", s->class->kept, s->archives++);
    Unpack unpack = {path, to, whole_class ? most_of_all : most_of_one, whole_class};
    Unpacked done = archive_unpack(&unpack, why, size);
    if (done == UNPACKED)
        return to;
    free(to);
    if (done != REFUSED) {
        fprintf(stderr, "%s: %s\n", path, why);
        s->code = done == NO_TOOL ? ASKED_WRONGLY : NOT_ALL_GRADED;
    }
    return NULL;
}

static void search_archive(Search *s, int student, const char *path, const char *shown)
{
    char why[400];
    char *folder = unpacked(s, path, false, why, sizeof why);
    if (folder)
        search_folder(s, student, folder, shown, 0, false);
    else
        refuse(s, student, shown, format_text("The archive is not taken: %s.", why));
    free(folder);
}

/* ---- the class's folder ---- */
static void search_entry(Search *s, const char *root, const char *name)
{
    Class *class = s->class;
    char *path = format_text("%s/%s", root, name);
    const char *shown = name;
    struct stat info;
    Whose who;
    whose(name, class->all_lessons, &who);
    int version;
    size_t before;
    if (lstat(path, &info) != 0)
        leave_out(class, shown, strerror(errno));
    else if (S_ISDIR(info.st_mode))
        search_folder(s, student_of(class, &who), path, shown, 0, false);
    else if (is_archive(name))
        search_archive(s, student_of(class, &who), path, shown);
    else if (is_c_file(name) &&
             (lesson_of_file(who.file, class->all_lessons, &version, &before) >= 0 ||
              class->lesson_count == 1))
        add_file(s, student_of(class, &who), path, shown, who.file, false);
    else if (S_ISLNK(info.st_mode) && !strchr(name, '.'))
        refuse(s, student_of(class, &who), shown, format_text("It is a link."));
    else {
        if (*who.id)
            student_of(class, &who);
        leave_out(class, shown,
                  is_c_file(name) ? "its name has no lesson in it" : "it is no C file");
    }
    free(path);
}

/* The only folder in it, if that is all that there is, as archives of a folder have it. */
static char *inner(char *root)
{
    struct dirent **names;
    int count = names_in(root, &names), seen = 0;
    char *only = NULL;
    for (int i = 0; i < count; i++) {
        if (!is_hidden(names[i]->d_name) && !seen++)
            only = format_text("%s/%s", root, names[i]->d_name);
        free(names[i]);
    }
    if (count)
        free(names);
    struct stat info;
    if (seen == 1 && lstat(only, &info) == 0 && S_ISDIR(info.st_mode)) {
        free(root);
        return only;
    }
    free(only);
    return root;
}

static void search_class(Search *s)
{
    const Class *class = s->class;
    struct stat out = {0}, info;
    char why[400], *root = format_text("%s", class->asked->class);
    if (stat(class->asked->out, &out) != 0)
        out.st_ino = 0;
    if (stat(root, &info) == 0 && S_ISREG(info.st_mode)) {
        free(root);
        root = unpacked(s, class->asked->class, true, why, sizeof why);
        if (!root && !s->code) {
            fprintf(stderr, "%s: %s\n", class->asked->class, why);
            s->code = ASKED_WRONGLY;
        }
        root = root ? inner(root) : NULL;
    }
    struct dirent **names;
    int count = root ? names_in(root, &names) : 0;
    for (int i = 0; i < count; i++) {
        char *path = format_text("%s/%s", root, names[i]->d_name);
        bool own =
            lstat(path, &info) == 0 && info.st_dev == out.st_dev && info.st_ino == out.st_ino;
        if (!is_hidden(names[i]->d_name) && !own && !s->code)
            search_entry(s, root, names[i]->d_name);
        free(path);
        free(names[i]);
    }
    if (count)
        free(names);
    free(root);
}

/* ---- which of several ---- */
static bool is_newer(const Found *a, const Found *b)
{
    if (a->version != b->version)
        return a->version > b->version;
    return a->time != b->time ? a->time > b->time : strcmp(a->shown, b->shown) > 0;
}

/* Of one student's files: those in exercises/, where there is one; and one without a lesson's name
 * if one lesson is graded and it is the only one. */
static const Found *newest(const Search *s, int student, int lesson, int *others)
{
    const Found *best = NULL, *guess = NULL;
    bool exercises = false;
    int guesses = 0, count = 0;
    for (const Found *f = s->items; f < s->items + s->count; f++)
        exercises = exercises || (f->student == student && f->of_exercises);
    for (const Found *f = s->items; f < s->items + s->count; f++) {
        if (f->student != student || (exercises && !f->of_exercises && f->path))
            continue;
        if (f->lesson == lesson) {
            count++;
            best = !best || is_newer(f, best) ? f : best;
        } else if (f->lesson == GUESSED) {
            guess = f;
            guesses++;
        }
    }
    *others = best ? count - 1 : 0;
    bool only = guess && ((guesses == 1 && s->class->lesson_count == 1) || !guess->path);
    return best ? best : only ? guess : NULL;
}

static int choose(Search *s)
{
    Class *class = s->class;
    for (int i = 0; i < class->count; i++) {
        Student *student = &class->students[i];
        student->entries = calloc((size_t) class->lesson_count, sizeof *student->entries);
        for (int l = 0; l < class->lesson_count; l++) {
            Entry *entry = &student->entries[l];
            const ClassLesson *lesson = &class->lessons[l];
            int number = lesson_index(class->all_lessons, lesson->name);
            const Found *found = newest(s, i, number, &entry->others);
            entry->status = found ? GOT_PART : IS_MISSING;
            if (!found)
                continue;
            entry->path = shown_name(found->shown);
            entry->refused = found->refused ? format_text("%s", found->refused) : NULL;
            if (found->path && !keep_file(class, lesson->name, entry, found->path))
                return NOT_ALL_GRADED;
            if (!entry->refused)
                name_verdict(class, lesson, entry);
        }
    }
    return GRADED;
}

/* Those that are asked for, or else those that somebody handed in. */
static int choose_lessons(Search *s)
{
    Class *class = s->class;
    for (int i = 0; i < class->all_lessons->count && !class->asked->lessons; i++)
        for (const Found *f = s->items; f < s->items + s->count; f++)
            if (f->lesson == i) {
                class->lessons[class->lesson_count++].name = class->all_lessons->names[i];
                break;
            }
    if (!class->lesson_count || !class->count)
        fprintf(stderr, "%s: there is no student's file in it.\n", class->asked->class);
    for (int l = 0; l < class->lesson_count; l++) {
        ClassLesson *lesson = &class->lessons[l];
        char *stub = format_text("checker/lessons/%s/stub.c", lesson->name);
        WorkbookOptions of_stub = {.impl = stub, .seed = "1"};
        int code;
        bool good = checker_report(lesson->name, &of_stub, &lesson->blank, &code);
        free(stub);
        if (!good)
            return NOT_ALL_GRADED;
        checker_sum(lesson->name, lesson->checker);
    }
    return class->lesson_count && class->count ? GRADED : ASKED_WRONGLY;
}

int class_find(Class *class)
{
    Search s = {.class = class};
    char *folder = format_text("%s/unpacked", class->kept);
    remove_tree(folder);
    if (!folder_there(folder)) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        s.code = NOT_ALL_GRADED;
    }
    if (!s.code)
        search_class(&s);
    if (!s.code)
        s.code = choose_lessons(&s);
    if (!s.code) {
        tell_apart(class);
        s.code = choose(&s);
    }
    remove_tree(folder);
    free(folder);
    for (int i = 0; i < s.count; i++) {
        free(s.items[i].path);
        free(s.items[i].shown);
        free(s.items[i].refused);
    }
    free(s.items);
    return s.code;
}
