"""Whole numbers on the command line, as people type them."""

from __future__ import annotations

import pytest

from dicehall.launch.numbers import HUGE, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("500", 500), ("1_000_000", 1_000_000), ("1e6", 1_000_000), ("1.5e3", 1500), (" 7 ", 7), ("3.0", 3)],
        *[("-5", -5), ("+5", 5), ("0", 0), ("00", 0)],
        *[
            ("1.5", None),
            ("x", None),
            ("", None),
            ("-", None),
            ("1e-3", None),
            ("١", None),
            ("nan", None),
            ("_1", None),
        ],
        *[("1e999", HUGE), ("-1e999", -HUGE), ("9" * 5000, HUGE), ("-" + "9" * 5000, -HUGE)],
    ],
)
def test_a_number_is_read_or_known_to_be_none(text: str, number: int | None) -> None:
    assert whole_number(text) == number
