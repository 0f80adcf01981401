"""How a run ends: everything answered, every table at its end or at rest, memory as the journal says."""

from __future__ import annotations

from collections import Counter

from dicehall.core.game import Presence, Refused
from dicehall.table.clocks import deadline
from dicehall.table.ports import Head
from dicehall.table.requests import Code
from tests.simulation.chronicle import Chronicle
from tests.simulation.messages import Copy
from tests.simulation.world import World

MOST_LIMITED = 200  # refusals by a limit at one table


def check(world: World) -> None:
    if not world.wrongs:
        check_liveness(world)
    check_limits(world)
    for chronicle in world.chronicles.values():
        check_head(world, chronicle)
        check_memory(world, chronicle)


def check_liveness(world: World) -> None:
    for person in world.people:
        for id in person.pending:
            if not person.gone:
                what = person.sent[id].what if id in person.sent else "a connection"
                world.wrong("every request is answered", person.table, f"{person.name} still waits for {what}")
    if not world.rested:
        phases = {table: chronicle.state.phase for table, chronicle in world.chronicles.items()}
        world.wrong("tables go on or sleep", "", f"after {world.clock.elapsed:.0f} s: {phases}")


def check_limits(world: World) -> None:
    """Nobody asks for the same again and again because it never becomes true; limits would only hide that."""
    held = Counter(copy.message.table for copy in world.copies if limited(copy))
    for table, times in held.items():
        if times > MOST_LIMITED:
            world.wrong("no endless loop", table, f"requests were refused by a limit {times} times")


def limited(copy: Copy) -> bool:
    return isinstance(copy.outcome, Refused) and copy.outcome.code == Code.RATE_LIMITED


def check_head(world: World, chronicle: Chronicle) -> None:
    state = chronicle.state
    present = [chair for chair in state.chairs if chair.account and chair.presence is Presence.HERE]
    attended = bool(present) and not state.ended
    carrying = {chair.conn.split(":")[0] for chair in state.chairs if chair.conn} if not state.ended else set()
    head = world.disk.heads[state.id]
    expected = Head(state.id, state.seq, deadline(state), state.phase, attended, tuple(sorted(carrying)))
    if head != expected:
        world.wrong("heads tell where tables stand", state.id, f"{head}, not {expected}")


def check_memory(world: World, chronicle: Chronicle) -> None:
    live = world.process.host.tables.get(chronicle.table) if world.process is not None else None
    if live is None:
        return
    if live.state != chronicle.state:
        world.wrong("memory is the fold", chronicle.table, f"{live.state} in memory, {chronicle.state} stored")
    rows = world.disk.rows[chronicle.table]
    if live.ids != {(row.account, row.id): row.seq for row in rows if row.account and row.id}:
        world.wrong("memory is the fold", chronicle.table, "client ids are forgotten or made up")
