"""The HTTP server of the referee and of the mint: the hall's limits on connections, without the hall."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn

from dicehall.server.connections import STATE, Connections, check_times
from dicehall.server.http_protocol import IDLE_S, LimitedHttpProtocol

MAX_CONNECTIONS = 500
TICKS_A_SECOND = 10


def limited_config(app: Any, **more: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=LimitedHttpProtocol,
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,  # uvicorn would believe X-Forwarded-For from any client on this machine
        timeout_keep_alive=IDLE_S,
        lifespan="off",
        **more,
    )


class LimitedServer(uvicorn.Server):
    """Connections that take too long are ended; the longest idle one makes room where there are too many."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.lifespan.state[STATE] = Connections(most=MAX_CONNECTIONS)
        await super().startup(sockets)

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_A_SECOND == 0:
            check_times(self.server_state.connections, asyncio.get_running_loop().time())
        return await super().on_tick(counter)
