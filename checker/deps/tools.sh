#!/bin/sh
# Says what this machine lacks, with the command that brings it.
#
#   tools.sh check        what a learner's commands need: ends with 1 if they can't work without it
#   tools.sh sanitizers   that the compiler has none, and the command that brings them
#   tools.sh test         what the tests need beyond that: root gets it installed, others are told
#
# When nothing is missing it prints nothing and takes a few milliseconds: it runs before every build.
set -uf
compiler=${CC:-cc}

say() {
    printf '%s\n' "$*" >&2
}

have() {
    command -v "$1" >/dev/null
}

install_command() { # Debian's package names, Homebrew's
    if have apt-get; then
        [ "$(id -u)" = 0 ] || printf 'sudo '
        echo "apt-get install $1"
    elif [ "$(uname 2>/dev/null)" = Darwin ]; then
        echo "${2:-brew install $1}"
    else
        echo "your package manager's install command, for $1"
    fi
}

# ---- check ----------------------------------------------------------------------------------------

is_there() { # command, what it does here, Debian's package, the command on macOS
    have "$1" && return
    say "$1 is missing: it $2. Get it with: $(install_command "$3" "${4-}")"
    return 1
}

there_is() { # folder, how a file's name begins
    find "$1" -name "$2*" 2>/dev/null | grep -q .
}

# shellcheck disable=SC2086 # CC may be a command with arguments
has_sanitizers() { # does the compiler bring the AddressSanitizer's library?
    case $($compiler --version 2>/dev/null) in
    Apple*) ;;
    *clang*) there_is "$($compiler -print-resource-dir)/lib" libclang_rt.asan ;;
    ?*) [ -f "$($compiler -print-file-name=libasan.so)" ] ;;
    *) false ;;
    esac
}

# shellcheck disable=SC2086 # CC may be a command with arguments
sanitizer_package() {
    case $($compiler --version) in
    *clang*) echo libclang-rt-dev ;;
    *) echo "libgcc-$($compiler -dumpversion | cut -d . -f 1)-dev" ;;
    esac
}

sanitizers() {
    say "Note: $compiler has no AddressSanitizer that works, so fewer memory errors are noticed." \
        "Get it with: $(install_command "$(sanitizer_package)")"
}

# What stands in lock.c before its code: the compiler, the processor and the C library that it takes.
# shellcheck disable=SC2086 # CC may be a command with arguments
compiler_will_do() {
    if ! have "${compiler%% *}"; then
        say "${compiler%% *} is missing: there is no C compiler of that name." \
            "Get one with: $(install_command "gcc libc6-dev" "xcode-select --install")"
        return 1
    fi
    said=$(LC_ALL=C $compiler -E checker/deps/lock.c 2>&1 >/dev/null) && return
    reason=$(printf '%s\n' "$said" | sed -n 's/^.*error.* workbook: //p' | head -n 1)
    if [ -n "$reason" ]; then
        say "$compiler can't build the workbook: $reason." \
            "Name another compiler, as in: make check CC=gcc"
    elif printf '%s' "$said" | grep -q stdio.h; then
        say "$compiler can't find stdio.h: the C library's headers are missing." \
            "Get them with: $(install_command libc6-dev "xcode-select --install")"
    else
        say "$compiler does not work: $(printf '%s\n' "${said:-it fails without a word}" | head -n 3)"
    fi
    return 1
}

check() {
    result=0
    compiler_will_do || result=1
    is_there awk "works out what the compiler reads" mawk || result=1
    if [ ! -f build/deps/deps.mk ]; then
        have sha256sum || is_there shasum "checks what is fetched" coreutils || result=1
        [ -n "${UNITY_DIR-}" ] && [ -n "${LINENOISE_DIR-}" ] && [ -n "${CJSON_DIR-}" ] && return $result
        is_there git "fetches Unity, linenoise, cJSON, TCC and md4c" git "xcode-select --install" || result=1
        is_there tar "unpacks what is fetched" tar || result=1
    fi
    return $result
}

# ---- test -----------------------------------------------------------------------------------------

test_packages() { # the package, its name on Homebrew or -, what the tests need it for
    cat <<EOF
clang           -             building everything with a second compiler
libclang-rt-dev -             running everything under clang's sanitizers
lld             -             compiling and linking everything for macOS
llvm            -             compiling and linking everything for macOS
clang-format    clang-format  the format of our C code
cppcheck        cppcheck      the static analysis of our C code
shellcheck      shellcheck    the static analysis of our scripts
gdb             -             make debug
lldb            -             make debug without gdb
hyperfine       hyperfine     make bench
tmux            tmux          what a terminal shows
expect          expect        what a terminal shows
libxml2-utils   -             the JUnit reports
libarchive-tools -            a class's archives (libarchive)
similarity-tester -           a class's files that look alike (sim_c)
jq              jq            the JSON reports
perl            perl          the TAP reports (prove)
procps          -             which processes are left (pgrep)
slurm-wlm       -             a class graded by Slurm
munge           -             a class graded by Slurm
python3-yaml    -             the workflow of GitHub Actions
valgrind        -             a lesson's program under memcheck
zip             zip           archives of the hand-out
gawk            gawk          fetching with another awk
busybox         -             fetching with another awk
original-awk    -             fetching with another awk
tcc             -             what is said of a compiler that will not do
musl-tools      -             what is said of a C library that will not do
chromium        -             the book in a browser
wasi-libc       -             the book's figures that move
libclang-rt-dev-wasm32 - the core as WebAssembly
util-linux      -             runs as another user and without a network
qemu-user       -             running it as on arm64
libc6-dev-arm64-cross - building it for arm64
libgcc-$(gcc -dumpversion 2>/dev/null | cut -d . -f 1)-dev-arm64-cross - building it for arm64
python3-torch   pytorch       the reference vectors, made again and compared
EOF
}

package_is_there() {
    case $1 in
    libclang-rt-dev) # with some Debian releases under /usr/lib/llvm-*, elsewhere /usr/lib/clang
        for folder in $(set +f && echo /usr/lib/llvm-*/lib/clang); do
            there_is "$folder" libclang_rt.asan && return
        done
        compiler=clang has_sanitizers ;;
    llvm) have llvm-ar && have llvm-objdump ;;
    libarchive-tools) have bsdtar ;;
    libxml2-utils) have xmllint ;;
    similarity-tester) have sim_c ;;
    musl-tools) have musl-gcc ;;
    chromium) have chromium || have chromium-browser || have google-chrome ;;
    libclang-rt-dev-wasm32) there_is /usr/lib libclang_rt.builtins-wasm32 ;;
    wasi-libc) [ -f /usr/lib/wasm32-wasi/libc.a ] ;;
    procps) have pgrep ;;
    qemu-user) have qemu-aarch64 ;;
    libc6-dev-arm64-cross) [ -f /usr/aarch64-linux-gnu/include/stdio.h ] ;;
    libgcc-*-dev-arm64-cross) there_is /usr/lib/gcc-cross/aarch64-linux-gnu libgcc.a ;;
    perl) have prove ;;
    slurm-wlm) have slurmctld && have slurmd && have sbatch ;;
    munge) have munged ;;
    python3-yaml) python3 -c 'import yaml' 2>/dev/null ;;
    util-linux) have setpriv && have unshare ;;
    python3-torch)
        [ -d /usr/lib/python3/dist-packages/torch ] ||
            python3 -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("torch"))' ;;
    *) have "$1" ;;
    esac
}

missing_packages() { # apt, brew: their names there; purpose: what they are for
    test_packages | while read -r package brew purpose; do
        package_is_there "$package" && continue
        case $1 in
        apt) echo "$package" ;;
        brew) [ "$brew" = - ] || echo "$brew" ;;
        purpose) echo "  $package: $purpose" ;;
        esac
    done
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@" \
        >>build/tools.log 2>&1 </dev/null
}

# shellcheck disable=SC2086 # package names have no spaces in them
test_tools() {
    missing=$(missing_packages apt | paste -s -d ' ' -)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ] && have apt-get; then
        say "Installing what the tests need (once): $missing"
        mkdir -p build && : >build/tools.log || return 1
        apt-get -qq update >>build/tools.log 2>&1
        # One that this release does not have must not keep the others away.
        apt_install $missing || for package in $missing; do apt_install "$package"; done
        missing=$(missing_packages apt | paste -s -d ' ' -)
        [ -n "$missing" ] || return 0
        say "Not everything could be installed, build/tools.log says why."
    fi
    say "Left out are the tests of, or with:
$(missing_packages purpose)
Get what is missing with: $(install_command "$missing" "brew install $(missing_packages brew | paste -s -d ' ' -)")"
}

case ${1-} in
check) check ;;
sanitizers) sanitizers ;;
test) test_tools ;;
*)
    say "usage: tools.sh check|sanitizers|test"
    exit 2
    ;;
esac
