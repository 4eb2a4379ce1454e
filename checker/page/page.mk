# The workbook in a page: one WebAssembly module, and what each lesson needs beside it. Included by
# checker/build.mk; only `make book` asks for it. PAGE: all of it, or nothing where there is no clang, lld,
# wasi-libc or TCC.
WASI_BUILTINS := $(firstword $(wildcard /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a))
PAGE := $(if $(and $(TRIAL),$(WASI_BUILTINS),$(wildcard /usr/lib/wasm32-wasi/libc.a),$(shell command -v clang),$(shell command -v wasm-ld)),\
          build/page/workbook.wasm build/page/files.json $(LESSON_NAMES:%=build/page/%.json))
PAGE_CC := clang --target=wasm32-wasi -mmutable-globals -O2 -D_GNU_SOURCE \
           -std=c11 -Wall -Wextra -Wpedantic -Werror -Wno-missing-field-initializers \
           -Ichecker/run -Ichecker/line -Ichecker/emulator -Ichecker/labs -Ichecker/workbook -isystem build/deps/cjson -include build/config.h
PAGE_LINK := -mexec-model=reactor -Wl,-z,stack-size=4194304 -Wl,--export=malloc -Wl,--export=free -Wl,--export-table \
             -Wl,--export=__stack_pointer -Wl,--strip-all
PAGE_OBJECTS := $(patsubst checker/%.c,build/page/objects/%.o,$(wildcard $(addprefix checker/,run/*.c line/*.c emulator/*.c page/page.c page/block.c page/hint.c page/lab.c page/system.c labs/grid.c labs/paper.c labs/results.c labs/network.c lessons/13_activations/lab*.c workbook/curves.c workbook/plot.c workbook/lines.c workbook/markup.c))) \
                $(LESSON_NAMES:%=build/page/objects/lessons/%.o) build/page/objects/cJSON.o

build/page/objects/%.o: checker/%.c $(HEADERS) $(wildcard checker/emulator/*.h checker/page/*.h checker/labs/*.h checker/workbook/*.h checker/lessons/13_activations/*.h) $(SETUP) checker/page/page.mk
	@mkdir -p $(@D) && $(PAGE_CC) $(PAGE_FLAGS) -c $< -o $@.new && mv -f $@.new $@
build/page/objects/emulator/compile.o: PAGE_FLAGS := -Ichecker/box/tcc -isystem build/emulator/tcc -DTCC_TARGET_ARM64 -DCONFIG_TCC_STATIC
build/page/objects/emulator/compile.o: build/emulator/tcc/libtcc.c checker/box/tcc/config.h
build/page/objects/page/page.o: PAGE_FLAGS = '-DLESSONS=$(foreach lesson,$(LESSON_NAMES),LESSON($(lesson)))'
build/page/objects/cJSON.o: build/deps/cjson/cJSON.c $(SETUP)
	@mkdir -p $(@D) && $(PAGE_CC) -w -c $< -o $@.new && mv -f $@.new $@
build/page/workbook.wasm: $(PAGE_OBJECTS)
	@$(PAGE_CC) $^ $(PAGE_LINK) -o $@.new && mv -f $@.new $@

build/page/pack: checker/page/pack.c build/engine.a
	@$(call LINK,$(OUR_CFLAGS) $^ -lm)
# Headers without a number are every lesson's.
build/page/files.json: build/page/pack checker/box/trial_prelude.h checker/box/trial_memory.h checker/emulator/prelude.h \
  $(wildcard include/[a-z]*.h) checker/page/page.mk
	@$< $(filter %.h,$^) >$@.new && mv -f $@.new $@
build/page/objects/lessons/%.o: checker/lessons/%/lesson.c $$(wildcard checker/lessons/$$*/*.h) $$(HEADERS) $$(SETUP)
	@mkdir -p $(@D) && $(PAGE_CC) -Dlesson=lesson_$* -c $< -o $@.new && mv -f $@.new $@
# Everything of a lesson that the core reads, and no solution.
PAGE_FILES = include/$(1).h $(addprefix lessons/$(1).,formulas hints md mistakes.md) \
             $(addprefix checker/lessons/$(1)/,stub.c vectors.json calls.h calls.c)
$(LESSON_NAMES:%=build/page/%.json): build/page/%.json: build/page/pack $$(wildcard $$(call PAGE_FILES,$$*))
	@$< $(filter-out $<,$^) >$@.new && mv -f $@.new $@
