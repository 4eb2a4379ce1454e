/* From the learner's file to a shared object, and from the compiler's words to what a learner
 * needs.
 *
 * The invariant: the compiler runs behind the sandbox's door and at limits, because a C file can
 * ask its compiler for any file and for any amount of work. What it compiles is a copy in the run's
 * folder, which is also the only place that it can write to. Nobody else sees that copy's name: in
 * the compiler's words, in the object and in gdb the file has the name that the learner gave it.
 *
 * The object is linked against nothing: the worker, which loads it, has the C library, the maths
 * library and the sanitizers already. That saves the linker 12 to 30 ms. */
#include "box.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A busy machine may take a while to give a compiler its seconds. */
enum { COMPILE_SECONDS = 10, COMPILE_PATIENCE = 60, SHOWN_LINES = 30 };
enum { MOST_SAID = 5000 }; /* bytes of the compiler's words: our own come behind them */

/* ---- the copy ---- */
static bool write_part(const char *path, const char *data, size_t length, char *error, size_t size)
{
    bool written = write_new_file(path, data, length, false);
    if (!written)
        snprintf(error, size, "Can't write %s: %s.", path, strerror(errno));
    return written;
}

/* What calls the learner's functions in turn is linked from a copy too: the linker sees no other
 * folder. */
static bool copy_calls(Runner *runner, char *error, size_t error_size)
{
    size_t length;
    if (!runner->options.calls)
        return true;
    char *object = read_file(runner->options.calls, &length);
    snprintf(runner->built.calls, sizeof runner->built.calls, "%s/calls.o",
             runner->built.folder.path);
    bool copied = object && write_part(runner->built.calls, object, length, error, error_size);
    if (!object)
        snprintf(error, error_size, "Can't read %s: %s.", runner->options.calls, strerror(errno));
    free(object);
    return copied;
}

bool build_prepare(Runner *runner, char *error, size_t error_size)
{
    if (!folder_make(&runner->built.folder, error, error_size))
        return false;
    snprintf(runner->built.copy, sizeof runner->built.copy, "%s/x.c", runner->built.folder.path);
    snprintf(runner->built.object, sizeof runner->built.object, "%s/x.so",
             runner->built.folder.path);
    return write_part(runner->built.copy, runner->options.text, runner->options.length, error,
                      error_size) &&
           copy_calls(runner, error, error_size);
}

/* ---- the command ---- */
#define LIST "x.d" /* what the compiler has read, in the run's folder */
#ifdef __APPLE__
/* Each symbol is bound to the first file on the linker's command line that has it. That is the
 * worker, for its own exit(), before the system's library. */
#define SHARED "-bundle -bundle_loader build/worker -undefined dynamic_lookup"
#define LIBRARIES NULL
#else
#define SHARED "-shared -nostdlib -Wl,-Bsymbolic"
#define LIBRARIES "-lgcc"
#endif
/* The code that comes out is the same without these: the assembler works beside the compiler, the
 * linker loads no plug-in, and gcc does not look for shorter names of the system's headers, which
 * takes 400 system calls. */
#ifdef __clang__
#define QUICKLY "-pipe -fno-lto"
#else
#define QUICKLY "-pipe -fno-lto -fno-canonical-system-headers"
#endif
/* The copy gets the learner's name in __FILE__ too, where the compiler is new enough. This program
 * is compiled by the learner's compiler. */
#if defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 8
#define NAMED "-ffile-prefix-map"
#else
#define NAMED "-fdebug-prefix-map"
#endif

enum { MAX_ARGUMENTS = 80 };

typedef struct {
    const char *items[MAX_ARGUMENTS];
    int count;
} Command;

/* NULL, which ends a command, is not added. */
static void add_word(Command *command, const char *argument)
{
    if (argument && command->count < MAX_ARGUMENTS - 1)
        command->items[command->count++] = argument;
}

static void add_words(Command *command, char *words)
{
    for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        add_word(command, word);
}

/* "class/ada/" or "./". Caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? format_text("%.*s/", (int)(slash - path), path) : format_text("./");
}

bool build_start(const Runner *runner, const char *other, Child *compiler)
{
    Command command = {.count = 0};
    char words[] = LEARNER_CC " " LEARNER_CFLAGS " " QUICKLY " " SHARED;
    char *others = format_text("%s", other);
    char *named = format_text(NAMED "=%s=%s", runner->built.copy, runner->options.source);
    char *beside = folder_of(runner->options.path);
    char list[sizeof runner->built.object + 16];
    snprintf(list, sizeof list, "%s/" LIST, runner->built.folder.path);
    add_words(&command, words);
    add_words(&command, others);
    add_word(&command, "-fdiagnostics-color=never");
    add_word(&command, named);
    add_word(&command, "-iquote"); /* headers of the learner's own, beside the file */
    add_word(&command, beside);
    add_word(&command, "-Iinclude");
    add_word(&command, "-include");
    add_word(&command, runner->options.header);
    if (!compiler_is_held()) {
        add_word(&command, "-MD");
        add_word(&command, "-MF");
        add_word(&command, list);
    }
    add_word(&command, "-o");
    add_word(&command, runner->built.object);
    add_word(&command, runner->built.copy);
    add_word(&command, runner->built.calls[0] ? runner->built.calls : NULL);
    add_word(&command, LIBRARIES);
    Limits limits = {
        .file_bytes = 64L << 20, .cpu_seconds = COMPILE_SECONDS, .address_bytes = 2L << 30};
    Launch launch = {.argv = command.items,
                     .limits = limits,
                     .source = runner->options.path,
                     .folder = runner->built.folder.path};
    bool started = child_start(compiler, &launch);
    free(named);
    free(beside);
    free(others);
    return started;
}

/* ---- what it has read ---- */
static bool is_forbidden(const char *file, const Readable *readable)
{
    char *path = realpath(file, NULL);
    bool forbidden = !path || !readable_holds(readable, path);
    free(path);
    return forbidden;
}

/* The next name in a list for make: "x.so: exercises/a.c include/a.h \", with "\ ", "\#" and "$$"
 * for a space, "#" and "$" in a name. "" at its end. */
static const char *next_name(const char *at, char *name, size_t size)
{
    size_t length = 0;
    for (at += strspn(at, " \\\n"); *at && *at != ' ' && *at != '\n'; at++) {
        if ((*at == '\\' && strchr(" #:\t", at[1])) || (*at == '$' && at[1] == '$'))
            at++;
        if (length < size - 1)
            name[length++] = *at;
    }
    name[length] = '\0';
    return at;
}

/* Where nothing holds the compiler, what it says it has included is looked at. That leaves out what
 * the assembler includes. Caller frees; NULL: it was held. */
static char *list_of_read(const Runner *runner)
{
    char path[sizeof runner->built.object + 16];
    snprintf(path, sizeof path, "%s/" LIST, runner->built.folder.path);
    return compiler_is_held() ? NULL : read_file(path, NULL);
}

static bool has_forbidden(const Runner *runner, const char *list)
{
    char name[PATH_SIZE];
    Readable readable = {0};
    bool forbidden =
        list && !readable_find(&readable, runner->options.path, runner->built.folder.path);
    readable_resolve(&readable);
    const char *at = list && !forbidden ? next_name(list, name, sizeof name) : "";
    while (*at && !forbidden) {
        at = next_name(at, name, sizeof name);
        forbidden = name[0] && is_forbidden(name, &readable);
    }
    readable_free(&readable);
    return forbidden;
}

/* ---- what it has made ---- */
/* Does a name begin there by which an exercise would command the sanitizers? What the compiler
 * itself calls for them has other names, and so has what is only defined for them. */
static bool commands_sanitizers(const char *name)
{
    static const char *const beginnings[] = {
        "__asan_poison_memory", "__asan_unpoison_memory", "__asan_set_death", "__asan_set_error",
        "__asan_get_",          "__asan_address_is_",     "__asan_region_is", "__asan_describe",
        "__asan_locate",        "__asan_update_",         "__asan_print_",    "__asan_report_error",
        "__lsan_disable",       "__lsan_enable",          "__lsan_ignore",    "__lsan_do_",
        "__lsan_register",      "__lsan_unregister",      "__ubsan_get_",     "__sanitizer_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* In the object, among the names that it needs and its strings: a function of the sanitizers' that
 * it calls or asks for. Caller frees; NULL: none. */
static char *sanitizers_function(const char *object)
{
    size_t length;
    char *text = read_file(object, &length), *found = NULL;
    const char *at = text ? memchr(text, '_', length) : NULL;
    for (; at && !found; at = memchr(at + 1, '_', length - (size_t)(at + 1 - text)))
        if (at > text && !at[-1] && commands_sanitizers(at))
            found = format_text("%.64s", at);
    free(text);
    return found;
}

/* False: `error` says why the object is not to be loaded. */
static bool may_be_loaded(const Runner *runner, char *error, size_t error_size)
{
    char *name = sanitizers_function(runner->built.object);
    if (name)
        snprintf(error, error_size,
                 "%s uses %s. The sanitizers watch what an exercise does; it may not command them.",
                 runner->built.shown, name);
    free(name);
    return !name;
}

/* ---- its words ---- */
/* The text with one name in place of another. Caller frees. */
static char *renamed(const char *text, const char *old, const char *name)
{
    Buffer result = {0};
    size_t length = strlen(old);
    for (const char *at; (at = strstr(text, old)); text = at + length) {
        buffer_append(&result, text, (size_t)(at - text));
        buffer_append(&result, name, strlen(name));
    }
    buffer_append(&result, text, strlen(text) + 1);
    return result.data;
}

/* The output with the learner's name in place of the copy's, and of the folder's where the file is
 * not shown by its path. */
static char *with_names(const char *output, const Runner *runner)
{
    const RunnerOptions *o = &runner->options;
    char *text = renamed(output, runner->built.copy, o->source);
    if (!strcmp(o->path, o->source))
        return text;
    char *beside = folder_of(o->path), *all = renamed(text, beside, "");
    free(beside);
    free(text);
    return all;
}

static bool is_noise(const char *line)
{
    return strstr(line, "from <command-line>") || strstr(line, "<command-line>: ") ||
           strstr(line, ": In function ") || strstr(line, ": At top level:");
}

/* Does a compiler's message begin on this line: "file:line:column: error: ..."? */
static bool begins_message(const char *line)
{
    const char *error = strstr(line, " error: "), *warning = strstr(line, " warning: ");
    return (error || warning || strstr(line, "fatal error: ") || strstr(line, ": Error: ")) &&
           !isspace((unsigned char)line[0]);
}

static bool is_error_in(const char *line, const char *source)
{
    size_t length = strlen(source);
    return strncmp(line, source, length) == 0 && line[length] == ':' && begins_message(line) &&
           !strstr(line, " warning: ");
}

typedef struct {
    char *text;
    size_t size;
    int lines, left_out;
} Shown;

static void show(Shown *shown, const char *line)
{
    size_t used = strlen(shown->text);
    if (shown->lines >= SHOWN_LINES || used + strlen(line) + 80 > shown->size) {
        shown->left_out++;
        return;
    }
    snprintf(shown->text + used, shown->size - used, "%s%s", used ? "\n" : "", line);
    shown->lines++;
}

/* The first error in the learner's own file first, then the rest as it came. */
static void arrange(char *output, const char *source, char *text, size_t size)
{
    enum { MAX_LINES = 4096 };
    char **lines = calloc(MAX_LINES, sizeof *lines), *rest;
    Shown shown = {text, size, 0, 0};
    int count = 0, first = 0, end;
    if (!lines)
        abort();
    for (char *line = strtok_r(output, "\n", &rest); line && count < MAX_LINES;
         line = strtok_r(NULL, "\n", &rest))
        if (!is_noise(line))
            lines[count++] = line;
    while (first < count && !is_error_in(lines[first], source))
        first++;
    for (end = first + 1; end < count && !begins_message(lines[end]); end++)
        continue;
    text[0] = '\0';
    for (int i = first; i < end && i < count; i++)
        show(&shown, lines[i]);
    for (int i = 0; i < count; i++)
        if (i < first || i >= end)
            show(&shown, lines[i]);
    size_t used = strlen(text);
    if (shown.left_out > 0)
        snprintf(text + used, size - used, "\n(and %d more lines)", shown.left_out);
    free(lines);
}

static void add_sentence(char *text, size_t size, const char *sentence)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? "\n" : "", sentence);
}

#define ONLY                                                                                       \
    "An exercise may include the standard headers, include/*.h and the headers (*.h) beside it, "  \
    "and nothing else."

/* What the compiler's own words leave a learner guessing at; NULL: nothing. What stands in the
 * learner's file (`own`) may be that file's, as in an #error, and not the compiler's. */
static const char *advice_on(const char *said, const char *own)
{
    static const struct {
        const char *said, *sentence;
    } advice[] = {
        {"Permission denied", ONLY},     /* #include */
        {"Error: file not found", ONLY}, /* .incbin and .include, as gas and clang put it */
        {"ould not find inc", ONLY},
        {"CPU time limit", "Compiling was stopped after 10 s."},
        {"Killed signal", "Compiling was stopped: it took too long or too much memory."},
        {"out of memory", "Compiling was stopped at 2 GB of memory."},
        {"memory exhausted", "Compiling was stopped at 2 GB of memory."},
        {"emory allocation", "Compiling was stopped at 2 GB of memory."},
        {"ile size limit", "Compiling was stopped: the result is larger than 64 MB."},
        {"ile too large", "Compiling was stopped: the result is larger than 64 MB."},
    };
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        if (strstr(said, advice[i].said) && !strstr(own, advice[i].said))
            return advice[i].sentence;
    }
    return NULL;
}

/* The same, where one of the learner's own headers is too large to be read: it is named. NULL: none
 * is. `read`: what the compiler says it has read, or wanted to. Caller frees. */
static char *advice_on_size(const Runner *runner, const char *read)
{
    char *name = readable_too_large(runner->options.path, read);
    char *advice = name ? format_text("%s is larger than 4 MB, and is not read.", name) : NULL;
    free(name);
    return advice;
}

/* As many whole lines as fit. */
static void copy_lines(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
    char *last = strlen(text) < size ? NULL : strrchr(to, '\n');
    if (last)
        *last = '\0';
}

/* Why there is no object. `output`: all that the compiler said; `shown`: what of it is for a
 * learner.
 */
static void say_why(Runner *runner, bool in_time, const char *output, const char *shown,
                    char *error, size_t error_size)
{
    char why[512];
    copy_lines(error, error_size < MOST_SAID ? error_size : MOST_SAID, shown);
    runner->said = strlen(error);
    runner->machine = machine_stopped(output, runner->built.folder.path, why, sizeof why);
    const char *advice =
        in_time ? advice_on(output, runner->options.text) : "Compiling was stopped after 60 s.";
    char *on_size = strstr(output, "Permission denied") ? advice_on_size(runner, output) : NULL;
    advice = on_size ? on_size : advice;
    if (runner->machine)
        snprintf(error, error_size, "%s", why);
    else if (!error[0] && !advice)
        snprintf(error, error_size, "The compiler (%s) failed without a word.", LEARNER_CC);
    else if (advice)
        add_sentence(error, error_size, advice);
    free(on_size);
}

/* Why what the compiler has read keeps the object from being used. */
static void say_forbidden(const Runner *runner, const char *list, char *error, size_t error_size)
{
    char *on_size = advice_on_size(runner, list);
    snprintf(error, error_size, "%s", on_size ? on_size : ONLY);
    free(on_size);
}

char *build_finish(Runner *runner, Child *compiler, char *error, size_t error_size)
{
    char *output;
    int status;
    bool in_time = child_finish(compiler, COMPILE_PATIENCE, &output, &status);
    char *named = with_names(output, runner);
    size_t size = strlen(named) + 256;
    char *text = malloc(size);
    if (!text)
        abort();
    arrange(named, runner->options.source, text, size);
    char *list = list_of_read(runner);
    bool forbidden = has_forbidden(runner, list), made = in_time && status == 0 && !forbidden;
    if (forbidden)
        say_forbidden(runner, list, error, error_size);
    else if (!made)
        say_why(runner, in_time, output, text, error, error_size);
    made = made && may_be_loaded(runner, error, error_size);
    free(list);
    free(named);
    free(output);
    if (made)
        return text;
    free(text);
    return NULL;
}
