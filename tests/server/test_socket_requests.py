"""Requests over a socket that HTTP has too: the same doing, with `once` for `id`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dicehall.hall.rated_games import RATED_NOTE
from tests.server.running import RunningServer


@dataclass(slots=True)
class Socket:
    """A socket and nothing else: what a client in any language has."""

    socket: ClientConnection
    told: list[dict[str, Any]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def answer(self, do: str, **what: Any) -> dict[str, Any]:
        number = what.pop("id", None) or next(self.numbers)
        self.socket.send(json.dumps({"id": number, "do": do, **what}))
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=10))
            if message.get("re") == number:
                return message
            self.told.append(message)

    def ask(self, do: str, **what: Any) -> Any:
        answer = self.answer(do, **what)
        assert "ok" in answer, answer
        return answer["ok"]

    def code(self, do: str, **what: Any) -> str:
        return str(self.answer(do, **what)["error"]["code"])


@contextmanager
def sockets(server: RunningServer, number: int = 1) -> Iterator[list[Socket]]:
    with ExitStack() as stack:
        opened = (connect(server.socket_url, proxy=None) for _ in range(number))
        yield [Socket(stack.enter_context(one)) for one in opened]


@pytest.mark.parametrize("id", [7, "seven"])
def test_opening_takes_any_message_id_and_opens_twice_for_two_messages(server: RunningServer, id: int | str) -> None:
    """The id of a message is not the client's id of the table: another socket may use it again."""
    with sockets(server) as (ann,):
        ann.ask("guest", name="Ann")
        first, second = (ann.ask("open", id=id, game="wards")["id"] for _ in range(2))
        assert first != second


def test_opening_twice_under_one_once_opens_one_table(server: RunningServer) -> None:
    with sockets(server) as (ann,):
        ann.ask("guest", name="Ann")
        first, second = (ann.ask("open", game="wards", once="mine")["id"] for _ in range(2))
        assert first == second


def test_a_bot_that_is_seated_twice_under_one_once_sits_once(server: RunningServer) -> None:
    with sockets(server) as (ann,):
        token = ann.ask("guest", name="Ann")["token"]
        table = ann.ask("open", game="doordice")["id"]
        first, second = (ann.ask("bots", table=table, once="bot") for _ in range(2))
        assert first["n"] == second["n"]
        server.post(f"/api/tables/{table}/bots", {"id": "other"}, token)
        shown = server.post(f"/api/tables/{table}/bots", {"id": "other"}, token)["table"]
        assert [seat["bot"] for seat in shown["seats"]] == ["greedy", "greedy", None, None, None]


@pytest.mark.parametrize("do", ["stand", "leave"])
def test_leaving_a_lobby_twice_under_one_once_is_answered_twice(server: RunningServer, do: str) -> None:
    """Without it the second would be refused: there is no chair any more."""
    with sockets(server) as (ann,):
        ann.ask("guest", name="Ann")
        table = ann.ask("open", game="wards")["id"]
        ann.ask("sit", table=table)
        first, second = (ann.ask(do, table=table, once="gone") for _ in range(2))
        assert first["n"] == second["n"]
        assert ann.code(do, table=table) == "not_seated"


def test_people_come_in_over_the_socket_and_are_known_from_then_on(server: RunningServer) -> None:
    with sockets(server, 3) as (ann, again, stranger):
        guest = ann.ask("guest", name="Wanda")
        assert (
            ann.ask("sign_up", name="Wanda Moon", password="over the hills")["account"]["id"] == guest["account"]["id"]
        )
        by_password = again.ask("sign_in", name="Wanda Moon", password="over the hills")
        assert by_password["account"]["id"] == guest["account"]["id"]
        assert again.ask("open", game="mana")["opener"] == guest["account"]["id"]
        assert stranger.code("open", game="mana") == "not_signed_in"
        assert stranger.code("sign_in", token="nonsense") == "not_signed_in"
        assert stranger.code("sign_in", name="Wanda Moon", password="wrong") == "wrong_password"
        assert stranger.code("sign_in") == "bad_request"


def test_a_closed_table_leaderboards_and_unknown_words(server: RunningServer) -> None:
    with sockets(server) as (ann,):
        ann.ask("guest", name="Ann")
        table = ann.ask("open", game="wards")["id"]
        assert ann.ask("close", table=table)["table"]["phase"] == "abandoned"
        assert ann.ask("leaders", game="wards") == {"leaders": [], "page": 0, "note": RATED_NOTE}
        assert ann.code("leaders", game="chess") == "bad_request"
        assert ann.code("record", table=table) == "too_few_seats"
        assert ann.code("look") == "bad_request"


def test_a_message_that_is_too_large_closes_the_socket(server: RunningServer) -> None:
    with sockets(server) as (ann,), pytest.raises(ConnectionClosed) as closed:
        ann.ask("guest", name="A" * 70_000)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_second_socket_of_an_account_takes_the_seat_over_and_the_first_is_told(server: RunningServer) -> None:
    with sockets(server, 2) as (first, second):
        token = first.ask("guest", name="Ann")["token"]
        table = first.ask("open", game="wards")["id"]
        first.ask("sit", table=table)
        second.ask("sign_in", token=token)
        second.ask("watch", table=table)
        first.ask("ping")
        assert {"table": table, "taken_over": True} in first.told
