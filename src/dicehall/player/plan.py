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


MAX_COMMITMENTS = 2  # in a round: the other player has one that counts, which can be a copy of only one of them


@dataclass(frozen=True, slots=True)
class OwnCommitment:
    id: str  # of the event
    hash: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What the player has stored of its own doing."""

    seat: int
    opened: bool = False  # the challenge or the acceptance is stored
    committed: Pair[int] | None = None  # round and unit of the last pick
    commitments: tuple[OwnCommitment, ...] = ()  # to that pick
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
class CommitAgain:
    """To the same unit with a new nonce, because the other player has copied the commitment."""

    round: int


@dataclass(frozen=True, slots=True)
class SendReveal:
    round: int
    commitment_id: str


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


Step: TypeAlias = SendChallenge | SendAcceptance | PickUnit | CommitAgain | SendReveal | Wait | RedeemLoot | Done


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
    if (asked := asked_for(view, mine, number)) is not None:
        return SendReveal(number, asked.id)
    return CommitAgain(number) if must_commit_again(view, mine, number) else Wait(Awaited.REVEAL_REQUEST, number)


def before_the_start(view: MatchView, mine: Progress) -> Step:
    if mine.seat == SEATS[1]:
        return Wait(Awaited.START, 1) if mine.opened else SendAcceptance()
    if not mine.opened:
        return SendChallenge()
    return Wait(Awaited.ACCEPTANCE if view.is_announced else Awaited.ANNOUNCEMENT, 1)


def must_commit_again(view: MatchView, mine: Progress, number: int) -> bool:
    """Whether the only commitment was copied: where the copy came first, the referee refused mine."""
    waiting = number not in view.reveal_requests and len(mine.commitments) < MAX_COMMITMENTS
    return waiting and any(is_copied(view, mine.seat, number, one) for one in mine.commitments)


def is_copied(view: MatchView, seat: int, number: int, mine: OwnCommitment) -> bool:
    return any(
        (author, said.round, said.hash) == (view.players[1 - seat], number, mine.hash)
        for author, said in view.commitments.values()
    )


def asked_for(view: MatchView, mine: Progress, number: int) -> OwnCommitment | None:
    """The commitment that the referee asks to open, if both commitments are fixed.

    A request that names both fixes them: their ids stand for what was committed to. One that names mine alone, or one
    that I never sent, would let the other player choose after seeing my unit, so it is not followed; nor is one for a
    copy of mine, which could be opened with my own reveal.
    """
    request = view.reveal_requests.get(number)
    if request is None:
        return None
    if not request.said.events:
        return unnamed(view, mine, number)
    named = set(request.said.events)
    found = [one for one in mine.commitments if one.id in named]
    return found[0] if len(found) == 1 and len(named) == len(SEATS) and not are_copies(view, named) else None


def unnamed(view: MatchView, mine: Progress, number: int) -> OwnCommitment | None:
    """What to open where the request names no commitments: the first that nobody has copied."""
    own = [one for one in mine.commitments if not is_copied(view, mine.seat, number, one)]
    return own[0] if own and view.has_committed(1 - mine.seat, number) else None


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
