"""An unmodified wallet from npm: it mints, swaps, locks, redeems, and fails to spend twice."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dicehall.nostr.keys import SecretKey
from tests.mint.minting import REFEREE, LiveMint

ROOT = Path(__file__).parents[2]
WALLET = ROOT / "web" / "node_modules" / "@cashu" / "cashu-ts" / "lib" / "cashu-ts.es.js"
NODE = ROOT / ".venv" / "bin" / "node"
EVEN, ODD = SecretKey(bytes(31) + b"\1"), SecretKey(bytes(31) + b"\6")


@pytest.mark.parametrize("player", [EVEN, ODD], ids=["even y", "odd y"])
def test_a_foreign_wallet_holds_swaps_and_redeems_our_tokens(mint: LiveMint, player: SecretKey) -> None:
    script = Path(__file__).parent / "foreign_wallet.mjs"
    words = [str(WALLET), mint.url, REFEREE.secret.hex(), player.secret.hex(), player.public_hex]
    ran = subprocess.run([str(NODE), str(script), *words], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "state": "PAID",
        "minted": 2,
        "dleq": True,
        "token": "cashuB",
        "swapped": [1, 1],
        "received": 1,
        "doubleSpend": "11001",
        "prize": 1000,
        "withoutKey": "10001",
        "withOtherKey": "10001",
        "redeemed": 1000,
        "redeemedTwice": "11001",
        "states": ["UNSPENT"],
    }


def test_the_example_wallet_does_what_the_page_of_the_mint_says(mint: LiveMint, tmp_path: Path) -> None:
    """As somebody runs it who installed the package beside it."""
    (tmp_path / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    example = shutil.copy(ROOT / "examples" / "wallet.mjs", tmp_path)
    words = [str(NODE), str(example), mint.url]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    said = [re.sub("cashuB.*", "cashuB...", line) for line in ran.stdout.splitlines()]
    assert said == [
        "minted 3 mana of league 2",
        "a token to keep or to give away: cashuB...",
        "swapped 3",
        "a second time: A token of this request is already spent.",
        "locked 2, kept 1",
        "without the key: This token is locked: it needs a valid signature by the keys that its secret names.",
        "redeemed 2 with the key",
    ]
