"""``dicehall mint`` and ``dicehall nostr key`` as somebody types them."""

from __future__ import annotations

import json
import re
import signal
import stat
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.launch.running import COMMAND, environment

WAIT_S = 30


def start(folder: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    """A mint on a free port, and its address, once it says that it is running."""
    command = [*COMMAND, "mint", "--port", "0", "--db", str(folder / "mint.db"), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    assert process.stdout is not None
    found = re.search(r"running at (\S+)\. Press Ctrl-C", process.stdout.readline())
    assert found is not None
    return process, found.group(1)


def stop(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=WAIT_S)


def test_a_mint_says_when_it_runs_and_keeps_its_keys_over_a_restart(tmp_path: Path) -> None:
    shown = []
    for _ in range(2):
        process, url = start(tmp_path, "--faucet")
        with urllib.request.urlopen(url + "/v1/keysets", timeout=WAIT_S) as answer:
            shown.append(json.loads(answer.read()))
        stop(process)
    assert shown[0] == shown[1]
    assert len([one for one in shown[0]["keysets"] if one["unit"] == "mana"]) == 16
    assert stat.S_IMODE((tmp_path / "mint.db.seed").stat().st_mode) == 0o600


def test_a_second_mint_on_the_same_ledger_is_refused(tmp_path: Path) -> None:
    process, _ = start(tmp_path)
    refused = run("mint", "--port", "0", "--db", str(tmp_path / "mint.db"))
    stop(process)
    assert refused.returncode == 2
    assert "another mint" in refused.stderr


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, env=environment(), timeout=WAIT_S, check=False
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--port", "99999"), "--port must be"),
        (("--max-loot", "0"), "--max-loot must be"),
        (("--referee", "npub1wrong"), "npub1"),
    ],
)
def test_a_wrong_setting_is_refused_with_a_sentence(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ran = run("mint", "--db", str(tmp_path / "mint.db"), *words)
    assert ran.returncode != 0
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_seed_that_others_can_read_or_that_is_lost_is_refused(tmp_path: Path) -> None:
    process, url = start(tmp_path, "--faucet")
    quote = {"amount": 1, "unit": "mana"}
    request = urllib.request.Request(url + "/v1/mint/quote/faucet", json.dumps(quote).encode())
    with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
        assert json.loads(answer.read())["state"] == "PAID"
    stop(process)
    seed = tmp_path / "mint.db.seed"
    seed.chmod(0o644)
    assert "chmod 600" in run("mint", "--port", "0", "--db", str(tmp_path / "mint.db")).stderr
    seed.chmod(0o600)
    seed.write_text("not a phrase")
    assert "seed phrase" in run("mint", "--port", "0", "--db", str(tmp_path / "mint.db")).stderr


def test_a_key_is_made_once_and_shown_again(tmp_path: Path) -> None:
    path = tmp_path / "bot.key"
    first, second = (run("nostr", "key", "--file", str(path), "--json") for _ in range(2))
    one, other = json.loads(first.stdout), json.loads(second.stdout)
    assert (one["npub"], one["new"], other["new"]) == (other["npub"], True, False)
    assert one["npub"].startswith("npub1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    plain = run("nostr", "key", "--file", str(path))
    assert one["npub"] in plain.stdout
    assert "nsec" not in plain.stdout


def test_a_file_that_is_not_a_key_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("shopping list")
    path.chmod(0o600)
    ran = run("nostr", "key", "--file", str(path))
    assert ran.returncode == 2
    assert "not a key" in ran.stderr
    assert path.read_text() == "shopping list"
