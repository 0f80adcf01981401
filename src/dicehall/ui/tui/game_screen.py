"""A game being played: bots' turns are shown at a pace people can follow, and people pick or type their moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from dicehall.core.game import Refused, Seat
from dicehall.ui.tables.game_table import Change, GameTable, Hint, NarratedEvent, Position, Rejection, Trouble
from dicehall.ui.tables.offers import Offer, Offers, letter_keys, number_keys, offers_of
from dicehall.ui.tables.playback import SPEEDS, Playback, dice_of
from dicehall.ui.tables.summary import summary_of
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.typed import COMMANDS, Command, understand
from dicehall.ui.tui.command_line import CommandLine
from dicehall.ui.tui.dialogs import QuestionScreen, TextScreen, confirmation
from dicehall.ui.tui.drawing import ACCENT, fitted
from dicehall.ui.tui.help_text import help_lines
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.result_screen import ResultScreen
from dicehall.ui.tui.stage import Stage, worth_of
from dicehall.ui.tui.table_screen import TableScreen
from dicehall.wire.actions import codec_of

TICK_S = 0.05
TUMBLE_MS = 120.0  # a die in the air shows another face so often
BOT_PAUSE_MS = 650.0  # before a bot moves, so that people can follow
MORE = "more"  # the choice that lists the others


class GameScreen(TableScreen):
    read_only = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_log(-1)", "Log up", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", "Log down", show=False, priority=True),
    ]

    def __init__(self, program: Program, table: GameTable, home: Callable[[], Screen[Any]] | None = None) -> None:
        """*home* makes the screen that the game is left to, if that is not the program's first one."""
        super().__init__()
        self.program, self.table, self.home = program, table, home or program.home
        self.read_only = not table.people  # spectators have nothing to choose or to type
        self.lines = lines_of(type(table.game))
        self.playback = Playback(self.reveal, self.arrive, speed=SPEEDS[program.speed])
        self.position = table.start()
        self.view: Any = self.position.view  # as far as it has been told
        self.dice: tuple[int, ...] = ()
        self.waited = self.tumbled = 0.0
        self.in_flight = False  # a move was sent and not answered yet
        self.trouble = self.notice = ""
        self.offers, self.listed = Offers(()), ()  # type: Offers, tuple[Offer, ...]
        self.expanded = False  # all choices are listed, not only the best
        self.shown_to: Seat | None = None  # the seat that said the others look away
        self.told_result = False
        self.rest_of_word = ""  # letters of a word whose first one was enough
        self.offered: Any = None  # the position whose choices are listed

    # -- what happens -----------------------------------------------------------------------------------

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
        if not self.playback.idle or self.position.over:
            self.waited = 0.0
        else:
            self.waited += ms * self.playback.speed
            if self.position.turn - self.table.people and (
                self.waited >= BOT_PAUSE_MS or self.position.turn & self.table.people
            ):
                self.table.move_bots()
        self.tumbled += ms
        if self.state_shown() != before or (self.rolling_count and self.tumbled >= TUMBLE_MS):
            self.tumbled = 0.0
            self.refresh_table()

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
        self.expanded, self.shown_to = False, None
        if position.over is not None and not self.told_result:
            self.told_result = True
            self.call_after_refresh(self.show_result)

    # -- who can do what ----------------------------------------------------------------------------------

    @property
    def acting(self) -> Seat | None:
        if not self.playback.idle or self.position.over or self.in_flight:
            return None
        return min(self.position.turn & self.table.people, default=None)

    @property
    def is_secret(self) -> bool:
        """Whether others at this terminal must not see what is chosen now."""
        verbs = {offer.text.split()[0] for offer in self.offers.every}
        return len(self.table.people) > 1 and not verbs.isdisjoint(getattr(self.lines, "SECRET", ()))

    @property
    def is_covered(self) -> bool:
        return self.acting is not None and self.is_secret and self.shown_to != self.acting

    @property
    def only_choice(self) -> int | None:
        """The row that Enter takes at once; folding is nobody's only choice. Where several are left, Enter that was
        meant for skipping must not choose one."""
        ways = [at for at, offer in enumerate(self.listed) if not offer.question]
        return ways[0] if len(ways) == 1 and not self.offers.rest else None

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

    # -- what is shown ------------------------------------------------------------------------------------

    def refresh_table(self) -> None:
        self.list_offers()
        self.show(self.stage_now(), self.clock)
        self.say(*self.prompt())
        self.set_keys(self.keys_now())

    def resized(self) -> None:
        if self.is_mounted and self.stage is not None:
            self.offered = None
            self.refresh_table()

    def stage_now(self) -> Stage:
        acting = self.acting
        alone = len(self.table.people) == 1
        me = acting if acting is not None and not self.is_covered else min(self.table.people) if alone else None
        view = self.table.view_for(acting) if acting is not None and not self.is_covered else self.view
        rolling = tuple(random.randint(1, 6) for _ in range(self.rolling_count))
        over = self.position.over if self.playback.idle else None
        names = self.table.names
        return Stage(self.table.game, names, view, self.position.turn, over, me, rolling, self.dice)

    def list_offers(self) -> None:
        """List the choices of the person who is to act."""
        acting = self.acting
        key = (acting, None if acting is None else self.position, self.expanded, self.shown_to)
        if key == self.offered:
            return
        self.offered = key
        choices = self.query_one(OptionList)
        choices.clear_options()
        self.offers, self.listed = Offers(()), ()
        if acting is not None:
            self.offers = self.offers_for(acting)
            self.listed = self.offers.every if self.expanded else self.offers.best
            choices.add_options([] if self.is_covered else self.option_rows())
        line = self.query_one(CommandLine)
        line.password = self.is_secret
        line.completion.words = [offer.text for offer in self.offers.every] + list(COMMANDS)
        self.move_focus(acting)

    def offers_for(self, seat: Seat) -> Offers:
        return offers_of(self.table.game, self.table.view_for(seat), self.table.names, seat, self.table.choices(seat))

    def move_focus(self, acting: Seat | None) -> None:
        typing = self.focused is not None and self.focused.id == "typed"
        choices = self.query_one(OptionList)
        if acting is None or self.is_covered:
            self.set_focus(None)
        elif choices.option_count and not (typing and self.query_one(CommandLine).value):
            choices.highlighted = self.only_choice
            choices.focus()

    def option_rows(self) -> list[Option]:
        stage = self.stage_now()
        width = max((len(offer.text) for offer in self.listed), default=0)
        letters = {offer.text: key for key, offer in letter_keys(self.listed).items()}
        rows = []
        for number, offer in zip(number_keys(self.listed), self.listed, strict=True):
            row = Text.assemble((f" {number:1} ", ACCENT), (f"{letters.get(offer.text, ''):1}  ", ACCENT))
            row.append(fitted(offer.text, width), "bold").append(f"  {worth_of(stage, offer)}")
            rows.append(Option(one_line(row, self.board_width), id=offer.text))
        if self.offers.rest and not self.expanded:
            more = Text.assemble(("    +  ", ACCENT), f"{len(self.offers.rest)} more ways")
            rows.append(Option(more, id=MORE))
        return rows

    def prompt(self) -> tuple[str, str]:
        """What is asked, or what is going on."""
        acting, names = self.acting, self.table.names
        if self.trouble or self.notice:
            return self.trouble or self.notice, "bold red"
        if self.position.over and self.playback.idle:
            return "The game is over. Enter shows the result.", "bold"
        if acting is not None and self.is_covered:
            return f"{names[acting]} picks in secret. The others look away; then press Enter.", ACCENT
        if acting is not None:
            how = "press Enter" if self.only_choice is not None else "press a number, or ↑↓ and Enter"
            return f"{names[acting]}, your move: {how}", ACCENT
        if self.rolling_count:
            return "The dice are rolling ...", "bold"
        waiting = [names[seat] for seat in sorted(self.position.turn)]
        return f"{' and '.join(waiting)} {'is' if len(waiting) == 1 else 'are'} to move ..." if waiting else "", "dim"

    def keys_now(self) -> list[tuple[str, str]]:
        if self.focused is not None and self.focused.id == "typed":
            return [("Enter", "do it"), ("Tab", "complete"), ("↑↓", "history"), ("Esc", "back to the list")]
        keys = [("?", "rules"), ("Esc", "leave"), ("s", f"speed: {self.program.speed}")]
        if self.acting is None:
            return [("Space", "skip"), *keys] if not self.position.over else [("Enter", "result"), *keys[:2]]
        hint = [("!", "hint")] if self.table.hints else []
        return [("Enter/number", "choose"), ("Tab", "type"), *hint, *keys]

    # -- keys and clicks ------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        if self.focused is not None and self.focused.id == "typed":
            if event.key == "escape":
                self.stop_typing()
            return
        if self.swallow(event):
            return
        action = self.actions().get(event.key) or self.actions().get(event.character or "")
        if action is not None:
            event.stop()
            event.prevent_default()
            action()
        elif event.character and event.character.isdigit() and self.acting is not None and not self.is_covered:
            self.say(f"There is no choice {event.character} now.", "bold red")
        elif event.character and event.character.isalpha() and self.acting is not None and not self.is_covered:
            self.query_one(CommandLine).begin(event.character)
            self.set_keys(self.keys_now())

    def on_descendant_focus(self) -> None:
        self.set_keys(self.keys_now())

    def swallow(self, event: events.Key) -> bool:
        """Whether this is the rest of a word whose first letter has done it already, as in r-o-l-l."""
        if self.rest_of_word and (event.character == self.rest_of_word[0]):
            self.rest_of_word = self.rest_of_word[1:]
            return True
        self.rest_of_word = ""
        return False

    def actions(self) -> dict[str, Callable[[], None]]:
        """What keys do now."""
        keys: dict[str, Callable[[], None]] = {
            "?": self.show_help,
            "f1": self.show_help,
            "escape": self.ask_leave,
            "s": self.change_speed,
            "!": self.ask_hint,
            "f2": self.ask_hint,
        }
        if self.position.over and self.playback.idle:
            return {**keys, "enter": self.show_result, "space": self.show_result}
        if self.acting is None:
            return {**keys, "space": self.skip, "enter": self.skip}
        if self.is_covered:
            return {**keys, "enter": self.uncover, "space": self.uncover}
        keys |= {"tab": self.start_typing, ":": self.start_typing, "/": self.start_typing, "+": self.list_all}
        keys |= {letter: self.word_picker(letter, offer) for letter, offer in letter_keys(self.listed).items()}
        numbers = zip(number_keys(self.listed), self.listed, strict=True)
        return keys | {number: self.picker(offer) for number, offer in numbers if number}

    def picker(self, offer: Offer) -> Callable[[], None]:
        return lambda: self.pick(offer)

    def word_picker(self, letter: str, offer: Offer) -> Callable[[], None]:
        def pick() -> None:
            self.rest_of_word = offer.text[1:]
            self.pick(offer)

        return pick

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id == MORE:
            self.list_all()
            return
        offer = next((offer for offer in self.listed if offer.text == event.option.id), None)
        if offer is not None and self.acting is not None:
            self.pick(offer)

    def start_typing(self) -> None:
        self.query_one(CommandLine).focus()
        self.set_keys(self.keys_now())

    def stop_typing(self) -> None:
        self.query_one(CommandLine).value = ""
        choices = self.query_one(OptionList)
        self.set_focus(choices if choices.option_count else None)
        self.set_keys(self.keys_now())

    def list_all(self) -> None:
        if self.offers.rest:
            self.expanded = True
            self.refresh_table()

    def uncover(self) -> None:
        self.shown_to = self.acting
        self.refresh_table()

    def skip(self) -> None:
        self.playback.skip()
        self.waited = BOT_PAUSE_MS
        self.refresh_table()

    def change_speed(self) -> None:
        names = list(SPEEDS)
        self.program.speed = names[(names.index(self.program.speed) + 1) % len(names)]
        self.playback.speed = SPEEDS[self.program.speed]
        self.set_keys(self.keys_now())

    def action_scroll_log(self, pages: int) -> None:
        log = self.query_one("#log")
        log.scroll_relative(y=pages * max(1, log.size.height - 2), animate=False)

    # -- moves ------------------------------------------------------------------------------------------------

    def pick(self, offer: Offer) -> None:
        """Make a move, having asked back where there is no way back."""
        if not offer.question:
            self.act(offer.action)
            return

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self.act(offer.action)

        self.app.push_screen(confirmation(offer.question, f"Yes, {offer.text}"), answered)

    def act(self, action: Any) -> None:
        acting = self.acting
        if acting is None:
            return
        self.notice, self.in_flight = "", True
        self.table.act(acting, action)
        self.collect()
        self.refresh_table()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        line, text = self.query_one(CommandLine), event.value.strip()
        line.remember(text)
        line.value, self.notice = "", ""
        self.stop_typing()
        if not text:
            return
        try:
            self.do(text)
        except Refused as refused:
            self.notice = refused.sentence
        self.refresh_table()

    def do(self, text: str) -> None:
        """What was typed: a move, or a command to the program."""
        acting = self.acting
        if acting is None:
            return
        likely = list(dict.fromkeys(verb_of(offer.text, self.lines.VERBS) for offer in self.offers.every))
        meant = understand(text, self.lines, self.table.view_for(acting), likely, codec_of(type(self.table.game)))
        if isinstance(meant, Command):
            self.obey(meant)
            return
        known = next((offer for offer in self.offers.every if offer.action == meant), None)
        self.pick(known) if known else self.act(meant)

    def obey(self, command: Command) -> None:
        match command.name:
            case "help":
                self.show_help()
            case "score":
                self.add_log(self.lines.scores(self.view, self.table.names))
            case "hint":
                self.ask_hint()
            case "save":
                self.add_log([self.table.save(command.rest)])
            case _:
                self.ask_leave()

    # -- screens over this one ----------------------------------------------------------------------------------

    def show_help(self) -> None:
        title, lines = help_lines(type(self.table.game))
        self.app.push_screen(TextScreen(title, lines))

    def ask_hint(self) -> None:
        if self.acting is None:
            return
        if not self.table.hints:
            self.notice = "Hints are off in this game."
        else:
            self.table.ask_hint(self.acting)
            self.notice = "The coach is thinking ..."
        self.refresh_table()

    def show_hint(self, hint: Hint) -> None:
        self.notice = ""
        width = max((len(text) for text, _ in hint.rows), default=0)
        rows = [Text.assemble((f"  {text:{width}}", "bold"), f"  {chance}") for text, chance in hint.rows]
        lines = [
            Text.assemble("The coach would play: ", (hint.best, ACCENT)),
            *rows,
            Text(note_sentence(hint.note), "dim"),
        ]
        self.app.push_screen(TextScreen("Hint", lines))

    def ask_leave(self) -> None:
        answers = [("menu", "m", "Back to the menu"), ("quit", "q", "Quit Dicehall"), ("stay", "n", "No, keep playing")]
        question = "Leave this table?" if self.position.over else f"Leave this game? {self.table.leaving}"
        self.app.push_screen(QuestionScreen(question, answers, default=2), self.left)

    def left(self, answer: str | None) -> None:
        if answer in ("menu", "quit"):
            self.table.leave()
            self.go_home(quit=answer == "quit")

    def show_result(self) -> None:
        stage = self.stage_now()
        self.app.push_screen(ResultScreen(self.program, self.table, stage), self.after_result)

    def after_result(self, answer: str | None) -> None:
        if answer == "again":
            self.play_again()
        elif answer in ("menu", "quit"):
            self.table.close()
            self.go_home(quit=answer == "quit")

    def play_again(self) -> None:
        """Another game with the same seats; at a server, the rematch is joined from the lobby."""
        again = self.table.again()
        self.table.close()
        if again is None:
            self.go_home()
        else:
            self.app.switch_screen(GameScreen(self.program, again, self.home))

    def go_home(self, *, quit: bool = False) -> None:
        if quit or self.home is None:
            self.app.exit(0)
        else:
            self.app.switch_screen(self.home())


def verb_of(offer: str, verbs: Any) -> str:
    """The verb of an offer: as many of its words as name one."""
    words = offer.split()
    names = ("_".join(words[:size]) for size in range(len(words), 0, -1))
    return next((name for name in names if name in verbs), words[0])


def note_sentence(note: str) -> str:
    """How far to trust a hint: notes are words such as exact."""
    words = f"{note} chances" if note == "exact" else note
    return f"{words[:1].upper()}{words[1:]}."


def one_line(text: Text, width: int) -> Text:
    text.truncate(width, overflow="ellipsis")
    return text
