"""A race solved in tiles: the same table, in every bit, as in one sweep."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from dicehall.core.house import with_rules
from dicehall.games import catalogue
from dicehall.lab.cluster import shape_of
from dicehall.solvers.shape import Shape
from dicehall.solvers.solving import Chances, solve
from dicehall.solvers.tiles import Solved, Tile, Tiling, put, solve_tile


def shape(game: str, **rules: int) -> Shape:
    found: Any = shape_of(with_rules(catalogue()[game], rules))
    assert isinstance(found, Shape)
    return found


def solved_in_tiles(shape: Shape, across: int) -> Chances:
    tiling, done = Tiling.of(shape, across), dict[Tile, Solved]()
    for tile in tiling.in_order():
        done[tile] = solve_tile(shape, tiling, tile, [done[needed] for needed in tiling.needs(tile)])
    table = array("d", bytes(8 * tiling.size**2))
    for one in done.values():
        put(table, tiling, one)
    return table


@pytest.mark.parametrize("across", [1, 3, 30])
def test_tiles_of_any_size_give_the_same_table(across: int) -> None:
    wards = shape("wards", goal=30)
    assert solved_in_tiles(wards, across) == solve(wards)


def test_a_game_that_counts_by_a_table_of_scores_is_solved_in_tiles() -> None:
    farkle = shape("tenthousand", goal=1500)
    assert solved_in_tiles(farkle, 4) == solve(farkle)


def test_every_pair_is_in_exactly_one_tile() -> None:
    tiling = Tiling(17, 5)
    places = [place for tile in tiling.in_order() for place in set(tiling.places(tile))]
    assert sorted(places) == list(range(17 * 17))


def test_a_tile_comes_after_all_that_it_needs() -> None:
    tiling, seen = Tiling(17, 5), set[Tile]()
    for tile in tiling.in_order():
        assert set(tiling.needs(tile)) <= seen
        seen.add(tile)


@pytest.mark.proof
def test_a_tile_without_what_it_needs_comes_out_different() -> None:
    """So that a missing dependency would be seen by the comparison above."""
    wards = shape("wards", goal=30)
    tiling = Tiling.of(wards, 3)
    last = tiling.in_order()[-1]
    assert (
        solve_tile(wards, tiling, last, []).chances
        != array("d", [solve(wards)[at] for at in tiling.places(last)]).tobytes()
    )
