"""``dicehall bot``: the referee of Mana over Nostr."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import time
from contextlib import nullcontext, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from dicehall.games import Catalogue
from dicehall.launch.output import Failed, Help

if TYPE_CHECKING:
    from dicehall.referee.bot import Bot
    from dicehall.referee.settings import Settings

EXAMPLES = """examples:
  dicehall nostr key --file bot.key             a key for the referee
  dicehall bot --config game-engine.toml        referee matches until Ctrl-C
  GAME_ENGINE_SERVER_PORT=4445 dicehall bot     any setting can come from the environment

The configuration file. Apart from private_key, these are the defaults:

  [server]
  host = "127.0.0.1"
  port = 4444
  [nostr]
  relay_url = "ws://localhost:7777"
  private_key = "file:bot.key"        # or hex, or nsec
  kind = 1
  more_relays = []
  [cashu]
  mint_url = "http://localhost:3333"
  [game]
  max_concurrent_matches = 100
  round_timeout_seconds = 300
  match_timeout_seconds = 1800
  loot_reward_per_match = 1000
  commitment_nonce = "required"       # or "optional"
  [logging]
  level = "info"
  file = "./logs/game-engine.log"     # "" for none
  [store]
  file = "game-engine.db"
"""
LOG_BYTES, LOG_FILES = 10 << 20, 5
STOP_S = 5.0


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "bot", help="referee Mana over Nostr", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument(
        "--config", metavar="FILE", default="game-engine.toml", help="the configuration (default game-engine.toml)"
    )
    command.add_argument("--log-format", choices=["text", "json"], help="default: text on a terminal, JSON elsewhere")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.launch.listening import listen
    from dicehall.launch.logs import set_up_logs
    from dicehall.referee.settings import SettingsError, load_settings

    path = Path(options.config)
    try:
        settings = load_settings(path, os.environ)
        bot = make_bot(settings, path.parent)
    except SettingsError as error:
        raise Failed(str(error)) from None
    try:
        with listen(settings.server.host, settings.server.port) as listening:
            set_up_logs(settings.logging.level, options.log_format)
            log_to_file(settings.logging.file)
            return asyncio.run(serve(bot, listening, settings))
    finally:
        bot.referee.store.close()


def make_bot(settings: Settings, folder: Path) -> Bot:
    from dicehall.nostr.relay_pool import RelayPool
    from dicehall.referee.bot import Bot
    from dicehall.referee.entries import Limits
    from dicehall.referee.mint_client import MintClient
    from dicehall.referee.referee import Referee
    from dicehall.referee.settings import secret_key
    from dicehall.referee.store import Store, StoreError

    key = secret_key(settings, folder)
    game = settings.game
    try:
        Path(settings.store.file).parent.mkdir(parents=True, exist_ok=True)
        store = Store(settings.store.file)
    except OSError as error:
        raise Failed(f"Cannot use the store {settings.store.file}: {(error.strerror or str(error)).lower()}.") from None
    except StoreError as error:
        raise Failed(str(error)) from None
    limits = Limits(
        game.round_timeout_seconds * 1000, game.match_timeout_seconds * 1000, game.commitment_nonce == "required"
    )
    referee = Referee(key, store, settings.nostr.kind, limits, game.max_concurrent_matches, game.loot_reward_per_match)
    mint = MintClient(settings.cashu.mint_url.rstrip("/"), key, lambda: int(time.time()))
    return Bot(referee, RelayPool.of(settings.nostr.relays, Random()), mint, lambda: int(time.time() * 1000))


def log_to_file(name: str) -> None:
    from dicehall.launch.logs import TextLines

    if not name:
        return
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(name, maxBytes=LOG_BYTES, backupCount=LOG_FILES)
    except OSError as error:
        raise Failed(f"Cannot write the log {name}: {(error.strerror or str(error)).lower()}.") from None
    handler.setFormatter(TextLines("%Y-%m-%d %H:%M:%S"))
    logging.getLogger().addHandler(handler)


async def serve(bot: Bot, listening: Any, settings: Settings) -> int:
    """The bot and its HTTP side, until one of them ends."""
    from dicehall.launch.limited_server import LimitedServer, limited_config
    from dicehall.referee.app import make_app

    config = limited_config(make_app(bot), timeout_graceful_shutdown=int(STOP_S))

    class Server(LimitedServer):
        def capture_signals(self) -> Any:
            return nullcontext()  # they stop the bot, and the bot stops this

    server = Server(config)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, stop.set)
    web = asyncio.create_task(server.serve(sockets=[listening]))
    work = asyncio.create_task(bot.run())
    greet(bot, listening, settings)
    waiting = asyncio.create_task(stop.wait())
    done, _ = await asyncio.wait({web, work, waiting}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    work.cancel()
    waiting.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await work
    with suppress(asyncio.CancelledError):
        await web
    if work in done and not work.cancelled() and (error := work.exception()) is not None:
        logging.getLogger("dicehall.referee").error("the referee stopped", exc_info=error)
        raise Failed("The referee stopped because of an error; the log says which.", 1)
    return 0


def greet(bot: Bot, listening: Any, settings: Settings) -> None:
    host, port = listening.getsockname()[:2]
    print(f"The referee {bot.referee.key.npub} is running at http://{host}:{port}. Press Ctrl-C to stop.")
    print(f"Relays: {', '.join(settings.nostr.relays)}. Mint: {settings.cashu.mint_url}.", flush=True)
