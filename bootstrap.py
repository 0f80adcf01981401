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
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tools import installing  # beside this file, and like it of the standard library alone
from tools.environment import Env, Trouble, fingerprint, venv_key
from tools.installing import LOCKS, install_lock, install_project, last_lines

ROOT = Path(__file__).resolve().parent
USAGE = """usage: python3 bootstrap.py [--all] [--bench]

  (nothing)  what playing needs
  --all      also every optional part and the tools that test and check
  --bench    also what the benchmarks compare with
"""


def wanted(root: Path, kinds: list[str]) -> dict[str, str]:
    """Every step with the value that its stamp has when nothing is left to do, in the order of the work."""
    locks = {kind: fingerprint(root / LOCKS[kind]) for kind in kinds}
    project = fingerprint(root / "pyproject.toml", Path(__file__), Path(installing.__file__))
    return {"venv": venv_key(root), **locks, "project": project}


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


def programs_for_tests(env: Env, say: Callable[[str], None]) -> int:
    """What only tests need, and no lock file can name."""
    from tools.browser import install_browser
    from tools.display import install_display
    from tools.nginx import install_nginx

    return install_browser(say) + install_nginx(env.folder, say) + install_display(say)


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
                steps += programs_for_tests(env, say)
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
