"""What a bot is about to do cannot be worked out from what everybody can see (M1)."""

from __future__ import annotations

import hmac
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from dicehall.bots.levels import bots_for
from dicehall.core.game import Move, Seat, Turn
from dicehall.table import thinking
from dicehall.table.requests import Depute, Start
from dicehall.table.state import TableState
from dicehall.wire.actions import codec_of
from tests.security.live import both_ways
from tests.table.hosting import World, hosted

ENOUGH = 40  # decisions: nobody guesses that many in a row


def public_seed(purpose: str, state: TableState, seat: Seat, dice: Any) -> str:
    """How bots were seeded before: by what is in the address of a table and in every update."""
    return f"{state.id}/{state.seq}"


def guesses(state: TableState, seat: Seat, level: str) -> list[Any]:
    """A bot's next move from public data alone, for all keys that an attacker has."""
    game, label = state.game, f"bot\n{state.id}\n{state.seq}\n{seat}"
    view, choices = game.view(state.position, None), game.choices(state.position, seat)
    known = [bytes.fromhex(state.opened.s0), state.opened.s0.encode(), state.id.encode(), b""]
    keyed = [hmac.new(key, f"dicehall/key\n{label}".encode(), "sha256").hexdigest() for key in known]
    seeds = [f"{state.id}/{state.seq}", label, *keyed]
    return [bots_for(game)[level](view, seat, choices, Random(seed)) for seed in seeds]


async def moves_of_bots(world: World, key: str) -> list[tuple[TableState, Move[Any]]]:
    """Every move of random bots at a table, with the table as it stood before."""
    live = await world.open(key, seats={"doordice": 5}.get(key, 2))
    ann = await world.person("Ann")
    await ann.sit()
    for _ in range(live.state.opened.seats - 1):
        await world.bot("random")
    if live.state.phase == "lobby":
        await ann.ask(Start())
    await ann.ask(Depute("random"))
    await world.after(60_000)
    story = world.story()
    decode = codec_of(type(live.state.game)).decode
    played = [
        (before.after, Move(Seat(entry["seat"]), decode(entry["move"])))
        for before, told in pairwise(story)
        for entry in told.act.entries[:1]
        if "move" in entry and before.after is not None
    ]
    return played[:ENOUGH]


@both_ways
@pytest.mark.parametrize("key", ["mana", "wards", "tenthousand", "doordice"])
def test_recomputing_the_move_of_a_bot_from_public_data_at(
    key: str, guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding: 203 of 203 hidden picks of Mana. Every key that can be made of public data is tried."""
    if not guarded:
        monkeypatch.setattr(thinking, "seed_of", public_seed)

    @hosted
    async def attacked(world: World) -> None:
        moves = await moves_of_bots(world, key)
        real = [(state, move) for state, move in moves if len(state.game.choices(state.position, move.seat)) > 1]
        assert len(real) >= 4
        tries = [[guess == move.action for guess in guesses(state, move.seat, "random")] for state, move in real]
        always_right = any(all(hits) for hits in zip(*tries, strict=True))
        assert always_right is not guarded

    attacked()


@both_ways
def test_reading_a_bots_pick_out_of_a_hint_taken_at_the_same_moment(
    guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides have the same army: advice drawn from the bot's own seed would be the bot's own pick."""
    if not guarded:
        monkeypatch.setattr(thinking, "seed_of", public_seed)

    @hosted
    async def attacked(world: World) -> None:
        live = await world.open("mana", hints=True)
        await world.bot("random")
        await (await world.person("Ann")).sit()
        state, dice = live.state, live.dealer.dice
        assert isinstance(state.game.awaits(state.position), Turn)
        hint, bot = (thinking.seed_of(purpose, state, Seat(0), dice) for purpose in ("hint", "bot"))
        assert (hint == bot) is not guarded

    attacked()
