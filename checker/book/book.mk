# The book: its writer, and the figures. Included by checker/build.mk; only `make book` asks for it.
BOOK_OBJECTS := $(patsubst %,build/book_objects/%.o,main text mathml prose highlight plot_svg diagram \
                  page place)
# A hand-out has no solutions, and so no figures.
FIGURES := $(patsubst solutions/%.c,build/%/figure.html,$(wildcard \
             $(patsubst checker/lessons/%/figure.c,solutions/%.c,$(wildcard checker/lessons/*/figure.c))))

.PHONY: book page
book: build/bookbinder $(FIGURES)
page: $$(PAGE) # for bundle.sh
build/book_objects/%.o: checker/book/%.c checker/book/book.h $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -isystem build/deps/md4c -c $<)
build/bookbinder: $(BOOK_OBJECTS) $(filter-out %/workbook.o,$(WORKBOOK_OBJECTS)) \
                  build/deps_objects/linenoise.o $(MD4C) build/engine.a
	@$(call LINK,$^ -lm $(filter -l%,$(WORKER_LIBS)))
build/tests/unit_book: $(filter-out %/main.o,$(BOOK_OBJECTS)) \
  $(filter-out %/workbook.o,$(WORKBOOK_OBJECTS)) build/deps_objects/linenoise.o $(MD4C)

# A figure and its lesson's solution, for this machine and as WebAssembly, where book.sh found what that
# needs. No multiply-add is fused: the two give the same numbers.
FIGURE_CFLAGS := $(WARNINGS) -Wno-unused-parameter -O2 -ffp-contract=off -Iinclude -Ichecker/book
WASM_CC := clang --target=wasm32-wasi -nostdlib -Wl,--no-entry -Wl,--strip-all
FIGURE_SOURCES = checker/lessons/%/figure.c solutions/%.c
-include build/figures.mk

build/%/still: $(FIGURE_SOURCES) checker/book/still.c checker/book/figure.h include/%.h $(SETUP)
	@$(call COMPILE,$(FIGURE_CFLAGS) $(filter %.c,$^) -lm)
build/%/figure.wasm: $(FIGURE_SOURCES) checker/book/module.c checker/book/figure.h include/%.h $(SETUP)
	@mkdir -p $(@D) && $(WASM_CC) $(FIGURE_CFLAGS) $(filter %.c,$^) -lc -o $@.new && mv -f $@.new $@
build/%/figure.html: build/%/still $(if $(FIGURES_MOVE),build/%/figure.wasm) build/figures.mk
	@$< $(filter %.wasm,$^) >$@.new && mv -f $@.new $@
