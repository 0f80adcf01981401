"""What a player needs from its mint: an army to play with, leagues, and loot redeemed exactly once.

The wallet speaks plain HTTP and waits for the answer, so every call here runs in a thread of its own.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeVar

from dicehall.games.mana.commitments import SECRET
from dicehall.games.mana.units import Army, army, league_of, token_digest
from dicehall.mint.keysets import LOOT, MANA
from dicehall.mint.messages import Proof, States
from dicehall.mint.tokens import InvalidToken, decode_token
from dicehall.mint.wallet import Refusal, Wallet, WalletError, hash_of, signed
from dicehall.nostr.keys import SecretKey

T = TypeVar("T")


class BadLoot(Exception):
    """Loot that nobody can redeem; the sentence says why."""


class LockedToOther(BadLoot):
    """Loot that another key can redeem."""

    def __init__(self, owner: str) -> None:
        super().__init__("it is locked to another key")
        self.owner = owner  # hex


@dataclass(slots=True, eq=False)
class Purse:
    """One player's wallet, used by one call at a time."""

    wallet: Wallet
    key: SecretKey
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, work: Callable[[], T]) -> T:
        async with self.turn:
            return await asyncio.to_thread(work)

    async def recover(self) -> None:
        """Ask again for what an earlier run was promised and did not hear of."""
        await self.run(self.recover_now)

    def recover_now(self) -> None:
        while self.wallet.unanswered():
            try:
                self.wallet.recover()
            except Refusal:  # that request will never be answered, and the wallet has dropped it
                continue

    async def find_army(self, taken: Collection[str]) -> Proof | None:
        """A token from the wallet that no match has used."""
        return await self.run(lambda: self.find_army_now(taken))

    def find_army_now(self, taken: Collection[str]) -> Proof | None:
        self.wallet.refresh(MANA)
        return next((one for one in self.wallet.tokens(MANA) if is_army(one) and one.secret not in taken), None)

    async def from_faucet(self) -> Proof:
        return await self.run(self.wallet.get_mana)

    async def from_text(self, text: str) -> Proof:
        """A pasted token, swapped for a new one: whoever gave it can no longer use it."""
        return await self.run(lambda: self.from_text_now(text))

    def from_text_now(self, text: str) -> Proof:
        try:
            token = decode_token(text.strip())
        except InvalidToken as error:
            raise WalletError(f"This is not a token: {error}") from None
        if token.unit != MANA:
            raise WalletError(f"This is a token of {token.unit}; an army is a token of {MANA}.")
        return self.receive(token.proofs, MANA)[0]

    async def league(self, keyset: str) -> int | None:
        """None where the mint has no such keyset; WalletError where it cannot be asked."""
        return await self.run(lambda: self.league_now(keyset))

    def league_now(self, keyset: str) -> int | None:
        if keyset not in self.wallet.keysets:
            self.wallet.load_keys()
        keys = self.wallet.keysets.get(keyset)
        return None if keys is None else keys.league

    async def army_of(self, proof: Proof) -> tuple[int, Army]:
        league = await self.run(lambda: self.wallet.known(proof.id).league)
        if league is None:
            raise WalletError("This token is not an army: its keyset has no league.")
        digest = token_digest(bytes.fromhex(proof.secret), bytes.fromhex(proof.C))
        return league_of(league), army(digest, league)

    async def is_bound(self, secret: str, C: str, keyset: str, match_id: str) -> bool:
        """Whether the mint signed this token and has spent it for this match (M9)."""
        found = await self.run(lambda: self.wallet.verify(Proof(1, keyset, secret, C), match_id))
        return found.valid and found.bound_to == match_id

    async def redeem(self, text: str) -> int:
        """The value of the loot, once it is in this wallet."""
        return await self.run(lambda: self.redeem_now(text))

    def redeem_now(self, text: str) -> int:
        self.recover_now()
        try:
            token = decode_token(text)
        except InvalidToken as error:
            raise BadLoot(f"it is not a token: {error}") from None
        if token.unit != LOOT:
            raise BadLoot(f"it is a token of {token.unit}, not of {LOOT}")
        owners = {owner_of(one) for one in token.proofs}
        for owner in owners - {self.key.public_hex, None}:
            raise LockedToOther(str(owner))
        try:
            if not self.is_spent(token.proofs):
                self.receive(token.proofs, LOOT)
        except Refusal as refusal:
            raise BadLoot(f"the mint refused it: {refusal}") from None
        return sum(one.amount for one in token.proofs)

    def is_spent(self, proofs: Collection[Proof]) -> bool:
        """Only the owner of our key can spend tokens locked to it, so a crash came between the swap and its note."""
        points = [hash_of(one) for one in proofs]
        states = self.wallet.ask("/v1/checkstate", {"Ys": points}, States).states
        return all(one.state == "SPENT" for one in states) and all(is_locked_to(one, self.key) for one in proofs)

    def receive(self, proofs: Collection[Proof], unit: str) -> list[Proof]:
        """A mint may have several addresses; its keysets say which mint it is."""
        for one in proofs:
            self.wallet.known(one.id)  # or WalletError
        inputs = [signed(one, self.key) if is_locked_to(one, self.key) else one for one in proofs]
        return self.wallet.swap_for_new(inputs, unit)

    async def balance(self, unit: str = LOOT) -> int:
        return await self.run(lambda: self.wallet.balance(unit))


def is_army(proof: Proof) -> bool:
    return proof.amount == 1 and bool(SECRET.fullmatch(proof.secret))


def is_locked_to(proof: Proof, key: SecretKey) -> bool:
    return owner_of(proof) == key.public_hex


def owner_of(proof: Proof) -> str | None:
    """The x-only key to which a token is locked (NUT-11), without the parity that Nostr keys do not have."""
    try:
        kind, condition = json.loads(proof.secret)
        return str(condition["data"])[2:] if kind == "P2PK" else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None  # an ordinary secret
