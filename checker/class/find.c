/* The class's folder: who is there, and what is whose. See class.h.
 *
 * Each thing in the folder is one student's: a folder, a file, or an archive. The folder may be an
 * archive itself, whose members are then taken as they come.
 *
 * The invariant: no link is followed, and no file of another student's, or of the workbook that a
 * student's repository is a copy of, is taken for this one's. */
#include "class.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const int64_t most_of_all = (int64_t)64 << 30;

/* A header in a folder for all, until all students are known: "ada_own.h". */
typedef struct {
    char *path, *text, *shown;
    size_t length;
    time_t time;
} Stray;

typedef struct {
    Class *class;
    Stray *strays;
    int count, room;
    char *only; /* of an archive: the one folder that all of it lies in; "": none */
} Search;

static void leave_out(Class *class, const char *shown, const char *why)
{
    char *name = shown_name(shown), *line = format_text("%s: %s", name, why);
    put_on_one_line(line);
    buffer_append(&class->left_out, line, strlen(line));
    buffer_append(&class->left_out, "\n", 1);
    free(line);
    free(name);
}

static bool is_hidden(const char *name)
{
    return name[0] == '.' || !strcmp(name, "__MACOSX");
}

/* Nobody's, but somebody's it may be. Once for all that lies in it. */
static void leave_hidden(Class *class, const char *path)
{
    char *top = format_text("%.*s", (int)strcspn(path, "/"), path);
    char *line = format_text("\n%s: it is hidden\n", top);
    bool links = !strcmp(top, ".") || !strcmp(top, "..");
    buffer_append(&class->left_out, "", 1); /* for strstr() */
    class->left_out.length--;
    bool said = !strncmp(class->left_out.data, line + 1, strlen(line + 1)) ||
                strstr(class->left_out.data, line);
    if (!links && !said && !is_of_the_system(top))
        leave_out(class, top, "it is hidden");
    free(line);
    free(top);
}

/* ---- one thing in the folder ---- */
static HandIns *hand_ins_of(Class *class, const Whose *who)
{
    int student = student_of(class, who); /* may move them all */
    return &class->students[student].in;
}

/* A file in a folder for all: its name says whose it is, or it is nobody's. */
static void take_flat_file(Search *s, const Came *came)
{
    Class *class = s->class;
    Whose who;
    whose(came->shown, class->all_lessons, &who);
    Came file = *came;
    bool known = *who.id || is_archive(came->shown) ||
                 lesson_meant(who.file, class->all_lessons) >= 0 ||
                 (is_c_file(came->shown) && class->lesson_count == 1);
    file.name = who.file;
    file.late = who.late;
    if (known) {
        hand_in(class, hand_ins_of(class, &who), &file);
    } else if (is_header(came->shown) && !came->is_link) {
        s->strays = grown(s->strays, s->count, &s->room, sizeof *s->strays);
        Stray *stray = &s->strays[s->count++];
        *stray = (Stray){.shown = format_text("%s", came->shown), .time = came->time};
        stray->path = came->path ? format_text("%s", came->path) : NULL;
        stray->length = came->path ? 0 : came->length;
        stray->text = came->path ? NULL : calloc(came->length + 1, 1);
        if (!came->path && !stray->text)
            abort();
        if (!came->path)
            memcpy(stray->text, came->text, came->length);
    } else if (came->is_link && !strchr(came->shown, '.')) {
        /* A link in the place of a student's folder. */
        HandIns *in = hand_ins_of(class, &who);
        file.name = "link.c";
        hand_in(class, in, &file);
    } else {
        leave_out(class, came->shown,
                  is_c_file(came->shown) ? "its name has no lesson in it" : "it is no C file");
    }
}

/* The student whose name it begins with, the longest of these. */
static void give_strays(Search *s)
{
    Class *class = s->class;
    for (Stray *stray = s->strays; stray < s->strays + s->count; stray++) {
        Student *best = NULL;
        size_t most = 0;
        for (int i = 0; i < class->count; i++) {
            Student *student = &class->students[i];
            size_t length = strlen(student->name);
            if (length > most && !strncmp(stray->shown, student->name, length) &&
                (stray->shown[length] == '_' || stray->shown[length] == '.')) {
                best = student;
                most = length;
            }
        }
        Came came = {.path = stray->path,
                     .text = stray->text,
                     .length = stray->length,
                     .time = stray->time,
                     .shown = stray->shown,
                     .folder = "",
                     .name = stray->shown + most + (best && stray->shown[most] == '_'),
                     .is_file = true};
        if (best)
            hand_in(class, &best->in, &came);
        else
            leave_out(class, stray->shown, "a header whose name says no student");
        free(stray->path);
        free(stray->text);
        free(stray->shown);
    }
    free(s->strays);
}

/* ---- the class's folder ---- */
static void search_folder(Search *s, const char *root)
{
    struct dirent **names;
    struct stat out = {0}, info;
    if (stat(s->class->asked->out, &out) != 0)
        out.st_ino = 0;
    int count = scandir(root, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        char *path = format_text("%s/%s", root, name);
        Whose who;
        if (is_hidden(name)) {
            leave_hidden(s->class, name);
        } else if (lstat(path, &info) != 0) {
            leave_out(s->class, name, strerror(errno));
        } else if (info.st_dev == out.st_dev && info.st_ino == out.st_ino) {
            /* the grades of before */
        } else if (S_ISDIR(info.st_mode)) {
            whose(name, s->class->all_lessons, &who);
            hand_in_folder(s->class, hand_ins_of(s->class, &who), path, name);
        } else {
            take_flat_file(s, &(Came){.path = path,
                                      .shown = name,
                                      .folder = "",
                                      .time = info.st_mtime,
                                      .is_file = S_ISREG(info.st_mode),
                                      .is_link = S_ISLNK(info.st_mode)});
        }
        free(path);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

/* ---- an archive of the whole class ---- */
static const char *without_dots(const char *path)
{
    while (!strncmp(path, "./", 2) || *path == '/')
        path += *path == '/' ? 1 : 2;
    return path;
}

/* Is all of it in one folder, as archives of a folder have it? */
static void find_only(void *to, const Member *member)
{
    Search *s = to;
    const char *path = without_dots(member->path);
    size_t length = strcspn(path, "/");
    char *top = format_text("%.*s", (int)length, path);
    if (!path[length] && !is_hidden(top)) {
        free(s->only);
        s->only = format_text("%s", "");
    } else if (!is_hidden(top) && !s->only) {
        s->only = format_text("%s", top);
    } else if (!is_hidden(top) && *s->only && strcmp(s->only, top) != 0) {
        *s->only = '\0';
    }
    free(top);
}

static void take_member(void *to, const Member *member)
{
    Search *s = to;
    const char *path = without_dots(member->path);
    size_t only = strlen(s->only);
    if (only && !strncmp(path, s->only, only) && path[only] == '/')
        path += only + 1;
    size_t length = strcspn(path, "/");
    Came came = {.text = member->data ? member->data : "",
                 .shown = path,
                 .folder = "",
                 .length = member->length,
                 .time = member->time,
                 .is_file = member->is_file,
                 .is_link = member->is_link};
    if (is_hidden(path)) {
        leave_hidden(s->class, path);
        return;
    }
    if (!path[length]) {
        take_flat_file(s, &came);
        return;
    }
    Whose who;
    char *top = format_text("%.*s", (int)length, path);
    whose(top, s->class->all_lessons, &who);
    hand_in_below(s->class, hand_ins_of(s->class, &who), &came, path + length + 1);
    free(top);
}

static int search_archive(Search *s, const char *path)
{
    char why[4200] = "";
    Archive archive = {.most = most_of_all, .take = find_only, .to = s};
    Opened opened = REFUSED;
    Whose who;
    if (archive_map(path, &archive, why, sizeof why))
        opened = archive_open(&archive, why, sizeof why);
    if (!s->only || (*s->only && whose_by_course(s->only, &who)))
        s->only = format_text("%s", ""); /* one student's */
    archive.contents = true;
    archive.take = take_member;
    if (opened == OPENED)
        opened = archive_open(&archive, why, sizeof why);
    archive_unmap(&archive);
    if (opened == OPENED)
        return GRADED;
    fprintf(stderr, "%s: %s\n", path, why);
    return opened == NO_ROOM ? NOT_ALL_GRADED : ASKED_WRONGLY;
}

/* ---- the lessons ---- */
static bool is_handed_in(const Class *class, int lesson)
{
    for (int i = 0; i < class->count; i++)
        for (int k = 0; k < class->students[i].in.count; k++) {
            const HandIn *item = &class->students[i].in.items[k];
            if (!item->why && item->lesson == lesson)
                return true;
        }
    return false;
}

/* Those that are asked for, or else those that somebody handed in. */
static int choose_lessons(Class *class)
{
    for (int i = 0; i < class->all_lessons->count && !class->asked->lessons; i++)
        if (is_handed_in(class, i))
            class->lessons[class->lesson_count++].name = class->all_lessons->names[i];
    if (!class->lesson_count || !class->count)
        fprintf(stderr, "%s: there is no student's file in it.\n", class->asked->class);
    return class->lesson_count && class->count ? lessons_prepare(class) : ASKED_WRONGLY;
}

int lessons_prepare(Class *class)
{
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
    return GRADED;
}

int class_choose(Class *class)
{
    for (int i = 0; i < class->count; i++) {
        Student *student = &class->students[i];
        if (!choose_files(class, student))
            return NOT_ALL_GRADED;
        for (int k = 0; k < student->in.count; k++) {
            free(student->in.items[k].text);
            student->in.items[k].text = NULL;
        }
    }
    return GRADED;
}

int class_find(Class *class)
{
    Search s = {.class = class};
    struct stat info;
    int code = GRADED;
    if (stat(class->asked->class, &info) == 0 && S_ISREG(info.st_mode))
        code = search_archive(&s, class->asked->class);
    else
        search_folder(&s, class->asked->class);
    give_strays(&s);
    free(s.only);
    if (!code && class->no_tool)
        code = ASKED_WRONGLY;
    if (!code)
        code = choose_lessons(class);
    if (code)
        return code;
    tell_apart(class);
    for (int i = 0; i < class->count; i++)
        make_entries(class, &class->students[i]);
    return GRADED;
}
