"""Principals, against the vectors of the Internet Computer and against ic-py, which is not ours."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ic.identity import Identity
from ic.principal import Principal

from dicehall.core.game import Refused
from dicehall.hall import principals
from dicehall.hall.keys import message, signed, to_der

KNOWN = {
    "aaaaa-aa": "",
    "2vxsx-fae": "04",
    "ryjl3-tyaaa-aaaaa-aaaba-cai": "00000000000000020101",
}
LEDGER = "ryjl3-tyaaa-aaaaa-aaaba-cai"


@pytest.mark.parametrize(("text", "bytes_"), KNOWN.items())
def test_well_known_principals_read_and_write_as_published(text: str, bytes_: str) -> None:
    assert principals.to_text(bytes.fromhex(bytes_)) == text
    assert principals.to_bytes(text) == bytes.fromhex(bytes_)


@given(st.binary(max_size=29))
def test_every_principal_reads_as_ic_py_writes_it(principal: bytes) -> None:
    text = Principal(bytes=principal).to_str()
    assert principals.to_text(principal) == text
    assert principals.to_bytes(text) == principal
    assert Principal.from_str(principals.to_text(principal)).bytes == principal


@given(st.binary(min_size=1, max_size=100))
def test_the_principal_of_a_key_is_the_one_that_ic_py_computes(der: bytes) -> None:
    assert principals.of_key(der) == Principal.self_authenticating(der).to_str()
    assert principals.to_bytes(principals.of_key(der)) == hashlib.sha224(der).digest() + b"\x02"


def test_a_key_made_by_ic_py_has_the_same_der_the_same_principal_and_a_signature_that_counts() -> None:
    identity = Identity(type="ed25519")
    der, signature = identity.sign(message("a challenge"))
    assert to_der(der[-32:]) == to_der(der) == der
    assert principals.of_key(der) == identity.sender().to_str()
    assert signed(der, "a challenge", signature)
    assert not signed(der, "another challenge", signature)


def test_an_opaque_principal_ends_with_1_and_looks_like_a_canister() -> None:
    text = principals.opaque(bytes(range(principals.RANDOM)))
    assert principals.to_bytes(text) == bytes(range(9)) + b"\x01"
    assert [len(group) for group in text.split("-")] == [len(group) for group in LEDGER.split("-")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "aaaaa",
        "aaaaa-ab",
        "aaaaaaa",
        "aaa-aaaa",
        "-aaaaa-aa",
        "aaaaa-aa-",
        "AAAAA-AA",
        "aaaaa-aa ",
        "2vxsx-fa1",
        "2vxsx-fée",
        LEDGER.replace("-", ""),
        LEDGER.upper(),
        LEDGER.replace("tyaaa", "tyaab"),
        "not a principal at all",
        "a" * 1000,
    ],
)
def test_what_is_not_exactly_a_principal_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        principals.to_bytes(text)
    assert refused.value.code == "bad_request"


@given(st.binary(min_size=1, max_size=29), st.data())
def test_one_wrong_letter_is_always_noticed(principal: bytes, data: st.DataObject) -> None:
    text = principals.to_text(principal)
    at = data.draw(st.sampled_from([at for at, letter in enumerate(text) if letter != "-"]))
    other = data.draw(st.sampled_from([letter for letter in "abcdefghijklmnopqrstuvwxyz234567" if letter != text[at]]))
    with pytest.raises(Refused, match="not a principal"):
        principals.to_bytes(text[:at] + other + text[at + 1 :])


def test_thirty_bytes_are_too_many_to_write_and_to_read() -> None:
    with pytest.raises(Refused, match="at most 29"):
        principals.to_text(bytes(30))
    with pytest.raises(Refused, match="not a principal"):
        principals.to_bytes(Principal(bytes=bytes(30)).to_str())
