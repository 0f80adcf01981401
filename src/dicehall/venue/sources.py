"""Files that a venue can be read from: a module, an area, a folder of areas, or a venue file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from stat import S_ISREG

from dicehall.core.text import only_visible
from dicehall.venue.areas import Area, DamagedArea, make_name
from dicehall.venue.discovery import BrokenArea, discover
from dicehall.venue.gff import MISSING_PACKAGE, has_package, is_area_json, read_binary, read_json
from dicehall.venue.layout import Venue
from dicehall.venue.module_file import ModuleError, find_areas, read_entry
from dicehall.venue.settings import SettingsError, read_settings
from dicehall.venue.venue_file import VenueFileError, areas_of, decode_json, decode_toml, read_venue

MOST_AREA_BYTES = 16 * 2**20
MOST_TOTAL_BYTES = 256 * 2**20  # of all areas of a venue
MOST_AREAS = 2000
MODULE_ENDINGS = (".mod", ".erf", ".nwm")
AREA_ENDING, JSON_AREA_ENDING = ".git", ".git.json"

Reader = Callable[[str, bytes], Area]


class VenueError(ValueError):
    """A file from which no venue can be read; the sentence is for a person."""


@dataclass(slots=True)
class Budget:
    """How many bytes of areas are still read."""

    left: int = MOST_TOTAL_BYTES

    def take(self, size: int) -> None:
        if size > MOST_AREA_BYTES:
            raise DamagedArea(f"The area is larger than {MOST_AREA_BYTES // 2**20} MB.")
        if size > self.left:
            raise DamagedArea(f"The areas before it already have {MOST_TOTAL_BYTES // 2**20} MB; no more can be read.")
        self.left -= size


@dataclass(frozen=True, slots=True)
class Source:
    """A venue before discovery."""

    name: str
    areas: Iterator[Area | BrokenArea]
    settings: Mapping[str, object]


def load(path: Path, overrides: Mapping[str, object] | None = None) -> Venue:
    """The venue in a file or folder. `overrides` are settings that count more than the file's."""
    try:
        source = open_source(path, overrides or {})
        return discover(source.name, source.areas, read_settings(source.settings))
    except (SettingsError, VenueFileError) as error:
        raise VenueError(only_visible(str(error))) from None
    except OSError as error:
        raise VenueError(f"{path} cannot be read: {reason_of(error)}.") from None


def open_source(path: Path, settings: Mapping[str, object]) -> Source:
    name = path.name.lower()
    if path.is_dir():
        return Source(path.resolve().name, areas_of_folder(path), settings)
    if name.endswith(MODULE_ENDINGS):
        return Source(path.stem, areas_of_module(path), settings)
    if name.endswith((AREA_ENDING, JSON_AREA_ENDING)):
        return Source(area_name(path), iter([read_file(path, Budget())]), settings)
    if name.endswith(".toml"):
        return open_venue_file(path, decode_toml(read_bounded(path)), settings)
    if name.endswith(".json"):
        return open_json(path, settings)
    raise VenueError(f"{path} is not a .mod, .git, .git.json, .toml or .json file.")


def open_json(path: Path, settings: Mapping[str, object]) -> Source:
    """A venue file, or an area whose file name does not say so."""
    data = read_bounded(path)
    content = decode_json(data)
    if is_area_json(content):
        area = read_area(area_name(path), len(data), lambda: data, read_json, Budget())
        return Source(area_name(path), iter([area]), settings)
    return open_venue_file(path, content, settings)


def open_venue_file(path: Path, content: object, settings: Mapping[str, object]) -> Source:
    venue = read_venue(content, settings, MOST_AREAS)
    return Source(venue.name or path.stem, areas_of(venue), venue.settings)


def areas_of_folder(folder: Path) -> Iterator[Area | BrokenArea]:
    files = sorted(path for path in folder.iterdir() if is_area_file(path))
    if not files:
        raise VenueError(f"{folder} has no *.git.json or *.git files.")
    check_count(len(files))
    budget = Budget()
    for path in files:
        yield read_file_of_folder(path, budget)


def areas_of_module(path: Path) -> Iterator[Area | BrokenArea]:
    require_package()
    budget, file_bytes = Budget(), size_of(path)
    with path.open("rb") as file:
        try:
            entries = find_areas(file, file_bytes)
        except ModuleError as error:
            raise VenueError(f"{path} cannot be read: {error}.") from None
        check_count(len(entries))
        for entry in entries:
            content = partial(read_entry, file, file_bytes, entry)
            yield read_area(entry.name, entry.size, content, read_binary, budget)


def is_area_file(path: Path) -> bool:
    """By its name; a folder is none: every repository has one that is called .git."""
    return path.name.lower().endswith((AREA_ENDING, JSON_AREA_ENDING)) and not path.is_dir()


def read_file_of_folder(path: Path, budget: Budget) -> Area | BrokenArea:
    """One that cannot be read does not stop the others."""
    try:
        return read_file(path, budget)
    except OSError as error:
        return area_name(path), DamagedArea(f"The file cannot be read: {reason_of(error)}.")


def read_file(path: Path, budget: Budget) -> Area | BrokenArea:
    is_binary = path.name.lower().endswith(AREA_ENDING)
    if is_binary:
        require_package()
    reader = read_binary if is_binary else read_json
    return read_area(area_name(path), size_of(path), path.read_bytes, reader, budget)


def read_area(name: str, size: int, content: Callable[[], bytes], reader: Reader, budget: Budget) -> Area | BrokenArea:
    try:
        budget.take(size)
        return reader(name, content())
    except DamagedArea as damage:
        return name, damage


def area_name(path: Path) -> str:
    return make_name(path.name.lower().removesuffix(".json").removesuffix(AREA_ENDING))


def read_bounded(path: Path) -> bytes:
    if size_of(path) > MOST_AREA_BYTES:
        raise VenueError(f"{path} is larger than {MOST_AREA_BYTES // 2**20} MB.")
    return path.read_bytes()


def size_of(path: Path) -> int:
    """In bytes. Only a regular file has a size; a device or a pipe might never end."""
    found = path.stat()
    if not S_ISREG(found.st_mode):
        raise OSError("it is not a regular file")
    return found.st_size


def reason_of(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def check_count(areas: int) -> None:
    if areas > MOST_AREAS:
        raise VenueError(f"There are {areas} areas; at most {MOST_AREAS} are read.")


def require_package() -> None:
    if not has_package():
        raise VenueError(MISSING_PACKAGE)
