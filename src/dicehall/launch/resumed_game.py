"""Continuing a game from its record: from a file, or the last one that was played here."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from dicehall.client.local import BadRecord, LocalGame
from dicehall.client.playing import ended
from dicehall.games import Catalogue
from dicehall.launch.bot_names import bot_name, bot_of, check_level
from dicehall.launch.kept_games import games_folder, last_unfinished, no_dice
from dicehall.launch.line_game import Wanted
from dicehall.launch.output import Failed, read_input
from dicehall.wire.errors import Invalid
from dicehall.wire.record import Record, read_record

LAST = ""  # --resume without a file


def wanted(options: argparse.Namespace, games: Catalogue) -> Wanted:
    if options.seats is not None or options.rules or options.names is not None or options.words is not None:
        raise Failed(
            "A resumed game keeps its seats, names, rules and words: leave out --seats, --names, --rules and --words."
        )
    file = last_file(options.game, games) if options.resume == LAST else options.resume
    record = read_file(file, games)
    if options.game not in (None, record.game.key):
        raise Failed(f"{file} is a game of {record.game.key}, not {options.game}.")
    return Wanted(
        with_bots(record, options.bot),
        options.seed,
        saved_in(options.save, file, record),
        resumed=Path(file),
        hints=options.hints,
        plain=options.plain,
        json=options.json,
    )


def last_file(key: str | None, games: Catalogue) -> str:
    found = last_unfinished(games, key)
    if found is None:
        what = "game" if key is None else f"game of {key}"
        raise Failed(f"There is no unfinished {what} to continue. Start one with: dicehall play {key or 'wards'}")
    return str(found)


def saved_in(save: str | None, file: str, record: Record) -> Path | None:
    """The file that is kept up to date, besides the one that every game has."""
    if save is not None:
        return Path(save)
    own = Path(file).parent == games_folder()
    return None if own or ended(LocalGame(record, no_dice)) else Path(file)


def read_file(file: str, games: Catalogue) -> Record:
    if file == "-":
        raise Failed(
            "A game cannot be resumed from standard input, because that is where moves are typed. Name a file."
        )
    if file in games and not Path(file).exists():
        raise Failed(f"{file} is a game, not a file. To continue your last game of it: dicehall play {file} --resume")
    try:
        record = read_record(read_input(file), games)
        LocalGame(record, no_dice)
    except Invalid as invalid:
        raise Failed(f"{file} is not the record of a game: {invalid.sentence}") from None
    except BadRecord as bad:
        raise Failed(f"{file} cannot be resumed. {bad}") from None
    if any(getattr(record.game, name) is not None for name in getattr(type(record.game), "header", ())):
        raise Failed(f"{file} is a match with a referee of its own and cannot be resumed here.")
    return record


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
