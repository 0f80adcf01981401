"""Records with sealed dice, made by random play on a chain of secrets."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

from dicehall.core.fold import order_of, play
from dicehall.core.game import Dice, Entry, Over, Roll
from dicehall.dice.chain import Chain
from dicehall.dice.sealed import Sealed
from dicehall.dice.words import salt
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, decode_entry, encode_entry
from tests.laws.playing import QUICK, entry_for, quick

CHAIN = Chain(sha256(b"a chain for tests").digest())
RANDOM = "0123456789abcdef" * 2


OTHER_CHAIN = Chain(sha256(b"another chain for tests").digest())


def continued(key: str, seats: int, entries: int, **more: Any) -> dict[str, Any]:
    """A game that was played on from the middle of another one, with dice of its own."""
    return sealed(key, seats, before=sealed(key, seats, **more), given=entries)


def sealed(
    key: str,
    seats: int,
    *,
    drawn: bool = False,
    words_for: int | None = None,
    seed: str | None = None,
    before: dict[str, Any] | None = None,
    given: int = 0,
) -> dict[str, Any]:
    """A whole game whose dice can be checked, where *drawn* with the draw of its seats.

    With a game *before* it begins with that one's first entries.
    """
    words = [f"words of {n}{RANDOM}" if n else "" for n in range(seats if words_for is None else words_for)]
    chain, table = (CHAIN, f"{key}-1") if before is None else (OTHER_CHAIN, f"{key}-2")
    seal: dict[str, Any] = {"table": table, "s0": chain.seal, "words": words}
    dice = Sealed(chain, salt(seal["table"], words), stored=0)
    if drawn:
        opened = dice.open(order_of(seats))
        seal["drawn"] = {"faces": list(opened.faces), "opened": opened.secret}
    game, chance = quick(key), Random(seed or key)
    codec, state = codec_of(type(game)), game.start(seats)
    entries = [] if before is None else before["entries"][:given]
    for document in entries:
        state = play(game, state, decode_entry(codec, document).entry).state
    while not isinstance(awaited := game.awaits(state), Over):
        secret, sides = None, None
        if isinstance(awaited, Dice):
            opened = dice.open(awaited.sides)
            secret, sides = opened.secret, awaited.sides
            entry: Entry[Any] = Roll(opened.faces)
        else:
            entry = entry_for(game, state, awaited, chance, unrest=0)
        state = play(game, state, entry).state
        entries.append(encode_entry(codec, Logged(entry, opened=secret, sides=sides)))
    names = [f"seat {n}" for n in range(seats)]
    header = {"dicehall": 1, "game": key, "rules": QUICK.get(key, {}), "seats": names, "seal": seal}
    if before is not None:
        header["origins"] = [{"entries": given, "seal": before["seal"]}]
    return {**header, "end": {"entries": len(entries)}, "entries": entries}
