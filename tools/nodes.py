"""A hall on several nodes, to try: `python -m tools.nodes [--nodes N] [--port PORT]`, or `make nodes`.

Starts a real PostgreSQL, the nodes and a reverse proxy on free ports of this machine, and ends all of them on Ctrl-C. A
node that ends, killed or drained, is started again after some seconds, as systemd would do it; so is PostgreSQL. What
was played is deleted at the end.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from tools.nginx import MAIN, find_nginx
from tools.postgres import PostgresServer, die_with_parent, free_port

ROOT = Path(__file__).parents[1]
PATIENCE_S = 120.0
LOOK_S = 0.1
RESTART_S = 5.0  # long enough to see that the others carry on
MOST_NODES = 4  # each uses up to 12 connections, and this PostgreSQL takes 60

SITE = """
map $http_upgrade $connection_upgrade {{
    default upgrade;
    ''      close;
}}
upstream nodes {{
{servers}
}}
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass http://nodes;
        proxy_http_version 1.1;
        proxy_next_upstream error timeout http_503;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        proxy_read_timeout 1h;
        client_max_body_size 4m;
    }}
}}
"""


class Child:
    """A process of ours, in a session of its own so that Ctrl-C does not reach it, and with its output in a file."""

    def __init__(self, command: Sequence[str], log: Path, **environment: str) -> None:
        self.command, self.log = command, log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def wait_for(self, url: str) -> None:
        """Until it answers there."""
        end = time.monotonic() + PATIENCE_S
        while not answers(url):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{shlex.join(self.command)} did not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(LOOK_S)


class Node:
    """One `dicehall serve`, which can be started again on the same port."""

    def __init__(self, port: int, database: str, public_url: str, folder: Path) -> None:
        self.port, self.database = port, database
        behind = ["--public-url", public_url, "--trust-proxy", "--mana-bot", "none"]
        self.command = [sys.executable, "-m", "dicehall", "serve", "--port", str(port), *behind]
        self.log = folder / f"node-{port}.log"
        self.child = self.launch()

    def launch(self) -> Child:
        return Child(self.command, self.log, DICEHALL_DB=self.database)  # its password is not for the list of processes

    @property
    def pid(self) -> int:
        return self.child.process.pid

    @property
    def is_running(self) -> bool:
        return self.child.process.poll() is None

    def wait_till_ready(self) -> None:
        self.child.wait_for(f"http://127.0.0.1:{self.port}/readyz")

    def start_again(self) -> None:
        self.child = self.launch()

    def stop(self) -> None:
        self.child.stop()

    def kill(self) -> None:
        self.child.process.kill()
        self.child.process.wait()


class Nodes:
    """All of it, from the start of the database to the removal of what it stored."""

    def __init__(self, count: int = 2, port: int = 0, *, with_nginx: bool = True) -> None:
        self.nginx = find_nginx(ROOT / ".venv") if with_nginx else None
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.nodes: list[Node] = []
        self.ended_at: dict[int, float] = {}  # by port, of what has ended and waits to be started again
        self.stack = ExitStack()
        try:
            self.start(count)
        except BaseException:
            self.stack.close()
            raise

    def start(self, count: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dicehall-nodes-"))
        self.stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.database = self.stack.enter_context(PostgresServer())
        for _ in range(count):
            node = Node(free_port(), self.database.url(), self.url, self.folder)
            self.nodes.append(node)
            self.stack.callback(node.stop)
        for node in self.nodes:
            node.wait_till_ready()
        proxy = Child(self.proxy_command(), self.folder / "proxy.log")
        self.stack.callback(proxy.stop)
        proxy.wait_for(f"{self.url}/healthz")

    def proxy_command(self) -> list[str]:
        ports = [node.port for node in self.nodes]
        if self.nginx is None:
            return [sys.executable, "-m", "tools.balancer", str(self.port), *map(str, ports)]
        servers = "\n".join(f"    server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
        (self.folder / "dicehall.conf").write_text(SITE.format(servers=servers, port=self.port))
        (self.folder / "nginx.conf").write_text(MAIN.format(folder=self.folder))
        return [self.nginx, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def __enter__(self) -> Nodes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stack.close()

    def look_after(self) -> None:
        """Start again what has ended a while ago."""
        if self.is_due("PostgreSQL", self.database.port, self.database.is_running):
            self.database.restart()
            say(f"PostgreSQL is running again (process {self.database.process.pid}).")
        for node in self.nodes:
            if self.is_due(f"The node on port {node.port}", node.port, node.is_running):
                node.start_again()
                say(f"The node on port {node.port} is starting again (process {node.pid}).")

    def is_due(self, name: str, port: int, is_running: bool) -> bool:
        """Whether it ended a while ago; if it has just ended, say so."""
        now = time.monotonic()
        if is_running:
            return False
        if port not in self.ended_at:
            self.ended_at[port] = now
            say(f"{name} has ended; it starts again in {RESTART_S:.0f} s.")
        if now - self.ended_at[port] <= RESTART_S:
            return False
        del self.ended_at[port]
        return True


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S):
            return True
    except OSError:
        return False


def say(text: str) -> None:
    print(text, flush=True)


def greet(hall: Nodes) -> None:
    say(f"Open {hall.url} in two browsers and play. Press Ctrl-C to stop everything.")
    say(f"  PostgreSQL on port {hall.database.port}: process {hall.database.process.pid}")
    for node in hall.nodes:
        say(f"  node on port {node.port}: process {node.pid}, log {node.log}")
    proxy = "nginx" if hall.nginx else "tools/balancer.py, which does not forward client addresses (there is no nginx)"
    say(f"  proxy: {proxy}")
    first = hall.nodes[0]
    say(f"Take one out gently: .venv/bin/dicehall drain --port {first.port}; or not: kill -9 {first.pid}")


def stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=2, choices=range(1, MOST_NODES + 1), help="how many (default 2)")
    parser.add_argument("--port", type=int, default=0, help="of the proxy (default: a free one)")
    options = parser.parse_args(words)
    for number in (signal.SIGINT, signal.SIGTERM):  # SIGINT too: a shell may have started this with it ignored
        signal.signal(number, stop)
    try:
        say(f"Starting PostgreSQL, {options.nodes} nodes and a proxy ...")
        with Nodes(options.nodes, options.port) as hall:
            greet(hall)
            try:
                while True:
                    time.sleep(LOOK_S)
                    hall.look_after()
            except KeyboardInterrupt:
                say("\nStopping ...")
    except KeyboardInterrupt:
        say("\nStopped.")
    except (RuntimeError, TimeoutError) as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
