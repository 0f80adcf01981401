"""Mana: two armies of cards, and the fight between the two that were sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dicehall.core.game import Seat
from dicehall.games.mana import lines
from dicehall.games.mana.state import SEATS
from dicehall.games.mana.units import Ability, Army, Unit
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Stage
from dicehall.ui.desktop.board_parts import NOWHERE, control_bar
from dicehall.ui.desktop.plain_board import GameBoard as PlainBoard
from dicehall.ui.desktop.scene import Align, Button, Color, Intent, Item, Label, Panel, Portrait, Rect, centered

CARD: Color = (44, 30, 78)
CARD_BACK: Color = (58, 42, 104)
CARD_EDGE: Color = (128, 104, 190)
PALE_RED: Color = (255, 160, 150)
SPENT: Color = (30, 34, 44)
ABILITY_COLORS = {
    Ability.NONE: theme.MUTED,
    Ability.BOOST: (255, 150, 110),
    Ability.SHIELD: (130, 190, 255),
    Ability.HEAL: (130, 225, 160),
}
ON_FELT: Color = (190, 220, 205)


@dataclass(frozen=True, slots=True)
class Fight:
    round: int
    picks: Sequence[int]
    damage: Sequence[int]
    health: Sequence[int]
    winner: Seat | None


class GameBoard(PlainBoard):
    # -- the table ------------------------------------------------------------------------------------

    def items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        me, them = self.sides(stage)
        felt = Rect(area.x + s(20), area.y + s(12), area.w - s(40), area.h - s(122))
        bar = Rect(area.x, area.bottom - s(98), area.w, s(94))
        inside = felt.inset(s(24), s(18))
        army = s(222)
        above = inside._replace(h=s(144))
        below = inside._replace(y=inside.bottom - army, h=army)
        middle = inside._replace(y=above.bottom + s(8), h=below.y - above.bottom - s(16))
        return [
            Panel(rect=felt, fill=theme.FELT, border=theme.WOOD, radius=s(30), thick=9),
            *self.army(stage, them, above),
            *self.duel(stage, me, them, middle),
            *self.army(stage, me, below, mine=True),
            *self.bar(stage, bar),
        ]

    def sides(self, stage: Stage) -> tuple[Seat, Seat]:
        """Whose army lies below, and whose above: before the window sits who is to act, or a person."""
        me = stage.acting if stage.acting is not None else min(stage.people, default=SEATS[0])
        return Seat(me), Seat(1 - me)

    def bar(self, stage: Stage, area: Rect) -> list[Item]:
        """The prompt, and what the abilities do for whoever may pick."""
        s = stage.scale
        if stage.acting is not None and self.curtain(stage):
            show = Intent("show")
            button = Button(rect=NOWHERE, label="Show my choices", key="Enter", intent=show, primary=True)
            return control_bar(stage, area, self.prompt(stage), [button], 240)
        if stage.acting is None:
            return control_bar(stage, area, self.prompt(stage), [])
        frame, prompt = control_bar(stage, area, self.prompt(stage), [])
        inside = prompt.rect
        left = replace(prompt, rect=inside._replace(w=inside.w * 0.44))
        told = [(ability, text.removeprefix(", ")) for ability, text in lines.ABILITIES.items() if text]
        high = inside.h / len(told)
        items: list[Item] = [frame, left]
        for at, (ability, text) in enumerate(told):
            row = Rect(inside.x + inside.w * 0.5, inside.y + at * high, inside.w * 0.5, high)
            name = ability.name.capitalize()
            items += [
                Label(rect=row, text=name, size=s.font(14), bold=True, color=ABILITY_COLORS[ability]),
                Label(rect=row._replace(x=row.x + s.font(56)), text=text, size=s.font(14), color=theme.MUTED),
            ]
        return items

    def prompt(self, stage: Stage) -> str:
        if stage.acting is None or self.curtain(stage):
            return super().prompt(stage)
        other = Seat(1 - stage.acting)
        done = f" {stage.names[other]} has picked." if other in stage.view.picked else ""
        return f"{stage.names[stage.acting]}, pick the unit to send.{done}"

    # -- an army --------------------------------------------------------------------------------------

    def army(self, stage: Stage, seat: Seat, area: Rect, *, mine: bool = False) -> list[Item]:
        """A line about the player, and a card for each unit."""
        s, view = stage.scale, stage.view
        units: Army = (view.units or (None, None))[seat] or ()
        line = area._replace(h=s(34))
        on_turn = seat in stage.turn and stage.over is None
        face = s(30)
        name = Rect(line.x + face + s(10), line.y, line.w * 0.4, line.h)
        won = view.wins[seat]
        result = f"{won} {'round' if won == 1 else 'rounds'} won   {view.damage[seat]} damage dealt"
        items: list[Item] = [
            Portrait(
                rect=Rect(line.x, line.y + s(2), face, face),
                avatar=stage.avatars[seat],
                ring=theme.ACCENT if on_turn else None,
            ),
            Label(
                rect=name,
                text=f"{stage.names[seat]}, {lines.league(view, seat)} league" if units else stage.names[seat],
                size=s.font(17),
                bold=True,
                color=theme.ACCENT if on_turn else theme.TEXT,
            ),
            Label(
                rect=Rect(line.right - line.w * 0.5, line.y, line.w * 0.5, line.h),
                text=result,
                size=s.font(16),
                bold=True,
                align="right",
            ),
        ]
        row = Rect(area.x, line.bottom + s(6), area.w, area.h - line.h - s(6))
        gap = s(8)
        wide = (row.w - gap * (len(units) - 1)) / max(1, len(units))
        for at, unit in enumerate(units):
            rect = Rect(row.x + at * (wide + gap), row.y, wide, row.h)
            spent = at in view.spent[seat]
            items += unit_card(stage, unit, at, rect, spent=spent)
            if mine and not spent:
                items += self.choice(stage, seat, at, rect)
        return items

    def choice(self, stage: Stage, seat: Seat, at: int, card: Rect) -> list[Item]:
        """How a unit would fare, and the button that sends it."""
        s, text = stage.scale, f"pick {at + 1}"
        if text not in [offer for offer, _, _ in self.offers(stage)] or self.curtain(stage):
            return []
        button = Rect(card.x + s(6), card.bottom - s(44), card.w - s(12), s(38))
        high = s.font(15)
        row = Rect(card.x, button.y - s(4) - 2 * high, card.w, high)
        met = lines.still_to_meet(stage.view, seat)
        won, lost = lines.fights(stage.view.units[seat][at], met)
        return [
            Label(rect=row, text=f"beats {won} of {len(met)}", size=s.font(11.5), align="center", color=theme.GOOD),
            Label(rect=row.moved(0, high), text=f"loses to {lost}", size=s.font(11.5), align="center", color=PALE_RED),
            Button(rect=button, label=f"Pick {at + 1}", intent=Intent("choice", text), size=s.font(15)),
        ]

    # -- the fight ------------------------------------------------------------------------------------

    def duel(self, stage: Stage, me: Seat, them: Seat, area: Rect) -> list[Item]:
        """The two cards that were sent last, or the places where they will lie."""
        s = stage.scale
        fought = last_fight(stage)
        x, y = area.center
        wide, high = s(124), min(s(126), area.h - s(34))
        places = {me: centered(x - s(170), y, wide, high), them: centered(x + s(170), y, wide, high)}
        round_text = Rect(x - s(100), y - s(46), s(200), s(26))
        items: list[Item] = [
            Label(
                rect=round_text,
                text=f"Round {fought.round if fought else stage.view.round}",
                size=s.font(17),
                bold=True,
                align="center",
                color=ON_FELT,
            ),
            Label(
                rect=round_text.moved(0, s(28)),
                text=self.outcome(stage, fought),
                size=s.font(20),
                bold=True,
                align="center",
                color=theme.ACCENT if fought and fought.winner is not None else theme.TEXT,
            ),
        ]
        for seat, rect in places.items():
            items += self.sent(stage, seat, rect, fought, left=seat == me)
        return items

    def outcome(self, stage: Stage, fought: Fight | None) -> str:
        if fought is None:
            return "Pick in secret"
        return "A draw" if fought.winner is None else f"{stage.names[fought.winner]} wins"

    def sent(self, stage: Stage, seat: Seat, rect: Rect, fought: Fight | None, *, left: bool) -> list[Item]:
        s, view = stage.scale, stage.view
        beside = Rect(rect.x - s(170) if left else rect.right + s(14), rect.center[1] - s(40), s(156), s(26))
        align: Align = "right" if left else "left"
        if fought is None:
            picked = seat in view.picked
            text = "picked" if picked else "to pick"
            fill, border = (CARD_BACK, CARD_EDGE) if picked else (theme.FELT_EDGE, theme.BORDER)
            return [
                Panel(rect=rect, fill=fill, border=border, radius=s(12)),
                Label(rect=rect, text=stage.names[seat], size=s.font(15), bold=True, align="center"),
                Label(rect=rect.moved(0, s(22)), text=text, size=s.font(13), align="center", color=ON_FELT),
            ]
        at = fought.picks[seat]
        unit = view.units[seat][at]
        won = fought.winner == seat
        items = unit_card(stage, unit, at, rect, spent=False, size=17)
        if won:
            items[0] = Panel(rect=rect, fill=CARD, border=theme.ACCENT, radius=s(10), thick=4)
        health = fought.health[seat]
        rows: Sequence[tuple[str, float, bool, Color]] = (
            (stage.names[seat], 16, True, theme.TEXT),
            (f"deals {fought.damage[seat]}", 16, False, theme.TEXT),
            (f"{health} health left", 16, False, theme.BAD if not health else theme.TEXT),
        )
        return items + [
            Label(rect=beside.moved(0, s(27) * row), text=text, size=s.font(size), bold=bold, align=align, color=color)
            for row, (text, size, bold, color) in enumerate(rows)
        ]


def last_fight(stage: Stage) -> Fight | None:
    """The fight that is being shown, or the last one."""
    if now := stage.event("RoundFought"):
        return Fight(now["round"], now["picks"], now["damage"], now["health"], now["winner"])
    if not stage.view.rounds:
        return None
    played = stage.view.rounds[-1]
    return Fight(len(stage.view.rounds), played.picks, played.damage, played.health, played.winner)


def unit_card(stage: Stage, unit: Unit, at: int, rect: Rect, *, spent: bool, size: float = 13) -> list[Item]:
    """The number of a unit, what it can do, and its numbers one below the other."""
    s = stage.scale
    color = theme.MUTED if spent else theme.TEXT
    inside = rect.inset(s(8), s(5))
    high = s.font(size * 1.35)
    head = inside._replace(h=s.font(size * 1.8))
    ability = "spent" if spent else lines.ability(unit)
    items: list[Item] = [
        Panel(rect=rect, fill=SPENT if spent else CARD, border=theme.BORDER if spent else CARD_EDGE, radius=s(10)),
        Label(rect=head, text=str(at + 1), size=s.font(size * 1.35), bold=True, color=color),
        Label(
            rect=head._replace(x=head.x + head.w * 0.3, w=head.w * 0.7),
            text=ability,
            size=s.font(size * 0.95),
            bold=not spent,
            align="right",
            color=theme.MUTED if spent else ABILITY_COLORS[unit.ability],
        ),
    ]
    for row, (name, number) in enumerate((("Atk", unit.attack), ("Def", unit.defense), ("HP", unit.health))):
        line = Rect(inside.x, head.bottom + row * high, inside.w, high)
        items += [
            Label(rect=line, text=name, size=s.font(size), color=theme.MUTED),
            Label(rect=line, text=str(number), size=s.font(size * 1.1), bold=True, align="right", color=color),
        ]
    return items
