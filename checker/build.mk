# How everything under build/ is made. checker/deps/build.sh starts it, one at a time, when it has seen
# to build/config.mk and build/deps/.
#
# The invariant: a file that is there is whole. Each is written under another name and renamed.
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

include build/config.mk build/deps/deps.mk
SETUP := build/config.mk build/deps/deps.mk

# A compiler's words, from the environment, as a shell is to see them: none is expanded.
COMPILER := $(foreach word,$(value CC),'$(subst ','\'',$(word))')
COMPILE = mkdir -p $(@D) && $(COMPILER) $(1) -o $@.new && mv -f $@.new $@

LESSON_NAMES := $(patsubst checker/lessons/%/lesson.c,%,$(wildcard checker/lessons/[0-9]*_*/lesson.c))
LABS := $(patsubst checker/lessons/%/lab.c,build/%/lab,$(wildcard checker/lessons/[0-9]*_*/lab.c))
CALLS := $(patsubst checker/lessons/%/calls.c,build/%/calls.o,$(wildcard checker/lessons/*/calls.c))
UNITS := $(patsubst checker/tests/%.c,build/tests/%,$(wildcard checker/tests/unit_*.c))
HEADERS := $(wildcard checker/engine/*.h checker/line/*.h checker/worker/*.h checker/workbook/*.h checker/class/*.h)

# Where TCC and md4c could be had: see checker/deps/fetch.sh.
TRIAL := $(if $(wildcard build/deps/tcc/libtcc.c),build/trial)
MD4C := $(if $(wildcard build/deps/md4c/md4c.c),build/deps_objects/md4c.o)

.PHONY: ready tests
ready: $(TRIAL) build/workbook build/worker $(CALLS) \
       $(foreach lesson,$(LESSON_NAMES),$(addprefix build/$(lesson)/,check signature place))
tests: $(UNITS) $(LABS) $(foreach lesson,$(LESSON_NAMES),$(addprefix build/$(lesson)/,bounds outputs))

# ---- the checker ------------------------------------------------------------------------------------
WARNINGS := -std=c11 -Wall -Wextra -Wpedantic -Werror
# The first set-up is waited for; only the cases' arithmetic and the search for the line run for long.
CFLAGS := -O1
build/engine/%.o build/line_objects/%.o: CFLAGS := -O2
OUR_CFLAGS = $(WARNINGS) $(CFLAGS) -D_GNU_SOURCE -Ichecker/engine -Ichecker/line -Ichecker/worker -Ichecker/workbook -Ichecker/class \
             $(DEPS_CFLAGS) -include build/config.h

# checker/worker/ is the learner's side: a program of its own, linked with the sanitizers. Our own code
# in it is not instrumented: it runs in signal handlers, where the sanitizers can't follow. BOTH: what
# the checker uses too, to talk to it and to shut in the compiler.
WORKER_OBJECTS := $(patsubst checker/worker/%.c,build/worker_objects/%.o,$(wildcard checker/worker/*.c))
BOTH := $(patsubst %,build/worker_objects/%.o,wire sandbox sandbox_calls)
ENGINE_OBJECTS := $(patsubst checker/engine/%.c,build/engine/%.o,\
                    $(filter-out %/main.c %/name.c,$(wildcard checker/engine/*.c)))
LINE_OBJECTS := $(patsubst checker/line/%.c,build/line_objects/%.o,$(wildcard checker/line/*.c))
DEPS_OBJECTS := build/deps_objects/cJSON.o build/deps_objects/unity.o
WORKBOOK_OBJECTS := $(patsubst checker/workbook/%.c,build/workbook_objects/%.o,\
                      $(wildcard checker/workbook/*.c)) \
                    $(patsubst checker/class/%.c,build/class_objects/%.o,$(wildcard checker/class/*.c))

build/deps_objects/cJSON.o: build/deps/cjson/cJSON.c $(SETUP)
	@$(call COMPILE,-O2 -c $<)
build/deps_objects/unity.o: build/deps/unity/unity.c $(SETUP)
	@$(call COMPILE,-O2 -DUNITY_INCLUDE_DOUBLE -c $<)
build/deps_objects/linenoise.o: build/deps/linenoise/linenoise.c $(SETUP)
	@$(call COMPILE,-O2 -c $<)
build/deps_objects/md4c.o: build/deps/md4c/md4c.c $(SETUP)
	@$(call COMPILE,-O1 -c $<)
# The largest of all: with more than -O1 the first set-up would wait for it.
build/deps_objects/libtcc.o: build/deps/tcc/libtcc.c checker/trial/tcc/config.h $(SETUP)
	@$(call COMPILE,-O1 -w -DONE_SOURCE=1 -Ichecker/trial/tcc -c $<)

build/engine/%.o: checker/engine/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -c $<)
build/line_objects/%.o: checker/line/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -c $<)
build/workbook_objects/%.o: checker/workbook/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) $(if $(MD4C),-DHAVE_MD4C -isystem build/deps/md4c) -c $<)
build/class_objects/%.o: checker/class/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -c $<)
build/worker_objects/%.o: checker/worker/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -fvisibility=hidden -c $<)
build/%/name.o: checker/engine/name.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -DLESSON_NAME='"$*"' -c $<)

build/worker: $(WORKER_OBJECTS)
	@$(call COMPILE,$(SANITIZER_CFLAGS) $^ $(WORKER_LIBS))
# The trial: the learner's side too, without the sanitizers, and with a compiler in it.
TRIAL_OBJECTS := $(patsubst %,build/trial_objects/%.o,trial library worker_call worker_arrays)
TRIAL_CFLAGS = $(OUR_CFLAGS) -DTRIAL -fvisibility=hidden
build/trial_objects/%.o: checker/trial/%.c checker/trial/library.h $(HEADERS) $(SETUP)
	@$(call COMPILE,$(TRIAL_CFLAGS) -isystem build/deps/tcc -c $<)
build/trial_objects/%.o: checker/worker/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(TRIAL_CFLAGS) -c $<)
build/trial: $(TRIAL_OBJECTS) $(BOTH) build/deps_objects/libtcc.o
	@$(call COMPILE,$^ -lm -ldl -lpthread)
build/engine.a: $(ENGINE_OBJECTS) $(LINE_OBJECTS) $(BOTH) $(DEPS_OBJECTS)
	@rm -f $@.new && ar rcs $@.new $^ && mv -f $@.new $@
build/workbook: $(WORKBOOK_OBJECTS) build/deps_objects/linenoise.o $(MD4C) build/engine.a
	@$(call COMPILE,$^ -lm)
build/tests/unit_markdown: $(patsubst %,build/workbook_objects/%.o,markdown lines table formula tex plot plot_draw) $(MD4C)
build/tests/unit_plot: $(patsubst %,build/workbook_objects/%.o,lines plot plot_draw)
build/tests/unit_network: $(addprefix build/lab_objects/,network.o products.o image.o digits.o)
build/tests/unit_grid: build/lab_objects/grid.o build/lab_objects/grid_svg.o build/lab_objects/results.o
build/tests/unit_encoder: $(addprefix build/lab_objects/,network.o products.o attention.o) \
  build/11_pre_post_norm/lab_encoder.o solutions/11_pre_post_norm.c
TEST_CFLAGS = $(OUR_CFLAGS) -Wno-missing-field-initializers -DUNITY_INCLUDE_DOUBLE -Ichecker/labs -Iinclude
build/tests/%.o: checker/tests/%.c $(HEADERS) $(wildcard checker/labs/*.h checker/lessons/*/lab*.h) $(SETUP)
	@$(call COMPILE,$(TEST_CFLAGS) -c $<)
build/tests/unit_watch.o: checker/workbook/watch_file.c
build/tests/%: build/tests/%.o build/engine.a
	@$(call COMPILE,$(TEST_CFLAGS) $(filter %.c %.o,$^) build/engine.a -lm)

# A hand-out has no tests.
-include checker/tests/fuzz.mk

# ---- the lessons ------------------------------------------------------------------------------------
build/%/check: build/%/lesson.o build/%/name.o build/engine/main.o build/engine.a
	@$(call COMPILE,$^ -lm)
build/%/bounds: build/tests/bounds.o build/%/lesson.o build/%/name.o build/engine.a
	@$(call COMPILE,$^ -lm)
build/%/outputs: build/tests/outputs.o build/%/lesson.o build/%/name.o build/engine.a
	@$(call COMPILE,$^ -lm)
build/%/signature: build/%/check
	@$< --signature >$@.new 2>/dev/null || echo broken >$@.new; mv -f $@.new $@
build/%/place: build/%/check
	@$< --place >$@.new 2>/dev/null || : >$@.new; mv -f $@.new $@

# A lesson that does not compile stops no other: its words are kept, and an empty one takes its place,
# which says them (broken_lesson in checker/engine/main.c). 1: how it is compiled; 2: the empty one.
define COMPILE_LESSON
mkdir -p $(@D); \
if $(COMPILER) $(1) -o $@.new 2>$@.errors; then rm -f $@.errors; \
else cat $@.errors >&2; $(2) | $(COMPILER) $(OUR_CFLAGS) -x c -c - -o $@.new; fi && mv -f $@.new $@
endef

# From here on "$$" is worked out for each target: what a lesson has beside its lesson.c is its own.
.SECONDEXPANSION:
build/%/lesson.o: checker/lessons/%/lesson.c $$(wildcard checker/lessons/$$*/*.h) $$(HEADERS) $$(SETUP)
	@$(call COMPILE_LESSON,$(OUR_CFLAGS) -Wno-missing-field-initializers -c $<,\
	  printf '$(HASH)include "author.h"\nconst Lesson lesson;\n')

# What calls a learner's functions in turn: linked with the learner's file, so it is compiled the same.
build/%/calls.o: checker/lessons/%/calls.c $$(wildcard checker/lessons/$$*/*.h include/$$*.h) \
                 checker/worker/memory.h $$(SETUP)
	@$(call COMPILE_LESSON,$(LEARNER_CFLAGS) -Werror -Iinclude -Ichecker/worker -c $<,\
	  echo 'extern int empty;')

# A lab is a few files of its lesson, and what all labs share: `make lab` builds it. Without fused
# multiply-adds its numbers don't depend on the processor.
LAB_SPEED := -O3
LAB_CFLAGS = $(OUR_CFLAGS) $(LAB_SPEED) -Wno-missing-field-initializers -Ichecker/labs -ffp-contract=off
LAB_OBJECTS := $(patsubst checker/labs/%.c,build/lab_objects/%.o,$(wildcard checker/labs/*.c))
LAB_HEADERS := $(wildcard checker/labs/*.h)

build/lab_objects/%.o: checker/labs/%.c $$(LAB_HEADERS) $$(HEADERS) $$(SETUP)
	@$(call COMPILE,$(LAB_CFLAGS) -c $<)
$(patsubst checker/lessons/%.c,build/%.o,$(wildcard checker/lessons/*/lab*.c)): build/%.o: \
  checker/lessons/%.c $$(wildcard checker/lessons/$$(dir $$*)*.h include/*.h) $$(LAB_HEADERS) $$(HEADERS) $$(SETUP)
	@$(call COMPILE,$(LAB_CFLAGS) -c $<)
build/%/lab: $$(addsuffix .o,$$(basename $$(subst checker/lessons/,build/,$$(wildcard checker/lessons/$$*/lab*.c)))) \
             build/%/name.o $$(LAB_OBJECTS) build/engine.a
	@$(call COMPILE,$^ $(filter -l%,$(WORKER_LIBS)))

include checker/book/book.mk
