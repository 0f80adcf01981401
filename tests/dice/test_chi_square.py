from __future__ import annotations

import json
import math
from collections import Counter

import pytest

from bench import chi_square


@pytest.mark.parametrize(
    ("a", "x", "q"),
    [
        (0.5, 1.9207294103470, 0.05),  # 3.8414588 at one degree of freedom
        (2.5, 5.5352488476105, 0.05),  # 11.0704977 at five
        (2.5, 7.5431361, 0.01),  # 15.0862725 at five
        (127.5, 146.6237, 0.05),  # 293.2478 at 255
        (1.0, 3.0, math.exp(-3)),  # two degrees of freedom have a closed form
        (1.0, 0.5, math.exp(-0.5)),
        (2.0, 14.0, 15 * math.exp(-14)),
    ],
)
def test_p_values_are_those_of_the_printed_tables(a: float, x: float, q: float) -> None:
    assert chi_square.upper_gamma(a, x) == pytest.approx(q, rel=2e-4)


def test_series_and_fraction_meet_where_one_takes_over_from_the_other() -> None:
    for a in (0.5, 2.5, 127.5, 149.5):
        scale = math.exp(a * math.log(a + 1) - (a + 1) - math.lgamma(a))
        below = 1 - scale * chi_square.series(a, a + 1)
        assert below == pytest.approx(scale * chi_square.fraction(a, a + 1), rel=1e-9)


def test_dice_that_are_even_by_hand_have_a_p_value_of_one() -> None:
    assert chi_square.p_value(Counter({1: 500, 2: 500}), 2) == 1.0


def test_the_bias_of_a_byte_modulo_six_is_found() -> None:
    """C1: without rejection four of the six faces have 43 bytes of 256 and two have 42."""
    biased = Counter(byte % 6 + 1 for byte in range(256))
    many = Counter({face: number * 39_000 for face, number in biased.items()})
    assert chi_square.p_value(many, 6) < chi_square.LEAST


def test_a_face_that_never_comes_is_found() -> None:
    assert chi_square.p_value(Counter({1: 300, 2: 300}), 3) < chi_square.LEAST


def test_a_short_run_over_sealed_dice_finds_them_even_and_says_so_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert chi_square.main(20_000, b"a fixed seed") == 0
    line = json.loads(capsys.readouterr().out)
    assert set(line["p"]) == {"2", "3", "6", "256", "300"}
    assert line["even"] is True


def test_uneven_dice_make_the_run_fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def loaded(sides: int, faces: int, seed: bytes) -> Counter[int]:
        return Counter({1: faces})

    monkeypatch.setattr(chi_square, "counted", loaded)
    assert chi_square.main(1_000, b"") == 1
    assert json.loads(capsys.readouterr().out)["even"] is False
