"""The part `mint` of a campaign: wallets mint and swap while the mint is killed with kill -9 at random moments.

At the end every token that a wallet holds must be good, every token that it has spent must be refused, and what the
ledger calls in circulation must be what the wallets hold: no value was lost, and none was made.
`python -m tools.campaign_mint [--bug NAME] WORDS` is the mint that is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dicehall.mint.ledger import Ledger
from dicehall.mint.messages import Proof
from dicehall.mint.wallet import Refusal, Wallet, WalletError, fetch
from tools.campaign_hall import environment, free_port
from tools.campaign_known import Fault
from tools.campaign_pipe import ROOT, START_S, HostFailed

WALLETS = 6
LOOK_S = 0.05
SHORTEST_S, LONGEST_S = 0.2, 1.2  # between two kills


# -- the mint that is killed --------------------------------------------------------------------------------


def commit_late() -> None:
    """A deliberate bug: wallets are answered before the ledger is written, which happens every ninth time."""
    count = 0

    @contextmanager
    def transaction(self: Ledger) -> Iterator[None]:
        nonlocal count
        if not self.db.in_transaction:
            self.db.execute("BEGIN IMMEDIATE")
        yield
        count += 1
        if count % 9 == 0:
            self.db.execute("COMMIT")

    Ledger.transaction = transaction  # type: ignore[method-assign]


BUGS: dict[str, Callable[[], None]] = {"commit-late": commit_late}


def main() -> None:
    from dicehall.launch.main import run

    words = sys.argv[1:]
    if words[:1] == ["--bug"]:
        BUGS[words[1]]()
        words = words[2:]
    sys.argv[1:] = ["mint", *words]
    run()


@dataclass(slots=True, eq=False)
class MintProcess:
    file: Path
    bug: str | None
    port: int = field(default_factory=free_port)
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        bug = ("--bug", self.bug) if self.bug else ()
        words = ("--faucet", "--swap-delay", "0", "--port", str(self.port), "--db", str(self.file), "--log", "warning")
        with self.file.with_suffix(".log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tools.campaign_mint", *bug, *words),
                cwd=ROOT,
                env=environment(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
            )
        await self.until_ready(self.process)

    async def until_ready(self, process: asyncio.subprocess.Process) -> None:
        begun = time.monotonic()
        while not await asyncio.to_thread(is_healthy, self.url):
            if process.returncode is not None or time.monotonic() - begun > START_S:
                raise HostFailed(f"The mint did not start; see {self.file.with_suffix('.log')}.")
            await asyncio.sleep(LOOK_S)

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is not None:
            raise HostFailed(f"The mint ended unasked ({self.process.returncode}).")
        os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()


def is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + "/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


# -- the wallets ------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Player:
    """Somebody who mints and swaps, and repeats whatever was not answered."""

    wallet: Wallet
    chance: Random
    spent: list[Proof] = field(default_factory=list)
    minted: int = 0
    answered: int = 0
    faults: set[Fault] = field(default_factory=set)

    def act(self) -> None:
        held = self.wallet.tokens("mana")
        if not held or self.chance.random() < 0.3:
            self.wallet.get_mana()
            self.minted += 1
        else:
            token = self.chance.choice(held)
            self.wallet.swap_for_new([token], "mana")
            self.spent.append(token)
        self.answered += 1

    def try_to_act(self) -> bool:
        """False where the mint is away; what was begun is then finished by the next try."""
        try:
            self.finish()
            self.act()
        except Refusal as refusal:
            self.faults.add(Fault("lost", "mint", f"an honest request was refused: {refusal}"))
        except WalletError:
            return False
        return True

    def finish(self) -> None:
        """Repeat what was never answered, and count it as what it was."""
        for path, inputs in self.wallet.unanswered():
            self.wallet.recover()
            self.minted += path != "/v1/swap"
            self.spent += inputs
            self.answered += 1

    def audit(self) -> None:
        held = self.wallet.tokens("mana")
        if len(held) != self.minted:
            self.faults.add(Fault("lost", "mint", f"{self.minted} tokens were minted, {len(held)} are held"))
        for token in held:
            told = self.wallet.verify(token)
            if not told.valid or told.spent:
                self.faults.add(Fault("lost", "mint", f"a token that is held is not good: {token.secret[:8]}"))
        for token in self.spent:
            if not self.wallet.verify(token).spent:
                self.faults.add(Fault("doubled", "mint", f"a spent token can be spent again: {token.secret[:8]}"))


@dataclass(slots=True, eq=False)
class MintCampaign:
    folder: Path
    chance: Random
    timing: Random
    bug: str | None
    report: Callable[[], None]
    kills: int = 0
    finished: int = 0
    players: list[Player] = field(default_factory=list)
    found: set[Fault] = field(default_factory=set)

    @property
    def faults(self) -> AbstractSet[Fault]:
        return self.found.union(*(player.faults for player in self.players))

    def acknowledged(self) -> int:
        return sum(player.answered for player in self.players)

    async def run(self, wanted: int, seconds: float) -> None:
        mint = MintProcess(self.folder / "mint.db", self.bug)
        self.players = [self.player(mint.url, number) for number in range(WALLETS)]
        await mint.start()
        stopping = asyncio.Event()
        playing = [asyncio.create_task(keep_playing(player, stopping)) for player in self.players]
        try:
            await self.keep_killing(mint, wanted, time.monotonic() + seconds)
        finally:
            stopping.set()  # a thread cannot be cancelled, so each comes to the end of what it does
            await asyncio.gather(*playing)
        await self.audit(mint)

    def player(self, url: str, number: int) -> Player:
        wallet = Wallet(self.folder / f"wallet-{number}.db", url, fetch, any_thread=True)
        return Player(wallet, Random(self.chance.random()))

    async def keep_killing(self, mint: MintProcess, wanted: int, end: float) -> None:
        while self.kills < wanted and time.monotonic() < end:
            await asyncio.sleep(self.timing.uniform(SHORTEST_S, LONGEST_S))
            await mint.kill()
            self.kills += 1
            await mint.start()
            if self.kills % 10 == 0:
                self.report()

    async def audit(self, mint: MintProcess) -> None:
        for player in self.players:
            await asyncio.to_thread(player.finish)
            await asyncio.to_thread(player.audit)
        await mint.kill()
        held = sum(player.wallet.balance("mana") for player in self.players)
        issued, redeemed = in_ledger(mint.file)
        if issued - redeemed != held:
            kind = "doubled" if issued - redeemed > held else "lost"
            what = f"{issued - redeemed} are in circulation by the ledger, {held} are held"
            self.found.add(Fault(kind, "mint", what))
        self.finished += 1


async def keep_playing(player: Player, stopping: asyncio.Event) -> None:
    while not stopping.is_set():
        if not await asyncio.to_thread(player.try_to_act):
            await asyncio.sleep(LOOK_S)


def in_ledger(file: Path) -> tuple[int, int]:
    db = sqlite3.connect(file)
    row = db.execute("SELECT coalesce(sum(issued), 0), coalesce(sum(redeemed), 0) FROM totals").fetchone()
    db.close()
    return int(row[0]), int(row[1])


if __name__ == "__main__":
    main()
