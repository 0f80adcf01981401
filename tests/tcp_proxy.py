"""A line between two programs that can be cut, or fall silent, at any moment."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class TcpProxy:
    """Listens on a free port of this machine and passes everything on to *port*, or to several in turn."""

    def __init__(self, port: int) -> None:
        self.targets = [port]
        self.port = 0
        self.silent = False  # swallows what comes back, and nobody notices
        self.refusing = False
        self.lingering = False  # does not say that the other end has hung up
        self.ended: set[asyncio.StreamWriter] = set()  # who was not told
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> TcpProxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """End all connections at once."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        try:
            self.targets = [*self.targets[1:], *self.targets[:1]]
            there_reader, there = await asyncio.open_connection("127.0.0.1", self.targets[-1])
        except (OSError, IndexError):
            writer.transport.abort()
            return
        self._writers |= {writer, there}
        for source, sink, back in ((reader, there, False), (there_reader, writer, True)):
            task = asyncio.create_task(self._pass_on(source, sink, back=back))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, back: bool) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while data := await source.read(65536):
                if not (back and self.silent):
                    sink.write(data)
                    await sink.drain()
        if self.lingering and back:
            self.ended.add(sink)
            return
        sink.transport.abort()
        self._writers.discard(sink)
