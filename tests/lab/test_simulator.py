"""The simulator: tables and rules play the same game, and the numbers are right."""

from __future__ import annotations

import os
from collections import defaultdict
from fractions import Fraction
from math import sqrt
from multiprocessing import active_children
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.bots.levels import Bot, bots_for
from dicehall.core.fold import play
from dicehall.core.game import Dice, Move, Over, Roll, Seat
from dicehall.games import catalogue
from dicehall.games.aetharn.rules import Aetharn
from dicehall.games.wards.rules import State, Wards
from dicehall.lab.simulated import rates
from dicehall.lab.simulating import LIMIT, Endless, Tally, measure, play_out
from dicehall.lab.simulating_fast import CompiledTurns, Stopped
from dicehall.lab.simulating_turns import WON
from dicehall.lab.simulating_watched import Scores, Untold
from dicehall.lab.simulator import ByRules, Job, by_turns, simulate
from tests.lab import strange
from tests.piglet import GAME as PIGLET

TABULATED: list[Bot] = [strange.own_score, strange.both_scores]
UNTOLD: list[Bot] = [strange.last_roll, strange.whole_view, strange.chancy, strange.never_holds]


def turn_by_the_rules(game: Wards, bot: Bot, scores: tuple[int, int], seat: Seat) -> dict[int, Fraction]:
    """What a turn brings, by stepping through the rules from every state, with nothing kept and nothing merged."""
    brought: dict[int, Fraction] = defaultdict(Fraction)
    open_states = [(State(scores, seat), Fraction(1))]
    while open_states:
        state, likely = open_states.pop()
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            brought[WON] += likely
        elif isinstance(awaited, Dice):
            for face in range(1, 7):
                open_states.append((play(game, state, Roll((face,))).state, likely / 6))
        elif state.seat != seat:
            brought[state.scores[seat] - scores[seat]] += likely
        else:
            action = bot(game.view(state, seat), seat, game.choices(state, seat), Random(1))
            open_states.append((play(game, state, Move(seat, action)).state, likely))
    return brought


@pytest.mark.parametrize("bot", TABULATED, ids=lambda bot: bot.__name__)
@pytest.mark.parametrize("scores", [(0, 0), (4, 15), (17, 2), (19, 19)])
@pytest.mark.parametrize("seat", [Seat(0), Seat(1)])
def test_a_row_holds_what_a_turn_by_the_rules_brings(bot: Bot, scores: tuple[int, int], seat: Seat) -> None:
    game = Wards(goal=20)
    rows = by_turns(Job(game, (bot, bot), 1, "")).rows[seat]
    row = rows[scores[seat] * rows.size + scores[1 - seat]]
    wanted = turn_by_the_rules(game, bot, scores, seat)
    bounds = [0.0, *row.bounds, 1.0]
    found = {gain: above - below for gain, below, above in zip(row.gains, bounds[:-1], bounds[1:], strict=True)}
    assert found == pytest.approx({gain: float(likely) for gain, likely in wanted.items()}, abs=1e-12)


@pytest.mark.proof
@pytest.mark.parametrize("bot", TABULATED, ids=lambda bot: bot.__name__)
def test_compiled_tables_play_the_very_same_games(bot: Bot) -> None:
    pytest.importorskip("numba")
    tables = by_turns(Job(Wards(), (bot, strange.own_score), 3000, ""))
    assert CompiledTurns(tables).play(3000, Random("x")) == tables.play(3000, Random("x"))


def test_tables_and_rules_agree_within_three_standard_errors() -> None:
    job = Job(Wards(goal=50), ("good", "greedy"), 1500, "fixed")
    by_rules = ByRules(job.game, job.players).play(job.games, Random("rules"))
    by_tables = by_turns(job).play(40 * job.games, Random("tables"))
    rate, other = rates(by_rules)[0], rates(by_tables)[0]
    assert abs(rate.value - other.value) < 3 * sqrt(rate.stderr**2 + other.stderr**2)
    for count in (turns_of, rolls_of, comebacks_of):
        assert count(by_rules) == pytest.approx(count(by_tables), rel=0.1)


def turns_of(tally: Tally) -> float:
    return sum(turns * games for turns, games in tally.turns.items()) / tally.games


def rolls_of(tally: Tally) -> float:
    return tally.rolls / tally.games


def comebacks_of(tally: Tally) -> float:
    return tally.comebacks / tally.games


@pytest.mark.parametrize(
    ("level", "games", "exact"),
    [
        ("greedy", 60_000, 0.5347),  # hold at 20 or goal, against itself: Neller's page
        ("exact", 1000, 0.5305927),  # Neller and Presser, 2004
        pytest.param("greedy", 1_000_000, 0.5347, marks=pytest.mark.proof),
        pytest.param("exact", 1_000_000, 0.5305927, marks=pytest.mark.proof),
    ],
)
def test_the_first_seat_wins_as_often_as_it_should(level: str, games: int, exact: float) -> None:
    found = simulate(Job(Wards(), (level, level), games, "fixed"), workers=1)
    assert found.way in ("tables", "compiled tables")
    rate = rates(found.tally)[0]
    assert abs(rate.value - exact) < 3 * rate.stderr


@pytest.mark.parametrize("bot", UNTOLD, ids=lambda bot: bot.__name__)
def test_a_bot_that_looks_at_more_than_the_tables_hold_is_noticed(bot: Bot) -> None:
    with pytest.raises(Untold):
        by_turns(Job(Wards(), (strange.own_score, bot), 1, "")).play(50, Random(1))


@pytest.mark.parametrize("bot", [strange.chancy, strange.last_roll_near_the_end], ids=lambda bot: bot.__name__)
def test_such_a_bot_is_played_by_the_rules_from_the_first_game_on(bot: Bot) -> None:
    job = Job(Wards(), (bot, strange.own_score), 60, "s")
    found = simulate(job, workers=1)
    assert found.way == "rules"
    wanted = ByRules(job.game, job.players).play(50, Random("s:0"))
    wanted.add(ByRules(job.game, job.players).play(10, Random("s:1")))
    assert found.tally == wanted


def test_scores_know_whose_were_read() -> None:
    readings: list[tuple[Any, set[int]]] = [
        (lambda scores: scores[1], {1}),
        (lambda scores: scores[-1], {1}),
        (lambda scores: len(scores), set()),
        (lambda scores: scores[:1], {0, 1}),
        (max, {0, 1}),
        (tuple, {0, 1}),
        (hash, {0, 1}),
        (lambda scores: [*scores], {0, 1}),
        (lambda scores: 7 in scores, {0, 1}),
        (lambda scores: scores == (3, 4), {0, 1}),
        (lambda scores: dict(enumerate(scores)), {0, 1}),
    ]
    for reading, wanted in readings:
        scores = Scores.of((3, 4))
        assert reading(scores) == reading((3, 4))
        assert scores.read == wanted


@pytest.mark.parametrize("bots", [("greedy", "greedy"), ("random", "greedy")])
def test_the_same_seed_gives_the_same_numbers_for_any_number_of_workers(
    bots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dicehall.lab.simulator.PATIENCE", 0.0)  # so that other processes are really asked
    job = Job(Wards(goal=30), bots, 130 if "random" in bots else 25_000, "seed")
    alone, shared = simulate(job, workers=1), simulate(job, workers=2)
    assert alone.tally == shared.tally
    assert alone.tally.games == job.games
    assert alone.tally != simulate(Job(job.game, bots, job.games, "another"), workers=1).tally


class Interrupted(Exception):
    """What the person at the keyboard does."""


def test_an_interrupted_run_does_not_wait_for_workers_that_are_at_a_long_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots think for ever, so that the test ends only if their processes are ended."""
    monkeypatch.setattr("dicehall.lab.simulator.PATIENCE", 0.0)
    monkeypatch.setattr("dicehall.lab.simulator.BATCH", {"rules": 1, "tables": 1})
    monkeypatch.setattr("dicehall.lab.simulator.wait", interrupting)
    monkeypatch.setenv(strange.NOTE, str(tmp_path / "thinking"))
    with pytest.raises(Interrupted):
        simulate(Job(Aetharn(), (strange.thinks_for_ever,) * 2, 10, "s"), workers=2)
    assert not active_children()


def interrupting(*given: Any, **more: Any) -> None:
    while not Path(os.environ[strange.NOTE]).exists():
        pass
    raise Interrupted


def test_threads_that_fill_tables_give_up_when_nobody_wants_their_games() -> None:
    pytest.importorskip("numba")
    turns = CompiledTurns(by_turns(Job(Wards(), (strange.own_score, strange.own_score), 3000, "")))
    turns.stop()
    with pytest.raises(Stopped):
        turns.play(3000, Random("x"))


@pytest.mark.proof
def test_compiled_threads_give_what_one_process_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    job = Job(Wards(goal=40), ("good", "greedy"), 30_000, "seed")
    plain = simulate(job, workers=1)
    monkeypatch.setattr("dicehall.lab.simulator.ENOUGH", 1)
    fast = simulate(job, workers=3)
    assert (plain.way, fast.way) == ("tables", "compiled tables")
    assert plain.tally == fast.tally


@pytest.mark.parametrize("key", [*catalogue(), "piglet"])
def test_every_game_is_simulated_by_its_rules(key: str) -> None:
    quick = {"aetharn": {"goal": 1000}, "tenthousand": {"goal": 1500}, "wards": {"goal": 30}}.get(key, {})
    kind: Any = {**catalogue(), "piglet": PIGLET}[key]
    game = kind(**quick)
    bots = bots_for(game)
    tally = Tally.empty(kind.seats[0])
    for seed in range(8):
        tally.count(play_out(game, [bots[list(bots)[min(1, len(bots) - 1)]]] * kind.seats[0], Random(seed)))
    assert tally.games == 8
    assert sum(tally.wins) == pytest.approx(8)
    assert sum(tally.turns.values()) == 8
    assert tally.led == (0 if key == "mana" else 8)


def test_turns_rolls_and_comebacks_are_counted_as_they_are_defined() -> None:
    """Seat 0 leads by 10, seat 1 then holds 12: in a race to 12 a comeback, for a quarter of the goal is 3."""
    plans = [["roll", "roll", "hold", "roll"], ["roll", "roll", "roll", "hold"]]
    faces = iter([5, 5, 1, 1, 6, 6])

    def follows(view: Any, me: Seat, choices: Any, chance: Random) -> Any:
        return choices[choices.index(plans[me].pop(0))]

    class Scripted(Random):
        def random(self) -> float:
            return (next(faces) - 1) / 6 + 0.01

    played = play_out(Wards(goal=12), [follows, follows], Scripted(0))
    assert (played.over.winner, played.first, played.turns, played.rolls, played.comeback) == (1, 0, 4, 6, True)


def test_how_far_behind_is_a_comeback_depends_on_the_game() -> None:
    told = {key: measure(game(), game.seats[0]) for key, game in catalogue().items()}
    assert told == {
        "wards": ("scores", 25),
        "aetharn": ("scores", 1250),
        "tenthousand": ("scores", 2500),
        "doordice": ("vp", 5),
        "mana": ("wins", 1),
    }


def test_bots_that_never_finish_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LIMIT > 100_000
    monkeypatch.setattr("dicehall.lab.simulating.LIMIT", 500)
    with pytest.raises(Endless, match="these bots never finish it"):
        play_out(Wards(), [strange.never_holds] * 2, Random(1))
