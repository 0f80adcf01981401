"""Challenges that wait for this player: those that the referee has announced and that are still open."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from dicehall.nostr.events import Event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import InvalidKey, npub_of, parse_public
from dicehall.nostr.match_events import (
    GAME,
    BotEvent,
    Challenge,
    MatchAnnouncement,
    MatchResult,
    RevealRequest,
    RoundResult,
    Unclassified,
    classify,
)
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player.match_view import WAITING_FOR_ACCEPTANCE

STORED_S = 5.0  # for the relays to send what they have
LOOK_BACK_S = 3600


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    match_id: str
    challenger: str  # hex
    challenge_id: str
    announced_at: int


@dataclass(slots=True)
class OpenChallenges:
    """Events in any order; what is open is worked out from all of them."""

    me: str
    referee: str
    announced: dict[str, OpenChallenge] = field(default_factory=dict)  # by match
    challenges: dict[tuple[str, str], str] = field(default_factory=dict)  # event id, by match and challenger
    closed: set[str] = field(default_factory=set)

    def add(self, event: Event) -> None:
        try:
            if event.pubkey == self.referee:
                self.add_referees(event, BotEvent.decode(event))
            else:
                said = classify(event)
                if isinstance(said, Challenge) and said.challenged == self.me:
                    self.challenges.setdefault((said.match_id, event.pubkey), event.id)
        except (Unclassified, InvalidKey):
            return

    def add_referees(self, event: Event, said: BotEvent) -> None:
        match said.content:
            case MatchAnnouncement(players=players, status=status) if players[1] == npub_of(self.me):
                if status != WAITING_FOR_ACCEPTANCE:
                    self.closed.add(said.match_id)
                    return
                found = OpenChallenge(
                    said.match_id, parse_public(players[0]), next(iter(said.events), ""), event.created_at
                )
                self.announced.setdefault(said.match_id, found)
            case RevealRequest() | RoundResult() | MatchResult():
                self.closed.add(said.match_id)

    def open(self, challenger: str | None = None, match_id: str | None = None) -> list[OpenChallenge]:
        """Oldest first."""
        found = [
            OpenChallenge(one.match_id, one.challenger, id, one.announced_at)
            for one in self.announced.values()
            if one.match_id not in self.closed
            and challenger in (None, one.challenger)
            and match_id in (None, one.match_id)
            and (id := one.challenge_id or self.challenges.get((one.match_id, one.challenger), ""))
        ]
        return sorted(found, key=lambda one: (one.announced_at, one.match_id))


async def wait_for_challenge(
    pool: RelayPool,
    found: OpenChallenges,
    now_s: int,
    *,
    kind: int = 1,
    challenger: str | None = None,
    match_id: str | None = None,
) -> OpenChallenge:
    """The oldest open challenge to this player, as soon as there is one."""
    wanted = Filter(kinds=(kind,), tags={"p": (found.me,), "t": (GAME,)}, since=now_s - LOOK_BACK_S)
    async with pool.subscribe(wanted) as subscription:
        await stored_events(subscription.complete)
        while True:
            while not subscription.events.empty():
                found.add(subscription.events.get_nowait())
            if open := found.open(challenger, match_id):
                return open[0]
            found.add(await subscription.events.get())


async def stored_events(complete: asyncio.Event) -> bool:
    """Whether a relay has sent all it had stored."""
    try:
        async with asyncio.timeout(STORED_S):
            await complete.wait()
    except TimeoutError:
        return False
    return True
