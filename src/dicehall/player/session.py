"""One match from the first event to the loot: it reads the relays, does what the plan says, and tells what happens.

Everything it needs after a crash is in the store before it is sent, so a session can be begun again at any point.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from dicehall.games.mana.commitments import commitment
from dicehall.games.mana.state import damage, wins
from dicehall.games.mana.units import Army
from dicehall.mint.wallet import WalletError
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import (
    Acceptance,
    Challenge,
    Commitment,
    LootReward,
    PlayerEvent,
    Reveal,
    RevealContent,
)
from dicehall.nostr.relay import RelayError, Subscription
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player.match_view import MatchView
from dicehall.player.narration import Names, Note, Tell
from dicehall.player.open_challenges import stored_events
from dicehall.player.plan import (
    Awaited,
    CommitAgain,
    Done,
    PickUnit,
    RedeemLoot,
    SendAcceptance,
    SendChallenge,
    SendReveal,
    Step,
    Wait,
    next_step,
)
from dicehall.player.review import Review
from dicehall.player.store import COMMITMENTS, SECOND_COMMITMENT, PlayerStore, StoredMatch, StoredPick
from dicehall.player.strategy import Chooser, Position
from dicehall.player.tokens import BadLoot, LockedToOther, Purse

RESEND_S = 5.0  # what the referee has not answered is sent again: a relay may have lost it
PATIENCE_S = 20.0  # until a person is told that nothing comes
COMMIT_AGAIN_S = 60.0  # without a request to reveal: a copy may have come first, through a relay that we don't read
NUTZAPS = 10019  # the kind of event in which somebody publishes the key of a wallet
SETTLE_S = 10.0  # for the last events of a match that is over


class Left(Exception):
    """The player leaves the match for now; it can be resumed."""


class Outcome(Struct, frozen=True):
    """How a match ended for this player."""

    match_id: str
    winner: str | None = None  # npub
    score: tuple[int, int] = (0, 0)
    total_damage: tuple[int, int] = (0, 0)
    reason: str = ""
    loot: int | None = None
    redeemed: int | None = None
    findings: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Session:
    key: SecretKey
    pool: RelayPool
    store: PlayerStore
    purse: Purse
    match: StoredMatch
    choose: Chooser
    tell: Tell
    now_s: Callable[[], int]
    kind: int = 1
    names: Names | None = None
    view: MatchView = field(init=False)
    review: Review = field(init=False)
    army: tuple[int, Army] = field(init=False)  # league and units
    waiting: Step | None = None
    waiting_since_s: float = 0.0  # by the clock of the event loop, as is the next
    next_sending_s: float = 0.0
    troubles: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        me = self.key.public_hex
        self.view = MatchView(self.match.match_id, self.match.referee, self.match.players(me))
        self.review = Review(self.view, self.purse, self.names or Names(me), self.tell, self.match, self.store)

    async def play(self) -> Outcome:
        """To the end of the match. Left where the chooser leaves; WalletError where the mint cannot be asked."""
        self.army = await self.purse.army_of(self.match.token)
        for event in self.store.received(self.match.match_id):
            self.view.add(event, asked_for=True)
        self.review.resume()
        wanted = Filter(kinds=(self.kind,), authors=self.view.authors, tags={"d": (self.match.match_id,)})
        async with self.pool.subscribe(wanted) as subscription:
            if not await stored_events(subscription.complete):
                self.trouble("relays", self.relay_trouble())
            self.drain(subscription)
            await self.send_again(only_untaken=True)
            await self.follow(subscription)
        self.store.ended(self.match.match_id)
        return self.outcome()

    async def follow(self, subscription: Subscription) -> None:
        while True:
            await self.review.update(self.pool)
            step = next_step(self.view, self.store.progress(self.match))
            if isinstance(step, Done) and (self.review.is_settled or self.is_late(step, SETTLE_S)):
                await self.review.close()
                return
            await self.take_step(step, subscription)

    async def take_step(self, step: Step, subscription: Subscription) -> None:
        match step:
            case SendChallenge():
                await self.open(Challenge(self.match.match_id, self.match.opponent))
            case SendAcceptance():
                await self.open(Acceptance(self.match.match_id, self.match.challenge_id or ""))
            case PickUnit(number):
                await self.pick(number, subscription)
            case CommitAgain(number):
                self.review.tell_copied(number)
                await self.commit_again(number)
            case SendReveal(number, commitment_id):
                await self.reveal(number, commitment_id)
            case RedeemLoot(reward):
                await self.redeem(reward, subscription)
            case Wait() | Done():
                await self.wait(step, subscription)

    # -- sending ------------------------------------------------------------------------------------------

    def sign(self, said: PlayerEvent) -> Event:
        return sign_event(self.key, self.now_s(), self.kind, *said.encode())

    async def open(self, said: Challenge | Acceptance) -> None:
        self.store.keep_sent(self.match.match_id, said.name, 0, self.sign(said))
        await self.send(said.name, 0)

    async def pick(self, number: int, subscription: Subscription) -> None:
        unit = await self.chosen(number, subscription)
        if unit is None:
            return
        event, nonce = self.commitment(number, unit)
        self.store.pick(self.match.match_id, StoredPick(number, unit, nonce), event)
        self.review.tell_committed(self.match.seat, number)
        await self.send(Commitment.name, number)

    async def commit_again(self, number: int) -> None:
        """To the same unit with a new nonce, once. Only the commitment that the referee asks for is ever opened."""
        if self.store.sent(self.match.match_id, SECOND_COMMITMENT, number) is not None:
            return
        event, nonce = self.commitment(number, self.store.picks(self.match.match_id)[number].unit)
        self.store.commit_again(self.match.match_id, number, nonce, event)
        await self.send(SECOND_COMMITMENT, number)

    def commitment(self, number: int, unit: int) -> tuple[Event, str]:
        """A commitment to a unit, and the nonce that opens it."""
        token, nonce = self.match.token, secrets.token_hex(32)
        secret, C = bytes.fromhex(token.secret), bytes.fromhex(token.C)
        hash = commitment(secret, C, unit, number, self.match.match_id, bytes.fromhex(nonce))
        return self.sign(Commitment(self.match.match_id, number, hash)), nonce

    async def reveal(self, number: int, commitment_id: str) -> None:
        unit, token = self.store.picks(self.match.match_id)[number].unit, self.match.token
        nonce = self.store.nonce_of(self.match.match_id, number, commitment_id)
        content = RevealContent(number, token.secret, token.C, token.id, unit, commitment_id, nonce)
        event = self.sign(Reveal(self.match.match_id, content))
        self.store.keep_sent(self.match.match_id, Reveal.name, number, event)
        self.review.tell_revealed(number, unit, self.army[1])
        await self.send(Reveal.name, number)

    async def send(self, name: str, number: int) -> None:
        """The stored event; where no relay takes it, it is sent again later."""
        event = self.store.sent(self.match.match_id, name, number)
        assert event is not None
        try:
            await self.pool.publish(event)
        except RelayError:
            self.trouble("relays", self.relay_trouble())
            return
        self.store.taken(event, self.match.match_id)
        self.troubles.discard("relays")

    async def send_again(self, *, only_untaken: bool = False) -> None:
        """The own events of a phase that the referee has not ended: a crash or a relay may have lost them."""
        number = self.view.round
        opening = (Challenge.name if self.match.seat == 0 else Acceptance.name), 0
        current = [(name, number) for name in (*COMMITMENTS, Reveal.name)] if self.view.is_accepted else [opening]
        for name, at in current if self.view.result is None else ():
            stored = self.store.sent(self.match.match_id, name, at) is not None
            if stored and not (only_untaken and self.store.was_taken(self.match.match_id, name, at)):
                await self.send(name, at)

    # -- choosing -----------------------------------------------------------------------------------------

    async def chosen(self, number: int, subscription: Subscription) -> int | None:
        """A unit, or None if the match went on without this player while it was choosing."""
        choosing = asyncio.ensure_future(self.choose(self.position(number)))
        try:
            while not choosing.done():
                event = asyncio.ensure_future(subscription.events.get())
                await asyncio.wait({choosing, event}, return_when=asyncio.FIRST_COMPLETED)
                if not event.done():
                    event.cancel()
                    continue
                self.take(event.result())
                await self.review.update(self.pool)
                if next_step(self.view, self.store.progress(self.match)) != PickUnit(number):
                    return None
            unit = choosing.result()
        finally:
            choosing.cancel()
        if unit is None:
            raise Left
        return unit

    def position(self, number: int) -> Position:
        audit, (league, mine) = self.review.audit, self.army
        state = audit.state
        theirs = state.armies[1 - self.match.seat] if all(state.armies) else None
        return Position(audit.game, state, self.match.seat, number, mine, league, theirs, wins(state), damage(state))

    # -- waiting ------------------------------------------------------------------------------------------

    async def wait(self, step: Step, subscription: Subscription) -> None:
        """For the next event; what the referee has not answered for a while is sent again."""
        clock = asyncio.get_running_loop().time
        if step != self.waiting:
            self.waiting, self.waiting_since_s, self.next_sending_s = step, clock(), clock() + RESEND_S
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self.next_sending_s):
                self.take(await subscription.events.get())
        self.drain(subscription)
        if clock() >= self.next_sending_s:  # also where the other player sends something all the time
            self.next_sending_s = clock() + RESEND_S
            if isinstance(step, Wait):
                await self.remind(step)

    async def remind(self, step: Wait) -> None:
        self.say_waiting(step)
        await self.send_again()
        if step.awaited is Awaited.REVEAL_REQUEST and self.is_late(step, COMMIT_AGAIN_S):
            await self.commit_again(step.round)

    def is_late(self, step: Step, limit_s: float) -> bool:
        return self.waiting == step and asyncio.get_running_loop().time() - self.waiting_since_s >= limit_s

    def drain(self, subscription: Subscription) -> None:
        while not subscription.events.empty():
            self.take(subscription.events.get_nowait())

    def take(self, event: Event) -> None:
        if self.view.add(event):
            self.store.keep_received(self.match.match_id, event)

    def say_waiting(self, step: Wait) -> None:
        if self.is_late(step, PATIENCE_S) and not self.pool.connected:
            self.trouble("relays", self.relay_trouble())
        elif self.is_late(step, PATIENCE_S):
            self.trouble(f"{step.awaited}/{step.round}", waiting_text(self.view, self.match.seat, step))

    def relay_trouble(self) -> str:
        errors = "; ".join(f"{one.url}: {one.last_error or 'no answer yet'}" for one in self.pool.relays)
        return f"No relay takes events now ({errors}). Trying again."

    def trouble(self, about: str, sentence: str) -> None:
        """Said once, until it has gone."""
        if about not in self.troubles:
            self.troubles.add(about)
            self.tell(Note("trouble", sentence))

    # -- the end ------------------------------------------------------------------------------------------

    async def redeem(self, reward: LootReward, subscription: Subscription) -> None:
        try:
            amount = await self.purse.redeem(reward.token)
        except LockedToOther as locked:
            await self.say_locked(locked, reward)
            amount = 0
        except BadLoot as bad:
            self.review.find(f"paid loot that cannot be redeemed: {bad}")
            amount = 0
        except WalletError as error:
            self.trouble("mint", f"{error} Trying again.")
            await self.wait(RedeemLoot(reward), subscription)
            return
        self.store.redeemed(self.match.match_id, amount)
        if amount and amount != reward.amount:
            self.review.find(f"paid loot worth {amount}, but announced {reward.amount}")
        self.review.tell_redeemed(amount, await self.purse.balance())

    async def say_locked(self, locked: LockedToOther, reward: LootReward) -> None:
        """A player can publish the key of another wallet, to which tokens should be locked (NIP-61)."""
        found = await self.pool.query(Filter(kinds=(NUTZAPS,), authors=(self.key.public_hex,)))
        if not found or locked.owner not in (found[-1].tag("pubkey") or ""):
            self.review.find("locked the loot to a key that is not yours")
            return
        sentence = f"The loot is locked to the wallet that you published (NIP-61). Redeem it there: {reward.token}"
        self.tell(Note("locked", sentence, {"token": reward.token, "amount": reward.amount}))

    def outcome(self) -> Outcome:
        stored, result, reward = self.store.find(self.match.match_id), self.view.result, self.view.loot_reward
        assert stored is not None
        findings = tuple(self.review.findings)
        if result is None:
            reason = self.view.refusal.reason if self.view.refusal is not None else "match_id_taken"
            return Outcome(self.match.match_id, reason=f"refused: {reason}", findings=findings)
        loot = None if reward is None else reward.amount
        return Outcome(
            self.match.match_id,
            result.winner,
            result.score,
            result.total_damage,
            result.reason,
            loot,
            stored.redeemed,
            findings,
        )


def waiting_text(view: MatchView, seat: int, step: Wait) -> str:
    """What to tell a player who has been waiting for a while."""
    if step.awaited is Awaited.REVEAL_REQUEST and view.has_committed(1 - seat, step.round):
        return "Both of you have picked, but the referee has not asked for the reveals yet. Waiting."
    return WAITING[step.awaited]


WAITING: dict[Any, str] = {
    "announcement": "The referee has not answered yet. Is it running, and does it read the same relay?",
    "acceptance": "The challenge is open. Waiting for the other player to accept it.",
    "start": "The referee has not confirmed the start of the match yet. Waiting.",
    "reveal_request": "The other player has not picked yet. Waiting.",
    "round_result": "The other player has not revealed yet, or the referee is waiting for the mint.",
    "match_result": "The match is decided, but the referee has not published its result yet. Waiting.",
    "loot": "The loot has not been paid yet. You can stop here and run the same command later.",
}
