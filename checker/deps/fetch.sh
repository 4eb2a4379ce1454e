#!/bin/sh
# Brings in Unity, linenoise, cJSON, TCC and md4c, once, into build/deps/. Run it from the repository's top.
#
# Everything is downloaded, checked against pins.txt and only then moved into place from a folder
# of its own. build/deps/deps.mk is written last and read by the Makefile, so: as long as deps.mk
# is there, everything that it names is complete and was checked, and a file that was written since is
# looked at again. Killing a run, starting it again
# and starting two at once are all harmless.
#
# UNITY_DIR, LINENOISE_DIR, CJSON_DIR, TCC_DIR and MD4C_DIR name folders to take the files from instead.
# The last two may be missing: everything works, but for what without() says.
set -u
LC_ALL=C
export LC_ALL
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE # set when a git hook runs this

here=checker/deps
deps=build/deps
libraries="unity linenoise cjson tcc md4c"
problems=

without() { # library: what it is like without it; false where nothing works
    case $1 in
    tcc) echo "a wrong answer comes without the line that it comes from" ;;
    md4c) echo "\`read\` shows a lesson's text as it stands in its file" ;;
    *) false ;;
    esac
}

variable_of() { # library: what names its folder
    echo "$(echo "$1" | tr '[:lower:]' '[:upper:]')_DIR"
}

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$@"
    exit 1
}

note() { # remembers why a source did not work, to be said if no other one does
    problems="$problems
  $*"
}

die_of_disk() {
    die "Can't write to build/: is the disk full, or the folder read-only, or another user's?"
}

sha256() {
    if command -v sha256sum >/dev/null; then
        sha256sum <"$1"
    else
        shasum -a 256 <"$1"
    fi | cut -d ' ' -f 1
}

files_of() { # the names of a library's files
    awk -v library="$1/" 'index($2, library) == 1 && !seen[$2]++ {
        print substr($2, length(library) + 1) }' "$here/pins.txt"
}

pinned() { # library, file, where it lies
    [ -f "$3" ] && grep -q "^$(sha256 "$3")  $1/$2 " "$here/pins.txt"
}

all_pinned() { # library, folder
    for file in $(files_of "$1"); do
        pinned "$1" "$file" "$2/$file" || return 1
    done
}

refusal() { # library, folder, where it came from: what is wrong with the first bad file
    for file in $(files_of "$1"); do
        pinned "$1" "$file" "$2/$file" && continue
        if [ ! -f "$2/$file" ]; then
            echo "$3: there is no $file in it"
            return
        fi
        echo "$3: $file is refused, its SHA-256 is not one of $here/pins.txt
    expected $(awk -v name="$1/$file" '$2 == name {
            printf "%s%s (", separator, $1
            for (i = 3; i <= NF; i++) printf "%s%s", (i > 3 ? " " : ""), $i
            printf ")"; separator = "\n          or " }' "$here/pins.txt")
    got      $(sha256 "$2/$file")"
        return
    done
}

# ---- where the files may come from; each function leaves pinned files in $tmp/new/<library> ------

from_folder() { # library, folder, the variable that named it
    folder=$2
    [ -d "$folder" ] || die "$3=$folder is not a folder."
    [ -d "$folder/src" ] && [ ! -f "$folder/$(files_of "$1" | head -n 1)" ] && folder=$folder/src
    all_pinned "$1" "$folder" || die "$(refusal "$1" "$folder" "$3=$2")
Name a folder that holds one of these versions, or unset $3 to have them fetched."
    for file in $(files_of "$1"); do
        cp "$folder/$file" "$tmp/new/$1/" || die_of_disk
    done
}

from_git() { # library, URL, commit or tag, folder within
    repo=$tmp/$1.git
    command -v git >/dev/null || { note "git is not installed"; return 1; }
    rm -rf "$repo"
    # Only the one commit, and of its files only those which are asked for.
    if ! git init -q --bare "$repo" >"$tmp/log" 2>&1 ||
        ! git -C "$repo" remote add origin "$2" ||
        ! GIT_TERMINAL_PROMPT=0 git -C "$repo" -c http.lowSpeedLimit=1 -c http.lowSpeedTime=20 \
        fetch -q --depth 1 --filter=blob:none origin "$3" >"$tmp/log" 2>&1; then
        note "$2: $(grep -v '^$' "$tmp/log" | head -n 1)"
        return 1
    fi
    for file in $(files_of "$1"); do
        git -C "$repo" cat-file blob "FETCH_HEAD:${4#./}$file" >"$tmp/new/$1/$file" 2>"$tmp/log" ||
            rm -f "$tmp/new/$1/$file"
    done
    all_pinned "$1" "$tmp/new/$1" && return
    note "$(refusal "$1" "$tmp/new/$1" "$2 at $3")"
    return 1
}

from_network() { # library
    while read -r library kind name version folder; do
        [ "$library" = "$1" ] || continue
        case $kind in
        apt) from_apt "$1" "$name" "$folder" && return ;;
        git) from_git "$1" "$name" "$version" "$folder" && return ;;
        esac
    done <"$here/sources.txt"
    if lack=$(without "$1"); then
        rm -rf "${tmp:?}/new/$1"/* "${deps:?}/$1" # what was refused there is not used, either
        say "Could not fetch $1, so $lack:$problems
To have it, try again with a network: rm build/deps/deps.mk, and then any command."
        return
    fi
    die "Could not fetch $1:$problems
Try again with a network, or name a folder that holds $(files_of "$1" | paste -s -d ' ' -)
in the variable $(variable_of "$1"); $here/pins.txt says which versions."
}

# shellcheck source=/dev/null
. "./$here/apt.sh" # from_apt

# ---- the run --------------------------------------------------------------------------------------

# Other pins, another way to fetch or other files than when deps.mk was written: they are looked at again.
[ -f $deps/deps.mk ] && [ -z "$(find $here/pins.txt $here/fetch.sh $deps -type f -newer $deps/deps.mk)" ] && exit 0

mkdir -p $deps 2>/dev/null || die_of_disk
# What a killed run left behind. A run takes seconds, so one hour is no run that still goes on.
find build -maxdepth 1 -name 'fetch.*' -mmin +60 -exec rm -rf {} + 2>/dev/null
tmp=$(mktemp -d "$PWD/build/fetch.XXXXXX" 2>/dev/null) || die_of_disk
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
for library in $libraries; do
    mkdir -p "$tmp/new/$library" || die_of_disk
done

missing=
for library in $libraries; do
    variable=$(variable_of "$library")
    eval "folder=\${$variable-}"
    if [ -n "$folder" ]; then
        from_folder "$library" "$folder" "$variable"
    elif lack=$(without "$library") && [ -n "${UNITY_DIR-}" ] && [ -n "${LINENOISE_DIR-}" ] &&
        [ -n "${CJSON_DIR-}" ]; then
        say "$variable is not named, so $lack."
    elif ! all_pinned "$library" "$deps/$library"; then
        [ ! -d "$deps/$library" ] || say "$(refusal "$library" "$deps/$library" "$deps/$library")"
        missing="$missing $library"
    fi
done

if [ -n "$missing" ]; then
    free=$(df -Pk build 2>/dev/null | awk 'END { print NR ? int($4 / 1024) : 64 }')
    [ "$free" -ge 64 ] || die "Fetching$missing takes 64 MB for a moment, build/ has only $free MB free."
    say "Fetching$missing (once)..."
fi
for library in $missing; do
    problems=
    from_network "$library"
done

# From here on nothing can be refused any more. A rename replaces a file as a whole.
for library in $libraries; do
    for file in "$tmp/new/$library"/*; do
        [ -f "$file" ] || continue
        mkdir -p "$deps/$library" || die_of_disk
        mv -f "$file" "$deps/$library/" || die_of_disk
    done
done
cat >"$tmp/deps.mk" <<EOF || die_of_disk
# Written by $here/fetch.sh, when everything named here was in place.
DEPS_CFLAGS = -isystem $deps/unity -isystem $deps/linenoise -isystem $deps/cjson
EOF
mv -f "$tmp/deps.mk" $deps/deps.mk || die_of_disk
