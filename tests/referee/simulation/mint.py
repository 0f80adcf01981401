"""The mint of a simulation: what tokens are, to which match each is bound, and which loot was issued."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from dicehall.nostr.match_events import TokenProof
from dicehall.referee.mint_client import MintAway
from dicehall.referee.store import Loot
from dicehall.referee.token_queue import TokenAnswer

if TYPE_CHECKING:
    from tests.referee.simulation.process import Process
    from tests.referee.simulation.world import World

T = TypeVar("T")


@dataclass(slots=True)
class SimulatedMint:
    world: World
    up: bool = True
    tokens: dict[tuple[str, str], int] = field(default_factory=dict)  # leagues, by secret and C
    bound: dict[str, str] = field(default_factory=dict)  # matches, by secret
    issued: dict[str, tuple[str, str, float]] = field(default_factory=dict)  # by match: request, token, when

    def look(self, proof: TokenProof, match_id: str) -> TokenAnswer:
        league = self.tokens.get((proof.secret, proof.C))
        if league is None or self.bound.get(proof.secret, match_id) != match_id:
            return TokenAnswer(False, None, "The mint does not know this token, or it is spent.")
        return TokenAnswer(True, league)

    def bind(self, proof: TokenProof, match_id: str) -> TokenAnswer:
        answer = self.look(proof, match_id)
        if answer.valid:
            self.bound[proof.secret] = match_id
        return answer

    def issue(self, loot: Loot) -> str:
        """Once for a match; the same request again gets the same token, another one is refused."""
        assert loot.request is not None
        if loot.match_id not in self.issued:
            token = f"{loot.request}/signed"
            self.issued[loot.match_id] = (loot.request, token, self.world.clock.elapsed)
        request, token, _ = self.issued[loot.match_id]
        if request != loot.request:
            raise MintAway("The tokens of this match have been issued.")
        return token


@dataclass(slots=True)
class SimulatedMintClient:
    """In place of the referee's HTTP client; calls fail, are lost on their way back, or come twice."""

    process: Process
    url: str = "http://mint"

    def call(self, work: Callable[[], T]) -> T:
        world = self.process.world
        self.process.may_die("before a call to the mint")
        if not world.mint.up or world.happens(world.weather.failing):
            raise MintAway("The mint is away.")
        answer = work()
        if world.happens(world.weather.repeated):
            answer = work()
        self.process.may_die("after a call to the mint")
        if world.happens(world.weather.unanswered):
            raise MintAway("The answer was lost.")
        return answer

    def health(self) -> None:
        self.call(lambda: None)

    def verify(self, proof: TokenProof, match_id: str) -> TokenAnswer:
        return self.call(lambda: self.process.world.mint.look(proof, match_id))

    def bind(self, proof: TokenProof, match_id: str) -> TokenAnswer:
        self.process.world.check_stored_before_bound(proof.secret, match_id)
        return self.call(lambda: self.process.world.mint.bind(proof, match_id))

    def prepare(self, loot: Loot, lock_to: str) -> tuple[str, str]:
        world = self.process.world
        return self.call(lambda: (f"{loot.match_id}/{lock_to}/{loot.amount}/{world.faults.random()}", "blindings"))

    def pay(self, loot: Loot) -> str:
        return self.call(lambda: self.process.world.mint.issue(loot))
