"""What a hall wrote down of its finished games, and counts from it, against the games themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dicehall.games import catalogue
from dicehall.table.ports import Row
from dicehall.table.record import record_of
from dicehall.table.story import story
from dicehall.wire.answers import Replay
from tools.campaign_check import Database, asked, record_bytes
from tools.campaign_known import Fault


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over, as its journal has it."""

    table: str
    game: str
    record: bytes
    over: dict[str, Any] | None  # None where the hall ended it
    seats: tuple[str | None, ...]  # accounts, None for a bot


def finished(table: str, rows: Sequence[Row]) -> Finished:
    told = list(story(table, rows, catalogue()))
    last = told[-1].after
    assert last is not None
    over = None
    if last.sitting:
        replay = Replay(record_of(told))
        for _ in replay.steps():
            pass
        over = replay.last()["over"]
    seats = tuple(chair.account for chair in last.chairs) if over else ()
    return Finished(table, last.game.key, record_bytes(table, rows), over, seats)


def standings(game: Finished) -> list[tuple[int, str | None, int, bool]]:
    """Seat, account, place and whether they won, by the record's own places: equals share one, and nobody wins it."""
    places = game.over["places"] if game.over else []
    first = [1 + sum(len(better) for better in places[:at]) for at in range(len(places))]
    return sorted(
        (seat, game.seats[seat], place, place == 1 and len(equals) == 1)
        for place, equals in zip(first, places, strict=True)
        for seat in equals
    )


def results(file: Path | Database, game: Finished) -> Iterator[Fault]:
    """The ending and the results of a game are stored once, with the act that ended it."""
    endings = asked(file, "SELECT game, reason FROM endings WHERE name = ?", game.table)
    if len(endings) != 1:
        kind = "doubled" if endings else "lost"
        yield Fault(kind, game.table, f"the ending is stored {len(endings)} times")
    reason = game.over["reason"] if game.over else "destroyed"
    if endings and endings[0] != (game.game, reason):
        yield Fault("divergent_views", game.table, f"the ending says {endings[0]} and the record {reason}")
    found = asked(file, "SELECT seat, account, place, won FROM results WHERE name = ? ORDER BY seat", game.table)
    stored = [(seat, account, place, bool(won)) for seat, account, place, won in found]
    if stored != standings(game):
        yield Fault("divergent_views", game.table, f"the results are {stored} and the record says {standings(game)}")


def counted(games: Iterable[Finished]) -> dict[str, dict[str, tuple[int, int]]]:
    """Games played and won by account and game."""
    played: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for game in games:
        for _, account, _, winner in standings(game):
            if account is not None:
                played[account, game.game] += 1
                won[account, game.game] += winner
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for (account, name), times in played.items():
        sums.setdefault(account, {})[name] = (times, won[account, name])
    return sums


def statistics(account: str, told: Mapping[str, Any], true: Mapping[str, tuple[int, int]]) -> Iterator[Fault]:
    """What the hall says that somebody played and won. Games with house rules are casual, and counted in one sum."""
    counts = [*told["statistics"]["games"].values(), told["statistics"]["casual"]]
    here = tuple(sum(count[what] for count in counts) for what in ("played", "won"))
    there = tuple(map(sum, zip(*true.values(), strict=True))) or (0, 0)
    if here != there:
        kind = "doubled" if here > there else "lost"
        yield Fault(kind, "", f"{account} is said to have {here} (played, won), and has {there}")


def openings(file: Path | Database, opened: Mapping[tuple[str, str], set[str]], *, complete: bool) -> Iterator[Fault]:
    """Every request to open a table opened one; where all requests were answered, there are no other tables."""
    cards = asked(file, "SELECT name, opener, id FROM cards")
    stored = {(opener, id): table for table, opener, id in cards}
    for key, tables in opened.items():
        if len(tables) > 1:
            yield Fault("doubled", "", f"opening {key[1]} was answered with {sorted(tables)}")
        if stored.get(key) not in tables:
            yield Fault("lost", min(tables), f"the table that opening {key[1]} was answered with is not stored")
    if complete:
        answered = {table for tables in opened.values() for table in tables}
        for table, _, id in cards:
            if table not in answered:
                yield Fault("doubled", table, f"nobody was told of this table, opened as {id}")
