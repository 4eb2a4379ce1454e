#!/bin/sh
# What other machines grade with: grade.sh FORMAT FOLDER >the grade, in that format, of what one student
# handed in, which is all of FOLDER: which file counts is decided as by `make grade`. The checker is the
# one that this file lies in, never one of FOLDER.
#
# The invariant: 0 means that the grade is on stdout, whatever it is. Where it can't be graded,
# nothing is there, stderr says why, and it ends with 3: that is no student's 0.
set -uf
[ $# = 2 ] || { echo "usage: grade.sh FORMAT FOLDER" >&2; exit 3; }
folder=$(cd -- "$2" && pwd -P) || exit 3
cd -- "$(dirname -- "$0")/../.." || exit 3
given=${SEED-}
# shellcheck source=/dev/null
[ ! -f checker/elsewhere/assignment ] || . checker/elsewhere/assignment
[ ! -f checker/elsewhere/weights ] || WEIGHTS=checker/elsewhere/weights
make -s build/ready </dev/null >&2 || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'exit 3' HUP INT TERM
LC_ALL=C.UTF-8 NO_COLOR=1 IMPL=$folder OUT=$work FORMAT=$1 LESSONS=${LESSONS-} SEED=${SEED:-$given} WEIGHTS=${WEIGHTS-} \
    build/workbook grade-one || exit 3
