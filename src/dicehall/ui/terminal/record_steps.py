"""Stepping through a record in plain lines: Enter goes on, words go back, jump, or let it run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dicehall.core.game import Seat
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.narration import places
from dicehall.ui.terminal.people import Left
from dicehall.ui.terminal.reading import Ask
from dicehall.ui.terminal.recorded_game import Frame, RecordedGame
from dicehall.ui.terminal.voice import Voice
from dicehall.wire.sentences import names_of, words_of

PAUSE_SECONDS = 1.0  # from step to step while it runs on its own
HELP = (
    "Enter or next: one step forward.  back: one step back.  A number: jump to that step.",
    "start, end: the first and the last step.  auto: play on to the end (Ctrl-C stops).  quit: leave.",
)
WORDS = ("next", "back", "start", "end", "auto", "help", "quit")


class RecordSteps:
    def __init__(self, record: RecordedGame, voice: Voice, ask: Ask, pause: Callable[[float], None]) -> None:
        self.record, self.voice, self.ask, self.pause = record, voice, ask, pause
        self.at = 0
        ask.words = WORDS

    @property
    def last(self) -> int:
        return len(self.record.frames) - 1

    def run(self) -> None:
        self.heading()
        for line in HELP:
            self.voice.say(line, "note")
        self.show(self.at)
        while (text := self.ask(f"step {self.at} of {self.last}> ", False)) is not None:
            try:
                self.obey(text.strip().lower())
            except Left:
                return

    def all(self) -> None:
        """The whole record at once, for pipes."""
        self.heading()
        for frame in self.record.frames[1:]:
            for line in frame.lines:
                self.voice.say(line)
        for line in position_lines(self.record, self.record.frames[-1]):
            self.voice.say(line, "position")
        if self.record.refused:
            self.voice.say(self.record.refused, "wrong")

    def heading(self) -> None:
        name = words_of(type(self.record.game))["about"]["name"]
        names = names_of(range(len(self.record.names)), self.record.names)
        self.voice.say(f"{name}: {names}. {self.last} steps.", "heading")

    def obey(self, text: str) -> None:
        if text.isdecimal():
            self.jump(int(text[:9]))
            return
        found = [word for word in WORDS if text and word.startswith(text)] if text else ["next"]
        match found:
            case ["next"]:
                self.jump(self.at + 1)
            case ["back"]:
                self.jump(self.at - 1)
            case ["start"]:
                self.jump(0)
            case ["end"]:
                self.jump(self.last)
            case ["auto"]:
                self.play_on()
            case ["quit"]:
                raise Left
            case _:
                for line in HELP:
                    self.voice.say(line, "note")

    def jump(self, to: int) -> None:
        before, self.at = self.at, min(max(to, 0), self.last)
        if self.at != before:
            self.show(self.at)
        else:
            self.voice.say("This is the last step." if to > 0 else "This is the start.", "note")

    def play_on(self) -> None:
        try:
            while self.at < self.last:
                self.at += 1
                self.show(self.at)
                self.pause(PAUSE_SECONDS)
        except KeyboardInterrupt:
            self.voice.say("")

    def show(self, at: int) -> None:
        frame = self.record.frames[at]
        self.voice.say("")
        for line in frame.lines:
            self.voice.say(line)
        for line in position_lines(self.record, frame):
            self.voice.say(line, "position")
        if at == self.last and self.record.refused:
            self.voice.say(self.record.refused, "wrong")


def position_lines(record: RecordedGame, frame: Frame) -> Sequence[str]:
    """How the game stood: the score, and the dice of whose turn it was."""
    lines = lines_of(type(record.game))
    told = list(lines.scores(frame.view, record.names))
    if frame.over is not None:
        return [*told, *places(frame.over, record.names)]
    if len(frame.turn) == 1:
        seat = next(iter(frame.turn))
        told += [f"{record.names[seat]} is to move.", *lines.table(frame.view, record.names, Seat(seat))]
    return told
