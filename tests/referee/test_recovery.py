"""Killed at any moment, the referee goes on where it was and says nothing twice (M11)."""

from __future__ import annotations

from itertools import pairwise

from dicehall.nostr.events import Event
from dicehall.nostr.match_events import LootReward, MatchResult
from dicehall.referee.store import Store
from tests.referee.people import Court, Person, rounds

PICKS = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]


def contents(court: Court) -> list[object]:
    return [(one.key, one.event.content) for one in court.published]


def whole(ann: Person, bea: Person) -> list[Event]:
    challenge = ann.challenge(bea)
    return [challenge, bea.accept(challenge), *(event for events in rounds(ann, bea, PICKS) for event in events)]


def test_a_referee_that_is_killed_after_every_event_says_what_one_that_never_was_says(
    court: Court, ann: Person, bea: Person
) -> None:
    calm = Court(Store(":memory:"))
    calm.know(ann, bea)
    events = whole(ann, bea)
    calm.send(*events)
    for number, event in enumerate(events):
        court.referee.receive(event, court.now_ms)
        court.restart()  # nothing of it was written
        court.referee.receive(event, court.now_ms)
        court.referee.commit()
        court.restart()  # all of it was written, and nothing was published
        court.send(event)
        court.restart()
        court.send(*events[: number + 1])  # as a relay that sends everything again
    assert contents(court) == contents(calm)
    assert len({one.event.id for one in court.published}) == len(court.published)


def test_an_outage_costs_the_players_nothing(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    court.wait(290)
    court.restart(after_ms=10_000_000)
    court.wait(9)
    assert court.said(MatchResult) == []
    court.send(ann.commit(1))
    court.wait(10)
    (end,) = court.said(MatchResult)
    assert end.winner == ann.key.npub


def test_a_reveal_that_waited_for_the_mint_is_asked_about_again_after_a_kill(
    court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    mine, theirs = ann.commit(1), bea.commit(2)
    court.send(mine, theirs)
    for event in (ann.reveal(1, mine), bea.reveal(2, theirs)):
        court.referee.receive(event, court.now_ms)
    court.settle(mint=False)
    court.restart()
    court.settle()
    assert court.referee.matches["m1"].round == 2


def won(court: Court, ann: Person, bea: Person) -> None:
    challenge = ann.challenge(bea)
    court.send(challenge, bea.accept(challenge), ann.commit(1))
    court.wait(300)


def test_loot_is_asked_for_with_the_same_request_however_often_it_is_tried(
    court: Court, ann: Person, bea: Person
) -> None:
    """M11."""
    won(court, ann, bea)
    (loot,) = court.referee.rewards.payments(court.now_ms)
    assert loot.request is None
    court.referee.rewards.prepared(loot, "the request", "the factors")
    court.referee.commit()
    court.referee.rewards.not_paid("m1", "away", court.now_ms)
    assert court.referee.rewards.payments(court.now_ms) == []
    court.restart(after_ms=100_000)
    (loot,) = court.referee.rewards.payments(court.now_ms)
    assert (loot.request, loot.blindings) == ("the request", "the factors")
    court.referee.paid_out("m1", "cashuB...", court.now_ms)
    court.settle()
    court.restart()
    assert court.referee.rewards.payments(court.now_ms) == []
    assert [(one.winner, one.amount, one.token) for one in court.said(LootReward)] == [
        (ann.key.npub, 1000, "cashuB...")
    ]
    assert court.referee.rewards.paid == 1


def test_loot_is_not_asked_for_before_a_relay_has_the_result(court: Court, ann: Person, bea: Person) -> None:
    """M11."""
    challenge = ann.challenge(bea)
    court.send(challenge, bea.accept(challenge), ann.commit(1))
    court.now_ms += 300_000
    court.referee.check_deadlines(court.now_ms)
    court.settle(relay=False)
    assert court.referee.rewards.payments(court.now_ms) == []
    (result,) = court.referee.outbox.publications(court.now_ms)
    assert result.key == "match_result"
    court.referee.outbox.not_published(result, "away", court.now_ms)
    court.restart()
    assert court.referee.rewards.payments(court.now_ms) == []
    court.settle()
    assert len(court.referee.rewards.payments(court.now_ms)) == 1


def test_what_no_relay_takes_is_tried_again_with_growing_delays(court: Court, ann: Person, bea: Person) -> None:
    court.referee.receive(ann.challenge(bea), court.now_ms)
    court.referee.commit()
    times = []
    for _ in range(12):
        while not (due := court.referee.outbox.publications(court.now_ms)):
            court.now_ms += 100
        times.append(court.now_ms)
        court.referee.outbox.not_published(due[0], "away", court.now_ms)
    gaps = [after - before for before, after in pairwise(times)]
    assert gaps[0] == 500
    assert gaps == sorted(gaps)
    assert gaps[-1] == 60_000
