"""The two tables: every face of the living and of the fallen."""

from __future__ import annotations

import pytest

from dicehall.games.doordice.effects import ALIVE, FALLEN
from dicehall.games.doordice.events import EffectDone, Fell, Rolled
from tests.games.doordice.playing import GAME, Table

HP = (10, 10, 10, 10, 10)
VP = (5, 5, 5, 5, 5)
SEAT_0_FELL = (0, 10, 10, 10, 10)

# face, effect, target, then HP and VP of seat 0 and of seat 1 after it
LIVING = [
    (1, None, None, (7, 10), (5, 5)),
    (2, "jab", 1, (10, 8), (5, 5)),
    (3, "pickpocket", 1, (10, 10), (6, 4)),
    (4, "strike", 1, (10, 6), (5, 5)),
    (5, None, None, (13, 10), (5, 5)),
    (6, "power_damage", 1, (10, 4), (5, 5)),
    (6, "power_vp", None, (10, 10), (8, 5)),
]
HAUNTING = [
    (1, None, None, 10, 5),
    (2, None, None, 10, 5),
    (3, "give_hp", 1, 12, 5),
    (3, "give_vp", 1, 10, 6),
    (4, "give_hp", 1, 12, 5),
    (4, "give_vp", 1, 10, 6),
    (5, "take_hp", 1, 8, 5),
    (5, "take_vp", 1, 10, 4),
    (6, "take_hp", 1, 8, 5),
    (6, "take_vp", 1, 10, 4),
]


@pytest.mark.parametrize(("face", "effect", "target", "hp", "vp"), LIVING)
def test_what_a_face_does_for_the_living(
    face: int, effect: str | None, target: int | None, hp: tuple[int, int], vp: tuple[int, int]
) -> None:
    """D2."""
    table = Table(hp=HP, vp=VP).turn(face, effect, target)
    assert table.state.hp == (*hp, 10, 10, 10)
    assert table.state.vp == (*vp, 5, 5, 5)
    assert table.seat == 1


@pytest.mark.parametrize(("face", "effect", "target", "hp", "vp"), HAUNTING)
def test_what_a_face_does_for_the_fallen(face: int, effect: str | None, target: int | None, hp: int, vp: int) -> None:
    """D3."""
    table = Table(hp=SEAT_0_FELL, vp=VP).turn(face, effect, target)
    assert table.state.hp == (0, hp, 10, 10, 10)
    assert table.state.vp == (5, vp, 5, 5, 5)
    assert table.seat == 1


def test_every_face_of_both_tables_is_tried_above() -> None:
    for table, rows in ((ALIVE, LIVING), (FALLEN, HAUNTING)):
        tried = {(row[0], row[1]) for row in rows}
        faces = {(face, effect.name) for face, row in enumerate(table, 1) for effect in row}
        assert {(face, name) for face, name in faces if name not in ("backfire", "recover", "void")} <= tried
        assert {face for face, _ in tried} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize(("face", "name"), [(1, "backfire"), (5, "recover")])
def test_some_faces_resolve_themselves(face: int, name: str) -> None:
    """C7: backfire and recover leave nothing to choose."""
    table = Table(hp=HP).turn(face)
    assert table.only(EffectDone).effect == name
    assert table.seat == 1


def test_the_void_resolves_itself() -> None:
    """C7."""
    table = Table(hp=SEAT_0_FELL).turn(2)
    assert table.only(EffectDone).effect == "void"
    assert table.all(Fell) == []  # nobody falls twice
    assert table.seat == 1


def test_a_choice_shows_the_face_its_effects_and_the_targets() -> None:
    table = Table().turn(6)
    view = GAME.view(table.state, None)
    assert (view.face, view.effects, view.targets) == (6, ("power_damage", "power_vp"), (1, 2, 3, 4))


def test_no_choice_shows_no_face() -> None:
    for table in (Table(), Table().turn(5), Table().turn(2, "jab", 1)):
        view = GAME.view(table.state, None)
        assert (view.face, view.effects, view.targets) == (None, (), ())


@pytest.mark.parametrize(("hp", "after", "change"), [(16, 19, 3), (17, 20, 3), (18, 20, 2), (20, 20, 0)])
def test_recover_stops_at_the_cap(hp: int, after: int, change: int) -> None:
    """D10."""
    table = Table(hp=(hp, 10, 10, 10, 10)).turn(5)
    assert table.state.hp[0] == after
    done = table.only(EffectDone)
    assert (done.hp_change, done.hp, done.without_effect) == (change, after, change == 0)


@pytest.mark.parametrize(("hp", "after"), [(17, 19), (19, 20), (20, 20)])
def test_a_good_haunt_stops_at_the_cap(hp: int, after: int) -> None:
    """D10."""
    table = Table(hp=(0, hp, 10, 10, 10)).turn(3, "give_hp", 1)
    assert table.state.hp[1] == after
    assert table.only(EffectDone).hp_change == after - hp


def test_stealing_from_nothing_is_allowed_and_gains_nothing() -> None:
    """D7."""
    table = Table(vp=(1, 0, 0, 0, 0)).turn(3, "pickpocket", 1)
    assert table.state.vp == (1, 0, 0, 0, 0)
    done = table.only(EffectDone)
    assert (done.stolen, done.vp_change, done.without_effect) == (0, 0, True)


def test_a_bad_haunt_at_no_points_is_without_effect() -> None:
    """D7."""
    table = Table(hp=SEAT_0_FELL).turn(5, "take_vp", 2)
    assert table.state.vp == (0, 0, 0, 0, 0)
    assert table.only(EffectDone).without_effect


def test_a_theft_is_told_with_what_moved() -> None:
    done = Table(vp=(0, 4, 0, 0, 0)).turn(3, "pickpocket", 1).only(EffectDone)
    assert done == EffectDone(done.seat, "pickpocket", done.target, 0, -1, 20, 3, 1, False)
    assert (done.seat, done.target) == (0, 1)


def test_a_roll_says_which_table_it_is_read_on() -> None:
    assert Table().turn(5).only(Rolled).alive
    assert not Table(hp=SEAT_0_FELL).turn(1).only(Rolled).alive
