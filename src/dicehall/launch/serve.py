"""``dicehall serve``: run a Dicehall server, for browsers and for programs."""

from __future__ import annotations

import argparse
import os
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.output import Help

EXAMPLES = """examples:
  dicehall serve
  dicehall serve --host 0.0.0.0 --port 8080 --db /var/lib/dicehall/hall.db
  dicehall serve --db postgresql://dicehall@localhost/dicehall
  dicehall serve --open
  dicehall serve --public-url https://example.org/dice
  dicehall serve --venue tavern.mod --venue-secret-file venue.secret

The database is one SQLite file, or a PostgreSQL database, which must exist; its tables are created and migrated
automatically. A password belongs in DICEHALL_DB or PGPASSWORD, not on the command line, where every user of the machine
can read it. These environment variables are read too: DICEHALL_DB, DICEHALL_PUBLIC_URL, DICEHALL_MANA_BOT,
DICEHALL_WEBHOOKS, DICEHALL_VENUE, DICEHALL_VENUE_SECRET, DICEHALL_SERVICE_TOKEN (for the operator's own programs).
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "serve", help="run a server", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    command.add_argument("--port", default="8000", help="the port to listen on (default 8000; 0: any free one)")
    command.add_argument(
        "--db",
        metavar="DATABASE",
        default=os.environ.get("DICEHALL_DB", "dicehall.db"),
        help="an SQLite file, created if it does not exist, or postgresql://... (default dicehall.db)",
    )
    command.add_argument(
        "--public-url",
        metavar="URL",
        default=os.environ.get("DICEHALL_PUBLIC_URL"),
        help="the address that players use, if a proxy is in front; requests for other host names are refused",
    )
    command.add_argument(
        "--trust-proxy",
        metavar="N",
        nargs="?",
        const="1",
        default="0",
        help="take client addresses from X-Forwarded-For, as set by N proxies in front (default 1)",
    )
    command.add_argument(
        "--drain-wait",
        metavar="SECONDS",
        default="0",
        help="when asked to stop, answer 503 on /readyz for this long before disconnecting clients (default 0)",
    )
    command.add_argument(
        "--mana-bot",
        metavar="URL",
        default=os.environ.get("DICEHALL_MANA_BOT", "http://127.0.0.1:4444"),
        help="the referee bot whose matches over Nostr the page shows, or none (default http://127.0.0.1:4444)",
    )
    command.add_argument(
        "--venue",
        metavar="FILE",
        default=os.environ.get("DICEHALL_VENUE"),
        help="serve the tables of a game world: a Neverwinter Nights module or area, or a venue file",
    )
    command.add_argument(
        "--venue-secret-file",
        metavar="FILE",
        help="the secret that the game server sends (default: from DICEHALL_VENUE_SECRET)",
    )
    command.add_argument(
        "--webhooks",
        metavar="MODE",
        default=os.environ.get("DICEHALL_WEBHOOKS", "off"),
        help="where the results of tables can be sent if their openers ask for it: off (default), public (https to "
        "public addresses) or any (also http, and addresses of your own network)",
    )
    command.add_argument(
        "--log", choices=["debug", "info", "warning"], default="info", help="what to log (default info)"
    )
    command.add_argument(
        "--log-format",
        choices=["text", "json"],
        help="log lines for people or for programs (default: text on a terminal, JSON elsewhere)",
    )
    command.add_argument("--open", action="store_true", help="open the page in a browser once the hall is running")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.launch.listening import open_hall  # heavy, and needed by this command alone

    return open_hall(options, games)
