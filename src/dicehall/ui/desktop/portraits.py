"""Heads of animals, bots and ghosts, drawn from shapes."""

from __future__ import annotations

from functools import lru_cache

import pygame

from dicehall.ui.desktop.scene import Color
from dicehall.ui.tables.avatars import ANIMALS, BOT, Animal, Ears, Face

GRID = 240  # drawn at this size, then made smaller, so that edges are smooth


@lru_cache(maxsize=256)
def portrait(avatar: str, size: int, ghost: bool) -> pygame.Surface:
    """A head in a round picture; who has fallen is a pale ghost."""
    canvas = pygame.Surface((GRID, GRID), pygame.SRCALPHA)
    if ghost:
        draw_ghost(canvas)
    elif avatar == BOT or avatar not in ANIMALS:
        draw_bot(canvas)
    else:
        draw_animal(canvas, ANIMALS[avatar])
    return pygame.transform.smoothscale(canvas, (size, size))


def draw_animal(canvas: pygame.Surface, animal: Animal) -> None:
    fur, mark = pygame.Color(animal.fur), pygame.Color(animal.mark)
    pygame.draw.circle(canvas, fur.lerp((255, 255, 255), 0.72), (120, 120), 118)
    draw_ears(canvas, animal.ears, fur, mark)
    pygame.draw.ellipse(canvas, fur, (46, 56, 148, 148))
    draw_face(canvas, animal.face, mark)
    if animal.ears != "eyes":
        for x in (92, 148):
            pygame.draw.circle(canvas, (255, 255, 255), (x, 116), 14)
            pygame.draw.circle(canvas, (25, 25, 30), (x, 117), 9)
            pygame.draw.circle(canvas, (255, 255, 255), (x + 3, 113), 3)


def draw_ears(canvas: pygame.Surface, ears: Ears, fur: pygame.Color, mark: pygame.Color) -> None:
    for side in (-1, 1):
        x = 120 + side * 52
        match ears:
            case "round":
                pygame.draw.circle(canvas, fur, (x, 72), 26)
                pygame.draw.circle(canvas, mark, (x, 72), 13)
            case "point":
                pygame.draw.polygon(canvas, fur, [(x - side * 32, 84), (x + side * 8, 28), (x + side * 24, 104)])
            case "long":
                pygame.draw.ellipse(canvas, fur, (x - 18 - side * 10, 14, 36, 92))
                pygame.draw.ellipse(canvas, mark, (x - 8 - side * 10, 28, 16, 62))
            case "horns":
                pygame.draw.lines(canvas, (92, 72, 52), False, [(x - side * 20, 70), (x, 30), (x + side * 20, 16)], 9)
                pygame.draw.line(canvas, (92, 72, 52), (x - 2, 34), (x - side * 20, 18), 8)
            case "tuft":
                pygame.draw.polygon(canvas, fur, [(x - side * 26, 82), (x + side * 14, 34), (x + side * 18, 98)])
                pygame.draw.line(canvas, (40, 36, 34), (x + side * 12, 42), (x + side * 20, 18), 7)
            case "eyes":
                pygame.draw.circle(canvas, fur, (x, 70), 30)
                pygame.draw.circle(canvas, (255, 255, 255), (x, 68), 19)
                pygame.draw.circle(canvas, (25, 25, 30), (x, 70), 10)


def draw_face(canvas: pygame.Surface, face: Face, mark: pygame.Color) -> None:
    dark = (38, 32, 32)
    match face:
        case "snout":
            pygame.draw.polygon(canvas, mark, [(70, 128), (170, 128), (120, 206)])
            pygame.draw.circle(canvas, dark, (120, 192), 13)
        case "beak":
            pygame.draw.polygon(canvas, mark, [(98, 134), (142, 134), (120, 186)])
        case "muzzle":
            pygame.draw.ellipse(canvas, mark, (80, 132, 80, 60))
            pygame.draw.ellipse(canvas, dark, (106, 138, 28, 18))
            pygame.draw.line(canvas, dark, (120, 154), (120, 172), 4)
        case "wide":
            pygame.draw.ellipse(canvas, mark, (64, 138, 112, 54))
            pygame.draw.arc(canvas, dark, (84, 138, 72, 40), 3.5, 5.9, 5)


def draw_bot(canvas: pygame.Surface) -> None:
    pygame.draw.circle(canvas, (196, 208, 228), (120, 120), 118)
    pygame.draw.line(canvas, (74, 88, 116), (120, 30), (120, 64), 8)
    pygame.draw.circle(canvas, (231, 87, 80), (120, 30), 13)
    pygame.draw.rect(canvas, (74, 88, 116), (54, 62, 132, 118), border_radius=26)
    pygame.draw.rect(canvas, (24, 30, 44), (72, 84, 96, 50), border_radius=20)
    for x in (98, 142):
        pygame.draw.circle(canvas, (110, 226, 255), (x, 109), 12)
    for x in (92, 110, 128):
        pygame.draw.rect(canvas, (196, 208, 228), (x, 150, 12, 14), border_radius=3)


def draw_ghost(canvas: pygame.Surface) -> None:
    pygame.draw.circle(canvas, (46, 54, 82), (120, 120), 118)
    body: Color = (206, 218, 246)
    pygame.draw.circle(canvas, body, (120, 104), 62)
    pygame.draw.rect(canvas, body, (58, 104, 124, 78))
    for x in (79, 120, 161):
        pygame.draw.circle(canvas, body, (x, 180), 21)
    for x in (97, 143):
        pygame.draw.ellipse(canvas, (38, 44, 70), (x - 12, 86, 24, 32))
    pygame.draw.ellipse(canvas, (38, 44, 70), (108, 134, 24, 18))
