#!/bin/sh
# make bench: the speeds that checker/README.md promises, each as a ratio taken side by side in one run.
# A benchmark and not a test: machines are noisy. Needs hyperfine.
set -eu

command -v hyperfine >/dev/null || {
    echo "make bench needs hyperfine: apt-get install hyperfine" >&2
    exit 1
}
folder=build/bench
mkdir -p "$folder"
cc=$(sed -n 's/^#define LEARNER_CC "\(.*\)"$/\1/p' build/config.h)
flags=$(sed -n 's/^#define LEARNER_CFLAGS "\(.*\)"$/\1/p' build/config.h)

# The checker's own command for a lesson's file (checker/box/build.c), as one would type it: without
# -pipe and what else only makes it quicker.
bare_compile() {
    echo "$cc $flags -shared -nostdlib -Wl,-Bsymbolic -Iinclude -include include/$1.h \
-o $folder/bare.so solutions/$1.c -lgcc"
}

# Medians: a machine's hiccups are not ours.
median() {
    sed -n 's/.*"median": \([0-9.e-]*\).*/\1/p' "$1" | sed -n "$2p"
}

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

say() {
    printf '%-62s %s\n' "$1" "$2"
}

echo "make check IMPL=solutions, over the bare compile of the same file (at most 1.3):"
for path in checker/lessons/[0-9]*; do
    lesson=${path##*/}
    hyperfine --style none --warmup 3 --runs 20 --export-json "$folder/check.json" \
        "$(bare_compile "$lesson")" "make check LESSON=$lesson IMPL=solutions" >/dev/null 2>&1
    bare=$(median "$folder/check.json" 1)
    check=$(median "$folder/check.json" 2)
    say "  $lesson" "$(ratio "$check" "$bare")   ($check s over $bare s)"
done

hyperfine --style none --warmup 1 --runs 10 --export-json "$folder/all.json" \
    "make check-all IMPL=solutions" >/dev/null 2>&1
set -- checker/lessons/[0-9]*
all=$(median "$folder/all.json" 1)
say "make check-all IMPL=solutions, $# lessons" "$all s"
say "  for each lesson (below 0.2 s)" "$(ratio "$all" $#) s"

hyperfine --style none --warmup 3 --runs 20 --export-json "$folder/read.json" \
    "printf 'read 02\\n' | build/workbook start" >/dev/null 2>&1
say "read 02 at the prompt, from its start to its end (below 0.05 s)" "$(median "$folder/read.json" 1) s"

python3 checker/tests/bench_terminal.py "$(bare_compile 01_layer_norm)"

LC_ALL=C.UTF-8 NO_COLOR=1 python3 checker/tests/bench_line.py
python3 checker/tests/bench_class.py "$(bare_compile 01_layer_norm)"
python3 checker/tests/bench_page.py

# Lesson 17's solution as the race compiles it, against llm.c's loops as its Makefile does, oneDNN and PyTorch.
dnnl() {
    echo '#include <dnnl.h>' | $cc -E - >/dev/null 2>&1 && echo yes
}
[ "$(dnnl)" ] || apt-get -qq install -y libdnnl-dev >/dev/null 2>&1 ||
    say "oneDNN" "not measured: apt-get install libdnnl-dev brings it"
set -- checker/tests/bench_fast.c -lm -lpthread
[ -z "$(dnnl)" ] || set -- -DWITH_DNNL "$@" -ldnnl
$cc -std=gnu11 -Ofast -march=native -fPIC -shared -o "$folder/others.so" "$@"
for threads in 1 2; do
    $cc -std=gnu11 -O3 -march=native -DTHREADS=$threads -fPIC -shared -Wl,-Bsymbolic -Iinclude \
        -include include/17_fast.h -o "$folder/fast_$threads.so" solutions/17_fast.c -lm -lpthread
done
for python in /usr/bin/python3 python3; do
    "$python" -c "import torch" 2>/dev/null && break
done
"$python" checker/tests/bench_fast.py "$folder/others.so" "$folder/fast_1.so" "$folder/fast_2.so"

# Lesson 12's solution against PyTorch, whichever python has it.
sources="checker/tests/bench_lstm.c checker/lessons/12_lstm/lab_reader.c checker/labs/network.c \
checker/labs/products.c checker/labs/attention.c checker/labs/digits.c solutions/12_lstm.c"
# shellcheck disable=SC2086 # lists of words
$cc -std=gnu11 -O3 -march=native -D_GNU_SOURCE -DREADER_HIDDEN=128 -DREADER_BATCH=64 -include build/config.h \
    -Ichecker/run -Ichecker/box -Ichecker/labs -Iinclude -isystem build/deps/cjson -o "$folder/lstm" \
    $sources build/engine.a -lm
for python in python3 /usr/bin/python3; do
    "$python" checker/tests/bench_lstm.py "$folder/lstm" 2>"$folder/lstm.said" && exit
    [ "$(cat "$folder/lstm.said")" = torch ] || break
done
grep -vx torch "$folder/lstm.said" >&2 && exit 1
say "normalized LSTM against PyTorch" "not measured: python3-torch is missing"
