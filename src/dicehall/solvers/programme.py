"""The arithmetic of the exact solution, in loops over flat lists so that one text serves plain Python and a compiler.

Nothing here knows a game. A turn is a graph: at some points, with the dice of one *kind* about to be thrown, the throw
falls into a class; a class offers ends (more points, the kind to be thrown next), and at an end points may be banked.
Points only grow, so one pass from the most points down values every place of the turn. And more points are never worse,
so a throw is worth no more than it was with more points: where banking is better than that, it need not be valued.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

Numbers: TypeAlias = Any  # a list, or an array where the functions are compiled

STEPS = 60  # Newton's method ends in at most seven
NEAR = 1e-14


class Plan(NamedTuple):
    """A race in numbers. Points and scores are in units; a score is known by its place in ``scores``."""

    goal: int
    first: int  # the least score above nothing; the others follow it one by one
    scores: Numbers
    least: Numbers  # by score: the least points that may be banked
    reach: Numbers  # by score: the points from which on banking wins
    lowest: Numbers  # by kind: the least points it can be thrown with
    bust: Numbers  # by kind: the chance that the throw loses the turn
    classes: Numbers  # by kind: where its classes begin
    weight: Numbers  # by class: its chance
    ends: Numbers  # by class: where its ends begin
    jump: Numbers  # by end: how far away its place is


class Space(NamedTuple):
    """Room to work in. The place (points, kind) is at ``(points + shift) * width + kind``, with the shift such that
    all turns end at the same place: what lies beyond is won, and stays 1."""

    bank: Numbers  # by points: what banking them is worth, -1 where it is not allowed
    rest: Numbers  # by place: the chance to win there
    slope: Numbers  # by place: how it grows with the worth of a lost turn, which is the chance of losing it
    bound: Numbers  # by kind: what its throw can be worth at most, now that it was valued with more points


def turn(plan: Plan, space: Space, mine: int, lose: float) -> None:
    """Value every place of one turn, a lost turn being worth *lose*."""
    lowest, bust, classes, weight, ends, jump = plan.lowest, plan.bust, plan.classes, plan.weight, plan.ends, plan.jump
    bank, rest, slope, bound = space.bank, space.rest, space.slope, space.bound
    kinds = len(bust)
    for kind in range(kinds):
        bound[kind] = 1.0
    shift = plan.reach[0] - plan.reach[mine]
    for points in range(plan.reach[mine] - 1, -1, -1):
        base = (points + shift) * (kinds + 1)
        kept = bank[points]
        for kind in range(kinds):
            if points < lowest[kind]:
                continue
            if bound[kind] <= kept:
                rest[base + kind] = kept
                slope[base + kind] = 0.0
                continue
            value = bust[kind] * lose
            moves = bust[kind]
            for at in range(classes[kind], classes[kind + 1]):
                best = -1.0
                move = 0.0
                for n in range(ends[at], ends[at + 1]):
                    place = base + jump[n]
                    if rest[place] > best:
                        best = rest[place]
                        move = slope[place]
                value += weight[at] * best
                moves += weight[at] * move
            bound[kind] = value
            if kept > value:
                value = kept
                moves = 0.0
            rest[base + kind] = value
            slope[base + kind] = moves
        rest[base + kinds] = kept


def banking(plan: Plan, space: Space, table: Numbers, mine: int, other: int) -> None:
    """Fill in what banking is worth in a turn. With nothing gathered yet it is no choice: it would be a lost turn."""
    scores, bank = plan.scores, space.bank
    row = other * len(scores) + 1 - plan.first
    for points in range(plan.reach[mine]):
        total = scores[mine] + points
        if points < plan.least[mine]:
            bank[points] = -1.0
        elif total >= plan.goal:
            bank[points] = 1.0
        else:
            bank[points] = 1.0 - table[row + total]


def start(plan: Plan, space: Space, table: Numbers, mine: int, other: int, lose: float) -> tuple[float, float]:
    """What a turn is worth before its first throw, and how that grows with the worth of losing it."""
    banking(plan, space, table, mine, other)
    turn(plan, space, mine, lose)
    place = (plan.reach[0] - plan.reach[mine]) * (len(plan.bust) + 1)
    return space.rest[place], space.slope[place]


def guess(table: Numbers, size: int, mine: int, other: int) -> float:
    """Where to begin: as the neighbours with more points say, if the surface were flat."""
    if mine + 1 >= size or other + 1 >= size:
        return 0.5
    place = mine * size + other
    value: float = table[place + size] + table[place + 1] - table[place + size + 1]
    return min(max(value, 0.0), 1.0)


def settle(plan: Plan, space: Space, table: Numbers, mine: int, other: int) -> int:
    """Solve a pair of scores both ways round, x = F(1 - y) and y = G(1 - x), by Newton's method; return the steps."""
    size = len(plan.scores)
    x = guess(table, size, mine, other)
    y = guess(table, size, other, mine)
    steps = 0
    gap = 1.0
    while gap > NEAR and steps < STEPS:
        steps += 1
        f, f_slope = start(plan, space, table, mine, other, 1.0 - y)
        g, g_slope = f, f_slope
        if mine != other:
            g, g_slope = start(plan, space, table, other, mine, 1.0 - x)
        gap = max(abs(f - x), abs(g - y))
        f_still = f + f_slope * y
        g_still = g + g_slope * x
        x = (f_still - f_slope * g_still) / (1.0 - f_slope * g_slope)
        y = (g_still - g_slope * f_still) / (1.0 - f_slope * g_slope)
    table[mine * size + other] = x
    table[other * size + mine] = y
    return steps


def sweep(plan: Plan, space: Space, table: Numbers, pairs: Numbers, first: int, last: int) -> int:
    """Solve pairs (coded as mine * size + other) in the order they come in; return all steps."""
    size = len(plan.scores)
    steps = 0
    for n in range(first, last):
        steps += settle(plan, space, table, pairs[n] // size, pairs[n] % size)
    return steps
