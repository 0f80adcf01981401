"""Whole matches with the real relay, mint and referee: to the loot, through crashes, and against a cheating referee."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import Commitment, Reveal, classify
from dicehall.player.session import NUTZAPS, Outcome
from dicehall.player.strategy import Position
from dicehall.referee.bot import Bot
from dicehall.referee.match import Match as RefereesMatch
from dicehall.referee.mint_client import MintClient
from dicehall.referee.token_queue import TokenAnswer
from tests.mint.minting import LiveMint
from tests.player.live import MATCH_ID, Killed, Life, LivePlayer, until
from tests.player.world import World, run
from tests.referee.live import pool_of


def decided(units: list[int]) -> Callable[[Position], Awaitable[int]]:
    """Picks these units, round by round."""

    async def choose(position: Position) -> int:
        return units[position.round - 1]

    return choose


def test_two_bots_play_to_the_loot_and_find_the_referee_honest(mint: LiveMint, tmp_path: Path) -> None:
    async def work(here: World) -> None:
        ann, bo = here.player("Ann", "exact"), here.player("Bo")
        first, second = await asyncio.gather(ann.challenge(bo), bo.accept())
        assert first.findings == second.findings == ()
        assert (first.winner, first.score, first.total_damage) == (second.winner, second.score, second.total_damage)
        for player, outcome in ((ann, first), (bo, second)):
            won = outcome.winner == player.key.npub
            assert outcome.redeemed == (1000 if won else None)
            assert player.balance() == (1000 if won else 0)
            rounds = player.told("round")
            assert [note.facts["round"] for note in rounds] == list(range(1, len(rounds) + 1))
            assert len(player.told("result")) == 1

    run(mint, tmp_path, work)


@pytest.mark.parametrize(
    ("role", "after"),
    [
        ("challenger", False),
        pytest.param("challenger", True, marks=pytest.mark.proof),
        pytest.param("accepter", False, marks=pytest.mark.proof),
        ("accepter", True),
    ],
    ids=["challenger, before the next step", "challenger, right after it", "accepter, before", "accepter, after"],
)
def test_a_player_killed_after_every_step_plays_on_from_its_file(
    mint: LiveMint, tmp_path: Path, role: str, after: bool
) -> None:
    """One effect a life, now and then two: what redeems loot and what notes it must both happen in one of them."""

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        mortal, other = (ann, bo) if role == "challenger" else (bo, ann)
        steady = asyncio.create_task(ann.challenge(bo) if role == "accepter" else bo.accept())
        outcome, lives = await relive(mortal, other, after)
        theirs = await steady
        assert (outcome.winner, outcome.score) == (theirs.winner, theirs.score)
        assert outcome.findings == theirs.findings == ()
        assert lives >= 2 * sum(outcome.score) + 2
        assert mortal.balance() == (1000 if outcome.winner == mortal.key.npub else 0)
        await one_of_each(here, mortal)

    run(mint, tmp_path, work)


async def relive(mortal: LivePlayer, other: LivePlayer, after: bool) -> tuple[Outcome, int]:
    """Killed and begun again until the match is over: the outcome, and in how many lives."""
    match = await (mortal.challenged() if mortal.name == "Bo" else mortal.new_match(0, other.key.public_hex))
    async with mortal.session(match):
        pass
    for number in range(200):
        try:
            return await mortal.resume(life=Life(1 + (number % 4 == 3), after)), number
        except Killed:
            continue
    raise AssertionError("the match does not end")


async def one_of_each(here: World, player: LivePlayer) -> None:
    """However often it was killed, a player has published one commitment and one reveal for each round."""
    async with pool_of(here.relay).running() as pool:
        await pool.relays[0].connected.wait()
        events = await pool.query(Filter(authors=(player.key.public_hex,), tags={"d": (MATCH_ID,)}))
    said = [classify(event) for event in events]
    committed = sorted(one.round for one in said if isinstance(one, Commitment))
    revealed = sorted(one.content.round for one in said if isinstance(one, Reveal))
    assert committed == revealed == list(range(1, len(committed) + 1))
    assert len(said) == 2 * len(committed) + 1


def test_a_player_who_vanishes_forfeits_and_the_other_gets_the_loot(mint: LiveMint, tmp_path: Path) -> None:
    async def never(position: Position) -> int | None:
        await asyncio.Event().wait()
        return None

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        loser = asyncio.create_task(bo.accept(never))
        winner = asyncio.create_task(ann.challenge(bo))
        await until(lambda: MATCH_ID in here.bot.referee.matches and bool(here.match.commitments))
        await here.let_time_pass()
        outcome = await winner
        assert (outcome.reason, outcome.redeemed, outcome.findings) == ("forfeit", 1000, ())
        assert "ran out of time. You win the match by forfeit, 0-0." in ann.said
        assert (await loser).findings == ()  # while it was choosing
        assert "You ran out of time" in bo.said

    run(mint, tmp_path, work)


def test_a_challenge_that_nobody_accepts_is_abandoned_and_its_token_is_free_again(
    mint: LiveMint, tmp_path: Path
) -> None:
    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        challenge = asyncio.create_task(ann.challenge(bo))
        await until(lambda: bool(ann.told("challenge")))
        await here.let_time_pass()
        outcome = await challenge
        assert (outcome.reason, outcome.winner, outcome.loot) == ("abandoned", None, None)
        async with ann.session() as session:
            assert session.store.tokens_in_use() == set()
            assert await session.purse.find_army(set()) == session.match.token

    run(mint, tmp_path, work)


def lie_about_rounds(match: RefereesMatch, number: int, at_ms: int, say: Any) -> None:
    honest(match, number, at_ms, lambda saying: say(bent(saying)))


honest = RefereesMatch.tell_round


def bent(saying: Any) -> Any:
    damage = saying.content.damage_dealt
    content = msgspec.structs.replace(saying.content, damage_dealt=(damage[0] + 1, damage[1]))
    return msgspec.structs.replace(saying, content=content)


@pytest.mark.proof
def test_a_referee_that_lies_is_named_by_both_players(
    mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RefereesMatch, "tell_round", lie_about_rounds)

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        for player, outcome in zip((ann, bo), await asyncio.gather(ann.challenge(bo), bo.accept()), strict=True):
            assert "but by the reveals it is" in outcome.findings[0]
            assert "is wrong or cheats: it says" in player.said

    run(mint, tmp_path, work)


def test_a_referee_that_lets_a_player_invent_a_token_is_named(
    mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bo plays with a token that no mint signed, and the referee takes it."""
    honest_bind = MintClient.bind

    def take_anything(self: Any, proof: Any, match_id: str) -> Any:
        found = honest_bind(self, proof, match_id)
        return found if found.valid else TokenAnswer(True, 0)

    monkeypatch.setattr(MintClient, "bind", take_anything)

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        challenge = asyncio.create_task(ann.challenge(bo))
        match = await bo.challenged()
        forged = msgspec.structs.replace(match.token, secret="ab" * 32)
        async with bo.session(msgspec.structs.replace(match, token=forged)) as session:
            playing = asyncio.create_task(session.play())
            outcome = await challenge
            playing.cancel()
        assert any("token that the mint has not bound" in finding for finding in outcome.findings)

    run(mint, tmp_path, work)


def wallet_event(key: SecretKey, wallet: SecretKey) -> Event:
    """NIP-61: the key to which somebody wants tokens to be locked."""
    return sign_event(key, 1, NUTZAPS, (("pubkey", wallet.public_hex),), "")


def test_loot_for_a_wallet_that_the_winner_published_is_handed_over_and_nobody_is_accused(
    mint: LiveMint, tmp_path: Path
) -> None:
    async def work(here: World) -> None:
        ann, bo, wallet = here.player("Ann"), here.player("Bo"), SecretKey.generate()
        async with pool_of(here.relay).running() as pool:
            await pool.relays[0].connected.wait()
            for player in (ann, bo):
                await pool.publish(wallet_event(player.key, wallet))
        outcomes = await asyncio.gather(ann.challenge(bo), bo.accept())
        assert [one.findings for one in outcomes] == [(), ()]
        (locked,) = ann.told("locked") + bo.told("locked")
        assert "Redeem it there: cashuB" in locked.sentence
        assert ann.balance() == bo.balance() == 0

    run(mint, tmp_path, work)


@pytest.mark.proof
def test_a_referee_that_locks_the_loot_to_a_stranger_is_named(
    mint: LiveMint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = SecretKey.generate()

    async def friend(bot: Bot, winner: str) -> str:
        return stranger.public_hex

    monkeypatch.setattr(Bot, "key_for_loot", friend)

    async def work(here: World) -> None:
        ann, bo = here.player("Ann"), here.player("Bo")
        outcomes = await asyncio.gather(ann.challenge(bo), bo.accept())
        (findings,) = [one.findings for one in outcomes if one.redeemed is not None]
        assert findings == ("locked the loot to a key that is not yours",)

    run(mint, tmp_path, work)
