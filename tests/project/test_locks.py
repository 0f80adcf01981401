"""The lock files hold no addresses, guard everything with hashes, and are in step with pyproject.toml."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
KINDS = ("*.lock", "package-lock.json", "npm-shrinkwrap.json", "pylock*.toml")
ADDRESS = re.compile(r"https?:|://|@ *git|git\+|file:|(?<![\w.+/=-])/\w+/")  # the last: a path of somebody's machine


def locks(root: Path = ROOT) -> list[Path]:
    """Every lock file of the project: not of what set-up fetched, nor of a hall that runs in the checkout."""
    found = []
    for folder, below, files in os.walk(root):
        below[:] = [name for name in below if name not in {".venv", "node_modules", ".git"}]
        named = [name for name in files if any(fnmatch(name, kind) for kind in KINDS)]
        found += [Path(folder, name) for name in named if not of_a_database(name, files)]
    return sorted(found)


def of_a_database(name: str, files: list[str]) -> bool:
    """A hall locks its database, whatever it is called, with a file beside it."""
    database = name.removesuffix(".lock")
    return database != name and (database in files or database.endswith((".db", ".sqlite3")))


def addresses(text: str) -> list[str]:
    return [line for line in text.splitlines() if ADDRESS.search(line)]


def pins(text: str) -> Iterator[tuple[str, str, bool]]:
    """Name, version and "has hashes" of each requirement in a lock; both versions where two Pythons differ."""
    for block in re.split(r"\n(?=\S)", text.strip()):
        name, _, version = block.split()[0].partition("==")
        yield canonicalize_name(name), version, "--hash=sha256:" in block


def unguarded(text: str) -> list[str]:
    """The packages of a package-lock.json without a hash; the nameless one is the page itself."""
    packages = json.loads(text)["packages"]
    return [name for name, package in packages.items() if name and "integrity" not in package]


def out_of_step(needs: list[str], text: str) -> list[str]:
    """The requirements of pyproject.toml that a lock does not hold in a version they allow."""
    locked = [(name, version) for name, version, _ in pins(text)]
    return [need for need in needs if not any(fits(Requirement(need), *pin) for pin in locked)]


def fits(need: Requirement, name: str, version: str) -> bool:
    return canonicalize_name(need.name) == name and need.specifier.contains(Version(version))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_lock_of_a_hall_that_runs_in_the_checkout_is_none_of_the_project(tmp_path: Path) -> None:
    for name in ("dicehall.db", "dicehall.db.lock", "old.db.lock", "friday", "friday.lock", "requirements.lock"):
        (tmp_path / name).touch()
    assert locks(tmp_path) == [tmp_path / "requirements.lock"]


def test_git_ignores_what_a_hall_in_the_checkout_writes() -> None:
    ignored = read(".gitignore").splitlines()
    assert {"*.db", "*.db-*", "*.db.lock"} <= set(ignored)


@pytest.mark.parametrize("lock", locks(), ids=lambda file: file.name)
def test_a_lock_holds_no_address(lock: Path) -> None:
    assert addresses(lock.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("lock", sorted(ROOT.glob("requirements*.lock")), ids=lambda file: file.name)
def test_every_locked_requirement_is_pinned_and_has_hashes(lock: Path) -> None:
    found = list(pins(lock.read_text(encoding="utf-8")))
    assert found
    assert [name for name, version, hashed in found if not (version and hashed)] == []


def test_every_locked_package_of_a_page_has_a_hash() -> None:
    pages = [file for file in locks() if file.name == "package-lock.json"]
    assert [name for page in pages for name in unguarded(page.read_text(encoding="utf-8"))] == []


def test_the_locks_that_set_up_uses_are_there() -> None:
    names = {file.name for file in locks()}
    assert {"requirements.lock", "requirements-all.lock", "requirements-bench.lock", "requirements-page.lock"} <= names
    assert "package-lock.json" in names


def test_the_lock_for_running_is_in_step_and_holds_no_more() -> None:
    assert out_of_step(PROJECT["dependencies"], read("requirements.lock")) == []
    locked = {name for name, _, _ in pins(read("requirements.lock"))}
    others = {canonicalize_name(Requirement(need).name) for needs in EXTRAS.values() for need in needs}
    assert not locked & others


def test_the_lock_for_everything_is_in_step() -> None:
    needs = PROJECT["dependencies"] + [need for extra in EXTRAS if extra != "bench" for need in EXTRAS[extra]]
    assert out_of_step(needs, read("requirements-all.lock")) == []


def test_the_lock_for_the_benchmarks_is_in_step() -> None:
    assert out_of_step(PROJECT["dependencies"] + EXTRAS["bench"], read("requirements-bench.lock")) == []


def test_the_lock_for_the_page_is_in_step() -> None:
    assert out_of_step(PROJECT["dependencies"] + EXTRAS["page"], read("requirements-page.lock")) == []


def test_the_pages_lock_is_in_step_with_what_it_asks_for() -> None:
    wanted = json.loads(read("web/package.json"))["devDependencies"]
    assert json.loads(read("web/package-lock.json"))["packages"][""]["devDependencies"] == wanted


def test_the_built_page_is_part_of_the_wheel_though_git_ignores_it() -> None:
    hatch = tomllib.loads(read("pyproject.toml"))["tool"]["hatch"]["build"]
    assert "/src/dicehall/server/page/" in hatch["artifacts"]
    assert "src/dicehall/server/page/" in read(".gitignore").splitlines()


def test_npm_writes_no_addresses_into_the_pages_lock() -> None:
    assert "omit-lockfile-registry-resolved=true" in read("web/.npmrc").splitlines()


PLATFORMS = ("darwin-arm64", "darwin-x64", "linux-arm64-gnu", "linux-x64-gnu", "linux-x64-musl", "win32-x64-msvc")


def test_the_pages_lock_has_its_bundler_for_every_usual_platform() -> None:
    """The newest bundler may lack some of them at first, and npm then refuses its own lock."""
    packages = json.loads(read("web/package-lock.json"))["packages"]
    needed = packages["node_modules/rolldown"]["optionalDependencies"]
    assert [name for name in needed if f"node_modules/{name}" not in packages] == []
    assert [one for one in PLATFORMS if f"@rolldown/binding-{one}" not in needed] == []


@pytest.mark.parametrize("smaller", ["requirements.lock", "requirements-bench.lock", "requirements-page.lock"])
def test_one_package_has_the_same_versions_in_every_lock(smaller: str) -> None:
    everything = {(name, version) for name, version, _ in pins(read("requirements-all.lock"))}
    names = {name for name, _ in everything}
    assert [pin[:2] for pin in pins(read(smaller)) if pin[0] in names and pin[:2] not in everything] == []


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://example.org/simple",
        "rich @ git+ssh://example.org/rich",
        "rich @ file:wheels/rich.whl",
        '"resolved": "http://example.org/left-pad.tgz"',
        "    # via -r /home/somebody/dicehall/pyproject.toml",
    ],
)
def test_an_address_would_be_found(line: str) -> None:
    assert addresses(f"rich==15.0.0 \\\n{line}\n") == [line]


def test_a_requirement_without_a_hash_would_be_found() -> None:
    text = "a==1 \\\n    --hash=sha256:00\n    # via b\nb==2\n    # via c\n"
    assert [(name, hashed) for name, _, hashed in pins(text)] == [("a", True), ("b", False)]


def test_a_package_without_a_hash_would_be_found() -> None:
    assert unguarded('{"packages": {"": {}, "a": {"integrity": "sha512-00"}, "b": {}}}') == ["b"]


def test_a_requirement_that_moved_on_would_be_found() -> None:
    assert out_of_step(["A_b>=2", "c"], "a-b==1 \\\n    --hash=sha256:00\nc==1\n") == ["A_b>=2"]
