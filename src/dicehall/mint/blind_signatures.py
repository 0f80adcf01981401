"""Blind signatures (NUT-00) and the proof that the right key made them (NUT-12).

The wallet blinds Y = hash_to_curve(secret) to B_ = Y + rG, the mint answers C_ = kB_, and the wallet unblinds
C = C_ - rK = kY: a signature of a secret that the mint has never seen.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import lru_cache

from coincurve import PrivateKey, PublicKey

DOMAIN = b"Secp256k1_HashToCurve_Cashu_"
NONCE_DOMAIN = b"Cashu_DLEQ_R_v1"
CURVE_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
MAX_COUNTER = 1 << 16
POINT_BYTES = 33


class InvalidPoint(ValueError):
    """Bytes that are not a compressed point on the curve."""


@dataclass(frozen=True, slots=True)
class DleqProof:
    """That C_ and the mint's public key were made with one and the same secret key."""

    e: bytes
    s: bytes


def read_point(compressed: bytes) -> PublicKey:
    if len(compressed) != POINT_BYTES or compressed[0] not in (2, 3):
        raise InvalidPoint("A point is 33 bytes that begin with 02 or 03.")
    try:
        return PublicKey(compressed)
    except ValueError:
        raise InvalidPoint("This is not a point on the curve.") from None


def hash_to_curve(secret: bytes) -> PublicKey:
    """The point of a secret; the bytes are the UTF-8 of the secret's text."""
    digest = hashlib.sha256(DOMAIN + secret).digest()
    for counter in range(MAX_COUNTER):
        candidate = hashlib.sha256(digest + counter.to_bytes(4, "little")).digest()
        try:
            return PublicKey(b"\x02" + candidate)
        except ValueError:
            continue
    raise InvalidPoint("No point was found for this secret.")


def blind(secret: bytes, factor: PrivateKey) -> PublicKey:
    """B_, which tells the mint nothing of the secret."""
    return PublicKey.combine_keys([hash_to_curve(secret), factor.public_key])


def sign(key: PrivateKey, blinded: PublicKey) -> PublicKey:
    """C_, the mint's signature of what it cannot see."""
    return blinded.multiply(key.secret)


def unblind(signature: PublicKey, factor: PrivateKey, mint_key: PublicKey) -> PublicKey:
    """C, the signature of the secret itself."""
    return PublicKey.combine_keys([signature, negate(mint_key.multiply(factor.secret))])


def is_signature(key: PrivateKey, secret: bytes, signature: PublicKey) -> bool:
    """Whether C = kY: only the mint can tell."""
    return hmac.compare_digest(hash_to_curve(secret).multiply(key.secret).format(), signature.format())


def negate(point: PublicKey) -> PublicKey:
    data = bytearray(point.format())
    data[0] ^= 1  # 02 and 03 are the two points with the same x
    return PublicKey(bytes(data))


# -- NUT-12 -----------------------------------------------------------------------------------------------


def prove(key: PrivateKey, blinded: PublicKey, signature: PublicKey) -> DleqProof:
    """Deterministic, so that a repeated request gets the same proof and no random number can fail."""
    public = key.public_key
    nonce = dleq_nonce(key, public, blinded, signature)
    e = challenge(nonce.public_key, blinded.multiply(nonce.secret), public, signature)
    s = (int.from_bytes(nonce.secret) + int.from_bytes(e) * int.from_bytes(key.secret)) % CURVE_ORDER
    return DleqProof(e, s.to_bytes(32))


def is_proven(proof: DleqProof, mint_key: PublicKey, blinded: PublicKey, signature: PublicKey) -> bool:
    """What a wallet checks: R1 = sG - eA, R2 = sB_ - eC_, and e is the hash of both with A and C_."""
    try:
        first = combine(PrivateKey(proof.s).public_key, negate(mint_key.multiply(proof.e)))
        second = combine(blinded.multiply(proof.s), negate(signature.multiply(proof.e)))
    except ValueError:  # zero, beyond the order of the curve, or a sum at infinity
        return False
    return hmac.compare_digest(proof.e, challenge(first, second, mint_key, signature))


def is_proven_unblinded(
    proof: DleqProof, factor: PrivateKey, secret: bytes, signature: PublicKey, mint_key: PublicKey
) -> bool:
    """The same for somebody who was handed the token: the blinding factor shows what the mint saw."""
    blinded_signature = combine(signature, mint_key.multiply(factor.secret))
    return is_proven(proof, mint_key, blind(secret, factor), blinded_signature)


def combine(one: PublicKey, other: PublicKey) -> PublicKey:
    return PublicKey.combine_keys([one, other])


def challenge(*points: PublicKey) -> bytes:
    text = "".join(point.format(compressed=False).hex() for point in points)
    return hashlib.sha256(text.encode()).digest()


def dleq_nonce(key: PrivateKey, *points: PublicKey) -> PrivateKey:
    data = NONCE_DOMAIN + b"".join(point.format(compressed=False) for point in points)
    for counter in range(256):
        candidate = hmac.digest(key.secret, data + bytes((counter,)), "sha256")
        if 0 < int.from_bytes(candidate) < CURVE_ORDER:
            return PrivateKey(candidate)
    raise InvalidPoint("No nonce was found.")


@lru_cache(maxsize=4096)
def cached_point(secret: bytes) -> bytes:
    """Y in bytes, under which a spent secret is stored."""
    return bytes(hash_to_curve(secret).format())
