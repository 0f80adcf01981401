"""All that anybody saw is a piece of one story: the journal's, as that audience may hear it."""

from __future__ import annotations

from typing import Any

import msgspec

from dicehall.core.game import Seat
from dicehall.table.updates import audience
from tests.simulation.chronicle import Chronicle, Stored
from tests.simulation.messages import Copy, Fetched, Looked
from tests.simulation.person import Person
from tests.simulation.world import World


def check(world: World) -> None:
    for person in world.people:
        check_seen(world, world.chronicles[person.table], person)
    for copy in world.copies:
        if isinstance(copy.outcome, Looked):
            check_look(world, world.chronicles[copy.message.table], copy.outcome)
        elif isinstance(copy.outcome, Fetched):
            check_fetch(world, world.chronicles[copy.message.table], copy, copy.outcome)


def check_seen(world: World, chronicle: Chronicle, person: Person) -> None:
    for n, message in enumerate(person.seen, start=1):
        if n > len(chronicle.stored):
            world.wrong("one story", person.table, f"{person.name} was told {n}, which nobody stored: {message!r}")
            return
        after = chronicle.stored[n - 1].told.after
        assert after is not None
        seat = audience(after, person.account)
        if message != chronicle.expected(n, seat) and message != chronicle.expected(
            n, audience(chronicle.state, person.account)
        ):
            expected = chronicle.expected(n, seat)
            world.wrong("one story", person.table, f"{person.name} was told {message!r}, not {expected!r}")
            return
        if after.game.key == "mana":
            check_secret(world, person, seat, chronicle.stored[n - 1], message)


def check_secret(world: World, person: Person, seat: Seat | None, stored: Stored, message: bytes) -> None:
    """While only one has picked, others hear that it has, and nothing else (M1)."""
    moves = [entry["seat"] for entry in stored.told.act.entries if "move" in entry]
    after = stored.told.after
    if not moves or seat in moves or after is None or after.ended or after.position.picks == (None, None):
        return
    told: list[dict[str, Any]] = msgspec.json.decode(message)["events"]
    keys = {key for event in told for key in event}
    if not keys <= {"event", "to", "seat", "round"}:
        world.wrong("hidden picks stay hidden", person.table, f"{person.name} heard {message!r}")


def check_look(world: World, chronicle: Chronicle, looked: Looked) -> None:
    if looked.n > len(chronicle.stored):
        world.wrong("one story", chronicle.table, f"somebody saw the table after act {looked.n}")
        return
    state = chronicle.stored[looked.n - 1].told.after
    assert state is not None
    expected = state.game.view(state.position, looked.seat) if state.sitting else None
    if looked.view != expected:
        world.wrong("one story", chronicle.table, f"after act {looked.n} somebody saw {looked.view}, not {expected}")
    if state.game.key == "mana" and looked.view is not None:
        others = [pick for seat, pick in enumerate(looked.view.picks) if seat != looked.seat]
        if any(pick is not None for pick in others):
            world.wrong("hidden picks stay hidden", chronicle.table, f"seat {looked.seat} saw {looked.view.picks}")


def check_fetch(world: World, chronicle: Chronicle, copy: Copy, fetched: Fetched) -> None:
    """The record of a running game holds no pick of a round that is not fought yet, but one's own."""
    state = chronicle.stored[fetched.n - 1].told.after
    assert state is not None
    if state.game.key != "mana" or state.ended:
        return
    fought = len(state.position.rounds)
    for seat in range(2):
        picks = sum("move" in entry and entry["seat"] == seat for entry in fetched.record.entries)
        if seat != fetched.seat and picks > fought:
            name = copy.message.person.name
            world.wrong("hidden picks stay hidden", chronicle.table, f"{name} read the pick of seat {seat}")
