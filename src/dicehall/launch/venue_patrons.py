"""The patrons of the demo's tavern: scripted players who see only their NUI windows and press only its buttons."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from dicehall.core.game import Refused
from dicehall.games.aetharn.rules import Aetharn
from dicehall.launch.venue_world import Person, World
from dicehall.venue.dice_picture import DICE, FACES
from dicehall.venue.layout import VenueTable
from dicehall.venue.player_view import AGAIN
from dicehall.venue.window_layout import PLAYER

NAMES = (("Mirabel", "Tobin", "Old Hask"), ("Sister Wren", "Garrick"), ("Jessa", "Pike"))
ENOUGH = 350  # points that a patron banks
FEW_DICE = 2  # with which a patron stops
POLL_S = 20.0

Readings = Callable[[tuple[int, ...]], Sequence[tuple[Sequence[int], int]]]
Binds = dict[str, Any]


@dataclass(slots=True)
class Patron:
    person: Person
    binds: Binds | None = None  # of the open window


@dataclass(slots=True)
class Patrons:
    """Those of one table: they come when somebody visits it, play, and leave when nobody does."""

    world: World
    table: VenueTable
    people: list[Patron]
    pause_s: float
    readings: Readings = field(default_factory=lambda: Aetharn().readings)
    cursor: str | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        self.world.listeners.append(self.woken.set)
        while True:
            await self.read(wait=not await self.act())

    # -- what they see ------------------------------------------------------------------------------------

    async def read(self, wait: bool) -> None:
        """Apply the commands for their windows; with *wait*, once there are new ones or something happened."""
        if wait and self.cursor is not None:
            polled = asyncio.ensure_future(self.world.bridge.commands(self.cursor, POLL_S))
            noticed = asyncio.ensure_future(self.woken.wait())
            await asyncio.wait((polled, noticed), return_when=asyncio.FIRST_COMPLETED)
            for task in (polled, noticed):
                task.cancel()
        self.woken.clear()
        answer = await self.world.bridge.commands(self.cursor, 0)
        self.cursor = answer["next"]
        for command in answer["commands"]:
            self.apply(command)

    def apply(self, command: Mapping[str, Any]) -> None:
        patron = next((one for one in self.people if one.person.key == command["player"]), None)
        if patron is None or command.get("window") != PLAYER:
            return
        match command["op"]:
            case "create":
                patron.binds = dict(command["binds"])
            case "bind" if patron.binds is not None:
                patron.binds.update(command["binds"])
            case "destroy":
                patron.binds = None

    # -- what they do -------------------------------------------------------------------------------------

    async def act(self) -> bool:
        """Do the next thing; False if there is nothing to do."""
        for patron in self.people:
            with suppress(Refused):  # somebody was faster, or the clock was
                if await self.act_as(patron):
                    return True
        return False

    async def act_as(self, patron: Patron) -> bool:
        binds = patron.binds
        if binds is None:
            return await self.come(patron)
        if binds["start_shown"]:
            return await self.wait_in_lobby(patron, binds)
        if binds["roll_on"] or binds["bank_on"] or any(binds[f"tick{at}_on"] for at in range(DICE)):
            await self.play(patron)
            return True
        return False

    async def come(self, patron: Patron) -> bool:
        """Sit down in a free chair if somebody visits the table and no game is running."""
        world, table = self.world, self.table
        free = [chair for chair in table.chairs if chair.id not in world.seated]
        if not world.is_visited(table) or not free or self.world.phase(self.table) not in ("Empty", "Lobby"):
            return False
        await self.think()
        # One chair stays free for a visitor who has only watched so far.
        if len(free) > 1 or not world.is_watched(table):
            payload = {"area": table.area, "object": free[0].id}
            await world.post(patron.person, "chair_used", payload=payload)
            await self.read(wait=False)
            return True
        return False

    async def wait_in_lobby(self, patron: Patron, binds: Binds) -> bool:
        """Visitors start their games; where they only watch, or have started the next one, patrons follow."""
        is_over = binds["start_label"] == AGAIN
        sitting = self.world.has_visitor(self.table)
        if not self.world.is_visited(self.table):
            await self.leave(patron)
            return True
        if (
            (is_over and sitting and self.world.phase(self.table) != "Lobby")
            or (not is_over and sitting)
            or not binds["start_on"]
        ):
            return False
        if not is_over and patron is not self.people[0]:
            return False
        await self.think()
        await self.click(patron, "start")
        return True

    async def leave(self, patron: Patron) -> None:
        chair = next((id for id, person in self.world.seated.items() if person == patron.person), None)
        patron.binds = None
        if chair is not None:
            await self.world.post(patron.person, "chair_left", payload={"area": self.table.area, "object": chair})

    async def play(self, patron: Patron) -> None:
        """One step of a turn: hold the best dice, then roll on or bank."""
        await self.think()
        wanted = self.best_dice(patron.binds or {})
        for at in wanted:
            await self.tick(patron, at)
        binds = patron.binds or {}
        loose = sum(bool(binds.get(f"die{at}_shown")) for at in range(DICE)) - len(wanted)
        is_enough = points_in(binds, "points") + points_in(binds, "selected") >= ENOUGH or 0 < loose <= FEW_DICE
        banks = binds.get("bank_on") and (is_enough or not binds.get("roll_on"))
        await self.click(patron, "bank" if banks else "roll")

    def best_dice(self, binds: Binds) -> Sequence[int]:
        """The dice of a roll that score the most together."""
        tickable = [at for at in range(DICE) if binds.get(f"tick{at}_on")]
        faces = tuple(face_of(binds, at) for at in tickable)
        scoring = self.readings(faces) if faces else ()
        return [tickable[at] for at in max(scoring, key=lambda one: one[1])[0]] if scoring else []

    async def tick(self, patron: Patron, at: int) -> None:
        await self.world.post(patron.person, "watch", window=PLAYER, element=f"tick{at}", payload={"value": True})
        await self.read(wait=False)

    async def click(self, patron: Patron, button: str) -> None:
        await self.world.post(patron.person, "click", window=PLAYER, element=button)
        await self.read(wait=False)

    async def think(self) -> None:
        await asyncio.sleep(self.pause_s)
        await self.read(wait=False)


def face_of(binds: Binds, at: int) -> int:
    """The face that shows these pips."""
    lit = {group for group in FACES if binds[f"die{at}_{group}"]}
    return next(face for face in range(1, 7) if {group for group, faces in FACES.items() if face in faces} == lit)


def points_in(binds: Binds, name: str) -> int:
    """The number of points in a line such as "Turn points: 450" or "Selected: 1 5 = 150 pts"."""
    found = re.search(r"(?:points: |= )(\d+)", str(binds.get(name, "")))
    return int(found[1]) if found else 0


def patrons_of(world: World, pause_s: float) -> list[Patrons]:
    """Some for every table, so that a chair is left for a visitor."""
    groups = []
    for number, table in enumerate(world.venue.tables):
        names = NAMES[number % len(NAMES)][: len(table.chairs) - 1]
        people = [Patron(Person(f"patron/{number}/{name}", name)) for name in names]
        groups.append(Patrons(world, table, people, pause_s))
    return groups
