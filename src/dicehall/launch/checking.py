"""A record's dice against its seal: where the rules, which know the sides, meet the dice, which know the seal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from dicehall.core.game import Over, Roll
from dicehall.core.throws import Place, Throws
from dicehall.dice.challenge import DaySeal, check_challenge
from dicehall.dice.checking import Checked, Drawn, Mismatch, Seal, SealedRoll, check
from dicehall.dice.words import is_text
from dicehall.games import Catalogue
from dicehall.wire import record as wire
from dicehall.wire.answers import Replay
from dicehall.wire.decode_errors import describe
from dicehall.wire.documents import read_document, refuse_deep_nesting, refuse_repeated_keys
from dicehall.wire.entries import is_whole
from dicehall.wire.errors import clipped


@dataclass(frozen=True, slots=True)
class Verdict:
    good: bool
    rolls: int
    sentence: str
    code: str | None = None  # what is wrong, where something is
    roll: int | None = None  # which roll, 0 for the header


def read_strictly(text: bytes, games: Catalogue) -> wire.Record:
    """A record to be checked: all readers must read the same in it, so no key may appear twice."""
    document = read_document(text)
    record = wire.parse_record(document, games)
    refuse_deep_nesting(document)
    refuse_repeated_keys(text)
    return record


def check_seal(replay: Replay, known: str | None) -> Verdict:
    """Check all dice of a replayed record; *known* is the seal as somebody saw it before sitting down.

    The dice of a game that was continued are checked part by part, each against the seal of its own table.
    """
    record, rolls, begin = replay.record, 0, 0
    if record.seal is None:
        return Verdict(False, 0, "There is nothing to check: the record has no seal.", "no_seal")
    for origin in record.origins:
        result = check_part(replay, origin.seal, range(begin, origin.entries), None)
        if isinstance(result, Verdict):
            return replace(result, sentence=clipped(f"In the game it was continued from: {result.sentence}"))
        begin, rolls = origin.entries, rolls + result.rolls
    result = check_part(replay, record.seal, range(begin, len(record.entries)), known)
    if isinstance(result, Verdict):
        return result
    return verdict_of(replay, result, earlier=rolls)


def check_part(replay: Replay, stated: wire.Seal, entries: range, known: str | None) -> Checked | Verdict:
    """Check the rolls among these entries against a seal; a verdict where something is wrong."""
    try:
        seal = read_seal(stated)
    except msgspec.ValidationError as wrong:
        return Verdict(False, 0, describe(wrong, "The seal"), "bad_seal", 0)
    if len(seal.words) != len(replay.record.names):  # other words make another salt, which a host could have tried
        told = f"The seal has words for {len(seal.words)} seats, but {len(replay.record.names)} play."
        return Verdict(False, 0, told, "wrong_words", 0)
    if stated.challenge is not None and replay.record.origins:
        return Verdict(False, 0, "A daily challenge is never continued.", "bad_salt", 0)
    if stated.challenge is not None and stated.drawn is not None:
        return Verdict(False, 0, "The seats of a challenge are not drawn.", "bad_salt", 0)
    if stated.challenge is not None and not is_text(stated.table):
        return Verdict(False, 0, "A table id cannot contain control characters.", "bad_salt", 0)
    thrown = [roll for roll in replay.thrown if roll.entry in entries]
    rolls = [SealedRoll(roll.sides, roll.faces, roll.opened, roll.stated) for roll in thrown]
    result = check(seal, rolls, known) if stated.challenge is None else check_day(replay, stated, rolls, known)
    if isinstance(result, Mismatch):
        return Verdict(False, 0, clipped(result.sentence), result.what.value, result.roll)
    return result


def verdict_of(replay: Replay, checked: Checked, *, earlier: int) -> Verdict:
    """What there is to say where all rolls agree; *earlier* ones belong to games that this one was continued from."""
    rolls = earlier + checked.rolls
    if rolls == 0:
        return Verdict(False, 0, "There is nothing to check: no dice were rolled.", "no_rolls")
    over = isinstance(replay.game.awaits(replay.state), Over)
    if told := wrong_end(replay.record, over=over):
        return Verdict(False, 0, told, "wrong_end", 0)
    agrees = "the dice agree with the seal you gave" if checked.seal_known else "consistent with itself"
    before = f" The first {earlier} agree with the seal of the game it was continued from." if earlier else ""
    ends = "" if over else " The record ends before the game is over."
    return Verdict(True, rolls, f"{rolls} rolls: {agrees}.{before}{ends}")


def check_day(replay: Replay, stated: wire.Seal, rolls: Sequence[SealedRoll], known: str | None) -> Checked | Mismatch:
    """The dice of a daily challenge, which are numbered by turns."""
    seal = DaySeal(stated.challenge or "", replay.record.game.key, stated.s0, stated.words, stated.opened)
    return check_challenge(seal, zip(places(replay.record), rolls, strict=False), known)


def places(record: wire.Record) -> Iterator[Place]:
    throws = Throws()
    for logged in record.logged():
        throws = throws.after(logged.entry)
        if isinstance(logged.entry, Roll):
            yield throws.place


def wrong_end(record: wire.Record, *, over: bool) -> str:
    """What is wrong with the end that a record states, or nothing; the record of an unfinished game states none."""
    if record.end is None:
        return ""
    count = record.end.get("entries") if isinstance(record.end, dict) else None
    if not is_whole(count):
        return "The end of the record cannot be read: it must be the number of entries."
    if count != len(record.entries):
        return clipped(f"The record has {len(record.entries)} entries, but says that the game ended after {count}.")
    return "" if over else "The record says that the game ended, but by the rules it is not over."


def read_seal(seal: wire.Seal) -> Seal:
    drawn = None if seal.drawn is None else msgspec.convert(seal.drawn, Drawn)
    return Seal(seal.table, seal.s0, seal.words, drawn)


def show_check(verdict: Verdict) -> dict[str, Any]:
    return {key: value for key, value in msgspec.to_builtins(verdict).items() if value is not None}
