from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.core.fold import fits
from dicehall.core.game import Faces
from dicehall.dice.chain import LENGTH, Chain, ChainUsedUp
from dicehall.dice.sealed import Opened, Sealed
from dicehall.dice.sources import BadScript, DiceSource, Scripted, Seeded, System

Draw = Callable[[bytes, bytes, Sequence[int]], tuple[int, ...]]

SALT = bytes(range(32))
ROLLS: list[Faces] = [(6,) * 6, (5, 4, 3, 2), (256,) * 64 + (4, 4), (), (300,)]


@pytest.mark.parametrize("source", [System(), Seeded("a text"), Sealed(Chain(bytes(32)), SALT, 0)])
def test_dice_of_every_source_fit_what_was_asked_for(source: DiceSource) -> None:
    assert all(fits(source.roll(sides), sides) for sides in ROLLS * 20)


def test_system_dice_show_every_face_and_do_not_repeat_themselves() -> None:
    """Misses a face of 2000 rolls in fewer than one run of 10^150."""
    rolled = System().roll((6,) * 2_000)
    assert set(rolled) == {1, 2, 3, 4, 5, 6}
    assert System().roll((6,) * 2_000) != rolled


def test_a_script_is_read_roll_by_roll() -> None:
    dice = Scripted([(1, 2), (3,)])
    assert [dice.roll((6, 6)), dice.roll((6,))] == [(1, 2), (3,)]


def test_a_script_that_runs_out_says_at_which_roll() -> None:
    dice = Scripted([(1,)])
    dice.roll((6,))
    with pytest.raises(BadScript, match=r"ends before roll 2 \(3 dice with 6 sides\)"):
        dice.roll((6, 6, 6))


@pytest.mark.parametrize("faces", [(1,), (1, 7), (0, 1), (1, 1, 1)])
def test_a_script_that_does_not_fit_says_what_was_asked(faces: Faces) -> None:
    with pytest.raises(BadScript, match=r"Roll 1 of the script .* does not fit 2 dice with 6 sides"):
        Scripted([faces]).roll((6, 6))


def test_the_same_text_gives_the_same_game_and_another_text_another() -> None:
    def game(text: str) -> list[Faces]:
        dice = Seeded(text)
        return [dice.roll((6,) * 6) for _ in range(50)]

    assert game("ann's game") == game("ann's game") != game("bo's game")
    assert len(set(game("ann's game"))) > 45  # the rolls differ among themselves too


def test_any_text_can_seed_dice_even_half_a_character() -> None:
    assert Seeded("\udcff").roll((6,) * 9) != Seeded("").roll((6,) * 9)


def test_what_was_rolled_before_does_not_change_the_next_seeded_roll() -> None:
    one, other = Seeded("text"), Seeded("text")
    one.roll((6,))
    other.roll((256,) * 66)
    assert one.roll((6,) * 6) == other.roll((6,) * 6)


@pytest.mark.parametrize("number", [1, 2, 127, 128, 129, 255, 256, 16_383, 16_384])
def test_sealed_dice_are_those_of_the_next_number_with_its_secret(
    secrets: list[bytes], faces_of: Draw, number: int
) -> None:
    opened = Sealed(Chain(secrets[-1]), SALT, stored=number - 1).open((6,) * 6)
    assert opened == Opened(faces_of(secrets[number], SALT, (6,) * 6), secrets[number].hex())


@settings(deadline=None, max_examples=50)
@given(
    st.integers(0, LENGTH - 4),
    st.lists(st.tuples(st.integers(0, LENGTH - 1), st.sampled_from(ROLLS)), max_size=3),
    st.sampled_from(ROLLS),
)
def test_a_sealed_roll_depends_on_its_number_only_and_not_on_what_was_drawn_before(
    secrets: list[bytes], faces_of: Draw, stored: int, drawn: list[tuple[int, Faces]], sides: Faces
) -> None:
    chain = Chain(secrets[-1])
    for other, asked in drawn:
        Sealed(chain, SALT, other).roll(asked)
    assert Sealed(chain, SALT, stored).roll(sides) == faces_of(secrets[stored + 1], SALT, sides)


def test_dice_that_were_not_stored_fall_the_same_way_again(secrets: list[bytes]) -> None:
    chain = Chain(secrets[-1])
    lost = Sealed(chain, SALT, stored=7).open((6,) * 6)
    after_a_crash = Sealed(Chain(secrets[-1]), SALT, stored=7).open((6,) * 6)
    assert lost == Sealed(chain, SALT, stored=7).open((6,) * 6) == after_a_crash


def test_two_rolls_of_one_act_have_numbers_in_a_row(secrets: list[bytes]) -> None:
    dice = Sealed(Chain(secrets[-1]), SALT, stored=3)
    assert [dice.open((6,)).secret, dice.open((6,)).secret] == [secrets[4].hex(), secrets[5].hex()]


def test_dice_refused_for_their_sides_use_up_no_number(secrets: list[bytes]) -> None:
    dice = Sealed(Chain(secrets[-1]), SALT, stored=0)
    with pytest.raises(ValueError, match="sides"):
        dice.roll((0,))
    assert dice.open((6,)).secret == secrets[1].hex()


def test_a_table_that_rolled_16384_times_has_no_sealed_dice_left(secrets: list[bytes]) -> None:
    with pytest.raises(ChainUsedUp):
        Sealed(Chain(secrets[-1]), SALT, stored=LENGTH).roll((6,))
