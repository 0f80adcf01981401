"""``dicehall drain``: take a server out of service without interrupting a game, and wait until it has ended."""

from __future__ import annotations

import argparse
import os
import signal
import time
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.node_file import RunningNode, node_folder, running_node, running_nodes
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed, Help, write_json

HIGHEST_PORT = 65_535
MOST_S = 3600
LOOK_S = 0.05

EXAMPLES = """examples:
  dicehall drain
  dicehall drain --port 8001
  dicehall drain --port 8001 --timeout 120 --json

The server answers 503 on /readyz and refuses new sockets for as long as its --drain-wait says, so that a proxy stops
using it. Then it completes the requests in flight, asks all clients to reconnect, and exits. With several nodes on one
PostgreSQL database, clients continue at another node; with a single server, they wait until it is back.

The server must run on this machine, as the same user: it is found by a file in that user's folder and gets a SIGTERM.
Under systemd, use systemctl stop instead; it does the same.
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "drain", help="drain and stop a server", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("--port", help="the port it listens on (default: your only running server)")
    command.add_argument("--timeout", default="60", metavar="S", help="seconds to wait for it to stop (default 60)")
    command.add_argument("--json", action="store_true", help="print JSON: {port, pid, seconds}")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    patience = read_whole("--timeout", options.timeout, 1, MOST_S)
    node = chosen(None if options.port is None else read_whole("--port", options.port, 1, HIGHEST_PORT))
    started = time.monotonic()
    ask_to_stop(node)
    wait_for_end(node, started + patience)
    seconds = round(time.monotonic() - started, 3)
    if options.json:
        write_json({"port": node.port, "pid": node.pid, "seconds": seconds})
    else:
        print(f"The server on port {node.port} (process {node.pid}) was drained in {seconds:.1f} s.")
    return 0


def chosen(port: int | None) -> RunningNode:
    nodes = running_nodes()
    wanted = [node for node in nodes if port in (None, node.port)]
    if not wanted:
        where = "" if port is None else f" on port {port}"
        raise Failed(f"No server of yours is running{where} (looked in {node_folder()}).", 1)
    if len(wanted) > 1:
        ports = ", ".join(str(node.port) for node in wanted)
        raise Failed(f"Several servers are running, on ports {ports}. Choose one with --port.")
    return wanted[0]


def ask_to_stop(node: RunningNode) -> None:
    try:
        os.kill(node.pid, signal.SIGTERM)
    except ProcessLookupError:  # it has ended by itself meanwhile
        return
    except PermissionError:
        raise Failed(f"Process {node.pid} belongs to another user.", 1) from None


def wait_for_end(node: RunningNode, till: float) -> None:
    while running_node(node.port) == node:
        if time.monotonic() > till:
            raise Failed(f"The server on port {node.port} (process {node.pid}) is still draining.", 1)
        time.sleep(LOOK_S)
