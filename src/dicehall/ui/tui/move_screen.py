"""A game in which people at this terminal move: they pick a choice from the list, or type it."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.widgets import Input, OptionList

from dicehall.core.game import Refused, Seat
from dicehall.ui.tables.game_table import GameTable, Position
from dicehall.ui.tables.offers import Offer, Offers, offers_of
from dicehall.ui.tables.playback import rolling_text
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.typed import COMMANDS, Command, understand
from dicehall.ui.tui.choices import MORE, Choices
from dicehall.ui.tui.command_line import CommandLine
from dicehall.ui.tui.dialogs import confirmation
from dicehall.ui.tui.live_screen import LiveScreen
from dicehall.ui.tui.program import Program
from dicehall.ui.tui.text_graphics import ACCENT
from dicehall.wire.actions import codec_of


class MoveScreen(LiveScreen):
    read_only = False

    def __init__(self, program: Program, table: GameTable) -> None:
        super().__init__(program, table)
        self.read_only = not table.people  # spectators have nothing to choose or to type
        self.lines = lines_of(type(table.game))
        self.choices = Choices(Offers(()))
        self.expanded = False  # all choices are listed, not only the best
        self.shown_to: Seat | None = None  # the seat that said the others look away
        self.offered: Any = None  # the position whose choices are listed

    def obey(self, command: Command) -> None:
        """Do what was typed, if it was no move."""
        raise NotImplementedError

    def keys_now(self) -> list[tuple[str, str]]:
        """What keys do now, for the foot of the screen."""
        raise NotImplementedError

    # -- who can do what ----------------------------------------------------------------------------------

    def arrive(self, position: Position) -> None:
        self.expanded, self.shown_to = False, None
        super().arrive(position)

    @property
    def offers(self) -> Offers:
        return self.choices.offers

    @property
    def only_choice(self) -> int | None:
        return self.choices.only

    @property
    def is_secret(self) -> bool:
        """Whether others at this terminal must not see what is chosen now."""
        return len(self.table.people) > 1 and self.choices.are_among(getattr(self.lines, "SECRET", ()))

    @property
    def is_covered(self) -> bool:
        return self.acting is not None and self.is_secret and self.shown_to != self.acting

    @property
    def is_typing(self) -> bool:
        return self.focused is not None and self.focused.id == "typed"

    # -- what is shown ------------------------------------------------------------------------------------

    def refresh_table(self) -> None:
        self.list_choices()
        self.show(self.stage_now(), self.clock)
        self.say(*self.prompt())
        self.show_keys()

    def show_keys(self) -> None:
        self.set_keys(self.keys_now())

    def resized(self) -> None:
        if self.is_mounted and self.stage is not None:
            self.offered = None
            self.refresh_table()

    def list_choices(self) -> None:
        """List the choices of the person who is to act, where they are not listed yet."""
        acting = self.acting
        key = (acting, None if acting is None else self.position, self.expanded, self.shown_to)
        if key == self.offered:
            return
        self.offered = key
        self.choices = Choices(Offers(()) if acting is None else self.offers_for(acting), self.expanded)
        listed = self.query_one(OptionList)
        listed.clear_options()
        if not self.is_covered:
            listed.add_options(self.choices.rows(self.stage_now(), self.board_width))
        line = self.query_one(CommandLine)
        line.password = self.is_secret
        line.completion.words = [offer.text for offer in self.offers.every] + list(COMMANDS)
        self.move_focus(acting)

    def offers_for(self, seat: Seat) -> Offers:
        return offers_of(self.table.game, self.table.view_for(seat), self.table.names, seat, self.table.choices(seat))

    def move_focus(self, acting: Seat | None) -> None:
        listed = self.query_one(OptionList)
        if acting is None or self.is_covered:
            self.set_focus(None)
        elif listed.option_count and not (self.is_typing and self.query_one(CommandLine).value):
            listed.highlighted = self.only_choice
            listed.focus()

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
            return f"{rolling_text(self.rolling_count)} ...", "bold"
        if not self.playback.idle:
            return self.sentence_shown(), "bold"
        waiting = [names[seat] for seat in sorted(self.position.turn)]
        return f"{' and '.join(waiting)} {'is' if len(waiting) == 1 else 'are'} to move ..." if waiting else "", "dim"

    def sentence_shown(self) -> str:
        """What is being told; a sentence that is too long for one row stands only in the log."""
        beat = self.playback.current
        told = beat.narrated.lines if beat and beat.narrated else ()
        return told[-1] if told and cell_len(told[-1]) <= self.board_width else ""

    def uncover(self) -> None:
        self.shown_to = self.acting
        self.refresh_table()

    def list_all(self) -> None:
        if self.offers.rest:
            self.expanded = True
            self.refresh_table()

    # -- picking --------------------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id == MORE:
            self.list_all()
            return
        offer = self.choices.named(event.option.id)
        if offer is not None and self.acting is not None:
            self.pick(offer)

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

    # -- typing ---------------------------------------------------------------------------------------------

    def start_typing(self, text: str = "") -> None:
        line = self.query_one(CommandLine)
        line.begin(text) if text else line.focus()
        self.show_keys()

    def stop_typing(self) -> None:
        self.query_one(CommandLine).value = ""
        listed = self.query_one(OptionList)
        self.set_focus(listed if listed.option_count else None)
        self.show_keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        line, text = self.query_one(CommandLine), event.value.strip()
        line.remember(text)
        self.notice = ""
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
        likely = self.choices.verbs(self.lines.VERBS)
        meant = understand(text, self.lines, self.table.view_for(acting), likely, codec_of(type(self.table.game)))
        if isinstance(meant, Command):
            self.obey(meant)
            return
        known = self.choices.of(meant)
        self.pick(known) if known else self.act(meant)
