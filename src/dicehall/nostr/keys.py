"""Nostr keys: BIP-340 key pairs, their NIP-19 text (npub, nsec, note) and the file a secret key is stored in."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from coincurve import PrivateKey, PublicKeyXOnly

from dicehall.nostr import bech32

KEY_BYTES = 32
SIGNATURE_BYTES = 64
HEX_32 = re.compile(r"[0-9a-f]{64}")


class InvalidKey(ValueError):
    """A text or a file that does not hold a key."""


@dataclass(frozen=True, slots=True)
class SecretKey:
    secret: bytes

    def __post_init__(self) -> None:
        try:
            PrivateKey(self.secret)
        except ValueError:
            raise InvalidKey("A secret key must be 32 bytes, and not zero.") from None
        if len(self.secret) != KEY_BYTES:  # coincurve would pad a shorter one
            raise InvalidKey("A secret key must be 32 bytes, and not zero.")

    def __repr__(self) -> str:
        return f"SecretKey(of {self.npub})"  # never the secret itself: this ends up in logs

    @classmethod
    def generate(cls) -> SecretKey:
        return cls(PrivateKey().secret)

    @classmethod
    def parse(cls, text: str) -> SecretKey:
        """From nsec or 64 hex digits."""
        return cls(parse_32_bytes(text, "nsec"))

    @property
    def public_hex(self) -> str:
        return public_of(self.secret)

    @property
    def npub(self) -> str:
        return npub_of(self.public_hex)

    @property
    def nsec(self) -> str:
        return bech32.encode("nsec", self.secret)

    def sign(self, digest: bytes, randomness: bytes | None = None) -> bytes:
        """A BIP-340 signature of 32 bytes; fresh randomness guards against faults, tests pass their own."""
        fresh = os.urandom(KEY_BYTES) if randomness is None else randomness
        return bytes(signer_of(self.secret).sign_schnorr(digest, fresh))


@lru_cache(maxsize=64)  # making one costs as much as a signature
def signer_of(secret: bytes) -> PrivateKey:
    return PrivateKey(secret)


@lru_cache(maxsize=64)
def public_of(secret: bytes) -> str:
    return str(signer_of(secret).public_key_xonly.format().hex())


@lru_cache(maxsize=4096)  # somebody who sends one event usually sends more
def verifier_of(public_key: bytes) -> PublicKeyXOnly:
    return PublicKeyXOnly(public_key)


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether this is a BIP-340 signature of the message by the key; False for anything malformed."""
    if len(public_key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        return bool(verifier_of(public_key).verify(signature, message))
    except ValueError:  # not a point on the curve
        return False


def is_public_key(public_hex: str) -> bool:
    """Whether it is a point on the curve: half of all numbers are not, and nobody has a secret key for them."""
    try:
        PublicKeyXOnly(bytes.fromhex(public_hex))
    except ValueError:
        return False
    return True


def npub_of(public_hex: str) -> str:
    return bech32.encode("npub", bytes.fromhex(public_hex))


def note_of(event_id: str) -> str:
    return bech32.encode("note", bytes.fromhex(event_id))


def parse_public(text: str) -> str:
    """A public key in hex, from npub or hex."""
    return parse_32_bytes(text, "npub").hex()


def parse_note(text: str) -> str:
    """An event id in hex, from note or hex."""
    return parse_32_bytes(text, "note").hex()


def parse_32_bytes(text: str, prefix: str) -> bytes:
    if HEX_32.fullmatch(text):
        return bytes.fromhex(text)
    try:
        found, data = bech32.decode(text)
    except ValueError as error:
        raise InvalidKey(f"Expected {prefix}1... or 64 hex digits. {error}") from None
    if found != prefix or len(data) != KEY_BYTES:
        raise InvalidKey(f"Expected {prefix}1... or 64 hex digits, but this starts with {found!r}.")
    return data


def create_key_file(path: Path) -> SecretKey:
    """A new key in a new file that only its owner can read. FileExistsError where there is one."""
    key = SecretKey.generate()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(key.nsec + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def read_key_file(path: Path) -> SecretKey:
    if path.stat().st_mode & 0o077:
        raise InvalidKey(f"{path} can be read by others. Run: chmod 600 {path}")
    return SecretKey.parse(path.read_text().strip())
