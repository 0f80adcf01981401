"""What bootstrap.py decides, without installing anything: a made-up checkout with a made-up environment."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import bootstrap
from tools import build_page
from tools.environment import WINDOWS, Env, Trouble
from tools.installing import LOCKS, editable_wheel, last_lines, pinned

SOURCE = Path(bootstrap.__file__)
PYPROJECT = (
    '[project]\nname = "dicehall"\nversion = "1.2"\ndependencies = ["rich"]\nscripts = { dicehall = "a.b:run" }\n'
)
LOCK = """rich==1 \\
    --hash=sha256:00
    # via dicehall
uv==2 \\
    --hash=sha256:01 \\
    --hash=sha256:02
zz==3
"""


@pytest.fixture
def env(tmp_path: Path) -> Env:
    """A checkout whose environment is not made yet."""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    for lock in LOCKS.values():
        (tmp_path / lock).write_text(LOCK)
    return Env(tmp_path)


class Works:
    """Stands in for the slow steps: notes each and leaves behind what it would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps: list[str] = []
        self.trouble_with = ""
        monkeypatch.setattr(bootstrap, "make_venv", self.make_venv)
        monkeypatch.setattr(bootstrap, "install_lock", self.install_lock)
        monkeypatch.setattr(bootstrap, "install_project", self.install_project)

    def make_venv(self, env: Env) -> None:
        self.steps.append("venv")
        touch(env.python)
        touch(library(env) / "pip-1.dist-info")

    def install_lock(self, env: Env, lock: str, quick: bool) -> None:
        self.steps.append(lock)
        if lock == self.trouble_with:
            raise Trouble("no network")
        touch(library(env) / f"{lock}.dist-info")

    def install_project(self, env: Env) -> None:
        self.steps.append("project")
        touch(env.command)

    def of(self, env: Env, *kinds: str) -> list[str]:
        """The steps that a set-up takes now."""
        self.steps = []
        bootstrap.set_up(env, list(kinds), lambda line: None)
        return self.steps


def touch(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()


def library(env: Env) -> Path:
    inside = "Lib" if WINDOWS else "lib/python{}.{}".format(*sys.version_info[:2])
    return env.folder / inside / "site-packages"


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> Works:
    return Works(monkeypatch)


# --- what is done, and what is skipped -------------------------------------------------------------------------------


def test_a_second_set_up_has_nothing_to_do(env: Env, works: Works) -> None:
    assert works.of(env, "run") == ["venv", "requirements.lock", "project"]
    assert works.of(env, "run") == []


def test_everything_holds_what_playing_needs(env: Env, works: Works) -> None:
    assert works.of(env, "all") == ["venv", "requirements-all.lock", "project"]
    assert works.of(env, "run") == []
    assert works.of(env, "all") == []


def test_more_is_added_to_what_is_there(env: Env, works: Works) -> None:
    works.of(env, "run")
    assert works.of(env, "all") == ["requirements-all.lock"]
    assert works.of(env, "all", "bench") == ["requirements-bench.lock"]


def test_a_changed_lock_is_installed_again(env: Env, works: Works) -> None:
    works.of(env, "run")
    (env.root / "requirements.lock").write_text("rich==2\n")
    assert works.of(env, "run") == ["requirements.lock"]


def test_a_changed_pyproject_renews_the_command(env: Env, works: Works) -> None:
    works.of(env, "run")
    (env.root / "pyproject.toml").write_text(PYPROJECT + "\n")
    assert works.of(env, "run") == ["project"]


@pytest.mark.parametrize("broken", ["python", "command", "stamp", "package"])
def test_an_environment_with_something_missing_is_made_anew(env: Env, works: Works, broken: str) -> None:
    works.of(env, "run")
    missing = {
        "python": env.python,
        "command": env.command,
        "stamp": env.stamp,
        "package": library(env) / "requirements.lock.dist-info",
    }
    missing[broken].unlink()
    assert works.of(env, "run")[0] == "venv"


@pytest.mark.parametrize("stamp", ["", "[]", "{}", "nonsense"])
def test_a_stamp_that_makes_no_sense_counts_for_nothing(env: Env, works: Works, stamp: str) -> None:
    works.of(env, "run")
    env.stamp.write_text(stamp)
    assert env.done() == {}


def test_an_environment_of_another_python_is_made_anew(env: Env, works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    works.of(env, "run")
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    assert works.of(env, "run")[0] == "venv"


def test_an_environment_that_was_moved_is_made_anew(env: Env, works: Works, tmp_path: Path) -> None:
    works.of(env, "run")
    moved = tmp_path / "moved"
    moved.mkdir()
    env.folder.rename(moved / ".venv")
    assert Env(moved).done() == {}


def test_a_step_that_was_killed_leaves_nothing_to_trust(
    env: Env, works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    works.of(env, "run")

    def killed(env: Env, lock: str, quick: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "install_lock", killed)
    with pytest.raises(KeyboardInterrupt):
        works.of(env, "all")
    assert env.done() == {}


def test_a_network_that_fails_costs_nothing_that_was_finished(env: Env, works: Works) -> None:
    works.of(env, "run")
    works.trouble_with = "requirements-all.lock"
    with pytest.raises(Trouble):
        works.of(env, "all")
    assert works.of(env, "run") == []


# --- the page --------------------------------------------------------------------------------------------------------


class Shop:
    """Stands in for the page's workshop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps: list[str] = []
        self.trouble = False
        monkeypatch.setattr(build_page, "Workshop", lambda root: self)

    def current(self) -> bool:
        return "build" in self.steps

    def fetched(self) -> bool:
        return "fetch" in self.steps

    def fetch(self, scripts: Path) -> None:
        if self.trouble:
            raise build_page.NotBuilt("npm ci failed")
        self.steps.append("fetch")

    def build(self, scripts: Path) -> None:
        self.steps.append("build")


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Shop:
    return Shop(monkeypatch)


def test_the_page_is_built_once_with_what_its_lock_names(env: Env, works: Works, shop: Shop) -> None:
    works.of(env, "run")
    assert bootstrap.build_page(env, ["run"], lambda line: None) == 1
    assert works.steps[-1] == "requirements-page.lock"
    assert shop.steps == ["fetch", "build"]
    assert bootstrap.build_page(env, ["run"], lambda line: None) == 0
    assert works.of(env, "run") == []


def test_everything_holds_what_the_page_is_built_with(env: Env, works: Works, shop: Shop) -> None:
    works.of(env, "all")
    bootstrap.build_page(env, ["all"], lambda line: None)
    assert works.steps == ["venv", "requirements-all.lock", "project"]


@pytest.mark.parametrize("broken", ["packages", "node"])
def test_a_page_that_cannot_be_built_stops_nobody(env: Env, works: Works, shop: Shop, broken: str) -> None:
    works.of(env, "run")
    shop.trouble = broken == "packages"
    works.trouble_with = "requirements-page.lock" if broken == "node" else ""
    said: list[str] = []
    assert bootstrap.build_page(env, ["run"], said.append) == 0
    assert "The page was not built, so the hall shows a plain one" in said[-1]
    assert works.of(env, "run") == []


# --- sentences -------------------------------------------------------------------------------------------------------


def test_an_old_python_gets_a_sentence() -> None:
    assert bootstrap.too_old((3, 10)).startswith("Dicehall needs Python 3.11 or newer, and this is Python 3.10")
    assert bootstrap.too_old((3, 11)) == ""
    assert bootstrap.too_old((4, 0)) == ""


def test_an_old_python_gets_as_far_as_its_sentence() -> None:
    pretend = f"import sys, runpy; sys.version_info = (3, 8, 1); runpy.run_path({str(SOURCE)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == bootstrap.too_old((3, 8))


def test_an_old_python_can_read_the_whole_file() -> None:
    assert ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_a_missing_ensurepip_is_said_with_the_package_to_install(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "module_exists", lambda name: name != "ensurepip")
    with pytest.raises(Trouble) as trouble:
        bootstrap.set_up(env, ["run"], lambda line: None)
    assert "no 'ensurepip' module" in str(trouble.value)
    assert "apt-get install python{}.{}-venv".format(*sys.version_info[:2]) in str(trouble.value)
    assert not env.folder.exists()


def test_a_checkout_that_cannot_be_written_is_said(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(Trouble, match="You may not write in"):
        bootstrap.set_up(env, ["run"], lambda line: None)


def test_the_last_lines_of_pip_are_shown() -> None:
    shown = last_lines("\n".join(f"line {number}" for number in range(20)), 2)
    assert shown == "  line 18\n  line 19"


# --- small parts -----------------------------------------------------------------------------------------------------


def test_one_package_is_taken_out_of_a_lock_with_its_hashes(env: Env) -> None:
    found = pinned(env.root / "requirements-all.lock", "uv")
    assert found == "uv==2 \\\n    --hash=sha256:01 \\\n    --hash=sha256:02\n"


def test_the_wheel_of_the_project_points_at_its_sources(env: Env, tmp_path: Path) -> None:
    with zipfile.ZipFile(editable_wheel(env.root, tmp_path)) as wheel:
        files = {name: wheel.read(name).decode() for name in wheel.namelist()}
    assert files["dicehall.pth"] == f"{env.root / 'src'}\n"
    assert files["dicehall-1.2.dist-info/entry_points.txt"] == "[console_scripts]\ndicehall = a.b:run\n"
    assert "Requires-Dist: rich\n" in files["dicehall-1.2.dist-info/METADATA"]
    assert files["dicehall-1.2.dist-info/RECORD"].count("\n") == len(files)


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["--al"], 2), (["--all", "extra"], 2)])
def test_other_words_get_the_usage(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(arguments) == code
    assert capsys.readouterr().out.startswith("usage: python3 bootstrap.py")
