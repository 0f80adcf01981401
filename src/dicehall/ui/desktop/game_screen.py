"""A game being played: the board in the middle, the ranking and the history beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import Over, Seat
from dicehall.ui.desktop import theme
from dicehall.ui.desktop.board import Board, Question, Stage, board_for
from dicehall.ui.desktop.frame import frame_items, help_items, result_items
from dicehall.ui.desktop.scene import Button, Intent, Item, Label, Panel, Rect, Scene, centered
from dicehall.ui.desktop.screen import Program, Screen
from dicehall.ui.desktop.theme import Scale
from dicehall.ui.tables.game_table import Change, GameTable, Hint, NarratedEvent, Position, Rejection, Trouble
from dicehall.ui.tables.playback import SPEEDS, Playback, dice_of
from dicehall.ui.tables.summary import summary_of

BOT_PAUSE_MS = 650.0  # before a bot moves, so that people can follow
NOTICE_MS = 4500.0
SOUNDS = {
    "Rolled": "land",
    "DiceRolled": "land",
    "TieDiceRolled": "land",
    "Fell": "fall",
    "EliminationScored": "coin",
    "RoundEnded": "coin",
    "PointsScored": "coin",
    "Held": "coin",
    "Lost": "fall",
    "PlayerBusted": "fall",
    "GameEnded": "win",
    "Won": "win",
}


@dataclass(slots=True)
class GameScreen:
    program: Program
    table: GameTable
    board: Board = field(init=False)
    position: Position = field(init=False)
    view: Any = field(init=False)  # as far as it has been told
    playback: Playback = field(init=False)
    lines: list[str] = field(default_factory=list)
    dice: tuple[int, ...] = ()
    notice: str = ""
    notice_left: float = 0.0
    trouble: str = ""
    paused: bool = False
    waited: float = 0.0  # since everything was told
    now: float = 0.0
    back: int = 0  # lines of the history that are scrolled out of sight
    overlay: str = ""  # "help", "result" or nothing
    question: Question | None = None
    in_flight: bool = False  # a move was sent and not answered yet

    def __post_init__(self) -> None:
        self.board = board_for(self.table.game)
        self.playback = Playback(self.reveal, self.arrive, speed=SPEEDS[self.program.speed])
        self.position = self.table.start()
        self.view = self.position.view
        self.collect()

    # -- what happens -----------------------------------------------------------------------------------

    def advance(self, ms: float) -> Screen | None:
        self.now += ms
        self.notice_left = max(0.0, self.notice_left - ms)
        self.collect()
        was = self.playback.current
        self.playback.advance(ms)
        if self.playback.current is not was and self.playback.current and self.playback.current.dice:
            self.program.sound("roll")
        if not self.playback.idle or self.paused or self.over:
            self.waited = 0.0
            return None
        self.waited += ms * self.playback.speed
        if self.position.turn - self.table.people and (
            self.waited >= BOT_PAUSE_MS or self.position.turn & self.table.people
        ):
            self.table.move_bots()
        return None

    def collect(self) -> None:
        for news in self.table.news():
            match news:
                case Change():
                    self.in_flight = False
                    self.playback.add(news)
                case Rejection():
                    self.in_flight = False
                    self.say(self.board.refused(self.stage(), news.sentence))
                case Trouble(sentence):
                    self.trouble = sentence or ""
                case Hint():  # this window does not ask for any
                    pass

    def reveal(self, narrated: NarratedEvent) -> None:
        self.lines.extend(narrated.lines)
        self.view = summary_of(type(self.table.game)).patched(self.view, narrated.event)
        self.dice = dice_of(narrated.event) or self.dice
        name = narrated.event["event"]
        if name == "EffectDone":
            self.program.sound("heal" if narrated.event["hp_change"] > 0 or narrated.event["vp_change"] > 0 else "hit")
        elif name in SOUNDS:
            self.program.sound(SOUNDS[name])

    def arrive(self, position: Position) -> None:
        if position.turn != self.position.turn or position.view != self.position.view:
            self.board.reset()
        self.position, self.view = position, position.view
        if position.over is not None and not self.overlay:
            self.overlay = "result"

    def say(self, text: str) -> None:
        self.notice, self.notice_left = text, NOTICE_MS
        self.program.sound("error")

    @property
    def over(self) -> Over | None:
        return self.position.over

    @property
    def acting(self) -> Seat | None:
        if not self.playback.idle or self.over or self.in_flight:
            return None
        return min(self.position.turn & self.table.people, default=None)

    def stage(self, scale: Scale | None = None) -> Stage:
        acting = self.acting
        return Stage(
            game=self.table.game,
            names=self.table.names,
            avatars=self.table.avatars,
            people=self.table.people,
            view=self.view if acting is None else self.table.view_for(acting),
            turn=self.position.turn,
            over=self.over if self.playback.idle else None,
            acting=acting,
            choices=() if acting is None else self.table.choices(acting),
            beat=self.playback.current,
            progress=self.playback.progress,
            dice=self.dice,
            now=self.now,
            scale=scale or Scale(1280, 800),
        )

    # -- what is wanted -----------------------------------------------------------------------------------

    def handle(self, intent: Intent) -> Screen | None:
        match intent:
            case Intent("home"):
                return self.leave()
            case Intent("ask_home"):
                if self.over:
                    return self.leave()
                self.question = Question(f"Leave this game? {self.table.leaving}", "Leave", Intent("home"))
            case Intent("again"):
                return self.again()
            case Intent("stats"):
                from dicehall.ui.desktop.stats_screen import StatsScreen

                return StatsScreen(self.program, self.table.game.key, lambda: self)
            case Intent("overlay", name):
                self.overlay = name
            case Intent("result"):
                self.overlay = "result"
            case Intent("close"):
                self.overlay, self.question = "", None
            case Intent("pause"):
                self.paused = not self.paused
            case Intent("speed"):
                self.program.speed = "normal" if self.program.speed == "fast" else "fast"
                self.playback.speed = SPEEDS[self.program.speed]
            case Intent("skip"):
                self.playback.skip()
            case Intent("scroll", lines):
                self.back = max(0, min(max(0, len(self.lines) - 3), self.back + lines))
            case Intent("confirm", question):
                self.question = question
            case _:
                self.play(intent)
        return None

    def play(self, intent: Intent) -> None:
        self.question = None
        stage = self.stage()
        if stage.acting is None:
            return
        action = self.board.handle(stage, intent)
        if isinstance(action, Question):
            self.question = action
        elif action is not None:
            self.notice_left, self.back = 0.0, 0
            self.in_flight = True
            self.table.act(stage.acting, action)
            self.collect()

    def leave(self) -> Screen | None:
        self.table.leave()
        return self.program.home() if self.program.home else None

    def again(self) -> Screen | None:
        table = self.table.again()
        if table is None:
            return self.leave()
        self.table.close()
        return GameScreen(self.program, table)

    def typed(self, text: str) -> None:
        pass

    def close(self) -> None:
        self.table.close()

    # -- what is shown ------------------------------------------------------------------------------------

    def scene(self, scale: Scale) -> Scene:
        stage = self.stage(scale)
        side = max(scale(322), 240.0)
        head = scale(54)
        area = Rect(0, head, scale.width - side, scale.height - head)
        beside = Rect(scale.width - side, head, side, scale.height - head)
        items = [*frame_items(self, stage, head, beside), *self.board.items(stage, area)]
        items += self.notices(scale, area)
        keys: dict[str, Intent] = {**self.common_keys(stage), **self.board.keys(stage)}
        under = len(items)
        if self.question:
            items += question_items(self.question, scale)
            return Scene(tuple(items), {"return": self.question.intent, "escape": Intent("close")}, modal=under)
        if self.overlay == "help":
            items += help_items(stage, scale)
            return Scene(tuple(items), {"escape": Intent("close"), "return": Intent("close")}, modal=under)
        if self.overlay == "result" and stage.over:
            items += result_items(stage, scale)
            result_keys = {"return": Intent("again"), "n": Intent("home"), "t": Intent("stats")}
            return Scene(tuple(items), {**result_keys, "escape": Intent("close")}, modal=under)
        return Scene(tuple(items), keys)

    def common_keys(self, stage: Stage) -> dict[str, Intent]:
        keys = {
            "escape": Intent("ask_home"),
            "p": Intent("pause"),
            "f": Intent("speed"),
            "f1": Intent("overlay", "help"),
            "m": Intent("sound"),
            "page up": Intent("scroll", 5),
            "page down": Intent("scroll", -5),
        }
        if stage.over:
            return {**keys, "return": Intent("again"), "n": Intent("home")}
        return keys if self.playback.idle else {**keys, "space": Intent("skip")}

    def notices(self, scale: Scale, area: Rect) -> list[Item]:
        text = self.trouble or (self.notice if self.notice_left else "")
        if not text:
            return []
        rect = centered(area.center[0], area.bottom - scale(172), min(area.w - scale(40), scale(680)), scale(54))
        return [
            Panel(rect=rect, fill=(92, 28, 30), border=theme.BAD, radius=scale(12)),
            Label(rect=rect.inset(scale(16), scale(4)), text=text, size=scale.font(19), bold=True, align="center"),
        ]


def question_items(question: Question, scale: Scale) -> list[Item]:
    box = centered(scale.width / 2, scale.height / 2, scale(520), scale(190))
    yes = Rect(box.x + scale(30), box.bottom - scale(72), scale(220), scale(50))
    return [
        Panel(rect=Rect(0, 0, scale.width, scale.height), fill=(0, 0, 0), alpha=150, radius=0),
        Panel(rect=box, fill=theme.PANEL, border=theme.ACCENT, radius=scale(16)),
        Label(
            rect=Rect(box.x + scale(30), box.y + scale(30), box.w - scale(60), scale(80)),
            text=question.text,
            size=scale.font(20),
            bold=True,
            wrap=True,
            align="center",
        ),
        Button(rect=yes, label=question.yes, key="Enter", intent=question.intent, primary=True, size=scale.font(18)),
        Button(
            rect=yes.moved(scale(240), 0),
            label="Cancel",
            key="Esc",
            intent=Intent("close"),
            size=scale.font(18),
        ),
    ]
