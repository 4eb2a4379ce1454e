/* The page to read: what the lesson's texts say of a mistake, for who has not the workbook at hand.
 * See class.h. */
#include "class.h"
#include "markdown.h"
#include "prompt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *page_section(const char *path, const char *heading)
{
    static const Look plain = {.width = 78};
    char *text = read_file(path, NULL), *set = NULL;
    Section section = {0};
    size_t length = strlen(heading);
    while (text && !set && next_section(text, &section)) {
        if ((size_t)section.title_length != length ||
            strncasecmp(section.title, heading, length) != 0)
            continue;
        char *own = format_text("%.*s", (int)(section.end - section.from), section.from);
        set = markdown_set(own, &plain);
        if (!set) {
            set = own;
            own = NULL;
        }
        free(own);
    }
    free(text);
    return set;
}

char *reading_for(const char *lesson, const CheckResult *result)
{
    Buffer all = {0};
    char *path = format_text("lessons/%s.mistakes.md", lesson);
    char *headings = format_text("%s", result->sections ? result->sections : "");
    char *rest = headings, *heading;
    if (!*headings && result->fix) {
        free(headings);
        free(path);
        path = format_text("%s", "lessons/slips.md");
        rest = headings = format_text("%s", result->fix->kind);
    }
    while ((heading = strsep(&rest, "\n")) && *heading) {
        char *section = page_section(path, heading);
        if (section)
            add_text(&all, section);
        free(section);
    }
    free(headings);
    free(path);
    buffer_append(&all, "", all.length ? 1 : 0);
    return all.data;
}
