"""What a player does at its mint: armies for matches, and loot redeemed once whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from dicehall.mint.blinding import locked_secret
from dicehall.mint.keysets import LOOT, MANA
from dicehall.mint.messages import Proof
from dicehall.mint.tokens import Token, encode_token
from dicehall.mint.wallet import Wallet, WalletError
from dicehall.nostr.keys import SecretKey
from dicehall.player.tokens import BadLoot, LockedToOther, Purse
from tests.mint.minting import REFEREE, LiveMint, live_mint, sign

ANN, BO = SecretKey(bytes(31) + b"\1"), SecretKey(bytes(31) + b"\2")


@pytest.fixture(scope="module")
def mint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveMint]:
    with live_mint(tmp_path_factory.mktemp("mint")) as live:
        yield live


@pytest.fixture
def wallet(mint: LiveMint, tmp_path: Path) -> Iterator[Wallet]:
    wallet = Wallet(tmp_path / "wallet.db", mint.url, any_thread=True)
    yield wallet
    wallet.close()


@pytest.fixture
def purse(wallet: Wallet) -> Purse:
    return Purse(wallet, ANN)


def loot(mint: LiveMint, owner: SecretKey | None, url: str | None = None) -> str:
    """Eight loot as the referee pays it."""
    secret = None if owner is None else locked_secret(owner.public_hex)
    output, quote = mint.output("loot", 8, secret=secret), mint.loot_quote(8)
    signature = sign(REFEREE, quote, [output])
    answer = mint.good("/v1/mint/loot", {"quote": quote, "outputs": [output.message], "signature": signature})
    proofs = tuple(msgspec.convert(one.proof, Proof) for one in mint.unblind([output], answer))
    return encode_token(Token(url or mint.url, LOOT, proofs))


def test_loot_locked_to_the_player_is_redeemed_once_and_counted_once(mint: LiveMint, purse: Purse) -> None:
    text = loot(mint, ANN)
    assert asyncio.run(purse.redeem(text)) == 8
    assert asyncio.run(purse.redeem(text)) == 8  # after a crash between the swap and the note of it
    assert purse.wallet.balance(LOOT) == 8


def test_an_answer_that_was_lost_is_asked_for_again(mint: LiveMint, purse: Purse) -> None:
    text, post = loot(mint, ANN), purse.wallet.post

    def lost(url: str, body: bytes | None) -> bytes:
        answer = post(url, body)
        if url.endswith("/v1/swap"):
            raise WalletError("The line was cut.")
        return answer

    purse.wallet.post = lost
    with pytest.raises(WalletError):
        asyncio.run(purse.redeem(text))
    purse.wallet.post = post
    assert asyncio.run(purse.redeem(text)) == 8
    assert purse.wallet.balance(LOOT) == 8


def test_a_mint_under_another_address_is_known_by_its_keysets(mint: LiveMint, purse: Purse) -> None:
    assert asyncio.run(purse.redeem(loot(mint, ANN, "http://mint.example.org"))) == 8


def test_loot_locked_to_somebody_else_is_told_apart(mint: LiveMint, purse: Purse) -> None:
    with pytest.raises(LockedToOther) as locked:
        asyncio.run(purse.redeem(loot(mint, BO)))
    assert locked.value.owner == BO.public_hex


def test_loot_that_somebody_else_has_spent_is_bad(mint: LiveMint, purse: Purse, tmp_path: Path) -> None:
    text, thief = loot(mint, None), Wallet(tmp_path / "thief.db", mint.url)
    thief.receive(text)
    thief.close()
    with pytest.raises(BadLoot, match="spent"):
        asyncio.run(purse.redeem(text))


def test_what_is_not_loot_is_bad(mint: LiveMint, purse: Purse) -> None:
    mana = purse.wallet.send([asyncio.run(purse.from_faucet())], MANA)
    for text, told in (("hello", "not a token"), (mana, "a token of mana")):
        with pytest.raises(BadLoot, match=told):
            asyncio.run(purse.redeem(text))


def test_an_army_is_taken_from_the_wallet_unless_a_match_has_it_or_it_is_spent(mint: LiveMint, purse: Purse) -> None:
    first, second = (asyncio.run(purse.from_faucet()) for _ in range(2))
    assert asyncio.run(purse.find_army({first.secret})) == second
    assert asyncio.run(purse.find_army({first.secret, second.secret})) is None
    mint.good("/bind-token", *binding(mint, first))
    assert asyncio.run(purse.find_army(set())) == second


def binding(mint: LiveMint, proof: Proof) -> tuple[bytes, dict[str, str]]:
    body, headers = mint.bind_request(proof.secret, proof.C, "m1")
    return body.encode(), headers


def test_only_a_token_that_is_bound_to_the_match_counts_as_bound(mint: LiveMint, purse: Purse) -> None:
    proof = asyncio.run(purse.from_faucet())
    token = proof.secret, proof.C, proof.id
    assert not asyncio.run(purse.is_bound(*token, "m1"))
    mint.good("/bind-token", *binding(mint, proof))
    assert asyncio.run(purse.is_bound(*token, "m1"))
    assert not asyncio.run(purse.is_bound(*token, "m2"))
    assert not asyncio.run(purse.is_bound("ab" * 32, proof.C, proof.id, "m1"))


def test_a_pasted_token_of_another_unit_or_mint_is_refused_with_a_sentence(mint: LiveMint, purse: Purse) -> None:
    foreign = Proof(1, "00" * 8, "ab" * 32, "02" + "cd" * 32)
    texts = {
        "This is not a token": "cashuBx",
        "an army is a token of mana": loot(mint, None),
        "does not know the keyset": encode_token(Token("http://elsewhere", MANA, (foreign,))),
    }
    for sentence, text in texts.items():
        with pytest.raises(WalletError, match=sentence):
            asyncio.run(purse.from_text(text))


def test_a_request_that_the_mint_will_never_answer_does_not_stop_the_others(mint: LiveMint, purse: Purse) -> None:
    proof = asyncio.run(purse.from_faucet())
    wallet, post = purse.wallet, purse.wallet.post

    def away(url: str, body: bytes | None) -> bytes:
        raise WalletError("The mint cannot be reached.")

    wallet.known(proof.id)
    wallet.post = away
    forged = msgspec.structs.replace(proof, secret="ab" * 32)
    for one in (forged, proof):
        with pytest.raises(WalletError):
            wallet.swap_for_new([one], MANA)
    wallet.post = post
    asyncio.run(purse.recover())
    assert wallet.unanswered() == []
    assert len(wallet.tokens(MANA)) == 1
