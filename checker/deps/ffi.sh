# Read by fetch.sh. libffi, with which the worker calls a learner's functions: the compiler's own
# where it has one, else Debian's package. It has no pin: it is built anew for every system, and
# apt's chain of signatures vouches for it. Sets ffi_cflags and ffi_libs.
# shellcheck shell=sh disable=SC2154,SC2034 # the other side of these variables is in fetch.sh

links_ffi() { # compiler and linker arguments
    cat >"$tmp/ffi.c" <<'EOF' || die_of_disk
#include <ffi.h>
int main(void)
{
    ffi_cif cif;
    return ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 0, &ffi_type_void, 0) != FFI_OK;
}
EOF
    # shellcheck disable=SC2086 # CC may be a command with arguments
    ${CC:-cc} -o "$tmp/ffi" "$tmp/ffi.c" "$@" >/dev/null 2>&1
}

copy_ffi() { # folder: takes the header and the static library from anywhere below it
    for name in ffi.h ffitarget.h libffi.a; do
        found=$(find "$1" -name $name 2>/dev/null | head -n 1)
        [ -n "$found" ] || { ffi_problem="there is no $name in it"; return 1; }
        cp "$found" "$tmp/new/ffi/" || die_of_disk
    done
    links_ffi -isystem "$tmp/new/ffi" "$tmp/new/ffi/libffi.a" && return
    ffi_problem="${CC:-cc} can't link it"
    return 1
}

find_ffi() { # 1: it has to be fetched
    if [ -n "${FFI_DIR-}" ] && ! copy_ffi "$FFI_DIR"; then
        die "FFI_DIR=$FFI_DIR: $ffi_problem. Name another folder, or unset FFI_DIR."
    elif [ -z "${FFI_DIR-}" ]; then
        ffi_cflags='' ffi_libs=-lffi
        links_ffi -lffi && return
        # Apple's SDK and Homebrew keep the header in a folder that has to be named.
        for folder in "$(xcrun --show-sdk-path 2>/dev/null)/usr/include/ffi" \
            "$(brew --prefix libffi 2>/dev/null)/include"; do
            ffi_cflags="-isystem $folder" ffi_libs="-L${folder%/include*}/lib -lffi"
            [ -f "$folder/ffi.h" ] && links_ffi -isystem "$folder" "-L${folder%/include*}/lib" -lffi &&
                return
        done
    fi
    ffi_cflags="-isystem $deps/ffi" ffi_libs=$deps/ffi/libffi.a
    [ -n "${FFI_DIR-}" ] || links_ffi -isystem "$deps/ffi" "$deps/ffi/libffi.a"
}

fetch_ffi() {
    mkdir -p "$tmp/apt/libffi/tree" || die_of_disk
    if ! apt_ready || ! (cd "$tmp/apt/libffi" && apt download libffi-dev); then
        ffi_problem=${apt_problem:-$(apt_said)}
    elif dpkg-deb -x "$tmp"/apt/libffi/libffi-dev_*.deb "$tmp/apt/libffi/tree" &&
        copy_ffi "$tmp/apt/libffi/tree"; then
        return
    fi
    die "Could not fetch libffi: $ffi_problem
Install it (apt-get install libffi-dev, dnf install libffi-devel, brew install libffi), or name a
folder that holds ffi.h, ffitarget.h and libffi.a in the variable FFI_DIR."
}
