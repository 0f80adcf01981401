"""``dicehall games``, ``dicehall rules`` and the help of every command."""

from __future__ import annotations

import argparse
import io
from importlib import import_module
from typing import Any

import pytest

from dicehall import __version__
from dicehall.games import catalogue
from dicehall.launch.main import COMMANDS
from dicehall.launch.output import complain
from dicehall.wire.sentences import words_of
from tests.launch.running import run

GAMES = ["aetharn", "doordice", "mana", "tenthousand", "wards"]
CLOCK = {"type": ["integer", "null"], "minimum": 1}
NUMBER = {"type": "integer", "minimum": 1}
FROM_0 = {"type": "integer", "minimum": 0}
SWITCH = {"type": "integer", "minimum": 0, "maximum": 1}
RULES: dict[str, dict[str, Any]] = {  # C6
    "wards": {"goal": (NUMBER, 100), "turn_seconds": (CLOCK, 30)},
    "aetharn": {
        "goal": (NUMBER, 5000),
        "turn_seconds": (CLOCK, 30),
        "grace_seconds": (NUMBER, 60),
        "hot_dice": (FROM_0, 1),
    },
    "tenthousand": {"goal": (NUMBER, 10_000), "opening": (FROM_0, 1000), "turn_seconds": (CLOCK, None)},
    "doordice": {
        "hp": (NUMBER, 20),
        "rounds": (NUMBER, 6),
        "elimination_vp": (FROM_0, 2),
        "survival_vp": (FROM_0, 1),
        "turn_seconds": (CLOCK, None),
    },
    "mana": {
        "rounds": (NUMBER, 5),
        "round_seconds": (NUMBER, 300),
        "match_seconds": (NUMBER, 1800),
        "same_army": (SWITCH, 1),
        "fight_once": (SWITCH, 1),
    },
}


def test_games_are_listed_one_a_line() -> None:
    ran = run("games")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == GAMES
    assert "Dice Wards, 2 seats." in ran.out
    assert "Aetharn, 2-6 seats." in ran.out


def test_games_are_listed_for_programs() -> None:
    listed = run("games", "--json").last
    assert [game["game"] for game in listed] == GAMES
    seats = {game["game"]: (game["seats"]["least"], game["seats"]["most"]) for game in listed}
    assert seats == {"aetharn": (2, 6), "doordice": (5, 5), "mana": (2, 2), "tenthousand": (2, 12), "wards": (2, 2)}
    assert all(game["name"] and game["line"].endswith(".") for game in listed)


@pytest.mark.parametrize("key", GAMES)
def test_rules_for_programs_have_every_house_rule_with_type_range_and_default(key: str) -> None:
    """C6."""
    told = run("rules", key, "--json").last
    assert told["rules"] == {
        name: {"maximum": 10**9, **schema, "default": default} for name, (schema, default) in RULES[key].items()
    }
    assert told["game"] == key


@pytest.mark.parametrize("key", GAMES)
def test_rules_for_people_say_how_it_is_played_and_what_can_be_changed(key: str) -> None:
    ran = run("rules", key)
    assert ran.code == 0
    assert ran.out.count("\n- ") >= 3
    for name, (_, default) in RULES[key].items():
        assert f"\n  {name}={'none' if default is None else default}  (" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize("key", GAMES)
def test_every_house_rule_is_explained_in_a_sentence(key: str) -> None:
    sentences = words_of(catalogue()[key])["about"]["rules"]
    assert list(sentences) == list(RULES[key])
    shown = run("rules", key).out.partition("House rules")[2]
    in_one_line = " ".join(shown.split())
    assert all(f") {sentence} " in f"{in_one_line} " for sentence in sentences.values())
    assert shown.count(".\n") == len(sentences)  # one each


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_help_of_no_command_has_markup_in_it(command: str) -> None:
    shown = run(command, "--help").out
    assert "`" not in shown
    assert "**" not in shown


@pytest.mark.parametrize("game", ["chess", "", "WARDS", "x" * 100_000])
def test_a_game_that_is_not_there_is_told_with_those_that_are(game: str) -> None:
    ran = run("rules", game)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("; there are aetharn, doordice, mana, tenthousand, wards.\n")
    assert len(ran.err) < 400


@pytest.mark.parametrize("command", ["replay", "score", "games", "rules", "play"])
def test_the_help_of_every_command_has_an_example(command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    _, _, examples = ran.out.partition("example")
    assert f"  dicehall {command}" in examples


def test_the_help_names_every_command() -> None:
    ran = run("--help")
    assert ran.code == 0
    for command in ("play", "replay", "score", "games", "rules"):
        assert f"    {command}" in ran.out
    assert "examples:" in ran.out


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").out == f"dicehall {__version__}\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_wrong_is_wrapped_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    complain("dicehall: There is no bot of level 'x' for mana.")
    assert terminal.getvalue() == "dicehall: There is no bot of\nlevel 'x' for mana.\n"


@pytest.mark.parametrize("argv", [["sing"], ["replay"], ["replay", "a", "b"], ["score"], ["rules"], ["games", "--xml"]])
def test_a_wrong_command_line_is_explained(argv: list[str]) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: dicehall")


def test_every_game_of_the_catalogue_has_its_rules_here() -> None:
    assert sorted(catalogue()) == sorted(RULES)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_option_of_every_command_says_what_it_does(command: str) -> None:
    commands = argparse.ArgumentParser().add_subparsers()
    import_module(f"dicehall.launch.{COMMANDS[command]}").add(commands, catalogue())
    parser = commands.choices[command]
    silent = [action.dest for action in parser._actions if not action.help and action.nargs != argparse.PARSER]
    assert silent == []
    assert "``" not in parser.format_help()
