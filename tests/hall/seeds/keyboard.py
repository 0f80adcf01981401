"""A GameController on virtual time, with dice that a test names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from dicehall.hall.seeds.doordice import GameController
from dicehall.hall.seeds.doordice_shapes import Choice, Question, ValidationError
from dicehall.store.memory import MemoryJournal
from tests.hall.seeds.small_hall import small_hall
from tests.table.hosting import Box
from tests.table.virtual import VirtualClock, VirtualLoop

FIVE = ("Ann", "Bo", "Cy", "Di", "Ed")


class Controller(GameController):
    """With the dice and the clock at hand."""

    def __init__(self, journal: MemoryJournal | None = None) -> None:
        self.clock, self.box = VirtualClock(), Box()
        runner = asyncio.Runner(loop_factory=lambda: VirtualLoop(self.clock))
        super().__init__(small_hall(self.clock, self.box, journal), runner)

    def start(self, faces: Sequence[int] = (), players: Sequence[str] = FIVE, **chosen: object) -> None:
        """A game of five people in the order given, whose first rolls are named."""
        self.box.named = {number: (face,) for number, face in enumerate(faces, 1)}
        self.init_game(players, **{"drawn": False, **chosen})  # type: ignore[arg-type]

    def pass_time(self, seconds: float) -> None:
        self._run(asyncio.sleep(seconds))


@contextmanager
def keyboard(journal: MemoryJournal | None = None) -> Iterator[Controller]:
    controller = Controller(journal)
    try:
        yield controller
    finally:
        controller.close()


def always(target: int | None = None, effect: str | None = None) -> Callable[[Question], Choice]:
    """The same answer to every question; it has to be allowed."""

    def answer(question: Question) -> Choice:
        assert question.error is None, question.error
        return Choice(target, effect)

    return answer


def first_choice(question: Question) -> Choice:
    """The first effect on the first target, if it is aimed."""
    effect = question.effects[0]
    return Choice(None if effect == "power_vp" else question.targets[0], effect)


def play_out(controller: GameController) -> None:
    while not controller.get_state().game_over:
        controller.play_turn(first_choice)


def wrong(code: str, controller: Controller, target: int | None = None, effect: str | None = None) -> ValidationError:
    """The error with which an action is refused, and nothing has changed."""
    before = controller.get_state()
    with pytest.raises(ValidationError) as raised:
        controller.execute_action(target, effect)
    assert raised.value.code == code
    assert str(raised.value) == raised.value.sentence != ""
    assert controller.get_state() == before  # C2
    return raised.value
