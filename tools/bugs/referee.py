"""Mistakes of a referee: what it stores, when it says and pays something, and what it lets count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dicehall.core.game import Over
from dicehall.games.mana.actions import Commit
from dicehall.games.mana.rules import Mana
from dicehall.games.mana.state import SEATS, State, wins
from dicehall.games.mana.state import Phase as Awaited
from dicehall.nostr.events import Event
from dicehall.nostr.match_events import Challenge, Commitment, PlayerEvent, Reveal, TokenProof, Verification
from dicehall.referee import referee
from dicehall.referee.bot import Bot
from dicehall.referee.entries import Accepted, Rejected, Saying
from dicehall.referee.match import Match
from dicehall.referee.mint_client import MintAway
from dicehall.referee.referee import Referee
from dicehall.referee.rewards import Rewards
from dicehall.referee.store import Loot, Store
from dicehall.referee.token_queue import Question, TokenAnswer
from tools.bugs.switching import Bug, changed
from tools.bugs.switching import bug as any_bug

REFEREE_BUGS: dict[str, Bug] = {}


def bug(name: str, *places: tuple[Any, str]) -> Callable[[Any], Any]:
    return any_bug(name, *places, among=REFEREE_BUGS)


# -- storing ------------------------------------------------------------------------------------------------


@bug("published before it is stored", (Bot, "act"))
async def publish_first(self: Bot) -> None:
    while True:
        now_ms = self.now_ms()
        self.keep_time(now_ms)
        for outgoing in self.referee.outbox.publications(now_ms):
            await self.publish(outgoing)
        self.referee.commit()
        for question in self.referee.tokens.questions(now_ms):
            self.spawn(self.ask(question))
        for loot in self.referee.rewards.payments(now_ms):
            self.spawn(self.pay(loot))
        await self.sleep(now_ms)


@bug("what was said is forgotten on restart", (Referee, "load"))
def forgetful(self: Referee, match_id: str) -> None:
    self.outbox.said[match_id] = {}
    if entries := self.store.entries(match_id):
        self.store.batch.append(("DELETE FROM outbox WHERE match_id = ?", (match_id,)))
        self.store.commit()
        self.matches[match_id] = self.rebuild(entries, self.outbox.say)


@bug("an event that waits for the mint is kept in memory only", (Store, "add_waiting"))
def unstored(self: Store, match_id: str, event: Event, at_ms: int) -> None:
    pass


honest_accept = Referee.accept


@bug("reveals are not stored", (Referee, "accept"))
def lost_reveals(self: Referee, match: Match, said: PlayerEvent, entry: Accepted) -> None:
    before = len(self.store.batch)
    honest_accept(self, match, said, entry)
    if isinstance(said, Reveal):
        self.store.batch[before:] = [one for one in self.store.batch[before:] if "INTO entries" not in one[0]]


# -- loot ---------------------------------------------------------------------------------------------------


async def pay_unstored(self: Bot, loot: Loot) -> None:
    """The request for loot is made anew at every try."""
    try:
        prepared = await self.in_thread(lambda: self.mint.prepare(loot, loot.winner))
        ready = changed(loot, request=prepared[0], blindings=prepared[1])
        token = await self.in_thread(lambda: self.mint.pay(ready))
    except MintAway as error:
        self.referee.rewards.not_paid(loot.match_id, str(error), self.now_ms())
    else:
        self.referee.paid_out(loot.match_id, token, self.now_ms())
    self.wake.set()


bug("a request for loot is not stored before it is sent", (Bot, "pay"))(pay_unstored)


@bug("loot is paid before the result is out", (Rewards, "payments"))
def pay_at_once(self: Rewards, now_ms: int) -> list[Loot]:
    return [loot for loot in self.owed.values() if self.attempts.start(loot.match_id, now_ms)]


@bug("a reward is said again after a restart", (Referee, "resume"))
def rewards_again(self: Referee, now_ms: int) -> None:
    honest_resume(self, now_ms)
    for id in tuple(self.matches):
        if (loot := self.store.loot_of(id)) is not None and loot.token is not None:
            self.outbox.said[id].pop("loot_reward", None)
            self.store.batch.append(("DELETE FROM outbox WHERE match_id = ? AND key = 'loot_reward'", (id,)))
            self.store.commit()
            self.rewards.owed[id] = changed(loot, token=None)


honest_resume = Referee.resume


@bug("a draw is paid like a win", (Referee, "follow"))
def generous(self: Referee, match: Match, now_ms: int) -> None:
    honest_follow(self, match, now_ms)
    if match.ended_ms is not None and match.winner is None and self.store.loot_of(match.id) is None:
        self.rewards.owed[match.id] = Loot(match.id, match.players[0], self.loot_amount)
        self.store.put_loot(self.rewards.owed[match.id])


honest_follow = Referee.follow


# -- what counts --------------------------------------------------------------------------------------------

honest_try = Match.try_move


@bug("a second commitment replaces the first", (Match, "try_move"), (Match, "commit"))
def replaced(self: Match, *args: Any) -> None:
    if len(args) == 2:  # try_move
        seat, action = args
        if isinstance(action, Commit) and self.awaited is Awaited.COMMIT:
            return
        return honest_try(self, seat, action)
    honest_commit(self, *args)


honest_commit = Match.commit


@bug("anybody may reveal before both have committed", (Mana, "phase"))
def hasty(self: Mana, state: State) -> Awaited:
    found = honest_phase(self, state)
    return Awaited.REVEAL if found is Awaited.COMMIT and any(state.commitments) else found


honest_phase = Mana.phase


@bug("copied commitments count", (Match, "check"))
def copies_count(self: Match, said: PlayerEvent, event: Event) -> None:
    try:
        honest_check(self, said, event)
    except Rejected as error:
        if not (isinstance(said, Commitment) and error.reason == "InvalidCommitment"):
            raise


honest_check = Match.check


@bug("tokens are looked at but not bound", (Bot, "ask_all"))
def unbound(self: Bot, question: Question) -> list[TokenAnswer]:
    return [self.mint.verify(one, question.match_id) for one in question.proofs]


@bug("the league is the player's word", (Bot, "ask_all"))
def own_league(self: Bot, question: Question) -> list[TokenAnswer]:
    answers = honest_ask_all(self, question)
    return [changed(one, league=len(proof.secret) % 4) if one.valid else one for one, proof in pairs(answers, question)]


honest_ask_all = Bot.ask_all


def pairs(answers: list[TokenAnswer], question: Question) -> list[tuple[TokenAnswer, TokenProof]]:
    return list(zip(answers, question.proofs, strict=True))


@bug("a refused challenge is taken up later", (Referee, "is_refused"))
def forgiving(self: Referee, match: Match) -> bool:
    live = list(self.live())
    waiting = [one for one in live if one.players[0] == match.players[0] and one.acceptance_id is None]
    room = len(live) < self.max_matches and len(waiting) < referee.MAX_OPEN_CHALLENGES
    return not room and honest_is_refused(self, match)


honest_is_refused = Referee.is_refused


@bug("there is always room for one more match", (Referee, "challenge"))
def crowded(self: Referee, said: Challenge, event: Event, now_ms: int) -> None:
    self.max_matches += 1
    try:
        honest_challenge(self, said, event, now_ms)
    finally:
        self.max_matches -= 1


honest_challenge = Referee.challenge


# -- time ---------------------------------------------------------------------------------------------------


@bug("what comes late counts", (Referee, "judge"), (Referee, "expire_if_due"))
def patient(self: Referee, *args: Any) -> None:
    if len(args) == 2:  # expire_if_due: a minute of grace that nobody has promised
        found, now_ms = args
        return honest_expire(self, found, now_ms - 60_000)
    said, event, now_ms = args
    found = self.matches.get(said.match_id)
    if found is None or isinstance(said, Challenge | Verification) or found.over is not None:
        return honest_judge(self, said, event, now_ms)
    found.check(said, event)
    if isinstance(said, Reveal) and not found.has_token(found.seat_of(event)):
        return self.wait(said, event, now_ms)
    self.accept(found, said, Accepted(event, now_ms))


honest_judge, honest_expire = Referee.judge, Referee.expire_if_due


@bug("who waits for the mint forfeits", (Referee, "is_waiting"))
def impatient(self: Referee, match: Match) -> bool:
    return False


@bug("clocks run on while the referee is down", (Referee, "pause"))
def no_pause(self: Referee, ms: int) -> None:
    pass


@bug("what came during an outage is judged by the time after it", (Bot, "time_ms"))
def by_the_clock(self: Bot) -> int:
    return self.now_ms()


@bug("deadlines are forgotten", (Referee, "check_deadlines"))
def no_deadlines(self: Referee, now_ms: int) -> None:
    self.drop_settled(now_ms)


# -- what is said -------------------------------------------------------------------------------------------

honest_tell_end = Match.tell_end


@bug("a forfeit goes to who leads", (Match, "expire"))
def to_the_leader(self: Match, at_ms: int, say: Any) -> None:
    score = wins(self.state)
    honest_expire_match(self, at_ms, lambda saying: "")
    if self.over is not None and self.over.reason == "forfeit" and score[0] != score[1]:
        first = SEATS[0] if score[0] > score[1] else SEATS[1]
        other = SEATS[1] if score[0] > score[1] else SEATS[0]
        self.over = Over((frozenset({first}), frozenset({other})), "forfeit")
    honest_tell_end(self, at_ms, say)


honest_expire_match = Match.expire


@bug("a result names the wrong damage", (Match, "tell_round"))
def swapped(self: Match, number: int, at_ms: int, say: Any) -> None:
    def wrong(saying: Saying) -> str:
        content: Any = saying.content
        damage = content.damage_dealt[::-1]
        return str(say(changed(saying, content=changed(content, damage_dealt=damage))))

    honest_tell_round(self, number, at_ms, wrong)


honest_tell_round = Match.tell_round
