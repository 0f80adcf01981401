"""Keysets (NUT-01, NUT-02): one secret key per amount, derived from the mint's seed, and the id that names them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from coincurve import PrivateKey

LEAGUES = 16  # keysets of unit mana; the league of a token is the number of its keyset
MANA, LOOT = "mana", "loot"
LOOT_AMOUNTS = tuple(1 << bit for bit in range(32))


def keyset_id_v1(keys: Mapping[int, bytes]) -> str:
    """Deprecated by the specification, and still what the 8 bytes of a short token need."""
    return "00" + hashlib.sha256(b"".join(keys[amount] for amount in sorted(keys))).hexdigest()[:14]


def keyset_id_v2(keys: Mapping[int, bytes], unit: str, fee_ppk: int = 0, final_expiry: int | None = None) -> str:
    pairs = ",".join(f"{amount}:{keys[amount].hex()}" for amount in sorted(keys))
    fee = f"|input_fee_ppk:{fee_ppk}" if fee_ppk else ""
    expiry = f"|final_expiry:{final_expiry}" if final_expiry else ""
    return "01" + hashlib.sha256(f"{pairs}|unit:{unit.lower()}{fee}{expiry}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Keyset:
    id: str
    unit: str
    secrets: Mapping[int, PrivateKey]  # by amount
    league: int | None = None  # of mana
    active: bool = True

    @property
    def public(self) -> dict[int, bytes]:
        return {amount: bytes(key.public_key.format()) for amount, key in self.secrets.items()}


def derive_keysets(seed: bytes) -> tuple[Keyset, ...]:
    """All keysets of a mint: mana of every league (one token is one army, so its amount is 1), and loot."""
    mana = [derive_keyset(seed, MANA, (1,), league) for league in range(LEAGUES)]
    return (*mana, derive_keyset(seed, LOOT, LOOT_AMOUNTS, None))


def derive_keyset(seed: bytes, unit: str, amounts: tuple[int, ...], league: int | None) -> Keyset:
    secrets = {amount: derive_key(seed, f"dicehall/mint/{unit}/{league}/{amount}") for amount in amounts}
    public = {amount: bytes(key.public_key.format()) for amount, key in secrets.items()}
    return Keyset(keyset_id_v1(public), unit, secrets, league)


def derive_key(seed: bytes, path: str) -> PrivateKey:
    for attempt in range(256):
        candidate = hmac.digest(seed, f"{path}/{attempt}".encode(), "sha256")
        try:
            return PrivateKey(candidate)
        except ValueError:  # zero or beyond the order of the curve: one in 2^127
            continue
    raise ValueError("No key could be derived.")
