/* A folder takes another one's place: there is a book at every moment, the new one or the one
 * before.
 *
 * Where the system and the file system can, the two are exchanged at once. Elsewhere what was there
 * goes aside first, and for that moment there is none. However many do this at once, each takes its
 * turn and none gets into another's folder: rename() refuses a place that holds something. */
#include "book.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __linux__
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { MOST_TURNS = 1000 };

static bool exchange(const char *one, const char *other)
{
#ifdef __linux__
    return !syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
#else
    return !renamex_np(one, other, RENAME_SWAP);
#endif
}

static bool move_aside(const char *folder, const char *place, int turn)
{
    char *aside = format_text("%s.%d", folder, turn);
    bool good = !rename(place, aside) || errno == ENOENT; /* another one was faster */
    free(aside);
    return good;
}

bool place_folder(const char *folder, const char *place, bool at_once)
{
    for (int turn = 1; turn <= MOST_TURNS; turn++) {
        if (at_once && exchange(folder, place))
            return true;
        at_once = at_once && errno == ENOENT; /* nothing is there, yet */
        if (!rename(folder, place))
            return true;
        if (errno != ENOTEMPTY && errno != EEXIST)
            return false;
        if (!at_once && !move_aside(folder, place, turn))
            return false;
    }
    return false;
}
