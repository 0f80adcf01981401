"""docs/protocol.md says what the server does: its transcript is replayed, its tables are complete."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

import pytest
from websockets.sync.client import ClientConnection, connect

from dicehall.server.asks import ALL
from dicehall.server.errors import STATUS
from dicehall.table.acts import Act, Played
from tests.server.running import RunningServer

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
TRIES = 20  # of a transcript in which one roll must not be a 1

Bound = dict[str, Any]


class Differs(AssertionError):
    pass


def transcript() -> list[str]:
    (block,) = re.findall(r"```transcript\n(.*?)```", PAGE, re.DOTALL)
    return [line for line in block.splitlines() if line]


def match(shown: Any, told: Any, bound: Bound, where: str) -> None:
    """Hold what was told against the page; a `<word>` is bound by its first value."""
    if isinstance(shown, str) and re.fullmatch("<.+>", shown):
        if bound.setdefault(shown, told) != told:
            raise Differs(f"{where}: {shown} was {bound[shown]!r} and is {told!r}")
    elif isinstance(shown, dict) and isinstance(told, dict):
        wanted = shown.keys() - {"..."}
        if wanted - told.keys() or ("..." not in shown and told.keys() - wanted):
            raise Differs(f"{where}: the page has {sorted(shown)}, the server {sorted(told)}")
        for key in wanted:
            match(shown[key], told[key], bound, f"{where}.{key}")
    elif isinstance(shown, list) and isinstance(told, list):
        match_lists(shown, told, bound, where)
    elif shown != told or type(shown) is not type(told):
        raise Differs(f"{where}: the page has {shown!r}, the server {told!r}")


def match_lists(shown: list[Any], told: list[Any], bound: Bound, where: str) -> None:
    """`"..."` at the beginning or the end of a list stands for any number of others."""
    others = "..." in shown
    wanted = [one for one in shown if one != "..."]
    if len(told) < len(wanted) or (len(told) > len(wanted) and not others):
        raise Differs(f"{where}: the page has {len(wanted)}, the server {len(told)}")
    heard = told[len(told) - len(wanted) :] if shown[:1] == ["..."] else told
    for index, one in enumerate(wanted):
        match(one, heard[index], bound, f"{where}[{index}]")


def filled(value: Any, bound: Bound) -> Any:
    """What is sent, with the values that were told before."""
    if isinstance(value, dict):
        return {key: filled(one, bound) for key, one in value.items()}
    return bound.get(value, value) if isinstance(value, str) else value


def replay(lines: list[str], url: str) -> None:
    sockets: dict[str, ClientConnection] = {}
    bound: Bound = {}
    with ExitStack() as stack:
        for number, line in enumerate(lines, start=1):
            who, what, *rest = line.split(" ", 2)
            if what == "closes":
                sockets.pop(who).close()
                continue
            if who not in sockets:
                sockets[who] = stack.enter_context(connect(url, compression=None, proxy=None))
            if what == "->":
                sockets[who].send(json.dumps(filled(json.loads(rest[0]), bound)))
            elif what == "<-":
                match(json.loads(rest[0]), json.loads(sockets[who].recv(timeout=10)), bound, f"line {number}")


def test_the_transcript_is_what_a_server_says(server: RunningServer) -> None:
    """The roll of the transcript is not a 1, so it is tried until it is none."""
    lines = transcript()
    for _ in range(TRIES):
        try:
            return replay(lines, server.socket_url)
        except Differs as differs:
            last = differs
    raise last


@pytest.mark.parametrize("line", range(0, 25, 3))  # up to the roll, which can be a 1
def test_a_transcript_that_says_something_else_is_noticed(server: RunningServer, line: int) -> None:
    """The replayer is no rubber stamp: any line of the hall's, changed, is found out."""
    told = [number for number, text in enumerate(transcript()) if " <- " in text]
    lines = transcript()[: told[line] + 1]
    lines[-1] = lines[-1].replace(": 1", ": 41").replace('"ok"', '"fine"').replace('"event"', '"sound"')
    lines[-1] = lines[-1].replace('"error"', '"horror"')
    with pytest.raises(Differs, match=f"^line {len(lines)}[.:]"):
        replay(lines, server.socket_url)


def test_the_page_names_every_request() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert set(ALL) == rows


def test_the_page_names_every_event_of_a_table() -> None:
    for act in get_args(Act):
        if act is not Played:
            assert f"`{act.__name__}`" in PAGE


def test_the_page_names_every_code_of_the_hall() -> None:
    for code in STATUS:
        assert f"`{code}`" in PAGE
