"""Solving a race: all pairs of scores, those nearest to the goal first, each from the pairs beyond it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

from dicehall.solvers import programme
from dicehall.solvers.compiling import compiled
from dicehall.solvers.programme import Plan, Space
from dicehall.solvers.shape import Shape

Progress: TypeAlias = Callable[[float], None]  # hears how much is done, 0 to 1
Chances: TypeAlias = "array[float]"  # row by row: what the seat to move has with its score (row) against another's

PARTS = 200  # how often progress is told
ENOUGH_WORK = 2e7  # pairs times points times ends: some seconds of plain Python


def solve(shape: Shape, progress: Progress | None = None, *, fast: bool = True) -> Chances:
    """The chances of a perfect player against another, compiled where the extra ``fast`` is there and wanted."""
    machine = compiled() if fast and worth_compiling(shape) else None
    if machine is None:
        table = [0.0] * len(shape.scores) ** 2
        sweep_all(programme, shape, shape.plan, space_of(shape, shape.reach[0]), table, list, progress)
        return array("d", table)
    module, as_array = machine
    plan = Plan(*(as_array(part) if isinstance(part, list) else part for part in shape.plan))
    space = Space(*map(as_array, space_of(shape, shape.reach[0])))
    values = as_array([0.0] * len(shape.scores) ** 2)
    sweep_all(module, shape, plan, space, values, as_array, progress)
    return array("d", values.tobytes())


def sweep_all(
    module: ModuleType | Any,
    shape: Shape,
    plan: Plan,
    space: Space,
    table: Any,
    numbers: Callable[[list[int]], Any],
    progress: Progress | None,
) -> None:
    pairs = ordered(shape)
    coded = numbers(pairs)
    done, begun = 0, 0
    effort = [work(shape, pair) for pair in pairs]
    whole = sum(effort)
    for last in parts(effort):
        module.sweep(plan, space, table, coded, begun, last)
        done += sum(effort[begun:last])
        begun = last
        if progress is not None:
            progress(done / whole)


def ordered(shape: Shape) -> list[int]:
    """Every pair once, coded as the programme wants it, by descending sum of the scores."""
    size, scores = len(shape.scores), shape.scores
    pairs = [(mine, other) for mine in range(size) for other in range(mine, size)]
    pairs.sort(key=lambda pair: -(scores[pair[0]] + scores[pair[1]]))
    return [mine * size + other for mine, other in pairs]


def work(shape: Shape, pair: int) -> int:
    """What a pair costs, compared with others: the places of its turns."""
    mine, other = divmod(pair, len(shape.scores))
    return shape.reach[mine] + shape.reach[other]


def parts(effort: list[int]) -> list[int]:
    """Where to pause so that each part takes about as long as the others."""
    pauses: list[int] = []
    done, each = 0, sum(effort) / PARTS
    for at, cost in enumerate(effort, start=1):
        done += cost
        if done >= each * (len(pauses) + 1) or at == len(effort):
            pauses.append(at)
    return pauses


def space_of(shape: Shape, top: int) -> Space:
    """Room for one turn of at most so many points at a time; beyond its end every place is won."""
    inside, beyond = top * shape.width, (shape.furthest + 1) * shape.width
    return Space([0.0] * top, [0.0] * inside + [1.0] * beyond, [0.0] * (inside + beyond), [1.0] * len(shape.kinds))


def worth_compiling(shape: Shape) -> bool:
    """Whether plain Python would take longer than a compiler needs to get going."""
    ends = sum(len(ends) for kind in shape.kinds for _, ends in kind.classes)
    return len(shape.scores) ** 2 * shape.reach[0] * ends > ENOUGH_WORK
