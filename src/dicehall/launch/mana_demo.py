"""A whole match of Mana over Nostr on this machine: relay, mint and referee as processes, two bots as players."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

from dicehall.games.mana.lines import cards
from dicehall.games.mana.units import LEAGUES
from dicehall.launch.console import standard_voice
from dicehall.launch.output import Failed, write_json
from dicehall.launch.relay import WITHOUT_SDK
from dicehall.mint.wallet import Wallet, WalletError
from dicehall.nostr.keys import SecretKey
from dicehall.nostr.relay_pool import RelayPool
from dicehall.player.narration import Names, Note, Tell, short
from dicehall.player.open_challenges import OpenChallenges, wait_for_challenge
from dicehall.player.session import Outcome, Session
from dicehall.player.store import PlayerStore, StoredMatch
from dicehall.player.strategy import Chooser, Position, bot_chooser
from dicehall.player.tokens import Purse

START_S = 60.0
STOP_S = 10.0
MATCH_S = 100.0
THINKING_S = 1.5
LOOT = 1000
MATCHES = 10  # at most; a draw brings no loot, so another one is played
RUNNING = re.compile(r"running at (\S+?)\.?(?:\s|$)")
CONFIG = """[server]
port = 0
[nostr]
relay_url = {relay}
private_key = {key}
[cashu]
mint_url = {mint}
[game]
loot_reward_per_match = {loot}
[logging]
level = "warning"
file = ""
[store]
file = {store}
"""


@dataclass(frozen=True, slots=True)
class Services:
    relay: str
    mint: str
    referee: SecretKey
    referee_url: str


@dataclass(slots=True)
class Narrator:
    """Both players tell the same story; every sentence is told once."""

    tell: Tell
    told: set[str] = field(default_factory=set)

    def __call__(self, note: Note) -> None:
        key = json.dumps([note.event, note.facts], default=list) if note.facts else note.sentence
        if key not in self.told:
            self.told.add(key)
            self.tell(note)


@dataclass(slots=True)
class DemoPlayer:
    name: str
    level: str
    key: SecretKey
    store: PlayerStore
    purse: Purse
    pool: RelayPool


def run(options: argparse.Namespace) -> int:
    if find_spec("nostr_sdk") is None:
        raise Failed(WITHOUT_SDK)
    voice = standard_voice(plain=options.plain)

    def tell(note: Note) -> None:
        if not options.json:
            voice.say(note.sentence, "heading" if note.event in ("chapter", "result") else "event")

    with TemporaryDirectory(prefix="dicehall-demo-", ignore_cleanup_errors=True) as folder:
        try:
            outcome = asyncio.run(demo(Path(folder), tell, 0.0 if options.fast else THINKING_S))
        except WalletError as error:
            raise Failed(str(error), 1) from None
        except TimeoutError:
            raise Failed("The match did not end in time.", 1) from None
    fields = ("match_id", "winner", "score", "total_damage", "loot", "redeemed")
    write_json({name: getattr(outcome, name) for name in fields})
    return 1 if outcome.findings else 0


async def demo(folder: Path, tell: Tell, pause_s: float) -> Outcome:
    tell(Note("chapter", "Mana over Nostr, on this machine alone."))
    async with services(folder) as running, AsyncExitStack() as stack:
        tell(Note("relay", f"The relay is at {running.relay}, the mint at {running.mint},"))
        tell(Note("referee", f"and the referee {short(running.referee.npub)} at {running.referee_url}."))
        levels = (("Ann", "exact"), ("Bo", "greedy"))
        players = [await stack.enter_async_context(player(folder, running, *one)) for one in levels]
        for number in range(MATCHES):
            if number:
                tell(Note("chapter", "A draw brings no loot, so they play again."))
            async with asyncio.timeout(MATCH_S):
                outcome = await play_match(running, players, tell, pause_s)
            if outcome.winner is not None:
                break
        if not outcome.findings:
            tell(Note("checked", "Both players worked out every round from the reveals: the referee was right."))
        return outcome


# -- the services -----------------------------------------------------------------------------------------


@asynccontextmanager
async def services(folder: Path) -> AsyncIterator[Services]:
    """All three as processes of their own, as they would run elsewhere."""
    referee, python = SecretKey.generate(), (sys.executable, "-m")
    mint_words = ("--port", "0", "--db", str(folder / "mint.db"), "--faucet", "--log", "warning")
    async with (
        process("relay", folder, *python, "dicehall", "relay", "--port", "0", "--db", str(folder / "relay")) as relay,
        process(
            "mint", folder, *python, "dicehall", "mint", *mint_words, "--referee", referee.npub, "--max-loot", str(LOOT)
        ) as mint,
    ):
        addresses = await relay(), await mint()
        config = folder / "game-engine.toml"
        config.write_text(configuration(folder, referee, *addresses), encoding="utf-8")
        async with process("referee", folder, *python, "dicehall", "bot", "--config", str(config)) as bot:
            yield Services(*addresses, referee, await bot())


def configuration(folder: Path, referee: SecretKey, relay: str, mint: str) -> str:
    values = {"relay": relay, "mint": mint, "key": referee.nsec, "store": str(folder / "referee.db")}
    return CONFIG.format(loot=LOOT, **{name: json.dumps(value) for name, value in values.items()})


@asynccontextmanager
async def process(name: str, folder: Path, *words: str) -> AsyncIterator[Callable[[], Awaitable[str]]]:
    """A process that is stopped at the end; what is yielded waits for its address, and can be left uncalled."""
    log = folder / f"{name}.log"
    with log.open("wb") as errors:
        running = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            cwd=folder,
            start_new_session=True,
        )
        try:
            yield partial(address, name, running, log)
        finally:
            await stop(running)


async def address(name: str, running: asyncio.subprocess.Process, log: Path) -> str:
    assert running.stdout is not None
    try:
        async with asyncio.timeout(START_S):
            async for line in running.stdout:
                if found := RUNNING.search(line.decode()):
                    return found[1]
    except TimeoutError:
        pass
    last = log.read_text(errors="replace").strip().splitlines()[-1:]
    raise Failed(f"The {name} did not start: {''.join(last) or 'it said nothing'}", 1)


async def stop(running: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        running.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
    try:
        async with asyncio.timeout(STOP_S):
            await running.communicate()
    except TimeoutError:
        with suppress(ProcessLookupError):
            running.kill()
        await running.communicate()


# -- the match --------------------------------------------------------------------------------------------


@asynccontextmanager
async def player(folder: Path, running: Services, name: str, level: str) -> AsyncIterator[DemoPlayer]:
    key = SecretKey.generate()
    store = PlayerStore(folder / f"{name}.db")
    wallet = Wallet(folder / f"{name}-wallet.db", running.mint, any_thread=True)
    try:
        async with RelayPool.of((running.relay,), SystemRandom()).running() as pool:
            yield DemoPlayer(name, level, key, store, Purse(wallet, key), pool)
    finally:
        wallet.close()
        store.close()


async def play_match(running: Services, players: list[DemoPlayer], tell: Tell, pause_s: float) -> Outcome:
    """Both players at once; what the winner says of it counts, for only the winner has loot."""
    ann, bo = players
    names = Names(given={one.key.public_hex: one.name for one in players})
    narrator = Narrator(tell)
    outcomes = await asyncio.gather(
        challenge(running, ann, bo, names, narrator, pause_s), accept(running, bo, names, narrator, pause_s)
    )
    won = [one for one, by in zip(outcomes, players, strict=True) if one.winner == by.key.npub]
    return won[0] if won else outcomes[0]


async def challenge(
    running: Services, me: DemoPlayer, other: DemoPlayer, names: Names, tell: Tell, pause_s: float
) -> Outcome:
    match_id, referee = secrets.token_hex(8), running.referee.public_hex
    token = await me.purse.from_faucet()
    match = StoredMatch(match_id, referee, 0, other.key.public_hex, running.mint, token, None, int(time.time()))
    return await play(me, match, names, tell, pause_s)


async def accept(running: Services, me: DemoPlayer, names: Names, tell: Tell, pause_s: float) -> Outcome:
    referee, now_s = running.referee.public_hex, int(time.time())
    token = await me.purse.from_faucet()
    found = await wait_for_challenge(me.pool, OpenChallenges(me.key.public_hex, referee), now_s)
    match = StoredMatch(found.match_id, referee, 1, found.challenger, running.mint, token, found.challenge_id, now_s)
    return await play(me, match, names, tell, pause_s)


async def play(me: DemoPlayer, match: StoredMatch, names: Names, tell: Tell, pause_s: float) -> Outcome:
    me.store.add(match)
    league, army = await me.purse.army_of(match.token)
    lines = "\n".join(cards(army))
    tell(Note("army", f"{me.name} gets an army of the {LEAGUES[league].name} league:\n{lines}"))
    chooser = after_a_pause(bot_chooser(me.level, SystemRandom()), pause_s)
    clock = lambda: int(time.time())  # noqa: E731
    return await Session(me.key, me.pool, me.store, me.purse, match, chooser, tell, clock, names=names).play()


def after_a_pause(chooser: Chooser, pause_s: float) -> Chooser:
    """A person reads along."""

    async def choose(position: Position) -> int | None:
        await asyncio.sleep(pause_s)
        return await chooser(position)

    return choose
