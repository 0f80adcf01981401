"""A bot plays for who is gone for a while."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.page.tables import told, two


@pytest.mark.proof
def test_a_bot_plays_for_who_wants_it_until_they_take_back_their_seat(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand")
    bea.get_by_role("button", name="Leave").click()
    bea.get_by_role("button", name="Let a bot play for me").click()
    expect(ann.get_by_text("played by a bot")).to_be_visible()
    bea.get_by_role("button", name="Take my seat back").click()
    expect(ann.get_by_text("played by a bot")).to_be_hidden()
    told(ann, "Bea is back and takes over from the bot.")
