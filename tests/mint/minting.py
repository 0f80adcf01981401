"""A mint on a real port in a thread, and what an attacker needs to talk to it without a wallet."""

from __future__ import annotations

import hashlib
import json
import secrets
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from coincurve import PrivateKey, PublicKey

from dicehall.mint.app import make_app
from dicehall.mint.blind_signatures import blind, unblind
from dicehall.mint.keysets import derive_keysets
from dicehall.mint.ledger import Ledger
from dicehall.mint.mint import Mint, Settings
from dicehall.nostr.http_auth import authorization
from dicehall.nostr.keys import SecretKey

SEED = hashlib.sha512(b"a seed for tests").digest()
REFEREE = SecretKey(bytes(31) + b"\5")
STRANGER = SecretKey(bytes(31) + b"\11")
NOW_S = 1_800_000_000
WAIT_S = 30


@dataclass(slots=True)
class Clock:
    now_s: int = NOW_S

    def __call__(self) -> int:
        return self.now_s


@dataclass(frozen=True, slots=True)
class Token:
    """A proof as JSON."""

    proof: dict[str, Any]

    @property
    def secret(self) -> str:
        return str(self.proof["secret"])

    @property
    def signature(self) -> str:
        return str(self.proof["C"])


@dataclass(frozen=True, slots=True)
class Output:
    """A blinded message, with what is needed to unblind its signature."""

    amount: int
    keyset: str
    secret: str
    factor: PrivateKey

    @property
    def message(self) -> dict[str, Any]:
        blinded = blind(self.secret.encode(), self.factor).format().hex()
        return {"amount": self.amount, "id": self.keyset, "B_": blinded}

    def token(self, signature: dict[str, Any], key: bytes) -> Token:
        C = unblind(PublicKey(bytes.fromhex(signature["C_"])), self.factor, PublicKey(key))
        return Token({"amount": self.amount, "id": self.keyset, "secret": self.secret, "C": C.format().hex()})


@dataclass(frozen=True, slots=True)
class LiveMint:
    url: str
    mint: Mint
    clock: Clock = field(default_factory=Clock)

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def good(self, path: str, body: Any, headers: dict[str, str] | None = None) -> Any:
        status, answer = self.ask("POST", path, body, headers)
        assert status == 200, answer
        return answer

    def refused(self, path: str, body: Any, headers: dict[str, str] | None = None) -> int:
        """The code of a refusal, which always has a sentence."""
        status, answer = self.ask("POST", path, body, headers)
        assert 400 <= status < 500, (status, answer)
        assert answer["detail"]
        return int(answer["code"])

    def keyset(self, unit: str, league: int = 0) -> str:
        found = [one for one in self.mint.keysets.values() if one.unit == unit and one.league in (None, league)]
        return found[0].id

    def output(self, unit: str, amount: int = 1, league: int = 0, secret: str | None = None) -> Output:
        return Output(amount, self.keyset(unit, league), secret or secrets.token_hex(32), PrivateKey())

    def unblind(self, outputs: list[Output], answer: dict[str, Any]) -> list[Token]:
        keys = {one.keyset: self.mint.keysets[one.keyset].public for one in outputs}
        pairs = zip(outputs, answer["signatures"], strict=True)
        return [one.token(signature, keys[one.keyset][one.amount]) for one, signature in pairs]

    def army(self, league: int = 0) -> Token:
        """One mana token from the faucet."""
        quote = self.good("/v1/mint/quote/faucet", {"amount": 1, "unit": "mana"})["quote"]
        output = self.output("mana", league=league)
        return self.unblind([output], self.good("/v1/mint/faucet", {"quote": quote, "outputs": [output.message]}))[0]

    def loot_quote(self, amount: int = 8, key: SecretKey = REFEREE, **more: Any) -> str:
        body = {"amount": amount, "unit": "loot", "pubkey": "02" + key.public_hex, **more}
        return str(self.good("/v1/mint/quote/loot", body)["quote"])

    def bind(self, token: Token, match_id: str, key: SecretKey = REFEREE) -> tuple[str, dict[str, str]]:
        """The body and the headers of a request to bind a token."""
        return self.bind_request(token.secret, token.signature, match_id, key)

    def bind_request(
        self, secret: str, signature: str, match_id: str, key: SecretKey = REFEREE
    ) -> tuple[str, dict[str, str]]:
        body = json.dumps({"secret": secret, "signature": signature, "match_id": match_id})
        header = authorization(key, self.url + "/bind-token", "POST", self.clock.now_s, body.encode())
        return body, {"authorization": header}


def sign(key: SecretKey, quote: str, outputs: list[Output]) -> str:
    """A NUT-20 signature, written from the specification alone."""
    message = quote + "".join(one.message["B_"] for one in outputs)
    return key.sign(hashlib.sha256(message.encode()).digest()).hex()


@contextmanager
def live_mint(
    folder: Path, *, faucet: bool = True, referee: str | None = REFEREE.public_hex, swap_delay_s: float = 0.0
) -> Iterator[LiveMint]:
    clock = Clock()
    keysets = {one.id: one for one in derive_keysets(SEED)}
    settings = Settings(referee, faucet, 1000)
    mint = Mint(keysets, Ledger(folder / "mint.db"), settings, clock, lambda: secrets.token_hex(16))
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(make_app(mint, url, swap_delay_s), log_config=None, lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            thread.join(0.01)
        yield LiveMint(url, mint, clock)
    finally:
        server.should_exit = True
        thread.join(WAIT_S)
        mint.ledger.close()
