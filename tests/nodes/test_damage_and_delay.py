"""What one damaged table, one failed read or one slow burial must not cost anybody else."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.core.game import Presence
from dicehall.games import catalogue
from dicehall.table.ports import Commit, Head, Row
from tests.nodes.hosting import Cluster, Node, T, clustered, do, numbers
from tests.nodes.hub import HubNodes
from tests.nodes.test_several_nodes import wards
from tests.table.virtual import START_MS


@clustered
async def test_a_challenge_that_closes_while_the_whole_hall_is_away_is_closed_once(cluster: Cluster) -> None:
    node = await cluster.boot("a")
    await node.host.open(T, catalogue()["wards"](), by="ann", seats=2, closes=START_MS + 20_000)
    await cluster.until(10_000)
    await node.die()
    cluster.all.clear()
    await cluster.until(60_000)
    await cluster.boot("b")
    await cluster.until(70_000)
    assert cluster.names() == ["Opened", "Destroyed"]


@clustered
async def test_a_frozen_table_does_not_hold_up_the_clocks_of_others(cluster: Cluster) -> None:
    """The process that carried its seat is gone; so are other processes, and they must be buried all the same."""
    nodes, at = await wards(cluster)
    cluster.may_freeze = True
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await put_damaged(cluster, "broken", at[who].name)
    await cluster.until(20_000)
    await at[who].die()
    cluster.all.remove(at[who])
    await cluster.until(45_000)
    assert at[who].name not in await other.nodes.pulses()
    await cluster.until(80_000)
    assert len(cluster.expiries()) >= 1


async def put_damaged(cluster: Cluster, table: str, carrier: str) -> None:
    head = Head(table, 1, None, "playing", True, (carrier,))
    await cluster.hub.journal.append(Commit(Row(table, 1, b"nonsense", START_MS), head, b"secret"))


@clustered
async def test_whoever_listens_hears_of_the_last_act_though_it_could_not_be_read_at_once(cluster: Cluster) -> None:
    nodes, at = await wards(cluster, 3)
    ear = await nodes[2].watch()
    since = nodes[2].host.tables[T].state.seq
    nodes[2].nodes.journal.down = True  # but what others tell still comes
    who = cluster.on_turn()
    await do(at[who], who, "roll")
    await asyncio.sleep(2)
    assert numbers(ear) == []
    nodes[2].nodes.journal.down = False
    await asyncio.sleep(3)
    assert numbers(ear) == [since + 1]


@clustered
async def test_overdue_tables_are_swept_while_a_process_is_being_buried(cluster: Cluster) -> None:
    nodes, at = await wards(cluster, 3)
    who = cluster.on_turn()
    survivor = at[who]
    dead = next(node for node in nodes[:2] if node is not survivor)
    sweeps = count_sweeps(survivor)
    hold = asyncio.Event()
    real = survivor.host.cluster.ask  # type: ignore[union-attr]

    async def ask(*words: object, **more: object) -> object:
        await hold.wait()
        return await real(*words, **more)  # type: ignore[arg-type]

    survivor.host.cluster.ask = ask  # type: ignore[union-attr]
    await nodes[2].host.stop()
    cluster.all.remove(nodes[2])
    await dead.die()
    cluster.all.remove(dead)
    await cluster.until(20_000)
    before = len(sweeps)
    await cluster.until(26_000)
    assert len(sweeps) >= before + 5
    hold.set()
    await cluster.until(30_000)
    assert dead.name not in await survivor.nodes.pulses()


def count_sweeps(node: Node) -> list[int]:
    swept: list[int] = []
    real = node.nodes.sweep

    async def sweep(due: int, ended: int, now: int) -> object:
        swept.append(now)
        return await real(due, ended, now)

    node.nodes.sweep = sweep  # type: ignore[method-assign,assignment]
    return swept


@clustered
async def test_the_outage_of_a_dead_process_lasts_until_all_its_connections_have_ended(cluster: Cluster) -> None:
    """A clock that was started meanwhile, for somebody whom a dead process still seemed to carry, does not count."""
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await cluster.until(2_000)
    await at[who].die()
    cluster.all.remove(at[who])
    await cluster.until(10_000)
    other.nodes.journal.is_full = True
    await cluster.until(40_000)
    other.nodes.journal.is_full = False
    await cluster.until(60_000)
    (outage,) = [one for one in await other.nodes.outages_of({at[who].name}) if one.process]
    ends = [row.at for row, name in zip(cluster.hub.journal._rows[T], cluster.names(), strict=True) if name == "Left"]
    assert outage.till >= ends[0]


@clustered
async def test_a_move_that_took_long_to_store_does_not_shorten_the_next_turn(cluster: Cluster) -> None:
    """The process of whoever is on turn then could not know of it, so their clock starts when it knows."""
    _, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(name for name in at if name != who)
    await cluster.until(1_000)
    at[who].nodes.journal.seconds = 14.0  # half of it for the way there
    moving = asyncio.create_task(do(at[who], who, "hold"))
    await cluster.until(15_500)
    await moving
    assert cluster.on_turn() == other
    await cluster.until(37_500)
    assert cluster.expiries() == []
    await cluster.until(41_000)
    (expiry,) = cluster.expiries()
    assert 38_000 <= expiry[0] <= 38_010
    assert cluster.count("Restarted") == 1


@clustered
async def test_a_connection_that_ended_while_its_process_stood_still_does_not_take_the_seat(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    still = next(node for node in nodes if node is not at[who])
    still.suspend()
    ear = still.ear()
    coming = asyncio.create_task(still.within(still.host.connect(T, ear, who), 10.0))
    await asyncio.sleep(0.5)
    still.nodes.gate.call(still.host.disconnect, T, ear.id)
    await asyncio.sleep(1.0)
    still.wake()
    await asyncio.gather(coming, return_exceptions=True)
    await cluster.until(28_000)
    chair = next(chair for chair in (await at[who].host.look(T)).state.chairs if chair.account == who)
    assert chair.presence is Presence.HERE
    assert chair.conn is not None
    assert chair.conn.startswith(f"{at[who].name}:")


@clustered
async def test_a_process_that_was_buried_carries_nobody_before_others_know_that_it_lives(cluster: Cluster) -> None:
    """If it died in between, nobody would ever notice that its connections have ended."""
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await cluster.until(10_000)
    at[who].suspend()
    await cluster.until(27_000)
    assert at[who].name not in await other.nodes.pulses()
    before = len(cluster.acts())
    at[who].nodes.journal.seconds = 0.5
    at[who].wake()
    while "Carried" not in cluster.names()[before:]:
        await asyncio.sleep(0.01)
    assert at[who].name in await other.nodes.pulses()


@clustered
async def test_a_process_that_was_slow_to_connect_is_not_ahead_of_the_shared_clock(cluster: Cluster) -> None:
    """The first reading counts whatever it says, and a clock that is ahead takes minutes to be right again."""
    honest, slow = HubNodes.time, [4.0]

    async def time(self: HubNodes) -> int:
        await asyncio.sleep(slow.pop() if slow else 0)
        return await honest(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HubNodes, "time", time)
        node = await cluster.boot("a")
    assert node.host.parts.clock.now() - cluster.clock.now() <= 1
