"""A match of Mana over Nostr at this terminal: key, token, challenge, picks, loot."""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import shlex
import sqlite3
import sys
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from random import SystemRandom

import msgspec

from dicehall.bots.levels import levels
from dicehall.launch.console import standard_voice
from dicehall.launch.interrupts import INTERRUPTED
from dicehall.launch.mana import RELAY
from dicehall.launch.mana_screen import PersonScreen, ProgramScreen, Screen
from dicehall.launch.nostr import default_file
from dicehall.launch.numbers import read_whole
from dicehall.launch.output import Failed
from dicehall.launch.typed_lines import TypedLines
from dicehall.mint.messages import Proof
from dicehall.mint.wallet import Wallet, WalletError
from dicehall.nostr.keys import InvalidKey, SecretKey, create_key_file, npub_of, parse_public, read_key_file
from dicehall.nostr.match_events import MATCH_ID
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player.narration import Note, printable, short
from dicehall.player.open_challenges import OpenChallenges, wait_for_challenge
from dicehall.player.session import Left, Outcome, Session
from dicehall.player.store import PlayerStore, StoredMatch, StoreError
from dicehall.player.strategy import bot_chooser
from dicehall.player.tokens import Purse
from dicehall.solvers.places import DATA

STATUS_S = RELAY_S = 5.0
POLL_S = 0.05
MAX_STATUS_BYTES = 1 << 20
CHEATED = 1  # the exit code where the referee's word was wrong


@dataclass(frozen=True, slots=True)
class Wanted:
    """The command as it was typed, checked."""

    key: SecretKey
    referee: str  # hex
    relays: tuple[str, ...]
    mint: str
    challenge: str | None  # hex
    accept: str | None  # hex, or empty for anybody
    match_id: str | None
    new: bool
    token: str | None
    bot: str | None
    kind: int
    folder: Path


def run(options: argparse.Namespace) -> int:
    lines = TypedLines()
    screen: Screen = ProgramScreen(lines) if options.json else PersonScreen(standard_voice(plain=options.plain), lines)
    wanted = read_options(options, screen)
    try:
        outcome = asyncio.run(play(wanted, screen))
    except Left:
        screen.tell(leaving())
        return 0
    except KeyboardInterrupt:
        screen.tell(leaving())
        return INTERRUPTED
    except (WalletError, StoreError) as error:
        raise Failed(printable(str(error)), 1) from None
    screen.end(msgspec.to_builtins(outcome))
    return CHEATED if outcome.findings or outcome.reason.startswith("refused") else 0


def leaving() -> Note:
    command = shlex.join(["dicehall", *(word for word in sys.argv[1:] if word != "--new")])
    return Note("left", f"Nothing is lost, but the referee's clock keeps running. To resume the match, run: {command}")


# -- what was typed ---------------------------------------------------------------------------------------


def read_options(options: argparse.Namespace, screen: Screen) -> Wanted:
    if options.bot is not None and options.bot not in levels("mana"):
        raise Failed(f"There is no bot of level {options.bot!r} for mana; there are {', '.join(levels('mana'))}.")
    if options.match is not None and not MATCH_ID.fullmatch(options.match):
        raise Failed("A match id has 1 to 64 of the characters A-Z a-z 0-9 . _ -")
    key = read_key(Path(options.key) if options.key else default_file(), screen)
    challenge = None if options.challenge is None else public_key("--challenge", options.challenge)
    if challenge == key.public_hex:
        raise Failed("You cannot challenge yourself.")
    return Wanted(
        key,
        read_referee(options.referee),
        relay_urls(options.relay or [RELAY]),
        mint_url(options.mint),
        challenge,
        options.accept and public_key("--accept", options.accept),
        options.match,
        options.new,
        options.token,
        options.bot,
        read_whole("--kind", options.kind, 0, 65535),
        data_folder(options.data, key),
    )


def read_key(path: Path, screen: Screen) -> SecretKey:
    """The key in a file; a new one where there is none."""
    try:
        key = create_key_file(path)
    except FileExistsError:
        try:
            return read_key_file(path)
        except (InvalidKey, UnicodeDecodeError, OSError) as error:
            raise Failed(f"{path} is not a key: {error}") from None
    except OSError as error:
        raise Failed(f"No key can be stored in {path}: {error.strerror}.") from None
    screen.tell(Note("key", f"A new key is stored in {path}. You are {key.npub}", {"npub": key.npub}))
    return key


def public_key(name: str, text: str) -> str:
    try:
        return parse_public(text)
    except InvalidKey as error:
        raise Failed(f"{name}: {error}") from None


def read_referee(text: str) -> str:
    """Its public key, or what its status page says that it is."""
    if not text.startswith(("http://", "https://")):
        return public_key("--referee", text)
    try:
        with urllib.request.urlopen(text.rstrip("/") + "/status", timeout=STATUS_S) as answer:
            return parse_public(json.loads(answer.read(MAX_STATUS_BYTES))["npub"])
    except (OSError, ValueError, KeyError, TypeError, HTTPException, RecursionError):
        raise Failed(f"No referee answers at {text}. Name one that you trust: --referee NPUB") from None


def relay_urls(urls: list[str]) -> tuple[str, ...]:
    for url in urls:
        if not url.startswith(("ws://", "wss://")):
            raise Failed(f"The address of a relay starts with ws:// or wss://, not {url!r}.")
    return tuple(urls)


def mint_url(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise Failed(f"The address of a mint starts with http:// or https://, not {url!r}.")
    return url


def data_folder(named: str | None, key: SecretKey) -> Path:
    """One folder for each key, so that several players can share a machine."""
    folder = Path(named) if named else DATA.path() / "mana"
    try:
        (folder / key.npub).mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Failed(f"{folder} cannot be used: {(error.strerror or str(error)).lower()}.") from None
    return folder / key.npub


# -- playing ----------------------------------------------------------------------------------------------


async def play(wanted: Wanted, screen: Screen) -> Outcome:
    async with opened(wanted) as (store, purse, pool):
        match = stored_match(wanted, store)
        await purse.recover()
        await reach_relays(pool, screen)
        if match is None:
            match = await new_match(wanted, screen, store, purse, pool)
        if match.mint != wanted.mint:
            screen.tell(Note("mint", f"This match was started with another mint: --mint {match.mint}"))
        chooser = screen.choose if wanted.bot is None else bot_chooser(wanted.bot, SystemRandom())
        session = Session(
            wanted.key, pool, store, purse, match, chooser, screen.tell, lambda: int(time.time()), wanted.kind
        )
        return await session.play()


@asynccontextmanager
async def opened(wanted: Wanted) -> AsyncIterator[tuple[PlayerStore, Purse, RelayPool]]:
    store = PlayerStore(wanted.folder / "player.db")
    try:
        wallet = Wallet(wanted.folder / "wallet.db", wanted.mint, any_thread=True)
    except sqlite3.Error as error:
        raise StoreError(f"{wanted.folder / 'wallet.db'} cannot be used: {error}.") from None
    try:
        async with RelayPool.of(wanted.relays, SystemRandom()).running() as pool:
            yield store, Purse(wallet, wanted.key), pool
    finally:
        wallet.close()
        store.close()


async def reach_relays(pool: RelayPool, screen: Screen) -> None:
    """A person should know early if no relay answers; the pool goes on trying."""
    with suppress(TimeoutError):
        async with asyncio.timeout(RELAY_S):
            while not pool.connected and any(relay.last_error is None for relay in pool.relays):
                await asyncio.sleep(POLL_S)
    if not pool.connected:
        errors = "; ".join(f"{relay.url}: {relay.last_error or 'no answer'}" for relay in pool.relays)
        screen.tell(Note("trouble", f"No relay can be reached ({errors}). Trying again."))


def stored_match(wanted: Wanted, store: PlayerStore) -> StoredMatch | None:
    """The unfinished match that the command means; None where it asks for a new one."""
    if wanted.match_id is not None and (named := store.find(wanted.match_id)) is not None:
        if named.referee != wanted.referee:
            raise Failed(f"Match {named.match_id} was started with another referee: {npub_of(named.referee)}.")
        return named
    found = [one for one in store.matches() if one.referee == wanted.referee and is_meant(one, wanted)]
    unfinished = [one for one in found if not one.ended and not wanted.new]
    if unfinished:
        return unfinished[0]
    if wanted.challenge is None and wanted.accept is None:
        raise Failed("There is no unfinished match. Start one with --challenge NPUB or --accept.")
    return None


def is_meant(match: StoredMatch, wanted: Wanted) -> bool:
    if wanted.match_id is not None:
        return False  # it was looked for by its id
    if wanted.challenge is not None:
        return match.seat == 0 and match.opponent == wanted.challenge
    return wanted.accept is None or (match.seat == 1 and wanted.accept in ("", match.opponent))


async def new_match(wanted: Wanted, screen: Screen, store: PlayerStore, purse: Purse, pool: RelayPool) -> StoredMatch:
    if wanted.challenge is not None:
        match_id, opponent, challenge_id = wanted.match_id or new_id(), wanted.challenge, None
        seat = 0
    else:
        me = wanted.key.npub
        screen.tell(Note("waiting", f"Waiting for a challenge. Your npub is {me}", {"npub": me}))
        found = await wait_for_challenge(
            pool,
            OpenChallenges(wanted.key.public_hex, wanted.referee),
            int(time.time()),
            kind=wanted.kind,
            challenger=wanted.accept or None,
            match_id=wanted.match_id,
        )
        match_id, opponent, challenge_id, seat = found.match_id, found.challenger, found.challenge_id, 1
        screen.tell(Note("challenged", f"{short(npub_of(opponent))} has challenged you.", {"npub": npub_of(opponent)}))
    token = await find_token(wanted, screen, store, purse)
    league, army = await purse.army_of(token)
    screen.show_army(army, league)
    match = StoredMatch(match_id, wanted.referee, seat, opponent, wanted.mint, token, challenge_id, int(time.time()))
    store.add(match)
    return match


def new_id() -> str:
    return secrets.token_hex(8)


async def find_token(wanted: Wanted, screen: Screen, store: PlayerStore, purse: Purse) -> Proof:
    """A pasted token, one from the wallet, or one from the faucet."""
    if wanted.token is not None:
        return await purse.from_text(wanted.token)
    if (found := await purse.find_army(store.tokens_in_use())) is not None:
        return found
    while wanted.bot is None:
        text = await screen.ask_token()
        if text is None:
            raise Left
        if not text.strip():
            break
        try:
            return await purse.from_text(text)
        except WalletError as error:
            screen.tell(Note("refused", str(error)))
    return await purse.from_faucet()
