"""Text as pictures: fonts by size, kept once made, and lines broken to fit a width."""

from __future__ import annotations

from collections import OrderedDict
from functools import cache

import pygame

from dicehall.ui.desktop.scene import Color

WANTED = "notosans,dejavusans,segoeui,helveticaneue,arial"
KEPT = 800  # pictures of text


@cache
def font_file(bold: bool) -> str | None:
    """A font of this machine that knows more letters than pygame's own, or None."""
    return pygame.font.match_font(WANTED, bold=bold)


class Fonts:
    def __init__(self) -> None:
        self.fonts: dict[tuple[int, bool], pygame.font.Font] = {}
        self.texts: OrderedDict[tuple[str, int, Color, bool, int | None], pygame.Surface] = OrderedDict()
        self.lines: OrderedDict[tuple[str, int, bool, int], list[str]] = OrderedDict()

    def font(self, size: float, bold: bool) -> pygame.font.Font:
        key = (max(8, round(size)), bold)
        if key not in self.fonts:
            self.fonts[key] = pygame.font.Font(font_file(bold), key[0])
        return self.fonts[key]

    def height(self, size: float) -> int:
        return self.font(size, False).get_linesize()

    def text(self, text: str, size: float, color: Color, bold: bool, width: float | None = None) -> pygame.Surface:
        """One line; where it is wider than *width*, its end is left out."""
        key = (text, round(size), color, bold, None if width is None else round(width))
        if key not in self.texts:
            font = self.font(size, bold)
            self.texts[key] = font.render(shortened(font, text, width), True, color)
            if len(self.texts) > KEPT:
                self.texts.popitem(last=False)
        return self.texts[key]

    def wrapped(self, text: str, size: float, bold: bool, width: float) -> list[str]:
        key = (text, round(size), bold, round(width))
        if key not in self.lines:
            self.lines[key] = broken(self.font(size, bold), text, width)
            if len(self.lines) > KEPT:
                self.lines.popitem(last=False)
        return self.lines[key]


def shortened(font: pygame.font.Font, text: str, width: float | None) -> str:
    text = text.replace("\x00", "")
    if width is None or font.size(text)[0] <= width:
        return text
    while text and font.size(text + "...")[0] > width:
        text = text[:-1]
    return text + "..."


def broken(font: pygame.font.Font, text: str, width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and font.size(longer)[0] > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines
