"""What a player tells of a match: every round checked before it is told, each thing once."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.games.mana.state import SEATS
from dicehall.games.mana.units import Army
from dicehall.mint.wallet import WalletError
from dicehall.nostr.filters import Filter
from dicehall.nostr.keys import parse_public
from dicehall.nostr.match_events import Commitment, MatchResult, Reveal
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player import narration
from dicehall.player.audit import Audit, audit, game_of
from dicehall.player.match_view import MatchView
from dicehall.player.narration import Fought, Names, Note, Tell
from dicehall.player.store import COMMITMENTS, PlayerStore, StoredMatch
from dicehall.player.tokens import Purse

IN_TIME_S = 5  # an own event that is older than the result by so much was not late


@dataclass(slots=True, eq=False)
class Review:
    view: MatchView
    purse: Purse
    names: Names
    tell: Tell
    match: StoredMatch
    store: PlayerStore
    audit: Audit = field(init=False)
    findings: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    rounds: int = 0  # told so far
    tokens_checked: bool = False
    leagues: dict[str, int | None] = field(default_factory=dict)  # of keysets

    def __post_init__(self) -> None:
        self.audit = Audit(game_of(self.view))

    @property
    def is_settled(self) -> bool:
        """Whether everything that this match will bring has been seen and checked."""
        result = self.view.result
        return result is None or self.audit.checked >= result.rounds or bool(self.findings)

    def resume(self) -> None:
        """Do not repeat what an earlier run already reported."""
        opened = self.store.progress(self.match).opened
        if not opened:
            return
        self.rounds = self.view.round - 1
        self.told |= {"challenge", "acceptance"} if self.view.is_accepted else {"challenge"}
        self.told |= {f"commitment/{seat}/{n}" for seat in SEATS for n in range(1, self.view.round)}
        self.once("resume", Note("resume", f"Resuming match {self.match.match_id}, round {self.view.round}."))

    async def update(self, pool: RelayPool) -> None:
        """Check what is new, then tell it."""
        self.tell_start()
        if await self.know_leagues():
            await self.check(pool)
        self.tell_rounds()
        self.tell_end()
        await self.check_tokens()

    # -- checking -----------------------------------------------------------------------------------------

    async def know_leagues(self) -> bool:
        """Whether the mint has said what it knows of all keysets; one that is away is asked again later."""
        try:
            for keyset in self.used_keysets():
                if keyset not in self.leagues:
                    self.leagues[keyset] = await self.purse.league(keyset)
        except WalletError:
            return False
        return True

    def used_keysets(self) -> set[str]:
        """Those of the reveals that count: the mint is not asked about whatever else a player sends."""
        named = {id for one in self.view.round_results.values() for id in one.said.events}
        return {self.view.reveals[id][1].content.keyset for id in named if id in self.view.reveals}

    async def check(self, pool: RelayPool) -> None:
        self.audit = audit(self.view, self.leagues.get)
        if self.audit.missing:
            for event in await pool.query(Filter(ids=tuple(self.audit.missing))):
                if self.view.add(event, asked_for=True):
                    self.store.keep_received(self.match.match_id, event)
            if await self.know_leagues():
                self.audit = audit(self.view, self.leagues.get)
        for finding in self.audit.findings:
            self.find(finding)

    def find(self, finding: str) -> None:
        if finding not in self.findings:
            self.findings.append(finding)
            self.tell(narration.cheating(self.view.referee, finding))

    async def check_tokens(self) -> None:
        """The mint must have signed both tokens and bound them to this match: else an army could be invented."""
        if self.tokens_checked or not self.audit.checked:
            return
        named = self.view.round_results[1].said.events
        used = {(author, said.content) for author, said in (self.view.reveals[id] for id in named)}
        try:
            for author, content in sorted(used, key=lambda one: one[0]):
                token = content.mana_token_secret, content.mana_token_signature, content.keyset
                if not await self.purse.is_bound(*token, self.match.match_id):
                    self.find(
                        f"let {self.names.of(author)} play with a token that the mint has not bound to this match"
                    )
        except WalletError:
            return  # asked again with the next event
        self.tokens_checked = True

    async def check_forfeit(self, result: MatchResult) -> None:
        """A player who acted in time cannot forfeit."""
        me = self.view.npubs[self.match.seat]
        if result.reason != "forfeit" or result.winner in (None, me):
            return
        number = result.rounds + 1
        if number not in self.view.reveal_requests:
            in_time = all(self.was_in_time(name, number, result) for name in COMMITMENTS)  # one may have been copied
            name = Commitment.name
        else:
            in_time = self.was_in_time(Reveal.name, number, result) and await self.bound()
            name = Reveal.name
        if in_time:
            self.find(f"counts the match as forfeited, although your {name} of round {number} was on a relay in time")

    def was_in_time(self, name: str, number: int, result: MatchResult) -> bool:
        event = self.store.sent(self.match.match_id, name, number)
        if event is None or event.created_at > result.completed_at - IN_TIME_S:
            return False
        return self.store.was_taken(self.match.match_id, name, number)

    async def bound(self) -> bool:
        token = self.match.token
        try:
            return await self.purse.is_bound(token.secret, token.C, token.id, self.match.match_id)
        except WalletError:
            return False

    # -- telling ------------------------------------------------------------------------------------------

    def once(self, key: str, note: Note) -> None:
        if key not in self.told:
            self.told.add(key)
            self.tell(note)

    def tell_start(self) -> None:
        players, match_id = self.view.players, self.match.match_id
        if self.view.is_announced:
            self.once("challenge", narration.challenged(self.names, players, match_id))
        if self.view.is_accepted:
            self.once("acceptance", narration.accepted(self.names, players, match_id))
        for author, said in tuple(self.view.commitments.values()):
            if said.round == self.view.round and author == self.match.opponent:
                self.tell_committed(1 - self.match.seat, said.round)

    def tell_committed(self, seat: int, number: int) -> None:
        self.once(f"commitment/{seat}/{number}", narration.committed(self.names, self.view.players[seat], number))

    def tell_copied(self, number: int) -> None:
        self.once(f"copied/{number}", narration.copied(self.names, self.match.opponent, number))

    def tell_revealed(self, number: int, unit: int, army: Army) -> None:
        me = self.view.players[self.match.seat]
        self.once(f"reveal/{number}", narration.revealed(self.names, me, number, unit, army))

    def tell_rounds(self) -> None:
        while self.rounds < self.audit.checked:
            self.rounds += 1
            self.tell(narration.round_fought(self.names, self.view.players, self.fought(self.rounds)))

    def fought(self, number: int) -> Fought:
        played, (first, second) = self.audit.state.rounds[number - 1], self.audit.state.armies
        assert first is not None
        assert second is not None
        return Fought(number, played.picks, played.damage, played.health, played.winner, (first, second))

    def tell_end(self) -> None:
        if (refusal := self.view.refusal) is not None:
            self.once("refusal", narration.refused(refusal.reason))
        elif self.view.taken_by_others and not self.view.is_announced:
            text = f"The match id {self.match.match_id} belongs to other players. Challenge again to get a new one."
            self.once("refusal", Note("refused", text, {"reason": "match_id_taken"}))
        result = self.view.result
        if result is not None and self.is_settled:
            self.say_result(result)

    def say_result(self, result: MatchResult) -> None:
        winner = parse_public(result.winner) if result.winner in self.view.npubs else None
        self.once("result", narration.match_over(self.names, self.view.players, result, winner))

    def tell_redeemed(self, amount: int, balance: int) -> None:
        if amount:
            me = self.view.players[self.match.seat]
            self.once("loot", narration.redeemed(self.names, me, amount, balance))

    async def close(self) -> None:
        """Nothing more will come: what could not be checked is said."""
        result = self.view.result
        if result is None:
            return
        await self.check_forfeit(result)
        if not self.is_settled:
            unchecked = f"Round {self.audit.checked + 1} could not be checked: its events are not on the relays."
            self.once("unchecked", Note("unchecked", unchecked, {"round": self.audit.checked + 1}))
            self.say_result(result)
