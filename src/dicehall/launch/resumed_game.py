"""Continuing a game from its record: from a file, or the last one that was played here."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from dicehall.client.local import BadRecord, LocalGame
from dicehall.client.playing import ended
from dicehall.games import Catalogue
from dicehall.lab.spoken import game_name
from dicehall.launch.bot_levels import check_level
from dicehall.launch.game_folder import FoundGame, games_folder, last_damaged, last_unfinished, no_dice, version_of
from dicehall.launch.line_game import Wanted
from dicehall.launch.output import Failed, read_input
from dicehall.ui.tables.home_seats import SeatPlan, home_names
from dicehall.wire.bot_names import bot_of
from dicehall.wire.errors import Invalid
from dicehall.wire.record import Record, read_record

LAST = ""  # --resume without a file


def wanted(options: argparse.Namespace, games: Catalogue) -> Wanted:
    if options.seats is not None or options.rules or options.names is not None or options.words is not None:
        raise Failed(
            "A resumed game keeps its seats, names, rules and words: leave out --seats, --names, --rules and --words."
        )
    file = last_file(options.game, games) if options.resume == LAST else options.resume
    version = version_of(Path(file))
    record = read_file(file, games)
    if options.game not in (None, record.game.key):
        raise Failed(f"{file} is a game of {record.game.key}, not {options.game}.")
    return Wanted(
        with_bots(record, options.bot),
        options.seed,
        saved_in(options.save, file, record),
        resumed=Path(file),
        version=version,
        hints=options.hints,
        plain=options.plain,
        json=options.json,
    )


def last_wanted(games: Catalogue) -> Wanted:
    """The last unfinished game, for screens that resume it at the press of a button."""
    path = last_unfinished(games)
    if path is None:
        raise Failed("There is no game to resume.")
    version = version_of(path)
    return Wanted(read_file(str(path), games), resumed=path, version=version)


def last_game_text(games: Catalogue) -> str:
    """What the last game was, where it can be continued."""
    path = last_unfinished(games)
    record = path and read_file(str(path), games)
    return f"{game_name(record.game)}: {', '.join(record.names)}" if record else ""


def last_file(key: str | None, games: Catalogue) -> str:
    found, damaged = last_unfinished(games, key), last_damaged(games)
    if damaged is not None and (found is None or key is None):
        raise Failed(damage_text(damaged))
    if found is None:
        what = "game" if key is None else f"game of {key}"
        raise Failed(f"There is no unfinished {what} to continue. Start one with: dicehall play {key or 'wards'}")
    return str(found)


def damage_text(damaged: FoundGame) -> str:
    """Which file is damaged, and what can be done: nobody deletes it."""
    return (
        f"Your last saved game is damaged and cannot be resumed: {damaged.path}\n{damaged.damage} The file was left as "
        "it is. Restore it from a backup if you have one, or move it to another folder to continue the game before it."
    )


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
        raise Failed(f"{file} is not a game record: {invalid.sentence}") from None
    except BadRecord as bad:
        raise Failed(f"{file} cannot be resumed. {bad}") from None
    if any(getattr(record.game, name) is not None for name in getattr(type(record.game), "header", ())):
        raise Failed(f"{file} is a match with a referee of its own and cannot be resumed here.")
    return record


def with_bots(record: Record, levels: list[str]) -> Record:
    """Bots for the last seats that people hold; a bot is known by its name."""
    people = [seat for seat, name in enumerate(record.names) if bot_of(name) is None]
    if len(levels) > len(people):
        raise Failed(f"Only {len(people)} seats of this game are held by people, too few for {len(levels)} more bots.")
    for level in (*levels, *filter(None, map(bot_of, record.names))):
        check_level(record.game.key, level)
    plans = [SeatPlan(name) for name in record.names]
    for seat, level in zip(people[len(people) - len(levels) :], levels, strict=True):
        plans[seat] = SeatPlan("", level=level)
    return replace(record, names=home_names(record.game, plans))
