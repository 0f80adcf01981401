"""What a window shows, as data: items with a place, and what a click on them means. Nothing in here draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

Color: TypeAlias = tuple[int, int, int]
Align: TypeAlias = Literal["left", "center", "right"]


class Rect(NamedTuple):
    x: float
    y: float
    w: float
    h: float

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float | None = None) -> Rect:
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: float, dy: float) -> Rect:
        return Rect(self.x + dx, self.y + dy, self.w, self.h)


def centered(x: float, y: float, w: float, h: float) -> Rect:
    return Rect(x - w / 2, y - h / 2, w, h)


class Intent(NamedTuple):
    """What somebody wants, by mouse or keyboard: a word, and whatever it is about."""

    name: str
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    rect: Rect
    intent: Intent | None = None  # what a click means; None: nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel(Item):
    fill: Color
    border: Color | None = None
    radius: float = 10
    alpha: int = 255
    thick: float = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt(Item):
    """The round table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label(Item):
    text: str
    size: float = 18
    color: Color = (235, 238, 245)
    align: Align = "left"
    bold: bool = False
    wrap: bool = False
    middle: bool = False  # wrapped text stands in the middle of its height
    alpha: int = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar(Item):
    value: float
    most: float
    color: Color
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Die(Item):
    face: int | None  # None: blank
    angle: float = 0.0  # degrees
    held: bool = False
    dim: bool = False
    glow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait(Item):
    avatar: str
    ghost: bool = False
    ring: Color | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam(Item):
    """A line from the center of one place to another, with an arrow head."""

    to: tuple[float, float]
    color: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Button(Item):
    label: str
    note: str = ""  # a second, smaller line
    key: str = ""  # shown in the corner
    enabled: bool = True
    primary: bool = False
    selected: bool = False
    size: float = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField(Item):
    text: str
    active: bool = False
    marked: bool = False  # what is typed replaces the text
    size: float = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Log(Item):
    """Lines, the newest at the bottom; *back* says how many of the newest are scrolled out of sight."""

    lines: tuple[str, ...]
    size: float = 15
    back: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    items: tuple[Item, ...]
    keys: Mapping[str, Intent] = field(default_factory=dict)  # by the name of a key, such as "r" or "return"
    typing: bool = False  # whether letters go into a text field
    modal: int = 0  # items before this index lie under an overlay and cannot be clicked

    def at(self, x: float, y: float) -> Intent | None:
        """What a click there means: the topmost item counts."""
        for item in reversed(self.items[self.modal :]):
            if item.intent is not None and item.rect.contains(x, y):
                return item.intent
        return None

    @property
    def stops(self) -> tuple[Item, ...]:
        """Where the Tab key goes, in reading order of the items."""
        found = [item for item in self.items[self.modal :] if item.intent is not None]
        return tuple(item for item in found if not isinstance(item, Button) or item.enabled)

    def item(self, intent: Intent) -> Item:
        return next(item for item in reversed(self.items) if item.intent == intent)
