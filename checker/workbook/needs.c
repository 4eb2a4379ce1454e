/* Which lesson builds on which: the `.needs` of each lesson.c, as the build left it in
 * build/NN_name/needs, and what is ready to be begun.
 *
 * The invariant: nothing is locked. Any lesson can be opened at any time; this only says what makes
 * a good next one. Who once passed a lesson is taken to know what it builds on. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

static char *needs_line(const char *lesson, int line)
{
    char *path = format_text("build/%s/needs", lesson), *text = read_file(path, NULL);
    const char *from = text ? text : "";
    while (line-- > 0 && strchr(from, '\n'))
        from = strchr(from, '\n') + 1;
    char *found = format_text("%.*s", (int)strcspn(from, "\n"), from);
    free(text);
    free(path);
    return found;
}

/* What lesson i needs. Returns the first word that is no lesson, or NULL; caller frees. */
static char *read_needs(Needs *needs, int i)
{
    char *words = needs_line(needs->lessons->names[i], 0), *save = NULL, *unknown = NULL;
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        const char *needed = lesson_find(needs->lessons, word);
        if (needed)
            needs->on[i][lesson_index(needs->lessons, needed)] = true;
        else if (!unknown)
            unknown = format_text("%s", word);
    }
    free(words);
    return unknown;
}

/* Everything that lesson i is built on, however far down. */
static void add_all_below(const Needs *needs, int i, bool below[MAX_LESSONS])
{
    for (int j = 0; j < needs->lessons->count; j++)
        if (needs->on[i][j] && !below[j]) {
            below[j] = true;
            add_all_below(needs, j, below);
        }
}

void needs_read(Needs *needs, const Lessons *lessons)
{
    Progress progress;
    *needs = (Needs){.lessons = lessons};
    progress_open(&progress);
    for (int i = 0; i < lessons->count; i++) {
        char *core = needs_line(lessons->names[i], 1);
        needs->core[i] = !strcmp(core, "core");
        free(core);
        free(read_needs(needs, i));
    }
    for (int i = 0; i < lessons->count; i++) {
        Standing here = lesson_standing(&progress, lessons->names[i]);
        needs->passed[i] = here.passed;
        if (!here.passed && !here.broken && !here.changed)
            continue;
        needs->known[i] = true;
        add_all_below(needs, i, needs->known);
    }
    progress_free(&progress);
}

/* Is all known that it builds on? */
static bool lesson_ready(const Needs *needs, int i)
{
    for (int j = 0; j < needs->lessons->count; j++)
        if (needs->on[i][j] && !needs->known[j])
            return false;
    return true;
}

/* "06, 07 and 08": those of `chosen`. Caller frees. */
static char *numbers(const Lessons *lessons, const bool chosen[MAX_LESSONS])
{
    char *text = format_text("%s", "");
    int left = 0;
    for (int i = 0; i < lessons->count; i++)
        left += chosen[i];
    for (int i = 0; i < lessons->count; i++)
        if (chosen[i]) {
            char *longer = format_text("%s%s%.*s", text,
                                       !*text     ? ""
                                       : left > 1 ? ", "
                                                  : " and ",
                                       (int)strcspn(lessons->names[i], "_"), lessons->names[i]);
            free(text);
            text = longer;
            left--;
        }
    return text;
}

char *lesson_lacks(const Needs *needs, int i)
{
    bool lacking[MAX_LESSONS] = {false};
    for (int j = 0; j < needs->lessons->count; j++)
        lacking[j] = needs->on[i][j] && !needs->known[j];
    return numbers(needs->lessons, lacking);
}

char *lesson_leads_to(const Needs *needs, int i)
{
    bool above[MAX_LESSONS] = {false};
    for (int j = 0; j < needs->lessons->count; j++)
        above[j] = needs->on[j][i];
    return numbers(needs->lessons, above);
}

/* The first that is not passed of `count` lessons from `from` on, past the end from the beginning
 * again; -1: none. */
static int first_open(const Needs *needs, int from, int count, bool ready_only)
{
    for (int i = from; i < from + count; i++) {
        int lesson = i % needs->lessons->count;
        if (!needs->passed[lesson] && (!ready_only || lesson_ready(needs, lesson)))
            return lesson;
    }
    return -1;
}

/* Of these one that is ready, before one that is not. */
static int best_open(const Needs *needs, int from, int count)
{
    int ready = first_open(needs, from, count, true);
    return ready >= 0 ? ready : first_open(needs, from, count, false);
}

const char *lesson_first(const Lessons *lessons)
{
    Needs needs;
    needs_read(&needs, lessons);
    int first = best_open(&needs, 0, lessons->count);
    return first < 0 ? NULL : lessons->names[first];
}

const char *lesson_after(const Lessons *lessons, const char *from)
{
    Needs needs;
    needs_read(&needs, lessons);
    int next = best_open(&needs, lesson_index(lessons, from) + 1, lessons->count - 1);
    return next < 0 ? NULL : lessons->names[next];
}

/* at -1: there is no next. */
static char *choice(const Needs *needs, int at)
{
    bool open[MAX_LESSONS] = {false};
    for (int i = 0; i < needs->lessons->count && at >= 0 && !needs->core[at]; i++)
        open[i] = i != at && !needs->passed[i] && lesson_ready(needs, i);
    return numbers(needs->lessons, open);
}

char *lesson_choice(const Lessons *lessons, const char *next)
{
    Needs needs;
    needs_read(&needs, lessons);
    return choice(&needs, next ? lesson_index(lessons, next) : -1);
}

const char *lesson_after_passing(const Lessons *lessons, const char *passed, char **others)
{
    Needs needs;
    const int at = lesson_index(lessons, passed);
    needs_read(&needs, lessons);
    needs.passed[at] = needs.known[at] = true;
    add_all_below(&needs, at, needs.known);
    const int next = best_open(&needs, at + 1, lessons->count - 1);
    *others = choice(&needs, next);
    return next < 0 ? NULL : lessons->names[next];
}

/* ---- what make verify asks ---- */
char *needs_fault(const Lessons *lessons, const char *lesson)
{
    Needs needs;
    bool below[MAX_LESSONS] = {false};
    int at = lesson_index(lessons, lesson);
    needs_read(&needs, lessons);
    char *unknown = read_needs(&needs, at), *fault = NULL;
    add_all_below(&needs, at, below);
    if (unknown)
        fault = format_text("it needs a lesson \"%s\", which is not there", unknown);
    else if (below[at])
        fault =
            format_text("what it needs needs it again: look at .needs in the lessons' lesson.c");
    free(unknown);
    return fault;
}
