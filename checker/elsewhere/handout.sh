#!/bin/sh
# make handout OUT=folder: the workbook for students, in a folder that is not there yet, or in an
# archive where OUT ends in .tar.gz or .zip. Exercises are the stubs, whatever is in exercises/ here.
#
# The invariant: nothing of it answers a lesson. No solutions, no wrong and right styles, no Python
# that makes vectors, no tests; and OUT is whole or not there.
set -uf
. checker/elsewhere/pack.sh

usage="Say where to: make handout OUT=folder, or OUT=name.tar.gz, or OUT=name.zip"
begin "${OUT-}" "$usage"
copy_workbook "$new/layer-norm-workbook"
finish layer-norm-workbook
