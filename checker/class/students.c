/* The students of a class. See class.h.
 *
 * The invariant: no two are called the same, and no two have feedback of one name, on whatever file
 * system. */
#include "class.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *grown(void *items, int count, int *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 64;
    items = realloc(items, (size_t)*room * size);
    if (!items)
        abort();
    return items;
}

int student_of(Class *class, const Whose *who)
{
    char *name = shown_name(who->name);
    int listed = listed_student(class, name, who->id);
    if (listed >= 0) {
        Student *s = &class->students[listed];
        free(name);
        if (!*s->id && *who->id) {
            free(s->id);
            s->id = format_text("%s", who->id);
        }
        s->of_moodle = s->of_moodle || who->of_moodle;
        return listed;
    }
    for (int i = 0; i < class->count; i++)
        if (!strcmp(class->students[i].name, name) && !strcmp(class->students[i].id, who->id)) {
            free(name);
            return i;
        }
    class->students = grown(class->students, class->count, &class->room, sizeof(Student));
    class->students[class->count] =
        (Student){.name = name, .id = format_text("%s", who->id), .of_moodle = who->of_moodle};
    return class->count++;
}

void make_entries(const Class *class, Student *student)
{
    student->entries = calloc((size_t) class->lesson_count + 1, sizeof *student->entries);
    if (!student->entries)
        abort();
}

static bool is_taken(const Class *class, int before, const char *name, bool file)
{
    for (int i = 0; i < before; i++) {
        const Student *s = &class->students[i];
        if (file ? !strcasecmp(s->file, name) : !strcmp(s->name, name))
            return true;
    }
    return false;
}

void tell_apart(Class *class)
{
    for (int i = 0; i < class->count; i++) {
        Student *s = &class->students[i];
        if (!*s->id && s->list_id) {
            free(s->id);
            s->id = format_text("%s", s->list_id);
        }
        char *name = format_text("%s", s->name);
        for (int n = 2; is_taken(class, i, name, false); n++) {
            free(name);
            name = n == 2 && *s->id ? format_text("%s (%s)", s->name, s->id)
                                    : format_text("%s (%d)", s->name, n);
        }
        free(s->name);
        s->name = name;
        char *file = harmless_name(name), *plain = format_text("%s", file);
        for (int n = 2; is_taken(class, i, file, true); n++) {
            free(file);
            file = format_text("%s-%d", plain, n);
        }
        free(plain);
        s->file = file;
    }
}
