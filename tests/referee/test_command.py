"""``dicehall bot`` as somebody types it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import urllib.request
from pathlib import Path

from dicehall.nostr.keys import create_key_file
from tests.launch.running import COMMAND, environment

WAIT_S = 30


def configuration(folder: Path) -> Path:
    path = folder / "game-engine.toml"
    path.write_text(
        f"""
[server]
port = 0
[nostr]
relay_url = "ws://127.0.0.1:1"
private_key = "file:bot.key"
[cashu]
mint_url = "http://127.0.0.1:1"
[logging]
file = "{folder}/logs/game-engine.log"
[store]
file = "{folder}/store/game-engine.db"
"""
    )
    return path


def start(path: Path) -> tuple[subprocess.Popen[str], str, str]:
    command = [*COMMAND, "bot", "--config", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    assert process.stdout is not None
    found = re.search(r"referee (\S+) is running at (\S+)\. Press Ctrl-C", process.stdout.readline())
    assert found is not None
    return process, found.group(1), found.group(2)


def test_a_referee_says_where_it_runs_logs_to_its_file_and_stops_when_asked(tmp_path: Path) -> None:
    key = create_key_file(tmp_path / "bot.key")
    process, npub, url = start(configuration(tmp_path))
    with urllib.request.urlopen(url + "/status", timeout=WAIT_S) as answer:
        status = json.loads(answer.read())
    second = subprocess.run(
        [*COMMAND, "bot", "--config", str(tmp_path / "game-engine.toml")],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=WAIT_S,
        check=False,
    )
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, errors
    assert (npub, status["npub"], status["ok"]) == (key.npub, key.npub, False)
    assert (second.returncode, "another referee" in second.stderr) == (2, True)
    assert "relay ws://127.0.0.1:1 cannot be reached" in (tmp_path / "logs" / "game-engine.log").read_text()
    assert key.nsec not in errors


def test_a_referee_without_a_key_is_told_how_to_make_one(tmp_path: Path) -> None:
    path = tmp_path / "game-engine.toml"
    path.write_text('[nostr]\nprivate_key = "bot_private_key_hex"\n')
    answer = subprocess.run(
        [*COMMAND, "bot", "--config", str(path)],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=WAIT_S,
        check=False,
    )
    assert answer.returncode == 2
    assert "dicehall nostr key --file bot.key" in answer.stderr
    assert "Traceback" not in answer.stderr
