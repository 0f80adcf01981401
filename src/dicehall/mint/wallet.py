"""A small wallet for our own players: get, hold, lock and redeem tokens.

What a request will need (secrets and blinding factors) is on the disk before the request is sent. If the answer is
lost, sending the same request again gets the same signatures, so no token is lost and none is made twice.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from dicehall.mint.addresses import same_mint
from dicehall.mint.blind_signatures import hash_to_curve
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
from dicehall.mint.keysets import MANA
from dicehall.mint.messages import (
    Proof,
    Quote,
    Signatures,
    States,
    SwapRequest,
    Verified,
)
from dicehall.mint.tokens import Token, decode_token, encode_token
from dicehall.mint.transaction import transaction
from dicehall.nostr.keys import SecretKey

ANSWER_S = 20.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS tokens (
    secret TEXT PRIMARY KEY, mint TEXT NOT NULL, unit TEXT NOT NULL, proof TEXT NOT NULL, state TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY, mint TEXT NOT NULL, unit TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL,
    secrets TEXT NOT NULL
);
"""

T = TypeVar("T")
Post = Callable[[str, bytes | None], bytes]


class WalletError(Exception):
    """Something a person can do something about; the sentence says what."""


class Refusal(WalletError):
    """The mint's own no."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def fetch(url: str, body: bytes | None) -> bytes:
    try:
        return send(url, body, ANSWER_S)
    except RefusedByMint as refused:
        raise Refusal(refused.code, str(refused)) from None
    except Unreachable as error:
        raise WalletError(f"The mint at {url} {error}.") from None


class Wallet:
    """The tokens of one player at one mint, in one file."""

    def __init__(self, path: Path | str, mint: str, post: Post = fetch, *, any_thread: bool = False) -> None:
        """Used by one thread at a time; *any_thread* promises that it need not always be the same."""
        self.mint, self.post = mint.rstrip("/"), post
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=not any_thread)
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.executescript(SCHEMA)
        self.keysets: dict[str, Keys] = {}

    def close(self) -> None:
        self.db.close()

    # -- getting -------------------------------------------------------------------------------------------

    def get_mana(self, league: int | None = None) -> Proof:
        """One army from the mint's faucet."""
        keys = self.keys_of(MANA, league)
        quote = self.ask("/v1/mint/quote/faucet", {"amount": 1, "unit": MANA}, Quote)
        blinding = new_blinding(1, keys.id)
        body = {"quote": quote.quote, "outputs": [blinding.message()]}
        return self.request(MANA, "/v1/mint/faucet", body, [blinding])[0]

    def receive(self, text: str, key: SecretKey | None = None) -> list[Proof]:
        """Swap somebody's token for new ones that only this wallet knows; *key* opens a token locked to it."""
        token = decode_token(text)
        if not same_mint(token.mint, self.mint):
            raise WalletError(f"This token is from another mint: {token.mint}.")
        inputs = [signed(one, key) if key is not None else one for one in token.proofs]
        return self.swap_for_new(inputs, token.unit)

    def swap_for_new(self, proofs: Sequence[Proof], unit: str) -> list[Proof]:
        """The same value in tokens that nobody has seen yet."""
        return self.swap(unit, proofs, [new_blinding(one.amount, one.id) for one in proofs])

    # -- giving --------------------------------------------------------------------------------------------

    def send(self, proofs: Sequence[Proof], unit: str, memo: str | None = None) -> str:
        """A token to hand on; from now on it is no longer counted here."""
        with self.transaction():
            for one in proofs:
                self.db.execute("UPDATE tokens SET state = 'sent' WHERE secret = ?", (one.secret,))
        return encode_token(Token(self.mint, unit, tuple(proofs), memo))

    def lock(self, proofs: Sequence[Proof], unit: str, to: str) -> str:
        """A token that only the owner of this public key (hex) can redeem."""
        blindings = [new_blinding(one.amount, one.id, locked_secret(to)) for one in proofs]
        return self.send(self.swap(unit, proofs, blindings), unit)

    # -- holding -------------------------------------------------------------------------------------------

    def tokens(self, unit: str) -> list[Proof]:
        rows = self.db.execute(
            "SELECT proof FROM tokens WHERE mint = ? AND unit = ? AND state = 'held' ORDER BY rowid", (self.mint, unit)
        ).fetchall()
        return [msgspec.json.decode(row[0], type=Proof) for row in rows]

    def balance(self, unit: str) -> int:
        return sum(one.amount for one in self.tokens(unit))

    def refresh(self, unit: str) -> int:
        """Ask the mint which tokens are spent by now, and drop them: how many."""
        held = self.tokens(unit)
        points = {hash_of(one): one for one in held}
        states = self.ask("/v1/checkstate", {"Ys": list(points)}, States).states if points else ()
        spent = [points[one.Y] for one in states if one.state == "SPENT" and one.Y in points]
        self.drop(spent)
        return len(spent)

    def verify(self, proof: Proof, match_id: str | None = None) -> Verified:
        body = {"secret": proof.secret, "signature": proof.C, "id": proof.id, "match_id": match_id}
        return self.ask("/verify-token", body, Verified)

    # -- requests that change something --------------------------------------------------------------------

    def swap(self, unit: str, inputs: Sequence[Proof], blindings: Sequence[Blinding]) -> list[Proof]:
        bare = tuple(msgspec.structs.replace(one, dleq=None) for one in inputs)
        body = SwapRequest(bare, tuple(one.message() for one in blindings))
        received = self.request(unit, "/v1/swap", body, blindings)
        self.drop(inputs)
        return received

    def request(self, unit: str, path: str, body: Any, blindings: Sequence[Blinding]) -> list[Proof]:
        """Store what the answer will need, ask, and hold what comes of it."""
        text = msgspec.json.encode(body).decode()
        stored = msgspec.json.encode([msgspec.to_builtins(one) for one in blindings]).decode()
        row = self.db.execute(
            "INSERT INTO requests (mint, unit, path, body, secrets) VALUES (?, ?, ?, ?, ?)",
            (self.mint, unit, path, text, stored),
        ).lastrowid
        assert row is not None
        return self.finish(row, unit, path, text, blindings)

    def finish(self, row: int, unit: str, path: str, text: str, blindings: Sequence[Blinding]) -> list[Proof]:
        try:
            data = self.post(self.mint + path, text.encode())
        except Refusal:
            self.db.execute("DELETE FROM requests WHERE id = ?", (row,))  # nothing happened, nothing will
            raise
        answer = decode(data, Signatures)
        proofs = self.unblind(blindings, answer)
        with self.transaction():
            for one in proofs:
                self.db.execute(
                    "INSERT OR IGNORE INTO tokens VALUES (?, ?, ?, ?, 'held')",
                    (one.secret, self.mint, unit, msgspec.json.encode(one).decode()),
                )
            self.db.execute("DELETE FROM requests WHERE id = ?", (row,))
        return proofs

    def recover(self) -> int:
        """Send again what was never answered; how many tokens came of it."""
        found = 0
        rows = self.db.execute(
            "SELECT id, unit, path, body, secrets FROM requests WHERE mint = ?", (self.mint,)
        ).fetchall()
        for row, unit, path, text, stored in rows:
            blindings = msgspec.json.decode(stored, type=list[Blinding])
            found += len(self.finish(row, unit, path, text, blindings))
            self.drop(inputs_of(path, text))
        return found

    def unanswered(self) -> list[tuple[str, tuple[Proof, ...]]]:
        """The requests whose answer is not known, with the tokens that each would spend."""
        rows = self.db.execute("SELECT path, body FROM requests WHERE mint = ?", (self.mint,)).fetchall()
        return [(path, inputs_of(path, text)) for path, text in rows]

    def unblind(self, blindings: Sequence[Blinding], answer: Signatures) -> list[Proof]:
        if len(answer.signatures) != len(blindings):
            raise WalletError("The mint returned a different number of signatures than requested.")
        pairs = zip(blindings, answer.signatures, strict=True)
        with readable():
            return [unblind_one(self.known(one.keyset), one, signature) for one, signature in pairs]

    def drop(self, proofs: Sequence[Proof]) -> None:
        with self.transaction():
            for one in proofs:
                self.db.execute("DELETE FROM tokens WHERE secret = ?", (one.secret,))

    # -- the mint's keys -----------------------------------------------------------------------------------

    def known(self, keyset: str) -> Keys:
        if keyset not in self.keysets:
            self.load_keys()
        if keyset not in self.keysets:
            raise WalletError(f"The mint does not know the keyset {keyset}.")
        return self.keysets[keyset]

    def keys_of(self, unit: str, league: int | None) -> Keys:
        self.load_keys()
        found = [one for one in self.keysets.values() if one.unit == unit and league in (None, one.league)]
        if not found:
            raise WalletError(
                f"The mint has no keyset for {unit}" + ("." if league is None else f" of league {league}.")
            )
        return secrets.choice(found)

    def load_keys(self) -> None:
        with readable():
            self.keysets |= read_keysets(self.post(self.mint + "/v1/keys", None))

    def ask(self, path: str, body: Any, kind: type[T]) -> T:
        return decode(self.post(self.mint + path, msgspec.json.encode(body)), kind)

    def transaction(self) -> AbstractContextManager[None]:
        return transaction(self.db)


def decode(data: bytes, kind: type[T]) -> T:
    with readable():
        return decode_answer(data, kind)


@contextmanager
def readable() -> Iterator[None]:
    """An answer that makes no sense is something a person should hear of."""
    try:
        yield
    except BadAnswer as error:
        raise WalletError(str(error)) from None


def inputs_of(path: str, text: str) -> tuple[Proof, ...]:
    return msgspec.json.decode(text, type=SwapRequest).inputs if path == "/v1/swap" else ()


def signed(proof: Proof, key: SecretKey) -> Proof:
    """The proof with a witness by this key; BIP-340 takes care of a key whose point has an odd y."""
    signature = key.sign(hashlib.sha256(proof.secret.encode()).digest()).hex()
    return msgspec.structs.replace(proof, witness=json.dumps({"signatures": [signature]}))


def hash_of(proof: Proof) -> str:
    return str(hash_to_curve(proof.secret.encode()).format().hex())
