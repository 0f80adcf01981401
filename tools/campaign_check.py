"""A table's journal, read straight from the file, against what people outside know of it. A difference is a fault."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import msgspec

from dicehall.games import catalogue
from dicehall.launch.checking import check_seal
from dicehall.table import acts
from dicehall.table.clocks import dues
from dicehall.table.disconnections import LOST_S, RETURN_S
from dicehall.table.ports import Row
from dicehall.table.record import record_of
from dicehall.table.state import Told
from dicehall.table.story import story
from dicehall.table.updates import audience, update
from dicehall.wire.answers import Replay
from dicehall.wire.record import record_text
from dicehall.wire.shown import show_view
from tools.campaign_known import Down, Fault, Known, Out, Sent

MAY_DO_NOTHING = ("Stand",)  # requests whose answer may name the last act instead of one of their own
SLACK_MS = 2_000  # for a connection that comes back as it is given up
GLANCE_MS = 100  # between our look at the clock and the host's, on a busy machine


class Database(Protocol):
    """A database that is no file, read without the host."""

    def read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """With $1, $2, ... for the values."""
        ...


def asked(file: Path | Database, query: str, *values: str) -> list[tuple[Any, ...]]:
    if not isinstance(file, Path):
        return file.read(query.replace("?", "$1"), *values)
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        return connection.execute(query, values).fetchall()


def rows_of(file: Path | Database, table: str) -> list[Row]:
    if not isinstance(file, Path):
        found = asked(file, "SELECT seq, act, at, account, id FROM acts WHERE name = ? ORDER BY seq", table)
        return [Row(table, *columns) for columns in found]
    query = "SELECT acts.seq, act, at, account, id FROM acts JOIN heads USING (key) WHERE name = ? ORDER BY acts.seq"
    return [Row(table, *columns) for columns in asked(file, query, table)]


def status_of(file: Path | Database, table: str) -> str | None:
    found = asked(file, "SELECT status FROM heads WHERE name = ?", table)
    return found[0][0] if found else None


def archived(file: Path | Database, table: str) -> bytes | None:
    found = asked(file, "SELECT record FROM archive WHERE name = ?", table)
    return found[0][0] if found else None


def record_bytes(table: str, rows: Sequence[Row]) -> bytes:
    """What an archive should hold of a finished table."""
    told = list(story(table, rows, catalogue()))
    last = told[-1].after
    return record_text(record_of(told)) if last is not None and last.sitting else b"null"


def check(known: Known, rows: Sequence[Row], downs: Sequence[Down]) -> list[Fault]:
    """Everything that is wrong with a table, running or finished."""
    found = [*known.faults, *(Fault(count, known.table, what) for count, what in stored(known, rows))]
    if not rows:
        return found
    try:
        told = list(story(known.table, rows, catalogue()))
    except Exception as broken:
        return [*found, Fault("lost", known.table, f"the journal cannot be replayed: {broken!r}")]
    checks = (*heard(known, told), *shown(known, told), *timed(known, told, downs), *absent(known, told, downs))
    return found + [Fault(count, known.table, what) for count, what in (*checks, *thrown(known, told))]


# -- lost and doubled ---------------------------------------------------------------------------------


def stored(known: Known, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
        yield "lost", "the numbers of the acts have gaps"
    for (account, id), times in Counter((row.account, row.id) for row in rows if row.id).items():
        if times > 1:
            yield "doubled", f"{id} of {account} is stored {times} times"
    by_id = {(row.account, row.id): row for row in rows if row.id}
    for key, sent in known.sent.items():
        yield from answered(sent, by_id.get(key))


def answered(sent: Sent, row: Row | None) -> Iterator[tuple[str, str]]:
    """Whether the answers that one action got are true."""
    numbers = {reply.n for reply in sent.replies if reply.n is not None}
    name = f"{sent.kind} {sent.id}"
    if len(numbers) > 1 and sent.kind not in MAY_DO_NOTHING:
        yield "doubled", f"{name} was acknowledged as {sorted(numbers)}"
    if row is None:
        if numbers and sent.kind not in MAY_DO_NOTHING:
            yield "lost", f"{name} was acknowledged as {min(numbers)} and is not stored"
        return
    if numbers and row.seq not in numbers:
        yield "lost", f"{name} was acknowledged as {min(numbers)} and is stored as {row.seq}"
    for reply in sent.replies:
        if reply.refused not in (None, "no_such_table") and reply.ready > row.at:
            yield "lost", f"{name} is act {row.seq}, and its sender was told {reply.refused} later"


# -- divergent views ------------------------------------------------------------------------------------


def heard(known: Known, told: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """All that anybody heard is the story of the journal for them, from its beginning and without gaps."""
    for ear in known.ears:
        for wrong in ear.wrong:
            yield "divergent_views", wrong
        for n, said in ear.heard.items():
            if n > len(told):
                yield "divergent_views", f"{ear.who} heard update {n}, which is not stored"
                continue
            one = told[n - 1]
            assert one.after is not None
            true = plain(update(one, audience(one.after, ear.account)))
            if said != true:
                yield "divergent_views", f"{ear.who} heard {said} and the story is {true}"
            if dice_in(said) != dice_in(true):
                yield "redrawn_dice", f"{ear.who} saw {dice_in(said)} in update {n}, and {dice_in(true)} are stored"


def dice_in(said: dict[str, Any]) -> list[Any]:
    return [roll["faces"] for roll in said.get("rolls", ())]


def shown(known: Known, told: Sequence[Told]) -> Iterator[tuple[str, str]]:
    for n, account, view in known.seen:
        state = told[n - 1].after if n <= len(told) else None
        if state is None or state.position is None:
            yield "divergent_views", f"{account} was shown position {n}, which is not stored"
        elif plain(show_view(state.game, state.position, audience(state, account))) != view:
            yield "divergent_views", f"{account} was shown another position {n} than is stored"


def plain(shown: dict[str, Any]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(shown))


# -- unfair time-outs ---------------------------------------------------------------------------------------


def timed(known: Known, told: Sequence[Told], downs: Sequence[Down]) -> Iterator[tuple[str, str]]:
    """No clock that runs out ran while the host was down (C5), and none beats an action that came in time (W6)."""
    for one in told:
        if not ran_out(one.act):
            continue
        assert one.before is not None
        due = next(iter(dues(one.before)), None)
        if due is None or one.at < due.at:
            yield "unfair_timeouts", f"act {one.seq} takes a turn before its time"
        elif hit := [down for down in downs if due.since < down.ready and due.at > down.killed]:
            yield "unfair_timeouts", f"act {one.seq}: a clock of {due.since} to {due.at} ran through {hit[-1]}"
    for sent in known.sent.values():
        yield from beaten(sent, told)


def ran_out(act: acts.Act) -> bool:
    if isinstance(act, acts.Stood):
        return act.why in ("lost", "words")
    return any("expired" in entry or entry.get("attend") == "gone" for entry in act.entries)


def beaten(sent: Sent, told: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """An action that reached the host before the deadline, and was refused because of it all the same."""
    following = [one for one in told[sent.basis :] if one.act.entries]
    if sent.kind != "Do" or not following or not ran_out(following[0].act):
        return
    expiry = following[0]
    assert expiry.before is not None
    seat = audience(expiry.before, sent.account)
    if any(entry.get("expired") and entry.get("seat") == seat for entry in expiry.act.entries):
        for reply in sent.replies:
            if reply.refused == "not_your_turn" and reply.at + GLANCE_MS < expiry.at:
                yield "unfair_timeouts", f"{sent.id} came at {reply.at}, and time ran out at {expiry.at} in spite of it"


def absent(known: Known, told: Sequence[Told], downs: Sequence[Down]) -> Iterator[tuple[str, str]]:
    """Nobody is away but who went: five seconds after it, and never because the host was down."""
    for one in told:
        if isinstance(one.act, acts.Left) and one.act.lost:
            assert one.before is not None
            account = one.before.chair(one.act.chair).account
            if not any(fairly_away(out, one.at, downs) for out in known.outs if out.account == account):
                last = one.before.chair(one.act.chair).carried[-1:]
                what = f"act {one.seq}: {account} is away at {one.at} without having gone; last carried: {last}"
                yield "unfair_timeouts", what


def fairly_away(out: Out, at: int, downs: Sequence[Down]) -> bool:
    if not out.since + LOST_S * 1000 <= at <= out.till + SLACK_MS:
        return False
    return not any(down.ready > out.since and at < down.ready + RETURN_S * 1000 for down in downs if down.killed < at)


# -- redrawn dice --------------------------------------------------------------------------------------------


def thrown(known: Known, told: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """Every stored roll is the next of the chain whose seal was shown before anybody sat down."""
    last = told[-1].after
    if last is None or not last.sitting:
        return
    replay = Replay(record_of(told))
    for _ in replay.steps():
        pass
    if replay.refused is not None:
        yield "lost", f"the rules refuse entry {replay.refused[0]} of the record"
    verdict = check_seal(replay, known.s0)
    if not verdict.good and last.rolls:
        yield "redrawn_dice", verdict.sentence
