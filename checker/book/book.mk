# The book: its writer, and the figures. Included by checker/build.mk; only `make book` asks for it.
BOOK_OBJECTS := $(patsubst checker/book/%.c,build/book_objects/%.o,\
                  $(addprefix checker/book/,main.c text.c mathml.c highlight.c page.c))

build/book_objects/%.o: checker/book/%.c checker/book/book.h $(HEADERS) $(SETUP)
	@$(call COMPILE,$(OUR_CFLAGS) -isystem build/deps/md4c -c $<)
build/bookbinder: $(BOOK_OBJECTS) $(filter-out %/workbook.o,$(WORKBOOK_OBJECTS)) \
                  build/deps_objects/linenoise.o $(MD4C) build/engine.a
	@$(call COMPILE,$^ -lm)

.PHONY: book
book: build/bookbinder
build/tests/unit_book: $(patsubst %,build/book_objects/%.o,text mathml highlight page) \
  $(filter-out %/workbook.o,$(WORKBOOK_OBJECTS)) build/deps_objects/linenoise.o $(MD4C)
