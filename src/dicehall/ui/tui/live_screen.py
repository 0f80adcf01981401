"""A game that goes on: what happens comes in as news and is shown at a pace people can follow."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from dicehall.core.game import Seat
from dicehall.ui.tables.game_table import Change, GameTable, Hint, NarratedEvent, Position, Rejection, Trouble
from dicehall.ui.tables.playback import SPEEDS, Playback, dice_of
from dicehall.ui.tables.summary import summary_of
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.stage import Stage
from dicehall.ui.tui.table_screen import TableScreen

TICK_S = 0.05
TUMBLE_MS = 120.0  # a die in the air shows another face so often
BOT_PAUSE_MS = 650.0  # before a bot moves, so that people can follow


class LiveScreen(TableScreen):
    """Follows a table. What people can do at it is up to the screen that derives from this one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_log(-1)", "Log up", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", "Log down", show=False, priority=True),
    ]

    def __init__(self, program: Program, table: GameTable) -> None:
        super().__init__()
        self.program, self.table = program, table
        self.playback = Playback(self.reveal, self.arrive, speed=SPEEDS[program.speed])
        self.position = table.start()
        self.view: Any = self.position.view  # as far as it has been told
        self.dice: tuple[int, ...] = ()
        self.waited = self.tumbled = 0.0
        self.in_flight = False  # a move was sent and not answered yet
        self.trouble = self.notice = ""

    # -- what the screen that people see does ---------------------------------------------------------------

    def refresh_table(self) -> None:
        raise NotImplementedError

    def show_hint(self, hint: Hint) -> None:
        raise NotImplementedError

    def ended(self) -> None:
        """The game is over and told to its end."""
        raise NotImplementedError

    @property
    def is_covered(self) -> bool:
        """True while anything that only the person to act may see must be covered."""
        raise NotImplementedError

    # -- what happens -----------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(TICK_S, self.tick)
        if self.table.seal:
            self.add_log([f"Seal of the dice, to check them with after the game:\n{self.table.seal}"])
        self.refresh_table()

    def tick(self) -> None:
        if self.is_current or self in self.app.screen_stack:  # not while it is being taken down
            self.advance(TICK_S * 1000)

    def advance(self, ms: float) -> None:
        """Let time pass: what came in, what is being shown, the next bot, the clock."""
        before = self.state_shown()
        self.collect()
        self.playback.advance(ms)
        self.let_bots_move(ms)
        self.tumbled += ms
        if self.state_shown() != before or (self.rolling_count and self.tumbled >= TUMBLE_MS):
            self.tumbled = 0.0
            self.refresh_table()

    def let_bots_move(self, ms: float) -> None:
        """After a pause, unless people are to move at the same time."""
        if not self.playback.idle or self.position.over:
            self.waited = 0.0
            return
        self.waited += ms * self.playback.speed
        bots, people = self.position.turn - self.table.people, self.position.turn & self.table.people
        if bots and (self.waited >= BOT_PAUSE_MS or people):
            self.table.move_bots()

    def state_shown(self) -> tuple[Any, ...]:
        """Whatever makes the screen look different when it changes."""
        beat = self.playback.current
        return self.view, self.position, beat, len(self.logged), self.trouble, self.notice, self.clock, self.acting

    def collect(self) -> None:
        for news in self.table.news():
            match news:
                case Change():
                    self.in_flight = False
                    self.playback.add(news)
                case Rejection():
                    self.in_flight = False
                    self.notice = news.sentence
                case Trouble(sentence):
                    self.trouble = sentence or ""
                case Hint():
                    self.show_hint(news)

    def reveal(self, narrated: NarratedEvent) -> None:
        self.add_log(narrated.lines)
        self.view = summary_of(type(self.table.game)).patched(self.view, narrated.event)
        self.dice = dice_of(narrated.event) or self.dice

    def arrive(self, position: Position) -> None:
        self.position, self.view = position, position.view
        if position.over is not None:
            self.ended()

    # -- where the game stands ----------------------------------------------------------------------------------

    @property
    def acting(self) -> Seat | None:
        """The person at this screen whose turn it is, once everything has been shown."""
        if not self.playback.idle or self.position.over or self.in_flight:
            return None
        return min(self.position.turn & self.table.people, default=None)

    @property
    def clock(self) -> str:
        """The time that is left, at a table with a clock."""
        deadline = self.position.deadline
        if deadline is None or self.position.over:
            return ""
        seconds = max(0, (deadline - self.table.now) // 1000)
        return f"{seconds // 60}:{seconds % 60:02}"

    @property
    def rolling_count(self) -> int:
        return len(self.playback.current.dice) if self.playback.current else 0

    def stage_now(self) -> Stage:
        acting = None if self.is_covered else self.acting
        alone = len(self.table.people) == 1
        me = acting if acting is not None else min(self.table.people) if alone else None
        view = self.table.view_for(acting) if acting is not None else self.view
        rolling = tuple(random.randint(1, 6) for _ in range(self.rolling_count))
        over = self.position.over if self.playback.idle else None
        return Stage(self.table.game, self.table.names, view, self.position.turn, over, me, rolling, self.dice)

    # -- the pace -------------------------------------------------------------------------------------------------

    def skip(self) -> None:
        self.playback.skip()
        self.waited = BOT_PAUSE_MS
        self.refresh_table()

    def change_speed(self) -> None:
        names = list(SPEEDS)
        self.program.speed = names[(names.index(self.program.speed) + 1) % len(names)]
        self.playback.speed = SPEEDS[self.program.speed]
        self.refresh_table()

    def action_scroll_log(self, pages: int) -> None:
        log = self.query_one("#log")
        log.scroll_relative(y=pages * max(1, log.size.height - 2), animate=False)
