#!/bin/sh
# places.sh COMMAND ...: what the command prints, and its exit code. Below a line that speaks of "line 24 of
# your file", or of two of them, stands each place as an editor reads it:
#
#      exercises/01_layer_norm.c:24: ❌ row_variance averages the squared distances
#
# An editor's patterns look at one line, or at lines that follow each other; the file is named in a
# verdict's first line alone. Nothing else is changed, and nothing is kept back.
set -uf

# Behind the line that was read: a place for each number among these words.
places_among() {
    # shellcheck disable=SC2086 # one word after the other
    for word in $1; do
        case ${word%:} in
        *[!0-9]* | '') ;;
        *) printf '     %s:%s: %s\n' "$file" "${word%:}" "$title" ;;
        esac
    done
}

# What the checker says of lines begins behind five blanks (explain_line in checker/run/explain.c, and
# those below it; checker/run/warning.c). The learner's code behind more, what it printed behind a bar.
with_places() {
    file=
    title=
    while IFS= read -r line || [ -n "$line" ]; do
        printf '%s\n' "$line"
        case $line in
        'Running checks for Lesson '*')...')
            file=${line##*'('}
            file=${file%')...'}
            ;;
        '     '[!\ ]*' of two places in your file, '*)
            places_among "${line#*" in your file, "}"
            ;;
        '     '[!\ ]*' line'*' of your file'[.:,]*)
            line=${line%" of your file"*}
            places_among "${line#*" line"}"
            ;;
        '     The compiler warns of line '[0-9]*': '*)
            line=${line#*" of line "}
            places_among "${line%%:*}"
            ;;
        ' '*) ;;
        ?*) title=$line ;;
        esac
    done
}

exec 3>&1
code=$({ { "$@" 3>&- 4>&-; echo $? >&4; } | with_places >&3 4>&-; } 4>&1)
exit "$code"
