"""A small Debian archive in a folder, for the tests of checker/deps/: source packages that hold the
files which build/deps/ already has, so that fetching can be tested without a network.

The packages look as Debian's do: an upstream tarball with one folder on top, and a second one with
debian/patches.
"""

import difflib
import hashlib
import io
import pathlib
import re
import tarfile

PINS = (pathlib.Path(__file__).resolve().parents[1] / "deps/pins.txt").read_text()

# package, folder inside it (None: its archive has no folder on top), library, its files
PACKAGES = (
    ("zeromq3", "external/unity/", "unity", ("unity.c", "unity.h", "unity_internals.h")),
    ("redis", "deps/linenoise/", "linenoise", ("linenoise.c", "linenoise.h")),
    ("cjson", "", "cjson", ("cJSON.c", "cJSON.h")),
    ("tcc", None, "tcc", tuple(re.findall(r"^\w{64}  tcc/(\S+)", PINS, re.MULTILINE))),
    ("md4c", "src/", "md4c", ("md4c.c", "md4c.h")),
)


def tarball(path, members):
    with tarfile.open(path, "w:" + path.suffix[1:]) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


def entry(path):
    return f" {hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_size} {path.name}\n"


def patch(name, before, after):
    """A patch, as Debian keeps it, that turns one content of a file into the other."""
    lines = difflib.unified_diff(before.decode().splitlines(True), after.decode().splitlines(True),
                                 "a/" + name, "b/" + name)
    return ("Description: a test\n" + "".join(lines)).encode()


def make(folder, files, patches=None):
    """Writes an archive of the suite "stable"; `files` has each library's files, by "cjson/cJSON.c";
    `patches` are those of cjson."""
    pool = folder / "pool"
    pool.mkdir(parents=True)
    sources = ""
    for package, inside, library, names in PACKAGES:
        upstream = pool / f"{package}_1.0.orig.tar.{'gz' if inside is not None else 'bz2'}"
        above = f"{package}-1.0/{inside}" if inside is not None else ""
        debian = pool / f"{package}_1.0-1.debian.tar.xz"
        tarball(upstream, {above + name: files[f"{library}/{name}"]
                           for name in names})
        series = (patches or {}) if package == "cjson" else {"other.patch": b"not for our files\n"}
        members = {"debian/patches/" + name: text for name, text in series.items()}
        members["debian/patches/series"] = "".join(f"{name}\n" for name in series).encode()
        tarball(debian, members)
        dsc = pool / f"{package}_1.0-1.dsc"
        head = f"Format: 3.0 (quilt)\nBinary: {package}\nArchitecture: any\nVersion: 1.0-1\n"
        dsc.write_text(f"{head}Source: {package}\nChecksums-Sha256:\n{entry(upstream)}{entry(debian)}")
        sources += (f"Package: {package}\n{head}Directory: pool\nChecksums-Sha256:\n"
                    f"{entry(dsc)}{entry(upstream)}{entry(debian)}\n")
    index = folder / "dists/stable/main/source/Sources"
    index.parent.mkdir(parents=True)
    index.write_text(sources)
    checksum = entry(index).replace(" Sources", " main/source/Sources")
    (folder / "dists/stable/Release").write_text(
        f"Suite: stable\nCodename: stable\nComponents: main\nSHA256:\n{checksum}")
