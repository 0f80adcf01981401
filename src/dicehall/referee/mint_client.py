"""The referee's side of the mint: what a token is, binding it to a match, and loot for a winner."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from dicehall.mint.blinding import (
    BadAnswer,
    Blinding,
    Keys,
    decode_answer,
    locked_secret,
    new_blinding,
    read_keysets,
    unblind_one,
)
from dicehall.mint.http_client import RefusedByMint, Unreachable, send
from dicehall.mint.keysets import LOOT
from dicehall.mint.messages import BlindSignature, LootRequest, Problem, Proof, Signatures, Verified
from dicehall.mint.spending_conditions import mint_message
from dicehall.mint.tokens import Token, encode_token
from dicehall.nostr.http_auth import authorization
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.match_events import TokenProof
from dicehall.referee.store import Loot
from dicehall.referee.token_queue import TokenAnswer

ANSWER_S = 10.0
MAX_LEAGUE = 1 << 31


class MintAway(Exception):
    """The mint cannot be asked now; the sentence says why."""


@dataclass(slots=True)
class MintClient:
    """Calls block, so they are made in threads."""

    url: str
    key: SecretKey
    now_s: Callable[[], int]
    keysets: dict[str, Keys] = field(default_factory=dict)

    def health(self) -> None:
        self.send_or_fail("/health")

    # -- tokens --------------------------------------------------------------------------------------------

    def verify(self, proof: TokenProof, match_id: str) -> TokenAnswer:
        """Whether a token is good for this match. Changes nothing."""
        body = {"secret": proof.secret, "signature": proof.C, "id": proof.id or None, "match_id": match_id}
        try:
            found = decode_answer(self.send("/verify-token", msgspec.json.encode(body)), Verified)
        except RefusedByMint as refused:
            if refused.code == Problem.BUSY:
                raise MintAway(str(refused)) from None
            return TokenAnswer(False, None, str(refused))
        if not found.valid:
            sentence = "The token is spent." if found.spent else "The mint does not know this token."
            return TokenAnswer(False, None, sentence)
        return TokenAnswer(True, league_of(found))

    def bind(self, proof: TokenProof, match_id: str) -> TokenAnswer:
        """Spend a token for this match; once more for the same match is fine."""
        answer = self.verify(proof, match_id)
        if not answer.valid:
            return answer
        shown = {"secret": proof.secret, "signature": proof.C, "id": proof.id or None, "match_id": match_id}
        body = msgspec.json.encode(shown)
        header = authorization(self.key, self.url + "/bind-token", "POST", self.now_s(), body)
        try:
            found = decode_answer(self.send("/bind-token", body, header), Verified)
        except RefusedByMint as refused:
            if refused.code in (Problem.BOUND_ELSEWHERE, Problem.INVALID_PROOF, Problem.ALREADY_SPENT):
                return TokenAnswer(False, None, str(refused))
            raise MintAway(str(refused)) from None  # the referee is not authorized, say: nothing a player can help
        return TokenAnswer(True, league_of(found))

    # -- loot ----------------------------------------------------------------------------------------------

    def prepare(self, loot: Loot, lock_to: str) -> tuple[str, str]:
        """The request for a match's loot, and what turns the answer into a token; both are stored before asking."""
        keys = self.loot_keys()
        amounts = [amount for amount in sorted(keys.points, reverse=True) if loot.amount & amount]
        blindings = [new_blinding(amount, keys.id, locked_secret(lock_to)) for amount in amounts]
        outputs = tuple(one.message() for one in blindings)
        digest = hashlib.sha256(mint_message(loot.match_id, outputs).encode()).digest()
        request = LootRequest(loot.match_id, loot.winner, loot.amount, outputs, self.key.sign(digest).hex())
        return msgspec.json.encode(request).decode(), msgspec.json.encode(blindings).decode()

    def pay(self, loot: Loot) -> str:
        """The token for a winner. The same request again gets the same signatures."""
        assert loot.request is not None
        assert loot.blindings is not None
        blindings = msgspec.json.decode(loot.blindings, type=list[Blinding])
        try:
            answer = decode_answer(self.send("/mint/loot", loot.request.encode()), Signatures)
        except RefusedByMint as refused:
            raise MintAway(str(refused)) from None
        if len(answer.signatures) != len(blindings):
            raise MintAway("The mint returned a different number of signatures than requested.")
        proofs = [self.unblind(*pair) for pair in zip(blindings, answer.signatures, strict=True)]
        return encode_token(Token(self.url, LOOT, tuple(proofs)))

    def unblind(self, blinding: Blinding, signature: BlindSignature) -> Proof:
        if blinding.keyset not in self.keysets:
            self.load_keys()
        if blinding.keyset not in self.keysets:
            raise MintAway(f"The mint does not know the keyset {blinding.keyset}.")
        return unblind_one(self.keysets[blinding.keyset], blinding, signature)

    def loot_keys(self) -> Keys:
        self.load_keys()
        found = [one for one in self.keysets.values() if one.unit == LOOT]
        if not found:
            raise MintAway("The mint has no keyset for loot.")
        return found[-1]

    def load_keys(self) -> None:
        self.keysets |= read_keysets(self.send_or_fail("/v1/keys"))

    # -- HTTP ----------------------------------------------------------------------------------------------

    def send_or_fail(self, path: str) -> bytes:
        """Where a refusal is as bad as no answer."""
        try:
            return self.send(path)
        except RefusedByMint as refused:
            raise MintAway(str(refused)) from None

    def send(self, path: str, body: bytes | None = None, authorized: str | None = None) -> bytes:
        try:
            return send(self.url + path, body, ANSWER_S, authorized)
        except Unreachable as error:
            raise MintAway(f"The mint at {self.url} {error}.") from None


def league_of(found: Verified) -> int:
    if found.league_id is None or not 0 <= found.league_id < MAX_LEAGUE:
        raise BadAnswer("The mint accepted a token but did not say which league it is.")
    return found.league_id
