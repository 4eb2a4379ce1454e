#!/bin/sh
# Prints the files and folders that the compiler needs to read, one a line: its programs and what they
# load, its own headers and libraries, and the system's. While a learner's file is compiled nothing
# else of this machine can be read (checker/box/places.c).
#     CC=gcc toolchain.sh
set -u
compiler=${CC:-cc}
unset CPATH C_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX
LC_ALL=C
export LC_ALL

# Where every system has them. /etc/clang: options that some distributions give their clang.
system() {
    for place in /bin /usr/bin /lib /lib32 /lib64 /libx32 /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 \
        /usr/libexec /usr/include /etc/ld.so.cache /etc/ld.so.preload /etc/ld-musl-*.path /etc/clang; do
        echo "$place"
    done
}

# CC may be a list of words, such as "ccache gcc", and a script that starts another compiler.
# shellcheck disable=SC2086
programs() {
    {
        for word in $compiler; do
            echo "$word"
        done
        $compiler -v 2>&1 | sed -n 's/^COLLECT_GCC=//p'
        for name in cc1 collect2 lto-wrapper as ld; do
            $compiler -print-prog-name=$name 2>/dev/null
        done
    } | while read -r name; do
        command -v -- "$name"
    done
}

libraries_of() {
    while read -r program; do
        echo "$program"
        ldd "$program" 2>/dev/null | sed -n 's/^[^/]*\(\/.*\) (0x[0-9a-f]*)$/\1/p'
    done
}

# shellcheck disable=SC2086
folders() {
    $compiler -print-search-dirs 2>/dev/null | sed -n 's/^[a-z]*: =*//p' | tr ':' '\n'
    $compiler -E -v -x c /dev/null 2>&1 |
        sed -n '/search starts here/,/^End of search/s/^ \(\/.*\)/\1/p' |
        sed 's/ (framework directory)$//'
}

# One name for each, and of a store that holds nothing but packages all of it. What is too wide to be a
# compiler's is left out, and above all what this workbook lies in.
plain() {
    project=$(pwd -P)
    while read -r place; do
        [ -e "$place" ] || continue
        if [ -d "$place" ]; then
            place=$(cd "$place" && pwd -P) || continue
        else
            place=$(cd "$(dirname "$place")" && pwd -P)/${place##*/}
        fi
        case $place in
        /nix/store/*) place=/nix/store ;;
        /gnu/store/*) place=/gnu/store ;;
        esac
        case $place in
        / | /usr | /usr/local | /etc | /home | /opt | /root | /tmp | /var | "${HOME-}" | [!/]*) continue ;;
        esac
        case $project/ in
        "$place"/*) echo "Note: $place holds this workbook and stays closed to $compiler." >&2 ;;
        *) printf '%s\n' "$place" ;;
        esac
    done
}

without_what_lies_below() {
    sort -u | awk '{
        for (i = 1; i <= count; i++)
            if (index($0, kept[i] "/") == 1)
                next
        kept[++count] = $0
        print
    }'
}

{
    system
    programs | libraries_of
    folders
} | plain | without_what_lies_below
