"""The wiring of a game in lines: rules, dice, bots, file, screen."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, TextIO

from dicehall.bots.levels import Bot, bots_for, levels, plays_as
from dicehall.client.keeping import CannotKeep, Keeper, check_free
from dicehall.client.local import LocalGame
from dicehall.client.playing import ended
from dicehall.core.game import AnyGame, Faces, Seat
from dicehall.dice.sources import Seeded, System
from dicehall.launch.last_game import keep_last, last_game
from dicehall.launch.output import Failed, write_json
from dicehall.ui.terminal.people import Left, PeoplePlay
from dicehall.ui.terminal.programs import ProgramPlay
from dicehall.ui.terminal.reading import Ask, asking
from dicehall.ui.terminal.sitting import Chooser, Sitting
from dicehall.ui.terminal.voice import ColourVoice, PlainVoice, Voice
from dicehall.wire.record import Record

BOT = re.compile(r"Bot [0-9]+ \((?:[a-z_]+, as )?([a-z_]+)\)")
INTERRUPTED = 130  # what shells expect after ctrl-c


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game as somebody asked for it; bots are the seats with a bot's name."""

    record: Record
    seed: str | None = None
    save: Path | None = None
    resumed: Path | None = None
    hints: bool = False  # also where several people play
    plain: bool = False
    json: bool = False


def bot_name(game: AnyGame, seats: int, seat: int, level: str) -> str:
    """A bot's name says its level, and the one it really plays on where these house rules are too much for its own."""
    really = plays_as(game, level, seats)
    return f"Bot {seat + 1} ({level if level == really else f'{level}, as {really}'})"


def bot_of(name: str) -> str | None:
    """The level a bot plays on, from its name; None for a person."""
    found = BOT.fullmatch(name)
    return found[1] if found else None


def check_level(key: str, level: str) -> None:
    if level not in levels(key):
        known = ", ".join(levels(key))
        raise Failed(f"There is no bot of level {level!r} for {key}; there are {known}.")


def seated(wanted: Wanted) -> Sitting:
    """The game as it was asked for, with its dice, bots and file."""
    sitting = Sitting(LocalGame(wanted.record, dice(wanted)), bots_of(wanted), keeper(wanted), again(wanted))
    sitting.hints = wanted.hints or len(sitting.people) == 1
    return sitting


def sit_down(wanted: Wanted) -> int:
    """Play until the game ends or somebody leaves; the exit code."""
    sitting = seated(wanted)
    ask = asking(standard_input(), sys.stdout)
    if wanted.json:
        return until_left(ProgramPlay(sitting, say_json, ask).play, lambda: say_json(farewell_json(sitting)))
    voice = standard_voice(plain=wanted.plain)
    code = until_left(PeoplePlay(sitting, voice, ask).play, lambda: farewell(sitting, voice))
    look_back(sitting, voice)
    return code


def look_back(sitting: Sitting, voice: Voice) -> None:
    """Keep a game that somebody played for the coach, and say how to ask once it is over."""
    if sitting.moved and keep_last(sitting.playing.record()) and ended(sitting.playing):
        voice.say("Was it luck or skill? The report of this game: dicehall coach", "note")


def until_left(play: Callable[[], None], leave: Callable[[], None]) -> int:
    try:
        play()
        return 0
    except Left:
        leave()
        return 0
    except KeyboardInterrupt:
        leave()
        return INTERRUPTED


def farewell(sitting: Sitting, voice: Voice) -> None:
    sitting.keep()
    voice.say("")
    if sitting.trouble:
        voice.say(f"This game is not saved: {sitting.trouble}", "wrong")
    elif command := sitting.resume_command():
        voice.say(f"The game is saved. To go on with it: {command}", "exact")
    else:
        say_where(sitting, voice)


def say_where(sitting: Sitting, voice: Voice) -> None:
    """A game that nobody asked to save is still kept, until the next one is played; one without a move is not."""
    if sitting.moved and keep_last(sitting.playing.record()):
        file = shlex.quote(str(last_game()))
        voice.say(f"The game is kept until you play the next one. To resume it: dicehall play --resume {file}", "exact")
    else:
        voice.say("The game was not saved. To keep one, add --save FILE, or type save FILE while playing.")


def farewell_json(sitting: Sitting) -> dict[str, Any]:
    sitting.keep()
    return {"left": {"resume": sitting.resume_command(), "trouble": sitting.trouble}}


def dice(wanted: Wanted) -> Callable[[Faces], Faces]:
    """A seeded game goes on with the dice that come after those it has had."""
    if wanted.seed is None:
        return System().roll
    seeded = Seeded(wanted.seed)
    for entry in wanted.record.entries:
        if "roll" in entry:
            seeded.roll(())
    return seeded.roll


def bots_of(wanted: Wanted) -> dict[Seat, Chooser]:
    bots = bots_for(wanted.record.game)
    named = {Seat(seat): bot_of(name) for seat, name in enumerate(wanted.record.names)}
    return {seat: chooser(bots[level], wanted.seed) for seat, level in named.items() if level}


def chooser(bot: Bot, seed: str | None) -> Chooser:
    """With a seed, chance depends on nothing but the seed and how far the game is, so that resuming repeats it."""

    def choose(view: Any, me: Seat, choices: Sequence[Any], done: int) -> Any:
        chance = SystemRandom() if seed is None else Random(f"{seed}\n{done}")
        return bot(view, me, choices, chance)

    return choose


def keeper(wanted: Wanted) -> Keeper:
    """Write the record once before anybody plays, so that a file that cannot be written is known by then."""
    kept = Keeper(wanted.save)
    try:
        if wanted.save and not (wanted.resumed and wanted.resumed.resolve() == wanted.save.resolve()):
            check_free(wanted.save)
        kept.keep(wanted.record)
    except CannotKeep as cannot:
        raise Failed(str(cannot)) from None
    return kept


def again(wanted: Wanted) -> Callable[[Path], str]:
    program = "dicehall" if shutil.which("dicehall") or Path(sys.argv[0]).name != "dicehall" else sys.argv[0]
    seed = [] if wanted.seed is None else ["--seed", wanted.seed]
    flags = [*seed, *["--plain"] * wanted.plain, *["--json"] * wanted.json]
    return lambda path: shlex.join([program, "play", "--resume", str(path), *flags])


def standard_input() -> TextIO:
    """Bytes that are no text are questioned like any other typing error."""
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or io.StringIO()


def standard_voice(*, plain: bool) -> Voice:
    colour = sys.stdout.isatty() and not plain and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return ColourVoice(sys.stdout) if colour else PlainVoice(sys.stdout)


def standard_ask() -> Ask:
    return asking(standard_input(), sys.stdout)


def say_json(value: Any) -> None:
    write_json(value)
    sys.stdout.flush()
