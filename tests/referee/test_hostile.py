"""Hostile events do not stop the referee, nor the honest match among them (M8, M10)."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.games.mana.combat import fight
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.match_events import MatchAnnouncement, MatchResult, Reason
from dicehall.referee import referee
from dicehall.referee.app import status_of
from dicehall.referee.bot import Bot
from tests.mint.minting import LiveMint
from tests.referee.hostile_relay import HostileRelay, hostile_relay
from tests.referee.live import Watcher, honest_mint, live_relay, make_bot, people, play, running, watching
from tests.referee.mutations import broken, mutated
from tests.referee.people import START_MS, Court, Person

PICKS = [(number, 7 - number) for number in range(5)]
CROWD = [Person.called(f"stranger {number}") for number in range(3)]
ODD_TEXTS = (
    "",
    "[",
    "null",
    '["EVENT"]',
    '["OK", 1]',
    '["EVENT", "x", {}]',
    "[" * 20_000,
    '"\\ud800"',
    "\x00",
    "[1e999]",
)
RAISED = {"EventParsingError", "UnknownEventType", "InvalidSender", "MatchNotFound", "InvalidStateTransition"}


def templates(ann: Person, bea: Person) -> list[Event]:
    """The genuine events of the honest match, which the strangers change."""
    challenge, commit = ann.challenge(bea), ann.commit(0)
    more = [bea.accept(challenge), bea.commit(7), ann.reveal(0, commit), ann.verify(), bea.commit(1, 2)]
    return [challenge, commit, *more]


async def attack(relay: HostileRelay, watcher: Watcher, genuine: list[Event], count: int) -> Counter[str]:
    """As many hostile events, a twentieth of them through the honest relay as well."""
    chance, sent = Random(14), Counter[str]()
    keys = [one.key for one in CROWD]
    for number in range(count):
        event = chance.choice(genuine)
        if number % 5 == 4:
            await relay.send(sendable(broken(chance, event)))
            sent["broken"] += 1
        else:
            hostile = mutated(chance, event, keys)
            await relay.send(hostile)
            sent["signed"] += 1
            if number % 20 == 0 and len(hostile.content) < 2000:
                await asyncio.gather(watcher.pool.publish(hostile), return_exceptions=True)
        if number % 100 == 0:
            await relay.send_text(chance.choice(ODD_TEXTS))
            await asyncio.sleep(0)
    return sent


def sendable(value: Any) -> Any:
    try:
        msgspec.json.encode(value)
    except (OverflowError, ValueError):
        return None
    return value


async def judged_all(relay: HostileRelay, watcher: Watcher) -> None:
    """A last event, after which all before it have been judged."""
    last = Person.called("the last").challenge(CROWD[0], "the-last")
    await relay.send(last)
    await watcher.until("match_announcement", 1, "the-last")


@pytest.mark.parametrize("count", [1000, pytest.param(10_000, marks=pytest.mark.proof)])
def test_an_honest_match_among_hostile_events_ends_correctly(tmp_path: Path, count: int) -> None:
    async def work(mint: LiveMint) -> None:
        ann, bea = people(mint)
        async with live_relay() as url, hostile_relay() as (hostile, other):
            bot = make_bot(mint, tmp_path / "bot.db", url, other)
            async with running(bot), watching(url, wait_s=600) as seen:
                while len(hostile.listeners) < 1 or not all(hostile.listeners.values()):
                    await asyncio.sleep(0.01)
                genuine = templates(ann, bea)
                sent, _ = await asyncio.gather(
                    attack(hostile, seen, genuine[1:], count * 9 // 10), play(seen, ann, bea, PICKS)
                )
                sent += await attack(hostile, seen, [genuine[0], ann.accept(genuine[0], "m2")], count // 10)
                await judged_all(hostile, seen)
                (end,), (reward,) = await seen.until("match_result"), await seen.until("loot_reward")
                check_result(ann, bea, seen, end)
                assert (reward.winner, reward.amount) == (end.winner, 1000)
                check_counts(bot, sent)

    with honest_mint(tmp_path) as mint:
        asyncio.run(work(mint))


def check_result(ann: Person, bea: Person, seen: Watcher, end: MatchResult) -> None:
    fights = [fight(ann.army[one], bea.army[two]) for one, two in PICKS][: end.rounds]
    assert [tuple(one.damage_dealt) for one in seen.said("round_result")] == [one.damage for one in fights]
    assert end.score == (sum(one.winner == 0 for one in fights), sum(one.winner == 1 for one in fights))
    assert end.reason in ("rounds", "draw")
    assert len(seen.said("match_announcement")) == 2


def check_counts(bot: Bot, sent: Counter[str]) -> None:
    status = status_of(bot)
    rejected = status["rejected"]
    assert set(rejected) >= RAISED
    assert str(Reason.INTERNAL_ERROR) not in rejected
    # a few hostile events are the same as another, and a few are well-formed challenges or repeat a genuine event
    assert sum(rejected.values()) > sent["signed"] * 0.7
    assert status["relays"][1]["rejected"] > sent["broken"] * 0.7
    assert status["ok"] is True


# -- too many of them ---------------------------------------------------------------------------------------


def refusals(court: Court, match_id: str) -> list[str]:
    said = [one for one in court.said(MatchAnnouncement) if one.match_id == match_id and one.status == "refused"]
    return [one.reason for one in said]


def crowd_of_challenges(count: int, bea: Person) -> list[Event]:
    return [Person.called(f"challenger {number // 5}").challenge(bea, f"m{number}") for number in range(count)]


def test_the_101st_challenge_is_refused_once_as_busy_however_often_it_comes(court: Court, bea: Person) -> None:
    court.send(*crowd_of_challenges(100, bea))
    one_more = Person.called("one more").challenge(bea, "one-more")
    court.send(one_more, one_more)
    court.restart()
    court.send(one_more)
    assert refusals(court, "one-more") == ["busy"]
    assert len(court.referee.matches) == 100
    assert court.referee.counts()["WaitingForAcceptance"] == 100


def test_a_sixth_open_challenge_is_refused_and_an_ended_one_frees_its_place(
    court: Court, ann: Person, bea: Person
) -> None:
    court.send(*(ann.challenge(bea, f"m{number}") for number in range(6)))
    assert refusals(court, "m5") == ["too_many_challenges"]
    assert len(court.referee.matches) == 5
    court.wait(300)
    court.send(ann.challenge(bea, "m6"))
    assert "m6" in court.referee.matches
    assert court.reasons() == {"TooManyChallenges": 1}


def test_a_flood_of_challenges_by_one_sender_leaves_room_for_others_and_is_not_answered_with_a_flood(
    court: Court, ann: Person, bea: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "REFUSALS_AN_HOUR", 50)
    flooder = Person.called("flooder")
    court.send(*(flooder.challenge(bea, f"f{number}") for number in range(300)))
    assert sum(one.status == "refused" for one in court.said(MatchAnnouncement)) == 50
    assert court.reasons() == {"TooManyChallenges": 295}
    challenge = ann.challenge(bea)
    court.send(challenge, bea.accept(challenge))
    assert court.referee.matches["m1"].acceptance_id is not None


def test_replays_of_everything_change_nothing(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    mine, theirs = ann.commit(1), bea.commit(2)
    events = [opened, mine, theirs, ann.reveal(1, mine), bea.reveal(2, theirs)]
    court.send(*events[1:])
    before = [one.event.id for one in court.published], court.referee.matches["m1"].state
    court.send(*events, *reversed(events))
    court.restart()
    court.send(*reversed(events), *events)
    assert ([one.event.id for one in court.published], court.referee.matches["m1"].state) == before


def test_a_deletion_of_a_commitment_changes_nothing(court: Court, ann: Person, bea: Person, opened: Event) -> None:
    mine = ann.commit(1)
    court.send(mine)
    common = (("match_id", "m1"), ("t", "mana-strategy"))
    court.send(sign_event(ann.key, START_MS // 1000, 5, (("e", mine.id), *common), ""))
    assert court.reasons() == {"UnknownEventType": 1}
    court.send(ann.commit(3), bea.commit(2))
    assert court.referee.matches["m1"].commitments[0, 1].event_id == mine.id  # type: ignore[index]
