/* Whether an exercise was saved, found by looking: that works on network drives, in WSL and on
 * macOS alike, and whichever way an editor saves.
 *
 * The invariant: two contents that follow each other are never taken for one. Size, inode and time
 * tell nearly all of them apart; but clocks of files tick every few milliseconds, or seconds, and
 * two saves of the same size may fall into one tick. So a file that changed a moment ago is
 * compared by its content too. */
#include "watch.h"

#include <stdlib.h>

enum { LONGEST_TICK = 3000 /* ms; FAT's is 2 s */ };

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#else
#define MODIFIED st_mtim
#endif

double milliseconds_since(struct timespec then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then.tv_sec) * 1e3 + (double)(now.tv_nsec - then.tv_nsec) / 1e6;
}

/* FNV-1a; 0 when the file can't be read. */
static uint64_t content_of(const char *path)
{
    size_t length = 0;
    char *text = read_file(path, &length);
    uint64_t hash = text ? 0xcbf29ce484222325u : 0;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    free(text);
    return hash;
}

static bool same(const Saved *a, const Saved *b)
{
    return a->there == b->there && a->inode == b->inode && a->size == b->size &&
           a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

static Saved what_is(const char *path)
{
    struct stat info;
    if (stat(path, &info))
        return (Saved){0};
    return (Saved){
        .there = true, .inode = info.st_ino, .size = info.st_size, .modified = info.MODIFIED};
}

bool was_saved(Saved *saved, const char *lesson)
{
    char path[NAME_SIZE + 16];
    snprintf(path, sizeof path, "exercises/%s.c", lesson);
    Saved now = what_is(path);
    bool changed = !same(&now, saved);
    if (!changed && (!now.there || milliseconds_since(saved->seen) > LONGEST_TICK))
        return false;
    now.content = now.there ? content_of(path) : 0;
    if (now.there && !now.content && !what_is(path).there) { /* gone since that look */
        now = (Saved){0};
        changed = saved->there;
    }
    if (!changed && now.content == saved->content)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now.seen);
    *saved = now;
    return true;
}
