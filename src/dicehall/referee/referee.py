"""The referee itself: takes events, keeps deadlines, and knows what to publish, to ask the mint and to pay next.

It does nothing on its own: its caller passes in events, the time, and the answers of relays and mint. All of its
changes are written with ``commit`` before anything is published.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dicehall.nostr.events import Event
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import (
    BotEvent,
    Challenge,
    MatchAnnouncement,
    PlayerEvent,
    Reason,
    Reveal,
    Unclassified,
    Verification,
    classify,
)
from dicehall.referee.attempts import Attempts
from dicehall.referee.early_events import EarlyEvents
from dicehall.referee.entries import Accepted, Entry, Expired, Limits, Paused, Phase, Rejected, Say, Saying
from dicehall.referee.match import Match
from dicehall.referee.outbox import Outbox
from dicehall.referee.rejections import Rejections
from dicehall.referee.rewards import Rewards
from dicehall.referee.store import Outgoing, Store
from dicehall.referee.token_queue import Asked, Question, TokenAnswer, TokenQueue, refusal_of
from dicehall.referee.views import phase_of, summary_of

log = logging.getLogger("dicehall.referee")

VERIFIABLE_MS = 3_600_000  # after its end a match can be verified for an hour (M13)
MAX_OPEN_CHALLENGES = 5  # of one challenger
REFUSALS_AN_HOUR = 1000  # challenges that are answered with a refusal; the others are only counted
ALIVE_MS = 5_000  # how exactly the store knows until when the referee was there


@dataclass(slots=True)
class Referee:
    key: SecretKey
    store: Store
    kind: int = 1
    limits: Limits = field(default_factory=Limits)
    max_matches: int = 100
    loot_amount: int = 1000
    matches: dict[str, Match] = field(default_factory=dict)
    rejections: Rejections = field(default_factory=Rejections)
    early: EarlyEvents = field(default_factory=EarlyEvents)
    outbox: Outbox = field(init=False)
    tokens: TokenQueue = field(init=False)
    rewards: Rewards = field(init=False)
    changed: set[str] = field(default_factory=set)
    summaries: dict[str, str] = field(default_factory=dict)  # by match: what the store has
    refusals: deque[int] = field(default_factory=deque)
    alive_ms: int = 0

    def __post_init__(self) -> None:
        self.outbox = Outbox(self.key, self.store, self.kind)
        self.tokens = TokenQueue(self.store)
        self.rewards = Rewards(self.store, self.outbox, self.loot_amount)

    @property
    def attempts(self) -> tuple[Attempts, ...]:
        return self.outbox.attempts, self.tokens.attempts, self.rewards.attempts

    # -- starting ------------------------------------------------------------------------------------------

    def resume(self, now_ms: int) -> None:
        """Everything as it was when the referee stopped; the time in between costs the players nothing."""
        for id in self.store.unfinished(now_ms - VERIFIABLE_MS):
            self.load(id)
        self.tokens.load()
        self.rewards.paid = self.store.paid()
        stopped_ms = self.store.note("alive")
        if stopped_ms is not None and now_ms != stopped_ms:  # before it where the clock was set back
            self.pause(now_ms - stopped_ms)
        self.alive(now_ms)
        self.commit()

    def rebuild(self, entries: Sequence[Entry], say: Say) -> Match:
        first = entries[0]
        assert isinstance(first, Accepted)
        said = classify(first.event)
        assert isinstance(said, Challenge)
        match = Match.challenged(said, first.event, first.at_ms, self.limits)
        for entry in entries[1:]:
            match entry:
                case Accepted(event=event):
                    match.apply(classify(event), entry, say)
                case Expired(at_ms=at_ms):
                    match.expire(at_ms, say)
                case Paused(ms=ms):
                    match.pause(ms)
        return match

    def rebuild_old(self, id: str, entries: Sequence[Entry]) -> Match:
        """A match that ended long ago, to look at."""
        said = {one.key: one.event.id for one in self.store.outgoing(id)}
        return self.rebuild(entries, lambda saying: said[saying.key])

    def pause(self, ms: int) -> None:
        """Nobody could reach the referee for so long."""
        for match in self.live():
            match.pause(ms)
            self.store.add_entry(match.id, None, Paused(ms))

    def alive(self, now_ms: int) -> None:
        """Called now and then: how long an outage was is counted from the last call."""
        if abs(now_ms - self.alive_ms) >= ALIVE_MS:
            self.alive_ms = now_ms
            self.store.put_note("alive", now_ms)

    def adopt(self, event: Event) -> None:
        """An event of our own that a relay has and the store has not: it was said, and is not said again."""
        try:
            found = BotEvent.decode(event)
        except Unclassified:
            return
        if self.store.has_match(found.match_id):
            return
        key = self.outbox.adopt(found, event)
        if key == "match_result":
            self.store.add_match(found.match_id, event.created_at * 1000, Phase.MATCH_COMPLETE, "{}")
            self.store.update_match(found.match_id, event.created_at * 1000, Phase.MATCH_COMPLETE, "{}")
        self.commit()

    # -- events --------------------------------------------------------------------------------------------

    def receive(self, event: Event, now_ms: int) -> None:
        """One event from a relay, whoever sent it."""
        if event.pubkey == self.key.public_hex or event.id in self.tokens or event.id in self.rejections:
            return
        before = len(self.store.batch)
        said: PlayerEvent | None = None
        try:
            said = classify(event)
            self.judge(said, event, now_ms)
        except (Unclassified, Rejected) as error:
            self.rejections.add(event, error.reason, str(error), now_ms)
            if said is not None:
                self.early.hold(said, event, self.matches.get(said.match_id), now_ms)
        except Exception:  # a mistake of ours costs one event, not the other matches
            log.exception("event %s could not be judged", event.id)
            del self.store.batch[before:]
            self.rejections.add(
                event, Reason.INTERNAL_ERROR, "Something went wrong at the referee. The error was logged.", now_ms
            )
            if said is not None:
                self.reload(said.match_id)

    def reload(self, match_id: str) -> None:
        """A match as the store has it."""
        self.changed.discard(match_id)
        self.store.commit()
        self.matches.pop(match_id, None)
        self.summaries.pop(match_id, None)
        self.rewards.owed.pop(match_id, None)
        self.outbox.drop(match_id)
        self.tokens.load()
        self.load(match_id)

    def load(self, match_id: str) -> None:
        self.outbox.load(match_id)
        if entries := self.store.entries(match_id):
            self.matches[match_id] = self.rebuild(entries, self.outbox.say)
        self.rewards.load(match_id)

    def judge(self, said: PlayerEvent, event: Event, now_ms: int) -> None:
        match = self.matches.get(said.match_id)
        if match is not None and event.id in match.known:
            return
        if isinstance(said, Challenge):
            return self.challenge(said, event, now_ms)
        if match is None:
            raise Rejected(Reason.MATCH_NOT_FOUND, "There is no such match, or it ended long ago.")
        self.expire_if_due(match, now_ms)
        match.check(said, event)
        if isinstance(said, Verification):
            if match.ended_ms is not None and now_ms >= match.ended_ms + VERIFIABLE_MS:
                raise Rejected(Reason.INVALID_STATE_TRANSITION, "This match ended too long ago to be verified.")
            return self.wait(said, event, now_ms)
        if now_ms >= match.deadline_ms:
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "This event came too late.")
        if isinstance(said, Reveal) and not match.has_token(match.seat_of(event)):
            self.tokens.check(said, event)
            return self.wait(said, event, now_ms)
        self.accept(match, said, Accepted(event, now_ms))

    def wait(self, said: Reveal | Verification, event: Event, now_ms: int) -> None:
        self.tokens.add(said, event, now_ms)
        self.changed.add(said.match_id)

    def challenge(self, said: Challenge, event: Event, now_ms: int) -> None:
        if said.match_id in self.matches or self.store.has_match(said.match_id):
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "This match id is taken.")
        match = Match.challenged(said, event, now_ms, self.limits)
        if self.is_refused(match):
            raise Rejected(Reason.INVALID_STATE_TRANSITION, "This challenge was refused before.")
        live = list(self.live())
        if len(live) >= self.max_matches:
            self.refuse(match, "busy", now_ms)
            raise Rejected(Reason.BUSY, "The referee cannot take any more matches right now.")
        mine = [one for one in live if one.players[0] == event.pubkey and one.acceptance_id is None]
        if len(mine) >= MAX_OPEN_CHALLENGES:
            self.refuse(match, "too_many_challenges", now_ms)
            raise Rejected(
                Reason.TOO_MANY_CHALLENGES, f"A player can have at most {MAX_OPEN_CHALLENGES} open challenges."
            )
        self.matches[match.id] = match
        self.store.add_match(match.id, now_ms, Phase.WAITING_FOR_ACCEPTANCE, "{}")
        self.store.add_entry(match.id, event.id, Accepted(event, now_ms))
        match.announce(self.outbox.say)
        self.follow(match, now_ms)

    def refuse(self, match: Match, reason: str, now_ms: int) -> None:
        """Tell the challenger why, once; a flood of challenges is not answered with a flood of refusals."""
        while self.refusals and self.refusals[0] <= now_ms - 3_600_000:
            self.refusals.popleft()
        if len(self.refusals) >= REFUSALS_AN_HOUR:
            return
        self.refusals.append(now_ms)
        content = MatchAnnouncement(match.id, match.npubs, "refused", now_ms // 1000, reason)
        self.outbox.say(Saying(match.id, refusal_key(match), content, now_ms, match.players, (match.challenge_id,)))

    def is_refused(self, match: Match) -> bool:
        return self.outbox.has_said(match.id, refusal_key(match))

    def accept(self, match: Match, said: PlayerEvent, entry: Accepted) -> None:
        match.apply(said, entry, self.outbox.say)
        self.store.add_entry(match.id, entry.event.id, entry)
        self.follow(match, entry.at_ms)

    def follow(self, match: Match, now_ms: int) -> None:
        """What comes after every change of a match."""
        self.changed.add(match.id)
        if match.ended_ms is not None:
            self.rewards.owe(match)
        for event, at_ms in self.early.take(match.id, now_ms):
            self.rejections.forget(event.id)
            self.receive(event, max(at_ms, now_ms))

    # -- time ----------------------------------------------------------------------------------------------

    def live(self) -> Iterator[Match]:
        return (match for match in tuple(self.matches.values()) if match.over is None)

    def check_deadlines(self, now_ms: int) -> None:
        for match in self.live():
            self.expire_if_due(match, now_ms)
        self.drop_settled(now_ms)

    def next_deadline_ms(self) -> int | None:
        return min((match.deadline_ms for match in self.live() if not self.is_waiting(match)), default=None)

    def expire_if_due(self, match: Match, now_ms: int) -> None:
        """What came in time is judged first, also where the mint has to be asked about it."""
        if match.over is None and now_ms >= match.deadline_ms and not self.is_waiting(match):
            match.expire(now_ms, self.outbox.say)
            self.store.add_entry(match.id, None, Expired(now_ms))
            self.follow(match, now_ms)

    def is_waiting(self, match: Match) -> bool:
        return any(self.tokens.reveals(match.id))

    def drop_settled(self, now_ms: int) -> None:
        for match in tuple(self.matches.values()):
            ended_ms = match.ended_ms
            if ended_ms is None or ended_ms + VERIFIABLE_MS > now_ms:
                continue
            if match.id not in self.outbox.unpublished and match.id not in self.rewards.owed:
                del self.matches[match.id]
                self.summaries.pop(match.id, None)
                self.outbox.drop(match.id)
                self.tokens.forget_refused(match)

    # -- answers of the mint and of relays -----------------------------------------------------------------

    def answered(self, asked: Question, answers: Sequence[TokenAnswer], now_ms: int) -> None:
        waiting, match = self.tokens.answered(asked.event.id), self.matches.get(asked.match_id)
        if waiting is None or match is None:
            return
        try:
            match.check(waiting.said, waiting.event)
            self.accept(match, waiting.said, self.answer(match, waiting, answers, now_ms))
        except Rejected as error:
            self.rejections.add(waiting.event, error.reason, str(error), now_ms)
        self.expire_if_due(match, now_ms)
        self.changed.add(match.id)

    def answer(self, match: Match, waiting: Asked, answers: Sequence[TokenAnswer], now_ms: int) -> Accepted:
        """What the mint's word makes of an event that waited for it."""
        event, waited_ms = waiting.event, now_ms - waiting.at_ms
        if isinstance(waiting.said, Verification):
            refusal = refusal_of(match, waiting.said, event, answers)
            return Accepted(event, now_ms, waited_ms, refusal=refusal)
        (answer,) = answers
        if not answer.valid:
            self.tokens.refused[match.id, event.pubkey] += 1
            raise Rejected(Reason.INVALID_TOKEN, answer.sentence or "The mint does not know this token.")
        return Accepted(event, now_ms, waited_ms, answer.league)

    def published(self, outgoing: Outgoing, now_ms: int) -> None:
        self.outbox.published(outgoing, now_ms)
        if outgoing.match_id in self.matches:
            self.changed.add(outgoing.match_id)
        else:
            self.outbox.drop(outgoing.match_id)  # a refused challenge

    def paid_out(self, match_id: str, token: str, now_ms: int) -> None:
        self.rewards.paid_out(match_id, token, now_ms)
        self.changed.add(match_id)

    # -- the store -----------------------------------------------------------------------------------------

    def commit(self) -> None:
        for id in self.changed:
            if (match := self.matches.get(id)) is not None:
                phase = phase_of(match, self)
                self.write_summary(match, phase, summary_of(match, phase))
        self.changed.clear()
        self.store.commit()

    def write_summary(self, match: Match, phase: Phase, summary: str) -> None:
        if self.summaries.get(match.id) != summary:
            self.summaries[match.id] = summary
            self.store.update_match(match.id, match.ended_ms, phase, summary)

    def counts(self) -> dict[str, int]:
        """Matches by phase; those that ended long ago are not among them."""
        found = Counter(phase_of(match, self) for match in self.matches.values())
        return {str(phase): found[phase] for phase in Phase}


def refusal_key(match: Match) -> str:
    return f"refused/{match.challenge_id}"
