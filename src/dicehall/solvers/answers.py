"""What a solver answers. It is asked about what a seat sees, so that it cannot know what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import Any, Protocol

from dicehall.core.game import Awaited, Over, Seat


@dataclass(frozen=True, slots=True)
class Sample:
    """The batches of games behind an estimate; those that met the same dice can be compared batch by batch."""

    dice: str
    means: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance to win, of which a shared first place counts as its share, or a mean over many games."""

    value: float
    stderr: float = 0.0  # 0: exact
    sample: Sample | None = field(default=None, compare=False, repr=False)

    def in_batch(self, number: int) -> float:
        return self.value if self.sample is None else self.sample.means[number]


@dataclass(frozen=True, slots=True)
class Worth:
    """A choice and the chance to win of whoever makes it, played well from there on."""

    action: Any
    chance: Estimate
    often: float | None = None  # how often perfect play chooses it, where both sides choose at once


class Solver(Protocol):
    """The answers for one game with its house rules and number of seats."""

    @property
    def note(self) -> str:
        """How far to trust it, for people: "exact", "against the leader", "rollouts"."""

    def chance(self, view: Any, awaits: Awaited, seat: Seat) -> Estimate:
        """What a seat's position is worth; where dice are awaited, on average over them."""

    def worths(self, view: Any, seat: Seat, choices: Sequence[Any]) -> Sequence[Worth]:
        """What each choice of the seat whose decision it is is worth, in the order of the choices."""

    def rougher(self) -> Solver | None:
        """One that answers sooner and less precisely; None where answers are exact."""


def share(over: Over, seat: Seat) -> float:
    """What a seat has of the first place."""
    first = over.places[0] if over.places else frozenset()
    return 1 / len(first) if seat in first else 0.0


def sampled(dice: str, means: Sequence[float]) -> Estimate:
    """The mean over batches of games, with its standard error."""
    middle = sum(means) / len(means)
    return Estimate(middle, sqrt(covariance(means, means) / len(means)), Sample(dice, tuple(means)))


def difference_stderr(one: Estimate, other: Estimate) -> float:
    """The standard error of the difference of two estimates: the same dice make it smaller than two errors."""
    apart = one.stderr**2 + other.stderr**2
    mine, theirs = one.sample, other.sample
    if mine is None or theirs is None or mine.dice != theirs.dice:
        return sqrt(apart)
    common = covariance(mine.means, theirs.means) / max(len(mine.means), len(theirs.means))
    return sqrt(max(0.0, apart - 2 * common))


def blended(estimates: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """The weighted mean of estimates on the same dice; those that are exact have no dice."""
    used = [(weight / sum(weights), one) for weight, one in zip(weights, estimates, strict=True) if weight]
    value = sum(weight * one.value for weight, one in used)
    samples = [one.sample for _, one in used if one.sample]
    if len(used) == 1 or not samples:
        return used[0][1] if len(used) == 1 else Estimate(value)
    batches = range(min(len(sample.means) for sample in samples))
    means = [sum(weight * one.in_batch(batch) for weight, one in used) for batch in batches]
    of_means = sampled(samples[0].dice, means)
    return Estimate(value, of_means.stderr, of_means.sample)


def covariance(ones: Sequence[float], others: Sequence[float]) -> float:
    """Of the pairs that both have; 0 where there is only one."""
    pairs = list(zip(ones, others, strict=False))
    one, other = (sum(half) / len(pairs) for half in zip(*pairs, strict=True))
    products = [(mine - one) * (theirs - other) for mine, theirs in pairs]
    return fsum(products) / max(1, len(pairs) - 1)
