"""An unmodified wallet from npm: it mints, swaps, locks, redeems, and fails to spend twice."""

from __future__ import annotations

import json
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
