"""``dicehall replay``: what happened in a recorded game, entry by entry, and how it stands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.checking import check_seal, read_strictly, show_check
from dicehall.launch.output import Help, open_input, read_input, readable, write_json
from dicehall.wire.answers import Replay, show_invalid
from dicehall.wire.errors import Invalid
from dicehall.wire.record import read_record

GOOD, BAD, UNFAIR = 0, 2, 4

EXAMPLES = """examples:
  dicehall replay game.json
  dicehall replay - < game.json
  dicehall replay games.jsonl --lines      one record a line, one answer a line
  dicehall replay game.json --check --seal 5feceb66...

exit codes: 0 good, 2 a bad record or entry, 4 dice that do not match their seal (or none to check)
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "replay", help="replay a recorded game", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("file", metavar="FILE", help="a record; - is standard input")
    command.add_argument("--lines", action="store_true", help="one record per line, only the last answer of each")
    command.add_argument("--check", action="store_true", help="check the dice against the seal")
    command.add_argument("--seal", metavar="HEX", help="the seal as you saw it before sitting down (implies --check)")
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    check = options.check or options.seal is not None
    if options.lines:
        codes = {answer(line, games, check, options.seal, whole=False) for line in lines_of(options.file)}
        return next(code for code in (BAD, UNFAIR, GOOD) if code in codes | {GOOD})
    return answer(read_input(options.file), games, check, options.seal, whole=True)


def lines_of(file: str) -> Iterator[bytes]:
    """Line by line, so that bulk work needs no more memory than its longest record."""
    with open_input(file) as source, readable(file):
        for number, line in enumerate(source):
            if number == 0 and line.strip() in (b"{", b"["):
                print("dicehall: This is one record over several lines: leave out --lines.", file=sys.stderr)
            yield line.rstrip(b"\n")


def answer(text: bytes, games: Catalogue, check: bool, seal: str | None, *, whole: bool) -> int:
    """Answer one record: every entry where *whole*, and the last line always."""
    try:
        replay = Replay(read_strictly(text, games) if check else read_record(text, games))
    except Invalid as invalid:
        write_json(show_invalid(invalid))
        return BAD
    if whole:
        for told in replay.answers():
            write_json(told)
    else:
        for _ in replay.steps():
            pass
    last = replay.last()
    if check and not replay.refused:
        checked = check_seal(replay, seal)
        write_json({**last, "check": show_check(checked)})
        return GOOD if checked.good else UNFAIR
    write_json(last)
    return BAD if replay.refused else GOOD
