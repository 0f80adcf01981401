"""The mint over HTTP: the endpoints of the NUTs and of the source document.

All work is done by one thread that owns the ledger, and only so many requests may wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from dicehall import __version__
from dicehall.mint.addresses import same_mint
from dicehall.mint.keysets import MANA, Keyset
from dicehall.mint.messages import (
    BindRequest,
    LootRequest,
    MintError,
    MintRequest,
    Problem,
    QuoteRequest,
    Signatures,
    StateRequest,
    States,
    SwapRequest,
    VerifyRequest,
)
from dicehall.mint.mint import MAX_FAUCET, Mint, show_quote
from dicehall.nostr.http_auth import TOLERANCE_S, NotAuthorized, author_of, read_header

log = logging.getLogger("dicehall.mint")

MAX_BODY_BYTES = 256 * 1024
MAX_WAITING = 64
MAX_WAITING_PER_ADDRESS = 8
MAX_DELAYED = 500  # swaps of mana
MAX_DELAYED_PER_ADDRESS = 50
BODY_S = 10.0
METHOD = re.compile(r"[a-z0-9_-]{1,32}")
STATUS = {
    Problem.NOT_FOUND: 404,
    Problem.NOT_AUTHORIZED: 401,
    Problem.BOUND_ELSEWHERE: 409,
    Problem.TOO_LARGE: 413,
    Problem.BUSY: 503,
}

T = TypeVar("T")


@dataclass(slots=True)
class Worker:
    """The one thread that may touch the ledger. Nobody can fill its queue alone."""

    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "ledger"))
    waiting: Counter[str] = field(default_factory=Counter)

    async def run(self, request: Request, work: Callable[[], T]) -> T:
        address = "" if request.client is None else request.client.host
        if self.waiting[address] >= MAX_WAITING_PER_ADDRESS or self.waiting.total() >= MAX_WAITING:
            raise MintError(Problem.BUSY, "The mint is busy. Try again in a moment.")
        self.waiting[address] += 1
        running = asyncio.get_running_loop().run_in_executor(self.pool, work)
        running.add_done_callback(lambda _: self.done(address))
        # what has begun is finished even if its caller is gone: the answer is in the ledger
        return await asyncio.shield(running)

    def done(self, address: str) -> None:
        self.waiting[address] -= 1
        self.waiting += Counter()  # drops those at zero


@dataclass(slots=True)
class UsedAuthorizations:
    """A NIP-98 event is good for one request: its id is remembered as long as the event would be accepted."""

    ids: dict[str, int] = field(default_factory=dict)

    def use(self, id: str, now_s: int) -> None:
        self.ids = {one: at for one, at in self.ids.items() if now_s - at <= 2 * TOLERANCE_S}
        if id in self.ids:
            raise NotAuthorized("This authorization was used before.")
        self.ids[id] = now_s


@dataclass(slots=True)
class MintApp:
    mint: Mint
    url: str  # as the referee knows it: what a NIP-98 event must name
    worker: Worker = field(default_factory=Worker)
    used: UsedAuthorizations = field(default_factory=UsedAuthorizations)
    swap_delay_s: float = 0.0  # of mana; see wait_for_referee
    delayed: Counter[str] = field(default_factory=Counter)  # by address

    def routes(self) -> list[Route]:
        return [
            Route("/health", self.handle(self.health)),
            Route("/v1/info", self.handle(self.info)),
            Route("/v1/keys", self.handle(self.keys)),
            Route("/v1/keys/{keyset}", self.handle(self.keys)),
            Route("/v1/keysets", self.handle(self.keysets)),
            Route("/v1/swap", self.handle(self.swap), methods=["POST"]),
            Route("/v1/checkstate", self.handle(self.states), methods=["POST"]),
            Route("/v1/mint/quote/{method}", self.handle(self.quote), methods=["POST"]),
            Route("/v1/mint/quote/{method}/{quote}", self.handle(self.look_at_quote)),
            Route("/v1/mint/{method}", self.handle(self.issue), methods=["POST"]),
            Route("/verify-token", self.handle(self.verify_token), methods=["POST"]),
            Route("/bind-token", self.handle(self.bind_token), methods=["POST"]),
            Route("/mint/loot", self.handle(self.loot), methods=["POST"]),
        ]

    def handle(self, work: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def handler(request: Request) -> Response:
            try:
                return answer(await work(request))
            except MintError as error:
                return refuse(error.problem, str(error))
            except NotAuthorized as error:
                return refuse(Problem.NOT_AUTHORIZED, str(error))
            except ClientDisconnect:
                return Response(status_code=400)  # to nobody
            except Exception:
                log.exception("%s %s failed", request.method, request.url.path)
                return answer({"detail": "Something went wrong at the mint. The error was logged.", "code": 50000}, 500)

        return handler

    # -- reading -------------------------------------------------------------------------------------------

    async def health(self, request: Request) -> Any:
        await self.worker.run(request, self.mint.ledger.totals)
        return {"status": "ok"}

    async def info(self, _: Request) -> Any:
        methods = [{"method": "loot", "unit": "loot", "min_amount": 1, "max_amount": self.mint.settings.max_loot}]
        if self.mint.settings.faucet:
            methods.append({"method": "faucet", "unit": "mana", "min_amount": 1, "max_amount": MAX_FAUCET})
        supported = {number: {"supported": True} for number in ("7", "10", "11", "12", "14", "20")}
        return {
            "name": "Dicehall mint",
            "version": f"dicehall/{__version__}",
            "description": "Tokens of the game Mana: armies (mana) and what they win (loot).",
            "time": self.mint.now_s(),
            "nuts": {"4": {"methods": methods, "disabled": False}, "5": {"methods": [], "disabled": True}, **supported},
        }

    async def keys(self, request: Request) -> Any:
        wanted = request.path_params.get("keyset")
        found = [one for one in self.mint.keysets.values() if wanted in (None, one.id)]
        if not found:
            raise MintError(Problem.UNKNOWN_KEYSET, "This keyset does not belong to this mint.")
        return {"keysets": [show_keys(one) for one in found]}

    async def keysets(self, _: Request) -> Any:
        return {"keysets": [show_keyset(one) for one in self.mint.keysets.values()]}

    async def states(self, request: Request) -> Any:
        body = await read(request, StateRequest)
        return States(await self.worker.run(request, lambda: self.mint.states(body)))

    async def verify_token(self, request: Request) -> Any:
        body = await read(request, VerifyRequest)
        return await self.worker.run(request, lambda: self.mint.verify_token(body))

    # -- changing ------------------------------------------------------------------------------------------

    async def swap(self, request: Request) -> Any:
        body = await read(request, SwapRequest)
        if any(one.id in self.mint.keysets and self.mint.keysets[one.id].unit == MANA for one in body.inputs):
            await self.wait_for_referee(request)
        return Signatures(await self.worker.run(request, lambda: self.mint.swap(body)))

    async def wait_for_referee(self, request: Request) -> None:
        """A reveal shows its token to everybody. Who reads it must not be able to spend it before the referee does."""
        address = "" if request.client is None else request.client.host
        if self.delayed[address] >= MAX_DELAYED_PER_ADDRESS or self.delayed.total() >= MAX_DELAYED:
            raise MintError(Problem.BUSY, "The mint is busy. Try again in a moment.")
        self.delayed[address] += 1
        try:
            await asyncio.sleep(self.swap_delay_s)
        finally:
            self.delayed[address] -= 1
            self.delayed += Counter()  # drops those at zero

    async def quote(self, request: Request) -> Any:
        method, body = method_of(request), await read(request, QuoteRequest)
        return await self.worker.run(request, lambda: self.mint.quote(method, body))

    async def look_at_quote(self, request: Request) -> Any:
        method, quote = method_of(request), request.path_params["quote"]
        return await self.worker.run(request, lambda: show_quote(self.mint.find_quote(method, quote)))

    async def issue(self, request: Request) -> Any:
        method, body = method_of(request), await read(request, MintRequest)
        return Signatures(await self.worker.run(request, lambda: self.mint.mint(method, body)))

    async def loot(self, request: Request) -> Any:
        body = await read(request, LootRequest)
        return Signatures(await self.worker.run(request, lambda: self.mint.loot(body)))

    async def bind_token(self, request: Request) -> Any:
        """Only with the referee's own signature of this very request: otherwise whoever reads a reveal could bind."""
        data = await read_bytes(request)
        body, now_s = decode(data, BindRequest), self.mint.now_s()
        header = request.headers.get("authorization")
        event = author_of(header, self.named_by(header, request.url.path), request.method, now_s, data)
        if self.mint.settings.referee is None or event.pubkey != self.mint.settings.referee:
            raise NotAuthorized("Only the referee of this mint can bind a token to a match.")
        self.used.use(event.id, now_s)
        return await self.worker.run(request, lambda: self.mint.bind(body))

    def named_by(self, header: str | None, path: str) -> str:
        """The address that an authorization must be for: ours, as the referee writes it."""
        own, named = self.url + path, read_header(header).tag("u") or ""
        return named if same_mint(own, named) else own


def make_app(mint: Mint, url: str, swap_delay_s: float = 0.0) -> Starlette:
    routes = MintApp(mint, url, swap_delay_s=swap_delay_s).routes()
    return Starlette(routes=routes, exception_handlers={HTTPException: not_found})


async def not_found(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    sentence = "This address does not support that method." if status == 405 else "There is nothing at this address."
    return answer({"detail": sentence, "code": int(Problem.NOT_FOUND)}, status)


def answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def refuse(problem: Problem, sentence: str) -> Response:
    return answer({"detail": sentence, "code": int(problem)}, STATUS.get(problem, 400))


def method_of(request: Request) -> str:
    method: str = request.path_params["method"]
    if not METHOD.fullmatch(method):
        raise MintError(Problem.BAD_REQUEST, "A method must be written in lowercase letters.")
    return method


async def read(request: Request, kind: type[T]) -> T:
    return decode(await read_bytes(request), kind)


def decode(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MintError(Problem.BAD_REQUEST, f"The request cannot be read: {error}.") from None


async def read_bytes(request: Request) -> bytes:
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                data += chunk
                if len(data) > MAX_BODY_BYTES:
                    raise MintError(Problem.TOO_LARGE, f"A request can have at most {MAX_BODY_BYTES} bytes.")
    except TimeoutError:
        raise MintError(Problem.BAD_REQUEST, "The request did not arrive in time.") from None
    return bytes(data)


def show_keyset(keyset: Keyset) -> dict[str, Any]:
    league = {} if keyset.league is None else {"league_id": keyset.league}
    return {"id": keyset.id, "unit": keyset.unit, "active": keyset.active, "input_fee_ppk": 0, **league}


def show_keys(keyset: Keyset) -> dict[str, Any]:
    keys = {str(amount): point.hex() for amount, point in keyset.public.items()}
    return {**show_keyset(keyset), "keys": keys}
