"""``dicehall venue``: find the tables in a module, an area or a venue file, or try a sample tavern in the browser."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.numbers import decimal_number, whole_number
from dicehall.launch.output import Failed, Help, read_input, write_json
from dicehall.venue import svg_map
from dicehall.venue.layout import Venue, VenueTable
from dicehall.venue.nui_schema import problems
from dicehall.venue.settings import EXPECTED, DiscoverySettings
from dicehall.venue.sources import VenueError, load
from dicehall.wire.errors import clipped

DEFAULTS = DiscoverySettings()
NOTHING_FOUND = 1
TRY = "To try a sample tavern: dicehall venue demo"
PORT, GOAL = "8090", "5000"
SETTINGS: dict[
    str, tuple[str, str, Callable[[str], str | float | None]]
] = {  # flags, what they are for, and how they are read
    "trigger_tag": ("TAG", "tag of the triggers around tables", str),
    "chair_tag": ("TAG", "tag of the chairs", str),
    "observer_tag": ("TAG", "tag of the placeables to watch from", str),
    "min_chairs": ("N", "minimum number of chairs per table", whole_number),
    "max_chairs": ("N", "maximum number of chairs per table; any others are ignored", whole_number),
    "observer_distance_m": ("METRES", "how far an observer spot can be from its table", decimal_number),
}

EXAMPLES = """examples:
  dicehall venue mymodule.mod                the tables of a module, and what is wrong with them
  dicehall venue tavern.git --json           the same for one area, for a program
  dicehall venue src/areas --svg map.svg     a folder of *.git.json files, drawn as a map
  dicehall venue tavern.toml                 a venue file; docs/venue.md describes it
  dicehall venue demo                        a sample tavern in the browser; play against bots
  dicehall venue preview window.json > window.html

The exit code is 1 if no table was found. .mod and .git files need the extra nwn: pip install 'dicehall[nwn]'.
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "venue", help="tables in a game world", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument(
        "file",
        metavar="FILE",
        help="a .mod, .git, .git.json, .toml or .json file or a folder; or one of: demo, preview",
    )
    command.add_argument("window", metavar="WINDOW", nargs="?", help="preview: a NUI window as JSON, or -")
    command.add_argument("--json", action="store_true", help="JSON, for programs")
    command.add_argument("--svg", metavar="OUT", help="write a map to this file")
    discovery = command.add_argument_group("discovery", "These options override the settings in a venue file.")
    for name, (metavar, help, _) in SETTINGS.items():
        text = f"{help} (default {getattr(DEFAULTS, name)})"
        discovery.add_argument(flag_of(name), dest=name, metavar=metavar, help=text)
    demo = command.add_argument_group("demo")
    demo.add_argument("--port", default=PORT, help=f"the port to listen on (default {PORT}; 0: any free one)")
    demo.add_argument("--goal", metavar="POINTS", default=GOAL, help=f"points needed to win (default {GOAL})")
    demo.add_argument("--fast", action="store_true", help="no thinking pauses for the tavern's patrons")
    demo.add_argument("--no-open", action="store_true", help="do not open a browser")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    if options.file == "preview":
        refuse(options, "preview", ("svg", *SETTINGS))
        return preview(options)
    if options.window is not None:
        raise Failed("Only preview takes a second file.")
    if options.file == "demo":
        from dicehall.launch import venue_demo  # only this needs a hall and a server

        refuse(options, "demo", ("json", "svg", *SETTINGS))
        return venue_demo.run(options, games)
    return show(options)


def flag_of(name: str) -> str:
    return f"--{name.replace('_', '-').removesuffix('-m')}"


def refuse(options: argparse.Namespace, command: str, names: Sequence[str]) -> None:
    """Options that this command would ignore."""
    for name in names:
        if getattr(options, name):
            raise Failed(f"{flag_of(name)} has no effect on {command}; it is for the tables in a FILE.")


def show(options: argparse.Namespace) -> int:
    if not Path(options.file).exists():
        raise Failed(f"{options.file} cannot be read: no such file or directory. {TRY}")
    overrides = {name: read_setting(name, text) for name in SETTINGS if (text := getattr(options, name)) is not None}
    try:
        venue = load(Path(options.file), overrides)
    except VenueError as error:
        raise Failed(str(error)) from None
    if options.svg:
        write_file(options.svg, svg_map.draw(venue))
    if options.json:
        write_json(as_json(venue))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in in_words(venue)))
    return 0 if venue.tables else NOTHING_FOUND


def read_setting(name: str, text: str) -> str | float:
    value = SETTINGS[name][2](text)
    if value is None:
        raise Failed(f"{flag_of(name)} must be {EXPECTED[name]}, not {clipped(text)!r}.")
    return value


def write_file(path: str, content: str) -> None:
    try:
        Path(path).write_text(content, encoding="utf-8")
    except OSError as error:
        raise Failed(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from None


def as_json(venue: Venue) -> dict[str, Any]:
    return {
        "tables": [
            {
                "area": table.area,
                "trigger": table.trigger.id,
                "table": table.id,
                "chairs": [chair.id for chair in table.chairs],
                "observers": [observer.id for observer in table.observers],
            }
            for table in venue.tables
        ],
        "warnings": [{"area": one.area, "code": one.code, "message": one.message} for one in venue.warnings],
    }


def in_words(venue: Venue) -> Iterator[str]:
    yield f"{venue.name}: {count(len(venue.tables), 'table')}, {count(len(venue.warnings), 'warning')}"
    for number, table in enumerate(venue.tables, 1):
        yield ""
        yield from table_in_words(number, table)
    if venue.warnings:
        yield ""
        yield "Warnings"
    for warning in venue.warnings:
        yield f"  {warning.area}: {warning.message} ({warning.code})"


def table_in_words(number: int, table: VenueTable) -> Iterator[str]:
    yield f"Table {number} in area {table.area}"
    yield f"  table     {table.id}" + ("" if table.table else "  (the trigger stands in)")
    yield f"  trigger   {table.trigger.id}"
    yield from column("chairs", [chair.id for chair in table.chairs])
    yield from column("watch", [observer.id for observer in table.observers] or ["nobody can watch"])


def column(head: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"  {head if number == 0 else '':<9} {line}"


def count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def preview(options: argparse.Namespace) -> int:
    """Write an HTML page that shows a NUI window, or say what is wrong with it."""
    from dicehall.venue.previewer import WindowFileError, preview_page, read_window

    if options.window is None:
        raise Failed("Which window? For example: dicehall venue preview window.json")
    try:
        window, binds = read_window(read_input(options.window))
    except WindowFileError as error:
        raise Failed(str(error)) from None
    found = problems(window, binds)
    if options.json:
        write_json({"problems": [{"path": one.path, "code": one.code, "message": one.message} for one in found]})
    elif found:
        sys.stderr.write("".join(f"{problem}\n" for problem in found))
    if not options.json:
        sys.stdout.write(preview_page(window, binds))
    return 1 if found else 0
