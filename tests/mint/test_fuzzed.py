"""Whatever is sent to the mint, it answers with a code and a sentence, never with a mistake of its own."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.mint.minting import REFEREE, LiveMint, sign

PATHS = [
    "/v1/swap",
    "/v1/checkstate",
    "/v1/mint/quote/loot",
    "/v1/mint/quote/faucet",
    "/v1/mint/loot",
    "/v1/mint/faucet",
    "/verify-token",
    "/bind-token",
    "/mint/loot",
    "/v1/mint/quote/loot/x",
    "/v1/keys/00",
    "/nowhere",
    "/v1/mint/quote/%00",
]
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def honest_bodies(mint: LiveMint) -> list[dict[str, Any]]:
    token, output, loot = mint.army(), mint.output("mana"), mint.output("loot", 8)
    quote = mint.loot_quote(8)
    return [
        {"inputs": [token.proof], "outputs": [output.message]},
        {"quote": quote, "outputs": [loot.message], "signature": sign(REFEREE, quote, [loot])},
        {"amount": 8, "unit": "loot", "pubkey": "02" + REFEREE.public_hex, "match_id": "m"},
        {"secret": token.secret, "signature": token.signature, "match_id": "m", "id": token.proof["id"]},
        {"match_id": "m", "winner": "w", "amount": 8, "outputs": [loot.message], "signature": "00" * 64},
        {"Ys": [token.signature]},
    ]


strange = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["", "02" + "00" * 32, "03" + "ff" * 32, "[]", '["P2PK",{}]', '["P2PK",{"nonce":"","data":"02"}]', "\ud800"]
    )
)


@FUZZ
@given(data=st.data())
def test_changed_requests_are_answered_properly(mint: LiveMint, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(PATHS))
    body: Any = data.draw(st.sampled_from(honest_bodies(mint)))
    holder = body
    while True:
        key = data.draw(st.sampled_from(sorted(holder)))
        value = holder[key]
        if isinstance(value, list) and value and isinstance(value[0], dict) and data.draw(st.booleans()):
            holder = value[0]
            continue
        break
    holder[key] = data.draw(strange)
    status, answer = mint.ask(data.draw(st.sampled_from(["POST", "GET"])), path, json.dumps(body).encode())
    assert status < 500, (path, body, answer)
    assert status == 200 or answer["detail"]


@FUZZ
@given(path=st.sampled_from(PATHS), body=st.binary(max_size=200))
def test_bytes_are_answered_properly(mint: LiveMint, path: str, body: bytes) -> None:
    status, answer = mint.ask("POST", path, body, {"authorization": "Nostr " + body.hex()})
    assert status < 500, (path, body, answer)
    assert status == 200 or answer["detail"]
