/* What one student handed in: every file of it, whether it can be used or not. See class.h.
 *
 * What lies in folders is only named here; what comes in archives is held in memory until the
 * student's files are chosen, so no archive makes a file.
 *
 * The invariant: the limits are each student's own, so nobody's hand-in costs another's; what goes
 * over them is counted and said. No link is followed. */
#include "class.h"
#include "box.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_FILES = 2000,  /* C files and headers of one student */
    MOST_OTHERS = 200,  /* files of any other kind */
    MOST_ARCHIVES = 40, /* that are opened */
    MOST_NESTED = 2,
    MOST_SECONDS = 60, /* of opening archives, after which none is begun */
    MOST_DEPTH = 16,
    MOST_WALKED = 100,
    MOST_HELD = 32 << 20 /* bytes of it that came in archives */
};
static const int64_t most_unpacked = (int64_t)256 << 20;

/* What is said of a file that is a candidate, and refused. */
#define LINK "It is a link. What is graded is the file itself, and a link is not followed."

/* ---- one file of it ---- */
static HandIn *note(HandIns *in, const Came *came, char *why, bool of_any_kind)
{
    in->others += of_any_kind;
    if (in->count >= MOST_FILES + MOST_OTHERS || (of_any_kind && in->others > MOST_OTHERS)) {
        in->beyond++;
        free(why);
        return NULL;
    }
    in->items = grown(in->items, in->count, &in->room, sizeof *in->items);
    HandIn *item = &in->items[in->count++];
    *item = (HandIn){.shown = format_text("%s", came->shown),
                     .folder = format_text("%s", came->folder),
                     .name = format_text("%s", came->name),
                     .time = came->time,
                     .arrived = came->arrived ? came->arrived : came->time,
                     .late = came->late,
                     .lesson = -1,
                     .why = why};
    return item;
}

static void note_unusable(HandIns *in, const Came *came, const char *why)
{
    note(in, came, format_text("%s", why), true);
}

/* Once for all that lies in it. */
static void note_aside(HandIns *in, const Came *came, const char *why, bool counts)
{
    HandIn *last = in->count ? &in->items[in->count - 1] : NULL;
    if (last && last->why && !strcmp(last->shown, came->shown))
        return;
    HandIn *item = note(in, came, format_text("%s", why), true);
    if (item)
        item->aside = !counts;
}

static bool has_part(const char *folder, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = folder; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        if (!strncmp(at, part, length) && (at[length] == '/' || !at[length]))
            return true;
    return false;
}

static int depth_of(const char *folder)
{
    int depth = *folder != '\0';
    for (const char *c = folder; *c; c++)
        depth += *c == '/';
    return depth;
}

static bool in_hidden(const char *folder)
{
    return folder[0] == '.' || strstr(folder, "/.");
}

bool is_of_the_system(const char *name)
{
    static const char *const names[] = {".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return !strncmp(name, "._", 2);
}

static void note_c_file(const Class *class, HandIns *in, const Came *came)
{
    bool too_much = came->text && in->held + came->length > MOST_HELD;
    char *why =
        too_much ? format_text("more than %d MB of C came in before it", MOST_HELD >> 20) : NULL;
    HandIn *item = in->count - in->others < MOST_FILES ? note(in, came, why, false) : NULL;
    if (!item) {
        in->beyond += in->count - in->others >= MOST_FILES;
        return;
    }
    size_t before;
    item->is_header = is_header(came->name);
    item->lesson = item->is_header
                       ? -1
                       : lesson_of_file(came->name, class->all_lessons, &item->version, &before);
    item->of_exercises = has_part(came->folder, "exercises");
    item->of_workbook = has_part(came->folder, "solutions") || has_part(came->folder, "checker");
    if (came->path)
        item->path = format_text("%s", came->path);
    if (came->is_link)
        item->refused = LINK;
    else if (came->text && came->length > MOST_SOURCE)
        item->refused = "It is larger than 4 MB.";
    if (!came->text || too_much || item->refused)
        return;
    in->held += came->length;
    item->text = malloc(came->length + 1);
    if (!item->text)
        abort();
    memcpy(item->text, came->text, came->length);
    item->text[came->length] = '\0';
    item->length = came->length;
}

/* ---- an archive of it ---- */
typedef struct {
    Class *class;
    HandIns *in;
    const Came *archive;
} Inside;

/* A member's path in parts: the folder, without empty parts and ".", and the name in it. False: it
 * leads elsewhere. */
static bool split_path(const char *path, char *folder, size_t size, const char **name)
{
    size_t used = 0;
    folder[0] = '\0';
    *name = "";
    while (*path) {
        size_t n = strcspn(path, "/");
        bool empty = !n || (n == 1 && *path == '.');
        if (n == 2 && !strncmp(path, "..", 2))
            return false;
        if (path[n] && !empty && used + n + 2 < size)
            used += (size_t)snprintf(folder + used, size - used, "%s%.*s", used ? "/" : "", (int)n,
                                     path);
        else if (!path[n])
            *name = path;
        path += n + (path[n] == '/');
    }
    return true;
}

void hand_in_below(Class *class, HandIns *in, const Came *came, const char *path)
{
    char below[4096];
    const char *name;
    bool good = split_path(path, below, sizeof below, &name);
    char *folder = format_text("%s%s%s", came->folder, *came->folder && *below ? "/" : "", below);
    Came inner = *came;
    inner.folder = folder;
    inner.name = name;
    if (good)
        hand_in(class, in, &inner);
    else
        note_unusable(in, &inner, "its path leads out of the archive");
    free(folder);
}

static void take_member(void *to, const Member *member)
{
    Inside *inside = to;
    char *shown = format_text("%s/%s", inside->archive->shown, member->path);
    Came came = {.text = member->data ? member->data : "",
                 .shown = shown,
                 .folder = inside->archive->folder,
                 .length = member->length,
                 .time = member->time,
                 .is_link = member->is_link,
                 .is_file = member->is_file,
                 .late = inside->archive->late,
                 .arrived =
                     inside->archive->arrived ? inside->archive->arrived : inside->archive->time,
                 .nested = inside->archive->nested + 1};
    hand_in_below(inside->class, inside->in, &came, member->path);
    free(shown);
}

/* What came out of it before it was refused is not used either. */
static void drop_from(HandIns *in, int count)
{
    while (in->count > count)
        hand_in_free(&in->items[--in->count]);
}

static void open_archive(Class *class, HandIns *in, const Came *came)
{
    char why[4200] = "";
    int before = in->count, others = in->others, beyond = in->beyond;
    size_t held = in->held;
    Inside inside = {class, in, came};
    Archive archive = {.data = came->text,
                       .length = came->length,
                       .most = most_unpacked - in->unpacked,
                       .contents = true,
                       .take = take_member,
                       .to = &inside};
    Opened opened = REFUSED;
    double began = time_worked(); /* no process but the archive's is waited for meanwhile, and a
                                     machine that is suspended takes none of it */
    if (came->is_link)
        snprintf(why, sizeof why, "it is a link, or no plain file");
    else if (came->text || archive_map(came->path, &archive, why, sizeof why))
        opened = archive_open(&archive, why, sizeof why);
    if (came->path)
        archive_unmap(&archive);
    in->unpacked += archive.held;
    in->seconds += time_worked() - began;
    if (opened == OPENED)
        return;
    drop_from(in, before);
    in->others = others;
    in->beyond = beyond;
    in->held = held;
    HandIn *item = note(in, came, NULL, true);
    if (!item)
        return;
    item->lesson = lesson_meant(came->name, class->all_lessons);
    item->failed = opened != REFUSED;
    item->why = format_text(
        item->failed ? "it could not be opened: %s" : "The archive is not taken: %s.", why);
    item->archive = true;
    class->no_tool = class->no_tool || opened == NO_TOOL;
    if (opened == NO_TOOL)
        fprintf(stderr, "%s: %s\n", came->shown, why);
}

void hand_in(Class *class, HandIns *in, const Came *came)
{
    const char *name = came->name;
    char *shown = NULL;
    Came aside = *came;
    if (has_part(came->folder, "__MACOSX") || has_part(came->folder, ".git") ||
        has_part(came->folder, "build")) {
        bool built = has_part(came->folder, "build");
        const char *slash = strrchr(came->shown, '/');
        shown = format_text("%.*s", slash ? (int)(slash - came->shown) : 0, came->shown);
        aside.shown = shown;
        note_aside(in, &aside, "what lies in such a folder is not looked at", built);
    } else if (is_of_the_system(name)) {
        note_aside(in, came, "a system made it", false);
    } else if (in_hidden(came->folder)) {
        note_unusable(in, came, "it lies in a hidden folder");
    } else if (depth_of(came->folder) > MOST_DEPTH) {
        note_unusable(in, came, "it lies more than 16 folders deep");
    } else if (is_archive(name) && (came->is_file || came->is_link)) {
        if (came->nested >= MOST_NESTED)
            note_unusable(in, came, "it is an archive in an archive in another: two are opened");
        else if (++in->archives > MOST_ARCHIVES)
            note_unusable(in, came, "more than 40 archives came in");
        else if (in->seconds > MOST_SECONDS)
            note_unusable(in, came, "the archives before it took more than a minute");
        else
            open_archive(class, in, came);
    } else if (is_c_file(name) || is_header(name)) {
        note_c_file(class, in, came);
    } else {
        note_unusable(in, came,
                      came->is_link ? "it is a link, which is not followed" : why_no_c_file(name));
    }
    free(shown);
}

/* ---- a folder of it ---- */
static bool is_set_aside(const char *name)
{
    return !strcmp(name, ".git") || !strcmp(name, "__MACOSX") || !strcmp(name, "build");
}

static void walk(Class *class, HandIns *in, const Came *of, int depth)
{
    struct dirent **names;
    int count = scandir(of->path, &names, NULL, alphasort);
    if (count < 0)
        note_unusable(in, of, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        char *path = format_text("%s/%s", of->path, name);
        char *shown = format_text("%s%s%s", of->shown, *of->shown ? "/" : "", name);
        char *inner = format_text("%s%s%s", of->folder, *of->folder ? "/" : "", name);
        struct stat info;
        bool here = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
        Came came = {.path = path, .shown = shown, .name = name, .folder = of->folder};
        if (here && lstat(path, &info) != 0) {
            note_unusable(in, &came, strerror(errno));
        } else if (here && S_ISDIR(info.st_mode)) {
            came.folder = inner;
            if (is_set_aside(name))
                note_aside(in, &came, "what lies in such a folder is not looked at",
                           !strcmp(name, "build"));
            else if (depth >= MOST_WALKED)
                note_unusable(in, &came, "more than 100 folders lie in each other");
            else
                walk(class, in, &came, depth + 1);
        } else if (here) {
            came.time = info.st_mtime;
            came.is_file = S_ISREG(info.st_mode);
            came.is_link = S_ISLNK(info.st_mode);
            hand_in(class, in, &came);
        }
        free(inner);
        free(shown);
        free(path);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

void hand_in_folder(Class *class, HandIns *in, const char *path, const char *shown)
{
    walk(class, in, &(Came){.path = path, .shown = shown, .folder = "", .name = ""}, 0);
}

/* ---- all of it ---- */
void hand_in_free(HandIn *item)
{
    free(item->shown);
    free(item->folder);
    free(item->name);
    free(item->path);
    free(item->text);
    free(item->why);
}
