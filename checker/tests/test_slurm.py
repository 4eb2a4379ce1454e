"""make grade SLURM=yes, by a real slurmctld and two slurmd on this machine: what comes out is what `make grade`
writes without it, though a node is killed in the middle or the job is cancelled.

The daemons have a folder, a key and ports of their own; nothing of /etc is read. 1,000 students hand in 60
different files, each of which is a verdict. `DIFFERENT=1000 make test TESTS=slurm`: every one differs.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from lesson_files import ROOT
from watching import wait_until
from workbook_copy import WorkbookCopy

FIRST = "01_layer_norm"
RIGHT = (ROOT / "solutions" / f"{FIRST}.c").read_text()
HAND_INS, DIFFERENT = 1000, int(os.environ.get("DIFFERENT", 60))
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scancel", "sinfo", "squeue")
CONF = """ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
SlurmctldPort={ports[0]}
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool.%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
MailProg=/bin/true
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
SlurmdTimeout=5
KillWait=1
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
PartitionName=none Nodes=n1 MaxTime=INFINITE State=DOWN
"""


def free_ports(count):
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def daemon(*command):
    """Runs in the foreground, as a child of this test; ended with it."""
    with open(PLACE / f"{command[0]}.said", "ab") as said:
        process = subprocess.Popen(command, env=ENV, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    unittest.addModuleCleanup(end, process)
    return process


def end(process):
    process.kill()
    process.wait()


@unittest.skipUnless(os.geteuid() == 0, "only root can run Slurm's daemons")
@unittest.skipUnless(all(map(shutil.which, PROGRAMS)), "Slurm is not installed (slurm-wlm)")
def setUpModule():
    global PLACE, ENV, COPY, NODES, LOCAL
    PLACE = pathlib.Path(tempfile.mkdtemp(prefix="slurm."))
    unittest.addModuleCleanup(shutil.rmtree, PLACE, ignore_errors=True)
    (PLACE / "state").mkdir()
    (PLACE / "slurm.conf").write_text(CONF.format(place=PLACE, ports=free_ports(3)))
    (PLACE / "munge.key").write_bytes(os.urandom(128))
    (PLACE / "munge.key").chmod(0o400)
    ENV = {**os.environ, "SLURM_CONF": str(PLACE / "slurm.conf"), "LC_ALL": "C.UTF-8"}
    COPY = WorkbookCopy().__enter__()
    unittest.addModuleCleanup(COPY.__exit__, None, None, None)
    files = {"socket": "munge.socket", "key-file": "munge.key", "pid-file": "munged.pid", "log-file": "munged.log",
             "seed-file": "munged.seed"}
    daemon("munged", "--foreground", "--force", *(f"--{name}={PLACE / file}" for name, file in files.items()))
    wait_until((PLACE / "munge.socket").exists, "munged")
    daemon("slurmctld", "-D", "-c")
    NODES = {name: daemon("slurmd", "-D", "-N", name) for name in ("n1", "n2")}
    try:
        wait_until(lambda: idle() == ["n1", "n2"], "two idle nodes")
    except AssertionError as error:
        logs = "\n".join(f"{path.name}:\n{path.read_text()[-1500:]}" for path in sorted(PLACE.glob("*.log")))
        raise AssertionError(f"{error}\n{logs}") from error
    for number in range(HAND_INS):
        text = (RIGHT, RIGHT.replace("distance * distance", "distance + distance"), "not C", RIGHT)[number % 4]
        COPY.write(f"class/student {number:03}/{FIRST}.c", f"{text}/* {number % DIFFERENT} */\n")
    LOCAL = grade("local")
    if LOCAL.returncode:
        raise AssertionError(LOCAL.stdout + LOCAL.stderr)


def idle():
    run = subprocess.run(["sinfo", "-h", "-N", "-t", "idle", "-p", "all", "-o", "%N"], env=ENV, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return sorted(run.stdout.split())


def start_what_waits():
    """Slurm lets a part that lost its node wait for two minutes. Here it need not."""
    waiting = subprocess.run(["squeue", "-h", "-r", "-t", "PD", "-o", "%F_%K"], env=ENV, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.split()
    for part in waiting:
        subprocess.run(["scontrol", "update", f"JobId={part}", "StartTime=now"], env=ENV, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def waiting_or_running():
    return subprocess.run(["squeue", "-h"], env=ENV, text=True, stdout=subprocess.PIPE, check=True).stdout


def words(out, *more):
    return ["make", "-s", "grade", "CLASS=class", "LESSONS=01", "SEED=7", f"OUT={out}", *more]


def grade(out, *more):
    return COPY.run(words(out, *more), env=ENV)


def verdicts(out):
    """Whole ones: what a cancelled part has begun to write goes away."""
    return sorted((COPY.path / out / "kept" / "verdicts").glob("*.json"))


def book(out):
    """The grade book and the feedback, without times and the folder's own name."""
    found = {}
    for path in [*(COPY.path / out).glob("*"), *(COPY.path / out / "feedback").glob("*")]:
        if path.is_file():
            text = re.sub(r'\(\d+\.\d+ s|"seconds": *[\d.e-]+|"graded": *"[^"]*"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ?)?',
                          "(time)", path.read_text())
            found[str(path.relative_to(COPY.path / out))] = text.replace(out, "OUT")
    return found


def parts_on(node):
    """The processes that grade on that node, behind their parents, Slurm's own: one of these that outlives
    its part for a moment says that it has failed, which no node does that dies."""
    found, parents = set(), set()
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            environment = (entry / "environ").read_bytes().split(b"\0")
            if f"SLURMD_NODENAME={node}".encode() in environment and f"SLURM_CONF={PLACE}".encode() in b"\0".join(environment):
                found.add(int(entry.name))
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if b"slurmstepd" in (pathlib.Path("/proc") / str(parent) / "cmdline").read_bytes():
                    parents.add(parent)
    return [*parents, *(found - parents)]


class Slurm(unittest.TestCase):
    def start(self, out, *more):
        process = subprocess.Popen(words(out, "SLURM=yes", *more), cwd=COPY.path, env=ENV, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   process_group=0)
        self.addCleanup(end, process)
        return process

    def assert_same(self, out):
        expected, got = book("local"), book(out)
        self.assertEqual(set(expected), set(got))
        self.assertIn("grades.csv", expected)
        for name in expected:
            self.assertEqual(expected[name], got[name], name)

    def test_a_cancelled_job_is_gone_on_with_and_Ctrl_C_cancels_it(self):
        process = self.start("cancelled")
        wait_until(lambda: len(verdicts("cancelled")) > 2, "the first verdicts")
        subprocess.run(["scancel", "--name=make-grade"], env=ENV, check=True)
        _, errors = process.communicate(timeout=1800)
        self.assertEqual(process.returncode, 2)  # make's own; make grade ended with 3
        self.assertIn("Error 3", errors)
        self.assertIn("files are left: Slurm's array was cancelled", errors)
        self.assertFalse((COPY.path / "cancelled" / "grades.csv").exists())
        kept = {path: path.stat().st_mtime_ns for path in verdicts("cancelled")}
        self.assertLess(len(kept), DIFFERENT)
        process = self.start("cancelled")
        wait_until(lambda: len(verdicts("cancelled")) > len(kept) + 1, "some more verdicts")
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=1800)
        self.assertIn("Error 130", errors)
        self.assertRegex(errors, r"Slurm's job \d+ is cancelled\.\nStopped\. \d+ of \d+ different files are graded")
        wait_until(lambda: not waiting_or_running(), "the end of the job")
        self.assertLess(len(verdicts("cancelled")), DIFFERENT)
        again = grade("cancelled", "SLURM=yes")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, kept)
        self.assert_same("cancelled")

    def test_what_a_killed_node_had_in_hand_is_graded_by_another(self):
        process = self.start("killed", "SLURM_OPTIONS=--comment=a --partition=all")
        wait_until(lambda: parts_on("n2") and len(verdicts("killed")) > 2, "work on both nodes")
        end(NODES["n2"])
        for pid in parts_on("n2"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.assertLess(len(verdicts("killed")), DIFFERENT)
        while process.poll() is None:
            start_what_waits()
            time.sleep(1)
        self.assertEqual(process.returncode, 0, process.stderr.read())
        self.assertEqual(idle(), ["n1"])
        self.assert_same("killed")
        NODES["n2"] = daemon("slurmd", "-D", "-N", "n2")

    def test_its_options_reach_sbatch_and_what_sbatch_refuses_is_said(self):
        refused = grade("refused", "SLURM=yes", "SLURM_OPTIONS=--partition=nowhere")
        self.assertEqual(refused.returncode, 2)
        itself = COPY.run(["sbatch", "--partition=nowhere", "--wrap", "true"], env=ENV)
        self.assertNotEqual(itself.returncode, 0)
        self.assertIn(itself.stderr.strip(), refused.stderr)
        self.assertIn(f"{DIFFERENT} files are left", refused.stderr)


if __name__ == "__main__":
    unittest.main()
