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
