# How everything under build/ is made. checker/deps/build.sh starts it, one at a time, when it has seen
# to build/config.mk and build/deps/.
#
# The invariant: a file that is there is whole. Each is written under another name and renamed.
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

include build/config.mk build/deps/deps.mk
# What everything depends on: how it is made may change with an update, and what was made before is old then.
SETUP := build/config.mk build/deps/deps.mk checker/build.mk

# A compiler's words, from the environment, as a shell is to see them: none is expanded.
COMPILER := $(foreach word,$(value CC),'$(subst ','\'',$(word))')
COMPILE = mkdir -p $(@D) && $(COMPILER) $(1) -o $@.new && mv -f $@.new $@
LINK = $(call COMPILE,$(OURS_SANITIZED) $(1))

LESSON_NAMES := $(patsubst checker/lessons/%/lesson.c,%,$(wildcard checker/lessons/[0-9]*_*/lesson.c))
LABS := $(patsubst checker/lessons/%/lab.c,build/%/lab,$(wildcard checker/lessons/[0-9]*_*/lab.c))
# The race asks Linux for more than POSIX has.
RACES := $(if $(filter Linux,$(shell uname)),$(patsubst checker/lessons/%/race.c,build/%/race,$(wildcard checker/lessons/[0-9]*_*/race.c)))
CALLS := $(patsubst checker/lessons/%/calls.c,build/%/calls.o,$(wildcard checker/lessons/*/calls.c))
UNITS := $(patsubst checker/tests/%.c,build/tests/%,$(wildcard checker/tests/unit_*.c))
ROOMS := run line box program workbook class
HEADERS := $(foreach room,$(ROOMS),$(wildcard checker/$(room)/*.h))

# Where TCC and md4c could be had: see checker/deps/fetch.sh.
TRIAL := $(if $(wildcard build/deps/tcc/libtcc.c),build/trial)
MD4C := $(if $(wildcard build/deps/md4c/md4c.c),build/deps_objects/md4c.o)

.PHONY: ready tests
ready: $(TRIAL) build/workbook build/worker $(CALLS) \
       $(foreach lesson,$(LESSON_NAMES),$(addprefix build/$(lesson)/,check signature needs))
tests: $(UNITS) $(LABS) $(RACES) $(foreach lesson,$(LESSON_NAMES),$(addprefix build/$(lesson)/,bounds outputs formulas))

# ---- the checker ------------------------------------------------------------------------------------
WARNINGS := -std=c11 -Wall -Wextra -Wpedantic -Werror
# The first set-up is waited for; only the cases' arithmetic and the search for the line run for long.
CFLAGS := -O1
build/objects/run/%.o build/objects/line/%.o: CFLAGS := -O2
OUR_CFLAGS = $(WARNINGS) $(CFLAGS) $(OURS_SANITIZED) -D_GNU_SOURCE $(SEES) $(DEPS_CFLAGS) -include build/config.h
SEES = $(addprefix -Ichecker/,$(ROOMS))
# The core and the search see no process, nor anything else of this machine (run/system.h).
build/objects/run/%.o build/objects/line/%.o: SEES = -Ichecker/run -Ichecker/line

# Each room is a folder of objects: build/objects/ROOM/. box/ is two programs beside the checker's part of
# it, the learner's side: the worker, linked with the sanitizers, and the trial. Our own code in them is not
# instrumented: it runs in signal handlers, where the sanitizers can't follow. BOTH: what is on both sides,
# once more as it is for the learner's where the checker's is (make test SANITIZE_OURS=yes).
objects_of = $(patsubst checker/%.c,build/objects/%.o,$(wildcard checker/$(1)/*.c))
object = $(patsubst %,build/objects/%.o,$(1))
BOTH := $(call object,$(addprefix $(if $(OURS_SANITIZED),both/),box/wire box/sandbox box/sandbox_calls run/buffer))
build/objects/box/worker%.o build/objects/trial/%.o build/objects/both/%.o: OURS_SANITIZED :=
WORKER_OBJECTS := $(filter build/objects/box/worker%,$(call objects_of,box)) $(BOTH)
TRIAL_OBJECTS := $(patsubst %,build/objects/trial/%.o,trial trial_library worker_call worker_arrays)
ENGINE_OBJECTS := $(filter-out %/main.o %/name.o build/objects/box/worker% $(call object,box/trial box/trial_library),\
                    $(foreach room,run line box program,$(call objects_of,$(room))))
DEPS_OBJECTS := build/deps_objects/cJSON.o build/deps_objects/unity.o
WORKBOOK_OBJECTS := $(call objects_of,workbook) $(call objects_of,class)

build/deps_objects/cJSON.o: build/deps/cjson/cJSON.c $(SETUP)
	@$(call COMPILE,-O2 -c $<)
build/deps_objects/unity.o: build/deps/unity/unity.c $(SETUP)
	@$(call COMPILE,-O2 -DUNITY_INCLUDE_DOUBLE -c $<)
build/deps_objects/linenoise.o: build/deps/linenoise/linenoise.c $(SETUP)
	@$(call COMPILE,-O2 -c $<)
build/deps_objects/md4c.o: build/deps/md4c/md4c.c $(SETUP)
	@$(call COMPILE,-O1 -c $<)
# The largest of all: with more than -O1 the first set-up would wait for it.
build/deps_objects/libtcc.o: build/deps/tcc/libtcc.c checker/box/tcc/config.h $(SETUP)
	@$(call COMPILE,-O1 -w -DONE_SOURCE=1 -Ichecker/box/tcc -c $<)

# The emulator's compiler is TCC for arm64, from a copy of its source that emulator/tcc.sed has changed.
build/emulator/tcc/libtcc.c: checker/emulator/tcc.sed $(wildcard build/deps/tcc/*) $(SETUP)
	@rm -rf $(@D) $(@D).new && mkdir -p $(@D).new && for file in build/deps/tcc/*; do \
	  sed -f $< "$$file" >"$(@D).new/$${file##*/}" || exit; done && mv $(@D).new $(@D)
build/objects/emulator/%.o: CFLAGS := -O2
build/objects/emulator/compile.o: CFLAGS := -O1
build/objects/emulator/%.o: SEES = -Ichecker/run -Ichecker/line -Ichecker/emulator
build/objects/emulator/compile.o: SEES += -Ichecker/box/tcc -isystem build/emulator/tcc -DTCC_TARGET_ARM64 -DCONFIG_TCC_STATIC
build/objects/emulator/compile.o: build/emulator/tcc/libtcc.c checker/box/tcc/config.h
$(call objects_of,emulator) build/objects/emulator/main.o build/tests/both.o build/tests/emulated_words.o: \
  $(wildcard checker/emulator/*.h)
build/emulator.a: $(call objects_of,emulator)
	@rm -f $@.new && ar rcs $@.new $^ && mv -f $@.new $@
build/objects/emulator/main.o: checker/program/main.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -DEMULATED -Ichecker/program -Ichecker/box -c $<)
# All of them: what make check BOX=emulator asks for.
build/emulated: $(if $(TRIAL),$(foreach lesson,$(LESSON_NAMES),build/$(lesson)/emulated),no_tcc)
	@touch $@
.PHONY: no_tcc
no_tcc:
	@echo "BOX=emulator needs TCC, which could not be fetched. To have it: rm build/deps/deps.mk, and then any command." >&2; exit 1
build/%/emulated: build/%/lesson.o build/%/name.o build/objects/emulator/main.o build/emulator.a build/engine.a
	@$(call LINK,$^ -lm)

build/objects/box/%.o: OUR_CFLAGS += -fvisibility=hidden
build/objects/run/buffer.o: OUR_CFLAGS += -fvisibility=hidden
build/objects/workbook/%.o: OUR_CFLAGS += $(if $(MD4C),-DHAVE_MD4C -isystem build/deps/md4c)
build/objects/%.o: checker/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -c $<)
build/objects/both/%.o: checker/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -fvisibility=hidden -c $<)
build/objects/trial/%.o: checker/box/%.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -DTRIAL -fvisibility=hidden -isystem build/deps/tcc -c $<)
build/%/name.o: checker/program/name.c $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -DLESSON_NAME='"$*"' -c $<)

build/worker: $(WORKER_OBJECTS)
	@$(call COMPILE,$(SANITIZER_CFLAGS) $(SANITIZERS_INSIDE) $^ $(WORKER_LIBS))
build/trial: $(TRIAL_OBJECTS) $(BOTH) build/deps_objects/libtcc.o
	@$(call COMPILE,$^ -lm -ldl -lpthread)
build/engine.a: $(ENGINE_OBJECTS) $(DEPS_OBJECTS)
	@rm -f $@.new && ar rcs $@.new $^ && mv -f $@.new $@
build/workbook: $(WORKBOOK_OBJECTS) build/deps_objects/linenoise.o $(MD4C) build/engine.a
	@$(call LINK,$^ -lm $(filter -l%,$(WORKER_LIBS)))
# What draws curves, a lab's too.
DRAWING := $(patsubst %,build/objects/workbook/%.o,curves plot lines markup)
build/tests/unit_markdown: $(patsubst %,build/objects/workbook/%.o,markdown lines formula plot) $(MD4C)
build/tests/unit_plot: $(patsubst %,build/objects/workbook/%.o,lines plot)
build/tests/unit_network: $(addprefix build/lab_objects/,network.o products.o image.o digits.o)
build/tests/unit_grid: $(addprefix build/lab_objects/,grid.o results.o paper.o) $(DRAWING)
build/tests/unit_race: $(addprefix build/race_objects/,verdict.o judge.o inputs.o shapes.o lanes.o) solutions/02_backward.c | build/racer
build/tests/unit_encoder: $(addprefix build/lab_objects/,network.o products.o attention.o) \
  build/11_pre_post_norm/lab_encoder.o solutions/11_pre_post_norm.c
TEST_CFLAGS = $(OUR_CFLAGS) -Wno-missing-field-initializers -DUNITY_INCLUDE_DOUBLE -Ichecker/labs -Iinclude
build/tests/%.o: checker/tests/%.c $(HEADERS) $(wildcard checker/tests/*.h checker/labs/*.h checker/race/*.h checker/lessons/*/lab*.h) $(SETUP)
	@$(call COMPILE,$(TEST_CFLAGS) -c $<)
build/tests/unit_channel.o: checker/box/channel.c
build/tests/unit_watch.o: checker/workbook/watch.c
build/tests/unit_watch: $(filter-out %/workbook.o %/watch.o,$(WORKBOOK_OBJECTS)) build/deps_objects/linenoise.o $(MD4C)
build/tests/%: build/tests/%.o build/engine.a
	@$(call LINK,$(TEST_CFLAGS) $(filter %.c %.o,$^) build/engine.a -lm $(filter -l%,$(WORKER_LIBS)))

# A hand-out has no tests.
-include checker/tests/fuzz.mk

# ---- the lessons ------------------------------------------------------------------------------------
build/%/check: build/%/lesson.o build/%/name.o build/objects/program/main.o build/engine.a
	@$(call LINK,$^ -lm)
build/%/bounds: build/tests/bounds.o build/%/lesson.o build/%/name.o build/engine.a
	@$(call LINK,$^ -lm)
build/%/outputs: build/tests/outputs.o build/%/lesson.o build/%/name.o build/engine.a
	@$(call LINK,$^ -lm)
build/%/formulas: build/tests/formulas.o build/%/lesson.o build/%/name.o build/engine.a
	@$(call LINK,$^ -lm)
build/%/quantities: build/tests/quantities.o build/%/lesson.o build/%/name.o build/engine.a
	@$(call LINK,$^ -lm)
build/tests/both.o build/tests/emulated_words.o: TEST_CFLAGS += -Ichecker/emulator
build/tests/emulated_words: build/tests/emulated_words.o build/emulator.a build/engine.a
	@$(call LINK,$^ -lm)
build/%/both: build/tests/both.o build/%/lesson.o build/%/name.o build/emulator.a build/engine.a
	@$(call LINK,$^ -lm)
build/%/signature: build/%/check
	@$< --signature >$@.new 2>/dev/null || echo broken >$@.new; mv -f $@.new $@
build/%/needs: build/%/check
	@$< --needs >$@.new 2>/dev/null || : >$@.new; mv -f $@.new $@

# A lesson that does not compile stops no other: its words are kept, and an empty one takes its place,
# which says them (broken_lesson in checker/program/main.c). 1: how it is compiled; 2: the empty one.
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
# Its functions get a prefix there (CALLS_PREFIX in checker/run/run.h): the learner's may have any name.
OPENS := (
# It says nothing of the folder that it was made in, which debug information would.
NOWHERE := -ffile-prefix-map='$(subst ','\'',$(CURDIR))'=.
CALLS_NAMES = $(shell sed -n 's/^[A-Za-z][A-Za-z0-9_ ]*[ *]\([A-Za-z0-9_]*\)$(OPENS).*/\1/p' checker/lessons/$*/calls.c)
build/%/calls.o: checker/lessons/%/calls.c $$(wildcard checker/lessons/$$*/*.h include/$$*.h) \
                 checker/box/memory.h $$(SETUP)
	@$(call COMPILE_LESSON,$(LEARNER_CFLAGS) $(NOWHERE) $(foreach name,$(CALLS_NAMES),-D$(name)=__calls_$(name)) -Werror -Iinclude -Ichecker/box -c $<,\
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
             build/%/name.o $$(LAB_OBJECTS) $$(DRAWING) build/engine.a
	@$(call LINK,$^ $(filter -l%,$(WORKER_LIBS)))

# The race, which `make race` builds: a table of its lesson, what all races share, and the racer, a program
# without sanitizers that ends as the worker does.
RACE_CFLAGS = $(OUR_CFLAGS) -O3 -Wno-missing-field-initializers -Ichecker/race
RACE_HEADERS := $(wildcard checker/race/*.h)
RACE_OBJECTS := $(patsubst checker/race/%.c,build/race_objects/%.o,$(filter-out %/racer.c,$(wildcard checker/race/*.c)))
RACER_OBJECTS := build/race_objects/racer.o $(call object,box/worker_end trial/worker_call trial/worker_arrays) $(BOTH)

build/race_objects/racer.o: OURS_SANITIZED :=
build/race_objects/racer.o: RACE_CFLAGS += -fvisibility=hidden
build/race_objects/%.o: checker/race/%.c $$(RACE_HEADERS) $$(HEADERS) $$(SETUP)
	@$(call COMPILE,$(RACE_CFLAGS) -c $<)
build/%/race.o: checker/lessons/%/race.c $$(RACE_HEADERS) $$(HEADERS) $$(SETUP)
	@$(call COMPILE,$(RACE_CFLAGS) -c $<)
build/racer: $$(RACER_OBJECTS)
	@$(call COMPILE,$^ $(WORKER_LIBS))
build/%/race: build/%/race.o build/%/name.o $$(RACE_OBJECTS) build/engine.a | build/racer
	@$(call LINK,$^ -lm)

include checker/book/book.mk
include checker/page/page.mk
