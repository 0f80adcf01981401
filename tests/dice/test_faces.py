from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.dice.faces import MOST_SIDES, draw, face

Draw = Callable[[bytes, bytes, Sequence[int]], tuple[int, ...]]


def dropped(values: bytes, sides: int) -> bool:
    """Whether a die reads past these bytes without taking a face from them."""
    try:
        face(iter(values), sides)
    except StopIteration:
        return True
    return False


@pytest.mark.parametrize("sides", range(1, 257))
def test_over_all_bytes_each_face_of_a_small_die_comes_equally_often(sides: int) -> None:
    """C1: exhaustive, so exact: every face has 256 // n bytes, the 256 % n bytes left over are dropped."""
    kept = [byte for byte in range(256) if not dropped(bytes([byte]), sides)]
    counts = Counter(face(iter([byte]), sides) for byte in kept)
    assert counts == dict.fromkeys(range(1, sides + 1), 256 // sides)
    assert kept == list(range(256 - 256 % sides))


@pytest.mark.parametrize("sides", [257, 300, 1000, 32_769, 65_535, 65_536])
def test_over_all_pairs_of_bytes_each_face_of_a_large_die_comes_equally_often(sides: int) -> None:
    """C1: the same with two bytes, the first of which weighs more."""
    pairs = [value.to_bytes(2, "big") for value in range(65_536)]
    counts = Counter(face(iter(pair), sides) for pair in pairs if not dropped(pair, sides))
    assert counts == dict.fromkeys(range(1, sides + 1), 65536 // sides)


def test_a_dropped_byte_is_replaced_by_the_next_one_and_not_wrapped_round() -> None:
    assert face(iter([252, 255, 251]), 6) == 251 % 6 + 1
    assert face(iter([255, 255, 0, 7]), 300) == 8


def test_a_die_of_up_to_256_sides_reads_one_byte_and_a_larger_one_two() -> None:
    bytes_ = iter([5, 1, 0, 9])
    assert [face(bytes_, 256), face(bytes_, 257), face(bytes_, 6)] == [6, 257, 4]


@settings(deadline=None, max_examples=100)
@given(
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=32, max_size=32),
    st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 100, 129, 255, 256, 257, 300, 65_536]), max_size=80),
)
def test_dice_fall_as_straight_hmac_code_says(faces_of: Draw, secret: bytes, salt: bytes, sides: list[int]) -> None:
    assert draw(secret, salt, tuple(sides)) == faces_of(secret, salt, sides)


def test_a_known_roll_stays_what_it_was() -> None:
    """Read by hand from the stream's first bytes as another program printed them: 135 57 66 177 215 74 18."""
    secret, salt = hashlib.sha256(b"secret").digest(), hashlib.sha256(b"salt").digest()
    assert draw(secret, salt, (6,) * 6) == (4, 4, 1, 4, 6, 3)
    assert draw(secret, salt, (300, 256, 5, 4, 3, 2)) == (118, 67, 3, 4, 3, 1)


def test_a_roll_of_many_dice_goes_on_into_further_blocks(faces_of: Draw) -> None:
    secret, salt, sides = bytes(32), bytes(32), (256,) * 64 + (4, 4)
    assert draw(secret, salt, sides) == faces_of(secret, salt, sides)
    assert len(set(draw(secret, salt, sides)[:32]) ^ set(draw(secret, salt, sides)[32:64])) > 0


def test_fewer_dice_are_the_beginning_of_more_dice() -> None:
    assert draw(bytes(32), b"salt", (6,) * 6)[:3] == draw(bytes(32), b"salt", (6,) * 3)


def test_no_dice_show_nothing() -> None:
    assert draw(bytes(32), b"salt", ()) == ()


@pytest.mark.parametrize("sides", [0, -1, MOST_SIDES + 1])
def test_a_die_that_cannot_be_is_refused(sides: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 65536 sides, not {sides}"):
        draw(bytes(32), b"salt", (sides,))
