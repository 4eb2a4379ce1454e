/* STUDENTS=file: who is in the class, though they handed in nothing. See class.h.
 *
 * The invariant: a hand-in is one listed student's or nobody's on the list, and which is said. */
#include "class.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_CELLS = 400, MOST_STUDENTS = 20000, MOST_NAME = 255 };

/* ---- the file ---- */
typedef struct {
    int name, last, id; /* cells of a record; -1: there is none */
} Columns;

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* RFC 4180, the text being changed on the way. Where the next record begins; NULL: a quote is open
 * at the end. */
static char *read_record(char *at, char between, char **cells, int *count)
{
    char *to = at, end;
    bool quoted;
    *count = 0;
    do {
        char *cell = to;
        quoted = *at == '"';
        at += quoted;
        while (*at && (quoted || (*at != between && *at != '\n'))) {
            if (quoted && *at == '"' && at[1] != '"') {
                quoted = false;
                at++;
                continue;
            }
            at += quoted && *at == '"';
            *to++ = *at++;
        }
        end = *at;
        at += end != '\0';
        *to++ = '\0';
        if (*count < MOST_CELLS)
            cells[(*count)++] = trimmed(cell);
    } while (end && end != '\n');
    return quoted ? NULL : at;
}

static int column(char **cells, int count, const char *heading)
{
    for (int i = 0; i < count; i++)
        if (!strcasecmp(cells[i], heading))
            return i;
    return -1;
}

/* As Canvas and Moodle call them. False: this is no heading. */
static bool find_columns(char **cells, int count, Columns *found)
{
    static const char *const names[] = {"Student", "Full name", "Name", "First name"};
    *found = (Columns){-1, -1, -1};
    for (int i = 0; i < 4 && found->name < 0; i++)
        found->name = column(cells, count, names[i]);
    if (found->name >= 0 && !strcasecmp(cells[found->name], "First name")) {
        int last = column(cells, count, "Last name");
        found->last = last >= 0 ? last : column(cells, count, "Surname");
    }
    int id = column(cells, count, "ID");
    found->id = id >= 0 ? id : column(cells, count, "Identifier");
    return found->name >= 0;
}

/* "4711", or "Participant 4711". */
static const char *number_in(const char *cell)
{
    size_t start = strlen(cell);
    while (start > 0 && isdigit((unsigned char)cell[start - 1]))
        start--;
    return cell + start;
}

static bool add_listed(Class *class, const char *name, const char *last, const char *id)
{
    if ((!*name && !*last) || !strcasecmp(name, "Points Possible")) /* a row of Canvas's */
        return true;
    char *whole = format_text("%.*s%s%.*s", MOST_NAME, name, *last ? " " : "", MOST_NAME, last);
    class->students = grown(class->students, class->count, &class->room, sizeof(Student));
    class->students[class->count++] = (Student){.name = shown_name(whole),
                                                .id = format_text("%s", ""),
                                                .list_id = format_text("%.31s", id),
                                                .listed = true};
    free(whole);
    return class->count < MOST_STUDENTS;
}

static const char *read_table(Class *class, char *text, char between)
{
    char *cells[MOST_CELLS];
    int count;
    Columns at = {0};
    bool good = true;
    for (bool heading = true; *text && good; heading = false) {
        text = read_record(text, between, cells, &count);
        if (!text)
            return "a quote is opened that nothing closes";
        if (heading)
            find_columns(cells, count, &at);
        else if (at.name < count)
            good = add_listed(class, cells[at.name],
                              at.last >= 0 && at.last < count ? cells[at.last] : "",
                              at.id >= 0 && at.id < count ? number_in(cells[at.id]) : "");
    }
    return good ? NULL : "it holds more than 20000 students";
}

static const char *read_names(Class *class, char *text)
{
    bool good = true;
    for (char *line; good && (line = strsep(&text, "\n"));)
        good = add_listed(class, trimmed(line), "", "");
    return good ? NULL : "it holds more than 20000 students";
}

/* A table has a heading of known words. */
static const char *read_list(Class *class, char *text)
{
    char *first = format_text("%.*s", (int)strcspn(text, "\n"), text), *cells[MOST_CELLS];
    size_t before = strcspn(first, ",;\t");
    char between = first[before] ? first[before] : '\n';
    int count;
    Columns columns;
    bool table = read_record(first, between, cells, &count) && find_columns(cells, count, &columns);
    free(first);
    return table ? read_table(class, text, between) : read_names(class, text);
}

bool students_read(Class *class)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* which spreadsheets begin UTF-8 with */
    const char *path = class->asked->students, *wrong = NULL;
    size_t length = 0;
    char *text = path ? read_file(path, &length) : NULL;
    if (!path)
        return true;
    if (!text)
        wrong = strerror(errno);
    else if (memchr(text, '\0', length))
        wrong = "it is no text in UTF-8: it holds a byte 0";
    else
        wrong = read_list(class, text + (strncmp(text, mark, 3) ? 0 : 3));
    if (!wrong && !class->count)
        wrong = "there is no name in it";
    if (wrong)
        fprintf(stderr, "STUDENTS=%s: %s.\n", path, wrong);
    free(text);
    return !wrong;
}

/* ---- whose hand-in ---- */
/* Its letters and digits alone, as Canvas writes a name. Of "Lovelace, Ada" from `start` on, and
 * then what stands before. Caller frees. */
static char *plain_name(const char *name, size_t start)
{
    size_t length = strlen(name);
    char *plain = malloc(length + 1), *to = plain;
    if (!plain)
        abort();
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[(start + i) % length];
        if (c >= 0x80 || isalnum(c))
            *to++ = (char)(isupper(c) ? tolower(c) : c);
    }
    *to = '\0';
    return plain;
}

static bool is_alike(const char *listed, const char *name)
{
    const char *comma = strchr(listed, ',');
    char *own = plain_name(name, 0), *plain = plain_name(listed, 0);
    char *turned = plain_name(listed, comma ? (size_t)(comma - listed) : 0);
    bool alike = *own ? !strcmp(own, plain) || !strcmp(own, turned) : !strcmp(listed, name);
    free(turned);
    free(plain);
    free(own);
    return alike;
}

int listed_student(const Class *class, const char *name, const char *id)
{
    for (int i = 0; i < class->count; i++)
        if (class->students[i].listed && *id && !strcmp(class->students[i].list_id, id))
            return i;
    for (int i = 0; i < class->count; i++) {
        const Student *s = &class->students[i];
        bool free_of_id = !*s->id || !*id || !strcmp(s->id, id);
        if (s->listed && free_of_id && is_alike(s->name, name))
            return i;
    }
    return -1;
}
