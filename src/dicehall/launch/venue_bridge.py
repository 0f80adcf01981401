"""The tables of a venue, wired: a hall in memory for them, and the bridge to the game world (A20)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dicehall.core.game import AnyGame, Refused, Seat
from dicehall.games import Catalogue
from dicehall.hall.cards import facts_of
from dicehall.hall.hall import Hall, HallParts
from dicehall.launch.output import Failed, readable
from dicehall.launch.serving import frozen, new_table_id
from dicehall.launch.wiring import SealedBox, SystemClock
from dicehall.store.memory import MemoryJournal, Shredder
from dicehall.table.heartbeat import Heartbeat
from dicehall.table.host import Host, Parts
from dicehall.table.ports import Clock, DiceBox
from dicehall.table.requests import Code
from dicehall.venue.bridge import LEAST_SECRET, Bridge
from dicehall.venue.layout import Venue
from dicehall.venue.sources import VenueError, load

SECRET = "DICEHALL_VENUE_SECRET"
MOST_SECRET_BYTES = 4096
NO_SECRET = (
    f"A venue needs a secret that the game server sends: set {SECRET}, or name a file with --venue-secret-file. "
    "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
)


class NoBots:
    """At the tables of a venue only people of the world play."""

    async def choose(self, game: Any, level: str, view: Any, me: Seat, choices: Sequence[Any], seed: str) -> Any:
        raise Refused(Code.BAD_REQUEST, "There are no bots at the tables of a venue.")


class NoPasswords:
    async def hashed(self, password: str) -> str:
        raise Refused(Code.BAD_REQUEST, "The tables of a venue have no passwords.")

    async def matches(self, hashed: str, password: str) -> bool:
        return False


def make_bridge(
    venue: Venue,
    games: Catalogue,
    secret: str,
    *,
    rules: Mapping[str, int | None] | None = None,
    clock: Clock | None = None,
    box: DiceBox | None = None,
) -> Bridge:
    """A bridge to the tables of a venue; its games live as long as it does. *clock* and *box* are for tests."""
    journal = MemoryJournal()
    time = clock or SystemClock()
    heartbeat = Heartbeat(time) if clock is None else None
    run = secrets.token_hex(4)
    host = Host(
        Parts(journal, time, box or SealedBox(), NoBots(), games, run, frozen, facts_of, Shredder(journal), heartbeat)
    )
    parts = HallParts(journal.register, own_name, NoPasswords(), new_table_id, no_levels, as_asked)
    return Bridge(Hall(host, parts), venue, secret, run, rules)


async def own_name(account: str) -> str:
    return account


def no_levels(game: str) -> Sequence[str]:
    return ()


async def as_asked(game: AnyGame, level: str, seats: int) -> str:
    return level


# -- from the command line --------------------------------------------------------------------------------


def read_venue(file: str) -> Venue:
    try:
        return load(Path(file))
    except VenueError as error:
        raise Failed(str(error)) from None


def read_secret(file: str | None) -> str:
    """From a file, or from the environment; never from the command line, which others on the machine can read."""
    secret = os.environ.get(SECRET, "")
    if file is not None:
        with readable(file), open(file, "rb") as source:
            secret = source.read(MOST_SECRET_BYTES).decode("utf-8", "replace")
    secret = secret.strip()
    if not secret:
        raise Failed(NO_SECRET)
    if len(secret) < LEAST_SECRET or not secret.isascii() or not secret.isprintable() or " " in secret:
        raise Failed(f"The secret of a venue needs at least {LEAST_SECRET} ASCII characters, without spaces.")
    return secret
