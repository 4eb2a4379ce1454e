#!/bin/sh
# Writes the book to build/book/: `make book`. With OPEN=yes it says which lessons you have passed, is
# opened in the browser, and follows the texts and your progress until Ctrl-C. OPEN=prompt is the same
# where the prompt sees to the following, by `book.sh follow PID`: until that process ends.
#
# The invariant: at every moment build/book/ is a whole book, the new one or the one before (place.c); of
# one that is followed, each page is.
set -uf

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Looks each second whether a text or the progress has changed since the last look but one (what changes
# while the book is written is seen by the next look), and writes the pages again. One that can't be
# written, with a text half saved, is tried again. A book for others, which has no changed.js, is let be,
# also one that takes the book's place just then: where the pages go to is held on to by `cd`.
follow() {
    exec </dev/null >/dev/null 2>&1
    root=$PWD
    folder=$(mktemp -d "$root/build/book.XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
    mkdir "$folder/new"
    touch -t 200001010000 "$folder/since"
    set +f
    while kill -0 "$1"; do
        : >"$folder/look"
        sleep 1
        (
            cd build/book && [ -f changed.js ] &&
                [ -n "$(find "$root/lessons" "$root/.workbook/progress.json" -cnewer "$folder/since")" ] &&
                write=$([ ! -f write.js ] || echo write) &&
                (cd "$root" && build/bookbinder "$folder/new" marks "$write") &&
                mv -f "$folder"/new/*.html "$folder/new/search.js" . &&
                mv -f "$folder/new/changed.js" . &&
                mv -f "$folder/look" "$folder/since"
        )
    done
}
if [ "${1-}" = follow ]; then
    trap 'exit 0' HUP INT TERM
    follow "$2"
    exit
fi

[ -f build/deps/md4c/md4c.c ] || die "The book needs md4c, which is not here. With a network:" \
    "rm build/deps/deps.mk, and then make book again."

# What makes the figures move: without it they are pictures.
lacks=
command -v clang >/dev/null || lacks="$lacks clang"
command -v wasm-ld >/dev/null || lacks="$lacks lld"
[ -f /usr/lib/wasm32-wasi/libc.a ] || lacks="$lacks wasi-libc"
move="FIGURES_MOVE := yes"
if [ -n "$lacks" ]; then
    move="FIGURES_MOVE :="
    printf '%s\n' "Note: the figures in it stand still, for there is no$lacks here. Get them to move with:" \
        "apt-get install$lacks" >&2
fi
[ "$(cat build/figures.mk 2>/dev/null)" = "$move" ] || echo "$move" >build/figures.mk || exit 1

sh checker/deps/build.sh book || exit 1
folder=$(mktemp -d build/book.XXXXXX) || die "Can't write to build/."
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
marks=
case ${OPEN-} in yes | prompt) marks=marks ;; esac
write=
new=$folder/new
mkdir "$new" && chmod 755 "$new" || exit 1
sh checker/book/bundle.sh "$new" || exit 1
[ ! -f "$new/write.js" ] || write="write"
# shellcheck disable=SC2086 # no word where one is empty
build/bookbinder "$new" $marks $write || exit 1
[ -z "$write" ] || node checker/book/offline.mjs "$new" || exit 1
build/bookbinder "$new" in build/book || exit 1
rm -rf "$folder"
page=$PWD/build/book/index.html
if [ -z "$marks" ]; then
    echo "The book is build/book/index.html. To open it: make book OPEN=yes"
    exit
fi

open_page() {
    for opener in "${BROWSER:-}" xdg-open open; do
        command -v "$opener" >/dev/null && "$opener" "$page" >/dev/null 2>&1 && return
    done
    echo "The book is $page. There is no xdg-open here: open that file in a browser."
}
if [ "$OPEN" = prompt ] || [ ! -t 0 ] || [ ! -t 1 ]; then
    open_page
    exit
fi
trap 'exit 0' INT
sh checker/book/book.sh follow $$ &
open_page
echo "Its pages follow the texts and what you pass. Ctrl-C ends that."
wait
