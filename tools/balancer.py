"""A reverse proxy for trying several nodes where there is no nginx: `python -m tools.balancer PORT NODE NODE ...`.

Whole connections are passed on, to the nodes in turn, WebSockets too; a node that takes no connection is left out. It
reads nothing of what it passes on, so it forwards no client addresses: to the nodes everybody comes from this machine.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress

MOST_BYTES = 65536  # read at once


class Balancer:
    def __init__(self, nodes: Sequence[int]) -> None:
        self.nodes = list(nodes)
        self.tasks: set[asyncio.Task[None]] = set()

    async def listen(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self.accept, "127.0.0.1", port)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await self.connect()
        if there is None:
            writer.transport.abort()
            return
        for source, sink in ((reader, there[1]), (there[0], writer)):
            task = asyncio.create_task(pass_on(source, sink))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """To the next node that is up."""
        for _ in self.nodes:
            self.nodes.append(self.nodes.pop(0))
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", self.nodes[-1])
        return None


async def pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(MOST_BYTES):
            sink.write(data)
            await sink.drain()
    with suppress(OSError):
        sink.close()
        await sink.wait_closed()


async def run(port: int, nodes: Sequence[int]) -> None:
    server = await Balancer(nodes).listen(port)
    await server.serve_forever()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(run(int(sys.argv[1]), [int(word) for word in sys.argv[2:]]))
