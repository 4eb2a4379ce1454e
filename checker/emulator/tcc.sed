# What the emulator's compiler has that TCC's for arm64 has not: checker/build.mk runs this over a copy of its
# source, under build/emulator/tcc/. Each change with the program that needs it; compile.c has the functions.

# It is no compiler of this machine's, whatever this machine is, and is asked by one thread: no dlopen, no
# semaphore. (None of both is there in a page.)
s/^# *define TCC_IS_NATIVE$//
s/^#define CONFIG_TCC_SEMLOCK$//

# char c = -1; if (c < 0): a char has a sign, as on x86-64.
s/^#define CHAR_IS_UNSIGNED$//

# An instruction's line: each expression tells where its code begins.
/^ST_FUNC void unary(void)/,/sizeof_caller = in_sizeof/{
s/if (tcc_state->do_debug)/emulator_line();/
s/tcc_debug_line(tcc_state);//
}

# A function that is called without an end: its first instructions are the line's of its brace.
s/^    gfunc_prolog(sym);/    emulator_line();\
&/

# float t[3]; t[3] = 0: on both sides of a variable lie 32 bytes that are nobody's. And float sum; sum += x:
# what a variable holds at first is the same for every run, and the same as natively.
/^static void decl_initializer_alloc/,/^}/{
s/^        loc = (loc - size) & -align;/        if (v) loc -= EMULATOR_GAP;\
&/
s/^        addr = loc;/&\
        if (v) loc -= EMULATOR_GAP, emulator_local(addr, size, has_init);/
s/^	    addr = section_add(sec, size, align);/&\
            section_add(sec, EMULATOR_GAP, 1);/
}

# float t[n]; t[n] = 0: the same for an array whose length is known only then.
/^ST_FUNC void gen_vla_alloc/,/^}/{
s/^    o(0x91003c00 | r | r << 5);.*/    o(EMULATOR_VLA | r);/
/^    o(0x927cec00 | r | r << 5);/d
/^    o(0xcb2063ff | r << 16);/d
}

# INT_MAX + 1: a signed + - * says so: the instruction that sets flags too, and of multiplications the one
# that TCC has no use for, which negates.
/^static int arm64_gen_opic/,/^}/{
s/o(0x11000000 | l << 31 | s << 30/o(0x11000000 | emulator_signed << 29 | l << 31 | s << 30/
s/o(0x11400000 | l << 31 | s << 30/o(0x11400000 | emulator_signed << 29 | l << 31 | s << 30/
s/o(0x0b1e0000 | l << 31 | s << 30/o(0x0b1e0000 | (emulator_signed \&\& val != 1ull << (31 + 32 * l)) << 29 | l << 31 | s << 30/
s/o(0x4b0003e0 | l << 31/o(0x4b0003e0 | emulator_signed << 29 | l << 31/
s/o(0x4b0003c0 | l << 31/o(0x4b0003c0 | emulator_signed << 29 | l << 31/
}
/^static void arm64_gen_opil/,/^}/{
s/^    uint32_t x, a, b;/&\
    emulator_note_sign();/
s/o(0x1b007c00 | l << 31/o(0x1b007c00 | emulator_signed << 15 | l << 31/
s/o(0x0b000000 | l << 31/o(0x0b000000 | emulator_signed << 29 | l << 31/
s/o(0x4b000000 | l << 31/o(0x4b000000 | emulator_signed << 29 | l << 31/
}

# A text with an error is given up, also where there is no setjmp(), in a page: what may be given up is a
# function of its own, which compile.c calls.
/^static int tcc_compile(/,/^}/{
s/^static int tcc_compile(.*/static void emulator_compile(TCCState *s1, int filetype, const char *str, int fd)/
s/^    tcc_enter_state(s1);//
s/^    if (setjmp(s1->error_jmp_buf) == 0) {/    {/
s/^    s1->error_set_jmp_enabled = 0;/}\
\
static int tcc_compile(TCCState *s1, int filetype, const char *str, int fd)\
{\
    tcc_enter_state(s1);\
    emulator_attempt(s1, filetype, str, fd);\
&/
}

# x[j] with a float j: the code's maker knows no such sum. And whatever else it does not know is an error of
# the text's, not the end of the checker: float features; m += x[r * features + j].
/^ST_FUNC void gen_op(/,/^}/{
s/^            type1 = vtop\[-1\].type;/            if (is_float(vtop->type.t))\
                tcc_error("an array's index must be a whole number");\
&/
}
s/^#include <assert.h>/#define assert(holds) ((holds) ? (void)0 : tcc_error("this can not be compiled here"))/

# *m += nothing, of two structs: an error ends the text, as every other does; what comes behind it is no code.
s/tcc_error_noabort("invalid operand types/tcc_error("invalid operand types/

# x[j] = 0 where x is const, and square(x) where a float is needed: errors, as gcc's.
/^ST_FUNC void vstore(/,/^}/{
s/^    verify_assign_cast(&vtop\[-1\].type);/    if (ft \& VT_CONSTANT)\
        tcc_error("assignment of read-only location");\
&/
}
/^static void verify_assign_cast(/,/^}/{
s/^    switch(dbt) {/    if (is_float(dbt) \&\& (sbt == VT_PTR || sbt == VT_FUNC))\
        goto error;\
&/
}

# #inclde <math.h>: no directive is passed over.
s/tcc_warning("Ignoring unknown preprocessing directive #%s"/tcc_error("there is no directive #%s"/

# float mean(...) { ... sum / n; }: what a function gives that ends without a return is one odd number, and not
# what was computed last, which may be right by chance.
s/^        tcc_warning("function might return no value.*/        if ((func_vt.t \& VT_BTYPE) != VT_STRUCT) {\
            vpushi((int)0xfefefefe);\
            if ((func_vt.t \& VT_BTYPE) == VT_PTR)\
                vtop->type = func_vt;\
            gen_assign_cast(\&func_vt);\
            gfunc_return(\&func_vt);\
        }/

# typedef float four __attribute__((vector_size(16))): passed over, it would be one float, and the numbers wrong.
/^static void parse_attribute(/,/^}/{
s/^            if (tcc_state->warn_unsupported)/            if (strstr(get_tok_str(t, NULL), "vector_size"))\
                tcc_error("there are no vectors");\
&/
}

# static_assert(0, "no"): that it is one.
s/^\(.*\)tcc_error("_Static_assert fail")/\1tcc_error("static assertion failed")/
s/^\(.*\)tcc_error("%s", (char \*)error_str.data)/\1tcc_error("static assertion failed: %s", (char *)error_str.data)/

# asm("nop"): it is no error of the learner's.
s/tcc_error("ARM asm not implemented.")/tcc_error("the small compiler here does not know asm; gcc and clang, which make check asks, do")/
