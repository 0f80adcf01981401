"""Tokens as text: the specification's examples, and no bytes that break the reader."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from pathlib import Path

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicehall.mint.messages import Dleq, Proof
from dicehall.mint.tokens import (
    InvalidToken,
    Token,
    decode_token,
    encode_raw,
    encode_token,
    encode_token_v3,
)

TOKENS = json.loads((Path(__file__).parent / "nut_vectors.json").read_text())["tokens"]
C = "02bc9097997d81afb2cc7346b5e4345a9346bd2a506eb7958598a72f0cf85163ea"


def test_nut_00_tokens_of_version_3_come_back_to_the_letter() -> None:
    first = decode_token(TOKENS["v3"][0])
    assert (first.mint, first.unit, first.memo) == ("https://8333.space:3338", "sat", "Thank you.")
    assert [one.amount for one in first.proofs] == [2, 8]
    assert encode_token_v3(first) == TOKENS["v3"][0]


@pytest.mark.parametrize("text", TOKENS["v3"])
def test_nut_00_4_tokens_of_version_3_are_read_with_and_without_padding(text: str) -> None:
    assert sum(one.amount for one in decode_token(text).proofs) == 10


@pytest.mark.parametrize("text", TOKENS["v4"])
def test_nut_00_2_tokens_of_version_4_come_back_to_the_letter(text: str) -> None:
    assert encode_token(decode_token(text)) == text.rstrip("=")


def test_nut_00_the_raw_token_comes_out_to_the_byte() -> None:
    assert encode_raw(decode_token(TOKENS["v4"][0])).hex() == TOKENS["raw"]


@pytest.mark.parametrize("text", [*TOKENS["bad"], "", "cashuB", "cashuA", "cashuA!!", "cashuC" + "A" * 20, "cashuBA"])
def test_a_text_that_is_not_a_token_is_refused(text: str) -> None:
    with pytest.raises(InvalidToken):
        decode_token(text)


def test_a_token_keeps_its_proofs_of_honest_signing_and_its_witness() -> None:
    proof = Proof(4, "00ad268c4d1f5826", "a secret", C, '{"signatures":[]}', Dleq("aa" * 32, "bb" * 32, "cc" * 32))
    token = Token("http://127.0.0.1:3333", "loot", (proof,))
    assert decode_token(encode_token(token)) == token
    assert decode_token(encode_token_v3(token)) == token


HOSTILE = [
    {"t": None, "m": "x", "u": "y"},
    {"t": [{"i": "text", "p": []}], "m": "x", "u": "y"},
    {"t": [{"i": b"\0", "p": [{"a": -1, "s": 1, "c": b""}]}], "m": "x", "u": "y"},
    {"t": [{"i": b"\0" * 8, "p": [{"a": 2**70, "s": "s", "c": bytes.fromhex(C)}]}], "m": "x", "u": "y"},
    [1, 2],
    cbor2.CBORTag(35, "a+b"),
]


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_cbor_is_refused(value: object) -> None:
    with pytest.raises(InvalidToken):
        decode_token("cashuB" + base64.urlsafe_b64encode(cbor2.dumps(value)).decode())


@given(data=st.binary(max_size=200), prefix=st.sampled_from(["cashuA", "cashuB"]))
def test_no_bytes_raise_anything_else(data: bytes, prefix: str) -> None:
    with suppress(InvalidToken):
        decode_token(prefix + base64.urlsafe_b64encode(data).decode())


def test_a_deeply_nested_token_is_refused() -> None:
    with pytest.raises(InvalidToken):
        decode_token("cashuB" + base64.urlsafe_b64encode(b"\x81" * 100_000).decode())
