/* The emulator: a learner's file compiled and called without a process, a file or a page of memory
 * of its own, so wherever C runs. In the order of a call:
 *
 *   tcc.sed     what TCC's source is changed by, which the compiler is made of
 *   compile.c   texts               -> an Image: instructions of arm64, data, lines; TCC is in it
 *   complaint.c an error of TCC's  -> what a beginner needs
 *   warnings.c  a text that is C    -> what in it explains wrong numbers: TCC warns of nothing
 *   prelude.h   what a text finds in place of the standard headers, with box/trial_prelude.h
 *   memory.c    regions far apart, and what lies in them; every access is held against them
 *   decode.c    an instruction      -> an Operation
 *   fuse.c      Operations behind one another -> one
 *   execute.c   Operations          -> what they do, and how many there were
 *   library.c   what of the C library a learner's file may call: numbers, memory, text
 *   print.c     printf() and the like
 *   arguments.c a case's arguments  -> registers and regions, and back
 *   runner.c    the Runners of all this
 *   trials.c    the Trials (line/line.h)
 *
 * machine.h has what memory.c, decode.c and execute.c share, library.h the rest.
 *
 * The invariants: no address of the learner's is ever one of ours, and none is used before reach()
 * has found it in a region that is alive there; what it does is counted, and ends at a number of
 * instructions, not of seconds; nothing here is a process, a signal or a file but by run/system.h,
 * so it runs wherever the core does. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include "ended.h"
#include "run.h"

/* ---- compile.c ----
 * Addresses: region n begins in the middle of the 64 GB that are its own, so what a learner's int
 * can reach from there is that region's affair. Region 0 is NULL's. */
enum { REGION_BITS = 36, GAP = 32 }; /* GAP: bytes on each side of a variable that are nobody's */
enum { NULL_REGION, IMAGE_REGION, STACK_REGION, FIRST_ARRAY };
#define REGION_START(n) (((uint64_t)(n) << REGION_BITS) + (UINT64_C(1) << (REGION_BITS - 1)))

/* Where in the image's region the functions of library.c are called, each 16 bytes from the last;
 * and behind them where a call returns to. */
enum { LIBRARY_OFFSET = 64 << 20, LIBRARY_STEP = 16 };

/* What tcc.sed adds to the instructions: for a local variable, the number of its Local; for an
 * array of variable length, the register that holds its bytes. */
enum { LOCAL_MARK = 0, VLA_MARK = 0x10000 };

typedef struct {
    int32_t from; /* from the frame's pointer */
    uint32_t size;
    bool filled; /* the text gives it a value */
} Local;

typedef struct {
    uint32_t at; /* from here on the instructions are that line's */
    int line;    /* of the learner's file; 0: it is another file's */
} ImageLine;

typedef struct {
    char name[SYMBOL_SIZE + 16]; /* a change's copy has its number behind its name */
    uint32_t at;
} ImageSymbol;

typedef struct {
    unsigned char *bytes, *nobodys; /* size each; nobodys: 1 where no object is */
    size_t size, code_size;         /* the instructions come first */
    size_t table, table_size;       /* addresses that are known, and stay: the linker's */
    ImageLine *lines;
    Local *locals;
    ImageSymbol *symbols;
    int line_count, local_count, symbol_count;
} Image;

typedef struct {
    const char *source;       /* the learner's name for the file */
    const char *const *texts; /* to be compiled one by one: the learner's first; NULL ends them */
    /* A header that is not a standard one. NULL: it is not to be had. Freed here. */
    char *(*header)(void *context, const char *path);
    void *context;
    size_t *stopped_at; /* where in the text the compiler was at its first error; or NULL */
    char *undefined;    /* the first name that is used and defined nowhere, NAME_SIZE; or NULL */
    const char *ours;   /* with it the names begin that the first text may not have; or NULL */
} Sources;

/* False: `error` holds the compiler's first error, or names what is used and defined nowhere. */
bool image_make(Image *image, const Sources *sources, char *error, size_t error_size);
void image_free(Image *image);
const ImageSymbol *image_function(const Image *image, const char *name); /* NULL: none */
const ImageSymbol *image_object(const Image *image, const char *name);
int image_line(const Image *image, uint32_t at); /* of the learner's file; 0: unknown */

/* ---- complaint.c ---- */
/* Puts a compiler's error into words, with its place, where it is known; it was at that byte. */
void complain(const RunnerOptions *options, size_t at, char *error, size_t error_size);
/* The same of a function that is called and defined nowhere, where the text names it. */
void complain_of_undefined(const RunnerOptions *options, const char *name, char *error,
                           size_t error_size);
/* "exercises/a.c:8:20: error: a ; is missing here", that line of the file, and a ^ below it. */
void append_said(Buffer *out, const RunnerOptions *options, size_t at, const char *words);

/* ---- warnings.c ---- */
/* As a compiler would say them, in the order of the lines; "" if there are none. Caller frees. */
char *warnings_of(const RunnerOptions *options);

/* ---- runner.c ----
 * So many instructions count as a second, in the limits and budgets that are in seconds: a right
 * program may take as many as a compiled one does in that time. */
#define INSTRUCTIONS_A_SECOND 4e9
extern const Runners emulated;

/* ---- trials.c ---- */
extern const struct Trials emulated_trials;

#endif
