"""From a typed line to what is meant: a move of the game, or a command to the program."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import Faces, Refusal, Refused
from dicehall.ui.terminal.game_lines import Lines
from dicehall.wire.actions import ActionCodec, shortened
from dicehall.wire.errors import Invalid, malformed
from dicehall.wire.record import read_document

COMMANDS = {
    "help": "help: show the commands and the rules.",
    "score": "score: show the score.",
    "hint": "hint: show what the coach would do, where hints are allowed; it is noted in the record.",
    "save": "save FILE: save this game to a file, now and after every move.",
    "quit": "quit: leave the game; dicehall play --resume continues it.",
}
NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    rest: str


def understand(text: str, lines: Lines, view: Any, likely: Collection[str], codec: ActionCodec) -> Any:
    """A Command, or an action of the game, or Refused with what was not understood."""
    text = text.strip()
    if text.startswith(("{", '"', "[")):
        return codec.decode(read_json(text))
    words, rest = parted(text)
    if rest and not words and (verb := numbered_verb(likely, lines, codec)):
        return lines.read(verb, groups_of(verb, rest, lines), view)
    moves = likely or list(lines.VERBS)
    found, stray = named(words, [*lines.VERBS, *spoken(lines)], moves, numbered=bool(rest))
    name = spoken(lines).get(found, found)
    if name in COMMANDS:
        return Command(name, text.partition(" ")[2].strip())
    return lines.read(name, groups_of(name, " ".join(stray) + rest, lines), view)


def read_json(text: str) -> Any:
    try:
        return read_document(text.encode(errors="replace"))
    except Invalid as invalid:
        raise malformed(invalid.sentence) from None


def parted(text: str) -> tuple[list[str], str]:
    """The words a line begins with, in small letters, and the rest of it."""
    text = "help" if text == "?" else text
    found = re.match(r"[^0-9,]*", text)
    head = found[0] if found else ""
    return head.lower().replace("_", " ").split(), text[len(head) :]


def spoken(lines: Lines) -> Mapping[str, str]:
    """What people call actions that have another name on the wire; either word can be typed."""
    words: Mapping[str, str] = getattr(lines, "SPOKEN", {})
    return words


def takes_numbers(verb: str, lines: Lines, codec: ActionCodec) -> bool:
    return verb not in codec.words and verb not in spoken(lines).values()


def numbered_verb(likely: Collection[str], lines: Lines, codec: ActionCodec) -> str | None:
    """The verb that numbers alone stand for: the only one that takes numbers here."""
    numbered = [verb for verb in likely if takes_numbers(verb, lines, codec)]
    return numbered[0] if len(numbered) == 1 else None


def named(
    words: Sequence[str], verbs: Collection[str], likely: Collection[str], *, numbered: bool
) -> tuple[str, Sequence[str]]:
    """The verb or command that a line begins with, and the words after it."""
    for size in range(len(words), 0, -1):
        if name := meant(words[:size], verbs, likely, numbered=numbered):
            return name, words[size:]
    unknown = f"There is no command {shortened(repr(' '.join(words)))}. " if words else ""
    raise Refused(Refusal.BAD_MOVE, f"{unknown}Type {either([*(likely or verbs), 'help'])}.")


def meant(words: Sequence[str], verbs: Collection[str], likely: Collection[str], *, numbered: bool) -> str | None:
    """What words stand for, in full or short: what may be done now comes first. Only moves are followed by numbers;
    a word alone that could be a move or a command is questioned."""
    if (name := "_".join(words)) in {*verbs, *COMMANDS}:
        return name
    moves = likely or verbs
    for names in (moves, verbs, COMMANDS) if numbered else ([*moves, *COMMANDS], verbs):
        found = [name for name in names if is_short(words, name.split("_"))]
        if len(found) > 1:
            raise Refused(Refusal.BAD_MOVE, f"{' '.join(words)!r} could mean {either(found)}. Which one?")
        if found:
            return found[0]
    return None


def is_short(words: Sequence[str], parts: Sequence[str]) -> bool:
    return len(words) <= len(parts) and all(map(str.startswith, parts, words))


def groups_of(verb: str, text: str, lines: Lines) -> tuple[Faces, ...]:
    """Numbers in groups: spaces part numbers, commas part groups."""
    if not text.strip():
        return ()
    return tuple(tuple(number(word, verb, lines) for word in group.split()) for group in text.split(","))


def number(word: str, verb: str, lines: Lines) -> int:
    if not NUMBER.fullmatch(word):
        raise Refused(Refusal.BAD_MOVE, f"{shortened(repr(word))} is not a number. {lines.VERBS[verb]}")
    return int(word)


def either(names: Sequence[str]) -> str:
    *rest, last = (name.replace("_", " ") for name in names)
    return f"{', '.join(rest)} or {last}" if rest else last
