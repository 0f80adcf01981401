"""Bech32 (BIP-173), the checksummed text form in which NIP-19 writes keys and event ids."""

from __future__ import annotations

from collections.abc import Iterable

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
VALUE_OF = {letter: value for value, letter in enumerate(ALPHABET)}
GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
CHECKSUM_LENGTH = 6
MAX_LENGTH = 90  # beyond it the checksum no longer promises to find errors


def encode(prefix: str, data: bytes) -> str:
    values = regroup(data, 8, 5, pad=True)
    residue = polymod([*expand(prefix), *values, *[0] * CHECKSUM_LENGTH]) ^ 1
    checksum = [residue >> 5 * (CHECKSUM_LENGTH - 1 - i) & 31 for i in range(CHECKSUM_LENGTH)]
    return f"{prefix}1" + "".join(ALPHABET[value] for value in [*values, *checksum])


def decode(text: str) -> tuple[str, bytes]:
    """The prefix and the data. ValueError where the text is mixed case, misspelled or padded wrongly."""
    if len(text) > MAX_LENGTH or not text.isascii() or (text.lower() != text and text.upper() != text):
        raise ValueError("This is not valid bech32 text.")
    prefix, separator, rest = text.lower().rpartition("1")
    if not separator or not prefix or len(rest) < CHECKSUM_LENGTH or not set(rest) <= VALUE_OF.keys():
        raise ValueError("This is not valid bech32 text.")
    values = [VALUE_OF[letter] for letter in rest]
    if polymod([*expand(prefix), *values]) != 1:
        raise ValueError("The checksum does not match: at least one letter is wrong.")
    return prefix, bytes(regroup(values[:-CHECKSUM_LENGTH], 5, 8, pad=False))


def expand(prefix: str) -> list[int]:
    codes = prefix.encode("ascii")
    return [*(code >> 5 for code in codes), 0, *(code & 31 for code in codes)]


def polymod(values: Iterable[int]) -> int:
    residue = 1
    for value in values:
        top = residue >> 25
        residue = (residue & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(GENERATORS):
            if top >> bit & 1:
                residue ^= generator
    return residue


def regroup(values: Iterable[int], from_bits: int, to_bits: int, *, pad: bool) -> list[int]:
    """The same bits in groups of another size. Without padding the bits left over must be zero and few."""
    buffer, bits, groups = 0, 0, []
    for value in values:
        buffer, bits = buffer << from_bits | value, bits + from_bits
        while bits >= to_bits:
            bits -= to_bits
            groups.append(buffer >> bits & (1 << to_bits) - 1)
        buffer &= (1 << bits) - 1
    if pad and bits:
        groups.append(buffer << to_bits - bits & (1 << to_bits) - 1)
    elif not pad and (bits >= from_bits or buffer):
        raise ValueError("This is not valid bech32 text.")
    return groups
