"""The rules of a game and the keys of the screen, as text to read."""

from __future__ import annotations

from rich.text import Text

from dicehall.core.game import AnyGame
from dicehall.ui.tables.house_rules import table_rules
from dicehall.ui.terminal.game_lines import lines_of
from dicehall.ui.terminal.typed import COMMANDS
from dicehall.ui.tui.text_graphics import ACCENT
from dicehall.wire.sentences import words_of

KEYS = (
    ("arrows, Enter", "choose; Enter alone takes the only choice"),
    ("numbers, letters", "choose directly, by the key shown before a choice"),
    ("+", "list every choice, not only the best"),
    ("Tab", "type a move, such as roll; Esc goes back"),
    ("Space", "skip the animation"),
    ("Page Up, Down", "scroll the game log"),
    ("s", "speed: normal, fast or instant"),
    ("!", "a hint, where hints are allowed"),
    ("Ctrl-Z", "to the shell; fg comes back"),
    ("Esc", "leave the table"),
)


def help_lines(game: AnyGame) -> tuple[str, list[Text]]:
    about = words_of(type(game))["about"]
    lines = [Text(f"- {line}") for line in about["how"]]
    lines += [Text(f"- {house}", ACCENT)] if (house := table_rules(game)) else []
    lines += [Text(), Text("Keys", ACCENT)]
    lines += [Text.assemble((f"{key:17}", "bold"), text) for key, text in KEYS]
    lines += [Text(), Text("What you can type", ACCENT)]
    lines += [Text(line) for line in (*lines_of(type(game)).VERBS.values(), *COMMANDS.values())]
    return f"How to play {about['name']}", lines
