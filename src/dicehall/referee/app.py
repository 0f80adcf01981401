"""The referee over HTTP: how it is, what its matches are, and what it turned down. Nothing here changes anything."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dicehall.nostr.match_events import MATCH_ID
from dicehall.referee.bot import Bot
from dicehall.referee.entries import Phase
from dicehall.referee.views import phase_of, show_event, show_match

MAX_PAGE = 10_000
MAX_SHOWN = 200

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Gauge:
    """What Prometheus reads, made from /status at the moment of asking."""

    bot: Bot

    def collect(self) -> list[GaugeMetricFamily]:
        status = status_of(self.bot)
        matches = GaugeMetricFamily("mana_matches", "Matches by phase.", labels=["phase"])
        for phase, count in status["matches"].items():
            matches.add_metric([phase], count)
        rejected = GaugeMetricFamily("mana_rejected_events", "Events that did not count.", labels=["reason"])
        for reason, count in status["rejected"].items():
            rejected.add_metric([reason], count)
        loot = GaugeMetricFamily("mana_loot", "Rewards by state.", labels=["state"])
        for state, count in status["loot"].items():
            loot.add_metric([state], count)
        relays = GaugeMetricFamily("mana_relay_connected", "Whether a relay is connected.", labels=["url"])
        for relay in status["relays"]:
            relays.add_metric([relay["url"]], int(relay["connected"]))
        mint = GaugeMetricFamily("mana_mint_ok", "Whether the mint answers.", value=int(status["mint"]["ok"]))
        return [matches, rejected, loot, relays, mint]


@dataclass(frozen=True, slots=True)
class RefereeApp:
    bot: Bot
    metrics: CollectorRegistry

    def routes(self) -> list[Route]:
        return [
            Route("/health", self.health),
            Route("/status", self.status),
            Route("/matches", self.matches),
            Route("/match/{id}", self.match),
            Route("/metrics", self.show_metrics),
            Route("/debug/rejected", loopback_only(self.rejected)),
            Route("/debug/outbox", loopback_only(self.outbox)),
            Route("/debug/relays", loopback_only(self.relays)),
        ]

    async def health(self, _: Request) -> Response:
        return answer({"ok": True})

    async def status(self, _: Request) -> Response:
        return answer(status_of(self.bot))

    async def matches(self, request: Request) -> Response:
        wanted, text = request.query_params.get("state"), request.query_params.get("page", "1")
        if wanted is not None and wanted not in list(Phase):
            return refuse(400, "bad_request", f"state must be one of {', '.join(Phase)}.")
        if not text.isascii() or not text.isdigit() or not 1 <= int(text[:6]) <= MAX_PAGE or len(text) > 6:
            return refuse(400, "bad_request", f"page must be a number from 1 to {MAX_PAGE}.")
        summaries, pages = self.bot.referee.store.summaries(wanted, int(text))
        shown = [msgspec.Raw(one.encode()) for one in summaries if one != "{}"]
        return answer({"matches": shown, "page": int(text), "pages": pages})

    async def match(self, request: Request) -> Response:
        id, referee = request.path_params["id"], self.bot.referee
        if not MATCH_ID.fullmatch(id):
            return refuse(404, "not_found", "There is no such match.")
        match = referee.matches.get(id)
        if match is None:
            entries = referee.store.entries(id)
            if not entries:
                return refuse(404, "not_found", "There is no such match.")
            match = referee.rebuild_old(id, entries)
        shown = show_match(match, phase_of(match, referee), referee.store.outgoing(id), referee.store.loot_of(id))
        return answer(shown)

    async def show_metrics(self, _: Request) -> Response:
        return Response(generate_latest(self.metrics), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def rejected(self, _: Request) -> Response:
        return answer({"rejected": list(self.bot.referee.rejections.last)[::-1]})

    async def outbox(self, _: Request) -> Response:
        referee = self.bot.referee
        events = [one for queue in referee.outbox.unpublished.values() for one in queue][:MAX_SHOWN]
        loot = [
            {"match_id": one.match_id, "winner": one.winner, "amount": one.amount}
            for one in referee.rewards.owed.values()
        ]
        return answer(
            {
                "events": [{"match_id": one.match_id, **show_event(one)} for one in events],
                "events_error": referee.outbox.attempts.last_error(),
                "loot": loot[:MAX_SHOWN],
                "loot_error": referee.rewards.attempts.last_error(),
                "waiting_for_mint": list(referee.tokens.waiting)[:MAX_SHOWN],
                "waiting_error": referee.tokens.attempts.last_error(),
            }
        )

    async def relays(self, _: Request) -> Response:
        shown = [
            {
                "url": relay.url,
                "connected": relay.connection is not None,
                "failures": relay.failures,
                "last_error": relay.last_error,
                "rejected": relay.rejected,
                "catching_up": relay.url in self.bot.catching_up,
            }
            for relay in self.bot.pool.relays
        ]
        return answer({"relays": shown, "since": self.bot.since_s})


def make_app(bot: Bot) -> Starlette:
    metrics = CollectorRegistry(auto_describe=False)
    metrics.register(Gauge(bot))
    app = Starlette(routes=RefereeApp(bot, metrics).routes(), exception_handlers={HTTPException: not_found})
    app.router.redirect_slashes = False
    return app


def status_of(bot: Bot) -> dict[str, Any]:
    referee = bot.referee
    relays = [
        {
            "url": relay.url,
            "connected": relay.connection is not None,
            "last_error": relay.last_error,
            "rejected": relay.rejected,
        }
        for relay in bot.pool.relays
    ]
    return {
        "ok": bool(bot.pool.connected) and bot.mint_error is None,
        "npub": referee.key.npub,
        "relays": relays,
        "mint": {"url": bot.mint.url, "ok": bot.mint_error is None, "last_error": bot.mint_error},
        "matches": referee.counts(),
        "rejected": dict(referee.rejections.counts),
        "loot": {"queued": len(referee.rewards.owed), "paid": referee.rewards.paid},
    }


def loopback_only(handler: Handler) -> Handler:
    """For whoever sits at the machine; a proxy on it that passes strangers on says so in a header.

    A web page whose name was made to lead to this machine (DNS rebinding) is named in the Host header.
    """

    async def guarded(request: Request) -> Response:
        host = "" if request.client is None else request.client.host
        forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "x-real-ip"))
        if forwarded or not is_loopback(host) or not is_loopback(request.url.hostname or ""):
            return refuse(403, "forbidden", "Only programs on the same machine can read this.")
        return await handler(request)

    return guarded


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


async def not_found(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    sentence = "This address supports only GET." if status == 405 else "There is nothing at this address."
    return refuse(status, "not_found", sentence)


def answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def refuse(status: int, code: str, message: str) -> Response:
    return answer({"error": {"code": code, "message": message}}, status)
