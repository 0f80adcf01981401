"""The referee over HTTP, in the shapes that watchers rely on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from dicehall.nostr.events import Event
from dicehall.referee.app import make_app
from dicehall.referee.bot import Bot
from dicehall.referee.mint_client import MintClient
from tests.referee.live import pool_of
from tests.referee.people import BOT, START_MS, Court, Person, rounds

PHASES = [
    "WaitingForAcceptance",
    "WaitingForCommitments",
    "WaitingForReveals",
    "ProcessingCombat",
    "RoundComplete",
    "MatchComplete",
    "Abandoned",
]


# The fields of the source document's structs. Its maps by player and round are lists here, for JSON has no such keys.
MATCH_STATE = {
    "match_id",
    "players",
    "current_round",
    "state",
    "rounds",
    "commitments",
    "reveals",
    "created_at",
    "timeout_at",
}
COMMITMENT = {"player", "round", "hash", "event_id", "timestamp"}
REVEAL = {"player", "round", "unit", "token_secret", "event_id"}
UNIT = {"attack", "defense", "health", "max_health", "ability"}


class Client:
    """Asks the app in this process, from an address of one's choice."""

    def __init__(self, bot: Bot) -> None:
        self.app = make_app(bot)

    def get(self, path: str, address: str = "127.0.0.1", **headers: str) -> tuple[int, Any]:
        answer = asyncio.run(self.ask(path, address, headers))
        is_json = answer.headers["content-type"] == "application/json"
        return answer.status_code, answer.json() if is_json else answer.text

    async def ask(self, path: str, address: str, headers: dict[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:4444") as client:
            return await client.get(path, headers=headers)


@pytest.fixture
def client(court: Court) -> Client:
    mint = MintClient("http://127.0.0.1:1", BOT, lambda: 0)
    return Client(Bot(court.referee, pool_of("ws://127.0.0.1:1"), mint, lambda: court.now_ms))


def test_the_status_counts_matches_rejections_and_loot(
    client: Client, court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    court.send(Person.called("Cy").commit(1))
    code, status = client.get("/status")
    assert code == 200
    assert status == {
        "ok": False,
        "npub": BOT.npub,
        "relays": [{"url": "ws://127.0.0.1:1", "connected": False, "last_error": None, "rejected": 0}],
        "mint": {"url": "http://127.0.0.1:1", "ok": True, "last_error": None},
        "matches": {phase: int(phase == "WaitingForCommitments") for phase in PHASES},
        "rejected": {"InvalidSender": 1},
        "loot": {"queued": 0, "paid": 0},
    }
    assert client.get("/health") == (200, {"ok": True})
    code, metrics = client.get("/metrics")
    assert 'mana_matches{phase="WaitingForCommitments"} 1.0' in metrics
    assert 'mana_rejected_events{reason="InvalidSender"} 1.0' in metrics


def test_a_match_is_shown_as_the_documents_match_state(
    client: Client, court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    played = rounds(ann, bea, [(0, 0), (1, 2)])
    court.send(*next(played))
    first, second, mine, _ = next(played)
    court.send(first, second, mine)
    code, shown = client.get("/match/m1")
    assert code == 200
    assert set(shown) >= MATCH_STATE
    assert {frozenset(one) for one in shown["commitments"]} == {frozenset(COMMITMENT)}
    assert all(set(one) >= REVEAL and set(one["unit"]) == UNIT for one in shown["reveals"])
    assert shown["created_at"] == START_MS // 1000
    assert (shown["match_id"], shown["players"]) == ("m1", [ann.key.npub, bea.key.npub])
    assert (shown["current_round"], shown["state"]) == (2, "WaitingForReveals")
    (result,) = shown["rounds"]
    assert set(result) == {"round", "player1_unit", "player2_unit", "damage_dealt", "winner", "event_id"}
    assert [(one["player"], one["round"], one["event_id"]) for one in shown["commitments"]][2:] == [
        (ann.key.npub, 2, first.id),
        (bea.key.npub, 2, second.id),
    ]
    assert [(one["round"], one["unit_index"], one["token_secret"]) for one in shown["reveals"]] == [
        (1, 0, ann.secret),
        (1, 0, bea.secret),
        (2, 1, None),
    ]
    assert shown["leagues"] == [0, 3]
    assert [len(army) for army in shown["units"]] == [8, 8]
    assert shown["timeout_at"] == court.now_ms // 1000 + 300
    assert [one["name"] for one in shown["events"]] == [
        "match_announcement",
        "match_announcement",
        "reveal_request",
        "round_result",
        "reveal_request",
    ]
    assert all(one["published"] for one in shown["events"])
    assert (shown["winner"], shown["reason"], shown["loot"]) == (None, None, None)


def test_a_match_that_ended_long_ago_is_still_shown(
    client: Client, court: Court, ann: Person, bea: Person, opened: Event
) -> None:
    court.send(ann.commit(1))
    court.wait(300)
    (loot,) = court.referee.rewards.payments(court.now_ms)
    assert client.get("/match/m1")[1]["loot"] == {"amount": 1000, "state": "queued", "event_id": None}
    court.referee.rewards.prepared(loot, "request", "factors")
    court.referee.paid_out("m1", "cashuB", court.now_ms)
    court.settle()
    before = client.get("/match/m1")[1]
    court.wait(4000)
    assert not court.referee.matches
    code, shown = client.get("/match/m1")
    assert (code, shown) == (200, before)
    assert (shown["state"], shown["winner"], shown["reason"]) == ("MatchComplete", ann.key.npub, "forfeit")
    assert shown["loot"]["state"] == "paid"
    assert shown["loot"]["event_id"] == shown["events"][-1]["event_id"]


def test_matches_are_listed_newest_first_and_by_state(client: Client, court: Court, ann: Person, bea: Person) -> None:
    for number in range(60):
        court.now_ms += 1000
        court.send(Person.called(f"P{number}").challenge(bea, f"m{number}"))
    code, first = client.get("/matches")
    assert (code, first["page"], first["pages"]) == (200, 1, 2)
    assert [one["match_id"] for one in first["matches"]] == [f"m{number}" for number in range(59, 9, -1)]
    assert first["matches"][0]["state"] == "WaitingForAcceptance"
    _, second = client.get("/matches?page=2")
    assert len(second["matches"]) == 10
    court.wait(241)
    _, ended = client.get("/matches?state=Abandoned")
    assert [one["match_id"] for one in ended["matches"]] == ["m0"]
    assert set(ended["matches"][0]) == {
        "match_id", "players", "state", "current_round", "score", "winner", "reason", "created_at", "ended_at",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/match/none", 404),
        ("/match/" + "x" * 65, 404),
        ("/match/..%2f", 404),
        ("/nothing", 404),
        ("/matches?state=Over", 400),
        ("/matches?page=0", 400),
        ("/matches?page=-1", 400),
        ("/matches?page=99999999999999999999", 400),
        ("/matches?page=²", 400),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(client: Client, path: str, code: int) -> None:
    status, answer = client.get(path)
    assert status == code
    assert answer["error"]["message"].endswith(".")


@pytest.mark.parametrize("path", ["/debug/rejected", "/debug/outbox", "/debug/relays"])
def test_what_is_for_whoever_runs_it_is_shown_on_the_machine_only(client: Client, court: Court, path: str) -> None:
    assert client.get(path)[0] == 200
    assert client.get(path, "::1")[0] == 200
    assert client.get(path, "192.0.2.7")[0] == 403
    assert client.get(path, "127.0.0.1", **{"x-forwarded-for": "192.0.2.7"})[0] == 403


def test_the_last_two_hundred_rejected_events_are_kept_with_their_reasons(client: Client, court: Court) -> None:
    stranger = Person.called("Cy")
    events = [stranger.commit(1, 1, f"m{number}") for number in range(201)]
    court.send(*events)
    shown = client.get("/debug/rejected")[1]["rejected"]
    assert len(shown) == 200
    assert shown[0] == {
        "event_id": events[-1].id,
        "sender": stranger.key.public_hex,
        "match_id": "m200",
        "reason": "MatchNotFound",
        "message": "There is no such match, or it ended long ago.",
        "at": court.now_ms // 1000,
    }


def test_the_outbox_shows_what_is_owed(client: Client, court: Court, ann: Person, bea: Person, tmp_path: Path) -> None:
    court.referee.receive(ann.challenge(bea), court.now_ms)
    court.referee.commit()
    (outgoing,) = court.referee.outbox.publications(court.now_ms)
    court.referee.outbox.not_published(outgoing, "no relay took it", court.now_ms)
    shown = client.get("/debug/outbox")[1]
    assert [(one["match_id"], one["name"], one["published"]) for one in shown["events"]] == [
        ("m1", "match_announcement", False)
    ]
    assert shown["events_error"] == "no relay took it"
