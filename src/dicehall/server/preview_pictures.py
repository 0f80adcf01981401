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
from dicehall.table.live import LiveTable
from dicehall.table.state import TableState
from dicehall.table.updates import rolls
from dicehall.wire.results import final_scores
from dicehall.wire.schemas import show_game

SIZE = (1200, 630)  # pixels, as those who show previews ask for
ORNAMENT = (5, 3, 6)  # where no dice have fallen yet
LOOKED_AT = 40  # acts before the last one in which dice are looked for
STATES = {"playing": "Playing now: watch the game", "asleep": "Paused", "abandoned": "This game was not finished"}


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


SEALED = "Five dice games, with dice that are sealed before anybody sits down."
HOME = Picture("", "Dicehall", SEALED)
HIDDEN = "A table at Dicehall"
PRIVATE = Picture("", HIDDEN, SEALED)
DAILY = Picture("Daily challenge", "Same dice for everyone", "One game a day in each game, ranked tomorrow")


async def picture_of(hall: Hall, table: str) -> Picture:
    """The picture of a table as a stranger may see it; Refused where there is none."""
    card = await hall.visible(None, table)
    ending = await hall.parts.register.ending(table)
    if hides(card, ending):
        return PRIVATE
    live = await found(hall, table)
    if live is None:
        return PRIVATE if ending is None else result_picture(hall, card, ending)
    dice = await last_dice(hall, live) or ORNAMENT
    if ending is not None and ending.results:
        return replace(result_picture(hall, card, ending), dice=dice)
    return replace(state_picture(hall, card, hall.host.settled(live)), dice=dice)


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


def game_name(hall: Hall, card: Card) -> str:
    games = hall.host.parts.games
    return str(show_game(games[card.game])["name"]) if card.game in games else card.game


def result_picture(hall: Hall, card: Card, ending: Ending) -> Picture:
    best = sorted(ending.results, key=lambda result: result.place)
    rows = tuple(Row(result.name, str(result.score), f"Player {result.seat + 1}") for result in best)
    title = f"{best[0].name} wins" if best and best[0].won else "A draw"
    return Picture(game_name(hall, card), title, "Watch the game again", rows, instead="Final result")


def state_picture(hall: Hall, card: Card, state: TableState) -> Picture:
    game = game_name(hall, card)
    rows = tuple(Row(name, score, f"Player {seat + 1}") for seat, (name, score) in enumerate(standings(state)))
    taken = f"{len(state.chairs)} of {state.opened.seats} seats taken"
    return Picture(game, card.name, STATES.get(state.phase, taken), rows, instead=game)


def standings(state: TableState) -> list[tuple[str, str]]:
    names = [chair.name for chair in state.chairs]
    if state.position is None:
        return [(name, "") for name in names]
    scores = final_scores(state.game.view(state.position, None), len(names))
    return [(name, str(score)) for name, score in zip(names, scores, strict=False)]
