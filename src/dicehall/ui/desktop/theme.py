"""Colors, and how large things are in a window of a given size."""

from __future__ import annotations

from dataclasses import dataclass

from dicehall.ui.desktop.scene import Color

BACKGROUND: Color = (18, 22, 34)
BACKGROUND_LOW: Color = (10, 12, 20)
PANEL: Color = (28, 34, 51)
PANEL_LIGHT: Color = (38, 46, 68)
BORDER: Color = (62, 73, 102)
TEXT: Color = (236, 239, 246)
MUTED: Color = (156, 167, 192)
ACCENT: Color = (255, 196, 77)
PRIMARY: Color = (46, 134, 222)
GOOD: Color = (88, 201, 120)
WARN: Color = (240, 173, 78)
BAD: Color = (231, 87, 80)
GHOST: Color = (150, 170, 220)
FELT: Color = (28, 98, 78)
FELT_EDGE: Color = (20, 72, 58)
WOOD: Color = (110, 70, 42)
WOOD_EDGE: Color = (72, 45, 27)

SMALLEST = (640, 440)


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes are given for 1280 x 800 and follow the window from there."""

    width: float
    height: float

    @property
    def factor(self) -> float:
        return max(0.6, min(1.8, min(self.width / 1280, self.height / 800)))

    def __call__(self, size: float) -> float:
        return size * self.factor

    def font(self, size: float) -> float:
        """Text shrinks less than the rest, so that it can still be read."""
        return size * max(0.8, self.factor)


def hp_color(share: float) -> Color:
    return GOOD if share > 0.5 else WARN if share > 0.25 else BAD
