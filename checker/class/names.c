/* What a hand-in's name says: whose it is, and of which lesson. See class.h.
 *
 * The forms are those in which a course's system hands them out:
 *   Moodle   Ada Lovelace_12345_assignsubmission_file_[01_layer_norm.c]
 *   Canvas   lovelaceada_LATE_4711_815_01_layer_norm-2.c     (-2: handed in a third time)
 *   Git      norm-ada-1a2b3c4d.zip, norm-ada-main.zip
 *   others   ada_01_layer_norm.c, or a folder or an archive of the student's name
 *
 * The invariant: a name is compared and copied, never run, opened or printed by what it says. */
#include "class.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *name, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length > n && !strncasecmp(name + length - n, end, n);
}

/* Windows hides endings: what is saved there as "x.c" may be "x.c.txt". */
static size_t c_stem(const char *name)
{
    size_t length = strlen(name);
    length -= ends_in(name, length, ".txt") ? 4 : 0;
    return ends_in(name, length, ".c") ? length - 2 : 0;
}

bool is_c_file(const char *name)
{
    return c_stem(name) > 0;
}

bool is_header(const char *name)
{
    return ends_in(name, strlen(name), ".h");
}

const char *why_no_c_file(const char *name)
{
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".c++"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(name, strlen(name), endings[i]))
            return "it is C++ by its name, and no C file";
    return "it is no C file";
}

size_t archive_stem(const char *name)
{
    static const char *const endings[] = {".zip",     ".tar.gz", ".tgz",     ".tar",  ".7z",
                                          ".rar",     ".tar.xz", ".txz",     ".tbz2", ".tar.bz2",
                                          ".tar.zst", ".cpio",   ".tar.lzma"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(name, length, endings[i]))
            return length - strlen(endings[i]);
    return length;
}

bool is_archive(const char *name)
{
    return archive_stem(name) < strlen(name);
}

/* ---- of which lesson ---- */

/* "x-2" and "x (2)" are what a second download or hand-in of "x" is called. */
static size_t without_version(const char *name, size_t length, int *version)
{
    size_t end = length, digits;
    bool bracket = end > 0 && name[end - 1] == ')';
    end -= bracket;
    for (digits = end; digits > 0 && isdigit((unsigned char)name[digits - 1]);)
        digits--;
    size_t stem = digits;
    if (bracket && stem > 1 && name[stem - 1] == '(')
        stem -= name[stem - 2] == ' ' ? 2 : 1;
    else if (!bracket && stem > 0 && name[stem - 1] == '-')
        stem--;
    if (stem == digits || digits == end || end - digits > 4)
        return length;
    *version = atoi(name + digits);
    return stem;
}

static bool is_joint(char c)
{
    return c && strchr("_- .", c);
}

/* `length` bytes of the name, which are all but its ending. */
static int lesson_of_stem(const char *name, size_t length, const Lessons *lessons, int *version,
                          size_t *before)
{
    *version = 0;
    length = without_version(name, length, version);
    for (int i = 0; i < lessons->count; i++) {
        const char *lesson = lessons->names[i], *word = strchr(lesson, '_') + 1;
        size_t n = strlen(lesson);
        *before = 0;
        if (length == strlen(word) && !strncasecmp(name, word, length))
            return i;
        if (length < n || strncasecmp(name + length - n, lesson, n) != 0)
            continue;
        *before = length - n;
        if (length == n || is_joint(name[length - n - 1]))
            return i;
    }
    *version = 0;
    *before = 0;
    return -1;
}

int lesson_of_file(const char *name, const Lessons *lessons, int *version, size_t *before)
{
    return lesson_of_stem(name, c_stem(name), lessons, version, before);
}

/* Whatever it ends in: "01_layer_norm.docx". */
static int lesson_of_any(const char *name, const Lessons *lessons, size_t *before)
{
    const char *end = strrchr(name, '.');
    size_t length = is_c_file(name)    ? c_stem(name)
                    : is_archive(name) ? archive_stem(name)
                    : end              ? (size_t)(end - name)
                                       : strlen(name);
    int version;
    return lesson_of_stem(name, length, lessons, &version, before);
}

int lesson_meant(const char *name, const Lessons *lessons)
{
    size_t before;
    return lesson_of_any(name, lessons, &before);
}

/* ---- whose ---- */
/* "norm-ada-1a2b3c4d" is what a Git host calls a copy of norm-ada. */
static size_t without_revision(const char *name, size_t length)
{
    size_t start = length;
    while (start > 0 && name[start - 1] != '-')
        start--;
    size_t n = length - start;
    bool hex = n >= 7 && n <= 40 && strspn(name + start, "0123456789abcdef") >= n;
    bool branch = ends_in(name, length, "-main") || ends_in(name, length, "-master");
    return start > 1 && (hex || branch) ? start - 1 : length;
}

void whose(const char *entry, const Lessons *lessons, Whose *found)
{
    size_t before, length = strlen(entry);
    if (whose_by_course(entry, found))
        return;
    if (lesson_of_any(entry, lessons, &before) >= 0 && before > 1)
        length = before - 1;
    else if (is_archive(entry))
        length = without_revision(entry, archive_stem(entry));
    else if (is_c_file(entry))
        length = c_stem(entry);
    snprintf(found->name, sizeof found->name, "%.*s", (int)(length < 255 ? length : 255), entry);
    snprintf(found->file, sizeof found->file, "%.255s", entry);
}

/* ---- what a name looks like ---- */
char *shown_name(const char *name)
{
    size_t length = strlen(name);
    char *text = malloc(4 * length + 1), *end = text;
    if (!text)
        abort();
    for (size_t i = 0; i < length;) {
        uint32_t code;
        int size = utf8_decode(name + i, length - i, &code);
        if (size)
            memcpy(end, name + i, (size_t)size);
        end += size ? size : sprintf(end, "\\x%02x", (unsigned char)name[i]);
        i += size ? (size_t)size : 1;
    }
    *end = '\0';
    return text;
}

/* Letters, digits and what no shell, browser or file system gives a meaning; of other scripts all
 * that is seen. */
char *harmless_name(const char *name)
{
    enum { MOST = 96 };
    char text[MOST + 1];
    size_t used = 0, length = strlen(name);
    for (size_t i = 0; i < length && used < MOST - 4;) {
        uint32_t code = 0;
        int size = utf8_decode(name + i, length - i, &code);
        bool plain = size == 1 && (isalnum((int)code) || strchr("_-. ", (int)code));
        bool letter = code >= 0xC0 && !(code >= 0x2000 && code < 0x2070) && code < 0xE000;
        if (plain || letter)
            memcpy(text + used, name + i, (size_t)size);
        else
            text[used] = '_';
        used += plain || letter ? (size_t)size : 1;
        i += size ? (size_t)size : 1;
    }
    while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == '.'))
        used--;
    text[used] = '\0';
    for (size_t i = 0; i < used && strchr(".- ", text[i]); i++)
        text[i] = '_';
    return format_text("%s", used ? text : "_");
}
