"""A game for people: positions, offers and events as sentences, moves as typed words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dicehall.client.playing import ended
from dicehall.core.game import Event, Refused, Seat
from dicehall.lab.spoken import move_text, percent
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.narration import places, told_lines
from dicehall.ui.terminal.picks import Picks
from dicehall.ui.terminal.reading import Ask
from dicehall.ui.terminal.sitting import Sitting
from dicehall.ui.terminal.typed import COMMANDS, Command, understand
from dicehall.ui.terminal.voice import Voice
from dicehall.wire.actions import codec_of
from dicehall.wire.bot_names import first_name
from dicehall.wire.sentences import names_of, words_of

ADVISED = 5  # choices that a hint compares


class Left(Exception):
    """The person who types wants to leave, or the input has ended."""


class PeoplePlay:
    def __init__(self, sitting: Sitting, voice: Voice, ask: Ask, *, confirms: bool = False) -> None:
        self.sitting, self.voice, self.ask, self.confirms = sitting, voice, ask, confirms
        self.playing = sitting.playing
        self.names = [first_name(name) for name in sitting.playing.names]  # levels are said at the start
        self.kind = type(self.playing.game)
        self.trouble: str | None = None  # why the game was not saved, as people know it
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
        names = self.playing.names
        self.voice.say(f"{self.about['name']}: {names_of(range(len(names)), names)}.", "heading")
        if self.sitting.people and not ended(self.playing):
            self.voice.say("Type help for the rules and the commands, or quit to leave.", "note")
        if self.sitting.seal:
            self.voice.say(f"Seal of the dice:\n{self.sitting.seal}", "exact")

    def turn(self, seat: Seat, *, fresh: bool) -> Sequence[Event]:
        """Show what there is and ask until a move is made."""
        if fresh:
            self.voice.say("")
            self.score()
            self.voice.say(f"{self.names[seat]}, it is your turn.", "heading")
        picks = self.show(seat)
        while True:
            try:
                if (moved := self.asked(seat, picks)) is not None:
                    return moved
            except Refused as refused:
                self.voice.say(refused.sentence, "wrong")

    def asked(self, seat: Seat, picks: Picks) -> Sequence[Event] | None:
        """One typed line: the events of a move, or None after a command."""
        enter = f" (Enter: {picks.only})" if picks.only and self.confirms else ""
        self.ask.words = [*picks.words, *COMMANDS]
        text = self.ask(f"{self.names[seat]}{enter}> ", self.secret(picks.verbs))
        if text is None:
            raise Left
        view, codec = self.playing.view(seat), codec_of(self.kind)
        meant = understand(picks.typed(text), self.lines, view, picks.verbs, codec)
        if isinstance(meant, Command):
            self.obey(meant, seat)
            return None
        return self.sitting.act(seat, meant) if self.sure(codec.encode(meant)) else None

    def sure(self, move: Any) -> bool:
        """Ask back before what loses for good, where somebody is there to be asked."""
        final = getattr(self.lines, "FINAL", {})
        if not self.confirms or not isinstance(move, str) or move not in final:
            return True
        self.ask.words = ("yes", "no")
        answer = self.ask(f"{final[move]} (yes/no) ", False) or ""
        return bool(answer.strip()) and "yes".startswith(answer.strip().lower())

    def show(self, seat: Seat) -> Picks:
        view = self.playing.view(seat)
        for line in self.lines.table(view, self.names, seat):
            self.voice.say(line, "position")
        offers = self.lines.offers(view, self.names, seat, self.playing.choices(seat))
        picks = Picks([typed for typed, _ in offers], self.lines, codec_of(self.kind))
        if self.secret(picks.verbs):
            name = self.names[seat]
            self.voice.say(f"Everyone but {name}, please look away. What {name} types stays hidden.", "note")
        if header := getattr(self.lines, "OFFERS", ""):
            self.voice.say(f"  {header}", "position")
        for number, (typed, worth) in zip(picks.numbers, offers, strict=True):
            self.voice.offer(typed, worth, number)
        return picks

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
        self.voice.say("You can shorten words as long as they stay clear: r for roll.")
        self.voice.say("Choices with a number can be picked by it: 1, or #1 where it starts with #.")
        self.voice.say("Where only one move takes numbers, type just the numbers: 3 for pick 3.")
        self.voice.say("Enter alone takes the only choice.")

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
        if not file:
            self.voice.say("Which file? For example: save game.json", "wrong")
        elif problem := self.sitting.save_to(Path(file)):
            self.voice.say(problem, "wrong")
        else:
            self.voice.say(f"Saved to {file}. Every move from now on is saved there, too.", "note")

    def tell(self, events: Sequence[Event]) -> None:
        for event in events:
            for line in told_lines(self.playing.game, event, self.playing.view(None), self.names):
                self.voice.say(line)
        if self.sitting.trouble != self.trouble:
            self.trouble = self.sitting.trouble
            again = "This game is saved again."
            self.voice.say(f"This game is not saved: {self.trouble}" if self.trouble else again, "wrong")

    def result(self) -> None:
        over = ended(self.playing)
        self.voice.say("")
        if over is None:
            self.voice.say("The game is waiting for someone who is away.")
            return
        self.score()
        for line in places(over, self.names):
            self.voice.say(line, "heading")
        if self.sitting.keeper.kept:
            self.voice.say(f"The record of this game is in {self.sitting.keeper.path}", "note")
