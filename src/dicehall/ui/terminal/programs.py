"""A game for programs: a line in, one line of JSON out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dicehall.client.playing import ended
from dicehall.core.game import Event, Refusal, Refused, Seat
from dicehall.lab.shown import show_advice
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.people import Left
from dicehall.ui.terminal.reading import Ask
from dicehall.ui.terminal.sitting import Sitting
from dicehall.ui.terminal.typed import Command, understand
from dicehall.wire.actions import codec_of
from dicehall.wire.answers import show_refused
from dicehall.wire.shown import show_awaited, show_event


class ProgramPlay:
    def __init__(self, sitting: Sitting, write: Callable[[Any], None], ask: Ask) -> None:
        self.sitting, self.write, self.ask = sitting, write, ask
        self.playing = sitting.playing
        self.kind = type(self.playing.game)

    def play(self) -> None:
        """Answer line after line to the end of the game; raises Left before it."""
        self.answer(self.sitting.begin())
        while (seat := self.sitting.next()) is not None:
            try:
                self.asked(seat)
            except Refused as refused:
                self.write({"refused": show_refused(refused)})

    def asked(self, seat: Seat) -> None:
        text = self.ask("", False)
        if text is None:
            raise Left
        view = self.playing.view(seat)
        meant = understand(text, lines_of(self.kind), view, (), codec_of(self.kind))
        if not isinstance(meant, Command):
            self.answer(self.sitting.act(seat, meant))
        elif meant.name == "quit":
            raise Left
        elif meant.name == "save":
            raise Refused(Refusal.BAD_MOVE, "Programs save with --save FILE.")
        elif meant.name == "hint":
            self.write({"hint": show_advice(self.playing.game, self.sitting.hint(seat))})
        else:
            self.answer(())

    def answer(self, events: Sequence[Event]) -> None:
        """What happened, with the bots' moves that followed, and what the next person sees and may do."""
        told = [*events]
        while (seat := self.sitting.next()) in self.sitting.bots and seat is not None:
            told += self.sitting.bot_acts(seat)
        self.write({"events": [show_event(event) for event in told], **self.position(seat)})

    def position(self, seat: Seat | None) -> dict[str, Any]:
        view = msgspec.to_builtins(self.playing.view(seat))
        codec, choices = codec_of(self.kind), () if seat is None else self.playing.choices(seat)
        over = ended(self.playing)
        places = over and {"places": [sorted(place) for place in over.places], "reason": over.reason}
        trouble = {"trouble": self.sitting.trouble} if self.sitting.trouble else {}
        return {
            "seat": seat,
            "view": {**show_awaited(self.playing.awaited()), **view, "me": seat},
            "choices": [codec.encode(action) for action in choices],
            "over": places,
            **trouble,
        }
