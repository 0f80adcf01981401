"""What a player does next in a match: a function of what the relays show and of what the player has stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dicehall.games.mana.state import SEATS, Pair
from dicehall.nostr.match_events import LootReward
from dicehall.player.match_view import MatchView


class Awaited(StrEnum):
    """What a player can wait for."""

    ANNOUNCEMENT = "announcement"
    ACCEPTANCE = "acceptance"
    START = "start"
    REVEAL_REQUEST = "reveal_request"
    ROUND_RESULT = "round_result"
    MATCH_RESULT = "match_result"
    LOOT = "loot"


@dataclass(frozen=True, slots=True)
class Progress:
    """What the player has stored of its own doing."""

    seat: int
    opened: bool = False  # the challenge or the acceptance is stored
    committed: Pair[int] | None = None  # round and unit of the last pick
    commitment_id: str | None = None  # of that pick
    revealed: int = 0  # the last round whose reveal is stored
    redeemed: bool = False


@dataclass(frozen=True, slots=True)
class SendChallenge:
    pass


@dataclass(frozen=True, slots=True)
class SendAcceptance:
    pass


@dataclass(frozen=True, slots=True)
class PickUnit:
    round: int


@dataclass(frozen=True, slots=True)
class SendReveal:
    round: int


@dataclass(frozen=True, slots=True)
class Wait:
    awaited: Awaited
    round: int


@dataclass(frozen=True, slots=True)
class RedeemLoot:
    reward: LootReward


@dataclass(frozen=True, slots=True)
class Done:
    pass


Step: TypeAlias = SendChallenge | SendAcceptance | PickUnit | SendReveal | Wait | RedeemLoot | Done


def next_step(view: MatchView, mine: Progress) -> Step:
    if view.result is not None:
        return after_the_end(view, mine)
    if view.refusal is not None or (view.taken_by_others and not view.is_announced):
        return Done()
    if not view.is_accepted:
        return before_the_start(view, mine)
    number = view.round
    if view.is_decided:
        return Wait(Awaited.MATCH_RESULT, number)
    if mine.committed is None or mine.committed[0] < number:
        return PickUnit(number)
    if mine.revealed >= number:
        return Wait(Awaited.ROUND_RESULT, number)
    return SendReveal(number) if may_reveal(view, mine, number) else Wait(Awaited.REVEAL_REQUEST, number)


def before_the_start(view: MatchView, mine: Progress) -> Step:
    if mine.seat == SEATS[1]:
        return Wait(Awaited.START, 1) if mine.opened else SendAcceptance()
    if not mine.opened:
        return SendChallenge()
    return Wait(Awaited.ACCEPTANCE if view.is_announced else Awaited.ANNOUNCEMENT, 1)


def may_reveal(view: MatchView, mine: Progress, number: int) -> bool:
    """Whether the referee asks for it, and both commitments are fixed.

    A request that names both commitments fixes them: their ids stand for what was committed to. One that names mine
    alone, or another one of mine, would let the other player choose after seeing my unit, so it is not followed; nor is
    one for a copy of mine, which could be opened with my own reveal.
    """
    request = view.reveal_requests.get(number)
    if request is None:
        return False
    if not request.said.events:
        return view.has_committed(1 - mine.seat, number)
    named = set(request.said.events)
    return mine.commitment_id in named and len(named) == len(SEATS) and not are_copies(view, named)


def are_copies(view: MatchView, ids: set[str]) -> bool:
    hashes = [view.commitments[id][1].hash for id in ids if id in view.commitments]
    return len(set(hashes)) < len(hashes)


def after_the_end(view: MatchView, mine: Progress) -> Step:
    result = view.result
    assert result is not None
    if result.winner != view.npubs[mine.seat] or mine.redeemed:
        return Done()
    reward = view.loot_reward
    return Wait(Awaited.LOOT, result.rounds) if reward is None else RedeemLoot(reward)
