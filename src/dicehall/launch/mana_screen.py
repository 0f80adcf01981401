"""What somebody who plays Mana over Nostr sees and types: sentences and tables, or JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from dicehall.games.mana.lines import ABILITIES, card, prospect
from dicehall.games.mana.units import LEAGUES, UNITS, Army, Unit
from dicehall.launch.output import write_json
from dicehall.launch.typed_lines import TypedLines
from dicehall.player.narration import Note
from dicehall.player.strategy import Position
from dicehall.ui.terminal.voice import ColourVoice, Voice

NUMBERS = tuple(str(at + 1) for at in range(UNITS))
LEAVE = ("quit", "q", "exit", "leave")
STYLES = {"finding": "wrong", "trouble": "note", "unchecked": "note", "resume": "note", "result": "heading"}
HELP = "Type the number of a unit, 1 to 8. army shows both armies, quit leaves; the match can be resumed."


class Screen(Protocol):
    def tell(self, note: Note) -> None: ...
    def show_army(self, army: Army, league: int) -> None: ...
    async def choose(self, position: Position) -> int | None: ...
    async def ask_token(self) -> str | None:
        """A pasted token, empty for the faucet, None to leave."""
        ...

    def end(self, facts: dict[str, Any]) -> None: ...


@dataclass(slots=True)
class PersonScreen:
    voice: Voice
    lines: TypedLines

    def tell(self, note: Note) -> None:
        with self.lines.interruption():
            self.voice.say(note.sentence, STYLES.get(note.event, "event"))

    def show_army(self, army: Army, league: int) -> None:
        self.voice.say(f"Your token is an army of the {LEAGUES[league].name} league.")

    def table(self, title: str, army: Army, against: Army | None) -> None:
        """A table on a terminal that has colour, lines elsewhere."""
        self.voice.say(title, "position")
        if isinstance(self.voice, ColourVoice):
            self.voice.console.print(rich_table(army, against))
            return
        for at, unit in enumerate(army):
            odds = f"; {prospect(unit, against)}" if against else ""
            self.voice.offer(str(at + 1), card(unit) + odds)

    def show(self, position: Position, *, both: bool) -> None:
        me, other = position.seat, 1 - position.seat
        won, dealt = position.score, position.total_damage
        self.voice.say("")
        if position.theirs is None:
            standing = "Their army is unknown until both have revealed."
        else:
            standing = (
                f"Rounds won: you {won[me]}, opponent {won[other]}. "
                f"Damage dealt: you {dealt[me]}, opponent {dealt[other]}."
            )
        self.voice.say(f"Round {position.round} of {position.game.rounds}. {standing}", "heading")
        if both and position.theirs is not None:
            self.table("Their army:", position.theirs, None)
        self.table(f"Your army ({LEAGUES[position.league].name} league):", position.mine, position.theirs)

    async def choose(self, position: Position) -> int | None:
        self.show(position, both=position.round == 2)  # the first time that theirs is known
        while (text := await self.lines.ask(f"Unit for round {position.round}> ")) is not None:
            words = text.lower().split()
            if words and words[0] in LEAVE:
                return None
            if (unit := unit_of(words)) is not None:
                return unit
            if words in (["army"], ["units"]):
                self.show(position, both=True)
            else:
                self.voice.say(HELP, "wrong" if words and words != ["help"] else "note")
        return None

    async def ask_token(self) -> str | None:
        self.voice.say("You have no mana token. A token is an army of eight units; the mint decides how strong.")
        return await self.lines.ask("Paste a token (cashuB...), or press Enter to get one from the mint's faucet> ")

    def end(self, facts: dict[str, Any]) -> None:
        pass


@dataclass(slots=True)
class ProgramScreen:
    """One line of JSON for everything that happens; a line with a number from 1 to 8 answers a pick."""

    lines: TypedLines

    def tell(self, note: Note) -> None:
        self.write(note.to_json())

    def write(self, value: Any) -> None:
        write_json(value)
        sys.stdout.flush()

    def show_army(self, army: Army, league: int) -> None:
        self.write({"event": "army", "league": LEAGUES[league].name, "units": units_json(army)})

    async def choose(self, position: Position) -> int | None:
        theirs = None if position.theirs is None else units_json(position.theirs)
        self.write({"event": "pick", "round": position.round, "units": units_json(position.mine), "theirs": theirs})
        while (text := await self.lines.ask("")) is not None:
            if text.strip().lower() in LEAVE:
                return None
            if (unit := unit_of(text.split())) is not None:
                return unit
            self.write({"event": "refused", "sentence": HELP})
        return None

    async def ask_token(self) -> str | None:
        return ""

    def end(self, facts: dict[str, Any]) -> None:
        self.write({"event": "end", **facts})


def unit_of(words: Sequence[str]) -> int | None:
    """``3`` or ``pick 3``: the unit with that number on its card, counted from 0."""
    typed = " ".join(words).removeprefix("pick ")
    return int(typed) - 1 if typed in NUMBERS else None


def units_json(army: Army) -> list[dict[str, Any]]:
    return [{"unit": at + 1, **msgspec.to_builtins(unit)} for at, unit in enumerate(army)]


def rich_table(army: Army, against: Army | None) -> Any:
    from rich.table import Table

    table = Table()
    for name in ("unit", "attack", "defense", "health"):
        table.add_column(name, justify="right")
    table.add_column("ability")
    if against is not None:
        table.add_column("against their army")
    for at, unit in enumerate(army):
        numbers = (at + 1, unit.attack, unit.defense, unit.health)
        odds = [] if against is None else [prospect(unit, against)]
        table.add_row(*map(str, numbers), ability(unit), *odds)
    return table


def ability(unit: Unit) -> str:
    return ABILITIES[unit.ability].lstrip(", ") or "-"
