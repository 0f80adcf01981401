"""The animals people can be: how each head is drawn. The names and looks are those of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Ears: TypeAlias = Literal["round", "point", "long", "horns", "tuft", "none", "eyes"]
Face: TypeAlias = Literal["snout", "beak", "muzzle", "wide"]


@dataclass(frozen=True, slots=True)
class Animal:
    fur: str
    ears: Ears
    face: Face
    mark: str


ANIMALS: dict[str, Animal] = {
    "badger": Animal("#4d4a48", "round", "snout", "#f4efe6"),
    "bear": Animal("#8a5a3b", "round", "muzzle", "#e2c4a4"),
    "beaver": Animal("#7a4f35", "round", "wide", "#c99b72"),
    "boar": Animal("#6b5a52", "point", "wide", "#d8a9a0"),
    "cat": Animal("#d99a4e", "point", "muzzle", "#fbe6c8"),
    "crow": Animal("#3a3f4d", "none", "beak", "#e0b040"),
    "deer": Animal("#b97f4c", "horns", "muzzle", "#f2dcc0"),
    "dog": Animal("#c9a27a", "long", "muzzle", "#f6e9d8"),
    "fox": Animal("#d8692f", "point", "snout", "#fff4e6"),
    "frog": Animal("#5d9c4b", "eyes", "wide", "#cfe8b8"),
    "goat": Animal("#d9d2c4", "horns", "muzzle", "#fffaf0"),
    "hare": Animal("#b59a7d", "long", "muzzle", "#f3e7d7"),
    "hedgehog": Animal("#6d5846", "round", "snout", "#ecd2b0"),
    "heron": Animal("#8fa7b8", "tuft", "beak", "#e9b44c"),
    "horse": Animal("#8b5e3c", "point", "muzzle", "#f3e6d6"),
    "lynx": Animal("#c7a072", "tuft", "muzzle", "#fbeeda"),
    "mole": Animal("#54505a", "none", "snout", "#e7a7a7"),
    "otter": Animal("#7d6450", "round", "muzzle", "#e8d3ba"),
    "owl": Animal("#9a7b55", "tuft", "beak", "#e8b648"),
    "seal": Animal("#7f8c99", "none", "muzzle", "#dfe6ec"),
    "squirrel": Animal("#b5572c", "tuft", "muzzle", "#fde8d2"),
    "toad": Animal("#8a8a4a", "eyes", "wide", "#e0dca6"),
    "wolf": Animal("#7c8590", "point", "snout", "#f0f2f4"),
    "wren": Animal("#a0714a", "none", "beak", "#d9a24a"),
}
AVATARS = tuple(ANIMALS)
BOT = "bot"
