"""``dicehall replay``: what happened in a recorded game, entry by entry, and how it stands."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.checking import check_seal, read_strictly, show_check
from dicehall.launch.console import is_terminal, standard_ask, standard_voice
from dicehall.launch.full_screen import fits, show
from dicehall.launch.output import Failed, Help, open_input, read_input, readable, write_json
from dicehall.ui.terminal.record_steps import RecordSteps
from dicehall.ui.terminal.recorded_game import recorded_game
from dicehall.wire.answers import Replay, show_invalid
from dicehall.wire.errors import Invalid
from dicehall.wire.record import read_record

GOOD, BAD, UNFAIR = 0, 2, 4

DESCRIPTION = """Replay a recorded game. On a terminal you step through it as it looked: forward, back, to any step,
or let it run. In a pipe, or with --json, every entry is answered by a line of JSON (docs/protocol.md), and the last
line says how the game stands. With --check the dice are checked against the record's seal."""

EXAMPLES = """examples:
  dicehall replay game.json                step through a game
  dicehall replay game.json --plain        the same in plain lines
  dicehall replay - < game.json            JSON lines
  dicehall replay games.jsonl --lines      one record per line, one answer per line
  dicehall replay game.json --check --seal 5feceb66...

Exit codes: 0 if all is well, 2 for a bad record or entry, 4 if the dice do not match their seal or there is
nothing to check.
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "replay", help="replay a recorded game", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=Help
    )
    command.add_argument("file", metavar="FILE", help="a record; - is standard input")
    command.add_argument("--lines", action="store_true", help="one record per line, only the last answer of each")
    command.add_argument("--check", action="store_true", help="check the dice against the seal")
    command.add_argument("--seal", metavar="HEX", help="the seal as you saw it before the game (implies --check)")
    command.add_argument("--json", action="store_true", help="JSON lines on a terminal, too")
    command.add_argument(
        "--plain", action="store_true", help="plain lines instead of a full screen, or of JSON in a pipe"
    )
    command.set_defaults(command=run)


def run(options: argparse.Namespace, games: Catalogue) -> int:
    check = options.check or options.seal is not None
    if options.lines:
        codes = {answer(line, games, check, options.seal, whole=False) for line in lines_of(options.file)}
        return next(code for code in (BAD, UNFAIR, GOOD) if code in codes | {GOOD})
    if not options.json and (options.plain or (sys.stdout.isatty() and options.file != "-")):
        return tell_verdict(options, games) if check else show_game(options, games)
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


def tell_verdict(options: argparse.Namespace, games: Catalogue) -> int:
    """What a check found, in a sentence."""
    try:
        replay = Replay(read_strictly(read_input(options.file), games))
    except Invalid as invalid:
        raise Failed(f"{options.file} is not a game record: {invalid.sentence}", BAD) from None
    for _ in replay.steps():
        pass
    if replay.refused:
        index, refused = replay.refused
        raise Failed(f"Entry {index} of the record is refused: {refused.sentence}", BAD)
    checked = check_seal(replay, options.seal)
    standard_voice(plain=options.plain).say(checked.sentence, "event" if checked.good else "wrong")
    return GOOD if checked.good else UNFAIR


def show_game(options: argparse.Namespace, games: Catalogue) -> int:
    """The game as it looked, step by step; in a pipe from beginning to end."""
    try:
        game = recorded_game(read_record(read_input(options.file), games))
    except Invalid as invalid:
        raise Failed(f"{options.file} is not a game record: {invalid.sentence}", BAD) from None
    if fits(plain=options.plain) and options.file != "-":
        from dicehall.ui.tui.replay_screen import ReplayScreen

        return show(ReplayScreen(game)) or (BAD if game.refused else GOOD)
    steps = RecordSteps(game, standard_voice(plain=options.plain), standard_ask(), time.sleep)
    if is_terminal():
        steps.run()
    else:
        steps.all()
    return BAD if game.refused else GOOD
