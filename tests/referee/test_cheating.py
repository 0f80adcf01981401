"""Players who try to gain by what the other has said, by asking again, or by waiting for a crash (M8, M9, M13)."""

from __future__ import annotations

import pytest

from dicehall.nostr.events import Event
from dicehall.nostr.match_events import Commitment, MatchAnnouncement, MatchResult, RoundResult, VerificationResult
from dicehall.referee import referee
from tests.referee.people import Court, Person


def copied(cheat: Person, original: Event, number: int = 1) -> Event:
    """Another's commitment under one's own name."""
    return cheat.sign(Commitment("m1", number, original.tag("commitment") or ""))


def test_who_copies_the_others_commitment_cannot_open_it_with_the_others_reveal(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    mine = ann.commit(3)
    court.send(mine, copied(bea, mine))
    assert court.reasons() == {"InvalidCommitment": 1}
    court.wait(300)
    (end,) = court.said(MatchResult)
    assert (end.winner, end.reason) == (ann.key.npub, "forfeit")


def test_a_token_that_the_other_player_has_revealed_is_refused(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    thief = Person(bea.key, ann.secret, ann.C, ann.league)  # Ann's token, which Bea has somehow come to know
    thief_nonce = thief.nonce(2)
    mine, theirs = ann.commit(3), thief.commit(3, nonce=thief_nonce)
    court.send(mine, theirs, ann.reveal(3, mine), thief.reveal(3, theirs, nonce=thief_nonce))
    assert court.reasons() == {"InvalidToken": 1}
    assert court.said(RoundResult) == []


@pytest.mark.parametrize("max_matches", [1, 100])
def test_a_refused_challenge_stays_refused_when_there_is_room_again_and_after_a_crash(
    court: Court, ann: Person, bea: Person, max_matches: int
) -> None:
    court.referee.max_matches = court.max_matches = max_matches
    for number in range(5 if max_matches > 1 else 1):
        court.send(ann.challenge(bea, f"open-{number}"))
    refused = ann.challenge(bea, "one-more")
    court.send(refused)
    court.max_matches = 100
    court.wait(300)  # the others are abandoned
    court.restart()
    court.send(refused)
    said = [one.status for one in court.said(MatchAnnouncement) if one.match_id == "one-more"]
    assert said == ["refused"]
    court.send(ann.challenge(bea, "one-more", text="again"))
    assert "one-more" in court.referee.matches


def test_a_match_whose_loot_is_still_owed_is_not_verified_for_longer(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    court.send(ann.commit(1))
    court.wait(300)
    assert court.referee.rewards.owed
    court.wait(3600)
    court.send(ann.verify())
    assert court.said(VerificationResult) == []


def test_an_error_while_an_event_is_read_costs_only_that_event(
    court: Court, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(event: Event) -> None:
        raise RuntimeError("a mistake of ours")

    with monkeypatch.context() as patch:
        patch.setattr(referee, "classify", broken)
        court.send(ann.challenge(bea))
    assert court.reasons() == {"InternalError": 1}
    court.send(ann.challenge(bea, "m2"))
    assert list(court.referee.matches) == ["m2"]


def test_a_stranger_cannot_take_the_places_of_events_that_come_too_early(
    court: Court, ann: Person, bea: Person
) -> None:
    challenge = ann.challenge(bea)
    stranger = Person.called("Mallory")
    court.send(
        *(stranger.accept(challenge) if number == 0 else stranger.commit(number % 8, number) for number in range(20))
    )
    court.send(bea.accept(challenge), challenge)
    assert court.referee.matches["m1"].acceptance_id is not None
