"""Going on with a game from its record."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from dicehall.client.local import BadRecord, LocalGame, continued
from dicehall.client.playing import ended
from dicehall.core.game import Faces
from dicehall.games import Catalogue
from dicehall.launch.last_game import last_game
from dicehall.launch.output import Failed, read_input
from dicehall.launch.sitting_down import Wanted, bot_name, bot_of, check_level
from dicehall.wire.errors import Invalid
from dicehall.wire.record import Record, read_record


def wanted(options: argparse.Namespace, games: Catalogue) -> Wanted:
    if options.seats is not None or options.rules or options.names is not None:
        raise Failed("A resumed game keeps its seats, names and rules: leave out --seats, --names and --rules.")
    record = read_file(options.resume, games)
    if options.game not in (None, record.game.key):
        raise Failed(f"{options.resume} is a game of {record.game.key}, not {options.game}.")
    record = with_bots(record, options.bot)
    save = options.resume if options.save is None else options.save
    if options.save is None and ended(LocalGame(record, no_dice)):
        save = None
    return Wanted(
        record,
        options.seed,
        Path(save) if save else None,
        resumed=Path(options.resume),
        hints=options.hints,
        plain=options.plain,
        json=options.json,
    )


def read_file(file: str, games: Catalogue) -> Record:
    if file == "-":
        raise Failed("A game is resumed from a file: moves are typed on standard input.")
    try:
        record = continued(read_record(read_input(file), games))
        LocalGame(record, no_dice)
    except Invalid as invalid:
        raise Failed(f"{file} is no record of a game: {invalid.sentence}") from None
    except BadRecord as bad:
        raise Failed(f"{file} cannot be resumed. {bad}") from None
    if any(getattr(record.game, name) is not None for name in getattr(type(record.game), "header", ())):
        raise Failed(f"{file} is a match with a referee of its own and cannot be resumed here.")
    return record


def last_unfinished(games: Catalogue) -> Record | None:
    """The record of the last game played here, where it can be gone on with."""
    if not last_game().exists():
        return None
    try:
        record = read_file(str(last_game()), games)
    except Failed:
        return None
    return None if ended(LocalGame(record, no_dice)) else record


def no_dice(sides: Faces) -> Faces:
    raise AssertionError("a record is only looked at here")


def with_bots(record: Record, levels: list[str]) -> Record:
    """Bots for the last seats that people hold; a bot is known by its name."""
    people = [seat for seat, name in enumerate(record.names) if bot_of(name) is None]
    if len(levels) > len(people):
        raise Failed(f"People hold {len(people)} seats of this game, too few for {len(levels)} more bots.")
    names = list(record.names)
    for level in (*levels, *filter(None, map(bot_of, names))):
        check_level(record.game.key, level)
    for seat, level in zip(people[len(people) - len(levels) :], levels, strict=True):
        names[seat] = bot_name(record.game, len(names), seat, level)
    return replace(record, names=tuple(names))
