"""Only the end of the connection that carries a seat makes it away, and never an outage of the host."""

from __future__ import annotations

from dicehall.core.game import Presence, Seat
from dicehall.table import acts
from dicehall.table.state import is_out
from tests.simulation.checks.times import GAP_MS, HANG_MS
from tests.simulation.chronicle import Chronicle, Stored
from tests.simulation.line import Line
from tests.simulation.messages import Connect
from tests.simulation.world import Trouble, World

LOST_S = 5.0  # documented: a lost connection may come back this long
RETURN_S = 15.0  # and this long more after its process died
EPS_S = 0.002
SLACK_MS = 5_000  # for an expiry that is written late


def check(world: World) -> None:
    for chronicle in world.chronicles.values():
        for stored in chronicle.stored[1:]:
            if isinstance(stored.told.act, acts.Left) and stored.told.act.lost:
                check_lost(world, chronicle, stored, stored.told.act.chair)
        check_honoured(world, chronicle)
        check_removed(world, chronicle)


def check_lost(world: World, chronicle: Chronicle, stored: Stored, number: int) -> None:
    assert stored.told.before is not None
    chair = stored.told.before.chair(number)
    line = world.lines.get(chair.conn or "")
    name = f"act {stored.row.seq}: {chair.name} ({chair.conn})"
    if line is None or line.ended is None:
        world.wrong("away only when lost", chronicle.table, f"{name} is away while its connection lives")
        return
    if isinstance(stored.told.act, acts.Left) and stored.told.act.stood:  # its person did not want to wait any longer
        return
    if stored.elapsed < line.ended + LOST_S - EPS_S:
        world.wrong("away only when lost", chronicle.table, f"{name} after {stored.elapsed - line.ended:.3f} s")
    if came_back(world, chronicle, line, stored):
        world.wrong("away only when lost", chronicle.table, f"{name}, but it came back before")
    for trouble in world.troubles:
        decided_before = stored.row.at < trouble.since_wall + GAP_MS and not world.set_back
        if decided_before:  # and was on its way to the disk when the outage came
            continue
        if excuses(trouble, line.ended, stored.elapsed) and stored.elapsed < back_by(trouble) - EPS_S:
            since = stored.elapsed - trouble.till
            world.wrong("nobody away for an outage", chronicle.table, f"{name} {since:.3f} s after {trouble}")


def excuses(trouble: Trouble, lost: float, away: float) -> bool:
    """Whether somebody could not come back because of this: it was there long enough to be noticed."""
    least = GAP_MS + (HANG_MS if trouble.kind == "out of reach" else 0)
    long = trouble.kind == "crash" or trouble.till_wall - trouble.since_wall > least
    return long and trouble.till >= lost and trouble.since <= away - 3.0 and trouble.kind != "clock set forward"


def back_by(trouble: Trouble) -> float:
    if trouble.kind == "crash":
        return max(trouble.till + LOST_S, trouble.since + RETURN_S + LOST_S)
    return trouble.till + LOST_S


def came_back(world: World, chronicle: Chronicle, line: Line, stored: Stored) -> bool:
    """Whether the same person connected once more after this line carried the seat, in good time, and still listens."""
    connects = [copy for copy in world.copies if isinstance(copy.message.what, Connect)]
    acts_of_line = [one for one in chronicle.stored if getattr(one.told.act, "conn", None) == line.id]
    own = acts_of_line[-1].moment
    return any(
        copy.message.person is line.person
        and copy.received > own
        and isinstance(copy.outcome, Line)
        and (copy.done or 0) < stored.moment
        and (copy.outcome.ended is None or copy.outcome.ended > stored.elapsed)
        for copy in connects
    )


def check_honoured(world: World, chronicle: Chronicle) -> None:
    """Somebody whose connection ended long ago does not seem to be here."""
    process, state = world.process, chronicle.state
    if process is None or chronicle.table not in process.host.tables or state.ended:
        return
    up = max((trouble.till for trouble in world.troubles), default=0.0)
    for chair in state.chairs:
        line = world.lines.get(chair.conn or "")
        if line is None or line.ended is None or chair.presence is not Presence.HERE:
            continue
        if world.clock.elapsed - max(line.ended, up) > 2 * (LOST_S + RETURN_S):
            world.wrong("away when lost", chronicle.table, f"{chair.name} seems here, but left at {line.ended:.1f}")


def check_removed(world: World, chronicle: Chronicle) -> None:
    """No seat is away for much longer than its grace, whether the table sleeps or not (A12, W8)."""
    state, now = chronicle.state, world.clock.now()
    if world.set_back or world.process is None or not state.running or not state.policy.grace:
        return
    recovered = max((trouble.till_wall for trouble in world.troubles), default=0)
    for seat, chair in enumerate(state.chairs):
        if chair.presence is not Presence.AWAY or is_out(state, Seat(seat)):
            continue
        late = now - max(chair.since, recovered) - (state.policy.grace_seconds or 0) * 1000
        if late > SLACK_MS:
            world.wrong("graces end", chronicle.table, f"{chair.name} is away {late} ms longer than the grace")
