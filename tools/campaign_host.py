"""The host that a campaign kills: `python -m tools.campaign_host FILE PROCESS [BUG]`.

Real clock, sealed dice, bots and SQLite, put together as production does it; only the door is a pipe. Commands come as
JSON lines on stdin, answers and pushed updates leave as JSON lines on stdout. It ends when its stdin does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from typing import Any

import msgspec

from dicehall.core.game import Refused
from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.launch.thinking import Thinkers
from dicehall.launch.wiring import SealedBox, SystemClock
from dicehall.store import SqliteJournal
from dicehall.table import requests
from dicehall.table.chairs import chair_of
from dicehall.table.clocks import deadline
from dicehall.table.host import Host, Parts
from dicehall.table.ports import Taken
from dicehall.table.retiring import put_away
from dicehall.table.state import TableState
from dicehall.table.updates import audience
from dicehall.wire.actions import codec_of
from dicehall.wire.shown import show_view

LINE = 1 << 24  # bytes that a line may have
CLOCK = SystemClock()


def say(line: bytes) -> None:
    """One line, at once: what was said before a kill was said."""
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


@dataclass(frozen=True, slots=True)
class PipeConn:
    id: str
    who: str

    def push(self, message: bytes) -> None:
        say(b'{"to":%s,"push":%s}' % (msgspec.json.encode(self.who), message))

    def offer(self, message: bytes) -> None:
        self.push(message)


@dataclass(slots=True)
class Door:
    """What can be asked of a host through the pipe; each command is a method."""

    host: Host

    async def answer(self, command: dict[str, Any]) -> None:
        number, do, at = command.pop("q"), command.pop("do"), CLOCK.now()
        try:
            answer = await getattr(self, do)(**command)
        except Refused as refused:
            answer = {"refused": str(refused.code), "message": refused.sentence}
        say(msgspec.json.encode({"q": number, "at": at, **answer}))

    async def open(self, table: str, game: str, rules: dict[str, Any], **chosen: Any) -> dict[str, Any]:
        try:
            live = await self.host.open(table, with_rules(catalogue()[game], rules), **chosen)
        except Taken:  # it was opened before a crash
            live = await self.host.reach(table)
        return {"s0": live.state.opened.s0}

    async def ask(self, table: str, kind: str, fields: dict[str, Any], **who: Any) -> dict[str, Any]:
        answer = await self.host.ask(table, getattr(requests, kind)(**fields), **who)
        return {"n": answer.n, "repeated": answer.repeated}

    async def listen(self, table: str, who: str, conn: str, account: str | None, since: int) -> dict[str, Any]:
        await self.host.connect(table, PipeConn(self.named(conn), who), account)
        return {"updates": await self.host.updates(table, account, since)}

    async def leave(self, table: str, conn: str) -> dict[str, Any]:
        self.host.disconnect(table, self.named(conn))
        return {}

    def named(self, conn: str) -> str:
        return f"{self.host.parts.process}:{conn}"

    async def look(self, table: str, account: str | None) -> dict[str, Any]:
        state = (await self.host.look(table)).state
        return {"n": state.seq, "phase": state.phase, "deadline": deadline(state), **self.seen(state, account)}

    def seen(self, state: TableState, account: str | None) -> dict[str, Any]:
        seat = audience(state, account)
        if state.position is None:
            mine = chair_of(state.chairs, account) is not None
            return {"mine": mine, "words": state.clocks.words is not None, "chairs": len(state.chairs)}
        actions = state.game.choices(state.position, seat) if seat in state.to_act() and seat is not None else ()
        choices = [codec_of(type(state.game)).encode(action) for action in actions]
        deputy = seat is not None and state.chairs[seat].deputy is not None
        return {"view": show_view(state.game, state.position, seat), "choices": choices, "deputy": deputy}

    async def archive(self, table: str) -> dict[str, Any]:
        """At once, not some minutes after the end."""
        parts = self.host.parts
        if await parts.journal.archived(table) is None:
            live = await self.host.reach(table)
            await put_away(parts.archive, self.host.history, live.state)
        self.host.forget(table)
        return {"archived": True}


def frozen(table: str, error: Exception) -> None:
    say(msgspec.json.encode({"frozen": table, "error": repr(error)}))


async def serve(path: str, process: str) -> None:
    journal = SqliteJournal(path)
    host = Host(
        Parts(journal, CLOCK, SealedBox(), Thinkers(), catalogue(), process, frozen, archive=journal),
    )
    await host.start()
    say(msgspec.json.encode({"ready": CLOCK.now()}))
    door, lines = Door(host), asyncio.StreamReader(limit=LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        host.spawn(door.answer(msgspec.json.decode(line)))
    os._exit(0)  # whoever held the other end is gone


def main() -> None:
    path, process, *bugs = sys.argv[1:]
    if bugs:
        from tools.campaign_bugs import BUGS

        BUGS[bugs[0]].switch_in(path)
    asyncio.run(serve(path, process))


if __name__ == "__main__":
    main()
