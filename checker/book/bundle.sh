#!/bin/sh
# Writes what a learner writes with into the book: bundle.sh FOLDER, for book.sh. CodeMirror and esbuild come
# from npm to build/write/, once, pinned by package-lock.json. Where something for it is missing it says so
# on stderr and writes nothing: the book is one to read.
set -uf

without() {
    printf '%s\n' "Note: there is no editor in its pages, for $1" >&2
    exit
}

lacks=
command -v clang >/dev/null || lacks="$lacks clang"
command -v wasm-ld >/dev/null || lacks="$lacks lld"
[ -f /usr/lib/wasm32-wasi/libc.a ] || lacks="$lacks wasi-libc"
[ -n "$(set +f && ls -d /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a 2>/dev/null)" ] ||
    lacks="$lacks libclang-rt-dev-wasm32"
command -v npm >/dev/null || lacks="$lacks npm"
[ -z "$lacks" ] || without "there is no$lacks here. Get it with:
apt-get install$lacks"
[ -f build/deps/tcc/libtcc.c ] || without "there is no TCC in build/deps."
sh checker/deps/build.sh page || exit 1

mkdir -p build/write
if ! cmp -s checker/book/package-lock.json build/write/package-lock.json; then
    echo "Fetching the book's editor from npm, 14 MB (once)..." >&2
    new=$(mktemp -d build/write/npm.XXXXXX) || exit 1
    trap 'rm -rf "$new"' EXIT
    cp checker/book/package.json checker/book/package-lock.json "$new"
    (cd "$new" && npm ci --prefer-offline --ignore-scripts --no-audit --no-fund --silent --fetch-retries=1) \
        >"$new/log" 2>&1 </dev/null ||
        without "npm can't fetch its editor: $(grep -v '^$' "$new/log" | head -n 1)
Try again with a network."
    build/bookbinder "$new/node_modules" in build/write/node_modules &&
        mv -f "$new/package-lock.json" build/write/ || exit 1
fi
node checker/book/bundle.mjs "$1"
