"""A coach's report as a story: a headline for each seat, its costliest choices, and luck and skill in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.coach import Report, SeatReport
from dicehall.lab.decisions import Decision
from dicehall.lab.grades import NOT_GRADED, grade
from dicehall.lab.ledger import Line
from dicehall.lab.plain_numbers import SPREAD, chance_text, give_or_take, points_text, two_chances
from dicehall.lab.wording import Deed, ShownDie, deed, dice_of, round_of, situation
from dicehall.solvers.answers import Estimate

LUCKY = 0.15  # of a game: luck that a headline speaks of
SLOPPY = 0.10  # of a game: mistakes, or an edge in play, that a headline speaks of
CLEAN = 0.03  # of a game: less is hardly a mistake
EVEN = 0.03  # of a game: luck that is none
GUESSING = "no better than guessing"
ALMOST = 0.005  # a chance so near to 0 or 1 is told as almost never, or almost always


@dataclass(frozen=True, slots=True)
class Narrator:
    """Whom sentences speak of: somebody by name, or the reader."""

    name: str
    you: bool = False

    @property
    def subject(self) -> str:
        return "you" if self.you else self.name

    @property
    def start(self) -> str:
        return "You" if self.you else self.name

    @property
    def owner(self) -> str:
        return "your" if self.you else f"{self.name}'s"

    @property
    def was(self) -> str:
        return f"{self.start} {'were' if self.you else 'was'}"


@dataclass(frozen=True, slots=True)
class CostlyChoice:
    """A decision that cost something, with all that a reader needs to see why."""

    seat: Seat
    entry: int  # in the record, from 0
    round: int | None  # as the score sheet counts
    situation: str
    chosen: Deed
    better: Deed | None
    action: Any
    best_action: Any
    chance: Estimate
    best_chance: Estimate | None
    loss: float
    stderr: float
    dice: tuple[ShownDie, ...]

    def sentence(self, who: Narrator) -> str:
        """``Behind 65 to 85 with 22 on the pile, you held: 37 %. Rolling again wins 60 %.``"""
        did = (
            f"{self.situation}, {who.subject} {self.chosen.past}"
            if self.situation
            else f"{who.start} {self.chosen.past}"
        )
        if self.better is None or self.best_chance is None:
            return f"{did}, which cost {points_text(self.loss)}{give_or_take(self.stderr)}."
        chance, best = two_chances(self.chance.value, self.best_chance.value)
        wins = "wins for certain" if self.best_chance.value > 1 - 1e-9 else f"wins {best}"
        return f"{did}: {chance}{give_or_take(self.chance.stderr)}. {capital(self.better.doing)} {wins}."


@dataclass(frozen=True, slots=True)
class SeatStory:
    """What the report says of one seat, for it or about it."""

    headline: str
    luck: str
    skill: str
    average_luck: str


def costliest(report: Report, seat: SeatReport) -> tuple[CostlyChoice, ...]:
    """The choices that cost a seat most, the worst first."""
    return tuple(costly_choice(report, seat.seat, line) for line in seat.worst)


def costly_choice(report: Report, seat: Seat, line: Line) -> CostlyChoice:
    assert line.decision is not None
    view = report.game.view(line.moment.before, seat)
    return choice_of(report.game, report.names, seat, view, line.decision, line.moment.index)


def choice_of(
    game: AnyGame, names: Sequence[str], seat: Seat, view: Any, decision: Decision, entry: int
) -> CostlyChoice:
    best = decision.best
    return CostlyChoice(
        seat=seat,
        entry=entry,
        round=round_of(game, view),
        situation=situation(game, view, seat, names),
        chosen=deed(game, view, seat, decision.action, names),
        better=None if best is None else deed(game, view, seat, best.action, names),
        action=decision.action,
        best_action=None if best is None else best.action,
        chance=decision.chosen,
        best_chance=None if best is None else best.chance,
        loss=decision.loss,
        stderr=decision.stderr,
        dice=dice_of(game, view),
    )


def seat_story(report: Report, seat: SeatReport, who: Narrator) -> SeatStory:
    return SeatStory(headline(report, seat, who), luck(seat, who), skill(seat), average_luck(report, seat))


# -- the headline -------------------------------------------------------------------------------------------


def headline(report: Report, seat: SeatReport, who: Narrator) -> str:
    """The whole report of a seat in one sentence."""
    if report.over is None:
        return f"{who.start} would win {chance_text(seat.result)} of games from here{give_or_take(seat.luck_stderr)}."
    if not report.over.places:
        return f"{who.start} did not win, and nobody else did."
    if seat.result == 1.0:
        return f"{who.start} won{why_won(report, seat, who)}."
    if seat.result > 0:
        return f"{who.start} shared first place{why_lost(seat, who)}."
    lost = "lost" if len(report.names) == 2 else "did not win"
    return f"{who.start} {lost}{why_lost(seat, who)}."


def why_won(report: Report, seat: SeatReport, who: Narrator) -> str:
    edge = seat.given - seat.mistakes_cost if len(report.names) == 2 else 0.0  # of many, some only got in the way
    if edge >= max(SLOPPY, seat.luck):
        return " by playing better, in spite of bad luck" if is_lucky(seat) < 0 else " by playing better"
    if is_lucky(seat) > 0:
        sloppy = " in spite of mistakes" if seat.mistakes_cost >= SLOPPY else ""
        return f"{sloppy} with luck on {who.owner} side"
    if is_lucky(seat) < 0:
        return " in spite of bad luck"
    return " with hardly a mistake" if seat.mistakes_cost < CLEAN else "; luck was about even"


def why_lost(seat: SeatReport, who: Narrator) -> str:
    sloppy = seat.mistakes_cost >= SLOPPY
    if is_lucky(seat) < 0 and sloppy:
        return " through bad luck and mistakes"
    if is_lucky(seat) < 0:
        return ", mostly through bad luck"
    if sloppy:
        return f", mostly through mistakes: they cost {who.subject} {points_text(seat.mistakes_cost)} of winning chance"
    if is_lucky(seat) > 0:
        return " in spite of good luck"
    return "; luck was about even, and mistakes were small"


def is_lucky(seat: SeatReport) -> int:
    """1 where luck helped so much that it has to be told, -1 where it hurt, 0 where neither is certain."""
    certain = abs(seat.luck) >= max(LUCKY, SPREAD * seat.luck_stderr)
    return 0 if not certain else 1 if seat.luck > 0 else -1


# -- luck and skill -----------------------------------------------------------------------------------------


def luck(seat: SeatReport, who: Narrator) -> str:
    error = give_or_take(seat.luck_stderr)
    if abs(seat.luck) < max(EVEN, SPREAD * seat.luck_stderr):
        return f"Luck was about even{error}."
    word, added = ("lucky", "added") if seat.luck > 0 else ("unlucky", "took")
    way = "to" if seat.luck > 0 else "from"
    return f"{who.was} {word}: chance {added} {points_text(abs(seat.luck))}{error} {way} {who.owner} winning chances."


def skill(seat: SeatReport) -> str:
    if not seat.decisions:
        return "There was nothing to decide."
    if not seat.mistakes:
        few = {1: "The only decision was", 2: "Both decisions were"}
        every = few.get(seat.decisions, f"All {seat.decisions} decisions were")
        return f"{every} the best possible.{graded(seat)}"
    of = "1 of 1 decision" if seat.decisions == 1 else f"{seat.mistakes} of {seat.decisions} decisions"
    could = f"{of} could have been better, at a cost of {points_text(seat.mistakes_cost)} in total"
    return f"{could}.{graded(seat)}"


def graded(seat: SeatReport) -> str:
    word = grade(seat)
    if word == NOT_GRADED:
        return " Too few of them were close calls for a grade."
    return f" {seat.contested} were close calls; grade: {GUESSING if word == 'random' else word}."


def average_luck(report: Report, seat: SeatReport) -> str:
    """The result without luck. It is a sum and not a chance, so words tell what lies beyond 0 and 100 %."""
    wins = "beats the leader in" if report.by_leader else "wins"
    if seat.adjusted < ALMOST:
        return f"With average luck, play like this almost never {'beats the leader' if report.by_leader else 'wins'}."
    if seat.adjusted > 1 - ALMOST:
        return f"With average luck, play like this almost always {'beats the leader' if report.by_leader else 'wins'}."
    return (
        f"With average luck, play like this {wins} about {chance_text(seat.adjusted)} of such games"
        f"{give_or_take(seat.luck_stderr)}."
    )


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
