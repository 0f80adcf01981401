"""The rules against a second engine, written from the documents alone: state, codes and places agree."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dicehall.games import catalogue
from dicehall.wire.answers import Replay, show_invalid
from dicehall.wire.errors import Invalid
from dicehall.wire.record import read_record
from tests.second.generate import records
from tests.second.record import replay

EVERY_DAY = 500  # records per game
PROOF = 4000
CHUNK = 250  # so that two cores share a game
GAMES = catalogue()


def first_engine(document: object) -> dict[str, Any]:
    """What `dicehall replay` answers last, through the same bytes."""
    try:
        running = Replay(read_record(msgspec.json.encode(document), GAMES))
    except Invalid as invalid:
        return show_invalid(invalid)
    for _ in running.steps():
        pass
    last: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(running.last()))
    return last


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> str | None:
    """Where two answers differ in what the documents fix; further fields of ours are allowed."""
    if ("invalid" in ours) or ("invalid" in theirs):
        return None if ("invalid" in ours) == ("invalid" in theirs) else f"{ours} / {theirs}"
    for name in ("index", "code"):
        mine, other = ours.get("refused", {}).get(name), theirs.get("refused", {}).get(name)
        if mine != other:
            return f"refused.{name}: {mine} / {other}"
    if ours["over"] != theirs["over"]:
        return f"over: {ours['over']} / {theirs['over']}"
    for name, value in theirs["state"].items():
        if ours["state"].get(name, "missing") != value:
            return f"state.{name}: {ours['state'].get(name, 'missing')} / {value}"
    return None


@pytest.mark.parametrize("start", range(0, EVERY_DAY, CHUNK))
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_give_the_same_answers(game: str, start: int) -> None:
    compare(game, range(start, start + CHUNK))


@pytest.mark.proof
@pytest.mark.parametrize("start", range(EVERY_DAY, PROOF, CHUNK))
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_give_the_same_answers_to_many_more_records(game: str, start: int) -> None:
    compare(game, range(start, start + CHUNK))


def compare(game: str, seeds: range) -> None:
    for seed in seeds:
        document = records(game, seed)
        differs = difference(first_engine(document), replay(document))
        assert differs is None, f"{game} seed {seed}: {differs}"


def test_the_comparison_sees_a_difference() -> None:
    """A changed score, code or place does not pass unseen."""
    document = records("wards", 3)
    good = replay(document)
    worse = {**good, "state": {**good["state"], "scores": [1, 2]}}
    assert difference(first_engine(document), worse) is not None
    assert difference(first_engine(document), {**good, "over": {"places": [[1], [0]], "reason": "x"}}) is not None
    assert difference(first_engine(document), {"invalid": {"code": "malformed"}}) is not None
