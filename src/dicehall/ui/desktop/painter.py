"""Draws a scene with pygame: one function for each kind of item."""

from __future__ import annotations

import math
from functools import lru_cache, singledispatchmethod

import pygame

from dicehall.ui.desktop import theme
from dicehall.ui.desktop.fonts import Fonts
from dicehall.ui.desktop.portraits import portrait
from dicehall.ui.desktop.scene import (
    Bar,
    Beam,
    Button,
    Color,
    Die,
    Felt,
    Intent,
    Item,
    Label,
    Log,
    Panel,
    Portrait,
    Rect,
    Scene,
    TextField,
)

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
GRID = 256  # dice are drawn at this size and made smaller


class Painter:
    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.fonts = Fonts()

    def paint(self, scene: Scene, focus: Intent | None, mouse: tuple[int, int]) -> None:
        self.surface.blit(background(self.surface.get_size()), (0, 0))
        hovered = scene.at(*mouse)
        for item in scene.items:
            self.draw(item)
            if item.intent is not None and item.intent == hovered and hot(item):
                self.outline(item.rect, (255, 255, 255), 2)
            if item.intent is not None and item.intent == focus:
                self.outline(item.rect.inset(-3), theme.ACCENT, 3)

    def outline(self, rect: Rect, color: Color, thick: int) -> None:
        pygame.draw.rect(self.surface, color, box(rect), thick, border_radius=10)

    @singledispatchmethod
    def draw(self, item: Item) -> None:
        raise NotImplementedError(type(item).__name__)

    @draw.register
    def _(self, item: Panel) -> None:
        if item.alpha < 255:
            layer = pygame.Surface((round(item.rect.w), round(item.rect.h)), pygame.SRCALPHA)
            pygame.draw.rect(layer, (*item.fill, item.alpha), layer.get_rect(), border_radius=round(item.radius))
            self.surface.blit(layer, (round(item.rect.x), round(item.rect.y)))
        else:
            pygame.draw.rect(self.surface, item.fill, box(item.rect), border_radius=round(item.radius))
        if item.border:
            thick = max(1, round(item.thick))
            pygame.draw.rect(self.surface, item.border, box(item.rect), thick, border_radius=round(item.radius))

    @draw.register
    def _(self, item: Felt) -> None:
        size = (round(item.rect.w), round(item.rect.h))
        self.surface.blit(felt(size), (round(item.rect.x), round(item.rect.y)))

    @draw.register
    def _(self, item: Label) -> None:
        lines = self.fonts.wrapped(item.text, item.size, item.bold, item.rect.w) if item.wrap else [item.text]
        y = item.rect.y
        if item.middle:
            y += (item.rect.h - len(lines) * self.fonts.height(item.size)) / 2
        for line in lines:
            text = self.fonts.text(line, item.size, item.color, item.bold, None if item.wrap else item.rect.w)
            if item.alpha < 255:
                text = text.copy()
                text.set_alpha(item.alpha)
            x = item.rect.x + spare(item.rect.w - text.get_width(), item.align)
            height = item.rect.h if len(lines) == 1 and not item.wrap else text.get_height()
            self.surface.blit(text, (round(x), round(y + (height - text.get_height()) / 2)))
            y += text.get_height()

    @draw.register
    def _(self, item: Bar) -> None:
        radius = round(item.rect.h / 2)
        pygame.draw.rect(self.surface, (12, 15, 24), box(item.rect), border_radius=radius)
        share = max(0.0, min(1.0, item.value / item.most)) if item.most else 0.0
        if share > 0:
            width = max(item.rect.h, item.rect.w * share)
            pygame.draw.rect(self.surface, item.color, box(item.rect._replace(w=width)), border_radius=radius)
        if item.text:
            size = item.rect.h * 0.82
            shadow = self.fonts.text(item.text, size, (0, 0, 0), True)
            text = self.fonts.text(item.text, size, (255, 255, 255), True)
            x, y = item.rect.center
            at = (round(x - text.get_width() / 2), round(y - text.get_height() / 2))
            self.surface.blit(shadow, (at[0] + 1, at[1] + 1))
            self.surface.blit(text, at)

    @draw.register
    def _(self, item: Die) -> None:
        size = max(8, round(item.rect.w))
        x, y = item.rect.center
        if item.glow or item.held:
            color = theme.GOOD if item.held else theme.ACCENT
            ring = item.rect.inset(-size * 0.08)
            pygame.draw.rect(self.surface, color, box(ring), max(3, size // 18), border_radius=round(size * 0.24))
        image = die(item.face, size, item.dim, item.held)
        if item.angle:
            image = pygame.transform.rotozoom(image, item.angle, 1.0)
        shadow = pygame.Surface((size, max(4, size // 5)), pygame.SRCALPHA)
        pygame.draw.ellipse(shadow, (0, 0, 0, 70), shadow.get_rect())
        self.surface.blit(shadow, (round(x - size / 2), round(y + size * 0.44)))
        self.surface.blit(image, image.get_rect(center=(round(x), round(y))))

    @draw.register
    def _(self, item: Portrait) -> None:
        size = round(item.rect.w)
        self.surface.blit(portrait(item.avatar, size, item.ghost), (round(item.rect.x), round(item.rect.y)))
        if item.ring:
            center = (round(item.rect.center[0]), round(item.rect.center[1]))
            pygame.draw.circle(self.surface, item.ring, center, size // 2 + 2, max(2, size // 18))

    @draw.register
    def _(self, item: Beam) -> None:
        (x1, y1), (x2, y2) = item.rect.center, item.to
        pygame.draw.line(self.surface, item.color, (x1, y1), (x2, y2), 5)
        along = math.atan2(y2 - y1, x2 - x1)
        head = [(x2 - 20 * math.cos(along + turn), y2 - 20 * math.sin(along + turn)) for turn in (-0.45, 0.45)]
        pygame.draw.polygon(self.surface, item.color, [(x2, y2), *head])

    @draw.register
    def _(self, item: Button) -> None:
        fill, border, color = button_colors(item)
        pygame.draw.rect(self.surface, fill, box(item.rect), border_radius=9)
        pygame.draw.rect(self.surface, border, box(item.rect), 2, border_radius=9)
        inside = item.rect.inset(10, 4)
        texts = [self.fonts.text(item.label, item.size, color, True, inside.w)]
        small = item.size * 0.72
        lines = self.fonts.wrapped(item.note, small, False, inside.w)[:2] if item.note else []
        if len(lines) > 1 and texts[0].get_height() + 2 * self.fonts.height(small) > item.rect.h:
            lines = [item.note]
        texts += [self.fonts.text(line, small, color, False, inside.w) for line in lines]
        y = item.rect.center[1] - sum(text.get_height() for text in texts) / 2
        for text in texts:
            self.surface.blit(text, (round(item.rect.center[0] - text.get_width() / 2), round(y)))
            y += text.get_height()
        if item.key and item.enabled:
            key = self.fonts.text(item.key, max(9, item.size * 0.56), theme.ACCENT, True)
            self.surface.blit(key, (round(item.rect.right - key.get_width() - 6), round(item.rect.y + 3)))

    @draw.register
    def _(self, item: TextField) -> None:
        pygame.draw.rect(self.surface, (14, 18, 28), box(item.rect), border_radius=7)
        border = theme.ACCENT if item.active else theme.BORDER
        pygame.draw.rect(self.surface, border, box(item.rect), 2, border_radius=7)
        shown = item.text + ("|" if item.active and not item.marked else "")
        text = self.fonts.text(shown, item.size, theme.TEXT, False, item.rect.w - 16)
        y = item.rect.center[1] - text.get_height() / 2
        if item.marked:
            behind = Rect(item.rect.x + 6, y, text.get_width() + 4, text.get_height())
            pygame.draw.rect(self.surface, theme.PRIMARY, box(behind), border_radius=3)
        self.surface.blit(text, (round(item.rect.x + 8), round(y)))

    @draw.register
    def _(self, item: Log) -> None:
        """From the newest line upwards as far as there is room; while all fit, from the top."""
        shown = item.lines[: len(item.lines) - item.back] if item.back else item.lines
        high = self.fonts.height(item.size)
        rows: list[tuple[str, Color]] = []
        for at, line in enumerate(reversed(shown)):
            color = theme.TEXT if at == 0 and not item.back else theme.MUTED
            wrapped = self.fonts.wrapped(line, item.size, False, item.rect.w)
            if (len(rows) + len(wrapped)) * high > item.rect.h:
                break
            rows[:0] = [(text, color) for text in wrapped]
        for row, (text, color) in enumerate(rows):
            image = self.fonts.text(text, item.size, color, False)
            self.surface.blit(image, (round(item.rect.x), round(item.rect.y + row * high)))


def box(rect: Rect) -> pygame.Rect:
    return pygame.Rect(round(rect.x), round(rect.y), round(rect.w), round(rect.h))


def hot(item: Item) -> bool:
    """Whether the mouse over it is shown by an outline."""
    return not isinstance(item, Button) or item.enabled


def spare(width: float, align: str) -> float:
    return {"left": 0.0, "center": width / 2, "right": width}[align]


def button_colors(item: Button) -> tuple[Color, Color, Color]:
    if not item.enabled:
        return (30, 35, 50), (48, 56, 78), (104, 114, 138)
    if item.selected:
        return (74, 60, 24), theme.ACCENT, theme.TEXT
    if item.primary:
        return theme.PRIMARY, (120, 186, 245), (255, 255, 255)
    return theme.PANEL_LIGHT, theme.BORDER, theme.TEXT


@lru_cache(maxsize=4)
def background(size: tuple[int, int]) -> pygame.Surface:
    strip = pygame.Surface((1, 2))
    strip.set_at((0, 0), theme.BACKGROUND)
    strip.set_at((0, 1), theme.BACKGROUND_LOW)
    return pygame.transform.smoothscale(strip, size)


@lru_cache(maxsize=8)
def felt(size: tuple[int, int]) -> pygame.Surface:
    """A wooden rim with green cloth in it, lighter in the middle."""
    wide, high = size[0] * 2, size[1] * 2
    canvas = pygame.Surface((wide, high), pygame.SRCALPHA)
    rim = min(wide, high) // 16
    pygame.draw.ellipse(canvas, theme.WOOD_EDGE, (0, 0, wide, high))
    pygame.draw.ellipse(canvas, theme.WOOD, (8, 6, wide - 16, high - 16))
    pygame.draw.ellipse(canvas, theme.FELT_EDGE, (rim, rim, wide - 2 * rim, high - 2 * rim))
    for ring in range(12):
        part = ring / 12
        color = pygame.Color(*theme.FELT_EDGE).lerp(theme.FELT, part)
        inset = rim + part * min(wide, high) * 0.3
        pygame.draw.ellipse(canvas, color, (inset, inset, wide - 2 * inset, high - 2 * inset))
    return pygame.transform.smoothscale(canvas, size)


@lru_cache(maxsize=128)
def die(face: int | None, size: int, dim: bool, held: bool) -> pygame.Surface:
    canvas = pygame.Surface((GRID, GRID), pygame.SRCALPHA)
    body = (176, 180, 188) if dim else (226, 245, 230) if held else (248, 246, 240)
    pygame.draw.rect(canvas, (150, 146, 138), (0, 0, GRID, GRID), border_radius=52)
    pygame.draw.rect(canvas, body, (4, 2, GRID - 8, GRID - 14), border_radius=50)
    pip = (96, 100, 110) if dim else (30, 34, 46)
    for x, y in PIPS.get(face or 0, ()):
        center = (GRID // 2 + x * 66, GRID // 2 - 4 + y * 66)
        pygame.draw.circle(canvas, (196, 48, 48) if face == 1 and not dim else pip, center, 34 if face == 1 else 26)
    return pygame.transform.smoothscale(canvas, (size, size))
