"""What a client of a mint needs to turn signatures into tokens: its keys, secrets and blinding factors."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from coincurve import PrivateKey, PublicKey

from dicehall.mint.blind_signatures import DleqProof, InvalidPoint, blind, is_proven, read_point, unblind
from dicehall.mint.keysets import keyset_id_v1, keyset_id_v2
from dicehall.mint.messages import BlindedMessage, BlindSignature, Dleq, Proof

T = TypeVar("T")


class BadAnswer(Exception):
    """The mint gave an answer that is not what it should be; the sentence says how."""


class ShownKeyset(msgspec.Struct, frozen=True):
    """One of /v1/keys."""

    id: str
    unit: str
    keys: dict[str, str]
    league_id: int | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """A keyset as the mint shows it."""

    id: str
    unit: str
    points: dict[int, bytes]
    league: int | None


@dataclass(frozen=True, slots=True)
class Blinding:
    """What turns one signature into a token."""

    amount: int
    keyset: str
    secret: str
    factor: str  # hex

    def message(self) -> BlindedMessage:
        blinded = blind(self.secret.encode(), PrivateKey.from_hex(self.factor))
        return BlindedMessage(self.amount, self.keyset, blinded.format().hex())


def new_blinding(amount: int, keyset: str, secret: str | None = None) -> Blinding:
    return Blinding(amount, keyset, secret or secrets.token_hex(32), PrivateKey().to_hex().zfill(64))


def locked_secret(public_hex: str) -> str:
    """A secret that only this key can spend (NUT-11). Nostr keys have no parity, so 02 is put before them."""
    body = {"nonce": secrets.token_hex(32), "data": "02" + public_hex, "tags": [["sigflag", "SIG_INPUTS"]]}
    return json.dumps(["P2PK", body], separators=(",", ":"))


def unblind_one(keys: Keys, blinding: Blinding, signature: BlindSignature) -> Proof:
    """A token, after a check that the mint signed with the key it shows to everybody (NUT-12)."""
    try:
        key = PublicKey(keys.points[blinding.amount])
        factor, point = PrivateKey.from_hex(blinding.factor), read_point(bytes.fromhex(signature.C_))
        proof = DleqProof(bytes.fromhex(signature.dleq.e), bytes.fromhex(signature.dleq.s))
        proven = is_proven(proof, key, blind(blinding.secret.encode(), factor), point)
    except (InvalidPoint, KeyError, ValueError) as error:
        raise BadAnswer(f"The mint sent an answer that cannot be read: {error}.") from None
    if not proven:
        raise BadAnswer("The mint did not sign with its published key.")
    C = unblind(point, factor, key).format().hex()
    dleq = Dleq(signature.dleq.e, signature.dleq.s, factor.to_hex().zfill(64))
    return Proof(blinding.amount, blinding.keyset, blinding.secret, C, None, dleq)


def read_keysets(data: bytes) -> dict[str, Keys]:
    """The answer of /v1/keys; every id must be that of its keys."""
    shown = decode_answer(data, dict[str, list[ShownKeyset]])
    found: dict[str, Keys] = {}
    for one in shown.get("keysets", []):
        try:
            points = {int(amount): bytes.fromhex(point) for amount, point in one.keys.items()}
            keys = Keys(one.id, one.unit, points, one.league_id)
            names = keyset_id_v1(points), keyset_id_v2(points, keys.unit)
        except ValueError as error:
            raise BadAnswer(f"The mint sent an answer that cannot be read: {error}.") from None
        if keys.id not in names:
            raise BadAnswer(f"The keys of the keyset {keys.id} do not match its id.")
        found[keys.id] = keys
    return found


def decode_answer(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadAnswer(f"The mint sent an answer that cannot be read: {error}.") from None
