"""Games played on this machine: their dice are sealed, every one is kept, and the last one can be continued.

Each has two files in the folder `games` of the user's data: the record, and while the game runs the secret behind its
seal, which only the user can read. A record can be shared; whoever has the secret knows the dice to come. While
somebody plays, a third file holds the lock that keeps others from playing the same game.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from dicehall.client.keeping import CannotKeep, write_whole
from dicehall.client.local import LocalGame, continued
from dicehall.client.playing import ended
from dicehall.client.results import result_of
from dicehall.core.game import Faces
from dicehall.dice.chain import SIZE, Chain
from dicehall.dice.sealed import Sealed
from dicehall.dice.sources import Seeded, System
from dicehall.dice.words import full_words, salt
from dicehall.launch.game_folder import games_folder, has_folder, lock_file, results_file, secret_file
from dicehall.launch.game_lock import GameLock
from dicehall.wire.bot_names import bot_of
from dicehall.wire.record import Record, Seal, record_text

NAME = re.compile(r"[a-z]+-[0-9a-f]{16}")


@dataclass(slots=True)
class HomeGame:
    """A game of people at this machine. It is kept from the first move of a person on."""

    id: str
    people: frozenset[int]
    keeps: bool
    playing: LocalGame = field(init=False)
    moved: bool = False  # whether a person has moved, now or before the game was resumed
    kept: bool = False  # whether the file holds the newest record
    trouble: str | None = None  # why it does not, if it should
    counted: bool = False
    lock: GameLock | None = None

    @property
    def path(self) -> Path:
        return games_folder() / f"{self.id}.json"

    @property
    def seal(self) -> str | None:
        seal = self.playing.record().seal
        return None if seal is None else seal.s0

    def store(self, record: Record) -> None:
        self.moved = self.moved or has_moved(record, self.people)
        if not self.moved or not self.keeps:
            return
        try:  # a game is none the worse where it cannot be kept, but people are told
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, record_text(record))
            self.kept, self.trouble = True, None
        except OSError as error:
            self.kept, self.trouble = False, f"{error.filename or self.path} cannot be written: {error.strerror}."
        except (RuntimeError, CannotKeep) as error:  # RuntimeError: there is no home folder
            self.kept, self.trouble = False, str(error)

    def close(self) -> None:
        """Count the result of a game that is over; a game that nobody played, or that is over, needs no secret.

        From here on it may be resumed elsewhere."""
        if ended(self.playing):
            self.count()
        if ended(self.playing) or not self.moved:
            with suppress(OSError):
                secret_file(self.id).unlink(missing_ok=True)
        if self.lock is not None:
            self.lock.release()

    def count(self) -> None:
        names = enumerate(self.playing.names)
        bots = {seat: level for seat, name in names if (level := bot_of(name)) and seat not in self.people}
        result = result_of(self.playing, bots, self.id, time.time_ns() // 1_000_000)
        if result and self.moved and self.keeps and not self.counted:
            self.counted = results_file().add(result)


def has_moved(record: Record, people: frozenset[int]) -> bool:
    moves = (entry for entry in reversed(record.entries) if isinstance(entry, dict) and "move" in entry)
    return any(move.get("seat") in people for move in moves)


def home_game(
    record: Record, seed: str | None = None, words: str = "", source: Path | None = None, *, keep: bool = True
) -> HomeGame:
    """A new game, or one that goes on from its record; *source* is the file it was read from.

    The dice are sealed, unless a seed decides them, or the secret of a resumed game is not on this machine. Games of
    programs are neither sealed nor kept: they are many, and their records are where they asked for them.
    Raises GameIsOpen where somebody plays this game already.
    """
    people = frozenset(seat for seat, name in enumerate(record.names) if bot_of(name) is None)
    chain = find_chain(record)
    if chain is None and record.entries:
        record = continued(record)
    elif chain is None and seed is None and keep:
        record, chain = sealed(record, people, words)
    home = HomeGame(id_of(record, source), people, keep, has_moved(record, people))
    home.counted = bool(record.end)
    home.lock = GameLock(lock_file(home.id)) if has_folder() and ((keep and people) or source) else None
    roll, secret = rolls(record, seed, chain)
    home.playing = LocalGame(record, roll, secret=secret, store=home.store)
    return home


def id_of(record: Record, source: Path | None) -> str:
    """The name of a game's files: that of its seal, or one that stays the same for the file it came from."""
    if record.seal is not None and NAME.fullmatch(record.seal.table):
        return record.seal.table
    if source is None:
        return new_id()
    if source.parent == games_folder() and NAME.fullmatch(source.stem):
        return source.stem
    return f"file-{sha256(os.fsencode(source.resolve())).hexdigest()[:16]}"


def new_id() -> str:
    return f"home-{secrets.token_hex(8)}"


def rolls(
    record: Record, seed: str | None, chain: Chain | None
) -> tuple[Callable[[Faces], Faces], Callable[[int], str] | None]:
    """The dice that come after those a game has had, and the secrets behind them where they are sealed."""
    thrown = sum("roll" in entry for entry in record.entries if isinstance(entry, dict))
    if chain is not None and record.seal is not None:
        sealed_dice = Sealed(
            chain, salt(record.seal.table, record.seal.words), thrown + (record.seal.drawn is not None)
        )
        return sealed_dice.roll, lambda number: chain.secret(number).hex()
    if seed is None:
        return System().roll, None
    seeded = Seeded(seed)
    for _ in range(thrown):
        seeded.roll(())
    return seeded.roll, None


# -- seals ------------------------------------------------------------------------------------------


def sealed(record: Record, people: frozenset[int], words: str) -> tuple[Record, Chain | None]:
    """Seal the dice of a new game: the secret is stored first, and then the words are drawn that are mixed in."""
    id, last = new_id(), secrets.token_bytes(SIZE)
    if not store_secret(id, last):
        return record, None
    chain, first = Chain(last), min(people, default=None)
    brought = [full_words(words if seat == first else "", secrets.token_bytes(16)) for seat in range(len(record.names))]
    own = tuple(text if seat in people else "" for seat, text in enumerate(brought))
    return replace(record, seal=Seal(id, chain.seal, own)), chain


def store_secret(id: str, last: bytes) -> bool:
    """Whether it was written, for the user's eyes only; a game whose secret would be lost has no seal."""
    try:
        write_private(secret_file(id), last.hex())
    except (OSError, RuntimeError):
        return False
    return True


def write_private(path: Path, text: str) -> None:
    """A file that only the user can read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # so that it is made anew with these rights
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())


def find_chain(record: Record) -> Chain | None:
    """The chain that a record's dice come from, if this machine has its secret."""
    if record.seal is None or not NAME.fullmatch(record.seal.table):
        return None
    try:
        chain = Chain(bytes.fromhex(secret_file(record.seal.table).read_text()))
    except (OSError, ValueError):
        return None
    return chain if chain.seal == record.seal.s0 else None
