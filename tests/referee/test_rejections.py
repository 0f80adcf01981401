"""Events that do not count: each is counted by its reason, and nothing else happens (M7, M8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from dicehall.core.game import Seat
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.match_events import Acceptance, Commitment, MatchAnnouncement
from dicehall.referee.entries import Accepted, Limits, Say
from dicehall.referee.match import Match
from dicehall.referee.store import Store
from tests.referee.people import START_MS, Court, Person, rounds

CY = Person.called("Cy")
Sent = Callable[[Person, Person], Event]


def raw(person: Person, *tags: tuple[str, ...], content: str = "") -> Event:
    return sign_event(person.key, START_MS // 1000, 1, tags, content)


def state(court: Court) -> object:
    match = court.referee.matches["m1"]
    return match.state, match.acceptance_id, match.over, len(court.published)


AFTER_ACCEPTANCE: list[tuple[str, Sent, str]] = [
    ("a commitment by a stranger", lambda ann, bea: CY.commit(1), "InvalidSender"),
    ("a commitment to another round", lambda ann, bea: ann.commit(1, 2), "InvalidStateTransition"),
    ("a commitment to another match", lambda ann, bea: ann.commit(1, 1, "m2"), "MatchNotFound"),
    ("a reveal before any commitment", lambda ann, bea: ann.reveal(1, ann.commit(1)), "InvalidStateTransition"),
    (
        "a commitment that is not a hash",
        lambda ann, bea: raw(ann, ("match_id", "m1"), ("commitment", "abc"), ("round", "1")),
        "InvalidCommitment",
    ),
    (
        "a commitment without a round",
        lambda ann, bea: raw(ann, ("match_id", "m1"), ("commitment", "ab" * 32)),
        "EventParsingError",
    ),
    (
        "a mirror that names another match",
        lambda ann, bea: raw(ann, ("match_id", "m1"), ("d", "m2"), ("commitment", "ab" * 32), ("round", "1")),
        "EventParsingError",
    ),
    ("a greeting", lambda ann, bea: raw(ann, ("t", "mana-strategy"), content="hello"), "UnknownEventType"),
    (
        "a false referee",
        lambda ann, bea: raw(ann, ("match_id", "m1"), ("authority", "game-engine-bot"), ("match_result", "m1")),
        "UnknownEventType",
    ),
    ("a second challenge of this id", lambda ann, bea: CY.challenge(ann), "InvalidStateTransition"),
    ("a challenge to oneself", lambda ann, bea: ann.challenge(ann, "m9"), "InvalidChallenge"),
    ("a second acceptance", lambda ann, bea: bea.sign(Acceptance("m1", "ab" * 32)), "InvalidStateTransition"),
    (
        "a verification without proofs",
        lambda ann, bea: raw(ann, ("match_id", "m1"), ("verification", "1"), content='{"token_proofs": []}'),
        "EventParsingError",
    ),
    ("a verification by a stranger", lambda ann, bea: CY.verify(), "InvalidSender"),
]


@pytest.mark.parametrize(
    ("sent", "reason"), [one[1:] for one in AFTER_ACCEPTANCE], ids=[one[0] for one in AFTER_ACCEPTANCE]
)
def test_what_does_not_count_in_a_match_that_waits_for_commitments(
    court: Court, ann: Person, bea: Person, opened: Event, sent: Sent, reason: str
) -> None:
    """M8."""
    before = state(court)
    event = sent(ann, bea)
    court.send(event, event)
    assert court.reasons() == {reason: 1}
    assert court.referee.rejections.last[0].event_id == event.id
    assert state(court) == before


REVEALS: list[tuple[str, dict[str, Any], str]] = [
    ("another unit", {"unit_index": 2}, "CommitmentMismatch"),
    ("a unit that nobody has", {"unit_index": 8}, "InvalidUnitIndex"),
    ("a negative unit", {"unit_index": -1}, "InvalidUnitIndex"),
    ("a unit beyond all numbers", {"unit_index": 10**40}, "InvalidUnitIndex"),
    ("another nonce", {"nonce": "ab" * 32}, "CommitmentMismatch"),
    ("no nonce", {"nonce": None}, "InvalidCommitment"),
    ("another secret", {"mana_token_secret": "ab" * 32}, "CommitmentMismatch"),
    ("a secret that is not hex", {"mana_token_secret": "zz" * 32}, "EventParsingError"),
    ("another commitment event", {"commitment_event_id": "ab" * 32}, "CommitmentMismatch"),
    ("another round", {"round": 2}, "InvalidStateTransition"),
]


@pytest.mark.parametrize(("changed", "reason"), [one[1:] for one in REVEALS], ids=[one[0] for one in REVEALS])
def test_a_reveal_that_is_not_what_was_committed_to_does_not_count_and_the_right_one_still_does(
    court: Court, ann: Person, bea: Person, opened: Event, changed: dict[str, Any], reason: str
) -> None:
    """M7, M8."""
    mine, theirs = ann.commit(1), bea.commit(2)
    court.send(mine, theirs)
    before = state(court)
    court.send(ann.reveal(1, mine, **changed))
    assert court.reasons() == {reason: 1}
    assert state(court) == before
    court.send(ann.reveal(1, mine), bea.reveal(2, theirs))
    assert court.referee.matches["m1"].round == 2


def test_a_token_that_the_mint_does_not_know_is_invalid(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    mine, theirs = ann.commit(1), bea.commit(2)
    court.send(mine, theirs)
    court.leagues.clear()
    court.send(ann.reveal(1, mine))
    assert court.reasons() == {"InvalidToken": 1}
    court.know(ann, bea)
    court.send(ann.reveal(1, mine, keyset="00" + "cd" * 7), bea.reveal(2, theirs))
    assert court.referee.matches["m1"].round == 2


def test_one_token_serves_a_whole_match(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    """M9."""
    court.send(*next(rounds(ann, bea, [(1, 1)])))
    other = Person.called("Ann, another token")
    other.key = ann.key
    court.know(other)
    mine, theirs = other.commit(1, 2), bea.commit(2, 2)
    court.send(mine, theirs, other.reveal(1, mine, 2))
    assert court.reasons() == {"CommitmentMismatch": 1}


def test_a_second_commitment_and_a_second_reveal_change_nothing(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    mine, theirs = ann.commit(1), bea.commit(2)
    court.send(mine, ann.commit(3), theirs, ann.reveal(1, mine))
    again = msgspec.structs.replace(ann.reveal(1, mine), id="ab" * 32)
    court.send(again)
    assert court.reasons() == {"InvalidStateTransition": 2}
    assert court.referee.matches["m1"].commitments[0, 1].event_id == mine.id  # type: ignore[index]


def test_a_nonce_can_be_made_optional(court: Court, ann: Person, bea: Person) -> None:
    """M7."""
    court.limits = Limits(nonce_required=False)
    court.start()
    challenge = ann.challenge(bea)
    mine, theirs = ann.commit(1, nonce=None), bea.commit(2)
    court.send(challenge, bea.accept(challenge), mine, theirs)
    court.send(ann.reveal(1, mine, nonce=None), bea.reveal(2, theirs))
    assert court.referee.matches["m1"].round == 2


def test_the_hundred_and_first_challenge_is_refused_once_and_its_id_stays_free(ann: Person, bea: Person) -> None:
    court = Court(Store(":memory:"), max_matches=3)
    for number in range(3):
        court.send(Person.called(f"P{number}").challenge(bea, f"m{number}"))
    event = ann.challenge(bea, "late")
    court.send(event, event)
    court.restart()
    court.send(event)
    refused = [one for one in court.said(MatchAnnouncement) if one.status == "refused"]
    assert [(one.match_id, one.reason) for one in refused] == [("late", "busy")]
    assert court.published[-1].event.tag_values("e") == (event.id,)
    court.wait(300)
    court.send(ann.challenge(bea, "late", "again"))
    assert "late" in court.referee.matches


def test_a_challenger_has_at_most_five_open_challenges(court: Court, ann: Person, bea: Person) -> None:
    """M10."""
    challenges = [ann.challenge(bea, f"m{number}") for number in range(6)]
    court.send(*challenges)
    assert court.reasons() == {"TooManyChallenges": 1}
    (refused,) = [one for one in court.said(MatchAnnouncement) if one.status == "refused"]
    assert refused.reason == "too_many_challenges"
    court.send(bea.accept(challenges[0], "m0"), ann.challenge(bea, "m7"))
    assert "m7" in court.referee.matches


def test_a_flood_of_challenges_is_not_answered_with_a_flood(monkeypatch: pytest.MonkeyPatch, bea: Person) -> None:
    monkeypatch.setattr("dicehall.referee.referee.REFUSALS_AN_HOUR", 3)
    court = Court(Store(":memory:"), max_matches=1)
    for number in range(9):
        court.send(Person.called(f"P{number}").challenge(bea, f"m{number}"))
    assert court.reasons() == {"Busy": 8}
    assert len(court.published) == 1 + 3


def test_a_match_id_is_never_used_twice(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    """M8."""
    court.wait(300)
    court.wait(4000)
    assert not court.referee.matches
    court.send(ann.challenge(bea, "m1", "once more"))
    court.restart()
    court.send(ann.challenge(bea, "m1", "and again"))
    assert not court.referee.matches


def test_events_that_come_in_the_wrong_order_are_judged_again_when_their_turn_has_come(
    court: Court, ann: Person, bea: Person
) -> None:
    challenge = ann.challenge(bea)
    mine, theirs = ann.commit(1), bea.commit(2)
    court.send(mine, bea.accept(challenge), theirs, challenge)
    match = court.referee.matches["m1"]
    assert match.both_committed_ms is not None


def test_a_mistake_of_ours_costs_one_event_and_no_match(
    court: Court, ann: Person, bea: Person, opened: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Match.commit

    def broken(match: Match, said: Commitment, entry: Accepted, seat: Seat, say: Say) -> None:
        right(match, said, entry, seat, say)
        if seat == 1:
            raise ZeroDivisionError

    court.send(ann.commit(1))
    with monkeypatch.context() as patch:
        patch.setattr(Match, "commit", broken)
        court.send(bea.commit(2))
    assert len(court.published) == 2
    assert court.reasons() == {"InternalError": 1}
    court.send(bea.commit(3))
    assert court.referee.matches["m1"].both_committed_ms is not None
