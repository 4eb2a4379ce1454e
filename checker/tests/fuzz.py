"""Runs every fuzz target for so many seconds, two at once: make fuzz SECONDS=60

What one finds is kept as build/fuzz/found/TARGET-..., and `build/fuzz/fuzz_TARGET FILE` repeats it. New
inputs that reach new code are only of use to this run: the corpus is made by the tests anew each time.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import fuzz_corpus
import run
from lesson_files import ROOT

FOUND = ROOT / "build" / "fuzz" / "found"
AT_ONCE = 2


def targets():
    return sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "checker/tests").glob("fuzz_*.c"))


def fuzz(target, seconds):
    """(inputs tried, what was said when something was found, or "")."""
    FOUND.mkdir(parents=True, exist_ok=True)
    command = [f"build/fuzz/fuzz_{target}", f"-max_total_time={seconds}", "-max_len=8192", "-timeout=20",
               "-rss_limit_mb=3000", "-close_fd_mask=3", "-print_final_stats=1",
               f"-artifact_prefix={FOUND}/{target}-", str(fuzz_corpus.make(target))]
    done = subprocess.run(command, cwd=ROOT, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False)
    tried = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    written = re.search(r"Test unit written to (\S+)", done.stderr)
    if not done.returncode and tried:
        return int(tried[1]), ""
    return int(tried[1]) if tried else 0, repeated(target, written[1]) if written else done.stderr[-3000:]


def repeated(target, path):
    """What the target says of that input alone, with nothing of it left out."""
    symbols = {"ASAN_SYMBOLIZER_PATH": shutil.which("addr2line") or ""}
    done = subprocess.run([f"build/fuzz/fuzz_{target}", path], cwd=ROOT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env={**os.environ, **symbols}, check=False)
    return f"build/fuzz/fuzz_{target} {path}\n" + "\n".join(
        line for line in done.stderr.splitlines() if not line.startswith("INFO"))[:3000]


def main(seconds):
    os.chdir(ROOT)
    run.like_a_learner()
    findings = total = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        names = targets()
        for name, (tried, said) in zip(names, pool.map(lambda name: fuzz(name, seconds), names)):
            findings += bool(said)
            total += tried
            print(f"{name:10} {tried:9} inputs in {seconds} s, "
                  f"{'FOUND something:' if said else 'nothing found'}", flush=True)
            print("".join(f"     {line}\n" for line in said.splitlines()), end="")
    print(f"\n{len(names)} targets, {total} inputs, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(int(os.environ.get("SECONDS", 60))))
