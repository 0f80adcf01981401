"""The part `server` of a campaign: forty clients play all games over the network, and their server is killed."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tools.campaign_bugs import BUGS
from tools.campaign_check import Database, archived, check, rows_of
from tools.campaign_hall import HallProcess
from tools.campaign_http import HttpPerson
from tools.campaign_known import Fault
from tools.campaign_person import Person
from tools.campaign_relay import ExampleBot
from tools.campaign_results import Finished, counted, finished, openings, results, statistics
from tools.campaign_sockets import SocketPerson, Spectator
from tools.campaign_table import raise_if_failed
from tools.campaign_wire import Ledger

LEG = 3  # kills between two looks at everything
SHORT_LEG = 1  # where a deliberate bug is looked for
FINISH_S = 120.0  # after the last kill every game ends by then
ARCHIVED_S = 60.0  # by then all finished tables are archived
BUSY_S = 30.0  # by then somebody has moved
COMMIT_S = 0.5  # how long a write is waited for


class Plan(NamedTuple):
    """A kind of table: quick house rules, short clocks, and with how many people it can be played."""

    rules: dict[str, int]
    people: Sequence[int]
    seats: Sequence[int]


PLANS = {
    "wards": Plan({"goal": 25, "turn_seconds": 2}, (1, 2), (2,)),
    "mana": Plan({"rounds": 7, "round_seconds": 3, "match_seconds": 20}, (1, 2), (2,)),
    "aetharn": Plan({"goal": 1000, "turn_seconds": 3, "grace_seconds": 2}, (2, 3), (2, 3, 4)),
    "tenthousand": Plan({"goal": 600, "opening": 0, "turn_seconds": 3}, (2, 3), (2, 3)),
    "doordice": Plan({"hp": 10, "rounds": 1, "turn_seconds": 2}, (2, 3), (5,)),
}
# Who plays together: S has a socket, H nothing but HTTP, P is examples/bot.py, J is examples/bot.mjs.
TEAMS = ("SP", "HJ", "SS", "SH", "SPJ", "SS", "HH", "SSS", "SJ", "SSH", "SS", "SP", "SHS", "SS")
WATCHING = 5  # one of so many clients only watches


@dataclass(slots=True, eq=False)
class Team:
    people: list[Person]  # the first of them opens the tables
    examples: list[ExampleBot]
    spectators: list[Spectator] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.people) + len(self.examples)


@dataclass(slots=True, eq=False)
class ServerCampaign:
    file: Path
    chance: Random  # of the people
    timing: Random  # of the kills
    clients: int
    bug: str | None
    report: Callable[[], None]  # after every leg, when all that was counted has been checked
    kills: int = 0
    stops: int = 0
    games: dict[str, Finished] = field(default_factory=dict)
    checked: set[Fault] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)  # games that were begun at least once
    closing: bool = False  # no new tables
    store: Path | Database = field(init=False)  # what is read without the server
    hall: Any = field(init=False)  # a HallProcess, or several behind one port
    ledger: Ledger = field(init=False)
    teams: list[Team] = field(init=False)

    def __post_init__(self) -> None:
        self.store, self.hall = self.make_hall()
        self.ledger = Ledger(self.hall)
        self.teams = gather(self.clients, self.ledger, self.chance, self.kinds())

    def kinds(self) -> Sequence[str]:
        return TEAMS

    def make_hall(self) -> tuple[Path | Database, Any]:
        return self.file, HallProcess(self.file, self.bug)

    @property
    def faults(self) -> set[Fault]:
        return self.checked | self.ledger.faults

    @property
    def finished(self) -> int:
        return len(self.games)

    def acknowledged(self) -> int:
        return sum(known.moves() for known in self.ledger.tables.values())

    async def run(self, wanted: int, seconds: float) -> None:
        """Kill the server so many times, or until the time is out; then let all games end."""
        ends = time.monotonic() + seconds
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(24))
        await self.hall.start()
        await self.hall.until_ready()
        playing = [asyncio.create_task(self.keep_playing(team, at)) for at, team in enumerate(self.teams)]
        try:
            await self.until_busy(playing, min(ends, time.monotonic() + BUSY_S))
            while self.kills < wanted and time.monotonic() < ends and not self.found():
                leg = min(self.kills + (SHORT_LEG if self.bug else LEG), wanted)
                while self.kills < leg and time.monotonic() < ends:
                    await self.kill_once(wanted)
                raise_if_failed(playing)
                self.look_at_all()
                self.report()
            if self.kills >= wanted and not self.found():
                await self.let_end(playing)
        finally:
            await self.end(playing)

    async def until_busy(self, playing: Sequence[asyncio.Task[None]], ends: float) -> None:
        """Before the first kill somebody has moved: to kill an idle server would show little."""
        while not self.acknowledged() and time.monotonic() < ends:
            raise_if_failed(playing)
            await asyncio.sleep(0.1)

    async def end(self, playing: Sequence[asyncio.Task[None]]) -> None:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await self.hall.clean_up()
        self.look_at_all()
        broken = self.hall.log.read_text("utf-8", "replace").split("Traceback")[1:]
        if broken:
            self.checked.add(Fault("lost", "", f"the server's log tells of {len(broken)} errors: {broken[0][-300:]}"))

    def found(self) -> bool:
        """Whether the deliberate bug has shown."""
        return self.bug is not None and any(fault.kind in BUGS[self.bug].turns for fault in self.faults)

    def look_at_all(self) -> None:
        for table, known in self.ledger.tables.items():
            if table not in self.games:
                self.checked.update(check(known, rows_of(self.store, table), self.hall.downs))

    # -- killing ----------------------------------------------------------------------------------

    async def kill_once(self, wanted: int) -> None:
        """One kill, or several in a row that never let the server become ready; now and then it is told to stop."""
        whim = self.timing.random()
        if whim < 0.15:
            await asyncio.sleep(self.timing.uniform(3, 6))  # long enough for clocks to run out
        elif whim < 0.7:
            await asyncio.sleep(self.timing.uniform(0.2, 3.0))
        else:
            await asyncio.sleep(self.timing.uniform(0.2, 1.5))
            await asyncio.to_thread(self.await_commit)
        await self.kill()
        while self.kills < wanted and self.timing.random() < 0.15:
            await self.hall.start()
            await asyncio.sleep(self.timing.uniform(0.0, 1.5))
            await self.kill()
        await self.begin_again()
        if self.timing.random() < 0.2:
            await asyncio.sleep(self.timing.uniform(0.5, 2.0))
            await self.hall.stop()
            self.stops += 1
            await self.begin_again()

    async def begin_again(self) -> None:
        await self.hall.start()
        await self.hall.until_ready()

    async def kill(self) -> None:
        await self.hall.kill()
        self.kills += 1

    def await_commit(self) -> None:
        """Until the log of the file changes: the next moment is in the middle of a commit."""
        log = Path(f"{self.file}-wal")
        ends = time.monotonic() + COMMIT_S
        with suppress(FileNotFoundError):
            before = log.stat().st_mtime_ns
            while time.monotonic() < ends and log.stat().st_mtime_ns == before:
                time.sleep(0.001)

    # -- the load -----------------------------------------------------------------------------------

    async def keep_playing(self, team: Team, at: int) -> None:
        """One table after another, each of another game."""
        everybody = [*team.people, *team.spectators]
        await asyncio.gather(*(person.enter() for person in everybody))
        fitting = [game for game, plan in PLANS.items() if team.size in plan.people]
        order = cycle(fitting[at % len(fitting) :] + fitting[: at % len(fitting)])
        try:
            while not self.closing:
                await self.play(team, next(order))
        finally:
            await asyncio.gather(*(person.leave() for person in everybody), return_exceptions=True)

    async def play(self, team: Team, game: str) -> None:
        plan = PLANS[game]
        seats = self.chance.choice([count for count in plan.seats if count >= team.size])
        level = self.chance.choice(["greedy", "random"])
        bots = [{"seat": seats - 1 - at, "level": level} for at in range(seats - team.size)]
        table = await team.people[0].open(game, plan.rules, seats, bots)
        self.begun.add(game)
        players: Sequence[Person | ExampleBot] = (*team.people, *team.examples, *team.spectators)
        await asyncio.gather(*(player.play(table) for player in players))
        rows = rows_of(self.store, table)
        self.checked.update(check(self.ledger.tables[table], rows, self.hall.downs))
        self.games[table] = finished(table, rows)
        self.checked.update(results(self.store, self.games[table]))

    # -- the end ------------------------------------------------------------------------------------

    async def let_end(self, playing: Sequence[asyncio.Task[None]]) -> None:
        """Every game that was begun ends; then the hall is opened once more, and all it keeps is looked at."""
        ends = time.monotonic() + FINISH_S
        while time.monotonic() < ends and not all(task.done() for task in playing):
            self.ledger.hurry = self.closing = len(self.begun) >= min(len(PLANS), len(self.teams))
            await asyncio.wait(playing, timeout=0.2)
            raise_if_failed(playing)
        for table in self.ledger.tables.keys() - self.games.keys():
            self.checked.add(Fault("lost", table, f"{self.ledger.tables[table].game} does not come to its end"))
        await self.hall.stop()
        complete = all(task.done() for task in playing)
        self.checked.update(openings(self.store, self.ledger.opened, complete=complete))
        await self.hall.start("--archive")
        await self.hall.until_ready()
        await self.look_back()
        await self.hall.stop()
        ended = Counter(game.game for game in self.games.values())
        told = ", ".join(f"{ended[game]} {game}" for game in PLANS)
        print(
            f"{self.clients} clients played {told} to the end; {self.stops} polite stops beside the kills", flush=True
        )

    async def look_back(self) -> None:
        """Finished tables are archived as their records, and statistics count each of them once."""
        ends = time.monotonic() + ARCHIVED_S
        for game in self.games.values():
            while archived(self.store, game.table) is None and time.monotonic() < ends:
                await asyncio.sleep(0.1)
            if archived(self.store, game.table) != game.record:
                self.checked.add(Fault("lost", game.table, "the archive does not hold the record of the journal"))
        visitor = HttpPerson("Visitor", self.ledger, self.chance)
        for game in self.games.values():
            shown = await visitor.ask("see", "GET", f"/api/tables/{game.table}")
            if shown["over"] != game.over:
                self.checked.add(Fault("divergent_views", game.table, f"it is shown as {shown['over']} afterwards"))
        sums = counted(self.games.values())
        for account in self.ledger.accounts:
            told: dict[str, Any] = await visitor.ask("player", "GET", f"/api/players/{account}")
            self.checked.update(statistics(account, told, sums.get(account, {})))


def gather(clients: int, ledger: Ledger, chance: Random, teams_of: Sequence[str] = TEAMS) -> list[Team]:
    """So many clients: teams until all are placed, and some who watch them."""
    watching, teams, placed = clients // WATCHING, list[Team](), 0
    for at, kinds in enumerate(cycle(teams_of)):
        kinds = kinds[: clients - watching - placed]
        if not kinds or kinds[0] in "PJ":
            break
        teams.append(team_of(kinds, at + 1, ledger, chance))
        placed += len(kinds)
    for at in range(watching):
        teams[at % len(teams)].spectators.append(Spectator(f"Watcher {at + 1}", ledger, chance))
    return teams


def team_of(kinds: str, number: int, ledger: Ledger, chance: Random) -> Team:
    team = Team([], [])
    for at, kind in enumerate(kinds):
        name = f"{kind}{number}{'abc'[at]}"
        if kind in "PJ":
            example = "bot.mjs" if kind == "J" and shutil.which("node") else "bot.py"
            team.examples.append(ExampleBot(name, example, ledger))
        else:
            team.people.append((HttpPerson if kind == "H" else SocketPerson)(name, ledger, chance))
    return team
