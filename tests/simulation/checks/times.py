"""Journals are in order, deadlines count as they were stored, and no turn is lost to an outage or a timer."""

from __future__ import annotations

from dicehall.core.game import Refusal, Refused, Seat
from dicehall.table import acts
from dicehall.table.clocks import Due, Kind, dues
from dicehall.table.requests import Do
from dicehall.table.state import TableState, awaited_dice, is_present
from tests.simulation.chronicle import Chronicle, Stored
from tests.simulation.world import World

GAP_MS = 3_000  # documented: a shorter gap is no outage
ATTENDED_MS = 60_000  # documented: so long an action counts as being there
THINKING_MS = 5_000
HANG_MS = 2_500  # a store out of reach may hold a commit this long before it fails
NOT_YOUR_TURN, GAME_FINISHED = Refusal.NOT_YOUR_TURN, Refusal.GAME_FINISHED
AWAKE = (acts.Left, acts.Woke, acts.Carried, acts.Reclaimed, acts.Deputed, acts.Agreed, acts.Destroyed)


def check(world: World) -> None:
    for chronicle in world.chronicles.values():
        check_order(world, chronicle)
        check_sleep(world, chronicle)
        check_restarts(world, chronicle)
        for stored in chronicle.stored[1:]:
            if (due := expiry(stored)) is not None:
                check_expiry(world, chronicle, stored, due)


def check_order(world: World, chronicle: Chronicle) -> None:
    table, last = chronicle.table, 0
    if not isinstance(chronicle.stored[0].told.act, acts.Opened):
        world.wrong("journals in order", table, "it does not begin with its opening")
    for number, stored in enumerate(chronicle.stored, start=1):
        after = stored.told.after
        if stored.row.seq != number or stored.row.at < last:
            world.wrong("journals in order", table, f"act {stored.row.seq} at {stored.row.at} after {last}")
        if after is not None and after.running and awaited_dice(after) is not None:
            world.wrong("acts are whole", table, f"after act {number} dice are in the air: {stored.told.act}")
        last = stored.row.at


# -- deadlines ---------------------------------------------------------------------------------------


def expiry(stored: Stored) -> tuple[Kind | None, int] | None:
    """Whose time ran out in this act: a kind (None for either clock of a game) and a seat."""
    act = stored.told.act
    if isinstance(act, acts.Stood) and act.why in ("lost", "words"):
        return (Kind.LOBBY, act.chairs[0]) if act.why == "lost" else (Kind.WORDS, 0)
    if isinstance(act, acts.Destroyed) and act.why.startswith("nobody was here"):
        return Kind.EMPTY, 0
    first = act.entries[0] if act.entries else {}
    if "expired" in first:
        return None, first["seat"]
    return (Kind.GRACE, first["seat"]) if first.get("attend") == "gone" else None


def check_expiry(world: World, chronicle: Chronicle, stored: Stored, what: tuple[Kind | None, int]) -> None:
    before, table, seq = stored.told.before, chronicle.table, stored.row.seq
    assert before is not None
    due = next(iter(dues(before)), None)
    kinds = (Kind.TURN, Kind.GAME) if what[0] is None else (what[0],)
    if due is None or due.kind not in kinds or due.seat != what[1]:
        world.wrong("only what is due expires", table, f"act {seq} expires {what}, due is {due}")
        return
    if stored.row.at != max(before.at, due.at):
        world.wrong("expired as of the deadline", table, f"act {seq} at {stored.row.at}, deadline {due.at}")
    if stored.wall < due.at:
        world.wrong("nothing expires early", table, f"act {seq} at {stored.wall}, deadline {due.at}")
    check_outage(world, chronicle, stored, due)
    check_in_time(world, stored, before, due)


def check_outage(world: World, chronicle: Chronicle, stored: Stored, due: Due) -> None:
    started = next((one.elapsed for one in chronicle.stored if one.row.at >= due.since), 0.0)
    if any(started <= back <= stored.elapsed for back in world.set_back):
        return  # the wall clock showed some times twice
    for trouble in world.troubles:
        least, young = 0 if trouble.kind == "crash" else GAP_MS, 0
        held = 0
        if trouble.kind == "out of reach":  # an expiry, or the pulse that ends this, may be on its way for a while
            least, young, held = least + HANG_MS, GAP_MS, HANG_MS
        ran = trouble.since_wall + young < due.at and trouble.till_wall - held > due.since
        if world.set_back:  # pulses of earlier processes may then lie in the future and hide a crash
            ran = ran and trouble.kind != "crash"
            ran = ran and trouble.since <= stored.elapsed and trouble.till >= started
        if ran and trouble.till_wall - trouble.since_wall > least:
            sentence = f"act {stored.row.seq} ({due}) in {trouble}"
            world.wrong("no turn lost to an outage", chronicle.table, sentence)


def check_in_time(world: World, stored: Stored, before: TableState, due: Due) -> None:
    """Nobody whose action was there before the deadline hears that time is out."""
    if due.kind not in (Kind.TURN, Kind.GAME) or world.set_back:
        return
    account = before.chairs[due.seat].account
    for copy in world.copies:
        if copy.message.person.account != account or not isinstance(copy.message.what, Do):
            continue
        waiting = copy.received < stored.moment and copy.done is not None and copy.done > stored.moment
        late = isinstance(copy.outcome, Refused) and copy.outcome.code in (NOT_YOUR_TURN, GAME_FINISHED)
        if waiting and late and copy.wall < due.at and copy.message.table == before.id:
            sentence = f"#{copy.message.id} of {account} was there {due.at - copy.wall} ms before the deadline"
            world.wrong("no action lost to a timer", before.id, sentence)


# -- sleep and outages -----------------------------------------------------------------------------------


def check_sleep(world: World, chronicle: Chronicle) -> None:
    """A seat that runs out of time twice without a move puts the table to sleep; then only absences go on (W8)."""
    expired: set[Seat] = set()
    for stored in chronicle.stored[1:]:
        act, before = stored.told.act, stored.told.before
        assert before is not None
        if before.phase == "asleep":
            if not isinstance(act, AWAKE) and not of_absence(act):
                world.wrong("sleeping tables write nothing", chronicle.table, f"act {stored.row.seq}, {act}")
            if isinstance(act, acts.Woke) and not somebody_asks(world, chronicle.table, stored):
                world.wrong("only people wake a table", chronicle.table, f"act {stored.row.seq}, {act}")
            if not isinstance(act, acts.Left | acts.Agreed) and not of_absence(act):
                expired.clear()
        if isinstance(act, acts.Slept) and not act.entries:
            check_deserted(world, chronicle, stored)
        for entry in act.entries:
            if "move" in entry:
                check_attended(world, chronicle, stored, entry["seat"])
                expired.clear()
            if "expired" in entry:
                if (entry["seat"] in expired) != isinstance(act, acts.Slept):
                    world.wrong("twice out of time is sleep", chronicle.table, f"act {stored.row.seq}, {act}")
                expired.add(entry["seat"])


def of_absence(act: acts.Act) -> bool:
    """Whether this ends a grace, or starts the graces afresh after an outage: these go on while a table sleeps."""
    if isinstance(act, acts.Restarted):
        return True
    return isinstance(act, acts.Played) and all(entry.get("attend") == "gone" for entry in act.entries)


def check_deserted(world: World, chronicle: Chronicle, stored: Stored) -> None:
    """A table sleeps before its time only where a bot would move and no person is present."""
    before = stored.told.before
    assert before is not None
    bots = any(before.chairs[seat].plays for seat in before.to_act())
    if any(map(is_present, before.chairs)) or not bots:
        world.wrong("only deserted tables sleep early", chronicle.table, f"act {stored.row.seq}")


def check_attended(world: World, chronicle: Chronicle, stored: Stored, seat: int) -> None:
    """Bots do not play on among themselves; one that thought already may still move."""
    before = stored.told.before
    assert before is not None
    alone = before.chairs[seat].plays and not any(map(is_present, before.chairs))
    if alone and stored.row.at - before.acted > ATTENDED_MS + THINKING_MS and not world.set_back:
        world.wrong("bots play only for people", chronicle.table, f"act {stored.row.seq} by seat {seat}")


def somebody_asks(world: World, table: str, stored: Stored) -> bool:
    """Whether anybody waited for the answer to a move when this was stored; looking is not asking."""
    return any(
        isinstance(copy.message.what, Do)
        and copy.message.table == table
        and copy.received < stored.moment
        and (copy.done is None or copy.done > stored.moment)
        for copy in world.copies
    )


def check_restarts(world: World, chronicle: Chronicle) -> None:
    seen: set[tuple[int, int]] = set()
    for stored in chronicle.stored:
        act = stored.told.act
        if not isinstance(act, acts.Restarted):
            continue
        if (act.since, act.till) in seen and not world.set_back:
            world.wrong("one restart per outage", chronicle.table, f"act {stored.row.seq}, {act}")
        if not world.troubles and not world.weather.slow:
            world.wrong("one restart per outage", chronicle.table, f"act {stored.row.seq} without any outage")
        seen.add((act.since, act.till))
