"""Installing into the environment of a checkout: what the lock files name, and the project itself.

bootstrap.py calls it, so only the standard library is used.
"""

from __future__ import annotations

import os
import re
import subprocess
from itertools import takewhile
from pathlib import Path

from tools.environment import WINDOWS, Env, Trouble

LOCKS = {
    "run": "requirements.lock",
    "all": "requirements-all.lock",
    "bench": "requirements-bench.lock",
    "page": "requirements-page.lock",
}


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
    import tomllib  # here, and zipfile below: nearly always there is nothing to install, and nobody should wait

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
