"""The first screen: which game, and who sits at the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dicehall.ui.desktop.game_screen import GameScreen
from dicehall.ui.desktop.panels import TypedText
from dicehall.ui.desktop.rules_screen import RulesScreen
from dicehall.ui.desktop.scene import Intent, Scene
from dicehall.ui.desktop.screen import Program, Screen, StillScreen
from dicehall.ui.desktop.start_scene import start_items
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.avatars import AVATARS, BOT
from dicehall.ui.tables.game_table import Problem
from dicehall.ui.tables.home_seats import NAME_MOST, HomeSetup, SeatPlan, names_problem
from dicehall.ui.tables.house_rules import Rules, RulesChoice
from dicehall.wire.bot_levels import usual_level

FIRST = "doordice"
PEOPLE = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")


@dataclass(slots=True)
class StartScreen(StillScreen):
    program: Program
    game: str = ""
    seats: list[SeatPlan] = field(default_factory=list)
    rules: Rules = field(default_factory=dict)
    editing: int | None = None  # the seat whose name is typed
    entry: TypedText = field(default_factory=lambda: TypedText(most=NAME_MOST))
    notice: str = ""
    last_game: str = ""  # what can be resumed

    def __post_init__(self) -> None:
        games = self.program.games
        self.last_game = self.program.can_resume()
        if setup := self.program.setup:
            self.game, self.seats, self.rules = setup.game, list(setup.seats), dict(setup.rules)
        self.game = self.game or (FIRST if FIRST in games else next(iter(games)))
        self.seats = self.seats or self.usual_seats()

    @property
    def kind(self) -> Any:
        return self.program.games[self.game]

    def usual_seats(self) -> list[SeatPlan]:
        """One person against bots."""
        few = self.kind.seats[0]
        return [self.person(0), *(self.bot(seat) for seat in range(1, few))]

    def person(self, seat: int) -> SeatPlan:
        taken = {plan.name for plan in self.seats}
        name = next(name for name in (PEOPLE[seat], *PEOPLE) if name not in taken)
        return SeatPlan(name, AVATARS[(seat * 5 + 8) % len(AVATARS)])

    def bot(self, seat: int, level: str = "") -> SeatPlan:
        return SeatPlan("", BOT, level or usual_level(self.program.levels(self.game)))

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        self.notice = ""
        if intent.name not in ("name", "type"):
            self.editing = None
        match intent:
            case Intent("game", key):
                self.choose_game(key)
            case Intent("name", seat):
                self.editing = None if self.editing == seat else seat
                self.entry.begin(self.seats[seat].name)
            case Intent("avatar", seat):
                self.change_avatar(seat)
            case Intent("person", seat):
                if self.seats[seat].level is not None:
                    self.seats[seat] = self.person(seat)
            case Intent("level", (seat, level)):
                self.seats[seat] = self.bot(seat, level)
            case Intent("more"):
                if len(self.seats) < self.kind.seats[-1]:
                    self.seats.append(self.bot(len(self.seats)))
            case Intent("fewer"):
                if len(self.seats) > self.kind.seats[0]:
                    self.seats.pop()
            case Intent("stats"):
                from dicehall.ui.desktop.stats_screen import StatsScreen

                return StatsScreen(self.program, self.game, lambda: self)
            case Intent("resume"):
                return self.resume()
            case Intent("rules"):
                return RulesScreen(RulesChoice(self.kind, dict(self.rules)), self.ruled)
            case Intent("start"):
                return self.start()
        return None

    def choose_game(self, key: str) -> None:
        """With the usual bots and rules; the first person keeps name and picture."""
        first = self.seats[0]
        self.game, self.seats, self.rules = key, [], {}
        self.seats = self.usual_seats()
        if first.level is None:
            self.seats[0] = first

    def change_avatar(self, seat: int) -> None:
        """The next animal that nobody else is."""
        plan = self.seats[seat]
        if plan.level is not None:
            return
        taken = {other.avatar for at, other in enumerate(self.seats) if at != seat}
        at = AVATARS.index(plan.avatar)
        order = AVATARS[at + 1 :] + AVATARS[: at + 1]
        self.seats[seat] = replace(plan, avatar=next(avatar for avatar in order if avatar not in taken))

    def start(self) -> Screen | None:
        plans = [replace(plan, name=plan.name.strip()) for plan in self.seats]
        self.notice = names_problem([plan.name for plan in plans if plan.level is None])
        if self.notice:
            self.program.sound("error")
            return None
        self.program.setup = HomeSetup(self.game, tuple(plans), self.rules)
        return GameScreen(self.program, self.program.open_table(self.game, plans, self.rules))

    def resume(self) -> Screen | None:
        try:
            return GameScreen(self.program, self.program.resume())
        except Problem as problem:
            self.notice = str(problem)
            return None

    def ruled(self, rules: Rules) -> Screen:
        self.rules = rules
        return self

    def typed(self, text: str) -> None:
        if self.editing is None:
            return
        self.entry.typed(text)
        self.seats[self.editing] = replace(self.seats[self.editing], name=self.entry.text)

    def scene(self, scale: Scale) -> Scene:
        items = tuple(start_items(self, scale))
        keys = {
            "return": Intent("start"),
            "m": Intent("sound"),
            "t": Intent("stats"),
            "h": Intent("rules"),
            "r": Intent("resume"),
            "escape": Intent("quit"),
        }
        if self.editing is not None:
            stop = Intent("name", self.editing)
            return Scene(items, {"return": stop, "escape": stop}, typing=True)
        return Scene(items, keys)
