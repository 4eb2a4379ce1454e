/* Names as Moodle, Canvas and people make them. See whose.h. */
#include "whose.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static void put(char *to, size_t size, const char *text, size_t length)
{
    length = length < size ? length : size - 1;
    memcpy(to, text, length);
    to[length] = '\0';
}

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

static bool from_moodle(const char *entry, Whose *found)
{
    static const char mark[] = "_assignsubmission_";
    const char *at = strstr(entry, mark), *id = at;
    while (id && id > entry && isdigit((unsigned char)id[-1]))
        id--;
    if (!at || id == at || id < entry + 2 || id[-1] != '_')
        return false;
    put(found->name, sizeof found->name, entry, (size_t)(id - 1 - entry));
    put(found->id, sizeof found->id, id, (size_t)(at - id));
    found->of_moodle = true;
    const char *rest = strchr(at + strlen(mark), '_');
    put(found->file, sizeof found->file, rest ? rest + 1 : "", rest ? strlen(rest + 1) : 0);
    return true;
}

/* Two numbers of three digits and more, which no lesson has. */
static bool from_canvas(const char *entry, Whose *found)
{
    static const char late[] = "_LATE";
    for (const char *at = strchr(entry, '_'); at; at = strchr(at + 1, '_')) {
        size_t id = digits_at(at + 1), second = id > 2 && at[1 + id] == '_' ? id + 2 : 0;
        size_t file = second ? digits_at(at + second) : 0;
        if (at == entry || file < 3 || at[second + file] != '_')
            continue;
        size_t length = (size_t)(at - entry), mark = strlen(late);
        found->late = length > mark && !strncasecmp(entry + length - mark, late, mark);
        length -= found->late ? mark : 0;
        put(found->name, sizeof found->name, entry, length);
        put(found->id, sizeof found->id, at + 1, id);
        put(found->file, sizeof found->file, at + second + file + 1,
            strlen(at + second + file + 1));
        return true;
    }
    return false;
}

bool whose_by_course(const char *name, Whose *found)
{
    *found = (Whose){0};
    return from_moodle(name, found) || from_canvas(name, found);
}

/* As whose_by_course(), or as others do: "ada_01_layer_norm.c". */
static bool whose_by_name(const char *name, Whose *found)
{
    if (whose_by_course(name, found))
        return true;
    for (const char *at = name; (at = strchr(at, '_')); at++)
        if (isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) && at[3] == '_') {
            put(found->name, sizeof found->name, name, (size_t)(at - name));
            put(found->file, sizeof found->file, at + 1, strlen(at + 1));
            return at > name;
        }
    return false;
}

static bool is_same(const Whose *a, const Whose *b)
{
    return !strcmp(a->name, b->name) && (!*a->id || !*b->id || !strcmp(a->id, b->id));
}

static bool begins_with(const char *name, const char *student)
{
    size_t length = strlen(student);
    if (strncmp(name, student, length) != 0)
        return false;
    unsigned char next = (unsigned char)name[length];
    return next < 0x80 && !isalnum(next);
}

bool is_of_another(const char *name, const char *own)
{
    Whose a, b;
    return whose_by_name(name, &a) && whose_by_name(own, &b) && !is_same(&a, &b) &&
           (*a.id || *b.id || !begins_with(name, b.name));
}

bool is_own_header(const char *header, const char *own, bool shared)
{
    Whose a, b;
    bool known = whose_by_name(own, &b);
    if (whose_by_course(header, &a))
        return known && is_same(&a, &b);
    return !shared || (known && begins_with(header, b.name));
}
