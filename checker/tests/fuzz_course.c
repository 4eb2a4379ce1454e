/* class/course.c: COURSE=, and what it makes of two students' scores. */
#include "fuzz.h"

#include "../class/class.h"

enum { LESSONS = 2, STUDENTS = 2 };

static void score(const Class *class, Student *student, int l)
{
    Entry *entry = &student->entries[l];
    entry->score = 90;
    entry->time = 1777939140 + 86400 * l; /* 2026-05-04 */
    entry->late = l == 1;
    course_apply(class, student, l);
    require(entry->earned == 90);
    require(entry->adjusted || entry->score == 90);
    require(entry->score >= 0 && (entry->special.by_hand || entry->score <= 90));
    free(entry->special.reason);
    free(entry->adjusted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const Lessons lessons = {.names = {"01_layer_norm", "02_backward"}, .count = LESSONS};
    ClassLesson graded[LESSONS] = {{.name = lessons.names[0]}, {.name = lessons.names[1]}};
    Entry entries[STUDENTS][LESSONS] = {0};
    char ada[] = "Lovelace, Ada", bob[] = "bob", id[] = "4711";
    Student students[STUDENTS] = {{.name = ada, .id = id, .entries = entries[0]},
                                  {.name = bob, .id = id + 4, .entries = entries[1]}};
    Asked asked = {.course = as_file(data, size)};
    Class class = {.asked = &asked,
                   .all_lessons = &lessons,
                   .lessons = graded,
                   .lesson_count = LESSONS,
                   .students = students,
                   .count = STUDENTS};
    bool good = course_read(&class);
    for (int i = 0; i < STUDENTS; i++)
        for (int l = 0; l < LESSONS; l++)
            if (good)
                score(&class, &students[i], l);
            else
                free(entries[i][l].special.reason);
    return 0;
}
