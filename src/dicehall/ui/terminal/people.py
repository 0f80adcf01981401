"""A game for people: positions, offers and events as sentences, moves as typed words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dicehall.client.keeping import CannotKeep, check_free
from dicehall.client.playing import ended
from dicehall.core.game import Event, Over, Refused, Seat
from dicehall.lab.spoken import move_text, percent
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.reading import Ask
from dicehall.ui.terminal.sitting import Sitting
from dicehall.ui.terminal.typed import COMMANDS, Command, understand
from dicehall.ui.terminal.voice import Voice
from dicehall.wire.actions import codec_of
from dicehall.wire.sentences import names_of, sentence, words_of

ADVISED = 5  # choices that a hint compares


class Left(Exception):
    """Whoever typed wants to leave, or the input has ended."""


class PeoplePlay:
    def __init__(self, sitting: Sitting, voice: Voice, ask: Ask) -> None:
        self.sitting, self.voice, self.ask = sitting, voice, ask
        self.playing, self.names = sitting.playing, sitting.playing.names
        self.kind = type(self.playing.game)
        self.lines = lines_of(self.kind)
        self.about = words_of(self.kind)["about"]

    def play(self) -> None:
        """To the end of the game; raises Left before it."""
        self.welcome()
        self.tell(self.sitting.begin())
        last: Seat | None = None
        while (seat := self.sitting.next()) is not None:
            if seat in self.sitting.bots:
                self.tell(self.sitting.bot_acts(seat))
            else:
                self.tell(self.turn(seat, fresh=seat != last))
            last = seat
        self.result()

    def welcome(self) -> None:
        self.voice.say(f"{self.about['name']}: {names_of(range(len(self.names)), self.names)}.", "heading")
        if self.sitting.people and not ended(self.playing):
            self.voice.say("Type help for the words and the rules, quit to leave.", "note")

    def turn(self, seat: Seat, *, fresh: bool) -> Sequence[Event]:
        """Show what there is and ask until a move is made."""
        if fresh:
            self.voice.say("")
            self.score()
            self.voice.say(f"{self.names[seat]}, it is your turn.", "heading")
        offers = self.show(seat)
        likely = list(dict.fromkeys(self.verb(typed) for typed, _ in offers))
        while True:
            try:
                if (moved := self.asked(seat, likely)) is not None:
                    return moved
            except Refused as refused:
                self.voice.say(refused.sentence, "wrong")

    def asked(self, seat: Seat, likely: Sequence[str]) -> Sequence[Event] | None:
        """One typed line: the events of a move, or None after a command."""
        text = self.ask(f"{self.names[seat]}> ", self.secret(likely))
        if text is None:
            raise Left
        meant = understand(text, self.lines, self.playing.view(seat), likely, codec_of(self.kind))
        if not isinstance(meant, Command):
            return self.sitting.act(seat, meant)
        self.obey(meant, seat)
        return None

    def verb(self, offer: str) -> str:
        """The verb of an offer: as many of its words as name one."""
        words = offer.split()
        names = ("_".join(words[:size]) for size in range(len(words), 0, -1))
        return next((name for name in names if name in self.lines.VERBS), words[0])

    def show(self, seat: Seat) -> list[tuple[str, str]]:
        view = self.playing.view(seat)
        for line in self.lines.table(view, self.names, seat):
            self.voice.say(line, "position")
        offers = self.lines.offers(view, self.names, seat, self.playing.choices(seat))
        if self.secret([self.verb(typed) for typed, _ in offers]):
            self.voice.say(f"Everybody but {self.names[seat]} looks away; what is typed now stays hidden.", "note")
        for typed, worth in offers:
            self.voice.offer(typed, worth)
        return offers

    def secret(self, verbs: Sequence[str]) -> bool:
        """Whether others at this terminal must not see what is typed."""
        return len(self.sitting.people) > 1 and not set(verbs).isdisjoint(getattr(self.lines, "SECRET", ()))

    def obey(self, command: Command, seat: Seat) -> None:
        match command.name:
            case "help":
                self.help()
            case "score":
                self.score()
            case "hint":
                self.hint(seat)
            case "save":
                self.save(command.rest)
            case _:
                raise Left

    def help(self) -> None:
        for line in (*self.about["how"], "", *self.lines.VERBS.values(), *COMMANDS.values()):
            self.voice.say(line)
        self.voice.say("Words may be shortened as long as it is clear what is meant: r for roll.")
        self.voice.say("Where only one move takes numbers, type just the numbers: 3 for pick 3.")

    def score(self) -> None:
        for line in self.lines.scores(self.playing.view(None), self.names):
            self.voice.say(line, "position")

    def hint(self, seat: Seat) -> None:
        advice, view = self.sitting.hint(seat), self.playing.view(seat)
        for worth in advice.worths[:ADVISED]:
            typed = move_text(self.playing.game, view, self.names, seat, worth.action)
            self.voice.offer(typed, f"{percent(worth.chance.value)} to win")
        best = move_text(self.playing.game, view, self.names, seat, advice.best)
        self.voice.say(f"The coach would type: {best} ({advice.note}).", "position")

    def save(self, file: str) -> None:
        keeper = self.sitting.keeper
        if not file:
            self.voice.say("Say which file, such as: save game.json", "wrong")
            return
        try:
            check_free(Path(file))
        except CannotKeep as taken:
            self.voice.say(str(taken), "wrong")
            return
        keeper.path = Path(file)
        self.sitting.keep()
        self.voice.say(self.sitting.trouble or f"Saved in {file}, and so will be every move from now on.", "note")

    def tell(self, events: Sequence[Event]) -> None:
        for event in events:
            for line in self.told(event):
                self.voice.say(line)
        if self.sitting.trouble:
            self.voice.say(f"This game is not saved: {self.sitting.trouble}", "wrong")

    def told(self, event: Event) -> list[str]:
        own: Any = getattr(self.lines, "told", None)
        lines: list[str] | None = own(event, self.playing.view(None), self.names) if own else None
        return [sentence(self.playing.game, event, self.names)] if lines is None else lines

    def result(self) -> None:
        over = ended(self.playing)
        self.voice.say("")
        if over is None:
            self.voice.say("The game waits for somebody who is away.")
            return
        self.score()
        for line in places(over, self.names):
            self.voice.say(line, "heading")
        if self.sitting.keeper.kept:
            self.voice.say(f"The record of this game is in {self.sitting.keeper.path}.", "note")


def places(over: Over, names: Sequence[str]) -> list[str]:
    """The final places; equals share one, and the next place counts them all."""
    if not over.places:
        return ["The game is over. Nobody won."]
    told, place = ["The game is over."], 1
    for seats in over.places:
        told.append(f"{place}. {names_of(sorted(seats), names)}")
        place += len(seats)
    return told
