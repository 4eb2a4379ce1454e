#!/bin/sh
# Finds out once what this machine's compiler can do, and writes it down for make.
#     CC=gcc SANITIZE=yes config.sh build/config.mk
set -eu

output=$1
mkdir -p "$(dirname "$output")"
scratch=$(mktemp -d "$(dirname "$output")/config.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

sh checker/deps/tools.sh check
echo "Setting up the workbook with $CC (once)..." >&2

# Whether a program with these flags is built, and runs.
works() {
    printf 'int main(void) { return 0; }\n' >"$scratch/t.c"
    # shellcheck disable=SC2086 # CC and the flags are lists of words
    $CC "$@" "$scratch/t.c" -o "$scratch/t" >/dev/null 2>&1 && "$scratch/t" >/dev/null 2>&1
}

# That they are missing was said by tools.sh, and every check says it.
sanitized=1
sanitizer=-fsanitize=address,undefined
if [ "$SANITIZE" = no ] || ! works $sanitizer; then
    sanitized=0
    sanitizer=
fi

# What the learner's code will use is not known when the worker is linked: it must be there whole, and
# the worker's own exit() be found.
libraries="-rdynamic -lm -lpthread"
works -Wl,--no-as-needed -ldl && libraries="-rdynamic -Wl,--no-as-needed -lm -ldl -lpthread"

learner="-std=c11 -Wall -Wextra -Wno-unused-parameter -g -O1 -fno-omit-frame-pointer -fPIC"
[ $sanitized = 0 ] || learner="$learner $sanitizer -fno-sanitize-recover=all"
# A sum that was never set to 0 must not be 0 by chance.
! works -ftrivial-auto-var-init=pattern || learner="$learner -ftrivial-auto-var-init=pattern"
{
    echo "BUILT_WITH := $CC $SANITIZE"
    echo "LEARNER_CC := $CC"
    echo "LEARNER_CFLAGS := $learner"
    echo "SANITIZED := $sanitized"
    echo "SANITIZER_CFLAGS := $sanitizer"
    echo "WORKER_LIBS := $libraries"
} >"$scratch/config.mk"
CC=$CC sh checker/deps/toolchain.sh >"$scratch/toolchain"
mv "$scratch/toolchain" "$(dirname "$output")/toolchain"
mv "$scratch/config.mk" "$output"
