"""Records and entries that many tests of the wire begin with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.json"))
SEATS = {"wards": 2, "aetharn": 2, "tenthousand": 2, "doordice": 5, "mana": 2}

ARMIES = {"roll": [1 + 7 * n % 256 for n in range(32)] + [4]}


def move(seat: int, action: Any) -> dict[str, Any]:
    return {"seat": seat, "move": action}


def dice(*faces: int) -> dict[str, Any]:
    return {"roll": list(faces)}


def golden(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def title(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


# The entries before a seat of each game may act for the first time, and one good move of it.
OPENING: dict[str, list[Any]] = {
    "wards": [],
    "aetharn": [dice(1)],
    "tenthousand": [],
    "doordice": [],
    "mana": [ARMIES],
}
GOOD_MOVE: dict[str, Any] = {
    "wards": "roll",
    "aetharn": "roll",
    "tenthousand": "roll",
    "doordice": "roll",
    "mana": {"pick": 3},
}
