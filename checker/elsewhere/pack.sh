# Read by handout.sh and gradescope.sh: what is handed out, put together beside OUT and renamed.
# shellcheck shell=sh disable=SC2154 # $new is set in begin

die() {
    printf '%s\n' "$*" >&2
    exit 2
}

die_of_disk() {
    die "Can't write $out."
}

begin() { # OUT, what to say without it
    out=${1%/}
    [ -n "$out" ] || die "$2"
    { [ ! -e "$out" ] && [ ! -L "$out" ]; } || die "$out is there already. Nothing was written."
    case $out in
    *.zip) command -v zip >/dev/null || die "zip is missing: it writes $out. A folder or a .tar.gz needs none." ;;
    esac
    case $out in -*) out=./$out ;; esac
    new=$(mktemp -d "$out.XXXXXX") || die "Can't write beside $out."
    trap 'rm -rf "$new"' EXIT
    trap 'exit 1' HUP INT TERM
}

copy_workbook() { # to
    # What is left out, and a lesson's own folder without what answers it.
    files=$(set +f && find Makefile LICENSE .git[ai]* include lessons checker -type f \
        ! -path 'checker/tests/*' ! -path 'checker/class/*' ! -path 'checker/elsewhere/*' \
        ! -path 'checker/lessons/*/wrong*' ! -path 'checker/lessons/*/right*' ! -name '*.py' ! -name '.*.sw?')
    mkdir -p "$1/exercises" || die_of_disk
    printf '%s\n' "$files" | tar -cf - -T - | tar -C "$1" -xf - || die_of_disk
    # A student's README ends where the teacher's begins.
    sed -e '/^## For instructors/,$d' -e '/^<!-- run: /d' README.md >"$1/README.md" || die_of_disk
    for stub in $(set +f && echo checker/lessons/*/stub.c); do
        lesson=${stub%/stub.c}
        cp "$stub" "$1/exercises/${lesson##*/}.c" || die_of_disk
    done
}

finish() { # what of it: a folder's name, or "." for all that is in it
    case $out in
    *.tar.gz) tar -C "$new" -czf "$new/made" "$1" && mv "$new/made" "$out" ;;
    *.zip) (cd "$new" && zip -qr made.zip "$1") && mv "$new/made.zip" "$out" ;;
    *) chmod 755 "$new/$1" && mv "$new/$1" "$out" ;;
    esac || die_of_disk
    echo "$out is written."
}
