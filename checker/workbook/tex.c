/* A formula's parts, one after the other: what reads TeX for the terminal (formula.c) and for the
 * book (checker/book/mathml.c).
 *
 * The invariant: every part ends behind where it began, and a group holds no '}' of its own. */
#include "markdown.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 50 };

/* `at` is behind a '{'; where the '}' is that closes it, or the end. */
static const char *group_end(const char *at, const char *end)
{
    for (int depth = 1; at < end; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
        else if (*at == '{')
            depth++;
        else if (*at == '}' && !--depth)
            break;
    }
    return at;
}

/* `from` is behind a backslash: a name, or one character. */
static TexPart command(const char *from, const char *end)
{
    size_t length = 0;
    while (from + length < end && isalpha((unsigned char)from[length]))
        length++;
    if (length)
        return (TexPart){TEX_COMMAND, from, length};
    /* "\_" is the character, "\ " and "\;" are a space */
    return (TexPart){strchr("_{}%$#&", *from) ? TEX_CHARACTER : TEX_SPACE, from, 1};
}

static size_t character_length(const char *from, const char *end)
{
    size_t length = 1;
    while (from + length < end && (from[length] & 0xC0) == 0x80)
        length++;
    return length;
}

TexPart tex_next(const char **at, const char *end)
{
    const char *from = *at;
    while (from < end && *from == '}') /* it closes nothing */
        from++;
    TexPart part = {TEX_END, from, 0};
    if (from < end && *from == '{') {
        part = (TexPart){TEX_GROUP, from + 1, (size_t)(group_end(from + 1, end) - (from + 1))};
        from = part.text + part.length;
        *at = from < end ? from + 1 : end;
        return part;
    }
    if (from < end && *from == '\\' && from + 1 < end)
        part = command(from + 1, end);
    else if (from < end)
        part = (TexPart){*from == '_'   ? TEX_BELOW
                         : *from == '^' ? TEX_ABOVE
                         : *from == ' ' ? TEX_BLANK
                                        : TEX_CHARACTER,
                         from, character_length(from, end)};
    *at = part.text + part.length;
    return part;
}

TexPart tex_argument(const char **at, const char *end)
{
    TexPart part = tex_next(at, end);
    while (part.kind == TEX_BLANK)
        part = tex_next(at, end);
    return part;
}

bool tex_is(const TexPart *command, const char *name)
{
    return strlen(name) == command->length && !strncmp(name, command->text, command->length);
}

bool tex_is_too_deep(const char *tex, size_t length)
{
    int depth = 0, most = 0;
    for (size_t i = 0; i < length; i++) {
        depth += (tex[i] == '{') - (tex[i] == '}');
        most = depth > most ? depth : most;
    }
    return most > DEEPEST;
}
