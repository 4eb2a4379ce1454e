"""Learner files that misbehave, one way each. test_runner.py says what for."""

from hostile_attacks import CHANNEL, FORBIDDEN, HARMLESS
from hostile_crashes import ENDS, LIMITS, MEMORY, ONCE
from hostile_entry import HEAD, wrap

ONLY = "beside it, and nothing else"
UNASKED = "uses %s. The sanitizers watch what an exercise does; it may not command them."
SECRET = "the reference solution"  # words of solutions/01_layer_norm.c


def entries():
    return MEMORY + ENDS + LIMITS + FORBIDDEN + CHANNEL + HARMLESS + ONCE


class Refused:
    def __init__(self, name, text, *words):
        self.name, self.text, self.words = name, text, words


def refused_by_the_compiler(tree):
    only = ONLY
    vectors = "checker/lessons/01_layer_norm/vectors.json"
    up = "../../.."  # from build/tests/hostile
    asm = '__asm__(".section .rodata\\n.incbin \\"%s\\"\\n.previous");\n'
    return [
        Refused("include_relative", f'#include "{up}/solutions/01_layer_norm.c"\n', only),
        Refused("include_absolute", f'#include "{tree}/solutions/01_layer_norm.c"\n', only),
        Refused("include_through_proc", '#include "/proc/self/cwd/solutions/01_layer_norm.c"\n',
                "error"),
        Refused("include_through_the_include_folder",
                '#include "../solutions/01_layer_norm.c"\n', only),
        Refused("include_vectors", f'const char *v = \n#include "{up}/{vectors}"\n;', only),
        Refused("include_an_exercise", f'#include "{up}/exercises/01_layer_norm.c"\n', only),
        Refused("incbin_solution", asm % "solutions/01_layer_norm.c", only),
        Refused("incbin_vectors", asm % vectors, only),
        Refused("incbin_vectors_absolute", asm % f"{tree}/{vectors}", only),
        Refused("asm_include", '__asm__(".include \\"solutions/01_layer_norm.c\\"");\n', only),
        Refused("embed", 'const char *v = \n#embed "/etc/passwd"\n;', "error"),
        Refused("line_directive", '#line 40 "solutions/01_layer_norm.c"\nint x = y;\n', "error"),
        Refused("include_zeroes", '#include "/dev/zero"\n', "error"),
        Refused("undefined", HEAD + "float row_mean(const float *x, int features)\n"
                "{\n    return row_men(x, features);\n}\n",
                "row_men is used but defined nowhere in build/tests/hostile/undefined.c"),
        Refused("declares_a_sanitizers_function", "void __asan_unpoison_memory_region(const volatile void *, unsigned long);\n"
                + wrap("RIGHT;\n__asan_unpoison_memory_region(y - 4, 16);"), UNASKED % "__asan_unpoison_memory_region"),
        Refused("includes_a_sanitizers_header", wrap("RIGHT;\n__asan_poison_memory_region(y - 4, 16);",
                                                     "#include <sanitizer/asan_interface.h>\n"),
                UNASKED % "__asan_poison_memory_region"),
        Refused("asks_for_a_sanitizers_function", wrap(
            'RIGHT;\nif (dlsym(RTLD_DEFAULT, "__lsan_disable"))\n    puts("");', "#include <dlfcn.h>\n"),
                UNASKED % "__lsan_disable"),
        Refused("names_a_sanitizers_function", wrap(
            "RIGHT;\nquiet();", 'void quiet(void) __asm__("__sanitizer_purge_allocator");\n'),
                UNASKED % "__sanitizer_purge_allocator"),
        Refused("huge_array", "char all[1ul << 40] = {1};\n"),
        Refused("fill", '__asm__(".fill 1000000000, 8, 1");\n', "Compiling was stopped"),
        Refused("stopped_after_many_words", "".join(f'#warning "{i} {"word " * 100}"\n' for i in range(30)) +
                '__asm__(".fill 1000000000, 8, 1");\n', "Compiling was stopped"),
        Refused("macro_bomb", "\n".join(
            ["#define A0 x = x * 3 + 1;"] +
            [f"#define A{i} {' '.join([f'A{i - 1}'] * 10)}" for i in range(1, 9)] +
            ["int f(int x)\n{\n    A8\n    return x;\n}\n"]), "Compiling was stopped"),
        Refused("nested_includes", '#include __FILE__\n', "nested"),
    ]
