/* Operations that our compiler makes again and again behind one another are done at once.
 *
 * Only the first of them is changed: whoever jumps to one of the others finds it as it was. So a
 * call does the same, and in as many instructions, as without this.
 *
 *     j < n; x[j]; j++ of variables: they lie in the function's frame, at a place that is known, so
 *     nothing needs to be looked up to reach them. A place that is nobody's (t[3] of float t[3])
 *     stays an access like any other. */
#include "machine.h"

enum { MOST_LOCALS = 256 }; /* of one function; more: each access is looked up */

typedef struct {
    const Image *image;
    Operation *code;
    uint32_t from, to; /* a function */
    const Local *locals[MOST_LOCALS];
    int count;
} Frame;

static bool begins_function(const Operation *o)
{
    return o->kind == STORE_PAIR && o->d == FRAME_POINTER && o->a == LINK && o->m == BEFORE;
}

static bool take_locals(Frame *f)
{
    f->count = 0;
    for (uint32_t i = f->from; i < f->to; i++)
        if (f->code[i].kind == A_LOCAL) {
            if (f->count == MOST_LOCALS)
                return false;
            f->locals[f->count++] = &f->image->locals[f->code[i].value];
        }
    return true;
}

/* Does it touch the bytes beside a variable? */
static bool is_nobodys(const Frame *f, int64_t at, int64_t bytes)
{
    for (int i = 0; i < f->count; i++) {
        const int64_t from = f->locals[i]->from, to = from + (int64_t)f->locals[i]->size;
        if ((at < from && from - GAP < at + bytes) || (at < to + GAP && to < at + bytes))
            return true;
    }
    return false;
}

static const struct {
    OperationKind any, local;
    int bytes;
} accesses[] = {{LOAD_32, LOCAL_LOAD_32, 4},   {LOAD_64, LOCAL_LOAD_64, 8},
                {LOAD_S, LOCAL_LOAD_S, 4},     {LOAD_D, LOCAL_LOAD_D, 8},
                {STORE_32, LOCAL_STORE_32, 4}, {STORE_64, LOCAL_STORE_64, 8},
                {STORE_S, LOCAL_STORE_S, 4},   {STORE_D, LOCAL_STORE_D, 8}};

/* The access at `o`, `at` bytes from the frame's pointer, as the operation `first`. */
static void make_local(const Frame *f, const Operation *o, int64_t at, Operation *first)
{
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        if (accesses[i].any == o->kind && !is_nobodys(f, at, accesses[i].bytes))
            *first = (Operation){.kind = (uint16_t)accesses[i].local,
                                 .d = o->d,
                                 .n = FRAME_POINTER,
                                 .m = o == first ? NOWHERE : LINK,
                                 .length = (uint8_t)(o - first + 1),
                                 .value = at - (int64_t)REGION_START(STACK_REGION)};
}

/* A place that is far in the frame comes in the link's register. */
static void make_locals(const Frame *f)
{
    for (uint32_t i = f->from; i < f->to; i++) {
        Operation *o = &f->code[i], *behind = o + 1;
        if (o->n == FRAME_POINTER && o->m == ZERO_REGISTER)
            make_local(f, o, o->value, o);
        else if (o->kind == SET && o->d == LINK && i + 1 < f->to && behind->n == FRAME_POINTER &&
                 behind->m == LINK && !behind->value)
            make_local(f, behind, o->value, o);
    }
}

/* ---- several ---- */
enum { MOST_FUSED = 5 };
static const struct {
    OperationKind kind, of[MOST_FUSED]; /* in this order; NO_OPERATION ends them */
} fusions[] = {
    {COMPARE_LOCALS_JUMP, {LOCAL_LOAD_32, LOCAL_LOAD_32, SUBS_W, CHOOSE_W, JUMP_UNLESS_ZERO_W}},
    {COMPARE_LOCALS_JUMP, {LOCAL_LOAD_32, LOCAL_LOAD_32, SUBS_W, CHOOSE_W, JUMP_IF_ZERO_W}},
    {COMPARE_JUMP, {SUBS_W, CHOOSE_W, JUMP_UNLESS_ZERO_W}},
    {COMPARE_JUMP, {SUBS_W, CHOOSE_W, JUMP_IF_ZERO_W}},
    {COMPARE_FLOATS_JUMP, {FCMP_S, CHOOSE_W, JUMP_UNLESS_ZERO_W}},
    {COMPARE_FLOATS_JUMP, {FCMP_S, CHOOSE_W, JUMP_IF_ZERO_W}},
    {ELEMENT_OF_LOCAL_WORD, {LOCAL_LOAD_32, SBFM_X, UBFM_X, LOCAL_LOAD_64, ADD_X}},
    {ELEMENT_OF_WORD, {SBFM_X, UBFM_X, LOCAL_LOAD_64, ADD_X}},
    {ELEMENT_OF_LOCAL, {LOCAL_LOAD_64, UBFM_X, LOCAL_LOAD_64, ADD_X}},
    {ELEMENT, {UBFM_X, LOCAL_LOAD_64, ADD_X}},
    {INCREMENT, {LOCAL_LOAD_32, OR_X, ADDS_VALUE_W, LOCAL_STORE_32}},
};

/* Is it as the compiler makes it? */
static bool is_plain(const Operation *o)
{
    switch (o->kind) {
    case SUBS_W: /* a comparison, of two registers as they are */
        return o->d == NOWHERE && !o->a;
    case CHOOSE_W: /* 0 or 1, by what is no mere sign */
        return o->n == ZERO_REGISTER && o->m == ZERO_REGISTER && (o->a < 4 || o->a > 7) &&
               o->a < 14;
    case SBFM_X: /* an int made long */
        return !o->m && o->a == 31;
    default:
        return true;
    }
}

static void fuse_at(const Frame *f, uint32_t i)
{
    for (size_t k = 0; k < sizeof fusions / sizeof *fusions; k++) {
        uint32_t at = i;
        int n = 0;
        while (n < MOST_FUSED && fusions[k].of[n] && at < f->to &&
               f->code[at].kind == fusions[k].of[n] && is_plain(&f->code[at])) {
            at += f->code[at].length;
            n++;
        }
        if (n == MOST_FUSED || !fusions[k].of[n]) {
            f->code[i].kind = (uint16_t)fusions[k].kind;
            return;
        }
    }
}

/* ---- all of it ---- */
/* A jump to a jump goes where that goes. */
static void shorten_jump(Operation *code, uint32_t count, Operation *o)
{
    const bool jumps = o->kind == JUMP || o->kind == JUMP_IF ||
                       (o->kind >= JUMP_IF_ZERO_W && o->kind <= JUMP_UNLESS_ZERO_X);
    for (int most = 8; jumps && most && (uint64_t)o->value < count; most--) {
        if (code[o->value].kind != JUMP)
            return;
        o->value = code[o->value].value;
    }
}

void fuse(const Image *image, Operation *code, uint32_t count)
{
    Frame f = {.image = image, .code = code};
    for (uint32_t i = 0; i < count; i++)
        shorten_jump(code, count, &code[i]);
    for (f.from = 0; f.from < count; f.from = f.to) {
        f.to = f.from + 1;
        while (f.to < count && !begins_function(&code[f.to]))
            f.to++;
        if (!begins_function(&code[f.from]) || !take_locals(&f))
            continue;
        make_locals(&f);
        for (uint32_t i = f.from; i < f.to; i++)
            fuse_at(&f, i);
    }
}
