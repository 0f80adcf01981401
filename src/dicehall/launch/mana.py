"""``dicehall mana``: play Mana over Nostr, or watch a whole match on this machine."""

from __future__ import annotations

import argparse
from typing import Any

from dicehall.games import Catalogue
from dicehall.launch.output import Help

RELAY, MINT, REFEREE = "ws://127.0.0.1:7777", "http://127.0.0.1:3333", "http://127.0.0.1:4444"

EXAMPLES = """examples:
  dicehall mana demo                            relay, mint, referee and two players: one match, nothing to set up
  dicehall mana play --challenge npub1...       challenge somebody
  dicehall mana play --accept                   accept whoever challenges you next
  dicehall mana play --accept npub1... --bot greedy
"""

PLAY_EXAMPLES = """examples:
  dicehall mana play --challenge npub1...
  dicehall mana play --accept --relay wss://relay.example.org --mint https://mint.example.org --referee npub1...
  dicehall mana play --accept --bot exact --json

Give somebody your npub (dicehall nostr key prints it), and they can challenge you. Run the same command again to resume
a match that was interrupted, or to redeem loot that was paid later. Your picks and tokens are stored on this machine.
"""
DEMO_EXAMPLES = """examples:
  dicehall mana demo                  about 15 seconds, with pauses for reading
  dicehall mana demo --fast --json    only the result, as JSON
"""


def add(commands: Any, games: Catalogue) -> None:
    command = commands.add_parser(
        "mana", help="play Mana over Nostr", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    add_play(actions)
    add_demo(actions)


def add_play(actions: Any) -> None:
    play = actions.add_parser(
        "play", help="play a match", description=play_command.__doc__, epilog=PLAY_EXAMPLES, formatter_class=Help
    )
    whom = play.add_mutually_exclusive_group()
    whom.add_argument("--challenge", metavar="NPUB", help="challenge this player")
    whom.add_argument(
        "--accept",
        metavar="NPUB",
        nargs="?",
        const="",
        help="accept the next challenge (only from this player, if named)",
    )
    play.add_argument("--match", metavar="ID", help="the id of the match to start or resume")
    play.add_argument("--new", action="store_true", help="start a new match even if one is unfinished")
    play.add_argument("--relay", metavar="URL", action="append", help=f"may be repeated (default {RELAY})")
    play.add_argument("--mint", metavar="URL", default=MINT, help=f"where tokens come from (default {MINT})")
    play.add_argument(
        "--referee", metavar="NPUB|URL", default=REFEREE, help=f"its key, or its status page (default {REFEREE})"
    )
    play.add_argument("--key", metavar="FILE", help="your key (default as for dicehall nostr key; made if missing)")
    play.add_argument("--token", metavar="TEXT", help="a mana token to play with (cashuB...)")
    play.add_argument("--bot", metavar="LEVEL", help="let a bot pick: random, greedy or exact")
    play.add_argument("--kind", metavar="N", default="1", help="the kind of events that the referee reads (default 1)")
    play.add_argument("--data", metavar="FOLDER", help="where picks and tokens are stored")
    play.add_argument("--plain", action="store_true", help="no colours (the default in a pipe or with NO_COLOR)")
    play.add_argument("--json", action="store_true", help="JSON lines, for programs")
    play.set_defaults(command=play_command)


def add_demo(actions: Any) -> None:
    demo = actions.add_parser(
        "demo",
        help="watch a whole match",
        description=demo_command.__doc__,
        epilog=DEMO_EXAMPLES,
        formatter_class=Help,
    )
    demo.add_argument("--fast", action="store_true", help="without pauses for reading")
    demo.add_argument("--plain", action="store_true", help="no colours (the default in a pipe or with NO_COLOR)")
    demo.add_argument("--json", action="store_true", help="only the last line, which is JSON")
    demo.set_defaults(command=demo_command)


def play_command(options: argparse.Namespace, games: Catalogue) -> int:
    """Play a match of Mana over Nostr: challenge somebody or accept a challenge, pick units, redeem the loot."""
    from dicehall.launch import mana_play  # only this command needs relays and a wallet

    return mana_play.run(options)


def demo_command(options: argparse.Namespace, games: Catalogue) -> int:
    """Start a relay, a mint, the referee and two players on this machine, play a match, show the loot, stop."""
    from dicehall.launch import mana_demo

    return mana_demo.run(options)
