"""Requests signed with a Nostr key, right ones and wrong ones."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from httpx import Response

from dicehall.nostr.events import Tag, encode_event, sign_event
from dicehall.nostr.http_auth import KIND, authorization
from dicehall.nostr.keys import SecretKey
from tests.server.doors import HOME, Doors, Person

URL = f"{HOME}/api/sessions"
KEYS_URL = f"{HOME}/api/me/keys"


@dataclass(frozen=True, slots=True)
class Signer:
    """Somebody with a Nostr key; each event is signed at another second, so that no two have one id."""

    doors: Doors
    key: SecretKey = field(default_factory=SecretKey.generate)

    @property
    def now_s(self) -> int:
        return self.doors.running.parts.now // 1000

    def header(self, body: bytes = b"", url: str = URL, method: str = "POST", age_s: int = 0) -> str:
        return authorization(self.key, url, method, self.now_s - age_s, body)

    def sign_in(self, asked: Any = None, **signed: Any) -> Response:
        body = b"" if asked is None else json.dumps(asked).encode()
        return self.show(self.header(body, **signed), body)

    def show(self, header: str, body: bytes = b"", **headers: str) -> Response:
        sent = {"authorization": header, **headers}
        answer: Response = self.doors.client.post("/api/sessions", content=body, headers=sent)
        self.doors.client.cookies.clear()
        return answer

    def enter(self, asked: Any = None, age_s: int = 0) -> Person:
        entered = self.sign_in(asked, age_s=age_s).json()
        return Person(self.doors, entered["account"]["id"], entered["account"]["name"], entered["token"])

    def add_to(self, person: Person, asked: Any = None, **headers: str) -> Response:
        """Add this key to somebody's account, as their browser does it: the cookie says who, the header which key."""
        body = json.dumps({} if asked is None else asked).encode()
        sent = {"authorization": self.header(body, KEYS_URL), "cookie": f"dicehall={person.token}", **headers}
        answer: Response = self.doors.client.post("/api/me/keys", content=body, headers=sent)
        return answer


def header_of(key: SecretKey, now_s: int, kind: int = KIND, tags: tuple[Tag, ...] = (), content: str = "") -> str:
    """An event that may be wrong in any way, but is signed."""
    return "Nostr " + encode(encode_event(sign_event(key, now_s, kind, tags, content)))


def encode(event: bytes) -> str:
    return base64.b64encode(event).decode()


def refusal(answer: Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["message"]
    return answer.status_code, error["code"]
