"""The environment of a checkout, `.venv`, and the stamp in it that says what was finished.

bootstrap.py calls it, so only the standard library is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

WINDOWS = os.name == "nt"


class Trouble(Exception):
    """Something a person has to mend; the text is the sentence for them."""


class Env:
    """Where everything in it is, and what of it is done."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.scripts = self.folder / ("Scripts" if WINDOWS else "bin")
        self.python = self.scripts / ("python.exe" if WINDOWS else "python")
        self.command = self.scripts / ("dicehall.exe" if WINDOWS else "dicehall")
        self.stamp = self.folder / "dicehall-stamp.json"

    def done(self) -> dict[str, str]:
        """The finished steps; none when the environment is missing, broken or for another Python."""
        try:
            found = json.loads(self.stamp.read_text(encoding="utf-8"))
            whole = set(found.pop("packages").split()) <= set(self.packages())
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            return {}
        # A step that was begun and never ended (a kill, a power cut) leaves packages that pip cannot mend.
        if "begun" in found or not (whole and self.python.exists() and self.command_is_there(found)):
            return {}
        return found if found.get("venv") == venv_key(self.root) else {}

    def command_is_there(self, done: dict[str, str]) -> bool:
        return "project" not in done or self.command.exists()

    def packages(self) -> list[str]:
        """What is installed, by the folders of its metadata: listing them takes no time, asking pip does."""
        library = "Lib" if WINDOWS else "lib/python{}.{}".format(*sys.version_info[:2])
        found = os.listdir(self.folder / library / "site-packages")
        return sorted(name for name in found if name.endswith(".dist-info"))

    def write(self, done: dict[str, str]) -> None:
        noted = {**done, "packages": " ".join(self.packages())}
        self.stamp.write_text(json.dumps(noted, indent=1), encoding="utf-8")


def venv_key(root: Path) -> str:
    """An environment belongs to one Python and to one place: scripts hold its path."""
    return f"{sys.implementation.cache_tag} {sys.platform} {root}"


def fingerprint(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
