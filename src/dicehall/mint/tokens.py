"""Tokens as people pass them on (NUT-00): text that begins with cashuB (CBOR), or cashuA (JSON) in older wallets."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any

import cbor2
import msgspec
from msgspec import Meta, Struct

from dicehall.mint.messages import Proof

V3, V4, RAW = "cashuA", "cashuB", b"crawB"
MAX_TOKEN_LENGTH = 256 * 1024


class InvalidToken(ValueError):
    """A text that is not a token."""


class Token(Struct, frozen=True, omit_defaults=True):
    mint: str
    unit: str
    proofs: Annotated[tuple[Proof, ...], Meta(min_length=1)]
    memo: str | None = None


class EntryV3(Struct, frozen=True):
    mint: str
    proofs: tuple[Proof, ...]


class TokenV3(Struct, frozen=True, omit_defaults=True):
    token: tuple[EntryV3, ...]
    unit: str | None = None
    memo: str | None = None


def encode_token(token: Token) -> str:
    return V4 + base64.urlsafe_b64encode(pack(token)).decode().rstrip("=")


def encode_raw(token: Token) -> bytes:
    return RAW + pack(token)


def encode_token_v3(token: Token) -> str:
    whole = TokenV3((EntryV3(token.mint, token.proofs),), token.unit, token.memo)
    return V3 + base64.urlsafe_b64encode(msgspec.json.encode(whole)).decode()


def decode_token(text: str) -> Token:
    if len(text) > MAX_TOKEN_LENGTH:
        raise InvalidToken("This token is too long.")
    prefix, body = text[: len(V4)], text[len(V4) :]
    if prefix not in (V3, V4):
        raise InvalidToken("A token begins with cashuA or cashuB.")
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        return unpack_v3(data) if prefix == V3 else unpack(data)
    except (binascii.Error, ValueError, KeyError, TypeError, AttributeError, RecursionError, cbor2.CBORError) as error:
        raise InvalidToken(f"Its contents cannot be read ({error}).") from None


def pack(token: Token) -> bytes:
    """Keys in the order of the specification's examples; proofs grouped by their keyset."""
    groups = groupby(token.proofs, key=lambda one: one.id)
    entries = [{"i": bytes.fromhex(keyset), "p": [pack_proof(one) for one in proofs]} for keyset, proofs in groups]
    memo = {} if token.memo is None else {"d": token.memo}
    return cbor2.dumps({"t": entries, **memo, "m": token.mint, "u": token.unit})


def pack_proof(proof: Proof) -> dict[str, Any]:
    packed: dict[str, Any] = {"a": proof.amount, "s": proof.secret, "c": bytes.fromhex(proof.C)}
    if proof.dleq is not None and proof.dleq.r is not None:
        packed["d"] = {name: bytes.fromhex(getattr(proof.dleq, name)) for name in ("e", "s", "r")}
    return packed | ({} if proof.witness is None else {"w": proof.witness})


def unpack(data: bytes) -> Token:
    with io.BytesIO(data) as stream:
        whole = cbor2.CBORDecoder(stream, tag_hook=refuse_tag).decode()
        if stream.read(1):
            raise ValueError("there is extra data after it")
    proofs = [unpack_proof(entry["i"], one) for entry in whole["t"] for one in entry["p"]]
    fields = {"mint": whole["m"], "unit": whole["u"], "proofs": proofs, "memo": whole.get("d")}
    return msgspec.convert(fields, Token)


def refuse_tag(decoder: Any, tag: Any) -> Any:
    raise ValueError("a token has no CBOR tags")


def unpack_proof(keyset: bytes, packed: dict[str, Any]) -> dict[str, Any]:
    dleq = packed.get("d")
    return {
        "amount": packed["a"],
        "id": keyset.hex(),
        "secret": packed["s"],
        "C": packed["c"].hex(),
        "witness": packed.get("w"),
        "dleq": None if dleq is None else {name: dleq[name].hex() for name in ("e", "s", "r")},
    }


def unpack_v3(data: bytes) -> Token:
    whole = msgspec.json.decode(data, type=TokenV3)
    mints = {entry.mint for entry in whole.token}
    if len(mints) != 1:
        raise ValueError("it names several mints, or none")
    proofs: Iterable[Proof] = (one for entry in whole.token for one in entry.proofs)
    fields = {"mint": mints.pop(), "unit": whole.unit or "sat", "proofs": tuple(proofs), "memo": whole.memo}
    return msgspec.convert(fields, Token)
