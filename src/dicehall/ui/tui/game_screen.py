"""A game being played on the whole terminal: what every key does, and the dialogs that lie over the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual import events
from textual.screen import Screen

from dicehall.ui.tables.game_table import GameTable, Hint
from dicehall.ui.tables.offers import Offer
from dicehall.ui.terminal.typed import Command
from dicehall.ui.tui.dialogs import QuestionScreen, TextScreen
from dicehall.ui.tui.help_text import help_lines
from dicehall.ui.tui.move_screen import MoveScreen
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.result_screen import ResultScreen
from dicehall.ui.tui.text_graphics import ACCENT


class GameScreen(MoveScreen):
    def __init__(self, program: Program, table: GameTable, home: Callable[[], Screen[Any]] | None = None) -> None:
        """*home* makes the screen that the game is left to, if that is not the program's first one."""
        super().__init__(program, table)
        self.home = home or program.home
        self.told_result = False
        self.rest_of_word = ""  # letters of a word whose first one was enough

    # -- keys -----------------------------------------------------------------------------------------------

    def keys_now(self) -> list[tuple[str, str]]:
        if self.is_typing:
            return [("Enter", "do it"), ("Tab", "complete"), ("↑↓", "history"), ("Esc", "back to the list")]
        keys = [("?", "rules"), ("Esc", "leave"), ("s", f"speed: {self.program.speed}")]
        if self.acting is None:
            return [("Space", "skip"), *keys] if not self.position.over else [("Enter", "result"), *keys[:2]]
        hint = [("!", "hint")] if self.table.hints else []
        return [("Enter/number", "choose"), ("Tab", "type"), *hint, *keys]

    def on_key(self, event: events.Key) -> None:
        if self.is_typing:
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
            self.start_typing(event.character)

    def on_descendant_focus(self) -> None:
        self.show_keys()

    def swallow(self, event: events.Key) -> bool:
        """Whether this is the rest of a word whose first letter has done it already, as in r-o-l-l."""
        if self.rest_of_word and event.character == self.rest_of_word[0]:
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
        keys |= {letter: self.word_picker(offer) for letter, offer in self.choices.letters.items()}
        return keys | {number: self.picker(offer) for number, offer in self.choices.numbers.items()}

    def picker(self, offer: Offer) -> Callable[[], None]:
        return lambda: self.pick(offer)

    def word_picker(self, offer: Offer) -> Callable[[], None]:
        def pick() -> None:
            self.rest_of_word = offer.text[1:]
            self.pick(offer)

        return pick

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

    # -- help and hints -------------------------------------------------------------------------------------

    def show_help(self) -> None:
        title, lines = help_lines(self.table.game)
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
        self.app.push_screen(TextScreen("Hint", hint_lines(hint)))

    # -- the end, and leaving before it ---------------------------------------------------------------------

    def ended(self) -> None:
        if not self.told_result:
            self.told_result = True
            self.call_after_refresh(self.show_result)

    def show_result(self) -> None:
        self.app.push_screen(ResultScreen(self.program, self.table, self.stage_now()), self.after_result)

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

    def ask_leave(self) -> None:
        answers = [("menu", "m", "Back to the menu"), ("quit", "q", "Quit Dicehall"), ("stay", "n", "No, keep playing")]
        question = "Leave this table?" if self.position.over else f"Leave this game? {self.table.leaving}"
        self.app.push_screen(QuestionScreen(question, answers, default=2), self.left)

    def left(self, answer: str | None) -> None:
        if answer in ("menu", "quit"):
            self.table.leave()
            self.go_home(quit=answer == "quit")

    def go_home(self, *, quit: bool = False) -> None:
        if quit or self.home is None:
            self.app.exit(0)
        else:
            self.app.switch_screen(self.home())


def hint_lines(hint: Hint) -> list[Text]:
    width = max((len(text) for text, _ in hint.rows), default=0)
    rows = [Text.assemble((f"  {text:{width}}", "bold"), f"  {chance}") for text, chance in hint.rows]
    best = Text.assemble("The coach would play: ", (hint.best, ACCENT))
    return [best, *rows, Text(note_sentence(hint.note), "dim")]


def note_sentence(note: str) -> str:
    """How far to trust a hint: notes are words such as exact."""
    words = f"{note} chances" if note == "exact" else note
    return f"{words[:1].upper()}{words[1:]}."
