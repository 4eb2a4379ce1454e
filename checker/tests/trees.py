"""Where the tests of the built checker run: this checkout, as it was built last."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def here():
    """This checkout, and whether it was built with sanitizers."""
    config = (ROOT / "build" / "config.mk").read_text()
    return ROOT, re.search(r"^SANITIZED := (\d)", config, re.MULTILINE).group(1) == "1"
