"""Statistics of the games that ended on this machine: a leaderboard and the latest sessions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dicehall.client.results import GameResult, PlayerStats, leaders
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.scene import Align, Button, Intent, Item, Label, Panel, Rect, Scene
from dicehall.ui.desktop.screen import Program, Screen, StillScreen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.wire.sentences import words_of


@dataclass(slots=True)
class StatsScreen(StillScreen):
    program: Program
    game: str
    back: Callable[[], Screen]

    def handle(self, intent: Intent) -> Screen | None:
        match intent:
            case Intent("game", key):
                self.game = key
            case Intent("back"):
                return self.back()
        return None

    def typed(self, text: str) -> None:
        pass

    def scene(self, scale: Scale) -> Scene:
        s = scale
        results = self.program.results(self.game)
        items: list[Item] = [
            Label(
                rect=Rect(s(40), s(22), s(600), s(50)),
                text="Statistics",
                size=s.font(36),
                bold=True,
                color=theme.ACCENT,
            ),
            Button(
                rect=Rect(s.width - s(200), s(26), s(160), s(48)),
                label="Back",
                key="Esc",
                intent=Intent("back"),
                size=s.font(18),
            ),
        ]
        games = list(self.program.games.items())
        wide = (s.width - s(80)) / len(games) - s(10)
        for at, (key, game) in enumerate(games):
            rect = Rect(s(40) + at * (wide + s(10)), s(92), wide, s(48))
            name = words_of(game)["about"]["name"]
            items.append(
                Button(rect=rect, label=name, intent=Intent("game", key), selected=key == self.game, size=s.font(17))
            )
        area = Rect(s(40), s(160), s.width - s(80), s.height - s(190))
        if not results:
            items.append(
                Label(
                    rect=area._replace(h=s(60)),
                    text="No games yet. Play one to its end and it will appear here.",
                    size=s.font(20),
                    color=theme.MUTED,
                )
            )
        else:
            left = area._replace(w=area.w * 0.56)
            right = Rect(left.right + s(16), area.y, area.w - left.w - s(16), area.h)
            items += self.leader_items(s, left, leaders(results))
            items += self.sessions(s, right, results)
        return Scene(tuple(items), {"escape": Intent("back")})

    def leader_items(self, s: Scale, area: Rect, players: list[tuple[int, PlayerStats]]) -> list[Item]:
        game: Any = self.program.games[self.game]
        points = getattr(lines_of(game), "POINTS", "points")
        rows: list[tuple[str, ...]] = [("", "Leaderboard", "games", "wins", points)]
        rows += [
            (f"{place}.", one.shown_name, str(one.games_played), str(one.wins), str(one.total_score))
            for place, one in players
        ]
        columns = (0.07, 0.43, 0.14, 0.14, 0.22)
        return table_items(s, area, rows, columns, ("left", "left", "right", "right", "right"))

    def sessions(self, s: Scale, area: Rect, results: list[GameResult]) -> list[Item]:
        rows: list[tuple[str, ...]] = [("Latest games", "winner", "rounds")]
        for result in results[:10]:
            day = time.strftime("%Y-%m-%d %H:%M", time.localtime(result.at / 1000))
            rows.append((day, result.shown_winner, "" if result.rounds is None else str(result.rounds)))
        return table_items(s, area, rows, (0.46, 0.36, 0.18), ("left", "left", "right"))


def table_items(
    s: Scale, area: Rect, rows: list[tuple[str, ...]], columns: tuple[float, ...], aligns: tuple[Align, ...]
) -> list[Item]:
    """Rows of text under a heading, in columns that take these shares of the width."""
    items: list[Item] = [Panel(rect=area, fill=theme.PANEL, border=theme.BORDER, radius=s(14))]
    inside = area.inset(s(18), s(12))
    high = min(s(44), inside.h / 11)
    for line, row in enumerate(rows):
        x = inside.x
        for text, share, align in zip(row, columns, aligns, strict=True):
            rect = Rect(x, inside.y + line * high, inside.w * share - s(6), high)
            head = line == 0
            items.append(
                Label(
                    rect=rect,
                    text=text,
                    size=s.font(17),
                    bold=head,
                    align=align,
                    color=theme.ACCENT if head else theme.TEXT,
                )
            )
            x += inside.w * share
    return items
