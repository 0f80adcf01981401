"""Rolls written down once: the hall's dice fall like this, and the page's own check (web/src/lib/seal.ts) agrees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dicehall.dice.chain import Chain
from dicehall.dice.faces import draw
from dicehall.dice.words import commitment, salt

VECTORS = json.loads((Path(__file__).parent / "rolls.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_halls_dice_fall_as_written(vector: Any) -> None:
    chain = Chain(bytes.fromhex(vector["end"]))
    mixed = salt(vector["table"], tuple(vector["words"]))
    assert chain.seal == vector["seal"]
    assert [commitment(words) for words in vector["words"]] == vector["commitments"]
    for number, roll in enumerate(vector["rolls"], start=1):
        secret = chain.secret(number)
        assert secret.hex() == roll["opened"]
        assert list(draw(secret, mixed, tuple(roll["sides"]))) == roll["faces"]
