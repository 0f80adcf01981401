"""Builds the page in `web/` with the environment's own npm, and skips what is already done.

bootstrap.py calls it, so only the standard library is used. Two notes say what was done: one beside the fetched
packages, one beside the built page; each holds a hash of what went in.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

FETCH = ("npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=60000")
BUILD = ("npm", "run", "--silent", "build")
LATEST_S = 600  # for a step that hangs
INPUTS = (
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
    "splitCatalogues.ts",
)
FOLDERS = ("public", "src")


class NotBuilt(Exception):
    """The page cannot be built here; the text says why."""


class Workshop:
    """The page's sources, and what is made of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.web = root / "web"
        self.packages = self.web / "node_modules"
        self.built = root / "src" / "dicehall" / "server" / "page"
        self.fetched_note = self.packages / ".dicehall-stamp"
        self.built_note = self.built / ".stamp"

    @property
    def there(self) -> bool:
        """A package of sources may come without the page's."""
        return (self.web / "package.json").exists()

    def current(self) -> bool:
        return not self.there or (read(self.built_note) == self.sources() and (self.built / "index.html").exists())

    def fetched(self) -> bool:
        return read(self.fetched_note) == fingerprint([self.web / "package-lock.json"])

    def sources(self) -> str:
        """A hash of everything that the page is made of, names and contents."""
        return fingerprint([*(self.web / name for name in INPUTS), *self.inside()])

    def inside(self) -> Iterator[Path]:
        yield from sorted((self.root / "src" / "dicehall" / "games").glob("*/words/*.json"))
        for folder in FOLDERS:
            yield from sorted(file for file in (self.web / folder).rglob("*") if file.is_file())

    def fetch(self, scripts: Path) -> None:
        """The packages that the lock names, their hashes checked."""
        run(FETCH, self.web, scripts)
        self.fetched_note.write_text(fingerprint([self.web / "package-lock.json"]), encoding="utf-8")

    def build(self, scripts: Path) -> None:
        """The page, and the note that it is current: last, so that a broken-off build is none."""
        sources = self.sources()
        run(BUILD, self.web, scripts)
        self.built_note.write_text(sources, encoding="utf-8")


def read(note: Path) -> str:
    try:
        return note.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def fingerprint(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0")
        if file.exists():
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def run(command: tuple[str, ...], folder: Path, scripts: Path) -> None:
    """A command of the environment, in the page's folder; raises NotBuilt with its last lines."""
    found = shutil.which(command[0], path=str(scripts))
    if found is None:
        raise NotBuilt(f"There is no {command[0]} in the environment.")
    # npm starts node by its name, and must find ours first.
    settings = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"}
    try:
        done = subprocess.run(
            [found, *command[1:]],
            cwd=folder,
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=LATEST_S,
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"{' '.join(command[:2])} did not end within {LATEST_S} s.") from None
    except OSError as problem:
        raise NotBuilt(f"{command[0]} cannot be run: {problem}.") from None
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        raise NotBuilt("\n".join([f"{' '.join(command[:2])} failed; its last lines:", *lines[-6:]]))
