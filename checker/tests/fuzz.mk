# The fuzz targets, a part of checker/build.mk: one for each parser (checker/tests/fuzz_*.c), built by clang
# with libFuzzer and both sanitizers, whatever builds the rest. fuzz.py runs them.
FUZZERS := $(patsubst checker/tests/%.c,build/fuzz/%,$(wildcard checker/tests/fuzz_*.c))
FUZZ_SOURCES := $(filter-out %/main.c %/name.c %/workbook.c %/worker.c %/trial.c %/trial_library.c,\
                  $(foreach room,run line box program workbook,$(wildcard checker/$(room)/*.c)) \
                  $(patsubst %,checker/class/%.c,code course csv list names students) \
                  $(filter-out %/compile.c %/runner.c %/trials.c,$(wildcard checker/emulator/*.c)))
FUZZ_OBJECTS := $(patsubst checker/%.c,build/fuzz/objects/%.o,$(FUZZ_SOURCES)) \
                build/fuzz/objects/cJSON.o build/fuzz/objects/linenoise.o $(patsubst %,build/fuzz/objects/md4c.o,$(MD4C))
FUZZ = mkdir -p $(@D) && clang $(OUR_CFLAGS) -Ichecker/emulator -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all \
       -fsanitize=address,undefined $(1) -o $@.new && mv -f $@.new $@

.PHONY: fuzz
fuzz: $(FUZZERS)

build/fuzz/objects/%.o: checker/%.c $(HEADERS) $(SETUP)
	@$(call FUZZ,-fsanitize=fuzzer-no-link $(if $(MD4C),-DHAVE_MD4C -isystem build/deps/md4c) -c $<)
build/fuzz/objects/cJSON.o: build/deps/cjson/cJSON.c $(SETUP)
	@$(call FUZZ,-w -fsanitize=fuzzer-no-link -c $<)
build/fuzz/objects/linenoise.o: build/deps/linenoise/linenoise.c $(SETUP)
	@$(call FUZZ,-w -fsanitize=fuzzer-no-link -c $<)
build/fuzz/objects/md4c.o: build/deps/md4c/md4c.c $(SETUP)
	@$(call FUZZ,-w -fsanitize=fuzzer-no-link -c $<)
build/fuzz/all.a: $(FUZZ_OBJECTS)
	@rm -f $@.new && ar rcs $@.new $^ && mv -f $@.new $@
# A target's own functions come first: one has sockets in place of processes.
build/fuzz/fuzz_%: checker/tests/fuzz_%.c checker/tests/fuzz.h build/fuzz/all.a $(HEADERS)
	@$(call FUZZ,-fsanitize=fuzzer -Xlinker --allow-multiple-definition $< build/fuzz/all.a -lm -ldl)
