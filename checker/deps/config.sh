#!/bin/sh
# Finds out once what this machine's compiler can do, and writes it down: for make in build/config.mk,
# for our C code in build/config.h, and in build/toolchain what the compiler reads. build/compiler is as
# old as this: where the compiler's status has changed since then, all is found out anew.
#     CC=gcc SANITIZE=yes config.sh build/config.mk
set -euf

output=$1
header=${output%.mk}.h
here=checker/deps

for_make() { # a value that make is to take as it is
    printf '%s' "$1" | sed -e "s/\\$/\$\$/g" -e "s/#/\$(HASH)/g" -e "s/\\\\$/\\\\\$()/"
}

for_c() { # the inside of a string
    printf '%s' "$1" | sed 's/[\\"]/\\&/g'
}

built_with="BUILT_WITH := $(for_make "$CC $SANITIZE")"
toolchain=${output%/*}/toolchain
stamp=${output%/*}/compiler

# Of these files the one whose status changed last. A file is put into another's place newer or older than
# that one was, but never without that.
changed_last() {
    # shellcheck disable=SC2012 # no name here is odd
    ls -dLtc "$@" 2>&1 | head -n 1
}

# The programs that compile, one a line: those whose paths mean nothing to make, and that did not change
# later than now, by a clock that was set back.
compiler_files() {
    # shellcheck disable=SC2086
    {
        for word in $CC; do
            command -v -- "$word"
        done
        $CC -print-prog-name=cc1
    } 2>/dev/null | grep '^/' | grep -v '[^A-Za-z0-9_./+-]' | sort -u | while read -r file; do
        [ -f "$file" ] && [ "$(changed_last "$scratch" "$file")" = "$scratch" ] && echo "$file"
    done
}

# Whether what was found out before is so still.
is_known() {
    [ -f "$header" ] && [ -f "$toolchain" ] && grep -qxF -e "$built_with" "$output" 2>/dev/null &&
        [ -z "$(find $here/config.sh $here/tools.sh $here/toolchain.sh -newer "$output")" ] || return 1
    files=$(sed -n 's/^COMPILER_FILES := //p' "$output")
    # shellcheck disable=SC2086
    [ -z "$files" ] || [ "$(changed_last "$stamp" $files)" = "$stamp" ]
}
! is_known || exit 0

scratch=$(mktemp -d "${output%/*}/config.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
echo "Setting up the workbook with $CC (once)..." >&2
rm -f "$output" # or, if this is killed, what it says would be as new as the stamp
: >"$stamp"

# Whether a program with these flags is built, and runs.
works() {
    printf 'int main(void) { return 0; }\n' >"$scratch/t.c"
    # shellcheck disable=SC2086 # CC and the flags are lists of words
    $CC "$@" "$scratch/t.c" -o "$scratch/t" >/dev/null 2>&1 && "$scratch/t" >/dev/null 2>&1
}

sanitized=0
sanitizer=
if [ "$SANITIZE" = no ]; then
    :
elif works -fsanitize=address,undefined; then
    sanitized=1
    sanitizer=-fsanitize=address,undefined
else
    sh $here/tools.sh sanitizers
fi

# What the learner's code will use is not known when the worker is linked: it must be there whole, and
# the worker's own exit() be found.
libraries="-rdynamic -lm -lpthread"
works -Wl,--no-as-needed -ldl && libraries="-rdynamic -Wl,--no-as-needed -lm -ldl -lpthread"

# Each check starts a worker: with gcc's sanitizers in it, and not in libraries that bring C++'s along, that
# takes a quarter less. What of them the learner's code will call stands in one file, which a name brings in.
static=
inside="-static-libasan -static-libubsan -Wl,-u,__ubsan_handle_out_of_bounds_abort"
# shellcheck disable=SC2086
[ $sanitized = 0 ] || ! works -Werror $sanitizer $inside $libraries || static=$inside

# -g1 is the lines, which say where a call ended. What a debugger wants besides takes gcc a third of its time,
# and `make debug` compiles anew (checker/box/debug.c).
learner="-std=c11 -Wall -Wextra -Wno-unused-parameter -g1 -O1 -fno-omit-frame-pointer -fPIC"
[ $sanitized = 0 ] || learner="$learner $sanitizer -fno-sanitize-recover=all"
# A sum that was never set to 0 must not be 0 by chance.
! works -ftrivial-auto-var-init=pattern || learner="$learner -ftrivial-auto-var-init=pattern"

# Our own programs, too: checker/tests/sanitized.py, in a tree of its own. gcc's libraries write what they
# say to one file only where they are linked into the program.
ours=
if [ "${SANITIZE_OURS-}" = here ]; then
    ours="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -DOURS_SANITIZED"
    ! works -Werror -fsanitize=address,undefined -static-libasan -static-libubsan ||
        ours="$ours -static-libasan -static-libubsan"
fi

files=$(compiler_files | tr '\n' ' ')
cat >"$scratch/config.h" <<END
/* Written by checker/deps/config.sh. */
#define LEARNER_CC "$(for_c "$CC")"
#define LEARNER_CFLAGS "$learner"
#define SANITIZED $sanitized
END
cat >"$scratch/config.mk" <<END
# Written by checker/deps/config.sh, when everything else was known.
HASH := \\#
$built_with
SANITIZED := $sanitized
SANITIZER_CFLAGS := $sanitizer
SANITIZERS_INSIDE := $static
LEARNER_CFLAGS := $learner
WORKER_LIBS := $libraries
OURS_SANITIZED := $ours
COMPILER_FILES := $files
END
sh $here/toolchain.sh >"$scratch/toolchain"
mv -f "$scratch/toolchain" "$toolchain"
mv -f "$scratch/config.h" "$header"
mv -f "$scratch/config.mk" "$output"
