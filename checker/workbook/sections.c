/* A text's sections: from a heading to the next one that is no deeper. */
#include "prompt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The heading at or behind `at`, outside of code; NULL: there is none. */
static const char *next_heading(const char *at, const char *text)
{
    bool fenced = false;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        fenced ^= !strncmp(line, "```", 3);
        if (!fenced && *line == '#' && line >= at)
            return line;
    }
    return NULL;
}

bool next_section(const char *text, Section *section)
{
    const char *from = section->from ? section->from + 1 : text;
    from = next_heading(from, text);
    if (!from)
        return false;
    section->from = from;
    section->level = (int)strspn(from, "#");
    section->title = from + section->level + strspn(from + section->level, " ");
    section->title_length = (int)strcspn(section->title, "\n");
    section->below = section->title + section->title_length;
    section->below += strspn(section->below, "\n");
    const char *end = from;
    do
        end = next_heading(end + 1, text);
    while (end && (int)strspn(end, "#") > section->level);
    section->end = end ? end : text + strlen(text);
    return true;
}

/* As a word or its beginning: "eps" is no part of "steps". */
static bool has_word(const char *title, const char *word)
{
    for (const char *at = title; (at = strcasestr(at, word)); at++)
        if (at == title || !isalnum((unsigned char)at[-1]))
            return true;
    return false;
}

bool is_about(const Section *section, const char *words)
{
    char *title = format_text("%.*s", section->title_length, section->title);
    char *all = format_text("%s", words), *save = NULL;
    bool about = true;
    for (char *word = strtok_r(all, " ", &save); word && about; word = strtok_r(NULL, " ", &save))
        about = has_word(title, word);
    free(all);
    free(title);
    return about;
}
