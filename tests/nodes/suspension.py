"""Processes that stand still, in virtual time: every step that belongs to one waits until it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any

from tests.table.virtual import VirtualLoop

GATE: ContextVar[Gate | None] = ContextVar("the process to which a step belongs", default=None)


@dataclass(slots=True, eq=False)
class Gate:
    """Through which all steps of one process go."""

    is_shut: bool = False
    is_gone: bool = False
    waiting: list[Step] = field(default_factory=list)

    def context(self) -> Context:
        """For work that belongs to this process."""
        context = Context()
        context.run(GATE.set, self)
        return context

    def call(self, callback: Callable[..., Any], *args: Any) -> None:
        """Have this process do something, as soon as it can."""
        asyncio.get_running_loop().call_soon(callback, *args, context=self.context())

    def open(self) -> None:
        self.is_shut = False
        waiting, self.waiting = self.waiting, []
        for step in waiting:
            asyncio.get_running_loop().call_soon(step.go, context=step.context)


@dataclass(slots=True, eq=False)
class Step:
    gate: Gate
    callback: Callable[..., Any]
    args: tuple[Any, ...]
    context: Context
    handle: asyncio.Handle | None = None  # by which it may be cancelled, also while it waits

    def __call__(self) -> None:
        if self.gate.is_shut:
            self.gate.waiting.append(self)
        else:
            self.go()

    def go(self) -> None:
        if not self.gate.is_gone and (self.handle is None or not self.handle.cancelled()):
            self.callback(*self.args)


class GatedLoop(VirtualLoop):
    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        context = copy_context() if context is None else context
        gate = context.get(GATE)
        if gate is None:
            return super().call_soon(callback, *args, context=context)
        step = Step(gate, callback, args, context)
        step.handle = super().call_soon(step, context=context)
        return step.handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        context = copy_context() if context is None else context
        gate = context.get(GATE)
        if gate is None:
            return super().call_at(when, callback, *args, context=context)
        step = Step(gate, callback, args, context)
        step.handle = handle = super().call_at(when, step, context=context)
        return handle
