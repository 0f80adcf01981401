"""A die in a NUI window: a square with seven pips, each lit by a bind, so that a new face needs no new window."""

from __future__ import annotations

from typing import Any

from dicehall.venue.nui import CENTER, Json, bind, circle, color, drawn, label, polygon

DICE = 6
SIZE = 46.0
PIP = 8.0
PIP_COLOR = color(30, 26, 22)
LOOSE, SELECTED, HELD = color(238, 230, 210), color(250, 204, 92), color(140, 178, 120)

LOW, HALF, HIGH = 12.0, SIZE / 2, SIZE - 12.0
# Pips that are always seen together, by the bind that shows them, and the faces that have them.
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "one": ((HALF, HALF),),
    "two": ((LOW, LOW), (HIGH, HIGH)),
    "four": ((HIGH, LOW), (LOW, HIGH)),
    "six": ((LOW, HALF), (HIGH, HALF)),
}
FACES: dict[str, frozenset[int]] = {
    "one": frozenset({1, 3, 5}),
    "two": frozenset({2, 3, 4, 5, 6}),
    "four": frozenset({4, 5, 6}),
    "six": frozenset({6}),
}


def die(number: int) -> Json:
    """The element of a die. Its binds: ``die0_shown``, ``die0_color`` and one for each group of pips."""
    shown, hue = bind(f"die{number}_shown"), bind(f"die{number}_color")
    body = polygon(shown, hue, [1.0, 1.0, SIZE - 1, 1.0, SIZE - 1, SIZE - 1, 1.0, SIZE - 1, 1.0, 1.0])
    pips = [pip(number, group, x, y) for group, places in PIPS.items() for x, y in places]
    return drawn(label("", CENTER, tooltip=bind(f"die{number}_name"), width=SIZE, height=SIZE), [body, *pips])


def pip(number: int, group: str, x: float, y: float) -> Json:
    place = {"x": x - PIP / 2, "y": y - PIP / 2, "w": PIP, "h": PIP}
    return circle(bind(f"die{number}_{group}"), PIP_COLOR, place)


def die_binds(number: int, face: int | None, hue: Json) -> dict[str, Any]:
    """The values of a die's binds; without a face there is no die."""
    lit = {f"die{number}_{group}": face in faces for group, faces in FACES.items()}
    name = f"Die {number + 1}: {'not rolled' if face is None else face}{', held' if hue == HELD else ''}"
    return {f"die{number}_shown": face is not None, f"die{number}_color": hue, f"die{number}_name": name, **lit}
