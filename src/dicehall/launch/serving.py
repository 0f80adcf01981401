"""A hall put together on its store: what ``dicehall serve`` runs, and what tests run in process."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.applications import Starlette

from dicehall.bots.levels import levels
from dicehall.games import Catalogue
from dicehall.hall.cards import facts_of
from dicehall.hall.challenges import Challenges
from dicehall.hall.deliveries import Deliveries
from dicehall.hall.hall import Hall, HallParts
from dicehall.hall.passwords import Cost, Passwords
from dicehall.hall.people import People
from dicehall.hall.ratings import Ratings
from dicehall.launch.advising import Coach
from dicehall.launch.challenge_judge import ChallengeJudge
from dicehall.launch.checker import Checker
from dicehall.launch.mana_bot import ManaBotClient, read_bot_url
from dicehall.launch.nostr_sign_in import NostrSignIn
from dicehall.launch.painter import Painter
from dicehall.launch.reporting import Reporter
from dicehall.launch.stores import challenges_in, nodes_in, people_in, ratings_in, register_in, webhooks_in
from dicehall.launch.thinking import Thinkers
from dicehall.launch.webhook_client import WebhookClient
from dicehall.launch.wiring import DatabaseClock, PreparedBox, SystemClock
from dicehall.server.app import make_app
from dicehall.server.limits import Limits
from dicehall.server.parts import ManaBot, ServerParts, Settings
from dicehall.server.presence import HttpPresence
from dicehall.server.sockets import Sockets
from dicehall.server.tokens import Tokens
from dicehall.store.host import StoreJournal
from dicehall.table.hall_clock import HallClock
from dicehall.table.heartbeat import Heartbeat
from dicehall.table.host import Host, Parts
from dicehall.table.shared_clock import SharedClock
from dicehall.venue.bridge import Bridge
from dicehall.wire.errors import clipped

log = logging.getLogger("dicehall.launch")

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that look alike: people read ids aloud


RESTORED = "This hall was restored from a backup of {time}, so this game cannot continue: its next dice may be known."


def show_time(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


class SystemEntropy:
    def draw(self, count: int) -> bytes:
        return secrets.token_bytes(count)


def new_table_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def level_names(game: str) -> Sequence[str]:
    return list(levels(game))


def frozen(table: str, error: Exception) -> None:
    """One line for the operator; where it broke is for whoever looks closer."""
    why = clipped(str(error)).rstrip(".")
    log.error("Table %s is frozen: its journal is damaged (%s). Other tables are unaffected.", table, why)
    log.debug("Table %s cannot be replayed.", table, exc_info=error)


@dataclass(frozen=True, slots=True)
class Running:
    """A hall in one process, with its doors."""

    journal: StoreJournal
    host: Host
    sockets: Sockets
    parts: ServerParts
    app: Starlette
    thinkers: Thinkers
    coach: Coach
    reporter: Reporter
    checker: Checker
    painter: Painter
    mana_bot: ManaBot
    judge: ChallengeJudge
    bridge: Bridge | None = None  # to the tables of a venue
    deliveries: Deliveries | None = None  # of webhooks

    async def start(self) -> None:
        if await self.journal.copied_at() is None:
            await self.host.start()
        else:
            async with self.journal.alone():  # of several processes that start at once
                await self.start_on_copy()
        if isinstance(self.host.parts.box, PreparedBox):
            self.host.parts.box.refill(self.host.slices)
        self.host.spawn(self.parts.presence.keep_looking())
        if self.deliveries is not None:
            self.host.spawn(self.deliveries.run())
        self.host.spawn(self.judge.keep_looking())
        self.host.spawn(self.parts.ratings.fold_all())
        if self.bridge is not None:
            await self.bridge.start()

    async def start_on_copy(self) -> None:
        """On a copy of a database unfinished tables are closed first: their next dice may be known already."""
        copied = await self.journal.copied_at()
        if copied is None:
            return await self.host.start()  # another process has closed them
        await self.host.start(RESTORED.format(time=show_time(copied)))
        await self.parts.challenges.void_after_restore(copied)
        await self.journal.remove_copy_mark()
        log.warning("this database is a backup: its unfinished tables are being closed")

    async def stop(self) -> None:
        """Drain: tell clients to come back, let what is in flight be stored, close the database."""
        await self.sockets.stop()
        if self.bridge is not None:
            await self.bridge.stop()
        await self.host.stop()
        if self.host.parts.nodes is not None:
            await self.host.parts.nodes.stop()
        if isinstance(self.host.parts.box, PreparedBox):
            self.host.parts.box.close()
        self.thinkers.close()
        self.coach.close()
        self.reporter.close()
        self.checker.close()
        self.painter.close()
        self.mana_bot.close()
        self.journal.close()
        await self.journal.wait_closed()


def put_together(journal: StoreJournal, games: Catalogue, settings: Settings, **changed: Any) -> Running:
    """All parts of a hall; tests may change a few of them by name."""
    nodes = nodes_in(journal)
    clock = changed.get("clock") or (SystemClock() if nodes is None else DatabaseClock())
    entropy = SystemEntropy()
    passwords = Passwords(entropy, changed.get("cost") or Cost())
    people = People(people_in(journal), passwords, clock, entropy)
    box = changed.get("box") or PreparedBox()
    thinkers, coach, reporter, checker, painter = Thinkers(), Coach(), Reporter(), Checker(games), Painter()
    host = Host(
        Parts(
            journal=journal,
            clock=clock,
            box=box,
            chooser=thinkers,
            games=games,
            process=secrets.token_hex(6),
            frozen=frozen,
            facts=facts_of,
            archive=journal,
            nodes=nodes,
            heartbeat=None if "clock" in changed else Heartbeat(clock),
            not_before=clock.not_before if isinstance(clock, HallClock | SharedClock) else lambda at: None,
        )
    )

    mana_bot = changed.get("mana_bot") or ManaBotClient(read_bot_url(settings.mana_bot or "none"))

    async def name(account: str) -> str:
        return (await people.account(account)).name

    async def day_secret(day: str) -> bytes | None:
        return await challenges.opened_secret(day)

    register = register_in(journal)
    hall = Hall(host, HallParts(register, name, passwords, new_table_id, level_names, thinkers.plays_as, day_secret))
    challenges = Challenges(hall, challenges_in(journal), entropy.draw)
    judge = ChallengeJudge(challenges, reporter)
    parts = ServerParts(
        hall=hall,
        people=people,
        tokens=Tokens(people.sessions, clock),
        limits=changed.get("limits") or Limits(clock),
        presence=HttpPresence(hall),
        verify=checker.verify,
        replay_record=checker.replay,
        draw=changed.get("draw") or painter.draw,
        advise=changed.get("advise") or coach.advise,
        review=coach.review,
        reports=reporter,
        mana_bot=mana_bot,
        nostr=NostrSignIn(),
        webhooks=webhooks_in(journal),
        challenges=challenges,
        judge=judge,
        ratings=Ratings(ratings_in(journal)),
        settings=settings,
    )
    sockets = Sockets(parts)
    bridge: Bridge | None = changed.get("bridge")
    app = make_app(parts, sockets, bridge=bridge)
    deliveries = None
    if settings.webhooks != "off":
        sender = changed.get("webhook_sender") or WebhookClient(settings.webhooks)
        deliveries = Deliveries(parts.webhooks, hall.parts.register.ending, sender, clock, settings.public_url)
    workers = (thinkers, coach, reporter, checker, painter, mana_bot, judge)
    return Running(journal, host, sockets, parts, app, *workers, bridge, deliveries)
