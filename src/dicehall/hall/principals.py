"""Who somebody is: a principal, in the text form of the Internet Computer.

A principal is a few bytes, and the last of them says where the others come from: 2 after the hash of a public key, 1
after bytes that mean nothing. As text it is their CRC-32 and the bytes themselves in base 32, in groups of five.
"""

from __future__ import annotations

import base64
import hashlib
import zlib

from dicehall.hall.codes import bad

OPAQUE, SELF_AUTHENTICATING = b"\x01", b"\x02"
LONGEST = 29  # bytes
CHECKSUM = 4
GROUP = 5
RANDOM = 9  # bytes of an opaque principal, which makes it as long as a canister's


def of_key(der: bytes) -> str:
    """The principal that belongs to whoever can sign with this key, and to nobody else."""
    return to_text(hashlib.sha224(der).digest() + SELF_AUTHENTICATING)


def opaque(random: bytes) -> str:
    return to_text(random + OPAQUE)


def to_text(principal: bytes) -> str:
    if len(principal) > LONGEST:
        raise bad(f"A principal can have at most {LONGEST} bytes.")
    checked = zlib.crc32(principal).to_bytes(CHECKSUM, "big") + principal
    letters = base64.b32encode(checked).decode().rstrip("=").lower()
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def to_bytes(text: str) -> bytes:
    """The bytes of a principal; refused unless the text is exactly how they are written."""
    letters = text.replace("-", "").upper()
    try:
        principal = base64.b32decode(letters + "=" * (-len(letters) % 8))[CHECKSUM:]
    except ValueError:
        raise bad("This is not a principal.") from None
    if len(principal) > LONGEST or to_text(principal) != text:  # also where the checksum is another
        raise bad("This is not a principal.")
    return principal
