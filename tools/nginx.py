"""The web server that `deploy/nginx.conf` is tested with: the machine's nginx, else Debian's, unpacked into `.venv`.

Unpacked and not installed: installing the package would start a server on port 80. bootstrap.py calls this, so only the
standard library is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.browser import apt

BY_HAND = "apt-get install nginx"
MAIN = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/dicehall.conf;
}}
"""  # the whole of it in one folder, in the foreground, as whichever user


def find_nginx(environment: Path) -> str | None:
    """The program: on the PATH, where Debian puts it, or in the environment of the checkout."""
    places = [os.environ.get("PATH", ""), "/usr/sbin", str(environment / "nginx" / "usr" / "sbin")]
    return shutil.which("nginx", path=os.pathsep.join(places))


def install_nginx(environment: Path, say: Callable[[str], None]) -> int:
    """For the tests of deploy/: unpacked where the system is Debian's kind, asked for elsewhere."""
    if find_nginx(environment):
        return 0
    missing = f"There is no nginx here, so the tests of deploy/ will be skipped. On Debian or Ubuntu: {BY_HAND}"
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        say(missing)
        return 0
    say("Unpacking a web server for the tests of deploy/ (nginx) ...")
    started = time.monotonic()
    if unpack(environment / "nginx"):
        say(f"  done in {time.monotonic() - started:.1f} s")
        return 1
    say(f"  That failed. {missing}")
    return 0


def unpack(folder: Path) -> bool:
    with tempfile.TemporaryDirectory() as name:
        fetched = Path(name)
        fetched.chmod(0o755)  # apt fetches as a user of its own
        if not (
            apt("download", "nginx", folder=fetched) or (apt("update") and apt("download", "nginx", folder=fetched))
        ):
            return False
        packages = list(fetched.glob("nginx_*.deb"))
        return len(packages) == 1 and subprocess.run(["dpkg-deb", "-x", packages[0], folder]).returncode == 0
