"""Whole matches: what the referee says to what the players do (M1-M12)."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from dicehall.games.mana.combat import fight
from dicehall.nostr.events import Event
from dicehall.nostr.match_events import (
    BotEvent,
    MatchAnnouncement,
    MatchResult,
    RevealRequest,
    RoundResult,
    VerificationResult,
)
from dicehall.referee.entries import Phase
from dicehall.referee.views import phase_of
from tests.referee.people import Court, Person, rounds


def phase(court: Court, match_id: str = "m1") -> Phase:
    return phase_of(court.referee.matches[match_id], court.referee)


def best_against(mine: Person, other: Person) -> tuple[int, int]:
    """A pick for each with which the first wins."""
    return next(
        (one, two) for one in range(8) for two in range(8) if fight(mine.army[one], other.army[two]).winner == 0
    )


def test_a_challenge_is_announced_and_again_when_it_is_accepted(court: Court, ann: Person, bea: Person) -> None:
    """M12."""
    challenge = ann.challenge(bea)
    court.send(challenge)
    assert phase(court) is Phase.WAITING_FOR_ACCEPTANCE
    acceptance = bea.accept(challenge)
    court.send(acceptance)
    first, second = court.said(MatchAnnouncement)
    assert (first.status, second.status) == ("waiting_for_acceptance", "waiting_for_commitments")
    assert first.players == (ann.key.npub, bea.key.npub)
    assert phase(court) is Phase.WAITING_FOR_COMMITMENTS
    tags = court.published[1].event
    assert tags.tag_values("e") == (challenge.id, acceptance.id)
    assert tags.tag_values("p") == (ann.key.public_hex, bea.key.public_hex)
    assert (tags.tag("authority"), tags.tag("game"), tags.tag("d")) == ("game-engine-bot", "mana-strategy", "m1")


def test_reveals_are_asked_for_when_both_have_committed(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    court.send(ann.commit(1))
    assert court.said(RevealRequest) == []
    court.send(bea.commit(2))
    assert court.said(RevealRequest) == [RevealRequest("m1", 1, "waiting_for_reveals")]
    assert phase(court) is Phase.WAITING_FOR_REVEALS


def test_a_match_ends_early_with_its_result_and_what_the_winner_is_owed(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    pick = best_against(ann, bea)
    for events in list(rounds(ann, bea, [pick] * 5))[:3]:
        court.send(*events)
    results = court.said(RoundResult)
    assert [one.round for one in results] == [1, 2, 3]
    assert {one.winner for one in results} == {ann.key.npub}
    (end,) = court.said(MatchResult)
    assert (end.winner, end.score, end.rounds, end.reason) == (ann.key.npub, (3, 0), 3, "rounds")
    fought = fight(ann.army[pick[0]], bea.army[pick[1]])
    assert end.total_damage == (3 * fought.damage[0], 3 * fought.damage[1])
    assert results[0].units.player1.health == fought.health[0]
    assert [(one.match_id, one.winner, one.amount) for one in court.referee.rewards.owed.values()] == [
        ("m1", ann.key.public_hex, 1000)
    ]
    last = court.published[-1].event
    assert last.tag_values("e") == tuple(one.event.id for one in court.published if one.key.startswith("round_result"))
    assert phase(court) is Phase.MATCH_COMPLETE


def test_a_perfect_tie_has_no_winner_and_no_loot(court: Court, ann: Person) -> None:
    def tie(one: int, other: Person, two: int) -> bool:
        fought = fight(ann.army[one], other.army[two])
        return fought.winner is None and fought.damage[0] == fought.damage[1]

    others = (Person.called(f"Bea {number}") for number in itertools.count())
    bea, pick = next(
        (one, (a, b)) for one in others for a, b in itertools.product(range(8), repeat=2) if tie(a, one, b)
    )
    court.know(bea)
    challenge = ann.challenge(bea)
    court.send(challenge, bea.accept(challenge))
    for events in rounds(ann, bea, [pick] * 5):
        court.send(*events)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.score, end.rounds, end.reason) == (None, (0, 0), 5, "draw")
    assert not court.referee.rewards.owed


def test_a_challenge_that_nobody_accepts_is_abandoned_after_five_minutes(
    court: Court, ann: Person, bea: Person
) -> None:
    challenge = ann.challenge(bea)
    court.send(challenge)
    court.wait(299.9)
    assert phase(court) is Phase.WAITING_FOR_ACCEPTANCE
    court.wait(0.1)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.rounds, end.reason) == (None, 0, "abandoned")
    assert phase(court) is Phase.ABANDONED
    court.send(bea.accept(challenge))
    assert court.reasons() == {"InvalidStateTransition": 1}


@pytest.mark.parametrize("revealing", [False, True], ids=["commitment", "reveal"])
def test_who_has_not_acted_in_time_forfeits_to_who_has(
    court: Court, ann: Person, bea: Person, opened: Event, revealing: bool
) -> None:
    mine = ann.commit(1)
    court.send(mine)
    if revealing:
        court.send(bea.commit(2), ann.reveal(1, mine))
    court.wait(300)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.reason) == (ann.key.npub, "forfeit")
    assert court.referee.rewards.owed["m1"].winner == ann.key.public_hex


def test_a_round_in_which_neither_acts_abandons_the_match(court: Court, opened: Event) -> None:
    court.wait(300)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.reason) == (None, "abandoned")
    assert not court.referee.rewards.owed


def test_the_match_time_out_judges_the_phase_that_is_open_then(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    played = rounds(ann, bea, [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)])
    court.limits = court.referee.matches["m1"].limits
    for _ in range(2):
        court.wait(290)
        court.send(*next(played))
    assert court.said(MatchResult) == []
    court.referee.matches["m1"].accepted_ms = court.now_ms - 1_799_000
    court.send(bea.commit(2, 3))
    court.wait(1)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.reason, end.rounds) == (bea.key.npub, "forfeit", 2)


def test_a_commitment_in_the_last_second_leaves_the_other_time_to_reveal(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    mine = ann.commit(1)
    court.send(mine)
    court.wait(299.9)
    court.send(bea.commit(2))
    court.wait(29)
    court.send(ann.reveal(1, mine))
    court.wait(1)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.reason) == (ann.key.npub, "forfeit")


def test_a_reveal_that_waits_for_the_mint_is_in_time(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    mine, theirs = ann.commit(1), bea.commit(2)
    court.send(mine, theirs)
    for event in (ann.reveal(1, mine), bea.reveal(2, theirs)):
        court.referee.receive(event, court.now_ms)
    court.settle(mint=False)
    assert phase(court) is Phase.PROCESSING_COMBAT
    court.now_ms += 4_000_000
    court.referee.check_deadlines(court.now_ms)
    court.settle()
    assert [one.round for one in court.said(RoundResult)] == [1]
    assert court.said(MatchResult) == []
    court.wait(299)
    assert court.said(MatchResult) == []
    court.wait(1)
    assert len(court.said(MatchResult)) == 1


def test_a_round_is_complete_until_a_relay_has_its_result(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    for event in next(rounds(ann, bea, [(0, 0)])):
        court.referee.receive(event, court.now_ms)
        court.settle(relay=False)
    assert phase(court) is Phase.ROUND_COMPLETE
    court.settle()
    assert phase(court) is Phase.WAITING_FOR_COMMITMENTS


@pytest.mark.parametrize(
    ("changed", "valid"),
    [
        ({}, True),
        ({"units": [0]}, True),
        ({"units": [1]}, False),
        ({"C": "03" + "11" * 32}, False),
        ({"secret": "22" * 32}, False),
    ],
)
def test_a_verification_says_whether_the_proofs_are_what_was_revealed(
    court: Court, ann: Person, bea: Person, opened: Event, changed: dict[str, Any], valid: bool
) -> None:
    """M13."""
    for events in rounds(ann, bea, [(0, 0)]):
        court.send(*events)
    before = phase(court), court.referee.matches["m1"].state
    event = ann.verify(**changed)
    court.send(event)
    (answer,) = court.said(VerificationResult)
    assert (answer.player, answer.valid, answer.reason is None) == (ann.key.npub, valid, valid)
    assert list(json.loads(court.published[-1].event.content)) == ["match_id", "player", "valid", "reason"]
    assert BotEvent.decode(court.published[-1].event).events == (event.id,)
    assert (phase(court), court.referee.matches["m1"].state) == before


def test_a_match_can_be_verified_until_an_hour_after_its_end(court: Court, ann: Person, opened: Event) -> None:
    """M13."""
    court.wait(300)
    court.wait(3599)
    court.send(ann.verify())
    assert len(court.said(VerificationResult)) == 1
    court.wait(1)
    court.send(ann.verify(units=[3]))
    assert len(court.said(VerificationResult)) == 1
    assert court.reasons() == {"MatchNotFound": 1}
