#!/bin/sh
# make new LESSON=18_my_norm: writes a working lesson, to be changed into one's own.
#
# The invariant: nothing that is there is written over; either all files are written or none.
set -uf
here=checker/new

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

lesson=${LESSON-}
name=${lesson#[0-9][0-9]_}
case $lesson in
[0-9][0-9]_[a-z]*) ;;
*) die "A new lesson has two digits and a name, of a to z, 0 to 9 and _: make new LESSON=18_my_norm" ;;
esac
case $name in
*[!a-z0-9_]*) die "\"$name\" becomes a function's name: letters a to z, digits and _ only." ;;
esac
number=${lesson%"_$name"}

files="include/$lesson.h solutions/$lesson.c exercises/$lesson.c lessons/$lesson.md
    lessons/$lesson.hints lessons/$lesson.mistakes.md lessons/$lesson.formulas checker/lessons/$lesson/lesson.c
    checker/lessons/$lesson/stub.c"
for file in $files; do
    [ ! -e "$file" ] || die "$file is there already. Nothing was written."
done
taken=$(find checker/lessons -maxdepth 1 -name "${number}_*")
[ -z "$taken" ] || die "There is a lesson $number already: $taken. Nothing was written."

# What the templates call new_norm, 00 and New Norm gets the lesson's name.
title=$(printf '%s\n' "$name" | awk -F_ '{ for (i = 1; i <= NF; i++)
    printf "%s%s", (i > 1 ? " " : ""), toupper(substr($i, 1, 1)) substr($i, 2) }')
fill() {
    sed -e "s/00_new_norm/$lesson/g" -e "s/new_norm/$name/g" -e "s/\([Ll]esson\) 00/\1 $number/g" \
        -e "s/LESSON=00/LESSON=$number/g" -e "s/New Norm/$title/g" "$here/$1" >"$2" && return
    # shellcheck disable=SC2086 # a list of names without blanks
    rm -f $files
    die "Can't write $2. Nothing was written."
}

mkdir -p "checker/lessons/$lesson" solutions || die "Can't make checker/lessons/$lesson."
fill header.h "include/$lesson.h"
fill solution.c "solutions/$lesson.c"
fill stub.c "exercises/$lesson.c"
fill stub.c "checker/lessons/$lesson/stub.c"
fill lesson.c "checker/lessons/$lesson/lesson.c"
fill text.md "lessons/$lesson.md"
fill mistakes.md "lessons/$lesson.mistakes.md"
fill hints "lessons/$lesson.hints"
fill formulas "lessons/$lesson.formulas"
echo "Written, for you to change:"
# shellcheck disable=SC2086 # the same list
printf '  %s\n' $files
echo "It works as it is: make verify LESSON=$number"
echo "Begin with lessons/$lesson.formulas; checker/lessons/README.md goes through it."
