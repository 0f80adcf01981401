"""Any process serves any table: races, refusals, updates, deadlines, outages and presence across processes."""

from __future__ import annotations

import asyncio

from dicehall.core.game import Presence
from dicehall.games import catalogue
from dicehall.table import acts
from dicehall.table.requests import Destroy, Do, Settle, Sit
from tests.nodes.hosting import Cluster, Node, T, clustered, code_of, do, numbers


async def wards(cluster: Cluster, count: int = 2) -> tuple[list[Node], dict[str, Node]]:
    """A game of Dice Wards with its two players at different processes; three that only throw threes."""
    cluster.box.named = dict.fromkeys(range(1, 60), (3,))
    nodes = [await cluster.boot(name) for name in ("a", "b", "c")[:count]]
    at = {"ann": nodes[0], "bo": nodes[1]}
    await cluster.play("wards", *at.items())
    return nodes, at


@clustered
async def test_spectators_at_a_third_process_hear_everything_once_and_in_order(cluster: Cluster) -> None:
    nodes, at = await wards(cluster, 3)
    ears = [await node.watch() for node in nodes]
    seen = {ear.id: nodes[0].host.tables[T].state.seq for ear in ears}
    for _ in range(6):
        who = cluster.on_turn()
        await do(at[who], who, "roll")
        await do(at[who], who, "hold")
        await asyncio.sleep(0.1)
    last = len(cluster.acts())
    for ear in ears:
        assert numbers(ear) == list(range(seen[ear.id] + 1, last + 1))


@clustered
async def test_of_two_acts_in_one_moment_one_is_stored_and_the_other_is_checked_again(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    for node in nodes:
        await node.host.look(T)
        node.nodes.journal.seconds = 0.01
    outcomes = await asyncio.gather(*(code_of(node, who, Do("roll"), f"id {node.name}") for node in nodes))
    assert all(outcome.startswith("stored") for outcome in outcomes), outcomes
    assert len(set(outcomes)) == 2
    assert cluster.hub.lost_races >= 1
    assert at


@clustered
async def test_an_id_that_another_process_stored_is_answered_from_there(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    first = await do(at[who], who, "roll", "once")
    for node in nodes:
        again = await do(node, who, "roll", "once")
        assert (again.n, again.repeated) == (first.n, True)


@clustered
async def test_a_refusal_is_given_on_the_journals_head_only(cluster: Cluster) -> None:
    """A process that has heard nothing must not say that it is not somebody's turn."""
    nodes, at = await wards(cluster)
    for node in nodes:
        await node.host.look(T)
        node.nodes.line_up = False
    who = cluster.on_turn()
    other = next(name for name in at if name != who)
    await do(at[who], who, "roll")
    await do(at[who], who, "hold")
    assert (await code_of(at[other], other, Do("roll"))).startswith("stored")
    assert (await code_of(at[who], who, Do("roll"))) == "not_your_turn"


@clustered
async def test_a_read_is_answered_on_the_journals_head(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    for node in nodes:
        await node.host.look(T)
        node.nodes.line_up = False
    who = cluster.on_turn()
    answer = await do(at[who], who, "roll")
    for node in nodes:
        assert (await node.host.look(T)).state.seq == answer.n
        assert [update["n"] for update in await node.host.updates(T, None, answer.n - 1)] == [answer.n]


@clustered
async def test_what_was_missed_while_the_line_was_down_comes_when_it_is_up(cluster: Cluster) -> None:
    nodes, at = await wards(cluster, 3)
    ear = await nodes[2].watch()
    since = nodes[2].host.tables[T].state.seq
    nodes[2].nodes.line_up = False
    for move in ("roll", "hold"):
        who = cluster.on_turn()
        await do(at[who], who, move)
    await asyncio.sleep(1)
    assert numbers(ear) == []
    nodes[2].nodes.reconnect()
    await asyncio.sleep(0.1)
    assert numbers(ear) == [since + 1, since + 2]


@clustered
async def test_a_deadline_takes_effect_once_though_all_processes_know_of_it(cluster: Cluster) -> None:
    nodes, _ = await wards(cluster)
    await cluster.until(30_500)
    assert cluster.expiries() == []
    for node in nodes:
        node.nodes.journal.seconds = 0.01
    await asyncio.sleep(0.6)
    await asyncio.gather(*(node.host.ask(T, Settle()) for node in nodes))
    await cluster.until(45_000)
    assert len(cluster.expiries()) == 1


@clustered
async def test_a_second_process_that_starts_restarts_no_clock(cluster: Cluster) -> None:
    await wards(cluster)
    await cluster.until(20_000)
    await cluster.boot("late")
    await cluster.until(31_500)
    assert len(cluster.expiries()) == 1
    assert cluster.count("Restarted") == 0


@clustered
async def test_the_clock_of_a_player_whose_process_died_is_on_hold_and_starts_afresh_once(cluster: Cluster) -> None:
    """C5: nobody loses a turn by it; after 15 s the connections of the dead process have ended."""
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await cluster.until(25_000)
    await at[who].die()
    cluster.all.remove(at[who])
    await cluster.until(38_000)
    assert cluster.expiries() == []
    await cluster.until(44_000)
    chair = next(chair for chair in (await other.host.look(T)).state.chairs if chair.account == who)
    assert chair.presence is Presence.AWAY
    assert cluster.count("Restarted") == 1
    assert cluster.count("Left") == 1
    await cluster.until(80_000)
    assert [seat for _, seat in cluster.expiries()][:1] == [0]
    assert cluster.expiries()[0][0] >= 69_000  # 30 s after its connections had ended
    assert cluster.count("Restarted") == 1


@clustered
async def test_whoever_comes_back_at_another_process_plays_on_at_once(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await cluster.until(29_000)
    await at[who].die()
    cluster.all.remove(at[who])
    await cluster.until(33_000)
    await other.watch(who)
    assert (await code_of(other, who, Do("roll"))).startswith("stored")
    await cluster.until(60_000)
    assert cluster.count("Left") == 0
    assert cluster.expiries() == []


@clustered
async def test_a_process_that_is_cut_off_from_the_database_costs_its_players_nothing(cluster: Cluster) -> None:
    _, at = await wards(cluster)
    who = cluster.on_turn()
    await cluster.until(25_000)
    at[who].cut_off()
    await cluster.until(35_000)
    assert await code_of(at[who], who, Do("roll")) == "store_unavailable"
    assert cluster.expiries() == []
    at[who].connect_again()
    await cluster.until(38_000)
    assert cluster.count("Restarted") == 1
    assert (await code_of(at[who], who, Do("roll"))).startswith("stored")
    assert cluster.count("Left") == 0
    await cluster.until(66_000)
    assert cluster.expiries() == []


@clustered
async def test_a_process_that_stood_still_too_long_has_its_players_back_when_it_goes_on(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await cluster.until(20_000)
    at[who].cut_off()
    await cluster.until(44_000)
    assert cluster.count("Left") == 1
    at[who].connect_again()
    await cluster.until(48_000)
    chair = next(chair for chair in (await other.host.look(T)).state.chairs if chair.account == who)
    assert chair.presence is Presence.HERE
    assert cluster.expiries() == []


@clustered
async def test_a_deadline_that_a_dead_process_should_have_seen_to_is_swept(cluster: Cluster) -> None:
    """The player on turn is at a process that lives, so the deadline counts, only a second later than usual."""
    nodes, at = await wards(cluster, 3)
    await cluster.until(5_000)
    who = cluster.on_turn()
    await do(nodes[2], who, "roll")  # over HTTP, as it were: this process looks after the table now
    await asyncio.sleep(0.01)
    assert [node.host.tables[T].mine for node in nodes] == [False, False, True]
    await nodes[2].die()
    cluster.all.remove(nodes[2])
    await cluster.until(34_000)
    assert cluster.expiries() == []
    await cluster.until(39_000)
    assert [at for at, _ in cluster.expiries()] == [35_000]
    assert cluster.count("Restarted") == 0
    assert at


@clustered
async def test_bots_move_though_the_process_that_looked_after_them_is_gone(cluster: Cluster) -> None:
    cluster.box.named = dict.fromkeys(range(1, 60), (3,))
    first, second = await cluster.boot("a"), await cluster.boot("b")
    bots = (acts.BotSeat(1, "greedy", "Bot"),)
    await first.host.open(T, catalogue()["wards"](), by="ann", seats=2, bots=bots)
    ear = await second.watch("ann")
    await second.host.ask(T, Sit("ann", None, None, ear.id), "ann")
    for move in ("roll", "hold"):
        await do(first, "ann", move)
    await first.die()
    cluster.all.remove(first)
    before = cluster.count("Played")
    await cluster.until(5_000)
    assert cluster.bots.asked
    assert cluster.count("Played") > before


@clustered
async def test_the_whole_hall_may_be_away_and_nobody_loses_anything(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    await cluster.until(10_000)
    for node in nodes:
        await node.die()
    cluster.all.clear()
    await cluster.until(300_000)
    back = await cluster.boot("again")
    await cluster.until(303_000)
    assert cluster.expiries() == []
    await back.watch(who)
    assert (await code_of(back, who, Do("roll"))).startswith("stored")
    await cluster.until(330_000)
    assert cluster.expiries() == []
    assert at


@clustered
async def test_a_database_that_was_away_is_an_outage_for_everybody(cluster: Cluster) -> None:
    nodes, _ = await wards(cluster)
    await cluster.until(25_000)
    for node in nodes:
        node.cut_off()
    await cluster.until(45_000)
    for node in nodes:
        node.connect_again()
    await cluster.until(50_000)
    assert cluster.expiries() == []
    assert cluster.count("Restarted") == 1
    assert cluster.count("Left") == 0
    await cluster.until(80_000)
    assert len(cluster.expiries()) == 1
    assert cluster.count("Restarted") == 1


@clustered
async def test_a_finished_game_is_archived_once(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    archived: list[str] = []
    for node in nodes:
        real = node.nodes.journal.archive

        async def archive(table: str, record: bytes, packed: bytes | None = None, real: object = real) -> None:
            archived.append(table)
            await real(table, record, packed)  # type: ignore[operator]

        node.nodes.journal.archive = archive  # type: ignore[method-assign,assignment]
    who = cluster.on_turn()
    await at[who].host.ask(T, Destroy("closed", operator=True))
    for node in nodes:
        for conn in tuple(node.host.tables[T].listeners.by_id):
            node.host.disconnect(T, conn)
    await cluster.until(900_000)
    assert archived == [T]
    assert all(T not in node.host.tables for node in nodes)
    assert (await nodes[0].host.look(T)).state.phase == "abandoned"


@clustered
async def test_a_finished_game_is_archived_though_the_process_that_ended_it_is_gone(cluster: Cluster) -> None:
    nodes, at = await wards(cluster)
    who = cluster.on_turn()
    other = next(node for node in nodes if node is not at[who])
    await at[who].host.ask(T, Destroy("closed", operator=True))
    await at[who].die()
    cluster.all.remove(at[who])
    await cluster.until(900_000)
    assert await other.nodes.journal.archived(T) is not None
