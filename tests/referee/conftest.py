"""Two people, and a referee that is driven by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.nostr.events import Event
from dicehall.referee.store import Store
from tests.referee.people import Court, Person


@pytest.fixture
def ann() -> Person:
    return Person.called("Ann")


@pytest.fixture
def bea() -> Person:
    return Person.called("Bea", league=3)


@pytest.fixture
def court(tmp_path: Path, ann: Person, bea: Person) -> Court:
    court = Court(Store(tmp_path / "referee.db"))
    court.know(ann, bea)
    return court


@pytest.fixture
def opened(court: Court, ann: Person, bea: Person) -> Event:
    """A match that was accepted; its challenge."""
    challenge = ann.challenge(bea)
    court.send(challenge, bea.accept(challenge))
    return challenge
