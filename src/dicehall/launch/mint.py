"""``dicehall mint``: a Cashu mint for the tokens of Mana."""

from __future__ import annotations

import argparse
import asyncio
import time
import uuid
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed, Help

EXAMPLES = """examples:
  dicehall mint --faucet                          anyone can get mana, to try the game
  dicehall mint --referee npub1... --max-loot 1000
  dicehall mint --db /var/lib/dicehall/mint.db --public-url https://mint.example.org

The ledger is one SQLite file. The keys come from a phrase in FILE.seed, which is made at the first start:
whoever has it can make tokens, and without it nobody can. Keep a copy in a safe place.
"""

MAX_SWAP_DELAY_S = 60


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "mint", help="run a Cashu mint for Mana", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    command.add_argument("--port", default="3333", help="the port to listen on (default 3333; 0: any free one)")
    command.add_argument("--db", metavar="FILE", default="mint.db", help="the ledger (default mint.db)")
    command.add_argument("--public-url", metavar="URL", help="the address that wallets use (default http://HOST:PORT)")
    command.add_argument("--referee", metavar="NPUB", help="the key that can issue loot and bind tokens to matches")
    command.add_argument("--max-loot", default="1000", help="the most loot one match can pay (default 1000)")
    command.add_argument(
        "--swap-delay",
        metavar="SECONDS",
        default="2",
        help="delay before a swap of mana, so that nobody can spend a revealed token before the referee (default 2)",
    )
    command.add_argument("--faucet", action="store_true", help="give mana to anyone who asks")
    command.add_argument(
        "--log", choices=["debug", "info", "warning"], default="info", help="what to log (default info)"
    )
    command.add_argument("--log-format", choices=["text", "json"], help="default: text on a terminal, JSON elsewhere")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    open_mint(options)
    return 0


def open_mint(options: argparse.Namespace) -> None:
    from dicehall.launch.limited_server import LimitedServer, limited_config
    from dicehall.launch.listening import listen, shown_host
    from dicehall.launch.logs import set_up_logs
    from dicehall.mint.app import make_app

    set_up_logs(options.log, options.log_format)
    delay_s = read_whole("--swap-delay", options.swap_delay, 0, MAX_SWAP_DELAY_S)
    mint, is_new = make_mint(options)
    listening = listen(options.host, read_whole("--port", options.port, 0, 65535))
    url = (options.public_url or f"http://{shown_host(options.host)}:{listening.getsockname()[1]}").rstrip("/")
    config = limited_config(make_app(mint, url, delay_s))

    class Server(LimitedServer):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            greet(url, options, is_new)

    try:
        asyncio.run(Server(config).serve(sockets=[listening]))
    finally:
        mint.ledger.close()


def make_mint(options: argparse.Namespace) -> tuple[Any, bool]:
    from dicehall.mint.keysets import derive_keysets
    from dicehall.mint.ledger import Ledger, LedgerError
    from dicehall.mint.messages import MAX_AMOUNT
    from dicehall.mint.mint import Mint, Settings
    from dicehall.mint.seed import SeedError, load_or_create_seed
    from dicehall.nostr.keys import InvalidKey, parse_public

    max_loot = read_whole("--max-loot", options.max_loot, 1, MAX_AMOUNT)
    try:
        referee = parse_public(options.referee) if options.referee else None
        ledger = Ledger(options.db)
        seed, is_new = load_or_create_seed(seed_file(options.db))
    except (InvalidKey, LedgerError, SeedError) as error:
        raise Failed(str(error)) from None
    if is_new and ledger.totals():
        raise Failed(f"{options.db} has issued tokens, but its seed {seed_file(options.db)} is missing.")
    settings = Settings(referee, options.faucet, max_loot)
    keysets = {one.id: one for one in derive_keysets(seed)}
    return Mint(keysets, ledger, settings, lambda: int(time.time()), lambda: str(uuid.uuid4())), is_new


def seed_file(db: str) -> Path:
    return Path(db + ".seed")


def greet(url: str, options: argparse.Namespace, is_new: bool) -> None:
    print(f"The mint is running at {url}. Press Ctrl-C to stop.")
    if is_new:
        print(f"A new seed phrase is stored in {seed_file(options.db)}. Keep a copy in a safe place.")
    if options.referee is None:
        print("No --referee is set, so no loot is issued.")
    print(
        "Anyone can get mana (--faucet)." if options.faucet else "Nobody can get mana. To allow it, add --faucet.",
        flush=True,
    )
