"""Ratings: openskill's own examples, games of many, and how long it takes to tell two apart."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from openskill.models import PlackettLuce

from dicehall.hall.cards import Result
from dicehall.hall.ratings import Ratings, Skill, after_game, chance, changes_of, error, games_to_tell_apart, points
from dicehall.table.ports import Uncertain


class LostStore:
    """Its database goes away after the first games are folded in."""

    def __init__(self) -> None:
        self.folded = 0

    async def fold(self, most: int) -> int:
        self.folded += 1
        if self.folded > 1:
            raise Uncertain("The connection was lost.")
        return most


def test_a_database_that_goes_away_ends_the_folding_quietly_and_the_rest_is_left_to_readers() -> None:
    store: Any = LostStore()
    asyncio.run(Ratings(store).fold_all())
    assert store.folded == 2


def result(seat: int, place: int, account: str | None = None, bot: str | None = None) -> Result:
    return Result(seat, account or "Bot", account, bot, place, place == 1, 0)


def test_a_first_game_of_two_changes_as_openskill_says() -> None:
    winner, loser = after_game([Skill(), Skill()], [1, 2])
    assert (winner.mu, winner.sigma) == pytest.approx((27.63523138347365, 8.065506316323548), abs=1e-3)
    assert (loser.mu, loser.sigma) == pytest.approx((22.36476861652635, 8.065506316323548), abs=1e-3)
    model = PlackettLuce()
    ours = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    assert [one.mu for (one,) in ours] == [winner.mu, loser.mu]


@pytest.mark.parametrize("places", [[1, 2, 3], [3, 1, 2], [1, 1, 3], [1, 2, 2, 4], [2, 1, 4, 3, 5, 6]])
def test_games_of_many_with_ties_change_as_openskill_says(places: list[int]) -> None:
    skills = [Skill(25 + number, 8 - number) for number in range(len(places))]
    model = PlackettLuce()
    theirs = model.rate([[model.rating(mu=s.mu, sigma=s.sigma)] for s in skills], ranks=list(map(float, places)))
    assert after_game(skills, places) == [Skill(one.mu, one.sigma) for (one,) in theirs]


def test_equals_who_tie_keep_their_rating_and_are_known_better() -> None:
    first, second = after_game([Skill(), Skill()], [1, 1])
    assert first.mu == pytest.approx(25)
    assert second.mu == pytest.approx(25)
    assert first.sigma < 25 / 3


def test_several_bots_of_a_level_are_one_player_who_played_once() -> None:
    results = [result(0, 1, "ann"), *(result(seat, seat + 1, bot="greedy") for seat in range(1, 5))]
    changes = {change.who: change for change in changes_of(results, {})}
    assert set(changes) == {"ann", "bot:greedy"}
    assert changes["ann"].after.mu > 25 > changes["bot:greedy"].after.mu
    assert not changes_of([result(0, 1, bot="good"), result(1, 2, bot="good")], {})
    assert not changes_of([], {})


def test_a_new_rating_is_1500_with_a_large_error() -> None:
    assert (points(Skill()), error(Skill())) == (1500, 491)
    assert chance(Skill(), Skill()) == 0.5
    tenfold = Skill(25 + 400 / 29.4821, 0)
    assert points(tenfold) == 1900
    assert chance(tenfold, Skill(25, 0)) == pytest.approx(10 / 11, abs=1e-4)
    assert 0.5 < chance(tenfold, Skill()) < 10 / 11  # of whom little is known


@pytest.mark.parametrize(("win", "games"), [(0.55, 268), (0.6, 65), (0.75, 9), (0.99, 1), (0.5, None), (0.50001, None)])
def test_how_many_games_tell_two_apart(win: float, games: int | None) -> None:
    assert games_to_tell_apart(win) == games
    assert games_to_tell_apart(1 - win) == games


@pytest.mark.parametrize("win", [0.55, 0.6, 0.7])
def test_after_so_many_games_the_stronger_one_leads_in_95_of_100_matches(win: float) -> None:
    random, games = Random(80), games_to_tell_apart(win)
    assert games is not None
    leads = sum(2 * sum(random.random() < win for _ in range(games)) > games for _ in range(2000))
    assert leads / 2000 == pytest.approx(0.95, abs=0.035)  # the normal distribution is a little off for few games


def league(random: Random, strengths: list[float], games: int) -> list[Skill]:
    """Players of known strength in games of two to four; whoever draws the luckiest day is first (Plackett-Luce)."""
    skills = [Skill() for _ in strengths]
    for _ in range(games):
        seats = random.sample(range(len(strengths)), random.randint(2, min(4, len(strengths))))
        days = {seat: random.expovariate(10 ** (strengths[seat] / 400)) for seat in seats}
        order = sorted(seats, key=lambda seat: days[seat])
        after = after_game([skills[seat] for seat in seats], [order.index(seat) + 1 for seat in seats])
        for seat, skill in zip(seats, after, strict=True):
            skills[seat] = skill
    return skills


def test_ratings_find_the_true_strengths_within_the_error_they_state() -> None:
    """60 leagues of 200 games: a true difference of 100 points lies within the stated errors in 9 of 10 of them."""
    random, within, ordered = Random(18), 0, 0
    for _ in range(60):
        weak, _, strong = league(random, [0, 50, 100], 200)
        stated = (error(weak) ** 2 + error(strong) ** 2) ** 0.5
        within += abs(points(strong) - points(weak) - 100) <= stated
        ordered += points(strong) > points(weak)
    assert within >= 54
    assert ordered >= 54
