"""People who play Dice 10 000 in a hall."""

from __future__ import annotations

from random import Random
from typing import Any

from dicehall.hall.opening import Opening
from dicehall.table.requests import Start
from dicehall.wire.actions import codec_of
from tests.hall.seeds.seed_world import SeedWorld


async def seated(world: SeedWorld, *names: str, **rules: int) -> tuple[list[str], str]:
    """People who have begun a game, in the order of their seats."""
    people = await world.guests(*names)
    table = await world.hall.open(people[0], Opening("tenthousand", rules, name="ten"))
    for account in people:
        await world.after(7)
        await world.hall.sit(account, table)
    await world.after(7)
    await world.hall.ask(people[0], table, Start())
    return people, table


async def open_to(world: SeedWorld, account: str, table: str) -> list[Any]:
    """What an account may do now, as it is sent."""
    state = (await world.host.look(table)).state
    seat = next(state.seat(chair) for chair in state.chairs if chair.account == account)
    codec = codec_of(type(state.game))
    return [codec.encode(action) for action in state.game.choices(state.position, seat)]


def picked(choices: list[Any], random: Random) -> Any:
    """Yield where one may, mostly; lock what is worth most, or something else now and then."""
    if "yield" in choices and random.random() < 0.7:
        return "yield"
    locks = [choice for choice in choices if isinstance(choice, dict)]
    if locks and ("roll" not in choices or random.random() < 0.2):
        return locks[0] if random.random() < 0.7 else random.choice(locks)
    return "roll"
