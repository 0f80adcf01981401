"""A wheel from a fresh clone holds the page, or is not made and says why: real runs of pip, without the network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.launch.running import ROOT
from tests.project.test_build_page import NPM

PAGE = "dicehall/server/page/index.html"
PLAIN = b"Programs play here"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What git does not ignore, and so neither the built page nor the packages that build it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        if not name.startswith(("tests/", "docs/")) and (ROOT / name).is_file():
            copied = tmp_path / "clone" / name
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copied)
    return tmp_path / "clone"


def with_npm(clone: Path) -> str:
    """A PATH on which a made-up npm comes first; it leaves what the real one would."""
    folder = clone.parent / "bin"
    folder.mkdir()
    (folder / "npm").write_text(NPM)
    (folder / "npm").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def build(clone: Path, path: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command or wheel_command(clone),
        cwd=clone,
        env={**os.environ, "PATH": path, "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def wheel_command(source: Path) -> list[str]:
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir"]
    return [sys.executable, "-m", "pip", "wheel", *offline, "-w", str(wheels(source)), str(source)]


def wheels(source: Path) -> Path:
    return source.parent / "wheels"


def names_in(folder: Path) -> list[str]:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_a_wheel_from_a_clone_without_a_page_builds_the_page(clone: Path) -> None:
    built = build(clone, with_npm(clone))
    assert built.returncode == 0, built.stdout + built.stderr
    assert (clone / "web/calls").read_text().split() == ["ci", "run"]
    names = names_in(wheels(clone))
    assert PAGE in names
    assert "dicehall/games/wards/words/en.json" in names
    assert {"dicehall/venue/tavern.toml", "dicehall/venue/page/nui.js"} <= set(names)


def test_a_wheel_whose_page_cannot_be_built_is_not_made_and_says_why(clone: Path) -> None:
    (clone / "web/broken").touch()
    built = build(clone, with_npm(clone))
    assert built.returncode != 0
    said = built.stdout + built.stderr
    assert "The page of Dicehall could not be built, so there is no package." in said
    assert "npm error: really none" in said
    assert "Run `python3 bootstrap.py` in the checkout" in said
    assert not wheels(clone).exists() or not list(wheels(clone).glob("*.whl"))


@pytest.mark.proof
def test_a_source_package_holds_the_page_and_makes_the_same_wheel_without_npm(clone: Path, tmp_path: Path) -> None:
    path = with_npm(clone)
    source = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path / "dist")]
    built = build(clone, path, *source)
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = (tmp_path / "dist").glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    assert (folder / "src" / PAGE).exists()
    built = build(folder, path)
    assert built.returncode == 0, built.stdout + built.stderr
    assert (folder / "web/calls").read_text().split() == ["ci", "run"]  # packed with the rest; nothing was built again
    assert PAGE in names_in(wheels(folder))


def test_sources_with_neither_page_nor_web_are_not_packed(clone: Path) -> None:
    shutil.rmtree(clone / "web")
    built = build(clone, os.environ["PATH"])
    assert built.returncode != 0
    assert "There is neither a built page in src/dicehall/server/page nor its sources in web." in (
        built.stdout + built.stderr
    )


@pytest.mark.proof
def test_a_hall_from_a_wheel_of_a_clone_serves_the_real_page(clone: Path, tmp_path: Path) -> None:
    (clone / "web/node_modules").symlink_to(ROOT / "web/node_modules")  # fetched by the set-up, as npm ci would
    built = build(clone, f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = wheels(clone).glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
    command = [sys.executable, "-m", "dicehall", "serve", "--port", "0", "--db", str(tmp_path / "hall.db")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as hall:
        try:
            assert hall.stdout is not None
            found = re.match(r"Dicehall is running at (http://[0-9.:]+)\. ", hall.stdout.readline())
            assert found
            asked = urllib.request.Request(found[1], headers={"accept": "text/html"})
            with urllib.request.urlopen(asked, timeout=60) as answer:
                page = answer.read()
        finally:
            hall.terminate()
    assert PLAIN not in page
    assert b"<script" in page
