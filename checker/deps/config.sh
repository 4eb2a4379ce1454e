#!/bin/sh
# Finds out once what this machine's compiler can do, and writes it down: for make in build/config.mk,
# for our C code in build/config.h, and in build/toolchain what the compiler reads.
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
[ -f "$header" ] && [ -f "$toolchain" ] && grep -qxF -e "$built_with" "$output" 2>/dev/null &&
    [ -z "$(find $here/config.sh $here/tools.sh $here/toolchain.sh -newer "$output")" ] && exit 0

scratch=$(mktemp -d "${output%/*}/config.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
echo "Setting up the workbook with $CC (once)..." >&2

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

learner="-std=c11 -Wall -Wextra -Wno-unused-parameter -g -O1 -fno-omit-frame-pointer -fPIC"
[ $sanitized = 0 ] || learner="$learner $sanitizer -fno-sanitize-recover=all"
# A sum that was never set to 0 must not be 0 by chance.
! works -ftrivial-auto-var-init=pattern || learner="$learner -ftrivial-auto-var-init=pattern"

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
LEARNER_CFLAGS := $learner
WORKER_LIBS := $libraries
END
sh $here/toolchain.sh >"$scratch/toolchain"
mv -f "$scratch/toolchain" "$toolchain"
mv -f "$scratch/config.h" "$header"
mv -f "$scratch/config.mk" "$output"
