"""What a hall passes on and its page shows is what this referee says, in every phase of a match."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from dicehall.launch.mana_bot import checked
from dicehall.nostr.events import Event
from dicehall.referee.bot import Bot
from dicehall.referee.mint_client import MintClient
from dicehall.server.match_shapes import BotMatch, BotMatches, BotStatus
from tests.referee.live import pool_of
from tests.referee.people import BOT, Court, Person, rounds
from tests.referee.test_app import Client
from tests.server.bot_answers import all_answers, finished

Watched = dict[str, Any]


@pytest.fixture
def bot(court: Court) -> Client:
    mint = MintClient("http://127.0.0.1:1", BOT, lambda: 0)
    return Client(Bot(court.referee, pool_of("ws://127.0.0.1:1"), mint, lambda: court.now_ms))


def watch(bot: Client) -> Watched:
    return passed_on(bot, "/match/m1", BotMatch)


def passed_on(bot: Client, path: str, shape: type[msgspec.Struct]) -> Watched:
    code, said = bot.get(path)
    assert code == 200
    assert json.loads(bytes(checked(msgspec.json.encode(said), shape))) == said
    return dict(said)


def test_a_match_can_be_watched_after_every_event_and_while_mint_and_relay_are_away(
    bot: Client,
    court: Court,
    ann: Person,
    bea: Person,
) -> None:
    challenge = ann.challenge(bea)
    court.send(challenge)
    phases = [watch(bot)["state"]]
    court.send(bea.accept(challenge))
    phases.append(watch(bot)["state"])
    for events in rounds(ann, bea, [(0, 0), (1, 2), (3, 4), (5, 6), (7, 7)]):
        for event in events:
            court.referee.receive(event, court.now_ms)
            phases.append(watch(bot)["state"])
            court.settle(relay=False)
            phases.append(watch(bot)["state"])
            court.settle()
            phases.append(watch(bot)["state"])
    court.send(ann.verify((0,)), bea.verify((7,)))
    assert len(watch(bot)["verifications"]) == 2
    assert set(phases) == {
        "WaitingForAcceptance",
        "WaitingForCommitments",
        "WaitingForReveals",
        "ProcessingCombat",
        "RoundComplete",
        "MatchComplete",
    }


def keys_of(value: Any, path: str = "") -> set[str]:
    """The fields of a document, those of all items of a list together."""
    if isinstance(value, dict):
        return {key for name, one in value.items() for key in ({f"{path}.{name}"} | keys_of(one, f"{path}.{name}"))}
    return {key for one in value for key in keys_of(one, path)} if isinstance(value, list) else set()


def test_the_answers_with_which_halls_are_tested_have_the_fields_of_this_referee(
    bot: Client,
    court: Court,
    ann: Person,
    bea: Person,
    opened: Event,
) -> None:
    for events in rounds(ann, bea, [(0, 0), (1, 2), (3, 4), (5, 6), (7, 7)]):
        court.send(*events)
    court.send(ann.verify((0,)))
    for loot in court.referee.rewards.payments(court.now_ms):
        court.referee.rewards.prepared(loot, "request", "factors")
        court.referee.paid_out("m1", "cashuB", court.now_ms)
    court.settle()
    real = watch(bot)
    assert real["loot"] is not None
    assert keys_of(real) == keys_of(finished().answer)
    scripted = all_answers()
    assert keys_of(passed_on(bot, "/matches?page=1", BotMatches)) == keys_of(scripted["/matches"])
    status = {**passed_on(bot, "/status", BotStatus), "rejected": {}}  # by reasons, of which there are many
    assert keys_of(status) == keys_of(scripted["/status"])
