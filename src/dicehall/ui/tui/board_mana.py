"""Mana: the units of both sides as a table, and the rounds won."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from dicehall.core.game import Seat
from dicehall.games.mana import lines
from dicehall.games.mana.rules import View
from dicehall.games.mana.state import SEATS
from dicehall.games.mana.units import Army, Unit
from dicehall.ui.tables.offers import Offer
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.text_graphics import ACCENT, MUTED, beside, fitted, name_style, styled

UNIT = 34  # columns of a unit with its numbers
SPENT = 9  # columns of who has sent it


def draw(stage: Stage, width: int, height: int) -> list[Text]:
    view: View = stage.view
    mine, theirs = (view.units or (None, None))[stage.seat], (view.units or (None, None))[1 - stage.seat]
    if mine is None and theirs is None:
        return [*score_lines(stage), Text("The armies are not known yet.", MUTED)]
    score = score_lines(stage)
    if mine == theirs:
        table = army_lines(mine or (), [spent_by(stage, at) for at in range(len(mine or ()))], "Both armies")
        return beside(table, score, UNIT + 3 + SPENT) if width >= UNIT + SPENT + 33 else [score_line(stage), *table]
    tables = [side_lines(stage, seat, width // 2) for seat in (stage.seat, Seat(1 - stage.seat))]
    return beside(tables[0], tables[1], width // 2)


def side_lines(stage: Stage, seat: Seat, width: int) -> list[Text]:
    """One side with its own units, where the armies differ."""
    view: View = stage.view
    army = (view.units or (None, None))[seat]
    score = f"{view.wins[seat]} won, {view.damage[seat]} damage"
    title = styled(fitted(stage.names[seat], width - len(score) - 3), "bold").append(score)
    if army is None:
        return [title, Text("The army is not shown yet.", MUTED)]
    return [title, *(side_line(unit, at, gone=at in view.spent[seat]) for at, unit in enumerate(army))]


def side_line(unit: Unit, at: int, *, gone: bool) -> Text:
    line = styled(f" {at + 1} ", MUTED if gone else ACCENT)
    line.append(f"{unit.attack:>3} atk {unit.defense:>2} def {unit.health:>3} hp ", MUTED if gone else "bold")
    return line.append(f"{lines.ability(unit):7}", MUTED if gone else "").append("spent" if gone else "", MUTED)


def spent_by(stage: Stage, unit: int) -> str:
    """The seats that have already sent a unit and cannot send it again."""
    view: View = stage.view
    gone = [seat for seat in SEATS if unit in view.spent[seat]]
    if len(gone) == len(SEATS):
        return "both"
    return "".join("you" if seat == stage.me else fitted(stage.names[seat], SPENT).rstrip() for seat in gone)


def army_lines(army: Army, notes: Sequence[str], title: str) -> list[Text]:
    heading = styled(fitted(title, UNIT - 22), "bold").append(f"{'attack':>7}{'defense':>8}{'health':>7}", MUTED)
    rows = [heading.append("  sent by" if any(notes) else "", MUTED)]
    for at, unit in enumerate(army):
        line = styled(f" {at + 1}  ", ACCENT).append(fitted(lines.ability(unit), UNIT - 26))
        line.append(f"{unit.attack:>7}{unit.defense:>8}{unit.health:>7}", "bold")
        rows.append(line.append(f"  {notes[at]}", MUTED))
    return rows


def score_lines(stage: Stage) -> list[Text]:
    view: View = stage.view
    rows = [Text(f"{'':16}{'rounds':>7}{'damage':>7}", MUTED)]
    for seat in SEATS:
        mine = seat in stage.turn and stage.over is None
        line = styled(fitted(stage.names[seat], 16), name_style(on_turn=mine))
        line.append(f"{view.wins[seat]:>7}{view.damage[seat]:>7}", "bold")
        rows.append(line)
    picked = [stage.names[seat] for seat in view.picked] if stage.over is None else []
    return rows + [Text(), *(Text(f"{fitted(name, 16).rstrip()} has picked.", MUTED) for name in picked)]


def score_line(stage: Stage) -> Text:
    """The score where there is little room."""
    view: View = stage.view
    return Text("   ").join(Text(f"{fitted(stage.names[seat], 12).rstrip()}: {view.wins[seat]} won") for seat in SEATS)


def worth(stage: Stage, offer: Offer) -> str:
    return lines.pick_outlook(stage.view, stage.seat, offer.action.unit)
