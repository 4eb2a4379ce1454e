# The Layer Normalization Workbook. Type first:
#
#     make start     a prompt for everything: read, edit, check, try, hint
#     make check     is your file right? LESSON=03 picks the lesson, STEP=rms_norm one function
#     make           everything else that there is to type
#
# Below is what these do, and nothing that a learner has to read.
#
# It needs GNU make 3.81 or newer. Everything that is built or fetched goes to build/ (checker/build.mk says
# how), everything remembered about the learner to .workbook/.
#
# The invariant: no value from outside is expanded, neither by make nor by a shell. The programs take
# LESSON, IMPL and the like from the environment, where make puts what is given on its command line.

# `make check lesson=3` is `make check LESSON=3`, and so is `make check 3`. What stands in such a value is
# copied by $(value), which runs no $(shell ...) in it: "Small letters hold no command" in test_setup.py.
VARIABLES := LESSON:lesson LESSON:Lesson STEP:step STEP:Step IMPL:impl IMPL:Impl FORMAT:format \
             FORMAT:Format SEED:seed SEED:Seed LIMIT:limit LIMIT:Limit
$(foreach pair,$(VARIABLES),$(if $(filter command,$(origin $(lastword $(subst :, ,$(pair))))),\
  $(eval override $(firstword $(subst :, ,$(pair))) := $$(value $(lastword $(subst :, ,$(pair)))))\
  $(eval export $(firstword $(subst :, ,$(pair))))))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# make expands what stands on its command line before it hands it on, and IMPL='class/$(...)' is a
# folder's name. So every such value is made one that holds no reference: "A command in a value is not
# run" in test_setup.py.
COMMAND_LINE := $(foreach word,$(MAKEOVERRIDES),$(firstword $(subst =, ,$(subst :, ,$(word)))))
$(foreach name,$(COMMAND_LINE),$(if $(filter command,$(origin $(name))),\
  $(eval override $(name) := $$(value $(name)))$(eval export $(name))))

# The compiler, which may have arguments: words between blanks. `make CC=` and `make -R` mean cc, too.
override CC := $(or $(if $(filter default,$(origin CC)),cc),$(strip $(value CC)),cc)
override SANITIZE := $(if $(filter no,$(value SANITIZE)),no,yes)
export CC SANITIZE MAKE_COMMAND
quoted_words = $(foreach word,$(1),'$(subst ','\'',$(word))')

LESSON_NAMES := $(patsubst checker/lessons/%/lesson.c,%,$(wildcard checker/lessons/[0-9]*_*/lesson.c))
PROGRAMS := build/workbook build/worker \
            $(patsubst checker/lessons/%/calls.c,build/%/calls.o,$(wildcard checker/lessons/*/calls.c)) \
            $(foreach lesson,$(LESSON_NAMES),$(addprefix build/$(lesson)/,check signature needs))
SOURCES := Makefile $(filter-out %/README.md,$(wildcard checker/*.* checker/lessons/*/*.[ch] include/*.h \
             checker/box/*.* $(addsuffix /*,$(addprefix checker/,deps run line emulator program labs race book workbook class))))

# What is found here becomes part of rules and commands. No name may mean anything to make or to a shell.
PLAIN := a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U \
         V W X Y Z 0 1 2 3 4 5 6 7 8 9 _
LEFT := $(LESSON_NAMES)
$(foreach character,$(PLAIN),$(eval LEFT := $$(subst $(character),,$$(LEFT))))
hash := \#
MEANS := $$ $(hash) % * ? [ ] { } ( ) < > : ; = & | ! ~ ' ` " \ @ + ^ ,
ODD := $(strip $(LEFT) \
  $(foreach character,$(MEANS),$(findstring $(character),$(SOURCES))))
ifneq ($(and $(ODD),$(filter-out help clean,$(MAKECMDGOALS))),)
$(error A lesson is called NN_name, of letters, digits and _. Rename what has a name with $(ODD), under checker)
endif

# A word behind a command is a lesson's number or name, or nothing that make would do in its place.
NAMED := $(foreach lesson,$(LESSON_NAMES),$(lesson) $(firstword $(subst _, ,$(lesson))) \
  $(patsubst 0%,%,$(firstword $(subst _, ,$(lesson)))) \
  $(patsubst $(firstword $(subst _, ,$(lesson)))_%,%,$(lesson)))
OF_LESSON := start check hint why reset debug watch lab race
OF_WORKBOOK := $(OF_LESSON) check-all grade verify lessons progress
OWN := help again $(OF_WORKBOOK) compile_commands.json new handout gradescope clean test test-tools built \
       mutate bench fuzz fuzz-targets book build/%
ASKED_FOR := $(filter-out $(OWN),$(filter $(NAMED),$(MAKECMDGOALS)))
ifneq ($(filter $(OF_LESSON),$(firstword $(MAKECMDGOALS))),)
ifneq ($(filter-out $(OWN) $(ASKED_FOR),$(MAKECMDGOALS)),)
$(error There is no lesson $(filter-out $(OWN) $(ASKED_FOR),$(MAKECMDGOALS)). As in: make \
  $(firstword $(MAKECMDGOALS)) LESSON=03, and STEP=rms_norm for one function)
endif
ifneq ($(ASKED_FOR),)
override LESSON := $(firstword $(ASKED_FOR))
export LESSON
.PHONY: $(ASKED_FOR)
$(ASKED_FOR): ;
endif
else ifneq ($(ASKED_FOR),)
$(error As in: make check LESSON=$(firstword $(ASKED_FOR)))
endif

help:
	@sed -n 's/^## //p' checker/workbook/help.txt

# ---- what is built ----------------------------------------------------------------------------------
# build/ready is as old as the sources were when everything was built from them, and build/compiler as the
# set-up: whoever puts a file into the compiler's place, newer or older, changes its status. Nothing else is
# looked at before a command, unless a program is missing, or was built with another compiler. At the compiler
# build/workbook looks itself: to start `ls` takes 3 ms.
-include build/config.mk
build/config.mk: ;
export COMPILER_FILES
ifneq ($(filter-out $(OF_WORKBOOK) $(ASKED_FOR),$(MAKECMDGOALS)),)
CHANGED_LAST = $(firstword $(shell ls -dLtc build/compiler $(COMPILER_FILES) 2>&1))
ifneq ($(and $(COMPILER_FILES),$(filter-out build/compiler,$(CHANGED_LAST))),)
build/ready: again
endif
endif
ifneq ($(words $(wildcard $(PROGRAMS))) $(BUILT_WITH),$(words $(PROGRAMS)) $(CC) $(SANITIZE))
build/ready: again
endif

.PHONY: help again
READY := build/ready
build/ready: $(SOURCES)
	@sh checker/deps/build.sh ready
build/%: again
	@sh checker/deps/build.sh $(call quoted_words,$@)

# ---- what the learner types -----------------------------------------------------------------------
.PHONY: $(OF_WORKBOOK) clean new book
$(OF_WORKBOOK): $(READY)
	@build/workbook $@
compile_commands.json: $(READY) again
	@build/workbook $@

new:
	@sh checker/new/new.sh
book: $(READY)
	@sh checker/book/book.sh

# What was fetched stays, or the next command would need the network.
clean:
	@for path in build/*; do case $$path in build/deps | build/lock*) ;; *) rm -rf "$$path" ;; esac; done
	@rm -f compile_commands.json

# ---- what a teacher hands out -------------------------------------------------------------------------
WHOLE_ONLY := handout gradescope test test-tools built mutate bench fuzz fuzz-targets
.PHONY: $(WHOLE_ONLY)
ifeq ($(wildcard checker/elsewhere/handout.sh),)
$(WHOLE_ONLY):
	@echo "This is a hand-out: make $@ is for the whole workbook." >&2; exit 2
else
handout:
	@sh checker/elsewhere/handout.sh
gradescope:
	@FOR=gradescope sh checker/elsewhere/handout.sh

# ---- the tests and the benchmark ----------------------------------------------------------------------
test-tools:
	@sh checker/deps/tools.sh test
# Our own programs under the sanitizers are built in a copy of all this, and so are their tests.
ifeq ($(value SANITIZE_OURS),yes)
test: test-tools
built test: $(READY)
	@python3 checker/tests/sanitized.py $@
else
built: $(READY)
	@sh checker/deps/build.sh tests
test: test-tools built
	@python3 checker/tests/run.py
endif
mutate: test-tools built
	@python3 checker/tests/mutate.py
bench: $(READY)
	@sh checker/tests/bench.sh
fuzz-targets: $(READY)
	@sh checker/deps/build.sh fuzz
fuzz: test-tools fuzz-targets
	@python3 checker/tests/fuzz.py
endif
