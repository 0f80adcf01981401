"""The menu that ``dicehall`` shows: choose a game, how many play, and against whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicehall.bots.levels import levels
from dicehall.games import Catalogue
from dicehall.launch.console import standard_ask, standard_voice
from dicehall.launch.game_list import seats_text
from dicehall.launch.line_game import Wanted, sit_down
from dicehall.ui.tables.home_seats import SeatPlan, home_names
from dicehall.ui.terminal.people import Left
from dicehall.wire.bot_levels import level_name, usual_level
from dicehall.wire.record import Record
from dicehall.wire.sentences import words_of


def menu(games: Catalogue) -> int:
    """Game after game, until somebody quits or input ends."""
    asked = Menu(games)
    try:
        while True:
            game = asked.game()
            code = sit_down(Wanted(asked.record(game)))
            if code:
                return code
    except Left:
        return 0


class Menu:
    def __init__(self, games: Catalogue) -> None:
        self.games = games
        self.voice, self.ask = standard_voice(plain=False), standard_ask()

    def game(self) -> Any:
        self.voice.say("Dicehall. Which game?", "heading")
        for number, game in enumerate(self.games.values(), start=1):
            about = about_of(game)
            self.voice.offer(f"{number}", f"{about['name']} ({seats_text(game)}). {about['line']}")
        self.voice.offer("quit", "leave")
        numbers = {str(number): key for number, key in enumerate(self.games, start=1)}
        chosen = self.chosen("Type a number or a name.", {**numbers, **{key: key for key in self.games}}, None)
        return self.games[chosen]

    def record(self, game: Any) -> Record:
        few, many = game.seats[0], game.seats[-1]
        seats = few if few == many else self.number("How many seats, bots included?", few, many, few)
        bots = self.number("How many bots?", 0, seats, seats - 1)
        level = self.level(list(levels(game.key))) if bots else ""
        people = seats - bots
        plans = [*(SeatPlan(f"Player {seat + 1}") for seat in range(people)), *[SeatPlan("", level=level)] * bots]
        usual = game()
        return Record(usual, home_names(usual, plans))

    def level(self, known: list[str]) -> str:
        """By its name; the words that commands use for it are understood too."""
        names = [level_name(key) for key in known]
        answers = {name.lower(): key for name, key in zip(names, known, strict=True)}
        usual = level_name(usual_level(known)).lower()
        return self.chosen(f"Which bots, {' or '.join(names)}?", answers, usual, unlisted=known)

    def number(self, question: str, least: int, most: int, usual: int) -> int:
        return int(self.chosen(question, {str(n): str(n) for n in range(least, most + 1)}, str(usual)))

    def chosen(self, question: str, answers: dict[str, str], usual: str | None, unlisted: Sequence[str] = ()) -> str:
        """Ask until the answer is one of these, or short for one; nothing typed is the usual one."""
        self.voice.say(question if usual is None else f"{question} [{usual}]")
        while True:
            typed = self.typed()
            if not typed and usual is not None:
                return answers[usual]
            if typed in unlisted:
                return typed
            found = fitting(typed, list(answers))
            if len(found) == 1:
                return answers[found[0]]
            self.voice.say(f"Please answer {', '.join(answers)}, or quit.", "wrong")

    def typed(self) -> str:
        line = self.ask("> ", False)
        if line is None or line.strip().lower() in ("q", "quit", "exit"):
            raise Left
        return line.strip().lower()


def about_of(game: Any) -> dict[str, Any]:
    about: dict[str, Any] = words_of(game)["about"]
    return about


def fitting(typed: str, answers: Sequence[str]) -> list[str]:
    if not typed or typed in answers:
        return [typed] if typed else []
    return [answer for answer in answers if answer.startswith(typed) and not typed.isdigit()]
