"""What must hold of several processes on one journal, whatever went wrong: the same zeros as with one process."""

from __future__ import annotations

from collections import Counter

import msgspec

from dicehall.core.game import Presence, Refused
from dicehall.games import catalogue
from dicehall.table import acts
from dicehall.table.clocks import Due, Kind, bot_due, chairs_due, dues
from dicehall.table.pulse import GAP_MS
from dicehall.table.state import Told, is_out
from dicehall.table.story import story
from dicehall.table.updates import audience, update
from tests.nodes.hosting import T
from tests.nodes.soak import Player, Soak, Trouble
from tests.table.fakes import Ear

CLOCKS_MS = 100  # by which the clocks of processes may differ
LATE_MS = GAP_MS + 200  # that may be taken off a turn by delays: a longer one is an outage
OVERDUE_MS = 20_000
UNHEARD_MS = 1_000


def check(soak: Soak) -> None:
    rows = soak.cluster.hub.journal._rows.get(T, [])
    if not rows:
        soak.wrongs.append("the table was archived while people played there")
        return
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
        soak.wrongs.append("the numbers have gaps")
    try:
        told = list(story(T, rows, catalogue()))
    except (Refused, AssertionError) as trouble:  # as where an act was decided on a position that was never stored
        soak.wrongs.append(f"the journal cannot be read: {trouble}")
        return
    check_answers(soak, told)
    for player in soak.players:
        for ear in player.ears:
            check_heard(soak, player, ear, told)
    for one in told:
        check_bot(soak, one)
        if any("expired" in entry for entry in one.act.entries):
            check_expiry(soak, one)
    check_restarts(soak, told)
    check_end(soak, told)


def check_answers(soak: Soak, told: list[Told]) -> None:
    """What was acknowledged is stored, and once."""
    rows = soak.cluster.hub.journal._rows[T]
    for key, times in Counter((row.account, row.id) for row in rows if row.id).items():
        if times > 1:
            soak.wrongs.append(f"{key} is stored {times} times")
    stored = {(row.account, row.id): row.seq for row in rows if row.id}
    for player in soak.players:
        for id, n in player.acknowledged.items():
            seq = stored.get((player.name, id))
            if seq not in (n, None) or (seq is None and n > len(told)):
                soak.wrongs.append(f"{id} was acknowledged as {n}")


def check_heard(soak: Soak, player: Player, ear: Ear, told: list[Told]) -> None:
    """One after the other, as the journal has them; whoever still listens has heard the last."""
    heard = [message for message in ear.messages if "n" in message]
    numbers = [message["n"] for message in heard]
    if numbers and numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        soak.wrongs.append(f"{ear.id} heard {numbers}")
        return
    for message in heard:
        one = told[message["n"] - 1]
        assert one.after is not None
        true = msgspec.json.decode(msgspec.json.encode(update(one, audience(one.after, player.name or None))))
        if {key: value for key, value in message.items() if key != "table"} != true:
            soak.wrongs.append(f"{ear.id} heard {message} and the journal has {true}")
    old = sum(at <= soak.cluster.clock.now() - UNHEARD_MS for _, at in soak.cluster.hub.stored)
    if ear is player.ear and player.node in soak.alive and numbers and numbers[-1] < old:
        soak.wrongs.append(f"{ear.id} heard up to {numbers[-1]} of {old}")


def check_bot(soak: Soak, one: Told) -> None:
    """A bot moves once for a position, on which it has chosen, and not before its time."""
    row = soak.cluster.hub.journal._rows[T][one.seq - 1]
    if one.before is None or not (row.account or "").startswith("bot:"):
        return
    due = bot_due(one.before)
    if due is None or one.at < due:
        soak.wrongs.append(f"act {one.seq}: {row.account} moves at {one.at} and not at {due}")
    if (row.id or "").split()[0] != str(one.before.seq):
        soak.wrongs.append(f"act {one.seq}: {row.account} chose its move after act {row.id}")


# -- time ---------------------------------------------------------------------------------------------


def check_expiry(soak: Soak, one: Told) -> None:
    assert one.before is not None
    due = next(iter(dues(one.before)), None)
    if due is None or one.at < due.at:
        soak.wrongs.append(f"act {one.seq} takes a turn before its time")
        return
    for chair in chairs_due(one.before, due):
        for carriage in chair.carried:
            end = due.at if carriage.till is None else min(due.at, carriage.till)
            begin = max(due.since, carriage.since)
            for trouble in soak.troubles:
                if begin < end and trouble.process == carriage.process and meets(trouble, begin, end):
                    soak.wrongs.append(f"act {one.seq}: time ran out in {trouble}")
    check_length(soak, one, due)


def meets(trouble: Trouble, begin: int, end: int) -> bool:
    """Whether a process was out while a clock ran; a gap that is not longer than three seconds does not count."""
    if trouble.till is None:
        return end > max(begin, trouble.since + CLOCKS_MS)
    short = trouble.till - trouble.since <= GAP_MS + CLOCKS_MS
    return not short and trouble.since + CLOCKS_MS < end and trouble.till - CLOCKS_MS > begin


def check_length(soak: Soak, one: Told, due: Due) -> None:
    """A person's turn lasts as long as the rules say, by a true clock."""
    stored = soak.cluster.hub.stored
    began = next((at for row, at in stored if row.at == due.since), None)
    assert one.before is not None
    persons = [chair for chair in chairs_due(one.before, due) if not chair.plays]
    if due.kind is not Kind.TURN or began is None or not persons:
        return
    lasted, least = stored[one.seq - 1][1] - began, due.at - due.since - LATE_MS - soak.set_forward
    if lasted < least:
        soak.wrongs.append(f"act {one.seq}: a turn of {due.at - due.since} ms lasted {lasted}")


def check_restarts(soak: Soak, told: list[Told]) -> None:
    """One outage is one fresh start."""
    restarts = Counter((one.act.since, one.act.till) for one in told if isinstance(one.act, acts.Restarted))
    for outage, times in restarts.items():
        if times > 1:
            soak.wrongs.append(f"clocks were restarted {times} times for {outage}")


# -- the end ------------------------------------------------------------------------------------------


def check_end(soak: Soak, told: list[Told]) -> None:
    """After a minute of calm the table goes on, and whoever is connected is present."""
    state = told[-1].after
    assert state is not None
    now = soak.alive[0].host.parts.clock.now()
    due = next(iter(dues(state)), None)
    if due is not None and due.at < now - OVERDUE_MS:
        soak.wrongs.append(f"nobody looks after the table: {now - due.at} ms overdue")
    bot = bot_due(state)
    if bot is not None and bot < now - OVERDUE_MS:
        soak.wrongs.append(f"a bot has not moved for {now - bot} ms")
    for trouble in soak.troubles:
        if trouble.till is None and trouble.process in soak.cluster.hub.journal._pulses and is_dead(soak, trouble):
            soak.wrongs.append(f"{trouble.process} is dead, and nobody has noticed")
    for chair in state.chairs if not state.ended else ():
        here = any(player.name == chair.account and player.node in soak.alive for player in soak.players)
        out = state.running and is_out(state, state.seat(chair))
        if here and not out and chair.presence is not Presence.HERE:
            soak.wrongs.append(f"{chair.account} is connected and {chair.presence}")


def is_dead(soak: Soak, trouble: Trouble) -> bool:
    return all(node.name != trouble.process for node in soak.alive)
