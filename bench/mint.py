"""Signatures of Nostr and the mint, as ratios to bare libsecp256k1 in the same run.

    python bench/mint.py [ROUNDS]

Prints one JSON line. Reach: an event is read and verified at half the rate of a bare `verify` or better, and
`verify-token` (all sixteen leagues tried, with the ledger) takes less than 2 ms.
"""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from coincurve import PrivateKey, PublicKeyXOnly

from dicehall.mint.blind_signatures import blind, hash_to_curve
from dicehall.mint.keysets import derive_keysets
from dicehall.mint.ledger import Ledger
from dicehall.mint.messages import BlindedMessage, Proof, SwapRequest, VerifyRequest
from dicehall.mint.mint import Mint, Settings
from dicehall.nostr.events import encode_event, read_event, sign_event
from dicehall.nostr.keys import SecretKey

ROUNDS = 1000


def seconds_each(work: Callable[[], object], rounds: int) -> float:
    """CPU time, so that others on the machine matter little."""
    begun = process_time()
    for _ in range(rounds):
        work()
    return (process_time() - begun) / rounds


def token_of(mint: Mint, league: int) -> Proof:
    """A token signed here, without a wallet."""
    keyset = next(one for one in mint.keysets.values() if one.league == league)
    secret = secrets.token_hex(32)
    signature = hash_to_curve(secret.encode()).multiply(keyset.secrets[1].secret)
    return Proof(1, keyset.id, secret, signature.format().hex())


def main(rounds: int) -> int:
    key = SecretKey.generate()
    event = sign_event(key, 1_700_000_000, 1, (("t", "mana-strategy"), ("d", "m")), "a short note")
    data, digest = encode_event(event), bytes.fromhex(event.id)
    public, signature = bytes.fromhex(event.pubkey), bytes.fromhex(event.sig)
    bare = PrivateKey(key.secret)
    bare_verify = seconds_each(lambda: PublicKeyXOnly(public).verify(signature, digest), rounds)
    bare_sign = seconds_each(lambda: bare.sign_schnorr(digest, digest), rounds)
    verify_event = seconds_each(lambda: read_event(data), rounds)
    make_event = seconds_each(lambda: sign_event(key, 1, 1, (), "a short note"), rounds)
    with tempfile.TemporaryDirectory() as folder:
        mint = new_mint(Path(folder))
        tokens = [token_of(mint, 15) for _ in range(100)]
        asked = iter([VerifyRequest(one.secret, one.C) for one in tokens])
        verify_token = seconds_each(lambda: mint.verify_token(next(asked)), len(tokens))
        swaps = iter([swap_of(one) for one in tokens])
        swap = seconds_each(lambda: mint.swap(next(swaps)), len(tokens))
        mint.ledger.close()
    told = {
        "bench": "mint",
        "us": {
            "bare verify": round(bare_verify * 1e6, 1),
            "bare sign": round(bare_sign * 1e6, 1),
            "read and verify an event": round(verify_event * 1e6, 1),
            "sign an event": round(make_event * 1e6, 1),
            "verify-token": round(verify_token * 1e6, 1),
            "swap": round(swap * 1e6, 1),
        },
        "ratio": {
            "event to bare verify": round(bare_verify / verify_event, 2),
            "event to bare sign": round(bare_sign / make_event, 2),
            "verify-token to bare verify": round(bare_verify / verify_token, 3),
            "swap to bare verify": round(bare_verify / swap, 3),
        },
        "enough": bare_verify / verify_event >= 0.5 and verify_token < 0.002,
    }
    print(json.dumps(told))
    return 0


def new_mint(folder: Path) -> Mint:
    keysets = {one.id: one for one in derive_keysets(b"a seed for measuring")}
    return Mint(keysets, Ledger(folder / "mint.db"), Settings(), lambda: 0, lambda: secrets.token_hex(16))


def swap_of(token: Proof) -> SwapRequest:
    blinded = blind(secrets.token_hex(32).encode(), PrivateKey()).format().hex()
    return SwapRequest((token,), (BlindedMessage(1, token.id, blinded),))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS))
