"""Subscribers of a table: all get the same updates, filtered for their audience, and none is waited for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from dicehall.core.game import Presence, Seat
from dicehall.table import acts
from dicehall.table.chairs import chair_of
from dicehall.table.ports import Conn
from dicehall.table.state import TableState, Told
from dicehall.table.updates import audience, update

TAKES_OVER = (acts.Carried, acts.Reclaimed)
MOST_NEWS = 16  # messages about spectators that a table sends at once
NEWS_S = 0.5  # between two of them in the long run


@dataclass(frozen=True, slots=True)
class Listener:
    conn: Conn
    account: str | None
    name: str | None = None
    own: bool = False  # the hall itself listens, which is nobody's coming or going

    def watches(self, state: TableState) -> bool:
        """Whether this is a spectator: without a chair, or removed from it."""
        chair = chair_of(state.chairs, self.account)
        return not self.own and (chair is None or chair.presence is Presence.GONE)


@dataclass(slots=True)
class NewsLimit:
    """Limits what a table says about its spectators: a few messages at once, and two a second in the long run."""

    sent: float = 0.0  # recently
    at: float = 0.0  # seconds of the event loop

    def take(self, now: float) -> bool:
        self.sent = max(0.0, self.sent - (now - self.at) / NEWS_S)
        self.at = now
        allowed = self.sent + 1 <= MOST_NEWS
        self.sent += allowed
        return allowed


@dataclass(frozen=True, slots=True)
class News:
    """A spectator who came or went."""

    event: str
    listener: Listener
    state: TableState


@dataclass(slots=True)
class Listeners:
    by_id: dict[str, Listener] = field(default_factory=dict)
    limit: NewsLimit = field(default_factory=NewsLimit)
    postponed: News | None = None  # the latest that was too much at once

    def tell(self, told: Told, state: TableState) -> None:
        """Push an update to all subscribers, encoded once per audience; without secrets there is only one."""
        if self.postponed is not None:  # somebody who has sat down since then does not count
            self.postponed = replace(self.postponed, state=state)
        if isinstance(told.act, TAKES_OVER):
            self.tell_who_was_taken_over(told.act, told.before, state)
        listeners = tuple(self.by_id.values())
        if all(event.to is None for event in told.events):
            message = encode_update(state.id, update(told, None))
            for listener in listeners:
                self.push(listener, message)
            return
        encoded: dict[Seat | None, bytes] = {}
        for listener in listeners:
            seat = audience(state, listener.account)
            if seat not in encoded:
                encoded[seat] = encode_update(state.id, update(told, seat))
            self.push(listener, encoded[seat])

    def tell_who_was_taken_over(
        self, act: acts.Carried | acts.Reclaimed, before: TableState | None, state: TableState
    ) -> None:
        """Tell a connection that another one of the same account now holds its seat."""
        conn = None if before is None else before.chair(act.chair).conn
        if conn is not None and conn != act.conn and conn in self.by_id:
            self.push(self.by_id[conn], encode_update(state.id, {"taken_over": True}))

    def push(self, listener: Listener, message: bytes) -> None:
        """Drop a subscriber that cannot take an update; others are unaffected."""
        try:
            listener.conn.push(message)
        except Exception:
            self.by_id.pop(listener.conn.id, None)

    def mention(self, table: str, shown: dict[str, Any], but: Listener | None = None) -> None:
        """Send everyone an unnumbered message, which is not needed to rebuild a view."""
        message = encode_update(table, shown)
        for listener in tuple(self.by_id.values()):
            if listener is not but:
                self.push(listener, message)

    def offer(self, table: str, shown: dict[str, Any]) -> None:
        """Like *mention*, for messages that slow readers can miss."""
        message = encode_update(table, shown)
        for listener in tuple(self.by_id.values()):
            with suppress(Exception):  # whoever cannot be told anything is dropped with the next update
                listener.conn.offer(message)

    def has(self, account: str) -> bool:
        return any(listener.account == account for listener in self.by_id.values())

    def add(self, listener: Listener, state: TableState) -> None:
        new = listener.conn.id not in self.by_id
        self.by_id[listener.conn.id] = listener
        if new and listener.watches(state):
            self.announce(News("SpectatorJoined", listener, state))

    def remove(self, conn_id: str, state: TableState) -> None:
        gone = self.by_id.pop(conn_id, None)
        if gone is not None and gone.watches(state):
            self.announce(News("SpectatorLeft", gone, state))

    def announce(self, news: News) -> None:
        """Tell the others who came or went; where many do at once, only the latest, with the number of all who watch.

        Otherwise somebody who comes and goes without end could flood the people at any table.
        """
        loop = asyncio.get_running_loop()
        if self.postponed is None and self.limit.take(loop.time()):
            return self.tell_news(news)
        if self.postponed is None:
            loop.call_later(NEWS_S, self.tell_postponed)
        self.postponed = news

    def tell_postponed(self) -> None:
        news, self.postponed = self.postponed, None
        if news is not None:
            self.limit.take(asyncio.get_running_loop().time())
            self.tell_news(news)

    def tell_news(self, news: News) -> None:
        """Tell everyone except the spectator it is about."""
        self.mention(news.state.id, self.shown(news.event, news.listener, news.state), but=news.listener)

    def shown(self, event: str, listener: Listener, state: TableState) -> dict[str, Any]:
        return {"event": event, "spectator": listener.name, "total_spectators": self.spectators(state)}

    def spectators(self, state: TableState) -> int:
        return sum(listener.watches(state) for listener in self.by_id.values())


_encoder = msgspec.json.Encoder()


def encode_update(table: str, shown: dict[str, Any]) -> bytes:
    return _encoder.encode({"table": table, **shown})
