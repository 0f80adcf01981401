"""DO or DICE: five seats round a table, one die in the middle."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dicehall.core.game import AnyGame, Seat
from dicehall.games.doordice import lines
from dicehall.games.doordice.rules import Action, Choose, DoOrDice, Word
from dicehall.games.doordice.standings import ranking
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Stage, thrown
from dicehall.ui.desktop.board_parts import NOWHERE, control_bar, sentence_case, waiting_text
from dicehall.ui.desktop.scene import (
    Bar,
    Beam,
    Button,
    Color,
    Die,
    Felt,
    Intent,
    Item,
    Label,
    Panel,
    Portrait,
    Rect,
    centered,
)

VP_BAR = 10  # VP that fill the bar, unless somebody has more
EFFECT_KEYS = ("a", "b", "c")
ROLL = Intent("roll")


class GameBoard:
    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, DoOrDice)
        self.game = game
        self.effect: str | None = None  # the one that was chosen, while its target is not
        self.tried: Seat | None = None  # the target of the last move

    def reset(self) -> None:
        self.effect = None

    # -- choosing -------------------------------------------------------------------------------------

    def chosen(self, stage: Stage) -> str | None:
        """The effect whose target is to be named: the only one, or the one that was clicked."""
        aimed = [effect for effect in stage.view.effects if lines.EFFECTS[effect].aimed]
        return aimed[0] if len(stage.view.effects) == 1 and aimed else self.effect

    def handle(self, stage: Stage, intent: Intent) -> Action | None:
        match intent:
            case Intent("roll"):
                return Word.ROLL
            case Intent("effect", effect):
                if not lines.EFFECTS[effect].aimed:
                    return Choose(effect)
                self.effect = effect
            case Intent("target", seat):
                return self.aim(stage, seat)
        return None

    def aim(self, stage: Stage, seat: Seat) -> Action | None:
        effect = self.chosen(stage)
        if stage.acting is None or not stage.view.effects or effect is None:
            return None
        self.tried = seat
        return Choose(effect, seat)

    def refused(self, stage: Stage, sentence: str) -> str:
        if self.tried is None or stage.acting is None:
            return sentence
        why = lines.why_no_target(stage.view, stage.names, stage.acting, self.tried)
        self.tried = None
        return why or sentence

    def keys(self, stage: Stage) -> dict[str, Intent]:
        if stage.acting is None:
            return {}
        if stage.view.face is None:
            return {"r": ROLL, "space": ROLL, "return": ROLL}
        effects = {key: Intent("effect", name) for key, name in zip(EFFECT_KEYS, stage.view.effects, strict=False)}
        targets = {str(seat + 1): Intent("target", Seat(seat)) for seat in range(len(stage.names))}
        return {**(effects if len(stage.view.effects) > 1 else {}), **targets}

    # -- the table ------------------------------------------------------------------------------------

    def items(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        foot = s(142)
        table = Rect(area.x, area.y, area.w, area.h - foot)
        items: list[Item] = [Felt(rect=centered(*table.center, table.w * 0.66, table.h * 0.62))]
        cards = [seat_place(table, at, s(236), s(96)) for at in range(len(stage.names))]
        items += self.beams(stage, cards)
        for seat, rect in enumerate(cards):
            items += self.card(stage, Seat(seat), rect)
        items += self.center(stage, table)
        items += self.floats(stage, cards)
        items += self.tie_dice(stage, cards)
        below = Rect(area.x, area.bottom - foot, area.w, foot)
        return [
            *items,
            *control_bar(stage, below._replace(h=s(84)), self.prompt(stage), self.buttons(stage)),
            *self.legend(stage, below),
        ]

    def card(self, stage: Stage, seat: Seat, rect: Rect) -> list[Item]:
        s, view = stage.scale, stage.view
        hp, vp, fallen = view.hp[seat], view.vp[seat], view.hp[seat] <= 0
        on_turn = stage.on_turn == seat and stage.over is None
        choosing = stage.acting is not None and self.chosen(stage) is not None and view.face is not None
        border: Color = theme.ACCENT if on_turn else theme.GHOST if fallen else theme.BORDER
        if choosing and seat in view.targets:
            border = theme.BAD if pulse(stage) else theme.WARN
        faded = choosing and seat not in view.targets
        intent = Intent("target", seat) if choosing else None
        fill = (40, 44, 66) if fallen else theme.PANEL
        face = rect.h * 0.62
        x = rect.x + face + s(18)
        wide = rect.right - x - s(10)
        portrait = Rect(rect.x + s(9), rect.y + (rect.h - face) / 2, face, face)
        name_size = s.font(15.5)
        return [
            Panel(rect=rect, fill=fill, border=border, radius=s(14), intent=intent, thick=4 if on_turn else 2),
            Portrait(rect=portrait, avatar=stage.avatars[seat], ghost=fallen, ring=theme.ACCENT if on_turn else None),
            Label(
                rect=Rect(x, rect.y + s(7), wide, s(24)),
                text=f"{seat + 1}. {stage.names[seat]}",
                size=name_size,
                bold=True,
                color=theme.GHOST if fallen else theme.MUTED if faded else theme.TEXT,
            ),
            Bar(
                rect=Rect(x, rect.y + s(37), wide, s(19)),
                value=hp,
                most=self.game.hp,
                color=theme.hp_color(hp / self.game.hp),
                text=f"fallen ({hp} HP)" if fallen else f"{hp} HP",
            ),
            Bar(
                rect=Rect(x, rect.y + s(63), wide, s(19)),
                value=vp,
                most=max(VP_BAR, *view.vp),
                color=(201, 150, 40),
                text=f"{vp} VP",
            ),
        ]

    def center(self, stage: Stage, table: Rect) -> list[Item]:
        s = stage.scale
        x, y = table.center
        place = centered(x, y - s(16), s(96), s(96))
        rolling = stage.beat is not None and len(stage.beat.dice) == 1
        if rolling and stage.beat:
            return [thrown(place, stage.beat.dice[0], stage.progress, len(stage.names) + int(stage.view.round))]
        may_roll = stage.acting is not None and stage.view.face is None
        face = stage.view.face or (stage.dice[0] if len(stage.dice) == 1 else None) or 1
        die = Die(rect=place, face=face, glow=may_roll, dim=False, intent=ROLL if may_roll else None)
        text = self.center_text(stage)
        where = Rect(x - s(170), y + s(44), s(340), s(28))
        return [die, Label(rect=where, text=text, size=s.font(19), bold=True, align="center", color=theme.TEXT)]

    def center_text(self, stage: Stage) -> str:
        if stage.acting is not None and stage.view.face is None:
            return "Click the die"
        effect = self.chosen(stage) if stage.view.face is not None else None
        if done := stage.event("EffectDone"):
            effect = done["effect"]
        return f"{lines.title(effect)}: {lines.summary(effect)}" if effect else ""

    def beams(self, stage: Stage, cards: Sequence[Rect]) -> list[Item]:
        done = stage.event("EffectDone")
        if not done or done["target"] is None:
            return []
        kind = theme.GOOD if done["hp_change"] > 0 or done["vp_change"] > 0 else theme.BAD
        start, end = cards[done["seat"]].center, cards[done["target"]].center
        part = min(1.0, stage.progress * 2.2)
        to = (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
        return [Beam(rect=centered(start[0], start[1], 2, 2), to=to, color=kind)]

    def floats(self, stage: Stage, cards: Sequence[Rect]) -> list[Item]:
        """Numbers that rise from whom they happen to."""
        s = stage.scale
        risen = s(34) * stage.progress
        items: list[Item] = []
        for seat, text, color in float_texts(stage):
            rect = cards[seat]
            at = Rect(rect.x, rect.y - s(30) - risen, rect.w, s(30))
            items.append(Label(rect=at, text=text, size=s.font(25), bold=True, align="center", color=color))
        return items

    def tie_dice(self, stage: Stage, cards: Sequence[Rect]) -> list[Item]:
        beat = stage.beat
        if beat is None or beat.narrated is None or beat.narrated.event["event"] != "TieDiceRolled":
            return []
        size = stage.scale(48)
        pairs = zip(beat.narrated.event["seats"], beat.dice, strict=True)
        places = [(seat, face, cards[seat]) for seat, face in pairs]
        return [
            thrown(centered(rect.center[0], rect.y - size * 0.4, size, size), face, stage.progress, seat)
            for seat, face, rect in places
        ]

    # -- what can be done -----------------------------------------------------------------------------

    def buttons(self, stage: Stage) -> list[Button]:
        if stage.acting is None:
            return []
        if stage.view.face is None:
            return [Button(rect=NOWHERE, label="Roll", key="R", intent=ROLL, primary=True)]
        several = len(stage.view.effects) > 1
        return [
            Button(
                rect=NOWHERE,
                label=sentence_case(lines.summary(effect)),
                note=lines.title(effect),
                key=key.upper(),
                intent=Intent("effect", effect),
                selected=effect == self.effect,
                primary=effect != self.effect,
            )
            for key, effect in zip(EFFECT_KEYS, stage.view.effects, strict=False)
            if several
        ]

    def prompt(self, stage: Stage) -> str:
        seat = stage.acting
        if seat is None:
            return waiting_text(stage, "about to roll" if stage.view.face is None else "choosing a target")
        name = stage.names[seat]
        if stage.view.face is None:
            return f"{name}, roll the die." if stage.view.hp[seat] > 0 else f"{name}, roll to haunt the living."
        effect = self.chosen(stage)
        if effect is None:
            return f"{name}, choose what your {stage.view.face} does."
        first = stage.view.targets[0] + 1
        return f"{lines.title(effect)}! {name}, click a target or press its number, such as {first}."

    def legend(self, stage: Stage, area: Rect) -> list[Item]:
        """What each face does for whoever is on turn."""
        s = stage.scale
        seat = stage.on_turn
        living = seat is None or stage.view.hp[seat] > 0
        rows = lines.legend(self.game, living=living)
        wide = (area.w - s(24)) / len(rows)
        y = area.bottom - s(54)
        items: list[Item] = []
        for face, title, what in rows:
            x = area.x + s(14) + (face - 1) * wide
            size = s(30)
            now = stage.view.face == face
            color = theme.ACCENT if now else theme.TEXT
            text = Rect(x + size + s(7), y + s(2), wide - size - s(9), s(22))
            items += [
                Die(
                    rect=Rect(x, y + s(8), size, size), face=face, glow=now, dim=not now and stage.view.face is not None
                ),
                Label(rect=text, text=title, size=s.font(14), bold=True, color=color),
                Label(
                    rect=Rect(text.x, text.y + s(17), text.w, s(34)),
                    text=what,
                    size=s.font(11.5),
                    color=theme.MUTED,
                    wrap=True,
                ),
            ]
        return items

    # -- who stands where -----------------------------------------------------------------------------

    def side(self, stage: Stage, area: Rect) -> list[Item]:
        s = stage.scale
        high = area.h / len(stage.names)
        items: list[Item] = []
        ranked = ranking(stage.view)
        shared = {one.place for one in ranked if sum(other.place == one.place for other in ranked) > 1}
        for at, one in enumerate(ranked):
            row = Rect(area.x, area.y + at * high, area.w, high)
            note = "tied" if one.place in shared else lines.DECIDED[one.decided_by] if one.decided_by else ""
            color = theme.GHOST if one.hp <= 0 else theme.TEXT
            face = min(high * 0.62, s(34))
            x = row.x + s(26) + face + s(8)
            mid = row.w - (x - row.x) - s(100)
            first = Rect(x, row.y + high * 0.1, mid, high * 0.46)
            small = Rect(x, row.y + high * 0.54, row.right - x, high * 0.34)
            items += [
                Label(rect=Rect(row.x, row.y, s(24), high), text=f"{one.place}.", size=s.font(17), bold=True),
                Portrait(
                    rect=Rect(row.x + s(26), row.y + (high - face) / 2, face, face),
                    avatar=stage.avatars[one.player_id],
                    ghost=one.hp <= 0,
                ),
                Label(rect=first, text=stage.names[one.player_id], size=s.font(14.5), bold=True, color=color),
                Label(rect=small, text=note, size=s.font(12), color=theme.MUTED),
                Label(
                    rect=Rect(row.right - s(100), first.y, s(46), first.h),
                    text=f"{one.vp} VP",
                    size=s.font(14),
                    bold=True,
                    align="right",
                    color=theme.ACCENT,
                ),
                Label(
                    rect=Rect(row.right - s(52), first.y, s(52), first.h),
                    text=f"{one.hp} HP",
                    size=s.font(14),
                    align="right",
                    color=color,
                ),
            ]
        return items


def float_texts(stage: Stage) -> list[tuple[int, str, Color]]:
    if done := stage.event("EffectDone"):
        whom = done["seat"] if done["target"] is None else done["target"]
        changes = ((done["hp_change"], "HP"), (done["vp_change"], "VP"))
        texts = [f"{change:+d} {unit}" for change, unit in changes if change] or ["no effect"]
        bad = done["hp_change"] < 0 or done["vp_change"] < 0
        told = [(whom, ", ".join(texts), theme.BAD if bad else theme.GOOD)]
        return told + ([(done["seat"], f"+{done['stolen']} VP", theme.ACCENT)] if done["stolen"] else [])
    if fell := stage.event("Fell"):
        return [(fell["seat"], "falls!", theme.GHOST)]
    if scored := stage.event("EliminationScored"):
        return [(scored["seat"], f"+{scored['points']} VP", theme.ACCENT)]
    if ended := stage.event("RoundEnded"):
        return [(seat, f"+{ended['points']} VP", theme.ACCENT) for seat in ended["alive"]]
    return []


def seat_place(table: Rect, at: int, wide: float, high: float) -> Rect:
    """Round the table, the first seat at the top and then clockwise."""
    angle = math.radians(-90 + 72 * at)
    x, y = table.center
    dx, dy = (table.w - wide) / 2 - 12, (table.h - high) / 2 - 10
    return centered(x + math.cos(angle) * dx, y + math.sin(angle) * dy, wide, high)


def pulse(stage: Stage) -> bool:
    return int(stage.now / 400) % 2 == 0
