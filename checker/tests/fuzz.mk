# make fuzz SECONDS=60: a libFuzzer target for each parser (checker/tests/fuzz_*.c), each run for so many
# seconds on what the tests know (fuzz_corpus.py). Needs clang with its runtimes. Included by the
# Makefile, whose flags it takes.
SECONDS ?= 60
FUZZERS := $(patsubst checker/tests/%.c,build/fuzz/%,$(wildcard checker/tests/fuzz_*.c))
FUZZ_CFLAGS = $(filter-out -DSANITIZED=%,$(OUR_CFLAGS)) -DSANITIZED=1 -O1 -fno-omit-frame-pointer \
              -fno-sanitize-recover=all
FUZZ_SOURCES := $(filter-out %/main.c %/name.c %/workbook.c %/worker.c,\
                  $(wildcard checker/engine/*.c checker/workbook/*.c checker/worker/*.c))
FUZZ_OBJECTS := $(patsubst checker/%.c,build/fuzz/objects/%.o,$(FUZZ_SOURCES)) \
                build/fuzz/objects/cJSON.o build/fuzz/objects/linenoise.o

build/fuzz/objects/%.o: checker/%.c $(HEADERS) $(SETUP)
	@mkdir -p $(@D)
	@clang $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined -c $< -o $@
build/fuzz/objects/cJSON.o: build/deps/cjson/cJSON.c
build/fuzz/objects/linenoise.o: build/deps/linenoise/linenoise.c
build/fuzz/objects/cJSON.o build/fuzz/objects/linenoise.o:
	@mkdir -p $(@D)
	@clang -O1 -g -fsanitize=fuzzer-no-link,address,undefined -c $< -o $@
build/fuzz/all.a: $(FUZZ_OBJECTS)
	@rm -f $@ && ar rcs $@ $^
build/fuzz/fuzz_%: checker/tests/fuzz_%.c checker/tests/fuzz.h build/fuzz/all.a $(HEADERS)
	@clang $(FUZZ_CFLAGS) -fsanitize=fuzzer,address,undefined $< build/fuzz/all.a -o $@ -lm -ldl

.PHONY: fuzz
fuzz: $(FUZZERS) $(READY)
	@python3 checker/tests/fuzz.py "$(SECONDS)"
