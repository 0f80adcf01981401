"""The folder of the games that were played on this machine: their files, and the latest games in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dicehall.client.local import BadRecord, LocalGame
from dicehall.client.playing import ended
from dicehall.client.results import ResultsFile
from dicehall.core.game import Faces
from dicehall.games import Catalogue
from dicehall.solvers.places import DATA
from dicehall.wire.errors import Invalid
from dicehall.wire.record import Record, read_record

LOOKED_AT = 100  # of the newest games, when one to continue is looked for


def games_folder() -> Path:
    return DATA.path() / "games"


def results_file() -> ResultsFile:
    return ResultsFile(DATA.path() / "results.jsonl")


def has_folder() -> bool:
    """Whether there is a place for games, where people have a home folder."""
    try:
        games_folder()
    except RuntimeError:
        return False
    return True


def secret_file(id: str) -> Path:
    return games_folder() / f"{id}.secret"


def lock_file(id: str) -> Path:
    return games_folder() / f"{id}.lock"


def version_of(path: Path) -> tuple[int, int] | None:
    """Changes whenever a game is written to the file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns


def kept_games() -> list[Path]:
    """The records of all kept games, the latest first."""
    found: list[tuple[int, Path]] = []
    with suppress(OSError, RuntimeError):
        for path in games_folder().glob("*.json"):
            with suppress(OSError):
                found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def last_game() -> Path | None:
    return next(iter(kept_games()), None)


@dataclass(frozen=True, slots=True)
class FoundGame:
    path: Path
    record: Record | None
    damage: str = ""  # why it cannot be read

    def goes_on(self, key: str | None) -> bool:
        record = self.record
        unfinished = record is not None and record.end is None and key in (None, record.game.key)
        return record is not None and unfinished and ended(LocalGame(record, no_dice)) is None


def last_unfinished(games: Catalogue, key: str | None = None) -> Path | None:
    """The latest game that can be continued, of one kind where a kind is wanted."""
    return next((found.path for found in found_games(games) if found.goes_on(key)), None)


def last_damaged(games: Catalogue) -> FoundGame | None:
    """An unreadable game that is newer than every game that can be continued."""
    for found in found_games(games):
        if found.damage:
            return found
        if found.goes_on(None):
            return None
    return None


def found_games(games: Catalogue) -> Iterator[FoundGame]:
    return (found_game(path, games) for path in kept_games()[:LOOKED_AT])


def found_game(path: Path, games: Catalogue) -> FoundGame:
    try:
        record = read_record(path.read_bytes(), games)
        LocalGame(record, no_dice)
    except OSError as error:
        return FoundGame(path, None, f"It cannot be read: {(error.strerror or str(error)).lower()}.")
    except Invalid as invalid:
        return FoundGame(path, None, invalid.sentence)
    except BadRecord as bad:
        return FoundGame(path, None, str(bad))
    return FoundGame(path, record)


def no_dice(sides: Faces) -> Faces:
    raise AssertionError("a record is only looked at here")
