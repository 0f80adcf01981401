"""Keys: BIP-340 by its own vectors, NIP-19 text, and the file a secret is stored in."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicehall.nostr import bech32
from dicehall.nostr.keys import (
    InvalidKey,
    SecretKey,
    create_key_file,
    note_of,
    npub_of,
    parse_note,
    parse_public,
    read_key_file,
    verify,
)

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "bip340.json").read_text())
SIGNED = [row for row in VECTORS if row["secret"] and len(row["message"]) == 64]  # what Nostr signs has 32 bytes
PUBLIC = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
NPUB = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
SECRET = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"
NSEC = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"


@pytest.mark.parametrize("row", VECTORS, ids=[f"bip340-{row['index']}" for row in VECTORS])
def test_all_19_vectors_of_bip340_are_judged_as_written(row: dict[str, Any]) -> None:
    judged = verify(bytes.fromhex(row["public"]), bytes.fromhex(row["signature"]), bytes.fromhex(row["message"]))
    assert judged is row["valid"]


@pytest.mark.parametrize("row", SIGNED, ids=[f"bip340-{row['index']}" for row in SIGNED])
def test_signing_gives_the_signature_of_the_vector(row: dict[str, Any]) -> None:
    key = SecretKey(bytes.fromhex(row["secret"]))
    assert key.public_hex == row["public"]
    assert key.sign(bytes.fromhex(row["message"]), bytes.fromhex(row["aux"])).hex() == row["signature"]


def test_npub_and_nsec_are_those_of_nip_19() -> None:
    assert npub_of(PUBLIC) == NPUB
    assert parse_public(NPUB) == parse_public(PUBLIC) == PUBLIC
    assert SecretKey.parse(NSEC).secret.hex() == SECRET
    assert SecretKey.parse(SECRET).nsec == NSEC


def test_a_note_names_an_event() -> None:
    assert parse_note(note_of(PUBLIC)) == PUBLIC


@pytest.mark.parametrize(
    "text",
    [
        "",
        "npub1",
        NPUB[:-1],
        NPUB[:-1] + "q",
        NPUB.replace("0", "O"),
        NPUB[:20].upper() + NPUB[20:],
        NSEC,
        PUBLIC[:-1],
        "ü",
    ],
)
def test_a_misspelled_public_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidKey):
        parse_public(text)


def test_text_in_capitals_is_the_same_key() -> None:
    assert parse_public(NPUB.upper()) == PUBLIC


@given(data=st.binary(max_size=40), prefix=st.sampled_from(["npub", "note", "a1b"]))
def test_bech32_text_comes_back_as_what_it_was(data: bytes, prefix: str) -> None:
    assert bech32.decode(bech32.encode(prefix, data)) == (prefix, data)


@given(data=st.binary(min_size=32, max_size=32), at=st.integers(5, 62), by=st.integers(1, 31))
def test_any_changed_letter_is_noticed(data: bytes, at: int, by: int) -> None:
    text = bech32.encode("npub", data)
    letter = bech32.ALPHABET[(bech32.VALUE_OF[text[at]] + by) % 32]
    with pytest.raises(ValueError, match="checksum"):
        bech32.decode(text[:at] + letter + text[at + 1 :])


@pytest.mark.parametrize("secret", [b"", b"\0" * 32, b"\xff" * 32, b"\1" * 31, b"\1" * 33])
def test_bytes_that_are_not_a_secret_key_are_refused(secret: bytes) -> None:
    with pytest.raises(InvalidKey):
        SecretKey(secret)


def test_a_key_file_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "nostr.key"
    key = create_key_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_key_file(path) == key


def test_an_existing_key_is_never_overwritten(tmp_path: Path) -> None:
    key = create_key_file(tmp_path / "key")
    with pytest.raises(FileExistsError):
        create_key_file(tmp_path / "key")
    assert read_key_file(tmp_path / "key") == key


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    create_key_file(tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(InvalidKey, match="chmod 600"):
        read_key_file(tmp_path / "key")


def test_a_secret_does_not_get_into_logs() -> None:
    key = SecretKey.parse(NSEC)
    assert SECRET not in repr(key)
    assert NSEC not in f"{key}"
