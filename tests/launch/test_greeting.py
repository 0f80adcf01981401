"""What a hall says when it opens: its address, and a picture of it only where a phone can use that."""

from __future__ import annotations

import pytest

from dicehall.launch.listening import greet, shown_host


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_hall_that_only_this_machine_reaches_shows_no_phone_the_way_but_says_how_it_could(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    greet(f"http://{host}:8000", "hall.db")
    said = capsys.readouterr().out
    assert f"Dicehall is open at http://{host}:8000 (its store is hall.db)." in said
    assert "--host 0.0.0.0" in said
    assert "█" not in said


@pytest.mark.parametrize("url", ["http://192.168.1.7:8000", "https://example.org/dice"])
def test_a_hall_that_others_reach_shows_its_address_for_a_camera(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    greet(url, "hall.db")
    said = capsys.readouterr().out
    assert f"Dicehall is open at {url} " in said
    assert "Join from a phone:\n█" in said


def test_an_address_of_the_new_kind_stands_in_brackets() -> None:
    assert shown_host("::1") == "[::1]"
    assert shown_host("192.168.1.7") == "192.168.1.7"
