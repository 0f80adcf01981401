"""Keys as a way in.

Ed25519: the hall gives something to sign, and the signature shows who is there. Nostr (BIP-340, secp256k1): an event
signed for one request arrives with it, verified by the caller (NIP-98). All keys are kept in DER.
"""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from dicehall.core.game import Refused
from dicehall.hall.codes import Code, bad
from dicehall.hall.ports import Entropy, PeopleStore
from dicehall.hall.sessions import url_text
from dicehall.table.ports import Clock

RAW = 32  # bytes of a public key
DER = bytes.fromhex("302a300506032b6570032100")  # what stands before them in DER (RFC 8410)
# The same for a point of secp256k1 in its compressed form. A Nostr key is the x of the point whose y is even: 02.
NOSTR_DER = bytes.fromhex("3036301006072a8648ce3d020106052b8104000a032200") + b"\x02"
SIGNATURE = 64
BYTES = 32  # of a challenge
LIFE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Challenge:
    text: str
    expires: int  # ms


@dataclass(frozen=True, slots=True)
class SignedEvent:
    """A verified Nostr event by which somebody signs in or adds a key: good for one request."""

    id: bytes
    key: bytes  # of its author, in DER
    npub: str
    expires: int  # ms; from then on it is refused for its age alone


@dataclass(frozen=True, slots=True)
class Challenges:
    store: PeopleStore
    clock: Clock
    entropy: Entropy

    async def give(self, public_key: bytes) -> Challenge:
        """Something new to sign, for this key alone, once, within a minute."""
        key, now = to_der(public_key), self.clock.now()
        challenge = Challenge(url_text(self.entropy.draw(BYTES)), now + LIFE_MS)
        await self.store.add_challenge(challenge.text, key, challenge.expires, now)
        return challenge

    async def answered(self, challenge: str, signature: bytes) -> bytes:
        """The key (DER) that signed; whatever the signature is, the challenge is used up."""
        key = await self.store.take_challenge(challenge, self.clock.now())
        if key is None:
            raise Refused(Code.NOT_ALLOWED, "This challenge is unknown, used or expired. Ask for a new one.")
        if not signed(key, challenge, signature):
            raise Refused(Code.NOT_ALLOWED, "The signature does not belong to this key and challenge.")
        return key


def to_der(public_key: bytes) -> bytes:
    """A public key in DER, given so or as its 32 bytes alone."""
    der = DER + public_key if len(public_key) == RAW else public_key
    if len(der) != len(DER) + RAW or not der.startswith(DER):
        raise bad("An Ed25519 public key must be 32 bytes, or 44 bytes in DER.")
    return der


def nostr_to_der(public_key: bytes) -> bytes:
    if len(public_key) != RAW:
        raise bad("A Nostr public key must be 32 bytes.")
    return NOSTR_DER + public_key


def nostr_from_der(key: bytes) -> bytes | None:
    """The 32 bytes of a Nostr key; None for a key of another kind."""
    return key[len(NOSTR_DER) :] if key.startswith(NOSTR_DER) else None


def message(challenge: str) -> bytes:
    """What is signed; the first line keeps the signature from meaning anything elsewhere."""
    return f"dicehall/key\n{challenge}".encode()


def signed(key: bytes, challenge: str, signature: bytes) -> bool:
    if len(signature) != SIGNATURE:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key[len(DER) :]).verify(signature, message(challenge))
    except (InvalidSignature, ValueError):  # a ValueError: 32 bytes that are no key
        return False
    return True
