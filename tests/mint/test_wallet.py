"""Our own wallet at a real mint: nothing is lost when an answer is, and nothing is believed unchecked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.mint.messages import Problem
from dicehall.mint.wallet import Refusal, Wallet, WalletError, fetch
from dicehall.nostr.keys import SecretKey
from tests.mint.minting import LiveMint

BO = SecretKey(bytes(31) + b"\6")


@pytest.fixture
def wallet(mint: LiveMint, tmp_path: Path) -> Iterator[Wallet]:
    opened = Wallet(tmp_path / "ann.db", mint.url)
    yield opened
    opened.close()


@pytest.fixture
def other(mint: LiveMint, tmp_path: Path) -> Iterator[Wallet]:
    opened = Wallet(tmp_path / "bo.db", mint.url)
    yield opened
    opened.close()


def test_an_army_of_the_wanted_league_comes_from_the_faucet_and_is_held(wallet: Wallet) -> None:
    army = wallet.get_mana(league=7)
    assert wallet.tokens("mana") == [army]
    told = wallet.verify(army)
    assert (told.valid, told.spent, told.league_id) == (True, False, 7)


def test_a_token_can_be_handed_on(wallet: Wallet, other: Wallet) -> None:
    text = wallet.send([wallet.get_mana()], "mana", "for you")
    assert wallet.balance("mana") == 0
    other.receive(text)
    assert other.balance("mana") == 1
    with pytest.raises(Refusal) as refused:
        wallet.receive(text)
    assert refused.value.code == Problem.ALREADY_SPENT


def test_a_locked_token_is_redeemed_by_its_key_alone(wallet: Wallet, other: Wallet) -> None:
    text = wallet.lock([wallet.get_mana()], "mana", BO.public_hex)
    for key in (None, SecretKey(bytes(31) + b"\7")):
        with pytest.raises(Refusal, match="signature"):
            other.receive(text, key)
    other.receive(text, BO)
    assert (wallet.balance("mana"), other.balance("mana")) == (0, 1)


def test_an_answer_that_is_lost_is_fetched_again(mint: LiveMint, tmp_path: Path) -> None:
    def deaf(url: str, body: bytes | None) -> bytes:
        data = fetch(url, body)
        if url.endswith(("/v1/mint/faucet", "/v1/swap")):
            raise WalletError("The line broke after the mint had answered.")
        return data

    broken = Wallet(tmp_path / "ann.db", mint.url, deaf)
    with pytest.raises(WalletError, match="line broke"):
        broken.get_mana()
    broken.close()
    wallet = Wallet(tmp_path / "ann.db", mint.url)
    assert wallet.balance("mana") == 0
    assert wallet.recover() == 1
    assert wallet.balance("mana") == 1
    assert wallet.recover() == 0
    token = wallet.send(wallet.tokens("mana"), "mana")
    wallet.post = deaf
    with pytest.raises(WalletError, match="line broke"):
        wallet.receive(token)
    wallet.post = fetch
    assert (wallet.recover(), wallet.balance("mana")) == (1, 1)
    wallet.close()


def test_a_refused_request_is_not_sent_again(wallet: Wallet) -> None:
    text = wallet.send([wallet.get_mana()], "mana")
    wallet.receive(text)
    with pytest.raises(Refusal):
        wallet.receive(text)
    assert wallet.recover() == 0


def test_a_token_spent_elsewhere_is_dropped(mint: LiveMint, wallet: Wallet) -> None:
    army = wallet.get_mana()
    body, headers = mint.bind_request(army.secret, army.C, "m-1")
    mint.good("/bind-token", body.encode(), headers)
    assert wallet.refresh("mana") == 1
    assert wallet.balance("mana") == 0


def test_a_mint_that_signs_with_another_key_is_caught(mint: LiveMint, tmp_path: Path) -> None:
    def lying(url: str, body: bytes | None) -> bytes:
        data = fetch(url, body)
        return data.replace(b'"C_":"02', b'"C_":"03') if b'"C_":"02' in data else data.replace(b'"C_":"03', b'"C_":"02')

    wallet = Wallet(tmp_path / "ann.db", mint.url, lying)
    with pytest.raises(WalletError, match="published key"):
        wallet.get_mana()
    assert wallet.balance("mana") == 0
    wallet.close()


def test_keys_that_do_not_fit_their_id_are_refused(mint: LiveMint, tmp_path: Path) -> None:
    wallet = Wallet(tmp_path / "ann.db", mint.url, lambda url, body: fetch(url, body).replace(b'"1":"02', b'"1":"03'))
    with pytest.raises(WalletError, match="do not match its id"):
        wallet.get_mana()
    wallet.close()


def test_a_token_of_another_mint_is_refused(wallet: Wallet, tmp_path: Path) -> None:
    text = wallet.send([wallet.get_mana()], "mana")
    elsewhere = Wallet(tmp_path / "c.db", "http://127.0.0.1:9")
    with pytest.raises(WalletError, match="another mint"):
        elsewhere.receive(text)
    with pytest.raises(WalletError, match="cannot be reached"):
        elsewhere.get_mana()
    elsewhere.close()
