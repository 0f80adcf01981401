"""Hostile events: genuine ones changed in one place, most of them signed again, so that only the referee can tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from dicehall.nostr.events import Event, Tag, sign_event
from dicehall.nostr.keys import SecretKey

HUGE = 10**400
ODD_TEXTS = (
    "",
    " ",
    "0",
    "-1",
    "256",
    "9" * 400,
    "1e9",
    "\x00",
    "\ud7ff\ue000",
    "npub1",
    "note1qqqq",
    "ab" * 32,
    "AB" * 32,
    "A" * 5000,
    "../../etc/passwd",
    "٣",
    "\u202e",
)
ODD_VALUES: tuple[Any, ...] = (None, True, -1, 8, 255, 1 << 70, HUGE, 1.5, 1e308, "", "7", [], {}, [[]], {"a": {}})


def sign_again(key: SecretKey, event: Event, tags: Sequence[Tag] | None = None, content: str | None = None) -> Event:
    kept = event.tags if tags is None else tuple(tags)
    return sign_event(key, event.created_at, event.kind, kept, event.content if content is None else content)


def other_text(chance: Random, text: str) -> str:
    if text and chance.random() < 0.4:
        at = chance.randrange(len(text))
        return text[:at] + chance.choice("0f1x") + text[at + 1 :]
    return chance.choice(ODD_TEXTS)


def change_tag(chance: Random, event: Event) -> tuple[Tag, ...]:
    tags = list(event.tags)
    at = chance.randrange(len(tags)) if tags else 0
    kinds: list[Callable[[], object]] = [lambda: tags.insert(at, (chance.choice(ODD_TEXTS), "1"))]
    if tags:
        kinds += [
            lambda: tags.pop(at),
            lambda: tags.insert(at, tags[at]),
            lambda: tags.__setitem__(at, (tags[at][0], other_text(chance, tags[at][-1]))),
            lambda: tags.__setitem__(at, (tags[at][0],)),
            lambda: tags.__setitem__(at, (*tags[at], "more")),
            lambda: tags.insert(0, (tags[at][0], other_text(chance, tags[at][-1]))),  # a mirror that disagrees
            lambda: tags.append(("authority", "game-engine-bot")),
            lambda: tags.append((chance.choice(("challenge", "reveal", "commitment", "verification")), "1")),
        ]
    chance.choice(kinds)()
    return tuple(tags)


def change_content(chance: Random, content: str) -> str:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(sorted(value))
        old = value[name]
        odd: Any = chance.choice([*ODD_VALUES, other_text(chance, old) if isinstance(old, str) else HUGE])
        if chance.random() < 0.1:
            del value[name]
        else:
            value[name] = odd
        text = json.dumps(value)
        return text.replace('"nonce": "', '"nonce": "\\ud800') if chance.random() < 0.05 else text
    odd_contents = ("[" * 5000, '{"a":' * 3000, "\\ud800", "{", "[]", "null", "1" * 5000, "x" * 20_000, '{"round": 1}')
    return chance.choice(odd_contents)


def mutated(chance: Random, event: Event, keys: Sequence[SecretKey]) -> Event:
    """Another event, well signed: by a stranger, or with something changed by whichever of *keys*."""
    key = chance.choice(keys)
    event = msgspec.structs.replace(event, created_at=event.created_at + chance.randrange(-300, 300))
    match chance.randrange(4):
        case 0:
            return sign_again(key, event)
        case 1:
            return sign_again(key, event, tags=change_tag(chance, event))
        case 2:
            return sign_again(key, event, content=change_content(chance, event.content))
        case _:
            return sign_again(key, event, change_tag(chance, event), change_content(chance, event.content))


def broken(chance: Random, event: Event) -> Any:
    """Something that is no valid event at all; only a hostile relay would send it."""
    value: dict[str, Any] = {name: getattr(event, name) for name in event.__struct_fields__}
    name = chance.choice(sorted(value))
    old = value[name]
    value[name] = chance.choice([*ODD_VALUES, other_text(chance, old) if isinstance(old, str) else [["t", 5]]])
    return chance.choice((value, value, value, [value], None, "event", {"id": event.id}))
