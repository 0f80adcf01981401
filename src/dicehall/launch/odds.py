"""``dicehall odds``: show the chance to win in a position, the value of each choice, and the next roll."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from dicehall.core.game import AnyGame
from dicehall.games import Catalogue
from dicehall.lab.odds import NextRoll, Odds, odds
from dicehall.lab.phrases import BadPosition
from dicehall.lab.positions import Form, form_of, read, write
from dicehall.lab.shown import show_odds
from dicehall.lab.spoken import game_name, move_text, percent
from dicehall.launch.console import standard_voice
from dicehall.launch.game_list import named
from dicehall.launch.output import Failed, Help, write_json
from dicehall.launch.play import read_rules
from dicehall.launch.solvers import solver_for
from dicehall.solvers.race import Unsolvable
from dicehall.ui.terminal.voice import Voice

BEST = 12  # choices that are told
FACES = 6  # outcomes of a roll that are told one by one

EXAMPLES = """examples:
  dicehall odds wards "41-49 +27"
  dicehall odds aetharn "1250-*900 +300 dice 153"
  dicehall odds tenthousand 0-0 --rules goal=3000,opening=500 --json
  dicehall odds doordice "20/2 *17/3 9/2 14/2 8/4 round 3 face 4"

A position is one line: the scores first, with a star for the seat to act if it is not the first."""


def add(commands: Any, games: Catalogue) -> None:
    forms = [(key, form) for key in games if (form := form_of(key))]
    described = "\n\n".join(described_form(key, form) for key, form in forms)
    command = commands.add_parser(
        "odds",
        help="show the chances in a position",
        description=__doc__,
        epilog=f"{EXAMPLES}\n\n{described}",
        formatter_class=Help,
    )
    command.add_argument("game", metavar="GAME", help=", ".join(key for key, _ in forms))
    command.add_argument("position", metavar="POSITION", nargs="+", help="a line such as 41-49 +27")
    command.add_argument("--rules", metavar="NAME=N,...", action="append", default=[], help="house rules")
    command.add_argument(
        "--solve",
        action="store_true",
        help="solve these house rules first if they are not solved yet, however long it takes",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument("--plain", action="store_true", help="no colour (the default in a pipe or with NO_COLOR)")
    command.set_defaults(command=run)


def described_form(key: str, form: Form) -> str:
    lines = "\n".join(f"    {line}" for line in form.ABOUT.splitlines())
    return f"  {key}: {form.EXAMPLES[0]}\n{lines}"


def run(options: argparse.Namespace, games: Catalogue) -> int:
    game = read_rules(named(options.game, games), options.rules)
    found = found_odds(game, " ".join(options.position), solve=options.solve)
    if options.json:
        write_json(show_odds(found))
    else:
        tell(found, standard_voice(plain=options.plain))
    return 0


def found_odds(game: AnyGame, text: str, *, solve: bool) -> Odds:
    try:
        state = read(game, text)
        return odds(game, state, solver_for(game, game.count(state), solve=solve))
    except (BadPosition, Unsolvable) as wrong:
        raise Failed(str(wrong)) from None


def tell(found: Odds, voice: Voice) -> None:
    names = [f"seat {seat + 1}" for seat in range(len(found.chances))]
    voice.say(f"{game_name(found.game)}: {write(found.game, found.state, found.seat)}", "heading")
    voice.say(f"({found.note})", "note")
    for name, chance in zip(names, found.chances, strict=True):
        error = f" ± {100 * chance.stderr:.1f}" if chance.stderr else ""
        turn = " (to act)" if found.seat is not None and name == names[found.seat] else ""
        voice.say(f"{name}{turn}: {percent(chance.value)}{error}", "position")
    if found.worths:
        voice.say("Choices, the best first:", "heading")
        for typed, worth in choice_lines(found, names):
            voice.offer(typed, worth)
    if found.roll:
        voice.say("The next roll:", "heading")
        for line in roll_lines(found.roll):
            voice.say(f"  {line}")


def choice_lines(found: Odds, names: list[str]) -> Iterator[tuple[str, str]]:
    assert found.seat is not None
    view, best = found.game.view(found.state, found.seat), found.worths[0].chance.value
    for worth in found.worths[:BEST]:
        less = best - worth.chance.value
        behind = "" if less < 1e-9 else f", {100 * less:.2f} % less"
        error = f" ± {100 * worth.chance.stderr:.1f}" if worth.chance.stderr else ""
        yield (
            move_text(found.game, view, names, found.seat, worth.action),
            f"{percent(worth.chance.value)}{error}{behind}",
        )
    if len(found.worths) > BEST:
        yield "...", f"{len(found.worths) - BEST} more"


def roll_lines(roll: NextRoll) -> Iterator[str]:
    """Each face of a single die; of more dice how they can end."""
    if len(roll.outcomes) <= FACES:
        for outcome in sorted(roll.outcomes, key=lambda outcome: outcome.faces):
            over = " (the turn is over)" if outcome.ends_turn else ""
            yield f"{outcome.faces[0]}: {percent(outcome.chance.value)}{over}"
        return
    best, worst = roll.outcomes[0], roll.outcomes[-1]
    yield f"{percent(roll.mean)} on average; {percent(roll.ends_turn)} of all rolls end the turn"
    yield f"at best {' '.join(map(str, best.faces))}: {percent(best.chance.value)}"
    yield f"at worst {' '.join(map(str, worst.faces))}: {percent(worst.chance.value)}"
