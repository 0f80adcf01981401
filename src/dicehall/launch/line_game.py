"""The wiring of a game in plain lines: rules, dice, bots, file, screen."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from dicehall.bots.levels import Bot, bots_for
from dicehall.client.keeping import CannotKeep, Keeper, check_free
from dicehall.client.playing import ended
from dicehall.core.game import Seat
from dicehall.dice.words import BadWords
from dicehall.launch.coach import short_report
from dicehall.launch.console import is_terminal, say_json, standard_ask, standard_voice
from dicehall.launch.game_folder import version_of
from dicehall.launch.game_lock import GameIsOpen
from dicehall.launch.kept_games import HomeGame, home_game
from dicehall.launch.output import Failed
from dicehall.ui.terminal.people import Left, PeoplePlay
from dicehall.ui.terminal.programs import ProgramPlay
from dicehall.ui.terminal.sitting import Chooser, Sitting
from dicehall.ui.terminal.voice import Voice
from dicehall.wire.bot_names import bot_of
from dicehall.wire.record import Record

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
    words: str = ""  # to mix into the dice
    version: tuple[int, int] | None = None  # of the file of a resumed game when it was read


def seated(wanted: Wanted) -> tuple[Sitting, HomeGame]:
    """The game as it was asked for, with its dice, bots and files."""
    home = new_home(wanted)
    sitting = Sitting(home.playing, bots_of(wanted), keeper(wanted, home), again(wanted), seal=home.seal)
    sitting.unkept = lambda: home.trouble
    sitting.hints = wanted.hints or len(sitting.people) == 1
    return sitting, home


def sit_down(wanted: Wanted) -> int:
    """Play until the game ends or somebody leaves; the exit code."""
    sitting, home = seated(wanted)
    over, ask = ended(home.playing) is not None, standard_ask()
    try:
        if wanted.json:
            return until_left(ProgramPlay(sitting, say_json, ask).play, lambda: say_json(farewell_json(sitting, home)))
        voice = standard_voice(plain=wanted.plain)
        people = PeoplePlay(sitting, voice, ask, confirms=is_terminal())
        code = until_left(people.play, lambda: farewell(sitting, home, voice))
        if not over:
            look_back(home, voice)
        return code
    finally:
        home.close()


def new_home(wanted: Wanted) -> HomeGame:
    try:
        home = home_game(wanted.record, wanted.seed, wanted.words, wanted.resumed, keep=not wanted.json)
    except (BadWords, GameIsOpen) as problem:
        raise Failed(str(problem)) from None
    if wanted.resumed is not None and version_of(wanted.resumed) != wanted.version:
        home.close()
        raise Failed(
            "This game was just continued in another window or terminal. Resume it again to see its last move."
        )
    return home


def look_back(home: HomeGame, voice: Voice) -> None:
    """The coach's short report of a game that somebody played to its end, and where there is more."""
    if not home.moved or not ended(home.playing):
        return
    if is_terminal():
        people = [Seat(seat) for seat in sorted(home.people)]
        for line, kind in short_report(home.playing.record(), people):
            voice.say(line, kind)
    if home.kept:
        voice.say("Full report: dicehall coach. Statistics: dicehall stats.", "note")


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


def farewell(sitting: Sitting, home: HomeGame, voice: Voice) -> None:
    sitting.keep()
    voice.say("")
    if sitting.trouble:
        voice.say(f"This game is not saved: {sitting.trouble}", "wrong")
    elif sitting.keeper.kept or home.kept:
        voice.say(f"The game is saved. To continue it: {sitting.resume_command()}", "exact")
    else:
        voice.say("There is nothing to save yet.")


def farewell_json(sitting: Sitting, home: HomeGame) -> dict[str, Any]:
    sitting.keep()
    resume = sitting.resume_command() if sitting.keeper.kept or home.kept else None
    return {"left": {"resume": resume, "trouble": sitting.trouble}}


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


def keeper(wanted: Wanted, home: HomeGame) -> Keeper:
    """Write the record once before anybody plays, so that a file that cannot be written is known by then."""
    kept = Keeper(wanted.save)
    try:
        if wanted.save and not (wanted.resumed and wanted.resumed.resolve() == wanted.save.resolve()):
            check_free(wanted.save)
        kept.keep(home.playing.record())
    except CannotKeep as cannot:
        home.close()
        raise Failed(str(cannot)) from None
    return kept


def again(wanted: Wanted) -> Callable[[Path | None], str]:
    """The command that continues a game from a file, or the last one without a file."""
    program = "dicehall" if shutil.which("dicehall") or Path(sys.argv[0]).name != "dicehall" else sys.argv[0]
    seed = [] if wanted.seed is None else ["--seed", wanted.seed]
    flags = [*seed, *["--plain"] * wanted.plain, *["--json"] * wanted.json]
    return lambda path: shlex.join([program, "play", "--resume", *([str(path)] if path else []), *flags])
