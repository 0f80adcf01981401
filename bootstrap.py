"""Sets Dicehall up in this folder with one command: `python3 bootstrap.py [--all] [--bench]`.

It makes `.venv`, installs what the lock files name (hashes checked) and the project itself, builds the page, and skips
what is already done. Only the standard library is used, and only syntax that Python 3.6 reads, so that an old Python
gets the sentence below and not a SyntaxError.
"""

import sys

OLDEST = (3, 11)


def too_old(version: "tuple[int, int]") -> str:  # in quotes, for an old Python has no tuple[int, int]
    """The sentence for a Python that is too old, or nothing."""
    if version >= OLDEST:
        return ""
    return "Dicehall needs Python 3.11 or newer, and this is Python {}.{}: run bootstrap.py with a newer one.".format(
        *version
    )


if too_old(sys.version_info[:2]):
    sys.exit(too_old(sys.version_info[:2]))

# Below the line above: an old Python must not get as far as a module or a type it does not have.
import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
USAGE = """usage: python3 bootstrap.py [--all] [--bench]

  (nothing)  what playing needs
  --all      also every optional part and the tools that test and check
  --bench    also what the benchmarks compare with
"""
LOCKS = {
    "run": "requirements.lock",
    "all": "requirements-all.lock",
    "bench": "requirements-bench.lock",
    "page": "requirements-page.lock",
}
WINDOWS = os.name == "nt"


class Trouble(Exception):
    """Something a person has to mend; the text is the sentence for them."""


# --- what is there already -------------------------------------------------------------------------------------------


class Env:
    """The `.venv` of a checkout and the stamp in it that says what was finished."""

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


def wanted(root: Path, kinds: list[str]) -> dict[str, str]:
    """Every step with the value that its stamp has when nothing is left to do, in the order of the work."""
    locks = {kind: fingerprint(root / LOCKS[kind]) for kind in kinds}
    return {"venv": venv_key(root), **locks, "project": fingerprint(root / "pyproject.toml", Path(__file__))}


def fingerprint(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


# --- the steps -------------------------------------------------------------------------------------------------------


def set_up(env: Env, kinds: list[str], say: Callable[[str], None]) -> int:
    """Does what is left to do, and tells how many steps that were."""
    want, done = wanted(env.root, kinds), env.done()
    left = [step for step in want if done.get(step) != want[step]]
    if left:
        check_machine(env)
    for step in left:
        started = time.monotonic()
        say(sentence(env, step))
        done = run_step(env, step, done)
        done[step] = want[step]
        if step == "all":  # the larger lock holds the smaller ones
            done.update((smaller, fingerprint(env.root / LOCKS[smaller])) for smaller in ("run", "page"))
        env.write(done)
        say(f"  done in {time.monotonic() - started:.1f} s")
    return len(left)


def sentence(env: Env, step: str) -> str:
    again = " anew, for it is incomplete or from elsewhere" if env.folder.exists() else ""
    return {
        "venv": f"Making .venv{again} ...",
        "run": f"Installing what playing needs ({LOCKS['run']}) ...",
        "all": f"Installing every part and the tools ({LOCKS['all']}) ...",
        "bench": f"Installing what the benchmarks need ({LOCKS['bench']}) ...",
        "page": f"Installing what builds the page ({LOCKS['page']}) ...",
        "project": "Putting the dicehall command into .venv ...",
    }[step]


def run_step(env: Env, step: str, done: dict[str, str]) -> dict[str, str]:
    """Runs one step and gives back what of the earlier ones still holds."""
    if step == "venv":
        make_venv(env)
        return {}
    env.write({**done, "begun": step})
    try:
        if step == "project":
            install_project(env)
        else:
            install_lock(env, LOCKS[step], quick=step != "run")
    except Trouble:
        # pip ended by itself and left the environment as it was, so what was finished before still is.
        env.write(done)
        raise
    return done


def check_machine(env: Env) -> None:
    """What would go wrong half-way is said before anything is touched."""
    if not os.access(env.root, os.W_OK) or (env.folder.exists() and not os.access(env.folder, os.W_OK)):
        raise Trouble(f"You may not write in {env.root}: copy the project to a folder of your own, or own this one.")
    missing = [name for name in ("venv", "ensurepip") if not module_exists(name)]
    if missing:
        raise Trouble(without_venv(missing[0], sys.version_info[:2]))


def module_exists(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def without_venv(missing: str, version: tuple[int, int]) -> str:
    package = "python{}.{}-venv".format(*version)
    return (
        f"This Python has no '{missing}' module: on Debian or Ubuntu install it with "
        f"'apt-get install {package}' (as root, or with sudo), then run bootstrap.py again."
    )


def make_venv(env: Env) -> None:
    import shutil
    import subprocess

    if env.folder.is_symlink() or env.folder.is_file():
        env.folder.unlink()
    elif env.folder.exists():
        shutil.rmtree(env.folder)
    # Out of process: a Python that runs inside an environment of its own still makes one for its base.
    command = [base_python(), "-I", "-m", "venv", str(env.folder)]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise Trouble(f"Making .venv failed:\n{last_lines(made.stdout)}")


def base_python() -> str:
    return str(getattr(sys, "_base_executable", "") or sys.executable)


def install_lock(env: Env, lock: str, quick: bool) -> None:
    """Installs a lock file: uv does in 3 s what takes pip 30, but only pip knows every setting of this machine.

    So the many packages of the larger locks are first tried with uv (which the lock itself names), then with pip.
    """
    if quick and install_with_uv(env, lock):
        return
    pip(env, "install", *WHEELS_ONLY, "-r", str(env.root / lock))


# Wheels only: building from source would fetch a build tool that no lock names and no hash guards.
WHEELS_ONLY = ("--require-hashes", "--only-binary", ":all:")


def install_with_uv(env: Env, lock: str) -> bool:
    import subprocess

    uv = env.scripts / ("uv.exe" if WINDOWS else "uv")
    if not uv.exists():
        only_uv = env.folder / "uv.lock.txt"
        only_uv.write_text(pinned(env.root / LOCKS["all"], "uv"), encoding="utf-8")
        pip(env, "install", *WHEELS_ONLY, "-r", str(only_uv))
        only_uv.unlink()
    command = [str(uv), "pip", "install", "--quiet", "--python", str(env.python)]
    done = subprocess.run(
        [*command, *WHEELS_ONLY, "-r", str(env.root / lock)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return done.returncode == 0


def pinned(lock: Path, name: str) -> str:
    """The lines of one package in a lock: its version and, indented below it, its hashes."""
    head, *tail = lock.read_text(encoding="utf-8").partition(f"\n{name}==")[1:]
    lines = (head + "".join(tail)).strip().splitlines()
    return "\n".join(lines[:1] + list(takewhile(lambda line: line.startswith(" "), lines[1:]))) + "\n"


def install_project(env: Env) -> None:
    """Installs the project so that changed sources count at once, without fetching a build tool.

    An editable wheel is only a zip with a .pth file; pip then makes the command as it does for any package.
    """
    wheel = editable_wheel(env.root, env.folder)
    pip(env, "install", "--no-index", "--no-deps", "--force-reinstall", str(wheel))
    wheel.unlink()


def editable_wheel(root: Path, folder: Path) -> Path:
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = f"{project['name']}-{project['version']}"
    scripts = "".join(f"{command} = {target}\n" for command, target in project["scripts"].items())
    needs = "".join(f"Requires-Dist: {need}\n" for need in project["dependencies"])
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n{needs}"
    files = {
        f"{project['name']}.pth": f"{root / 'src'}\n",
        f"{name}.dist-info/METADATA": about,
        f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}.dist-info/entry_points.txt": f"[console_scripts]\n{scripts}",
    }
    return zipped(folder / f"{name}-py3-none-any.whl", files, f"{name}.dist-info/RECORD")


def zipped(wheel: Path, files: dict[str, str], record: str) -> Path:
    import zipfile

    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(record, "".join(f"{path},,\n" for path in [*files, record]))
    return wheel


def pip(env: Env, *arguments: str) -> None:
    import subprocess

    # A person's own PIP_USER=1 would send packages out of the environment; -I keeps PYTHONPATH from doing so.
    settings = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    done = subprocess.run(
        [str(env.python), "-I", "-m", "pip", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=settings,
    )
    if done.returncode:
        raise Trouble(f"Installing failed (is the network there?); the last lines of pip:\n{last_lines(done.stdout)}")


# pip says the same thing at every try; the last one is enough.
NOISE = re.compile(r"WARNING: (Location|Retrying \(Retry\(total=[1-9])")


def last_lines(text: str, count: int = 6) -> str:
    lines = [line for line in text.splitlines() if line.strip() and not NOISE.match(line)]
    return "\n".join(f"  {line}" for line in lines[-count:])


# --- the page ---------------------------------------------------------------------------------------------------------


def build_page(env: Env, kinds: list[str], say: Callable[[str], None]) -> int:
    """Builds the page if it is not current. Where that cannot be done the hall still works, with a plain front page."""
    from tools.build_page import NotBuilt, Workshop

    shop = Workshop(env.root)
    if shop.current():
        return 0
    try:
        set_up(env, [*kinds, "page"], say)
        started = time.monotonic()
        if not shop.fetched():
            say("Fetching what the page is built with (web/package-lock.json) ...")
            shop.fetch(env.scripts)
        say("Building the page ...")
        shop.build(env.scripts)
        say(f"  done in {time.monotonic() - started:.1f} s")
        return 1
    except (Trouble, NotBuilt, OSError) as trouble:
        say(f"The page was not built, so the hall shows a plain one; the rest works. Why:\n{trouble}")
        return 0


def browser_for_tests(say: Callable[[str], None]) -> int:
    from tools.browser import install_browser

    return install_browser(say)


# --- the command -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Two set-ups in one folder wait for each other (where the system has file locks of this kind)."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(__file__, encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(arguments: list[str]) -> int:
    if set(arguments) - {"--all", "--bench"}:
        print(USAGE, end="")
        return 0 if set(arguments) <= {"-h", "--help"} else 2
    kinds = ["all" if "--all" in arguments else "run"] + ["bench"] * ("--bench" in arguments)
    env, started = Env(ROOT), time.monotonic()
    try:
        with alone():
            steps = set_up(env, kinds, say) + build_page(env, kinds, say)
            if "all" in kinds:
                steps += browser_for_tests(say)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except OSError as problem:
        print(f"The set-up could not go on: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped; run bootstrap.py again to finish.", file=sys.stderr)
        return 130
    if steps:
        say(f"Ready after {time.monotonic() - started:.1f} s: {env.command.relative_to(ROOT)}")
    return 0


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
