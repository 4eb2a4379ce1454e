#!/bin/sh
# Builds a goal of checker/build.mk as far as it is not built yet: build.sh GOAL
#
# The Makefile hands on CC, SANITIZE and MAKE_COMMAND. Whoever comes while another build goes on in
# this folder waits for it (lock.c). A build that was killed is gone on with by the next one.
set -uf
exec >&2 </dev/null
here=checker/deps

die() {
    printf '%s\n' "$*"
    exit 1
}

die_of_disk() {
    die "Can't write to build/: is the disk full, or the folder read-only, or another user's?"
}

# ---- alone, with the lock ---------------------------------------------------------------------------
if [ "${1-}" = --locked ]; then
    rm -rf "$2"
    goal=$3
    # A file that was changed meanwhile is newer than the stamp, and one from the future (a copy made in
    # another time zone) would be for ever.
    { : >build/ready.new; } 2>/dev/null || die_of_disk
    find Makefile checker include -newer build/ready.new -exec touch {} + 2>/dev/null
    touch build/ready.new
    flags=${MAKEFLAGS-}
    case ${flags%% *} in
    -*) anew= ;;
    *B*) anew=-B && rm -f build/config.mk ;; # make -B
    *) anew= ;;
    esac
    sh $here/config.sh build/config.mk || exit 1
    sh $here/fetch.sh || exit 1
    [ -x build/workbook ] || echo "Building the workbook, once. This takes a moment."
    jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
    unset MAKEFLAGS MFLAGS MAKELEVEL # those of the make that waits for this one
    # shellcheck disable=SC2086
    "$MAKE_COMMAND" $anew -s -j "$jobs" -f checker/build.mk "$goal" || exit 1
    [ "$goal" != ready ] || mv -f build/ready.new build/ready
    exit
fi

# ---- what can't be built is said before anything is ---------------------------------------------------
sh $here/tools.sh check || exit 1
mkdir -p build 2>/dev/null
scratch=$(mktemp -d build/new.XXXXXX 2>/dev/null) || die_of_disk
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2086 # CC is a list of words
said=$(LC_ALL=C $CC -std=c11 -D_GNU_SOURCE $here/lock.c -o "$scratch/lock" 2>&1) ||
    die "$CC can't build a C program: $(printf '%s\n' "$said" | head -n 3)"
said=$("$scratch/lock" "$scratch/held" true 2>&1) ||
    die "$CC builds programs that can't be run in build/: $said
Is the folder mounted \"noexec\", or is this a compiler for another machine?"
exec "$scratch/lock" build/lock sh $here/build.sh --locked "$scratch" "$@"
