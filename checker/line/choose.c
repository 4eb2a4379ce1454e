/* Of the changes that made every case right: the line that they agree on, and what is said of it.
 *
 * The invariant: no line without a change that the ordinary compiler and checker have passed, and
 * no change where others would do elsewhere. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 3 };

static double weight(const Edit *edit)
{
    return 1.0 / ((double)edit->rank * edit->rank);
}

/* Each kind of change counts once, by the likeliest: there are many ways to write the same. */
static double weight_of_line(const Found *found, int line)
{
    double best[KINDS] = {0}, sum = 0;
    for (int i = 0; i < found->count; i++) {
        const Edit *edit = found->items[i];
        if (edit->line == line && weight(edit) > best[edit->kind])
            best[edit->kind] = weight(edit);
    }
    for (int k = 0; k < KINDS; k++)
        sum += best[k];
    return sum;
}

static int by_rank(const void *a, const void *b)
{
    const Edit *x = *(const Edit *const *)a, *y = *(const Edit *const *)b;
    return x->rank != y->rank ? x->rank - y->rank : x < y ? -1 : x > y;
}

/* The line that most of them agree on; 0: they agree on none. Of two that are as likely it is the
 * earlier, of three none. */
static int agreed_line(const Found *found)
{
    double all = 0, most = 0;
    int line = 0;
    for (int i = 0; i < found->count; i++) {
        double here = weight_of_line(found, found->items[i]->line);
        bool counted = false;
        for (int k = 0; k < i; k++)
            counted = counted || found->items[k]->line == found->items[i]->line;
        all += counted ? 0 : here;
        if (here > most) {
            most = here;
            line = found->items[i]->line;
        }
    }
    return 8 * most > 3 * all ? line : 0;
}

static char *changed_text(const Search *s, const Question *q, const Edit *edit, size_t *length)
{
    const Token *t = s->program.tokens.items;
    Buffer text = {0};
    size_t at = 0;
    for (int i = 0; i < edit->piece_count; i++) {
        const Piece *p = &edit->pieces[i];
        size_t from = (size_t)t[p->from].at - s->own_at;
        buffer_append(&text, q->text + at, from - at);
        buffer_append(&text, p->text, strlen(p->text));
        at = p->to > p->from ? (size_t)(t[p->to - 1].at + t[p->to - 1].length) - s->own_at : from;
    }
    buffer_append(&text, q->text + at, q->length - at);
    *length = text.length;
    buffer_append(&text, "", 1);
    return text.data;
}

char *file_with(const Search *s, const Question *q, const Edit *edit)
{
    size_t length;
    char *plain = changed_text(s, q, edit, &length);
    char *text = as_one_writes_it(q->text, q->length, plain, length);
    free(plain);
    return text;
}

/* The learner's file with the change, if that passes; else NULL. Caller frees. */
static char *confirmed(const Search *s, const Question *q, const Edit *edit)
{
    char *text = file_with(s, q, edit);
    if (text && q->passes(q->context, text, strlen(text)))
        return text;
    free(text);
    return NULL;
}

static char *code_on(const Question *q, int line)
{
    const char *at = q->text;
    for (int i = 1; i < line && at; i++)
        at = memchr(at, '\n', (size_t)(q->text + q->length - at)), at = at ? at + 1 : NULL;
    if (!at)
        return format_text("%s", "");
    at += strspn(at, " \t");
    int length = (int)strcspn(at, "\r\n");
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    return format_text("%.*s", length < 200 ? length : 200, at);
}

/* `after`: the file with the change, if that is to be shown; else NULL. */
static Fix *make_fix(const Search *s, const Question *q, const Edit *edit, const char *after)
{
    Fix *fix = calloc(1, sizeof *fix);
    if (!fix)
        abort();
    const int name = s->program.definitions[edit->in].name;
    fix->function = text_between(&s->program, name, name + 1);
    fix->line = edit->line;
    fix->kind = format_text("%s", kind_words(edit->kind));
    fix->question = format_text("%s", kind_question(edit->kind));
    fix->code = code_on(q, edit->line);
    if (after && add_changed_lines(fix, q->text, after)) {
        fix->from = text_between(&s->program, edit->pieces[0].from, edit->pieces[0].to);
        fix->to = format_text("%s", edit->pieces[0].text);
    }
    return fix;
}

Fix *choose(const Search *s, const Question *q, Found *found)
{
    int line = agreed_line(found), tries = 0;
    bool several = false;
    qsort(found->items, (size_t)found->count, sizeof *found->items, by_rank);
    for (int i = 0; i < found->count; i++)
        several = several || found->items[i]->line != line;
    const bool shown = !several && found->count <= 12;
    for (int i = 0; i < found->count && line && tries < TRIES; i++) {
        if (found->items[i]->line != line)
            continue;
        tries++;
        char *after = confirmed(s, q, found->items[i]);
        Fix *fix = after ? make_fix(s, q, found->items[i], shown ? after : NULL) : NULL;
        free(after);
        if (fix)
            return fix;
    }
    return NULL;
}
