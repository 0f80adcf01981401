"""The command line: ``dicehall COMMAND``. Without a command, a menu of the games."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module

from dicehall import __version__
from dicehall.games import Catalogue, catalogue
from dicehall.launch.interrupts import INTERRUPTED, STOPPED, prompt_interrupts
from dicehall.launch.output import Failed, complain, forget_output, prepare_output

COMMANDS = {  # and the module that each is in; only the one that is asked for is loaded, for all of them take a while
    **{name: name for name in ("play", "watch", "desktop", "serve", "drain", "replay", "score", "stats")},
    **{"games": "game_list", "rules": "game_list"},
    **{name: name for name in ("mint", "nostr", "bot", "relay", "mana", "venue")},
    **{name: name for name in ("backup", "restore", "migrate", "simulate", "lab", "solve", "coach", "odds")},
}

MEASURES = frozenset({"--size", "--min-chairs", "--max-chairs", "--observer-distance"})
LONG = frozenset({"simulate", "lab", "solve", "coach", "odds"})  # commands that can be at work for minutes

EXAMPLES = """examples:
  dicehall                          a menu of the games
  dicehall play wards --bot greedy  a game against a bot
  dicehall play --resume            continue the last game
  dicehall coach                    luck and play in the game just played
  dicehall stats                    who won how often
  dicehall replay game.json         step through a recorded game
  dicehall score aetharn 1 1 1 5 2 2
  dicehall odds wards "41-49 +27"   the chances in a position
  dicehall mana demo                a whole match of Mana over Nostr
  dicehall venue demo               a tavern with tables of Aetharn, in the browser
  dicehall solve tenthousand        the chances of perfect play
  dicehall simulate wards --games 1e6 --bots greedy
  dicehall lab wards --vary goal=50,100,150
"""


def parser(games: Catalogue, argv: Sequence[str]) -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="dicehall",
        description="Five dice games in the terminal, in a window, in the browser and over Nostr.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"dicehall {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for name in modules_for(argv):
        import_module(f"{__package__}.{name}").add(commands, games)
    return top


def modules_for(argv: Sequence[str]) -> list[str]:
    """The command's own, or all where there is help to give or something to explain."""
    if argv and argv[0] in COMMANDS:
        return [COMMANDS[argv[0]]]
    return list(dict.fromkeys(COMMANDS.values())) if argv else []


def plain_words(argv: Sequence[str]) -> list[str]:
    """argparse takes a position such as -5-10 for an option, unless there is a space in it, and so a size of -1x5."""
    signed = argv[:1] == ["odds"] or argv[:1] == ("odds",)
    words: list[str] = []
    for word in argv:
        minus = word[:1] == "-" and word[1:2].isdigit()
        if minus and words and words[-1] in MEASURES:
            words[-1] += f"={word}"
        else:
            words.append(f" {word}" if signed and minus else word)
    return words


def menu(options: argparse.Namespace, games: Catalogue) -> int:
    from dicehall.launch import play

    return play.menu(options, games)


def main(argv: Sequence[str], games: Catalogue) -> int:
    """Run one command and return its exit code; user errors are reported in a sentence."""
    try:
        options = parser(games, argv).parse_args(plain_words(argv))
        command = getattr(options, "command", menu)
        with prompt_interrupts() if argv[:1] and argv[0] in LONG else nullcontext():
            code: int = command(options, games)
        sys.stdout.flush()
        return code
    except Failed as failed:
        complain(f"dicehall: {failed}")
        return failed.code
    except KeyboardInterrupt:
        print(f"\n{STOPPED}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        forget_output()
        return 141
    except OSError as error:  # such as a full disk behind our output
        forget_output()
        print(f"dicehall: {(error.strerror or str(error)).lower()}.", file=sys.stderr)
        return 1


def run() -> None:
    prepare_output()
    try:
        code = main(sys.argv[1:], catalogue())
    except KeyboardInterrupt:  # pressed again while the first was answered
        code = INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while the interpreter ends, Ctrl-C leaves no traceback
    sys.exit(code)
