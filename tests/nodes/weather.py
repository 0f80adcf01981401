"""What goes wrong while people play at several processes: one fault after the other, or two at the same time."""

from __future__ import annotations

import asyncio

from tests.nodes.hosting import Node, T
from tests.nodes.soak import STORM_S, Soak, Trouble

KINDS = (
    "line",
    "line",
    "cut",
    "cut",
    "die",
    "orphan",
    "orphan",
    "suspend",
    "suspend",
    "slow",
    "slow",
    "lag",
    "unreadable",
    "crash",
    "clock",
)
UNREADABLE_S = 4.0  # at most: a process that can write but not read for longer costs its players time (decision 103)
LENGTHS_S = (0.3, 2.0, 2.8, 4.0, 9.0, 18.0)


async def blow_on(soak: Soak) -> None:
    while soak.cluster.now < STORM_S * 1000:
        await asyncio.sleep(soak.chance.expovariate(1 / 4))
        kind, well = soak.chance.choice(KINDS), [node for node in soak.alive if node not in soak.in_trouble]
        soak.chance.shuffle(well)
        whole = kind == "orphan" or (kind == "crash" and len(well) == len(soak.alive))
        hit = well if whole else well[:1]
        soak.in_trouble.update(hit)
        if hit:
            await blow(soak, kind, hit)
        soak.in_trouble.difference_update(hit)
    for node in soak.alive:
        node.nodes.journal.seconds, node.nodes.lag_s = 0.0, 0.001


async def blow(soak: Soak, kind: str, nodes: list[Node]) -> None:
    node = nodes[0]
    length = soak.chance.choice(LENGTHS_S)
    match kind:
        case "line":
            node.nodes.line_up = False
            await asyncio.sleep(length)
            await reconnect(soak, node)
        case "cut":
            await cut(soak, nodes, length)
        case "crash":
            await in_flight(soak)
            soak.cluster.hub.crash()
            await cut(soak, nodes, min(length, 9.0))
        case "die":
            await kill(soak, node)
        case "orphan":
            await kill(soak, next((one for one in nodes if looks_after(one)), node))
        case "suspend":
            await suspend(soak, node, length)
        case "slow":
            node.nodes.journal.seconds = soak.chance.choice((0.2, 10.0, 12.0))
            await asyncio.sleep(length)
            node.nodes.journal.seconds = min(node.nodes.journal.seconds, 0.2)
        case "lag":
            node.nodes.lag_s = soak.chance.choice((0.0, 0.05, 0.7))
        case "unreadable":
            node.nodes.journal.unreadable = True
            await asyncio.sleep(min(length, UNREADABLE_S))
            node.nodes.journal.unreadable = False
            await check_caught_up(soak, node, 1.5)
        case "clock":
            set_clock(soak, soak.chance.choice((-30_000, -20_000, -2_000, 2_000, 30_000)))


async def reconnect(soak: Soak, node: Node) -> None:
    """Whoever listens there has soon heard what was missed, though nothing new happens."""
    node.nodes.reconnect()
    await check_caught_up(soak, node, 0.5)


async def check_caught_up(soak: Soak, node: Node, seconds: float) -> None:
    head, live, journal = soak.head, node.host.tables.get(T), node.nodes.journal
    await asyncio.sleep(seconds)
    well = not (journal.down or journal.unreadable or node.nodes.gate.is_shut) and journal.seconds < 0.1
    if well and node in soak.alive and live is not None and live.listeners.by_id and live.state.seq < head:
        soak.wrongs.append(f"{node.name} still stands at {live.state.seq} of {head}")


async def cut(soak: Soak, nodes: list[Node], length: float) -> None:
    if soak.chance.random() < 0.7:
        await in_flight(soak)
    troubles = [begin(soak, node) for node in nodes]
    for node in nodes:
        node.cut_off()
    await asyncio.sleep(length)
    for node, trouble in zip(nodes, troubles, strict=True):
        if node in soak.alive:
            trouble.till = now_of(node)
            node.connect_again()


async def in_flight(soak: Soak) -> None:
    """Until something is on its way to the database, or nobody does anything."""
    for _ in range(200):
        if soak.cluster.hub.works:
            return
        await asyncio.sleep(0.01)


async def kill(soak: Soak, node: Node) -> None:
    if node in soak.alive:
        begin(soak, node)
        soak.alive.remove(node)
        await node.die()
        if not soak.alive or soak.chance.random() < 0.7:
            await soak.boot()


async def suspend(soak: Soak, node: Node, length: float) -> None:
    trouble = begin(soak, node)
    node.suspend()
    await asyncio.sleep(length)
    if node in soak.alive:
        trouble.till = now_of(node)
        node.wake()


def looks_after(node: Node) -> bool:
    live = node.host.tables.get(T)
    return live is not None and live.mine


def set_clock(soak: Soak, by: int) -> None:
    """The database's clock is set, or another server takes over whose clock is wrong."""
    soak.cluster.hub.ahead += by
    soak.set_forward += max(0, by)


def begin(soak: Soak, node: Node) -> Trouble:
    trouble = Trouble(node.name, now_of(node))
    soak.troubles.append(trouble)
    return trouble


def now_of(node: Node) -> int:
    return node.host.parts.clock.now()
