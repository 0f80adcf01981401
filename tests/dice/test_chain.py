from __future__ import annotations

import tracemalloc
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.dice.chain import LENGTH, STRETCH, Chain, ChainUsedUp


def test_every_secret_is_the_one_that_hashing_down_from_the_last_gives(secrets: list[bytes]) -> None:
    chain = Chain(secrets[-1])
    assert [chain.secret(i) for i in range(LENGTH + 1)] == secrets


def test_every_secret_hashes_to_the_one_before_and_the_first_to_the_seal(secrets: list[bytes]) -> None:
    chain = Chain(secrets[-1])
    assert sha256(chain.secret(1)).hexdigest() == chain.seal
    assert all(sha256(chain.secret(i)).digest() == chain.secret(i - 1) for i in range(1, LENGTH + 1))


def test_the_seal_is_16384_hashes_below_the_last_secret(secrets: list[bytes]) -> None:
    hashed = secrets[-1]
    for _ in range(16_384):
        hashed = sha256(hashed).digest()
    assert Chain(secrets[-1]).seal == hashed.hex()


EDGES = [0, 1, STRETCH - 1, STRETCH, STRETCH + 1, LENGTH - STRETCH, LENGTH - 1, LENGTH]
numbers = st.one_of(st.sampled_from(EDGES), st.integers(0, LENGTH))


@settings(deadline=None, max_examples=50)
@given(st.lists(numbers, min_size=1, max_size=8))
def test_a_secret_depends_on_its_number_only_and_not_on_what_was_asked_before(
    secrets: list[bytes], asked: list[int]
) -> None:
    chain = Chain(secrets[-1])
    assert [chain.secret(i) for i in asked] == [secrets[i] for i in asked]


def test_the_last_roll_is_number_16384_and_one_more_is_refused_clearly(secrets: list[bytes]) -> None:
    chain = Chain(secrets[-1])
    assert chain.secret(16_384) == secrets[-1]
    with pytest.raises(ChainUsedUp, match="Roll 16385 is beyond the 16384 rolls"):
        chain.secret(16_385)


def test_there_is_no_roll_below_zero(secrets: list[bytes]) -> None:
    with pytest.raises(ValueError, match="no roll -1"):
        Chain(secrets[-1]).secret(-1)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_last_secret_of_another_size_than_32_bytes_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {size}"):
        Chain(bytes(size))


def test_a_chain_in_use_keeps_less_than_ten_kilobytes_and_a_fresh_one_less_than_one(secrets: list[bytes]) -> None:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        chain = Chain(secrets[-1])
        fresh, _ = tracemalloc.get_traced_memory()
        assert chain.seal
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert fresh - before < 1_000
    assert used - before < 10_000


def test_a_printed_chain_does_not_tell_its_secrets(secrets: list[bytes]) -> None:
    chain = Chain(secrets[-1])
    chain.secret(5)
    assert secrets[-1].hex() not in repr(chain)
    assert repr(secrets[-1]) not in repr(chain)
