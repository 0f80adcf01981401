"""What the picture of a link's preview shows: who plays, how it stands or ended, and the last dice.

Like the words of a preview it says of a private table only that there is one (decisions 077, 098). It is drawn away
from the event loop (``preview_image.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dicehall.core.game import Refused
from dicehall.hall.cards import Card, Ending
from dicehall.hall.hall import Hall
from dicehall.server.languages import preview_text, translated
from dicehall.table.live import LiveTable
from dicehall.table.state import TableState
from dicehall.table.updates import rolls
from dicehall.wire.results import final_scores
from dicehall.wire.schemas import show_game

SIZE = (1200, 630)  # pixels, as those who show previews ask for
ORNAMENT = (5, 3, 6)  # where no dice have fallen yet
LOOKED_AT = 40  # acts before the last one in which dice are looked for
MOST_ROWS = 4  # lines of players; the last one says how many more there are


@dataclass(frozen=True, slots=True)
class Row:
    """A player and what they have."""

    name: str
    score: str = ""
    instead: str = "Player"  # of a name that cannot be drawn


@dataclass(frozen=True, slots=True)
class Picture:
    """What is on the picture, as it was typed: the drawing cuts what is too long."""

    eyebrow: str
    title: str
    note: str = ""
    rows: tuple[Row, ...] = ()
    dice: tuple[int, ...] = ORNAMENT
    instead: str = "Dicehall"  # of a title that cannot be drawn
    more: str = ""  # below the first players, where there are too many


def sealed_line(language: str) -> str:
    return preview_text("Five dice games, with dice that are sealed before anyone sits down.", language)


def hidden_title(language: str) -> str:
    return preview_text("A table at Dicehall", language)


def home_picture(language: str) -> Picture:
    return Picture("", "Dicehall", sealed_line(language))


def private_picture(language: str) -> Picture:
    return Picture("", hidden_title(language), sealed_line(language))


def daily_picture(language: str) -> Picture:
    return Picture(
        preview_text("Daily challenge", language),
        preview_text("Same dice for everyone", language),
        preview_text("One game a day in each game, ranked tomorrow", language),
    )


async def picture_of(hall: Hall, table: str, language: str) -> Picture:
    """The picture of a table as a stranger may see it; Refused where there is none."""
    card = await hall.visible(None, table)
    ending = await hall.parts.register.ending(table)
    if hides(card, ending):
        return private_picture(language)
    live = await found(hall, table)
    if live is None:
        return private_picture(language) if ending is None else result_picture(hall, card, ending, language)
    dice = await last_dice(hall, live) or ORNAMENT
    if ending is not None and ending.results:
        return replace(result_picture(hall, card, ending, language), dice=dice)
    return replace(state_picture(hall, card, hall.host.settled(live), language), dice=dice)


def hides(card: Card, ending: Ending | None) -> bool:
    """True for a private table; a finished game against bots without a password is shown, as its person shares it."""
    people = () if ending is None else tuple(result for result in ending.results if result.account is not None)
    return card.private and (card.password is not None or len(people) != 1)


async def found(hall: Hall, table: str) -> LiveTable | None:
    """None where a table is frozen, or only its record is left."""
    try:
        return await hall.host.current(table)
    except Refused:
        return None


async def last_dice(hall: Hall, live: LiveTable) -> tuple[int, ...]:
    """The faces of the last roll of six-sided dice; empty if there was none recently."""
    faces: Sequence[int] = ()
    async for told in hall.host.history.told(live.state, live.checkpoints, max(0, live.state.seq - LOOKED_AT)):
        for roll in rolls(told) if told.thrown else ():
            faces = roll["faces"] if set(roll["sides"]) == {6} else faces
    return tuple(faces)


def game_name(hall: Hall, card: Card, language: str) -> str:
    games = hall.host.parts.games
    return str(show_game(games[card.game], language)["name"]) if card.game in games else card.game


def result_picture(hall: Hall, card: Card, ending: Ending, language: str) -> Picture:
    best = sorted(ending.results, key=lambda result: result.place)
    rows = tuple(Row(result.name, str(result.score), player(result.seat, language)) for result in best)
    won = bool(best and best[0].won)
    title = preview_text("{name} wins", language, name=best[0].name) if won else preview_text("A draw", language)
    return Picture(
        game_name(hall, card, language),
        title,
        preview_text("Watch the game again", language),
        rows,
        instead=preview_text("Final result", language),
        more=more_players(rows, language),
    )


def state_picture(hall: Hall, card: Card, state: TableState, language: str) -> Picture:
    game = game_name(hall, card, language)
    rows = tuple(Row(name, score, player(seat, language)) for seat, (name, score) in enumerate(standings(state)))
    note, more = state_line(state, language), more_players(rows, language)
    return Picture(game, translated(card.name, language), note, rows, instead=game, more=more)


def state_line(state: TableState, language: str) -> str:
    match state.phase:
        case "playing":
            return preview_text("Playing now: watch the game", language)
        case "asleep":
            return preview_text("Paused", language)
        case "abandoned":
            return preview_text("This game was not finished", language)
        case _:
            taken, seats = len(state.chairs), state.opened.seats
            return preview_text("{taken} of {seats} seats taken", language, taken=taken, seats=seats)


def player(seat: int, language: str) -> str:
    """What stands for a name that cannot be drawn."""
    return preview_text("Player {n}", language, n=seat + 1)


def more_players(rows: Sequence[Row], language: str) -> str:
    hidden = len(rows) - (MOST_ROWS - 1)
    return preview_text("and {n} more", language, n=hidden) if len(rows) > MOST_ROWS else ""


def standings(state: TableState) -> list[tuple[str, str]]:
    names = [chair.name for chair in state.chairs]
    if state.position is None:
        return [(name, "") for name in names]
    scores = final_scores(state.game.view(state.position, None), len(names))
    return [(name, str(score)) for name, score in zip(names, scores, strict=False)]
