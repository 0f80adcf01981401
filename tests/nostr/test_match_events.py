"""The events of a match: every one comes back as what it was, and whatever disagrees with itself is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicehall.nostr.events import Event, Tag, sign_event
from dicehall.nostr.keys import SecretKey, note_of, npub_of
from dicehall.nostr.match_events import (
    Acceptance,
    BotContent,
    BotEvent,
    Challenge,
    Commitment,
    LootReward,
    MatchAnnouncement,
    MatchResult,
    PlayerEvent,
    Reason,
    Reveal,
    RevealContent,
    RevealRequest,
    RoundResult,
    RoundUnits,
    TokenProof,
    Unclassified,
    UnitAfterCombat,
    Verification,
    VerificationResult,
    classify,
)

ANN, BO = SecretKey(bytes(31) + b"\1"), SecretKey(bytes(31) + b"\2")
ID, HASH = "ab" * 32, "cd" * 32
REVEAL = RevealContent(2, "01" * 32, "02" + "03" * 32, "00" + "a1" * 7, 7, ID, "ef" * 32)
UNIT = UnitAfterCombat(20, 10, 0, 40, "Heal")

FROM_PLAYERS: tuple[PlayerEvent, ...] = (
    Challenge("m-1", BO.public_hex, "Dare you?"),
    Acceptance("m-1", ID, ""),
    Commitment("m-1", 2, HASH),
    Reveal("m-1", REVEAL),
    Verification("m-1", (TokenProof("01" * 32, "02" + "03" * 32, "00" + "a1" * 7, (1, 2)),)),
)
FROM_THE_BOT: tuple[BotContent, ...] = (
    MatchAnnouncement("m-1", (ANN.npub, BO.npub), "waiting_for_acceptance", 1_700_000_000_000),
    MatchAnnouncement("m-1", (ANN.npub, BO.npub), "refused", 1_700_000_000_000, "busy"),
    RevealRequest("m-1", 1, "waiting_for_reveals"),
    RoundResult(1, None, (10, 20), RoundUnits(UNIT, UNIT)),
    MatchResult("m-1", ANN.npub, (3, 1), (70, 40), 4, "rounds", 1_700_000_000_000),
    LootReward("m-1", ANN.npub, 1000, "cashuB..."),
    VerificationResult("m-1", BO.npub, True),
)


def published(tags: tuple[Tag, ...], content: str, key: SecretKey = ANN) -> Event:
    return sign_event(key, 1_700_000_000, 1, tags, content)


@pytest.mark.parametrize("said", FROM_PLAYERS, ids=lambda said: said.name)
def test_what_a_player_says_is_read_as_it_was_said(said: PlayerEvent) -> None:
    assert classify(published(*said.encode())) == said


@pytest.mark.parametrize("content", FROM_THE_BOT, ids=lambda content: content.name)
def test_what_the_bot_says_is_read_as_it_was_said(content: BotContent) -> None:
    said = BotEvent("m-1", content, (ANN.public_hex,), (ID,))
    event = published(*said.encode())
    assert BotEvent.decode(event) == said
    assert event.tag("authority") == "game-engine-bot"


@pytest.mark.parametrize("said", FROM_PLAYERS, ids=lambda said: said.name)
def test_every_event_can_be_found_by_tags_of_one_letter(said: PlayerEvent) -> None:
    event = published(*said.encode())
    assert event.tag("t") == event.tag("game") == "mana-strategy"
    assert event.tag("d") == event.tag("match_id") == "m-1"


def test_the_tags_of_a_round_result_are_those_of_the_document() -> None:
    event = published(*BotEvent("m-1", FROM_THE_BOT[3]).encode())
    assert event.tag("round_result") == "1"
    assert json.loads(event.content) == {
        "round": 1,
        "winner": None,
        "damage_dealt": [10, 20],
        "units": {"player1": UNIT_JSON, "player2": UNIT_JSON},
    }


UNIT_JSON = {"attack": 20, "defense": 10, "health": 0, "max_health": 40, "ability": "Heal"}


def test_people_and_events_may_be_named_by_npub_and_note() -> None:
    tags = (("match_id", "m-1"), ("challenge", npub_of(BO.public_hex)), ("p", BO.public_hex))
    assert classify(published(tags, "")) == Challenge("m-1", BO.public_hex)
    tags = (("match_id", "m-1"), ("challenge_accepted", note_of(ID)), ("e", ID))
    assert classify(published(tags, "")) == Acceptance("m-1", ID)


def changed(said: PlayerEvent, name: str, *values: str) -> Event:
    """The event with one tag replaced, or left out where no values are given."""
    tags, content = said.encode()
    kept = tuple(tag for tag in tags if tag[0] != name)
    return published((*kept, (name, *values)) if values else kept, content)


CHALLENGE, ACCEPTANCE, COMMITMENT, REVEALED, _ = FROM_PLAYERS


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (changed(CHALLENGE, "match_id"), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "match_id", "a b"), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "match_id", "x" * 65), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "d", "another"), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "t", "chess"), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "game", "chess"), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "p", ANN.public_hex), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "challenge"), Reason.UNKNOWN_EVENT_TYPE),
        (changed(CHALLENGE, "challenge", "nobody"), Reason.EVENT_PARSING_ERROR),
        (changed(CHALLENGE, "commitment", HASH), Reason.UNKNOWN_EVENT_TYPE),
        (changed(CHALLENGE, "authority", "game-engine-bot"), Reason.UNKNOWN_EVENT_TYPE),
        (changed(ACCEPTANCE, "e", HASH), Reason.EVENT_PARSING_ERROR),
        (changed(COMMITMENT, "commitment", HASH.upper()), Reason.INVALID_COMMITMENT),
        (changed(COMMITMENT, "commitment", HASH[:-1]), Reason.INVALID_COMMITMENT),
        (changed(COMMITMENT, "commitment", ID), Reason.EVENT_PARSING_ERROR),
        (changed(COMMITMENT, "round", "0"), Reason.EVENT_PARSING_ERROR),
        (changed(COMMITMENT, "round", "１"), Reason.EVENT_PARSING_ERROR),
        (changed(COMMITMENT, "round"), Reason.EVENT_PARSING_ERROR),
        (changed(REVEALED, "reveal", "3"), Reason.EVENT_PARSING_ERROR),
        (changed(REVEALED, "round", "3"), Reason.EVENT_PARSING_ERROR),
        (changed(REVEALED, "e", HASH), Reason.EVENT_PARSING_ERROR),
        (published(REVEALED.encode()[0], "{"), Reason.EVENT_PARSING_ERROR),
        (published(REVEALED.encode()[0], '{"round": 2}'), Reason.EVENT_PARSING_ERROR),
        (published((), "hello"), Reason.UNKNOWN_EVENT_TYPE),
    ],
)
def test_an_event_that_disagrees_with_itself_is_refused_with_a_reason(event: Event, reason: Reason) -> None:
    with pytest.raises(Unclassified) as refused:
        classify(event)
    assert refused.value.reason is reason
    assert str(refused.value)


NAMES = [
    "match_id",
    "challenge",
    "challenge_accepted",
    "commitment",
    "reveal",
    "verification",
    "round",
    "d",
    "t",
    "e",
    "p",
]
tags = st.lists(st.lists(st.sampled_from([*NAMES, "1", ID, "m-1", BO.public_hex]), max_size=3), max_size=6)
contents = st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps)


@given(tags=tags, content=contents)
def test_no_event_raises_anything_else(tags: list[list[str]], content: Any) -> None:
    event = published(tuple(tuple(tag) for tag in tags), content)
    with suppress(Unclassified):
        assert classify(event).match_id == event.tag("match_id")
