"""The mint: what it signs, for whom, and how it finds a token genuine.

Units: ``mana`` (sixteen keysets, one per league, of amount 1) and ``loot``. Loot is issued only for the referee's
key; mana only by a faucet, if there is one. All checks come before the one transaction that changes anything.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from coincurve import PrivateKey

from dicehall.mint.blind_signatures import InvalidPoint, cached_point, is_signature, prove, read_point, sign
from dicehall.mint.keysets import LOOT, MANA, Keyset
from dicehall.mint.ledger import Ledger, Spend, StoredQuote
from dicehall.mint.messages import (
    BindRequest,
    BlindedMessage,
    BlindSignature,
    Dleq,
    LootRequest,
    MintError,
    MintRequest,
    Problem,
    Proof,
    ProofState,
    Quote,
    QuoteRequest,
    StateRequest,
    SwapRequest,
    Verified,
    VerifyRequest,
)
from dicehall.mint.spending_conditions import Locked, check_inputs, mint_message
from dicehall.nostr.keys import verify

QUOTE_LIFE_S = 3600
MAX_OPEN_QUOTES = 10_000
MAX_FAUCET = 16
ARMY_SECRET = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True, slots=True)
class Settings:
    referee: str | None = None  # the public key (hex, x-only) that may issue loot and bind tokens
    faucet: bool = False
    max_loot: int = 1000  # per match


@dataclass(frozen=True, slots=True)
class Mint:
    keysets: Mapping[str, Keyset]
    ledger: Ledger
    settings: Settings
    now_s: Callable[[], int]
    new_id: Callable[[], str]
    methods: Mapping[str, str] = field(init=False)  # the unit that each method issues

    def __post_init__(self) -> None:
        object.__setattr__(self, "methods", {"loot": LOOT, **({"faucet": MANA} if self.settings.faucet else {})})

    # -- swapping ------------------------------------------------------------------------------------------

    def swap(self, request: SwapRequest) -> tuple[BlindSignature, ...]:
        """New tokens for old ones of the same value and unit; the same request again gets the same answer."""
        inputs, outputs = request.inputs, request.outputs
        digest = digest_of(request)
        if self.ledger.is_repeated(digest):
            return self.stored(outputs)
        spends = self.check_proofs(inputs)
        self.check_outputs(outputs)
        units = {self.keysets[one.id].unit for one in inputs}
        if len(units) > 1:
            raise MintError(Problem.SEVERAL_UNITS, "All inputs must be of the same unit.")
        if {self.keysets[one.id].unit for one in outputs} != units:
            raise MintError(Problem.UNITS_DIFFER, "Inputs and outputs must be of the same unit.")
        if sum(one.amount for one in inputs) != sum(one.amount for one in outputs):
            raise MintError(Problem.NOT_BALANCED, "Inputs and outputs must have the same value.")
        unlock(inputs, outputs, self.now_s())
        signatures = self.sign_all(outputs)
        with self.ledger.transaction():
            self.ledger.spend(spends)
            self.ledger.store(outputs, signatures)
            self.ledger.remember(digest)
        return signatures

    def check_proofs(self, inputs: Sequence[Proof]) -> list[Spend]:
        points = [cached_point(one.secret.encode()) for one in inputs]
        if len(set(points)) != len(points):
            raise MintError(Problem.DUPLICATE_INPUTS, "A token appears twice among the inputs.")
        for one in inputs:
            key = self.key_of(one.id, one.amount)
            if not self.is_genuine(key, one.secret, one.C):
                raise MintError(Problem.INVALID_PROOF, "A token was not signed by this mint.")
        if any(self.ledger.spent(point) is not None for point in points):
            raise MintError(Problem.ALREADY_SPENT, "A token of this request is already spent.")
        return [Spend(point, one.id, one.amount, one.witness) for point, one in zip(points, inputs, strict=True)]

    def is_genuine(self, key: PrivateKey, secret: str, signature: str) -> bool:
        try:
            return is_signature(key, secret.encode(), read_point(bytes.fromhex(signature)))
        except InvalidPoint:
            return False

    def key_of(self, keyset: str, amount: int) -> PrivateKey:
        if keyset not in self.keysets:
            raise MintError(Problem.UNKNOWN_KEYSET, "This keyset does not belong to this mint.")
        if amount not in self.keysets[keyset].secrets:
            raise MintError(Problem.AMOUNT_OUT_OF_RANGE, f"The keyset {keyset} has no key for the amount {amount}.")
        return self.keysets[keyset].secrets[amount]

    # -- signing -------------------------------------------------------------------------------------------

    def check_outputs(self, outputs: Sequence[BlindedMessage]) -> None:
        if len({one.B_ for one in outputs}) != len(outputs):
            raise MintError(Problem.DUPLICATE_OUTPUTS, "An output appears twice.")
        for one in outputs:
            self.key_of(one.id, one.amount)
            if not self.keysets[one.id].active:
                raise MintError(Problem.INACTIVE_KEYSET, "This keyset no longer signs.")
        if len({self.keysets[one.id].unit for one in outputs}) > 1:
            raise MintError(Problem.SEVERAL_UNITS, "All outputs must be of the same unit.")

    def sign_all(self, outputs: Sequence[BlindedMessage]) -> tuple[BlindSignature, ...]:
        return tuple(self.sign_one(one) for one in outputs)

    def sign_one(self, output: BlindedMessage) -> BlindSignature:
        key = self.key_of(output.id, output.amount)
        try:
            blinded = read_point(bytes.fromhex(output.B_))
        except InvalidPoint as error:
            raise MintError(Problem.BAD_REQUEST, str(error)) from None
        signature = sign(key, blinded)
        proof = prove(key, blinded, signature)
        return BlindSignature(output.amount, output.id, signature.format().hex(), Dleq(proof.e.hex(), proof.s.hex()))

    def stored(self, outputs: Sequence[BlindedMessage]) -> tuple[BlindSignature, ...]:
        found = self.ledger.signatures(outputs)
        assert found is not None  # they were stored in one transaction with the request
        return found

    # -- minting -------------------------------------------------------------------------------------------

    def quote(self, method: str, request: QuoteRequest) -> Quote:
        unit = self.unit_of(method)
        if request.unit != unit:
            raise MintError(Problem.UNIT_NOT_SUPPORTED, f"The method {method} issues the unit {unit}.")
        if method == "loot":
            return self.loot_quote(request.amount, request.pubkey, request.match_id)
        if request.amount > MAX_FAUCET:
            raise MintError(Problem.AMOUNT_OUT_OF_RANGE, f"The faucet gives at most {MAX_FAUCET} at once.")
        return self.add_quote(method, unit, request.amount, request.pubkey, None)

    def unit_of(self, method: str) -> str:
        if method not in self.methods:
            raise MintError(Problem.MINTING_DISABLED, f"This mint has no method {method!r}.")
        return self.methods[method]

    def loot_quote(self, amount: int, pubkey: str | None, match_id: str | None) -> Quote:
        """Paid from the start, because only the referee can use it: its key must sign what is minted."""
        if self.settings.referee is None:
            raise MintError(Problem.MINTING_DISABLED, "This mint has no referee, so it does not issue loot.")
        if pubkey is None or pubkey[2:] != self.settings.referee:
            raise MintError(Problem.PUBKEY_REQUIRED, "Loot is issued only for the referee's key.")
        if amount > self.settings.max_loot:
            raise MintError(Problem.AMOUNT_OUT_OF_RANGE, f"A match can pay at most {self.settings.max_loot} loot.")
        before = None if match_id is None else self.ledger.quote_of_match(match_id)
        if before is None or (before.amount != amount and not before.issued):  # nobody signed for that one
            return self.add_quote("loot", LOOT, amount, pubkey, match_id)
        if before.amount != amount:
            raise MintError(Problem.ALREADY_ISSUED, "This match has a quote for another amount.")
        return show_quote(before)

    def add_quote(self, method: str, unit: str, amount: int, pubkey: str | None, match_id: str | None) -> Quote:
        expiry = self.now_s() + QUOTE_LIFE_S
        quote = StoredQuote(self.new_id(), method, unit, amount, pubkey, match_id, expiry, issued=False)
        with self.ledger.transaction():
            self.ledger.add_quote(quote, self.now_s(), MAX_OPEN_QUOTES)
        return show_quote(quote)

    def find_quote(self, method: str, id: str) -> StoredQuote:
        quote = self.ledger.quote(id)
        if quote is None or quote.method != method:
            raise MintError(Problem.NOT_FOUND, "There is no such quote.")
        return quote

    def mint(self, method: str, request: MintRequest) -> tuple[BlindSignature, ...]:
        self.unit_of(method)
        return self.issue(self.find_quote(method, request.quote), request.quote, request.outputs, request.signature)

    def loot(self, request: LootRequest) -> tuple[BlindSignature, ...]:
        """Quote and mint in one call; the referee signs the match id in place of a quote id."""
        if self.settings.referee is None:
            raise MintError(Problem.MINTING_DISABLED, "This mint has no referee, so it does not issue loot.")
        check_signature("02" + self.settings.referee, loot_message(request), request.signature)
        quote = self.loot_quote(request.amount, "02" + self.settings.referee, request.match_id)
        return self.issue(self.find_quote("loot", quote.quote), None, request.outputs, None)

    def issue(
        self, quote: StoredQuote, signed: str | None, outputs: Sequence[BlindedMessage], signature: str | None
    ) -> tuple[BlindSignature, ...]:
        """*signed* is the id that the quote's key must have signed; None where that was checked before."""
        if signed is not None and quote.pubkey is not None:
            check_signature(quote.pubkey, mint_message(signed, outputs), signature)
        if quote.issued:
            found = self.ledger.signatures(outputs)
            if found is None or sum(one.amount for one in outputs) != quote.amount:
                raise MintError(Problem.ALREADY_ISSUED, "The tokens of this quote have already been issued.")
            return found
        if quote.match_id is None and quote.expiry < self.now_s():
            raise MintError(Problem.EXPIRED, "This quote has expired.")
        self.check_outputs(outputs)
        if any(self.keysets[one.id].unit != quote.unit for one in outputs):
            raise MintError(Problem.UNITS_DIFFER, f"This quote is for the unit {quote.unit}.")
        if sum(one.amount for one in outputs) != quote.amount:
            raise MintError(Problem.NOT_BALANCED, f"This quote is for the amount {quote.amount}.")
        signatures = self.sign_all(outputs)
        with self.ledger.transaction():
            self.ledger.store(outputs, signatures)
            self.ledger.mark_issued(quote.id)
        return signatures

    # -- looking -------------------------------------------------------------------------------------------

    def states(self, request: StateRequest) -> tuple[ProofState, ...]:
        found = [(text, self.ledger.spent(bytes.fromhex(text))) for text in request.Ys]
        return tuple(
            ProofState(text, "UNSPENT") if row is None else ProofState(text, "SPENT", row[0]) for text, row in found
        )

    def verify_token(self, request: VerifyRequest) -> Verified:
        """Whether this mint signed the secret, and what has become of it. Changes nothing."""
        keyset = self.keyset_of(request.secret, request.signature, request.id)
        if keyset is None:
            return Verified(False, False, None, None, None, None)
        row = self.ledger.spent(cached_point(request.secret.encode()))
        bound = None if row is None else row[1]
        usable = row is None or (bound is not None and bound == request.match_id)
        return Verified(usable, row is not None, bound, 1, keyset.league, keyset.id)

    def keyset_of(self, secret: str, signature: str, id: str | None) -> Keyset | None:
        """The mana keyset that signed this token; without an id all of them are tried.

        An army comes from 32 bytes, so a secret of another form, a locked one say, is not a token to play with.
        """
        if not ARMY_SECRET.fullmatch(secret):
            return None
        wanted = [one for one in self.keysets.values() if one.unit == MANA and id in (None, one.id)]
        return next((one for one in wanted if self.is_genuine(one.secrets[1], secret, signature)), None)

    def bind(self, request: BindRequest) -> Verified:
        """Spend a token for one match. Only the referee may ask; asking again for the same match is fine."""
        keyset = self.keyset_of(request.secret, request.signature, request.id)
        if keyset is None:
            raise MintError(Problem.INVALID_PROOF, "This is not a mana token of this mint.")
        point = cached_point(request.secret.encode())
        row = self.ledger.spent(point)
        if row is not None and row[1] != request.match_id:
            where = "spent" if row[1] is None else "bound to another match"
            raise MintError(Problem.BOUND_ELSEWHERE, f"This token is already {where}.")
        if row is None:
            with self.ledger.transaction():
                self.ledger.spend([Spend(point, keyset.id, 1, None, request.match_id)])
        return Verified(True, True, request.match_id, 1, keyset.league, keyset.id)


def unlock(inputs: Sequence[Proof], outputs: Sequence[BlindedMessage], now_s: int) -> None:
    try:
        check_inputs(inputs, outputs, now_s)
    except Locked as error:
        raise MintError(Problem.INVALID_PROOF, str(error)) from None


def check_signature(pubkey: str, message: str, signature: str | None) -> None:
    digest = hashlib.sha256(message.encode()).digest()
    if signature is None or not verify(bytes.fromhex(pubkey[2:]), bytes.fromhex(signature), digest):
        raise MintError(Problem.INVALID_SIGNATURE, "The request is not signed by the key of its quote.")


def loot_message(request: LootRequest) -> str:
    return mint_message(request.match_id, request.outputs)


def digest_of(request: SwapRequest) -> bytes:
    """Of all that decides a swap; who repeats it must know the secrets again."""
    parts = [f"{one.id}:{one.amount}:{one.C}:{one.secret}" for one in request.inputs]
    parts += [f"{one.id}:{one.amount}:{one.B_}" for one in request.outputs]
    return hashlib.sha256("\n".join(f"{len(part)} {part}" for part in parts).encode()).digest()


def show_quote(quote: StoredQuote) -> Quote:
    state = "ISSUED" if quote.issued else "PAID"
    return Quote(quote.id, "", quote.amount, quote.unit, quote.method, state, quote.expiry, quote.pubkey)
