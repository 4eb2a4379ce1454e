/* The run's own folder, build/run/XXXXXX: the copy of what is graded, the shared object, what the
 * compiler needs. See box.h.
 *
 * The invariant: nobody else has the folder's name, and it stays for as long as its maker holds the
 * lock in it, which ends with the maker however that ends. So it does not matter who else works in
 * this checkout, nor what process numbers they see, and what nobody locks is left over. */
#include "box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNS "build/run"

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    remove(path);
    return 0;
}

/* With folders in it: on macOS the compiler leaves x.so.dSYM/ there. */
static void remove_all(const char *path)
{
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Opens the lock of the folder at `path`. `held`: it is ours now. -1: it can't be opened. */
static int open_lock(const char *path, bool *held)
{
    char name[sizeof((Folder *)0)->path + 8];
    snprintf(name, sizeof name, "%s/lock", path);
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    *held = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    return lock;
}

static void remove_leftovers(void)
{
    DIR *dir = opendir(RUNS);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[sizeof((Folder *)0)->path];
        bool held;
        if (entry->d_name[0] == '.' || strlen(entry->d_name) > sizeof path - sizeof RUNS - 1)
            continue;
        snprintf(path, sizeof path, RUNS "/%.32s", entry->d_name);
        int lock = open_lock(path, &held);
        if (held)
            remove_all(path);
        if (lock >= 0)
            close(lock);
    }
    if (dir)
        closedir(dir);
}

/* Between making a folder and locking it, another checker may take it for a leftover: its lock is
 * then held elsewhere, or no longer linked. Where the file system knows no locks nobody clears
 * away.
 */
static bool make_and_lock(Folder *folder)
{
    struct stat info;
    bool held;
    for (;;) {
        snprintf(folder->path, sizeof folder->path, RUNS "/XXXXXX");
        if (!mkdtemp(folder->path))
            return false;
        folder->lock = open_lock(folder->path, &held);
        bool taken = folder->lock < 0 ? errno == ENOENT : !held && errno == EWOULDBLOCK;
        if (folder->lock < 0 && !taken)
            return false;
        if (!taken && fstat(folder->lock, &info) == 0 && info.st_nlink > 0)
            return true;
        if (folder->lock >= 0)
            close(folder->lock);
    }
}

bool folder_make(Folder *folder, char *error, size_t error_size)
{
    mkdir("build", 0777);
    mkdir(RUNS, 0777);
    remove_leftovers();
    if (make_and_lock(folder))
        return true;
    snprintf(error, error_size, "Can't make a folder in " RUNS ": %s.", strerror(errno));
    rmdir(folder->path);
    folder->path[0] = '\0';
    return false;
}

void folder_remove(Folder *folder)
{
    if (!folder->path[0])
        return;
    remove_all(folder->path);
    close(folder->lock);
    folder->path[0] = '\0';
}
