# Read by fetch.sh. Packages by apt-get, with private folders in place of the system's: nothing of
# the machine's configuration or state is changed, and no rights are needed. apt checks the chain of
# signatures from the machine's own keys down to each package.
# shellcheck shell=sh disable=SC2154,SC2034 # the other side of these variables is in fetch.sh

apt() { # apt-get waits for ever where it can't write, so it gets a limit
    timeout --foreground 300 apt-get -c "$tmp/apt/conf" -qq "$@" >"$tmp/log" 2>&1 </dev/null
}

apt_said() {
    grep '^[EW]:' "$tmp/log" | head -n 1
}

apt_lists() { # the machine's own lists, for sources
    # shellcheck disable=SC1091 # the system's own file
    codenames=$(. /etc/os-release && echo "${VERSION_CODENAME-} ${UBUNTU_CODENAME-} ${DEBIAN_CODENAME-}")
    eval "$(apt-config shell apt_list Dir::Etc::sourcelist/f apt_parts Dir::Etc::sourceparts/d)"
    for list in "${apt_list-}" "${apt_parts-}"/*.list "${apt_parts-}"/*.sources; do
        [ -r "$list" ] || continue
        awk -v types=deb-src -v codenames="$codenames" -v file="$list" \
            -f "$here/apt_lists.awk" "$list" >"$tmp/apt/sources/${list##*/}" || die_of_disk
    done
}

apt_ready() { # fetches the archives' tables of contents, at the first call
    [ -z "${apt_tried-}" ] || return "$apt_tried"
    apt_tried=1
    apt_problem="apt-get is not installed"
    command -v apt-get >/dev/null || return 1
    mkdir -p "$tmp/apt/sources" "$tmp/apt/state/lists/partial" "$tmp/apt/cache/archives/partial" ||
        die_of_disk
    apt_lists
    # Given with -c this is read last, so that nothing in /etc/apt undoes it. The machine's hooks
    # are for its own lists.
    cat >"$tmp/apt/conf" <<EOF || die_of_disk
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$tmp/apt/sources";
Dir::State "$tmp/apt/state";
Dir::Cache "$tmp/apt/cache";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::PDiffs "false";
Acquire::GzipIndexes "true";
Acquire::http::Timeout "15";
Acquire::https::Timeout "15";
#clear APT::Update;
EOF
    # One archive of several may fail: what counts is whether the packages can be had.
    apt update
    apt_problem=$(apt_said)
    apt_tried=0
}

unpack() { # archive, folder, what: apt's helper knows every compression, which tar may not
    # shellcheck disable=SC2086 # $3 holds several words
    /usr/lib/apt/apt-helper cat-file "$1" 2>/dev/null |
        tar -C "$2" -xf - --wildcards --no-wildcards-match-slash $3 2>/dev/null
}

keep_pinned() { # library, folder: takes those of its files that are pinned as they now are
    for file in $(files_of "$1"); do
        if pinned "$1" "$file" "$2/$file"; then
            cp "$2/$file" "$tmp/new/$1/" || die_of_disk
        fi
    done
}

# Debian's patches are applied one after the other, and of each file the last state that is pinned
# is taken: a patch that comes later than this list of pins does no harm.
from_apt() { # library, source package, folder within
    apt_ready || { note "apt: $apt_problem"; return 1; }
    tree=$tmp/apt/$2/tree
    mkdir -p "$tree" || die_of_disk
    # What its Debian part is wanted for is patches. An archive that lacks it may have the source.
    if ! (cd "$tree/.." && apt source --download-only "$2") && ! ls "$tree"/../*.orig.tar.* >/dev/null 2>&1; then
        note "apt, source package $2: ${apt_problem:-$(apt_said)}"
        return 1
    fi
    folder=${3#-} # within the archive
    members=--strip-components=1 include='' names='' above='*/'
    [ -n "$folder" ] || members='' above=''
    for file in $(files_of "$1"); do
        members="$members $above${folder#./}$file"
        include="$include --include=${folder#./}$file"
        names="$names -e $file"
    done
    set -f
    unpack "$(set +f && echo "$tree"/../*.orig.tar.[gxb]z*)" "$tree" "$members"
    unpack "$(set +f && echo "$tree"/../*.debian.tar.[gx]z)" "$tree" "debian/patches"
    set +f
    keep_pinned "$1" "$tree/$folder"
    # Without the ceiling, git would take this tree for a part of the workbook's repository.
    # shellcheck disable=SC2086 # $names and $include hold several words
    grep -v '^#' "$tree/debian/patches/series" 2>/dev/null | while read -r patch rest; do
        grep -q -F $names "$tree/debian/patches/$patch" || continue
        GIT_CEILING_DIRECTORIES=$tree/.. git -C "$tree" apply $include \
            "$tree/debian/patches/$patch" >"$tmp/log" 2>&1 || break
        keep_pinned "$1" "$tree/$folder"
    done
    all_pinned "$1" "$tmp/new/$1" && return
    note "$(refusal "$1" "$tree/$folder" "apt, source package $2")"
    return 1
}
