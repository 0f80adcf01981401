"""Reports, odds and advice as plain structures: what ``--json`` prints and screens draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from dicehall.core.game import AnyGame, Seat
from dicehall.core.house import rules_of
from dicehall.lab.advice import Advice
from dicehall.lab.coach import Report, SeatReport
from dicehall.lab.decisions import Decision
from dicehall.lab.descriptions import choice_text, situation
from dicehall.lab.explanations import explanations, trust
from dicehall.lab.grades import grade
from dicehall.lab.graph import graph
from dicehall.lab.ledger import Line, Part
from dicehall.lab.moments import bot_seats
from dicehall.lab.odds import NextRoll, Odds, Outcome
from dicehall.lab.positions import form_of, write
from dicehall.lab.spoken import moment_text
from dicehall.lab.story import CostlyChoice, Narrator, costliest, seat_story
from dicehall.lab.telling import choice_line, turning_point
from dicehall.solvers.answers import Estimate, Worth
from dicehall.wire.actions import codec_of
from dicehall.wire.answers import show_refused
from dicehall.wire.languages import ENGLISH
from dicehall.wire.shown import show_over

SHOWN = 12  # outcomes of a roll, from the best down


def show_report(report: Report, language: str = ENGLISH) -> dict[str, Any]:
    course = report.course
    refused = course.refused and {"index": course.refused[0], **show_refused(course.refused[1])}
    return {
        "game": report.game.key,
        "rules": rules_of(report.game),
        "names": list(report.names),
        "note": report.note,
        "exact": report.exact,
        "against_leader": report.by_leader,
        "trust": trust(report, language),
        "explained": explanations(report, language),
        "over": show_over(report.game, course.end),
        "refused": refused,
        "seats": [show_seat(report, seat, language) for seat in report.seats],
        "graph": [asdict(point) for point in graph(report, language)],
        "lines": [show_line(report, line, language) for line in report.lines],
    }


def show_seat(report: Report, seat: SeatReport, language: str) -> dict[str, Any]:
    numbers = {f.name: getattr(seat, f.name) for f in fields(seat) if f.name not in ("turning_points", "worst")}
    turning = [
        {
            "entry": line.moment.index,
            "before": line.before[seat.seat].value,
            "after": line.after[seat.seat].value,
            "sentence": turning_point(report, seat, line, language),
        }
        for line in seat.turning_points
    ]
    choices = costliest(report, seat, language)
    worst = [{"entry": one.entry, "loss": one.loss, "sentence": choice_line(seat, one, language)} for one in choices]
    told, yours = (seat_story(report, seat, Narrator(seat.name, you, language)) for you in (False, True))
    said: dict[str, Any] = {
        "grade": grade(seat),
        "headline": told.headline,
        "told": asdict(told),
        "yours": asdict(yours),
    }
    costly = [show_choice(report.game, seat.name, choice, language) for choice in choices]
    said["bot"] = seat.seat in bot_seats(report.course)
    return {**numbers, **said, "turning_points": turning, "worst": worst, "costliest": costly}


def show_choice(game: AnyGame, name: str, choice: CostlyChoice, language: str = ENGLISH) -> dict[str, Any]:
    codec = codec_of(type(game))
    return {
        "entry": choice.entry,
        "round": choice.round,
        "situation": choice.situation,
        "dice": [asdict(die) for die in choice.dice],
        "move": codec.encode(choice.action),
        "chosen": choice.chosen.label,
        "chance": show_estimate(choice.chance),
        "best": None if choice.better is None else codec.encode(choice.best_action),
        "better": None if choice.better is None else choice.better.label,
        "best_chance": None if choice.best_chance is None else show_estimate(choice.best_chance),
        "loss": choice.loss,
        "stderr": choice.stderr,
        "sentence": choice.sentence(Narrator(name, language=language)),
        "yours": choice.sentence(Narrator(name, True, language)),
    }


def show_line(report: Report, line: Line, language: str) -> dict[str, Any]:
    parts = {f.name: [getattr(part, f.name) for part in line.parts] for f in fields(Part)}
    return {
        "entry": line.moment.index,
        "kind": line.kind,
        "seat": line.seat,
        "sentence": moment_text(report.game, line.moment, report.names, language),
        "before": [show_estimate(chance) for chance in line.before],
        "after": [show_estimate(chance) for chance in line.after],
        **parts,
        "decision": None if line.decision is None else show_decision(report, line.decision),
    }


def show_decision(report: Report, decision: Decision) -> dict[str, Any]:
    codec = codec_of(type(report.game))
    return {
        "move": codec.encode(decision.action),
        "chance": show_estimate(decision.chosen),
        "best": None if decision.best is None else codec.encode(decision.best.action),
        "loss": decision.loss,
        "stderr": decision.stderr,
        "real": decision.real,
        "worths": [show_worth(report.game, worth) for worth in decision.worths],
    }


def show_advice(game: AnyGame, advice: Advice) -> dict[str, Any]:
    worths = [show_worth(game, worth) for worth in advice.worths]
    return {"best": codec_of(type(game)).encode(advice.best), "worths": worths, "note": advice.note}


def show_worded_advice(
    game: AnyGame, advice: Advice, view: Any, seat: Seat, names: Sequence[str], language: str = ENGLISH
) -> dict[str, Any]:
    """The same with words for the position and for every choice."""
    shown = show_advice(game, advice)
    words = [choice_text(game, view, seat, worth.action, names, language).label for worth in advice.worths]
    return {
        **shown,
        "situation": situation(game, view, seat, names, language),
        "best_words": choice_text(game, view, seat, advice.best, names, language).label,
        "worths": [{**worth, "words": said} for worth, said in zip(shown["worths"], words, strict=True)],
    }


def show_worth(game: AnyGame, worth: Worth) -> dict[str, Any]:
    return {"move": codec_of(type(game)).encode(worth.action), **show_estimate(worth.chance)}


def show_estimate(chance: Estimate) -> dict[str, float]:
    return {"chance": chance.value, "stderr": chance.stderr}


def show_odds(odds: Odds) -> dict[str, Any]:
    game = odds.game
    return {
        "game": game.key,
        "rules": rules_of(game),
        "position": write(game, odds.state, odds.seat) if form_of(game.key) else None,
        "note": odds.note,
        "seat": odds.seat,
        "chances": [show_estimate(chance) for chance in odds.chances],
        "choices": [show_worth(game, worth) for worth in odds.worths],
        "roll": None if odds.roll is None else show_roll(odds.roll),
    }


def show_roll(roll: NextRoll) -> dict[str, Any]:
    best, worst = roll.outcomes[:SHOWN], roll.outcomes[-1]
    return {
        "outcomes": len(roll.outcomes),
        "mean": roll.mean,
        "ends_turn": roll.ends_turn,
        "best": [show_outcome(outcome) for outcome in best],
        "worst": show_outcome(worst),
    }


def show_outcome(outcome: Outcome) -> dict[str, Any]:
    return {"faces": list(outcome.faces), "likely": outcome.likely, **show_estimate(outcome.chance)}
