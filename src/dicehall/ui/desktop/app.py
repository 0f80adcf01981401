"""The window and its loop: mouse and keyboard become intents, screens answer them, the painter draws."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from dicehall.ui.desktop.painter import Painter
from dicehall.ui.desktop.scene import Intent, Scene
from dicehall.ui.desktop.screen import Program, Screen
from dicehall.ui.desktop.sounds import Sounds
from dicehall.ui.desktop.theme import SMALLEST, Scale

FRAMES_PER_SECOND = 60
LONGEST_FRAME_MS = 100  # a window that was moved or asleep does not jump
REPEATING = frozenset({pygame.K_BACKSPACE, pygame.K_TAB, pygame.K_PAGEUP, pygame.K_PAGEDOWN})


class App:
    def __init__(self, program: Program, sounds: Sounds, size: tuple[int, int] = (1280, 800)) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_caption("Dicehall")
        self.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.key.set_repeat(350, 40)
        self.painter = Painter(self.surface)
        self.program, self.sounds = program, sounds
        assert program.home is not None
        self.screen: Screen = program.home()
        self.focus: Intent | None = None
        self.held: set[int] = set()  # keys that are down
        self.running = True

    def run(self) -> None:
        clock = pygame.time.Clock()
        while self.running:
            self.step(pygame.event.get(), min(clock.tick(FRAMES_PER_SECOND), LONGEST_FRAME_MS))
        self.close()

    def step(self, events: Sequence[pygame.event.Event], ms: float) -> None:
        """One frame: what was clicked and typed, what time does, and the picture."""
        for event in events:
            self.take(event)
        if (after := self.screen.advance(ms)) is not None:
            self.screen, self.focus = after, None
        self.draw()

    def draw(self) -> None:
        self.painter.paint(self.scene(), self.focus, pygame.mouse.get_pos())
        pygame.display.flip()

    def scene(self) -> Scene:
        return self.screen.scene(Scale(*self.surface.get_size()))

    def close(self) -> None:
        self.screen.close()
        pygame.mixer.quit()
        pygame.display.quit()

    # -- mouse and keyboard -------------------------------------------------------------------------------

    def take(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.VIDEORESIZE:
            self.resize(event.w, event.h)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.focus = None
            self.do(self.scene().at(*event.pos))
        elif event.type == pygame.MOUSEWHEEL:
            self.do(Intent("scroll", 2 * event.y))
        elif event.type == pygame.KEYDOWN:
            if event.key not in self.held or event.key in REPEATING:
                self.press(event)
            self.held.add(event.key)
        elif event.type == pygame.KEYUP:
            self.held.discard(event.key)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.held.clear()
        elif event.type == pygame.TEXTINPUT and self.scene().typing:
            self.screen.typed(event.text)

    def press(self, event: pygame.event.Event) -> None:
        scene, name = self.scene(), pygame.key.name(event.key)
        if event.key == pygame.K_F11:
            pygame.display.toggle_fullscreen()
        elif event.key == pygame.K_TAB:
            self.move_focus(scene, -1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif scene.typing and event.key == pygame.K_BACKSPACE:
            self.screen.typed("\b")
        elif self.focused(scene) and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            if not (scene.typing and event.key == pygame.K_SPACE):
                self.do(self.focus)
        else:
            self.do(scene.keys.get(plain_key(name)))

    def focused(self, scene: Scene) -> bool:
        return self.focus is not None and any(item.intent == self.focus for item in scene.stops)

    def move_focus(self, scene: Scene, step: int) -> None:
        stops = list(dict.fromkeys(item.intent for item in scene.stops))
        if not stops:
            return
        at = stops.index(self.focus) if self.focus in stops else (-1 if step > 0 else 0)
        self.focus = stops[(at + step) % len(stops)]

    def do(self, intent: Intent | None) -> None:
        if intent is None:
            return
        if intent.name == "quit":
            self.running = False
        elif intent.name == "sound":
            self.program.sound_on = self.sounds.toggle()
        elif (after := self.screen.handle(intent)) is not None:
            self.screen, self.focus = after, None

    def resize(self, width: int, height: int) -> None:
        """Windows smaller than can be read are made larger again."""
        size = max(width, SMALLEST[0]), max(height, SMALLEST[1])
        self.surface = pygame.display.get_surface() or self.surface
        if self.surface.get_size() != size:
            self.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        self.painter.surface = self.surface


def plain_key(name: str) -> str:
    """Keys of the number block mean the same as the others."""
    name = {"enter": "return", "?": "f1"}.get(name, name)
    return name.strip("[]") if len(name) == 3 else name
