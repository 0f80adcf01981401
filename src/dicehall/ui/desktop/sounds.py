"""Sounds that are made, not recorded: short tones and noise. They are off until somebody turns them on."""

from __future__ import annotations

import array
import math
import random
from collections.abc import Callable

import pygame

RATE = 22050
VOLUME = 0.35
Wave = Callable[[float], float]


class Sounds:
    def __init__(self) -> None:
        self.on = False
        self.broken = False  # no sound card, or one that cannot be had
        self.made: dict[str, pygame.mixer.Sound] = {}

    def toggle(self) -> bool:
        """Whether sound is on now; a machine without sound stays silent."""
        self.on = not self.on and self.ready()
        return self.on

    def ready(self) -> bool:
        if not self.broken and not pygame.mixer.get_init():
            try:
                pygame.mixer.init(RATE, -16, 1, 512)
            except pygame.error:
                self.broken = True
        return not self.broken

    def play(self, name: str) -> None:
        if not self.on or name not in SAMPLES:
            return
        if name not in self.made:
            self.made[name] = pygame.mixer.Sound(buffer=SAMPLES[name]().tobytes())
        self.made[name].play()


def samples(seconds: float, wave: Wave) -> array.array[int]:
    """A wave that dies away."""
    count = int(RATE * seconds)
    told = (wave(at / RATE) * (1 - at / count) ** 2 for at in range(count))
    return array.array("h", (int(max(-1.0, min(1.0, value)) * VOLUME * 32767) for value in told))


def tone(*notes: float, each: float = 0.12) -> array.array[int]:
    whole = array.array("h")
    for hertz in notes:
        whole.extend(samples(each, lambda t, hertz=hertz: math.sin(2 * math.pi * hertz * t)))  # type: ignore[misc]
    return whole


def noise(seconds: float, knocks: int) -> array.array[int]:
    chance = random.Random(knocks)
    whole = array.array("h")
    for _ in range(knocks):
        whole.extend(samples(seconds / knocks, lambda t: chance.uniform(-1, 1) * math.exp(-t * 60)))
    return whole


SAMPLES: dict[str, Callable[[], array.array[int]]] = {
    "roll": lambda: noise(0.8, 9),
    "land": lambda: noise(0.16, 1),
    "hit": lambda: tone(180, 120, each=0.09),
    "heal": lambda: tone(520, 660, each=0.09),
    "coin": lambda: tone(880, 1175, each=0.08),
    "fall": lambda: tone(330, 247, 165, each=0.14),
    "win": lambda: tone(523, 659, 784, 1047, each=0.16),
    "error": lambda: tone(140, each=0.2),
}
