#!/bin/sh
# Writes the book to build/book/: `make book`. With OPEN=yes it says which lessons you have passed, and
# is opened in the browser.
#
# The invariant: build/book/ is a whole book, the new one or the one before.
set -uf

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

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
new=$(mktemp -d build/book.XXXXXX) || die "Can't write to build/."
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
marks=
[ "${OPEN-}" != yes ] || marks=marks
build/bookbinder "$new" $marks || exit 1
chmod 755 "$new"
rm -rf build/book
mv "$new" build/book || die "Can't write to build/."
page=$PWD/build/book/index.html
if [ "${OPEN-}" != yes ]; then
    echo "The book is build/book/index.html. To open it: make book OPEN=yes"
    exit
fi
for opener in "${BROWSER:-}" xdg-open open; do
    command -v "$opener" >/dev/null && "$opener" "$page" >/dev/null 2>&1 && exit
done
echo "The book is $page. There is no xdg-open here: open that file in a browser."
