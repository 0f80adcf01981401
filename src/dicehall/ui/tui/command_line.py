"""The line for those who type their moves: editing, history with the arrow keys, and completion with Tab."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.suggester import Suggester
from textual.widgets import Input

MOST_REMEMBERED = 200


class Completion(Suggester):
    """Completes what was begun to one of the words that can be typed now."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=False)
        self.words: Sequence[str] = ()

    async def get_suggestion(self, value: str) -> str | None:
        begun = value.lower()
        return next((value + word[len(value) :] for word in self.words if begun and word.startswith(begun)), None)


class CommandLine(Input):
    def __init__(self, id: str) -> None:
        self.completion = Completion()
        super().__init__(
            placeholder="Tab: type a move, or a command such as help", id=id, suggester=self.completion, compact=True
        )
        self.history: list[str] = []
        self.at = 0  # in the history; its length is the new line

    def remember(self, line: str) -> None:
        if line and not self.password and self.history[-1:] != [line]:
            self.history = [*self.history, line][-MOST_REMEMBERED:]
        self.at = len(self.history)

    def begin(self, text: str) -> None:
        """Start typing with a first letter that was pressed elsewhere."""
        self.value = text
        self.focus()
        self.cursor_position = len(text)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down"):
            self.recall(-1 if event.key == "up" else 1)
        elif event.key == "tab" and self._suggestion:
            self.action_cursor_right()
        else:
            return
        event.prevent_default()
        event.stop()

    def recall(self, step: int) -> None:
        self.at = max(0, min(len(self.history), self.at + step))
        self.value = self.history[self.at] if self.at < len(self.history) else ""
        self.cursor_position = len(self.value)

    def on_focus(self) -> None:
        self.select_on_focus = False
