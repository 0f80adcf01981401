"""Spending conditions (NUT-10): who can spend a token, by public keys (NUT-11) or a hash's preimage (NUT-14).

A secret in any other form has no condition: anyone who knows it can spend it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from dicehall.nostr.keys import verify

SIG_INPUTS, SIG_ALL = "SIG_INPUTS", "SIG_ALL"
KINDS = ("P2PK", "HTLC")
MAX_KEYS = 32
KEY = re.compile(r"0[23][0-9a-fA-F]{64}")
HASH = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-fA-F]{128}")
COUNT = re.compile(r"[1-9][0-9]{0,3}")
UNIX_TIME = re.compile(r"[0-9]{1,15}")
ONCE = {"sigflag", "pubkeys", "n_sigs", "locktime", "refund", "n_sigs_refund"}


class Locked(ValueError):
    """The condition of a token is not met, or cannot be met by anybody."""


class Input(Protocol):
    @property
    def secret(self) -> str: ...
    @property
    def C(self) -> str: ...
    @property
    def witness(self) -> str | None: ...


class Output(Protocol):
    @property
    def amount(self) -> int: ...
    @property
    def B_(self) -> str: ...


class Witness(msgspec.Struct, frozen=True):
    signatures: tuple[str, ...] = ()
    preimage: str | None = None


class Body(msgspec.Struct, frozen=True):
    nonce: str
    data: str
    tags: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    kind: str
    data: str
    tags: tuple[tuple[str, ...], ...]
    flag: str
    keys: tuple[str, ...]  # x-coordinates in lower case, which is what a Schnorr signature proves
    needed: int
    locktime: int | None
    refund_keys: tuple[str, ...]
    refund_needed: int

    def is_expired(self, now_s: int) -> bool:
        return self.locktime is not None and now_s > self.locktime

    def check(self, message: bytes, witness: Witness, now_s: int) -> None:
        """Locked unless one of the ways to spend is open."""
        if self.is_expired(now_s) and not self.refund_keys:
            return
        if self.is_expired(now_s) and count_signers(message, witness, self.refund_keys) >= self.refund_needed:
            return
        if self.kind == "HTLC" and not opens(self.data, witness.preimage):
            raise Locked("The preimage is missing or does not match the hash.")
        if count_signers(message, witness, self.keys) < self.needed:
            signatures = "a valid signature" if self.needed == 1 else f"{self.needed} valid signatures"
            raise Locked(f"This token is locked: it needs {signatures} by the keys that its secret names.")


def read_condition(secret: str) -> Condition | None:
    """The condition in a secret; None where it is a plain one. Locked where it is malformed."""
    if not secret.startswith("["):
        return None
    try:
        kind, body = msgspec.json.decode(secret, type=tuple[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return None  # not the well-known form, so it means nothing
    if kind not in KINDS:
        return None
    try:
        return make_condition(kind, msgspec.json.decode(body, type=Body))
    except (msgspec.DecodeError, RecursionError):
        raise Locked("The condition in this secret is malformed, so nobody can spend it.") from None


def make_condition(kind: str, body: Body) -> Condition:
    names = [tag[0] for tag in body.tags if tag]
    if len(names) != len(body.tags) or any(names.count(name) > 1 for name in ONCE):
        raise Locked("A tag of this secret is empty or appears twice.")
    tags = {tag[0]: tag[1:] for tag in body.tags}
    flag = tags.get("sigflag", (SIG_INPUTS,))
    if flag not in ((SIG_INPUTS,), (SIG_ALL,)):
        raise Locked("The signature flag of this secret is unknown.")
    if kind == "HTLC" and not HASH.fullmatch(body.data):
        raise Locked("The hash of this secret is not 64 lower-case hex digits.")
    keys = public_keys((*((body.data,) if kind == "P2PK" else ()), *tags.get("pubkeys", ())))
    refund_keys = public_keys(tags.get("refund", ()))
    needed = required(tags.get("n_sigs"), keys)
    refund_needed = required(tags.get("n_sigs_refund"), refund_keys)
    return Condition(
        kind, body.data, body.tags, flag[0], keys, needed, lock_time(tags.get("locktime")), refund_keys, refund_needed
    )


def public_keys(texts: Sequence[str]) -> tuple[str, ...]:
    if len(texts) > MAX_KEYS or not all(KEY.fullmatch(text) for text in texts):
        raise Locked(f"The keys of this secret must be compressed public keys, at most {MAX_KEYS} of them.")
    keys = tuple(text[2:].lower() for text in texts)
    if len(set(keys)) != len(keys):
        raise Locked("A key appears twice in this secret.")
    return keys


def required(value: tuple[str, ...] | None, keys: tuple[str, ...]) -> int:
    """How many signatures are needed; a count that the keys cannot reach makes the token unspendable."""
    if value is None:
        return min(1, len(keys))
    if len(value) != 1 or not COUNT.fullmatch(value[0]) or int(value[0]) > len(keys):
        raise Locked("This secret requires a number of signatures that its keys cannot provide.")
    return int(value[0])


def lock_time(value: tuple[str, ...] | None) -> int | None:
    """None, a permanent lock, where it is not a time."""
    return int(value[0]) if value is not None and len(value) == 1 and UNIX_TIME.fullmatch(value[0]) else None


def read_witness(text: str | None) -> Witness:
    if not text:
        return Witness()
    try:
        witness = msgspec.json.decode(text, type=Witness)
    except (msgspec.DecodeError, RecursionError):
        raise Locked("The witness cannot be read.") from None
    if len(witness.signatures) > MAX_KEYS:
        raise Locked(f"A witness can have at most {MAX_KEYS} signatures.")
    return witness


def count_signers(message: bytes, witness: Witness, keys: tuple[str, ...]) -> int:
    """How many different keys have signed; two signatures of one key count once."""
    digest = hashlib.sha256(message).digest()
    signatures = [bytes.fromhex(text) for text in witness.signatures if SIGNATURE.fullmatch(text)]
    return sum(any(verify(bytes.fromhex(key), signature, digest) for signature in signatures) for key in keys)


def opens(hash: str, preimage: str | None) -> bool:
    return (
        preimage is not None
        and HASH.fullmatch(preimage) is not None
        and hashlib.sha256(bytes.fromhex(preimage)).hexdigest() == hash
    )


def check_inputs(inputs: Sequence[Input], outputs: Sequence[Output], now_s: int, quote: str = "") -> None:
    """Check that all inputs can be spent for these outputs; raise Locked if one cannot."""
    conditions = [read_condition(one.secret) for one in inputs]
    if any(one is not None and one.flag == SIG_ALL for one in conditions):
        return check_together(inputs, outputs, conditions, now_s, quote)
    for one, condition in zip(inputs, conditions, strict=True):
        if condition is not None:
            condition.check(one.secret.encode(), read_witness(one.witness), now_s)


def check_together(
    inputs: Sequence[Input],
    outputs: Sequence[Output],
    conditions: Sequence[Condition | None],
    now_s: int,
    quote: str,
) -> None:
    """SIG_ALL: all inputs have one condition, and the witness of the first signs the whole transaction."""
    first = conditions[0]
    if first is None or any(
        one is None or (one.kind, one.data, one.tags) != (first.kind, first.data, first.tags) for one in conditions
    ):
        raise Locked("With SIG_ALL every input must have the same condition.")
    first.check(transaction_message(inputs, outputs, quote).encode(), read_witness(inputs[0].witness), now_s)


def transaction_message(inputs: Sequence[Input], outputs: Sequence[Output], quote: str = "") -> str:
    spent = "".join(one.secret + one.C for one in inputs)
    return spent + "".join(f"{one.amount}{one.B_}" for one in outputs) + quote


def mint_message(quote: str, outputs: Sequence[Output]) -> str:
    """What a NUT-20 signature of a mint request signs."""
    return quote + "".join(one.B_ for one in outputs)
