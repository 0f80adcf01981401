"""The specification's own figures: NUT-00, 02, 11, 12 and 20."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from coincurve import PrivateKey, PublicKey

from dicehall.mint.blind_signatures import (
    DleqProof,
    blind,
    challenge,
    hash_to_curve,
    is_proven,
    is_proven_unblinded,
    prove,
    sign,
)
from dicehall.mint.keysets import keyset_id_v1, keyset_id_v2
from dicehall.mint.spending_conditions import Locked, check_inputs, mint_message, transaction_message
from dicehall.nostr.keys import verify

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "nut_vectors.json").read_text())
NOW_S = 1_800_000_000


@dataclass(frozen=True, slots=True)
class Proof:
    secret: str
    C: str
    witness: str | None


@dataclass(frozen=True, slots=True)
class Blinded:
    amount: int
    B_: str


def inputs_of(request: dict[str, Any]) -> list[Proof]:
    return [Proof(one["secret"], one["C"], one.get("witness")) for one in request["inputs"]]


def outputs_of(request: dict[str, Any]) -> list[Blinded]:
    return [Blinded(one["amount"], one["B_"]) for one in request["outputs"]]


def point(text: str) -> PublicKey:
    return PublicKey(bytes.fromhex(text))


def key(text: str) -> PrivateKey:
    return PrivateKey(bytes.fromhex(text))


@pytest.mark.parametrize("row", VECTORS["hash_to_curve"])
def test_nut_00_hash_to_curve_3_vectors(row: dict[str, str]) -> None:
    assert hash_to_curve(bytes.fromhex(row["message"])).format().hex() == row["point"]


@pytest.mark.parametrize("row", VECTORS["blind"])
def test_nut_00_blinded_messages_2_vectors(row: dict[str, str]) -> None:
    assert blind(bytes.fromhex(row["x"]), key(row["r"])).format().hex() == row["B_"]


@pytest.mark.parametrize("row", VECTORS["sign"])
def test_nut_00_blind_signatures_2_vectors(row: dict[str, str]) -> None:
    assert sign(key(row["k"]), point(row["B_"])).format().hex() == row["C_"]


def keys_of(row: dict[str, Any]) -> dict[int, bytes]:
    return {int(amount): bytes.fromhex(text) for amount, text in row["keys"].items()}


@pytest.mark.parametrize("row", VECTORS["keyset_v1"], ids=lambda row: row["id"])
def test_nut_02_ids_of_version_1_2_vectors(row: dict[str, Any]) -> None:
    assert keyset_id_v1(keys_of(row)) == row["id"]


@pytest.mark.parametrize("row", VECTORS["keyset_v2"], ids=lambda row: row["id"])
def test_nut_02_ids_of_version_2_3_vectors(row: dict[str, Any]) -> None:
    assert keyset_id_v2(keys_of(row), row["unit"], row["fee"], row["expiry"]) == row["id"]


@pytest.mark.parametrize("row", VECTORS["p2pk"], ids=lambda row: row["about"])
def test_nut_11_spending_conditions_18_vectors(row: dict[str, Any]) -> None:
    try:
        check_inputs(inputs_of(row), outputs_of(row), NOW_S, row.get("quote", ""))
        spendable = True
    except Locked:
        spendable = False
    assert spendable is row["valid"]


@pytest.mark.parametrize(("about", "index"), [("SIG_ALL by one key", 0), ("SIG_ALL of a melt", 1)])
def test_nut_11_messages_of_a_whole_transaction_2_vectors(about: str, index: int) -> None:
    row = next(row for row in VECTORS["p2pk"] if row["about"] == about)
    message = transaction_message(inputs_of(row), outputs_of(row), row.get("quote", ""))
    assert hashlib.sha256(message.encode()).hexdigest() == VECTORS["p2pk_hashes"][index]


def test_nut_12_hash_of_points() -> None:
    row = VECTORS["dleq_hash"]
    assert challenge(*map(point, row["points"])).hex() == row["hash"]


def test_nut_12_deterministic_nonce() -> None:
    row = VECTORS["dleq_nonce"]
    proof = prove(key(row["a"]), point(row["B_"]), point(row["C_"]))
    assert (proof.e.hex(), proof.s.hex()) == (row["e"], row["s"])
    assert is_proven(proof, point(row["A"]), point(row["B_"]), point(row["C_"]))


def dleq(row: dict[str, Any]) -> DleqProof:
    return DleqProof(bytes.fromhex(row["dleq"]["e"]), bytes.fromhex(row["dleq"]["s"]))


def test_nut_12_proof_of_a_blind_signature() -> None:
    row = VECTORS["dleq_blind"]
    assert is_proven(dleq(row), point(row["A"]), point(row["B_"]), point(row["C_"]))


def test_nut_12_proof_of_a_token() -> None:
    row = VECTORS["dleq_proof"]
    factor, secret = key(row["dleq"]["r"]), row["secret"].encode()
    assert is_proven_unblinded(dleq(row), factor, secret, point(row["C"]), point(row["A"]))
    assert not is_proven_unblinded(dleq(row), factor, secret + b"!", point(row["C"]), point(row["A"]))


@pytest.mark.parametrize("which", ["valid", "invalid"])
def test_nut_20_signed_mint_requests_2_vectors(which: str) -> None:
    rows = VECTORS["mint_quote"]
    request = rows[which]
    message = mint_message(request["quote"], outputs_of(request))
    assert message == rows["message"]
    digest = hashlib.sha256(message.encode()).digest()
    signed = verify(bytes.fromhex(rows["pubkey"])[1:], bytes.fromhex(request["signature"]), digest)
    assert signed is (which == "valid")
