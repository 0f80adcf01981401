"""The screens of Mana over Nostr: the bot's matches, one of each kind, and a hall without a bot."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.browsers import Visitors
from tests.page.halls import PageHall
from tests.server.bot_answers import all_answers
from tools.scenes_hall import newcomer

Scene = Callable[[Visitors, PageHall, dict[str, Any]], Page]


def watched(path: str) -> Scene:
    """An address in a hall whose bot has four matches, with two minutes left in the live one."""

    def look(people: Visitors, hall: PageHall, more: dict[str, Any]) -> Page:
        said = all_answers()
        said["/match/friday-night"]["timeout_at"] = int(time.time()) + 121
        hall.follow_bot(said)
        page = people.page(path, **more)
        expect(page.get_by_text("Asking the bot")).to_be_hidden()
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        return page

    return look


SCENES: dict[str, Scene] = {
    "matches": watched("/mana"),
    "match-live": watched("/mana/friday-night"),
    "match-won": watched("/mana/won-with-loot"),
    "match-abandoned": watched("/mana/nobody-came"),
    "match-draw": watched("/mana/a-draw"),
    "matches-no-bot": newcomer("/mana"),
}
