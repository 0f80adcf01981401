"""``dicehall relay`` as a process."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.launch.running import COMMAND, environment

pytest.importorskip("nostr_sdk", reason="the relay has no build for this machine")

ENOUGH_S = 60


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_relay_with_clients_stops_without_an_error(tmp_path: Path, number: signal.Signals) -> None:
    """Its threads outlive it, and used to call into an interpreter that was being taken down."""
    words = (*COMMAND, "relay", "--port", "0", "--db", str(tmp_path / "relay"))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as run:
        assert run.stdout is not None
        found = re.search(r"ws://\S+\d", run.stdout.readline())
        assert found is not None
        with connect(found[0]) as first, connect(found[0]) as second:
            for client in (first, second):
                client.send('["REQ","a",{"kinds":[1]}]')
                assert client.recv(ENOUGH_S) == '["EOSE","a"]'
            run.send_signal(number)
            _, errors = run.communicate(timeout=ENOUGH_S)
        assert (run.returncode, errors) == (0, "")
