"""Without an attack the honest players are served: what every attack is measured against."""

from __future__ import annotations

from tests.security.live import LiveHall


def test_honest_players_are_answered_in_peace(hall: LiveHall) -> None:
    """The control of every attack on availability."""
    honest = hall.honest_pair()
    answers = [honest.act() for _ in range(20)]
    assert all("ok" in answer for answer in answers)
