"""Several processes in virtual time on one journal, with people who are served by one of them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from dicehall.core.game import Refused
from dicehall.games import catalogue
from dicehall.table.acts import Act, decode_act
from dicehall.table.coming import Answer
from dicehall.table.hall_clock import NS_PER_MS
from dicehall.table.host import Host, Parts
from dicehall.table.requests import Do, Request, Sit, Start
from dicehall.table.shared_clock import SharedClock
from tests.nodes.hub import Hub, HubNodes
from tests.nodes.suspension import GatedLoop
from tests.table.fakes import Ear
from tests.table.hosting import Bots, Box
from tests.table.virtual import START_MS, VirtualClock, run

P = ParamSpec("P")
A = TypeVar("A")
T = "t"


@dataclass(slots=True, eq=False)
class Node:
    """One process."""

    name: str
    nodes: HubNodes
    host: Host
    ears: int = 0
    calls: set[asyncio.Task[Any]] = field(default_factory=set)

    def ear(self) -> Ear:
        self.ears += 1
        return Ear(f"{self.name}:{self.ears}")

    async def watch(self, account: str | None = None, table: str = T) -> Ear:
        ear = self.ear()
        await self.host.connect(table, ear, account)
        return ear

    async def within(self, work: Coroutine[Any, Any, A], seconds: float = 3.0) -> A:
        """Have this process do something; whoever asks waits for so long, and the process may not be there any more."""
        task = asyncio.get_running_loop().create_task(work, context=self.nodes.gate.context())
        self.calls.add(task)
        task.add_done_callback(self.answered)
        await asyncio.wait({task}, timeout=seconds)
        if not task.done() or task.cancelled():
            raise TimeoutError
        return task.result()

    def answered(self, task: asyncio.Task[Any]) -> None:
        self.calls.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked may not wait any longer

    async def die(self) -> None:
        """Gone, in the middle of whatever it did; nobody tells it anything any more."""
        self.nodes.hears = None
        while tasks := self.tasks:
            for task in tasks:
                task.cancel()
            self.nodes.gate.open()
            await asyncio.wait(tasks)
        self.nodes.gate.is_gone = True

    @property
    def tasks(self) -> list[asyncio.Future[Any]]:
        workers = [live.busy for live in self.host.tables.values() if live.busy]
        known = [*self.host.tasks, *(one.task for one in self.host.loading.values()), *workers, *self.calls]
        return [task for task in known if not task.done()]

    def cut_off(self) -> None:
        """It cannot reach the database, nor be told anything."""
        self.nodes.journal.cut()
        self.nodes.line_up = False

    def connect_again(self) -> None:
        self.nodes.journal.mend()
        self.nodes.reconnect()

    def suspend(self) -> None:
        self.nodes.gate.is_shut = True

    def wake(self) -> None:
        self.nodes.gate.open()


class GatedHost(Host):
    """All that it does belongs to its process, and stands still with it."""

    __slots__ = ()

    def spawn(self, work: Any) -> None:
        nodes: Any = self.parts.nodes
        task = asyncio.get_running_loop().create_task(work, context=nodes.gate.context())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


@dataclass(slots=True, eq=False)
class Cluster:
    clock: VirtualClock = field(default_factory=VirtualClock)
    box: Box = field(default_factory=Box)
    bots: Bots = field(default_factory=Bots)
    hub: Hub = field(init=False)
    all: list[Node] = field(default_factory=list)
    may_freeze: bool = False  # whether a test damages tables

    def __post_init__(self) -> None:
        self.hub = Hub(self.clock)

    @property
    def now(self) -> int:
        return self.clock.now() - START_MS

    async def until(self, ms: int) -> None:
        assert ms >= self.now, f"it is {self.now} already"
        await asyncio.sleep((ms - self.now) / 1000)

    async def boot(self, name: str, wrong_ms: int = 0, rate: float = 1.0) -> Node:
        """One process more, on a machine whose time of day is wrong and whose own clock is fast or slow."""
        nodes = HubNodes(self.hub)
        wall = (self.clock.now() + wrong_ms) * NS_PER_MS
        clock = SharedClock(lambda: wall, lambda: round(self.clock.elapsed * rate * 1e9))
        parts = Parts(nodes.journal, clock, self.box, self.bots, catalogue(), name, self.frozen, nodes=nodes)
        node = Node(name, nodes, GatedHost(replace(parts, archive=nodes.journal, not_before=clock.not_before)))
        await node.within(node.host.start(), 60.0)
        self.all.append(node)
        return node

    def frozen(self, table: str, broken: Exception) -> None:
        if not self.may_freeze:
            raise AssertionError(f"table {table} is frozen") from broken

    async def play(self, key: str, *people: tuple[str, Node], **chosen: Any) -> None:
        """A game that has started, each person at a process of their own."""
        first = people[0][1]
        rules = chosen.pop("rules", {})
        await first.host.open(T, catalogue()[key](**rules), by=people[0][0], seats=len(people), **chosen)
        for name, node in people:
            ear = await node.watch(name)
            await node.host.ask(T, Sit(name, None, None, ear.id), name)
        if (await first.host.look(T)).state.phase == "lobby":
            await first.host.ask(T, Start(), people[0][0])

    # -- what is stored ---------------------------------------------------------------------------------

    def acts(self) -> list[Act]:
        return [decode_act(row.act) for row in self.hub.journal._rows[T]]

    def names(self) -> list[str]:
        return [type(act).__name__ for act in self.acts()]

    def expiries(self) -> list[tuple[int, int]]:
        rows = [(row.at - START_MS, decode_act(row.act)) for row in self.hub.journal._rows[T]]
        return [(at, entry["seat"]) for at, act in rows for entry in act.entries if "expired" in entry]

    def count(self, name: str) -> int:
        return self.names().count(name)

    def on_turn(self) -> str:
        """The account whose turn it is, by the journal's head."""
        state = max((node.host.tables[T].state for node in self.all if T in node.host.tables), key=lambda one: one.seq)
        (seat,) = state.to_act()
        return state.chairs[seat].account or ""


def numbers(ear: Ear) -> list[int]:
    return [message["n"] for message in ear.messages if "n" in message]


async def do(node: Node, account: str, move: Any, id: str | None = None) -> Answer:
    return await node.host.ask(T, Do(move), account, id)


async def code_of(node: Node, account: str, request: Request, id: str | None = None) -> str:
    try:
        answer = await node.host.ask(T, request, account, id)
    except Refused as refused:
        return str(refused.code)
    return f"stored as {answer.n}"


def clustered(test: Callable[Concatenate[Cluster, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in virtual time; nothing in it may fail unseen."""

    def in_a_cluster(*args: P.args, **kwargs: P.kwargs) -> None:
        cluster, unseen = Cluster(), list[dict[str, Any]]()

        async def whole() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
            await test(cluster, *args, **kwargs)
            for node in cluster.all:
                await node.host.stop()

        run(whole(), cluster.clock, GatedLoop)
        assert not unseen, unseen

    in_a_cluster.__name__, in_a_cluster.__doc__ = test.__name__, test.__doc__
    in_a_cluster.__module__ = test.__module__
    signature = inspect.signature(test)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "cluster"]
    in_a_cluster.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return in_a_cluster
