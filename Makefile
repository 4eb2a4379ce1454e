# The Layer Normalization Workbook. `make` alone lists what there is to type.
#
# A learner's commands need GNU make 3.81 or newer. Everything that is built or fetched goes to
# build/, everything remembered about the learner to .workbook/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

ifeq ($(origin CC),default)
CC := cc
endif
SANITIZE ?= yes

LESSONS := $(patsubst checker/lessons/%/lesson.c,%,$(wildcard checker/lessons/[0-9]*_*/lesson.c))
LABS := $(patsubst checker/lessons/%/lab.c,build/%/lab,$(wildcard checker/lessons/[0-9]*_*/lab.c))
HEADERS := $(wildcard checker/engine/*.h checker/worker/*.h checker/workbook/*.h)

# How the build was set up (checker/deps/config.sh) and where the packages are (checker/deps/fetch.sh).
# Neither is made for a command that builds nothing. The first time they are made right here: of a
# rule that fails to make an included file, make says more than a newcomer can use.
SETUP := build/config.mk build/deps/deps.mk
CONFIGURE = CC="$(CC)" SANITIZE="$(SANITIZE)" sh checker/deps/config.sh build/config.mk
FETCH = CC="$(CC)" UNITY_DIR="$(UNITY_DIR)" LINENOISE_DIR="$(LINENOISE_DIR)" \
        CJSON_DIR="$(CJSON_DIR)" sh checker/deps/fetch.sh
ifneq ($(filter-out help clean,$(MAKECMDGOALS)),)
ifneq ($(words $(wildcard $(SETUP))),2)
BUILDING := echo "Building the workbook, once. This takes a moment."
ifneq ($(shell ($(CONFIGURE) && $(FETCH) && $(BUILDING)) >&2 && echo done),done)
$(error The workbook is not set up. The reason is above)
endif
endif
include $(SETUP)
ifneq ($(BUILT_WITH),$(CC) $(SANITIZE))
build/config.mk: again
endif
endif

.PHONY: again help
build/config.mk: checker/deps/config.sh checker/deps/tools.sh checker/deps/toolchain.sh
	@$(CONFIGURE)
build/deps/deps.mk: checker/deps/fetch.sh $(wildcard checker/deps/pins*)
	@$(FETCH)

help:
	@sed -n 's/^## //p' checker/workbook/help.txt

# ---- what the learner types -----------------------------------------------------------------------
WORKBOOK = build/workbook
quoted = '$(subst ','\'',$(1))'
OPTIONS = --lesson $(call quoted,$(LESSON)) --step $(call quoted,$(STEP)) --impl $(call quoted,$(IMPL)) \
          --format $(call quoted,$(FORMAT)) --seed $(call quoted,$(SEED)) --limit $(call quoted,$(LIMIT))
CHECKERS := $(LESSONS:%=build/%/check)
READY := $(WORKBOOK) build/worker $(CHECKERS) $(LESSONS:%=build/%/stub.c) $(LESSONS:%=build/%/signature)

.PHONY: start check check-all hint reset debug verify lessons progress watch lab clean
check check-all hint reset debug verify lessons progress watch: $(READY)
	@exec $(WORKBOOK) $@ $(OPTIONS)

start lab: $(READY) $(LABS)
	@exec $(WORKBOOK) $@ $(OPTIONS)

clean:
	rm -rf build compile_commands.json

compile_commands.json: $(wildcard exercises/*.c include/*.h) Makefile build/config.mk
	@{ printf '['; comma=''; for file in exercises/*.c; do \
	  printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$comma" \
	    "$(CURDIR)" "$$file" "$(LEARNER_CC) $(LEARNER_CFLAGS) -Iinclude -c $$file"; \
	  comma=','; done; printf '\n]\n'; } >$@
	@echo "$@ written: editors that know clangd read it." >&2

# ---- the checker ------------------------------------------------------------------------------------
WARNINGS := -std=c11 -Wall -Wextra -Wpedantic -Werror
CFLAGS := -O2 -g
OUR_CFLAGS = $(WARNINGS) $(CFLAGS) -D_GNU_SOURCE -Ichecker/engine -Ichecker/worker -Ichecker/workbook \
             $(DEPS_CFLAGS) -DLEARNER_CC='"$(LEARNER_CC)"' -DLEARNER_CFLAGS='"$(LEARNER_CFLAGS)"' -DSANITIZED=$(SANITIZED)

# checker/worker/ is the learner's side: a program of its own, linked with the sanitizers. Our own code
# in it is not instrumented: it runs in signal handlers, where the sanitizers can't follow. BOTH: what the checker
# uses too, to talk to it and to shut in the compiler.
WORKER_OBJECTS := $(patsubst checker/worker/%.c,build/worker_objects/%.o,$(wildcard checker/worker/*.c))
BOTH := $(patsubst %,build/worker_objects/%.o,wire sandbox sandbox_calls)
ENGINE_OBJECTS := $(patsubst checker/engine/%.c,build/engine/%.o,\
                    $(filter-out %/main.c %/name.c,$(wildcard checker/engine/*.c)))
DEPS_OBJECTS := build/deps/cJSON.o build/deps/unity.o
WORKBOOK_OBJECTS := $(patsubst checker/workbook/%.c,build/workbook_objects/%.o,\
                      $(wildcard checker/workbook/*.c))

build/deps/cJSON.o: build/deps/cjson/cJSON.c $(SETUP)
	@$(CC) -O2 -c $< -o $@
build/deps/unity.o: build/deps/unity/unity.c $(SETUP)
	@$(CC) -O2 -DUNITY_INCLUDE_DOUBLE -c $< -o $@
build/deps/linenoise.o: build/deps/linenoise/linenoise.c $(SETUP)
	@$(CC) -O2 -c $< -o $@
build/deps/cjson/cJSON.c build/deps/unity/unity.c build/deps/linenoise/linenoise.c: build/deps/deps.mk ;

build/engine/%.o: checker/engine/%.c $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -c $< -o $@
build/workbook_objects/%.o: checker/workbook/%.c $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -c $< -o $@
build/worker_objects/%.o: checker/worker/%.c $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -fvisibility=hidden -c $< -o $@
build/%/name.o: checker/engine/name.c $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -DLESSON_NAME='"$*"' -c $< -o $@

# From here on "$$" is worked out for each target: what a lesson has beside its lesson.c is its own.
.SECONDEXPANSION:
build/%/lesson.o: checker/lessons/%/lesson.c $$(wildcard checker/lessons/$$*/*.h) $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -c $< -o $@

build/worker: $(WORKER_OBJECTS)
	@$(CC) $(SANITIZER_CFLAGS) $^ -o $@ $(WORKER_LIBS)
build/engine.a: $(ENGINE_OBJECTS) $(BOTH) $(DEPS_OBJECTS)
	@rm -f $@ && ar rcs $@ $^
build/%/check: build/%/lesson.o build/%/name.o build/engine/main.o build/engine.a
	@$(CC) $^ -o $@ -lm
build/%/signature: build/%/check
	@$< --signature >$@
$(WORKBOOK): $(WORKBOOK_OBJECTS) build/deps/linenoise.o build/engine.a
	@$(CC) $^ -o $@ -lm
build/%/stub.c: solutions/%.c checker/stub.awk
	@mkdir -p $(@D)
	@awk -f checker/stub.awk $< >$@

# A lab is one program, of a few files of its lesson. Without fused multiply-adds its numbers don't
# depend on the processor.
build/%/lab: $$(wildcard checker/lessons/$$*/lab*.[ch] checker/lessons/$$*/compare.c) build/%/name.o build/engine.a $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -ffp-contract=off $(filter %.c %.o %.a,$^) -o $@ $(filter -l%,$(WORKER_LIBS))

# ---- the tests and the benchmark ----------------------------------------------------------------------
override TESTS := $(value TESTS)
override MUTANTS := $(value MUTANTS)
export TESTS MUTANTS
UNITS := $(patsubst checker/tests/%.c,build/tests/%,$(wildcard checker/tests/unit_*.c))
build/tests/%: checker/tests/%.c build/engine.a
	@mkdir -p $(@D)
	@$(CC) $(OUR_CFLAGS) -DUNITY_INCLUDE_DOUBLE $^ -o $@ -lm

.PHONY: test test-tools built mutate bench
test-tools:
	@sh checker/deps/tools.sh test
built: $(READY) $(LABS) $(UNITS)
test: test-tools built
	@python3 checker/tests/run.py
mutate: test-tools built
	@python3 checker/tests/mutate.py
bench: $(READY)
	@sh checker/tests/bench.sh
