"""Attacks over raw HTTP. Each is refused by a guard of its own, and its honest twin, one change away, is accepted."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dicehall.mint.blind_signatures import hash_to_curve
from dicehall.mint.messages import Problem
from tests.mint.minting import REFEREE, STRANGER, LiveMint, Output, live_mint, sign


def outputs_worth(mint: LiveMint, *amounts: int) -> list[Output]:
    return [mint.output("loot", amount) for amount in amounts]


def messages(outputs: list[Output]) -> list[dict[str, object]]:
    return [one.message for one in outputs]


def test_loot_cannot_be_had_through_another_method(mint: LiveMint) -> None:
    assert mint.refused("/v1/mint/quote/faucet", {"amount": 8, "unit": "loot"}) == Problem.UNIT_NOT_SUPPORTED
    assert mint.refused("/v1/mint/quote/bolt11", {"amount": 8, "unit": "loot"}) == Problem.MINTING_DISABLED
    quote, outputs = mint.loot_quote(), outputs_worth(mint, 8)
    signed = {"quote": quote, "outputs": messages(outputs), "signature": sign(REFEREE, quote, outputs)}
    assert mint.refused("/v1/mint/faucet", signed) == Problem.NOT_FOUND
    assert mint.good("/v1/mint/loot", signed)["signatures"]


def test_a_loot_quote_without_a_public_key_is_refused(mint: LiveMint) -> None:
    assert mint.refused("/v1/mint/quote/loot", {"amount": 8, "unit": "loot"}) == Problem.PUBKEY_REQUIRED


@pytest.mark.parametrize("parity", ["02", "03"])
def test_a_loot_quote_for_another_key_than_the_referees_is_refused(mint: LiveMint, parity: str) -> None:
    body = {"amount": 8, "unit": "loot", "pubkey": parity + STRANGER.public_hex}
    assert mint.refused("/v1/mint/quote/loot", body) == Problem.PUBKEY_REQUIRED
    assert mint.good("/v1/mint/quote/loot", body | {"pubkey": parity + REFEREE.public_hex})["state"] == "PAID"


def test_loot_without_a_signature_is_refused(mint: LiveMint) -> None:
    quote, outputs = mint.loot_quote(), outputs_worth(mint, 8)
    request = {"quote": quote, "outputs": messages(outputs)}
    assert mint.refused("/v1/mint/loot", request) == Problem.INVALID_SIGNATURE


def test_loot_with_a_strangers_signature_is_refused(mint: LiveMint) -> None:
    quote, outputs = mint.loot_quote(), outputs_worth(mint, 8)
    request = {"quote": quote, "outputs": messages(outputs)}
    assert mint.refused("/v1/mint/loot", request | {"signature": sign(STRANGER, quote, outputs)}) == 20008
    assert mint.good("/v1/mint/loot", request | {"signature": sign(REFEREE, quote, outputs)})


def test_a_signature_over_other_outputs_is_refused(mint: LiveMint) -> None:
    quote, promised, mine = mint.loot_quote(), outputs_worth(mint, 8), outputs_worth(mint, 8)
    request = {"quote": quote, "outputs": messages(mine), "signature": sign(REFEREE, quote, promised)}
    assert mint.refused("/v1/mint/loot", request) == Problem.INVALID_SIGNATURE


def test_a_signature_for_another_quote_is_refused(mint: LiveMint) -> None:
    one, other, outputs = mint.loot_quote(), mint.loot_quote(), outputs_worth(mint, 8)
    request = {"quote": one, "outputs": messages(outputs), "signature": sign(REFEREE, other, outputs)}
    assert mint.refused("/v1/mint/loot", request) == Problem.INVALID_SIGNATURE


def test_more_than_the_quoted_amount_is_refused(mint: LiveMint) -> None:
    quote, outputs = mint.loot_quote(8), outputs_worth(mint, 8, 1)
    request = {"quote": quote, "outputs": messages(outputs), "signature": sign(REFEREE, quote, outputs)}
    assert mint.refused("/v1/mint/loot", request) == Problem.NOT_BALANCED


def test_more_than_the_limit_of_a_match_is_refused(mint: LiveMint) -> None:
    body = {"amount": 1001, "unit": "loot", "pubkey": "02" + REFEREE.public_hex}
    assert mint.refused("/v1/mint/quote/loot", body) == Problem.AMOUNT_OUT_OF_RANGE


def test_a_quote_cannot_be_used_for_a_second_set_of_outputs(mint: LiveMint) -> None:
    quote, first, second = mint.loot_quote(), outputs_worth(mint, 8), outputs_worth(mint, 8)
    request = {"quote": quote, "outputs": messages(first), "signature": sign(REFEREE, quote, first)}
    answer = mint.good("/v1/mint/loot", request)
    again = {"quote": quote, "outputs": messages(second), "signature": sign(REFEREE, quote, second)}
    assert mint.refused("/v1/mint/loot", again) == Problem.ALREADY_ISSUED
    assert mint.good("/v1/mint/loot", request) == answer, "the same request gets the same signatures"


def test_mana_cannot_be_swapped_for_loot(mint: LiveMint) -> None:
    token = mint.army()
    body = {"inputs": [token.proof], "outputs": messages(outputs_worth(mint, 1))}
    assert mint.refused("/v1/swap", body) == Problem.UNITS_DIFFER
    assert mint.good("/v1/swap", {"inputs": [token.proof], "outputs": [mint.output("mana").message]})


def test_loot_outputs_on_a_mana_quote_are_refused(mint: LiveMint) -> None:
    quote = mint.good("/v1/mint/quote/faucet", {"amount": 1, "unit": "mana"})["quote"]
    request = {"quote": quote, "outputs": messages(outputs_worth(mint, 1))}
    assert mint.refused("/v1/mint/faucet", request) == Problem.UNITS_DIFFER


def test_a_forged_token_is_refused(mint: LiveMint) -> None:
    token = mint.army()
    output = mint.output("mana").message
    forged = hash_to_curve(b"anything").format().hex()
    for change in ({"C": forged}, {"secret": "00" * 32}, {"id": mint.keyset("mana", 1)}):
        assert mint.refused("/v1/swap", {"inputs": [token.proof | change], "outputs": [output]}) == 10001
    assert mint.good("/v1/swap", {"inputs": [token.proof], "outputs": [output]})


def test_one_token_twice_in_a_swap_is_refused(mint: LiveMint) -> None:
    token = mint.army()
    outputs = [mint.output("mana").message, mint.output("mana").message]
    assert mint.refused("/v1/swap", {"inputs": [token.proof] * 2, "outputs": outputs}) == Problem.DUPLICATE_INPUTS


def test_a_token_that_claims_a_larger_amount_is_refused(mint: LiveMint) -> None:
    quote, outputs = mint.loot_quote(1), outputs_worth(mint, 1)
    request = {"quote": quote, "outputs": messages(outputs), "signature": sign(REFEREE, quote, outputs)}
    token = mint.unblind(outputs, mint.good("/v1/mint/loot", request))[0]
    swap = {"inputs": [token.proof | {"amount": 1024}], "outputs": messages(outputs_worth(mint, 1024))}
    assert mint.refused("/v1/swap", swap) == Problem.INVALID_PROOF


def test_a_swap_that_makes_value_is_refused(mint: LiveMint) -> None:
    token = mint.army()
    outputs = [mint.output("mana").message, mint.output("mana").message]
    assert mint.refused("/v1/swap", {"inputs": [token.proof], "outputs": outputs}) == Problem.NOT_BALANCED


def test_of_many_spends_of_one_token_at_the_same_moment_one_wins(mint: LiveMint) -> None:
    token = mint.army()
    barrier = threading.Barrier(6)
    answers: list[int] = []

    def spend() -> None:
        body = {"inputs": [token.proof], "outputs": [mint.output("mana").message]}
        barrier.wait()
        answers.append(mint.ask("POST", "/v1/swap", body)[0])

    threads = [threading.Thread(target=spend) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 400, 400, 400, 400, 400]


def test_somebody_who_reads_a_reveal_cannot_bind_its_token_to_another_match(mint: LiveMint) -> None:
    token = mint.army()
    body, _ = mint.bind(token, "mine")
    assert mint.refused("/bind-token", body.encode()) == Problem.NOT_AUTHORIZED
    stolen_body, stolen = mint.bind(token, "mine", STRANGER)
    assert mint.refused("/bind-token", stolen_body.encode(), stolen) == Problem.NOT_AUTHORIZED
    genuine_body, genuine = mint.bind(token, "theirs")
    assert mint.refused("/bind-token", body.encode(), genuine) == Problem.NOT_AUTHORIZED, "signed for another body"
    assert mint.good("/bind-token", genuine_body.encode(), genuine)["bound_to"] == "theirs"
    assert mint.refused("/bind-token", genuine_body.encode(), genuine) == Problem.NOT_AUTHORIZED, "used twice"
    assert mint.refused("/bind-token", *as_bytes(mint.bind(token, "other"))) == Problem.BOUND_ELSEWHERE
    mint.clock.now_s += 1
    assert mint.good("/bind-token", *as_bytes(mint.bind(token, "theirs")))["bound_to"] == "theirs", (
        "asking again is fine"
    )


def as_bytes(request: tuple[str, dict[str, str]]) -> tuple[bytes, dict[str, str]]:
    return request[0].encode(), request[1]


def test_a_bound_token_can_be_neither_swapped_nor_used_in_another_match(mint: LiveMint) -> None:
    token = mint.army(league=3)
    mint.good("/bind-token", *as_bytes(mint.bind(token, "m-7")))
    swap = {"inputs": [token.proof], "outputs": [mint.output("mana").message]}
    assert mint.refused("/v1/swap", swap) == Problem.ALREADY_SPENT
    asked = {"secret": token.secret, "signature": token.signature}
    keyset = mint.keyset("mana", 3)
    told = {"spent": True, "bound_to": "m-7", "amount": 1, "league_id": 3, "keyset": keyset}
    assert mint.good("/verify-token", asked) == {"valid": False, **told}
    assert mint.good("/verify-token", asked | {"match_id": "m-7"}) == {"valid": True, **told}
    assert mint.good("/verify-token", asked | {"match_id": "m-8"}) == {"valid": False, **told}


def test_verifying_a_token_changes_nothing_and_a_forged_one_is_not_valid(mint: LiveMint) -> None:
    token = mint.army(league=5)
    asked = {"secret": token.secret, "signature": token.signature, "match_id": "m-1"}
    told = [mint.good("/verify-token", asked) for _ in range(2)]
    assert told[0] == told[1]
    assert (told[0]["valid"], told[0]["spent"], told[0]["league_id"]) == (True, False, 5)
    nothing = {"valid": False, "spent": False, "bound_to": None, "amount": None, "league_id": None, "keyset": None}
    assert mint.good("/verify-token", asked | {"secret": "ff" * 32}) == nothing
    assert mint.good("/verify-token", asked | {"id": mint.keyset("mana", 6)}) == nothing
    assert mint.good("/v1/swap", {"inputs": [token.proof], "outputs": [mint.output("mana").message]})


def test_loot_in_one_call_is_paid_once_per_match(mint: LiveMint) -> None:
    outputs, others = outputs_worth(mint, 512, 256), outputs_worth(mint, 512, 256)
    request = {"match_id": "m-9", "winner": STRANGER.npub, "amount": 768, "outputs": messages(outputs)}
    assert mint.refused("/mint/loot", request) == Problem.INVALID_SIGNATURE
    assert mint.refused("/mint/loot", request | {"signature": sign(STRANGER, "m-9", outputs)}) == 20008
    signed = request | {"signature": sign(REFEREE, "m-9", outputs)}
    answer = mint.good("/mint/loot", signed)
    assert mint.good("/mint/loot", signed) == answer
    again = signed | {"outputs": messages(others), "signature": sign(REFEREE, "m-9", others)}
    assert mint.refused("/mint/loot", again) == Problem.ALREADY_ISSUED


def test_a_mint_without_a_faucet_gives_no_mana(tmp_path: Path) -> None:
    with live_mint(tmp_path, faucet=False) as mint:
        assert mint.refused("/v1/mint/quote/faucet", {"amount": 1, "unit": "mana"}) == Problem.MINTING_DISABLED


def test_a_mint_without_a_referee_gives_no_loot_and_binds_nothing(tmp_path: Path) -> None:
    with live_mint(tmp_path, referee=None) as mint:
        body = {"amount": 8, "unit": "loot", "pubkey": "02" + REFEREE.public_hex}
        assert mint.refused("/v1/mint/quote/loot", body) == Problem.MINTING_DISABLED
        assert mint.refused("/bind-token", *as_bytes(mint.bind(mint.army(), "m"))) == Problem.NOT_AUTHORIZED


def test_a_request_that_is_too_large_is_refused(mint: LiveMint) -> None:
    assert mint.ask("POST", "/v1/swap", b" " * 300_000)[0] == 413
    many = {"Ys": [mint.army().signature] * 1001}
    assert mint.refused("/v1/checkstate", json.dumps(many).encode()) == Problem.BAD_REQUEST


@pytest.mark.parametrize("guarded", [True, False], ids=["with the delay", "without it"])
def test_who_reads_a_reveal_and_swaps_its_token_at_once_is_slower_than_the_referee(
    tmp_path: Path, guarded: bool
) -> None:
    with live_mint(tmp_path, swap_delay_s=3 if guarded else 0) as mint, ThreadPoolExecutor(1) as thread:
        token, output = mint.army(), mint.output("mana")
        swap = {"inputs": [token.proof], "outputs": [output.message]}
        stolen = thread.submit(mint.ask, "POST", "/v1/swap", swap)
        if not guarded:
            assert stolen.result()[0] == 200
        body, headers = mint.bind(token, "m-1")
        status, _ = mint.ask("POST", "/bind-token", body.encode(), headers)
        assert (status == 200) is guarded
        assert (stolen.result()[0] == 200) is not guarded
