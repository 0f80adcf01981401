"""Somebody plays honest people for a rating, and looks for a way in which only wins count, or those of a bot."""

from __future__ import annotations

import pytest

from dicehall.hall import rated_games
from dicehall.hall.register import Count
from dicehall.table.requests import Hint
from tests.hall.halls import House, in_a_hall
from tests.security.live import both_ways


async def rated(house: House, account: str) -> list[Count]:
    return list(await house.hall.parts.register.counts(account, rated=True))


async def ann_comes_to_move(house: House, table: str) -> None:
    """Wait until the bot has played, or won."""
    while house.state(table).running and house.state(table).to_act() != {1}:
        await house.after(0.5)


@both_ways
@in_a_hall
async def test_a_hint_does_not_turn_a_game_that_counted_into_one_that_is_lost_for_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """With hints and several people a game is casual from the start, so nobody plays on for a result in vain."""
    if not guarded:
        monkeypatch.setattr(rated_games, "people", lambda state: 1)
    mallory, ann = await house.accounts("Mallory", "Ann")
    house.box.named.update(dict.fromkeys(range(1, 19), (6,)))
    table = await house.lobby("wards", mallory, ann, hints=True)
    promised = (await house.hall.look(ann, table))["rated"]
    await house.hall.ask(mallory, table, Hint())
    await house.hall.act(mallory, table, "hold")
    await house.win_rated(table, ann)
    counted = bool(await rated(house, ann))
    assert (promised == counted) is guarded


@both_ways
@in_a_hall
async def test_a_bot_that_plays_for_somebody_wins_no_rated_games_for_them(
    house: House, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(rated_games, "won_by_stand_in", lambda state: False)
    mallory, ann = await house.accounts("Mallory", "Ann")
    house.box.named.update(dict.fromkeys(range(1, 100), (6,)))
    table = await house.lobby("wards", mallory, ann)
    await house.hall.add_bot(mallory, table, None, "greedy")
    while not house.state(table).ended:
        await ann_comes_to_move(house, table)
        if house.state(table).running:
            await house.hall.act(ann, table, "hold")
    assert house.state(table).chairs[0].deputed
    assert bool(await rated(house, mallory)) is not guarded
    assert (await house.hall.look(ann, table))["unrated"] == ("stand_in" if guarded else None)


@in_a_hall
async def test_letting_a_bot_take_over_does_not_save_somebody_from_a_loss(house: House) -> None:
    """There is no guard to switch off: only a stand-in that wins makes a game casual."""
    mallory, ann = await house.accounts("Mallory", "Ann")
    house.box.named.update({1: (1,), **dict.fromkeys(range(2, 40), (6,))})
    table = await house.lobby("wards", mallory, ann)
    await house.hall.add_bot(mallory, table, None, "greedy")
    await ann_comes_to_move(house, table)
    await house.win_rated(table, ann)
    assert [(count.played, count.won) for count in await rated(house, mallory)] == [(1, 0)]
    assert [(count.played, count.won) for count in await rated(house, ann)] == [(1, 1)]
