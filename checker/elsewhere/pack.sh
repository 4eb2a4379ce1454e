# Read by handout.sh: what is handed out, put together beside OUT and renamed.
# shellcheck shell=sh disable=SC2154 # $here is handout.sh's

die() {
    printf '%s\n' "$*" >&2
    exit 2
}

die_of_disk() {
    die "Can't write $out."
}

begin() { # OUT
    out=${1%/}
    [ -n "$out" ] || die "Say where to: make handout OUT=folder, or OUT=name.tar.gz, or OUT=name.zip"
    { [ ! -e "$out" ] && [ ! -L "$out" ]; } || die "$out is there already. Nothing was written."
    case $out in
    *.zip) command -v zip >/dev/null || die "zip is missing: it writes $out. A folder or a .tar.gz needs none." ;;
    esac
    case $out in -*) out=./$out ;; esac
    new=$(mktemp -d "$out.XXXXXX") || die "Can't write beside $out."
    new=$(cd -- "$new" && pwd)
    trap 'rm -rf "$new"' EXIT
    trap 'exit 1' HUP INT TERM
}

copy_workbook() { # to
    # Of checker/ all but what is left out, and of a lesson's own folder all that does not answer it.
    files=$(set +f && find Makefile LICENSE .git[ai]* .devcontainer/*.json .vscode/tasks.json include lessons checker -type f \
        ! -path 'checker/tests/*' ! -path 'checker/elsewhere/*' ! -path checker/README.md ! -path checker/class/README.md \
        ! -path 'checker/lessons/*/wrong*' ! -path 'checker/lessons/*/right*' ! -name '*.py' ! -name '.*.sw?')
    mkdir -p "$1/exercises" || return 1
    printf '%s\n' "$files" "$here/grade.sh" | tar -cf - -T - | tar -C "$1" -xf - || return 1
    # A student's README ends where the teacher's begins, and none says what the tests do between its blocks.
    for page in README.md $(set +f && cd -- "$1" && echo checker/*/README.md); do
        sed -e '/^## For instructors/,$d' -e '/^<!-- run: /d' "$page" >"$1/$page" || return 1
    done
    for stub in $(set +f && echo checker/lessons/*/stub.c); do
        lesson=${stub%/stub.c}
        cp "$stub" "$1/exercises/${lesson##*/}.c" || return 1
    done
    case ${LESSONS-}${SEED-} in
    *[!A-Za-z0-9_\ ]*) die "LESSONS are numbers or names, with blanks between, and SEED is a number." ;;
    ?*) printf "LESSONS='%s'\nSEED='%s'\n" "${LESSONS-}" "${SEED-}" >"$1/$here/assignment" ;;
    esac
    [ -z "${WEIGHTS-}" ] || cp -- "$WEIGHTS" "$1/$here/weights" || die "WEIGHTS=$WEIGHTS can't be read."
}

copy_libraries() { # to: what was fetched, so that nothing is fetched there
    [ ! -f build/deps/deps.mk ] || { mkdir -p "$1/build" && cp -R build/deps "$1/build/"; }
}

finish() { # where, and what of it
    case $out in
    *.tar.gz) tar -C "$1" -czf "$new/made.tar.gz" "$2" && mv "$new/made.tar.gz" "$out" ;;
    *.zip) (cd "$1" && zip -qr "$new/made.zip" "$2") && mv "$new/made.zip" "$out" ;;
    *)
        made=$1/$2
        chmod 755 "$made" && mv "${made%/.}" "$out"
        ;;
    esac || return 1
    echo "$out is written."
}
