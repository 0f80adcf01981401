"""Dice 10 000: six dice in a tray. Click the dice to lock, then lock them, roll the rest, or bank."""

from __future__ import annotations

from dicehall.core.game import Faces, Seat
from dicehall.games.tenthousand import lines
from dicehall.games.tenthousand.actions import Action, Lock, Word
from dicehall.games.tenthousand.state import DICE
from dicehall.ui.desktop.board import Stage
from dicehall.ui.desktop.board_parts import waiting_text, word_button
from dicehall.ui.desktop.scene import Button, Intent
from dicehall.ui.desktop.tray_board import TrayBoard


class GameBoard(TrayBoard):
    # -- choosing -------------------------------------------------------------------------------------

    def handle(self, stage: Stage, intent: Intent) -> Action | None:
        match intent:
            case Intent("die", at):
                self.selected ^= {at}
            case Intent("best"):
                self.selected = self.best(stage)
            case Intent("lock"):
                return self.lock(stage) or Lock((self.faces(stage),) if self.selected else ())
            case Intent("roll"):
                return Word.ROLL
            case Intent("bank"):
                return Word.YIELD
        return None

    def faces(self, stage: Stage) -> Faces:
        """The faces of the dice that are selected."""
        roll = stage.view.roll or ()
        return tuple(sorted(roll[at] for at in self.selected))

    def lock(self, stage: Stage) -> Lock | None:
        """What the selected dice are worth most as."""
        return locks(stage).get(self.faces(stage))

    def best(self, stage: Stage) -> frozenset[int]:
        faces = max(locks(stage).items(), key=lambda one: lines.points(one[1]), default=((), None))[0]
        return positions(stage.view.roll or (), faces, self.aside(stage))

    def keys(self, stage: Stage) -> dict[str, Intent]:
        if stage.acting is None:
            return {}
        words = {"r": Intent("roll"), "space": Intent("roll"), "b": Intent("bank")}
        choosing = {"return": Intent("lock"), "a": Intent("best")} if locks(stage) else {}
        return {**words, **self.dice_keys(stage), **choosing}

    # -- the table ------------------------------------------------------------------------------------

    @property
    def aside_text(self) -> str:
        return "locked"

    def aside(self, stage: Stage) -> frozenset[int]:
        locked = tuple(face for subset in stage.view.locked for face in subset)
        return positions(stage.view.roll or (), locked, frozenset())

    def cards(self, stage: Stage) -> list[tuple[Seat, str]]:
        return [(Seat(seat), "") for seat in range(len(stage.names))]

    def turn_text(self, stage: Stage) -> str:
        return f"Round {stage.view.round + 1}   This turn: {stage.view.turn_points}"

    def selection_text(self, stage: Stage) -> str:
        if bust := stage.event("Busted"):
            return f"Bust! {bust['lost']} points lost" if bust["lost"] else "Bust!"
        if done := stage.event("Yielded"):
            return f"{stage.names[done['seat']]} banks {done['points']}."
        if (locked := stage.event("Locked")) and not locked["dice_left"]:
            return "All six dice are free again!"
        if self.selected:
            lock = self.lock(stage)
            return f"Selected: {lines.points(lock)} points" if lock else "These dice do not score together."
        if stage.acting is not None and stage.view.must_lock:
            return "Click the dice you want to lock."
        return "" if stage.acting is None else missing_text(stage)

    def prompt(self, stage: Stage) -> str:
        if stage.acting is None:
            return waiting_text(stage)
        name = stage.names[stage.acting]
        if stage.view.roll is None:
            return f"{name}, roll the dice."
        if stage.view.must_lock:
            return f"{name}, lock dice that score."
        return f"{name}, roll on or bank?" if Word.YIELD in stage.choices else f"{name}, roll on."

    def buttons(self, stage: Stage) -> list[Button]:
        if stage.acting is None:
            return []
        view, may, scoring = stage.view, set(stage.choices), bool(locks(stage))
        chosen = self.lock(stage)
        left = view.dice_left or DICE
        worth = f"for {lines.points(chosen)}" if chosen else "select dice"
        dice = "1 die" if left == 1 else f"{left} dice"
        bank = Word.YIELD in may
        return [
            word_button("Best", "select it", "A", Intent("best"), enabled=scoring),
            word_button("Lock", worth, "Enter", Intent("lock"), enabled=scoring, primary=view.must_lock),
            word_button("Roll", dice, "R", Intent("roll"), enabled=Word.ROLL in may, primary=not view.must_lock),
            word_button("Bank", str(view.turn_points), "B", Intent("bank"), enabled=bank),
        ]


def locks(stage: Stage) -> dict[Faces, Lock]:
    """The dice that can be locked, each set in the grouping that it is worth most in."""
    best: dict[Faces, Lock] = {}
    found = [action for action in stage.choices if isinstance(action, Lock)]
    for lock in sorted(found, key=lambda lock: (-lines.points(lock), len(lock.subsets))):
        best.setdefault(tuple(sorted(face for subset in lock.subsets for face in subset)), lock)
    return best


def positions(roll: Faces, faces: Faces, taken: frozenset[int]) -> frozenset[int]:
    """Where these faces lie in a roll, from the left, beside those that are taken."""
    found: set[int] = set()
    for face in faces:
        found.add(next(at for at, shown in enumerate(roll) if shown == face and at not in found | taken))
    return frozenset(found)


def missing_text(stage: Stage) -> str:
    """What opening takes (T7), as long as it matters."""
    missing = stage.view.opening - stage.view.turn_points
    opened = stage.acting is not None and stage.view.scores[stage.acting]
    return "" if opened or missing <= 0 else f"You need {stage.view.opening} to open; {missing} to go."
