/* Texts become an image in memory: TCC, made for arm64 with the changes of tcc.sed, and what it
 * takes to link its sections at the addresses of the image's region.
 *
 * The invariant: TCC opens no file. Its open(), read() and close() are those below, which know the
 * headers that they are given. */
#include "emulator.h"
#include "library.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what TCC takes for a machine ---- */
#ifdef __wasi__
/* Who gives up a text leaves all functions down to the attempt(), by the page's two functions. */
#define _SETJMP_H
typedef int jmp_buf[1];
__attribute__((import_module("page"), import_name("attempt"))) int attempt(void (*function)(void));
__attribute__((import_module("page"), import_name("give_up"), noreturn)) void give_up(void);
#define longjmp(place, value) give_up()
#endif

/* What is being compiled: TCC compiles one text at a time, and knows no context of ours. */
typedef struct {
    const Sources *sources;
    Image *image;
    char *error;
    size_t error_size;
} Compiling;
static Compiling now;

enum { MOST_OPEN = 40, FIRST_OPEN = 1000 };
static struct {
    char *text;
    size_t length, done;
} opened[MOST_OPEN];

static char *header_text(const char *path)
{
    static const char *const standard[] = {
        "assert.h", "ctype.h",   "errno.h",  "float.h",  "inttypes.h", "limits.h", "math.h",
        "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h",    "stdlib.h", "string.h"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *text = now.sources->header(now.sources->context, path);
    for (size_t i = 0; !text && i < sizeof standard / sizeof *standard; i++)
        if (!strcmp(name, standard[i]))
            text = strdup("");
    if (!text && !strcmp(name, "stdalign.h"))
        text = strdup("#define alignas _Alignas\n#define alignof _Alignof\n");
    if (!text && !strcmp(name, "stdnoreturn.h"))
        text = strdup("#define noreturn _Noreturn\n");
    return text;
}

static int open_header(const char *path)
{
    for (int i = 0; i < MOST_OPEN; i++) {
        if (opened[i].text)
            continue;
        opened[i].text = header_text(path);
        opened[i].length = opened[i].text ? strlen(opened[i].text) : 0;
        opened[i].done = 0;
        return opened[i].text ? FIRST_OPEN + i : -1;
    }
    return -1;
}

static long read_header(int file, void *to, size_t most)
{
    int i = file - FIRST_OPEN;
    if (i < 0 || i >= MOST_OPEN || !opened[i].text)
        return 0;
    size_t left = opened[i].length - opened[i].done;
    size_t count = most < left ? most : left;
    memcpy(to, opened[i].text + opened[i].done, count);
    opened[i].done += count;
    return (long)count;
}

static int close_header(int file)
{
    int i = file - FIRST_OPEN;
    if (i >= 0 && i < MOST_OPEN) {
        free(opened[i].text);
        opened[i].text = NULL;
    }
    return 0;
}

/* Of a compiled object, which nobody here reads. */
static long seek_header(int file)
{
    (void)file;
    return -1;
}

#undef lseek /* of wasi-libc a macro */
#define open(path, ...) open_header(path)
#define read read_header
#define close close_header
#define lseek(file, ...) seek_header(file)

/* ---- TCC ---- */
#define EMULATOR_GAP GAP
#define EMULATOR_VLA VLA_MARK
static int emulator_signed; /* the operation in the making is one of ints that have a sign */
static void emulator_note_sign(void);
static void emulator_line(void);
static void emulator_local(int from, int size, int filled);
struct TCCState;
static void emulator_attempt(struct TCCState *s1, int filetype, const char *text, int file);
#include <libtcc.c>

#undef open
#undef read
#undef close
#undef lseek
#undef malloc
#undef realloc
#undef free
#undef strdup

/* ---- what tcc.sed calls ---- */
static void emulator_note_sign(void)
{
    const int types[] = {vtop[-1].type.t, vtop[0].type.t};
    emulator_signed = 1;
    for (int i = 0; i < 2; i++) {
        int kind = types[i] & VT_BTYPE;
        if ((kind != VT_INT && kind != VT_LLONG) || (types[i] & VT_UNSIGNED))
            emulator_signed = 0;
    }
}

/* Room for one more of `count`, where that is a power of two. */
static void *one_more(void *items, int count, size_t size)
{
    if (count & (count - 1))
        return items;
    items = realloc(items, size * (count ? 2 * (size_t)count : 1));
    if (!items)
        abort();
    return items;
}

static void emulator_line(void)
{
    TCCState *s1 = tcc_state;
    Image *image = now.image;
    if (nocode_wanted || cur_text_section != text_section)
        return;
    int line = strcmp(file->filename, now.sources->source) ? 0 : file->line_num;
    if (image->line_count && image->lines[image->line_count - 1].line == line)
        return;
    image->lines = one_more(image->lines, image->line_count, sizeof *image->lines);
    image->lines[image->line_count++] = (ImageLine){(uint32_t)ind, line};
}

static void emulator_local(int from, int size, int filled)
{
    TCCState *s1 = tcc_state;
    Image *image = now.image;
    if (nocode_wanted)
        return;
    if (image->local_count > 0xffff)
        tcc_error("more than 65536 local variables");
    image->locals = one_more(image->locals, image->local_count, sizeof *image->locals);
    image->locals[image->local_count] = (Local){from, (uint32_t)size, filled != 0};
    o(LOCAL_MARK | (unsigned)image->local_count++);
}

#ifdef __wasi__
static struct {
    TCCState *state;
    int filetype, file;
    const char *text;
} attempted;

static void compile_attempted(void)
{
    emulator_compile(attempted.state, attempted.filetype, attempted.text, attempted.file);
}
#endif

static void emulator_attempt(TCCState *s1, int filetype, const char *text, int file)
{
#ifdef __wasi__
    attempted.state = s1;
    attempted.filetype = filetype;
    attempted.text = text;
    attempted.file = file;
    attempt(compile_attempted);
#else
    if (!setjmp(s1->error_jmp_buf))
        emulator_compile(s1, filetype, text, file);
#endif
}

/* ---- linking ---- */
static void keep_first(void *context, const char *said)
{
    (void)context;
    if (now.error[0])
        return;
    snprintf(now.error, now.error_size, "%s", said);
    if (now.sources->stopped_at && file && !file->prev)
        *now.sources->stopped_at = (size_t)(file->buf_ptr - file->buffer);
}

static const char *name_of(TCCState *s1, const ElfSym *symbol)
{
    return (char *)s1->symtab->link->data + symbol->st_name;
}

/* What the texts ask for and have not becomes the library's. False: some of it is nowhere. */
static bool find_library(TCCState *s1)
{
    Section *library = new_section(s1, ".library", SHT_NOBITS, 0);
    ElfSym *symbols = (ElfSym *)s1->symtab->data;
    int count = (int)(s1->symtab->data_offset / sizeof *symbols);
    library->sh_addr = REGION_START(IMAGE_REGION) + LIBRARY_OFFSET;
    for (int i = 1; i < count; i++) {
        ElfSym *symbol = &symbols[i];
        int number = library_number(name_of(s1, symbol));
        if (symbol->st_shndx != SHN_UNDEF || ELFW(ST_BIND)(symbol->st_info) == STB_LOCAL)
            continue;
        if (number < 0) {
            snprintf(
                now.error, now.error_size,
                "Undefined: %s is used but defined neither in %s nor in the library that there "
                "is here.",
                name_of(s1, symbol), now.sources->source);
            if (now.sources->undefined)
                snprintf(now.sources->undefined, NAME_SIZE, "%s", name_of(s1, symbol));
            return false;
        }
        symbol->st_shndx = (uint16_t)library->sh_num;
        symbol->st_value = (uint64_t)number * LIBRARY_STEP;
    }
    return true;
}

static bool is_kept(const Section *section)
{
    return (section->sh_flags & SHF_ALLOC) && section->data_offset;
}

/* Gives each section its place: the code first. */
static void place_sections(TCCState *s1, Image *image)
{
    size_t used = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 1; i < s1->nb_sections; i++) {
            Section *section = s1->sections[i];
            if (!is_kept(section) || (section == text_section) != (pass == 0))
                continue;
            used = (used + 63) & ~(size_t)63;
            section->sh_addr = REGION_START(IMAGE_REGION) + used;
            used += section->data_offset;
            image->code_size = pass ? image->code_size : used;
        }
    image->size = used;
}

static void copy_sections(TCCState *s1, Image *image)
{
    for (int i = 1; i < s1->nb_sections; i++) {
        Section *section = s1->sections[i];
        if (!is_kept(section))
            continue;
        size_t at = section->sh_addr - REGION_START(IMAGE_REGION);
        if (section->sh_type != SHT_NOBITS)
            memcpy(image->bytes + at, section->data, section->data_offset);
        if (section == data_section || section == bss_section)
            memset(image->nobodys + at, 1, section->data_offset);
        if (section == s1->got) {
            image->table = at;
            image->table_size = section->data_offset;
        }
    }
}

static void add_symbol(Image *image, const char *name, uint64_t at)
{
    image->symbols = one_more(image->symbols, image->symbol_count, sizeof *image->symbols);
    ImageSymbol *symbol = &image->symbols[image->symbol_count++];
    symbol->at = (uint32_t)at;
    snprintf(symbol->name, sizeof symbol->name, "%.*s", (int)sizeof symbol->name - 1, name);
}

/* The functions and objects by their names, and whose bytes of the data are somebody's. */
static void read_symbols(TCCState *s1, Image *image)
{
    const ElfSym *symbols = (ElfSym *)s1->symtab->data;
    int count = (int)(s1->symtab->data_offset / sizeof *symbols);
    for (int i = 1; i < count; i++) {
        uint64_t at = symbols[i].st_value - REGION_START(IMAGE_REGION);
        const int kind = ELFW(ST_TYPE)(symbols[i].st_info);
        if (symbols[i].st_shndx >= SHN_LORESERVE || at >= image->size)
            continue;
        if (at >= image->code_size) {
            uint64_t size = symbols[i].st_size;
            memset(image->nobodys + at, 0, size < image->size - at ? size : image->size - at);
        }
        if (kind == (at < image->code_size ? STT_FUNC : STT_OBJECT))
            add_symbol(image, name_of(s1, &symbols[i]), at);
    }
}

static bool link_image(TCCState *s1, Image *image)
{
    if (!find_library(s1))
        return false;
    build_got_entries(s1);
    place_sections(s1, image);
    if (image->size >= LIBRARY_OFFSET) {
        snprintf(now.error, now.error_size, "Its static arrays take more than %d MB.",
                 LIBRARY_OFFSET >> 20);
        return false;
    }
    relocate_syms(s1, s1->symtab, 0);
    for (int i = 1; i < s1->nb_sections; i++)
        if (s1->sections[i]->reloc && is_kept(s1->sections[i]))
            relocate_section(s1, s1->sections[i]);
    image->bytes = calloc(2, image->size + 1);
    if (!image->bytes)
        abort();
    image->nobodys = image->bytes + image->size + 1;
    copy_sections(s1, image);
    read_symbols(s1, image);
    return true;
}

/* ---- the image ---- */
/* The library counts memory for a calls.c, and lets it fail: no exercise commands that. */
static bool is_without_ours(TCCState *s1)
{
    const ElfSym *symbols = (ElfSym *)s1->symtab->data;
    int count = (int)(s1->symtab->data_offset / sizeof *symbols);
    for (int i = 1; i < count && now.sources->ours; i++) {
        const char *name = name_of(s1, &symbols[i]);
        if (ELFW(ST_BIND)(symbols[i].st_info) == STB_LOCAL ||
            strncmp(name, now.sources->ours, strlen(now.sources->ours)) != 0)
            continue;
        snprintf(now.error, now.error_size, "%s uses %s, a name that the checker keeps to itself.",
                 now.sources->source, name);
        return false;
    }
    return true;
}

bool image_make(Image *image, const Sources *sources, char *error, size_t error_size)
{
    bool made = true;
    *image = (Image){0};
    error[0] = '\0';
    now = (Compiling){sources, image, error, error_size};
    TCCState *s1 = tcc_new();
    if (!s1)
        abort();
    tcc_set_error_func(s1, NULL, keep_first);
    tcc_set_options(s1, "-nostdinc -nostdlib -w -std=c11 -I include");
    tcc_set_output_type(s1, TCC_OUTPUT_MEMORY);
    for (int i = 0; made && sources->texts[i]; i++)
        made = tcc_compile_string(s1, sources->texts[i]) == 0 && (i > 0 || is_without_ours(s1));
    made = made && link_image(s1, image) && !error[0];
    tcc_delete(s1);
    for (int i = 0; i < MOST_OPEN; i++)
        close_header(FIRST_OPEN + i);
    if (!made)
        image_free(image);
    return made;
}

void image_free(Image *image)
{
    free(image->bytes);
    free(image->lines);
    free(image->locals);
    free(image->symbols);
    *image = (Image){0};
}

static const ImageSymbol *symbol_of(const Image *image, const char *name, bool is_function)
{
    for (int i = 0; i < image->symbol_count; i++)
        if ((image->symbols[i].at < image->code_size) == is_function &&
            !strcmp(image->symbols[i].name, name))
            return &image->symbols[i];
    return NULL;
}

const ImageSymbol *image_function(const Image *image, const char *name)
{
    return symbol_of(image, name, true);
}

const ImageSymbol *image_object(const Image *image, const char *name)
{
    return symbol_of(image, name, false);
}

int image_line(const Image *image, uint32_t at)
{
    int low = 0, high = image->line_count; /* the last entry at or before it */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (image->lines[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return low < image->line_count && image->lines[low].at <= at ? image->lines[low].line : 0;
}
