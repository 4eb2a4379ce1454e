/* What everything that prints needs: marks, formatting, escaping, a file's text.
 *
 * The invariant: where the locale is not UTF-8, nothing that goes through here is outside ASCII;
 * nothing that a learner's program or file contains reaches a terminal as a control character, nor
 * begins a line there. */
#include "run.h"
#include "wire.h" /* write_all() */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool names_utf8(const char *codeset)
{
    return strcasestr(codeset, "utf-8") || strcasestr(codeset, "utf8");
}

bool locale_is_utf8(void)
{
    static int answer = -1;
    if (answer >= 0)
        return answer;
    if (setlocale(LC_CTYPE, "")) {
        answer = names_utf8(nl_langinfo(CODESET));
        return answer;
    }
    /* A locale that is not installed here (containers, ssh): its name still describes the terminal.
     */
    const char *name = getenv("LC_ALL");
    if (!name || !*name)
        name = getenv("LC_CTYPE");
    if (!name || !*name)
        name = getenv("LANG");
    answer = name && names_utf8(name);
    return answer;
}

static bool colour_wanted(void)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0 &&
           !(no_colour && *no_colour);
}

/* The four forms of a mark. The ASCII ones are padded to one width, so that names line up. */
typedef struct {
    const char *utf8, *utf8_coloured, *ascii, *ascii_coloured;
} Mark;

static const char *mark(const Mark *forms)
{
    static int colour = -1;
    if (colour < 0)
        colour = colour_wanted();
    if (locale_is_utf8())
        return colour ? forms->utf8_coloured : forms->utf8;
    return colour ? forms->ascii_coloured : forms->ascii;
}

const char *mark_pass(void)
{
    static const Mark forms = {"✅", "\033[32m✅\033[0m", "ok  ", "\033[32mok\033[0m  "};
    return mark(&forms);
}

const char *mark_fail(void)
{
    static const Mark forms = {"❌", "\033[31m❌\033[0m", "FAIL", "\033[31mFAIL\033[0m"};
    return mark(&forms);
}

const char *mark_skip(void)
{
    static const Mark forms = {"➖", "\033[33m➖\033[0m", "--  ", "\033[33m--\033[0m  "};
    return mark(&forms);
}

static void *or_die(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

char *format_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return or_die(length < 0 ? NULL : text);
}

int utf8_decode(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    if (length == 0)
        return 0;
    int size = bytes[0] < 0x80   ? 1
               : bytes[0] < 0xC0 ? 0 /* a continuation byte without a beginning */
               : bytes[0] < 0xE0 ? 2
               : bytes[0] < 0xF0 ? 3
               : bytes[0] < 0xF8 ? 4
                                 : 0;
    if (size == 0 || (size_t)size > length)
        return 0;
    *code = size == 1 ? bytes[0] : bytes[0] & (0x7Fu >> size);
    for (int i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (bytes[i] & 0x3F);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < smallest[size] || *code > 0x10FFFF || surrogate ? 0 : size;
}

/* Characters that act on the terminal instead of being seen: C0 and C1 controls, line separators,
 * and those that change the direction of the text around them. */
static bool acts_on_terminal(uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
           code == 0x061C || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

char *escaped(const char *text, size_t length)
{
    /* The longest growth: one byte becomes the four of \x1b. */
    char *result = or_die(malloc(4 * length + 1)), *end = result;
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        int size = utf8_decode(text + i, length - i, &code);
        if (size == 0) {
            code = (unsigned char)text[i];
            size = 1;
            end += sprintf(end, "\\x%02" PRIx32, code);
        } else if (code == '\r') {
            end += sprintf(end, "\\r");
        } else if (code < 0x80 && acts_on_terminal(code)) {
            end += sprintf(end, "\\x%02" PRIx32, code);
        } else if (code >= 0x80 && (acts_on_terminal(code) || !locale_is_utf8())) {
            for (int byte = 0; byte < size; byte++)
                end += sprintf(end, "\\x%02x", (unsigned char)text[i + (size_t)byte]);
        } else {
            memcpy(end, text + i, (size_t)size);
            end += size;
        }
        i += (size_t)size;
    }
    *end = '\0';
    return result;
}

void put_on_one_line(char *text)
{
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? '?' : *c;
}

/* How wide a line may be; a terminal that does not say is taken for a common one. */
static int columns_of(FILE *out)
{
    int fd = fileno(out) < 0 ? STDOUT_FILENO : fileno(out); /* a text that is printed later */
    struct winsize window;
    if (!isatty(fd))
        return INT_MAX;
    return ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

/* What the character at `at` takes on a line, or less; `size` are its bytes. */
static int width_of(const char *at, int *size)
{
    uint32_t code = 0;
    *size = utf8_decode(at, strnlen(at, 4), &code);
    return code == '\t' ? 8 : code < 0x80 ? 1 : 2;
}

/* Of the word that begins there; 0 where none does. */
static int word_width(const char *at)
{
    int width = 0, size;
    for (; *at && *at != ' ' && *at != '\n'; at += size)
        width += width_of(at, &size);
    return width;
}

/* Lines are broken at blanks, and within a word only where it is longer than a line. */
void write_lines(FILE *out, const char *first, const char *next, const char *text, size_t length)
{
    int most = columns_of(out), indent = (int)strlen(next), column = (int)strlen(first);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    char *safe = escaped(text, length);
    fputs(first, out);
    for (const char *at = safe; *at;) {
        int size, width = width_of(at, &size), word = *at == ' ' ? word_width(at + 1) : 0;
        bool at_blank = word && word <= most - indent && column + width + word > most;
        bool ends = *at == '\n' || ((at_blank || column + width > most) && column > indent);
        if (ends) {
            fprintf(out, "\n%s", next);
            column = indent;
        }
        if (!ends || (*at != '\n' && *at != ' ')) {
            fwrite(at, 1, (size_t)size, out);
            column += width;
        }
        at += size;
    }
    fputc('\n', out);
    free(safe);
}

char *read_file(const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe is not waited for */
    return file < 0 ? NULL : read_open_file(file, SIZE_MAX, length);
}

char *read_open_file(int file, size_t most, size_t *length)
{
    size_t used = 0, room = 16384;
    char *text = or_die(malloc(room));
    for (;;) {
        ssize_t got = read(file, text + used, room - used - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || used > most) {
            int reason = got < 0 ? errno : EFBIG;
            free(text);
            close(file);
            errno = reason;
            return NULL;
        }
        if (got == 0)
            break;
        used += (size_t)got;
        if (used + 1 == room)
            text = or_die(realloc(text, room *= 2));
    }
    close(file);
    text[used] = '\0';
    if (length)
        *length = used;
    return text;
}

bool write_new_file(const char *path, const char *text, size_t length, bool sync)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool good = write_all(file, text, length) && (!sync || fsync(file) == 0);
    int reason = errno;
    if (close(file) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (!good)
        unlink(path);
    errno = reason;
    return good;
}

bool delivered(FILE *out)
{
    if (fflush(out) == 0 && !ferror(out))
        return true;
    fprintf(stderr, "The results could not be written: %s.\n", strerror(errno));
    return false;
}
