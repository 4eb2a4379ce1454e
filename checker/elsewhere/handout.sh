#!/bin/sh
# make handout OUT=folder: the workbook for students, in a folder that is not there yet, or in an
# archive where OUT ends in .tar.gz or .zip. Exercises are the stubs, whatever is in exercises/ here.
#
# FOR=gradescope, vpl, github or classroom50 puts it together with what grades there, which is the
# same hand-out: no place holds a solution. FOR=page is the book with its editors, to be put on any server or
# opened from the disk; its figures are pictures, for what moves them is made of the solutions. LESSONS, SEED and WEIGHTS say what is graded, CHECKER=owner/name
# where on GitHub a hand-out lies that students can't write to.
#
# The invariant: nothing of it answers a lesson. No solutions, no wrong and right styles, no Python
# that makes vectors, no tests; and OUT is whole or not there. (Lesson 17's plain version, which is
# right and slow, comes along: to be faster than it is what that lesson asks.)
set -uf
here=checker/elsewhere
# shellcheck source=/dev/null
. $here/pack.sh

new=
begin "${OUT-}"
case ${FOR-} in
'') copy_workbook "$new/layer-norm-workbook" && finish "$new" layer-norm-workbook ;;
github)
    case ${CHECKER-} in
    */*/* | *[!A-Za-z0-9_./-]* | "") die "Say which repository holds the checker: CHECKER=owner/name" ;;
    */*) ;;
    *) die "CHECKER is owner/name, as in github.com/owner/name, not: $CHECKER" ;;
    esac
    copy_workbook "$new/all" && mkdir -p "$new/all/.github/workflows" &&
        sed "s|CHECKER|$CHECKER|" $here/github/grade.yml >"$new/all/.github/workflows/grade.yml" &&
        finish "$new/all" .
    ;;
gradescope | vpl | classroom50)
    copy_workbook "$new/all/workbook" && copy_libraries "$new/all/workbook" &&
        (set +f && cp -p "$here/$FOR"/* "$new/all") && finish "$new/all" .
    ;;
page)
    OPEN='' sh checker/book/book.sh >/dev/null || exit 1
    [ -f build/book/write.js ] || die "Without its editors the book is no hand-out."
    cp -R build/book "$new/layer-norm-workbook" && rm "$new/layer-norm-workbook/figure.js" &&
        (set +f && sed -i.whole -e '/^<p class="again">/d' -e '/class="module">/d' -e '/src="figure.js">/d' \
            "$new"/layer-norm-workbook/*.html && rm "$new"/layer-norm-workbook/*.whole) &&
        node checker/book/offline.mjs "$new/layer-norm-workbook" && finish "$new" layer-norm-workbook
    ;;
*) die "FOR is page, gradescope, vpl, github or classroom50, not: $FOR" ;;
esac || die_of_disk
