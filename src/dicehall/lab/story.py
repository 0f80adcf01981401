"""A coach's report as a story: a headline for each seat, its costliest choices, and luck and skill in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.lab.coach import Report, SeatReport
from dicehall.lab.decisions import Decision
from dicehall.lab.descriptions import ChoiceText, ShownDie, choice_text, dice_of, round_of, situation
from dicehall.lab.grades import grade
from dicehall.lab.ledger import Line
from dicehall.lab.plain_numbers import SPREAD, chance_text, give_or_take, points_text, two_chances
from dicehall.lab.texts import texts
from dicehall.solvers.answers import Estimate
from dicehall.wire.languages import ENGLISH

LUCKY = 0.15  # of a game: luck that a headline speaks of
SLOPPY = 0.10  # of a game: mistakes, or an edge in play, that a headline speaks of
CLEAN = 0.03  # of a game: less is hardly a mistake
LEAST_TOLD = 0.005  # of a game: half a point
EVEN = 0.03  # of a game: luck that is none
ALMOST = 0.005  # a chance so near to 0 or 1 is told as almost never, or almost always


@dataclass(frozen=True, slots=True)
class Narrator:
    """Whom sentences speak of, somebody by name or the reader, and their language."""

    name: str
    you: bool = False
    language: str = ENGLISH

    def say(self, key: str, **fields: Any) -> str:
        return texts("coach", self.language).say(key, you=self.you, name=self.name, **fields)


@dataclass(frozen=True, slots=True)
class CostlyChoice:
    """A decision that cost something, with all that a reader needs to see why."""

    seat: Seat
    entry: int  # in the record, from 0
    round: int | None  # as the score sheet counts
    situation: str
    chosen: ChoiceText
    better: ChoiceText | None
    action: Any
    best_action: Any
    chance: Estimate
    best_chance: Estimate | None
    loss: float
    stderr: float
    dice: tuple[ShownDie, ...]

    def sentence(self, who: Narrator) -> str:
        """``Behind 65 to 85 with 22 on the pile, you held: 37 %. Rolling again wins 60 %.``"""
        did = who.say("choice", situated=bool(self.situation), situation=self.situation, past=self.chosen.past)
        if self.better is None or self.best_chance is None:
            cost, error = points_text(self.loss, who.language), give_or_take(self.stderr, who.language)
            return who.say("choice_cost", did=did, points=cost, error=error)
        chance, best = two_chances(self.chance.value, self.best_chance.value, who.language)
        certain = self.best_chance.value > 1 - 1e-9
        fields = {"chance": chance, "error": give_or_take(self.chance.stderr, who.language), "best": best}
        return who.say("choice_better", did=did, certain=certain, better=capital(self.better.doing), **fields)


@dataclass(frozen=True, slots=True)
class SeatStory:
    """What the report says of one seat, for it or about it."""

    headline: str
    luck: str
    skill: str
    average_luck: str


def costliest(report: Report, seat: SeatReport, language: str = ENGLISH) -> tuple[CostlyChoice, ...]:
    """The choices that cost a seat most, the worst first; both chances of one that cost less would read the same."""
    told = [line for line in seat.worst if line.decision is not None and line.decision.loss >= LEAST_TOLD]
    return tuple(costly_choice(report, seat.seat, line, language) for line in told)


def costly_choice(report: Report, seat: Seat, line: Line, language: str) -> CostlyChoice:
    assert line.decision is not None
    view = report.game.view(line.moment.before, seat)
    return choice_of(report.game, report.names, seat, view, line.decision, line.moment.index, language)


def choice_of(
    game: AnyGame, names: Sequence[str], seat: Seat, view: Any, decision: Decision, entry: int, language: str
) -> CostlyChoice:
    best = decision.best
    return CostlyChoice(
        seat=seat,
        entry=entry,
        round=round_of(game, view),
        situation=situation(game, view, seat, names, language),
        chosen=choice_text(game, view, seat, decision.action, names, language),
        better=None if best is None else choice_text(game, view, seat, best.action, names, language),
        action=decision.action,
        best_action=None if best is None else best.action,
        chance=decision.chosen,
        best_chance=None if best is None else best.chance,
        loss=decision.loss,
        stderr=decision.stderr,
        dice=dice_of(game, view),
    )


def seat_story(report: Report, seat: SeatReport, who: Narrator) -> SeatStory:
    return SeatStory(
        headline(report, seat, who),
        luck(seat, who),
        skill(seat, who.language),
        average_luck(report, seat, who),
    )


# -- the headline -------------------------------------------------------------------------------------------


def headline(report: Report, seat: SeatReport, who: Narrator) -> str:
    """The whole report of a seat in one sentence."""
    outcome = outcome_of(report, seat)
    reason = why_won(report, seat) if outcome == "won" else why_lost(seat)
    others = reason in ("others", "lucky_but_others")
    cost = -seat.given if others else seat.mistakes_cost
    why, more = (who.say(key, reason=reason, points=points_text(cost, who.language)) for key in ("why", "more"))
    if cost > 1:  # several choices together can cost more than a whole game, which reads like an error
        more = ""
    chance, error = chance_text(seat.result, who.language), give_or_take(seat.luck_stderr, who.language)
    return who.say("headline", outcome=outcome, why=why, more=more, chance=chance, error=error)


def outcome_of(report: Report, seat: SeatReport) -> str:
    if report.over is None:
        return "unfinished"
    if not report.over.places:
        return "nobody"
    if seat.result > 0:
        return "won" if seat.result == 1.0 else "shared"
    return "lost" if len(report.names) == 2 else "not_won"


def why_won(report: Report, seat: SeatReport) -> str:
    two = len(report.names) == 2
    edge = seat.given - seat.mistakes_cost
    if edge >= max(SLOPPY, seat.luck, SPREAD * seat.luck_stderr):
        if not two or not seat.decisions:  # of many, some only got in the way
            return "given" if two else "given_by_many"
        return "better_unlucky" if is_lucky(seat) < 0 else "better"
    if is_lucky(seat) > 0:
        return "lucky_sloppy" if seat.mistakes_cost >= SLOPPY else "lucky"
    if is_lucky(seat) < 0:
        return "unlucky"
    return "clean" if seat.mistakes_cost < CLEAN else leaning(seat)


def why_lost(seat: SeatReport) -> str:
    sloppy = seat.mistakes_cost >= SLOPPY
    if -seat.given >= max(SLOPPY, -seat.luck, seat.mistakes_cost, SPREAD * seat.luck_stderr):
        return "lucky_but_others" if is_lucky(seat) > 0 else "others"
    if unlucky(seat):
        return "unlucky_sloppy" if sloppy else "mostly_unlucky"
    if sloppy:
        return "sloppy"
    if is_lucky(seat) > 0:
        return "in_spite_of_luck"
    return f"{leaning(seat)}_{'small' if seat.mistakes else 'none'}"


def is_lucky(seat: SeatReport) -> int:
    """1 where luck helped so much that it has to be told, -1 where it hurt, 0 where neither is certain."""
    certain = abs(seat.luck) >= max(LUCKY, SPREAD * seat.luck_stderr)
    return 0 if not certain else 1 if seat.luck > 0 else -1


def unlucky(seat: SeatReport) -> bool:
    """Whether bad luck has to be told: also where it took half of the little chance that one of many begins with."""
    enough = max(EVEN, min(LUCKY, seat.start / 2), SPREAD * seat.luck_stderr)
    return seat.luck <= -enough


def leaning(seat: SeatReport) -> str:
    """Which way luck went that is too little for a headline by itself; even only where the line on luck says so."""
    word = luck_word(seat)
    return "even" if word == "even" else f"a_little_{word}"


# -- luck and skill -----------------------------------------------------------------------------------------


def luck(seat: SeatReport, who: Narrator) -> str:
    points, error = points_text(abs(seat.luck), who.language), give_or_take(seat.luck_stderr, who.language)
    return who.say("luck", luck=luck_word(seat), points=points, error=error)


def luck_word(seat: SeatReport) -> str:
    even = abs(seat.luck) < max(EVEN, SPREAD * seat.luck_stderr)
    return "even" if even else "lucky" if seat.luck > 0 else "unlucky"


def skill(seat: SeatReport, language: str = ENGLISH) -> str:
    say = texts("coach", language).say
    if not seat.decisions:
        return say("no_decisions")
    cost = points_text(seat.mistakes_cost, language)
    told = say(
        "mistakes" if seat.mistakes else "all_best", decisions=seat.decisions, mistakes=seat.mistakes, points=cost
    )
    return told + say("graded", grade=grade(seat), contested=seat.contested)


def average_luck(report: Report, seat: SeatReport, who: Narrator) -> str:
    """The result without luck. It is a sum and not a chance, so words tell what lies beyond 0 and 100 %.

    Between two it says how good the play was. Among more, what the others did is part of it, too.
    """
    often = "never" if seat.adjusted < ALMOST else "always" if seat.adjusted > 1 - ALMOST else "about"
    chance, error = chance_text(seat.adjusted, who.language), give_or_take(seat.luck_stderr, who.language)
    among = "leader" if report.by_leader else "two" if len(report.names) == 2 else "many"
    return who.say("average_luck", among=among, often=often, chance=chance, error=error)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
