"""Mana over Nostr on the page: matches, live and finished, every event with its link; and a hall without a bot."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dicehall.launch import mana_bot
from dicehall.nostr.keys import parse_note
from tests.page.browsers import DESK, PHONE, Visitors, axe
from tests.page.halls import PageHall
from tests.page.tables import go, no_sideways
from tests.server.bot_answers import MatchAnswer, abandoned, all_answers, answers, finished, live, won_by


def event_ids(match: MatchAnswer) -> set[str]:
    """Every event that the answer names, whoever sent it."""
    answer = match.answer
    named = [answer["challenge_event_id"], answer["acceptance_event_id"]]
    listed = (one for key in ("commitments", "reveals", "rounds", "events", "verifications") for one in answer[key])
    return {id for id in (*named, *(one["event_id"] for one in listed)) if id is not None}


def note_links(page: Page) -> list[str]:
    """The events that the page links to, by their ids."""
    hrefs = page.get_by_role("region", name="Events").locator("a").evaluate_all("links => links.map(one => one.href)")
    return [parse_note(href.removeprefix("nostr:")) for href in hrefs]


def test_matches_are_listed_and_a_live_one_is_followed_without_a_reload(
    people: Visitors, hall: PageHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mana_bot, "FRESH_S", 0.0)
    bot = hall.follow_bot(all_answers())
    page = people.page("/")
    page.clock.install()
    page.get_by_role("contentinfo").get_by_role("link", name="Mana matches on Nostr").click()
    expect(page.get_by_role("region", name="Live").get_by_role("listitem")).to_have_count(1)
    finished_list = page.get_by_role("region", name="Finished")
    for words in ("won 3-0", "Abandoned", "Draw, 2-2"):
        expect(finished_list.get_by_text(words)).to_be_visible()
    referee = page.get_by_role("region", name="The referee")
    expect(referee.get_by_text("ws://127.0.0.1:7777: not connected (connection refused)")).to_be_visible()
    page.get_by_role("link", name="friday-night").click()
    score = page.get_by_role("region", name="Score")
    expect(score.get_by_role("status").first).to_contain_text(re.compile("Round 2: waiting for npub1.+ to commit"))
    expect(score.get_by_role("timer")).to_be_visible()
    board = page.get_by_role("region", name="The board")
    expect(board.get_by_role("img", name=re.compile("has picked"))).to_be_visible()
    expect(board.get_by_role("img", name=re.compile("unit [1-8]: attack"))).to_have_count(16)
    match = live()
    match.answer["commitments"].pop()
    match.play(2, 3)
    bot.said |= answers(match)
    page.clock.run_for(2_000)
    expect(page.get_by_role("region", name="Rounds").first.get_by_role("row")).to_have_count(3)
    expect(score.get_by_role("status").first).to_contain_text("Round 3: waiting for")


def test_every_event_of_a_finished_match_is_linked_and_its_id_can_be_copied_with_the_keyboard(
    people: Visitors, hall: PageHall
) -> None:
    hall.follow_bot(all_answers())
    page = people.page("/mana/won-with-loot", permissions=["clipboard-read", "clipboard-write"])
    expect(page.get_by_text("wins 3-0.")).to_be_visible()
    expect(page.get_by_text("100 loot, paid.")).to_be_visible()
    expect(page.get_by_text("✗ Not valid").locator("..")).to_contain_text("The token is of another match.")
    links = note_links(page)
    assert len(links) == len(set(links))
    assert set(links) == event_ids(finished())
    copy = page.get_by_role("button", name="Copy the id of match result")
    copy.focus()
    page.keyboard.press("Enter")
    expect(copy.locator("..").get_by_role("alert")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == next(one["event_id"] for one in finished().answer["events"] if one["name"] == "match_result")
    player = page.get_by_role("region", name="Score").get_by_role("link").first
    assert player.get_attribute("title") == finished().answer["players"][0]


def test_a_draw_and_a_challenge_that_nobody_accepted_are_told(people: Visitors, hall: PageHall) -> None:
    hall.follow_bot(all_answers())
    page = people.page("/mana/a-draw")
    expect(page.get_by_text("A draw: 2-2, with the same total damage.")).to_be_visible()
    expect(page.get_by_text("No loot for this match.")).to_be_visible()
    go(people, page, "/mana/nobody-came")
    expect(page.get_by_text("did not accept the challenge in time")).to_be_visible()
    expect(page.get_by_role("region", name="The board")).to_have_count(0)
    assert set(note_links(page)) == event_ids(abandoned())
    go(people, page, "/mana/none")
    expect(page.get_by_role("heading", name="Match not found")).to_be_visible()


@pytest.mark.proof
def test_a_hall_without_a_bot_says_how_to_start_one_and_a_bot_that_dies_leaves_the_last_answer(
    people: Visitors, hall: PageHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mana_bot, "FRESH_S", 0.0)
    page = people.page("/mana")
    page.clock.install()
    expect(page.get_by_text("This hall has no Mana bot.")).to_be_visible()
    expect(page.get_by_text("dicehall bot --config game-engine.toml")).to_be_visible()
    hall.follow_bot(all_answers())
    go(people, page, "/mana/friday-night")
    expect(page.get_by_role("region", name="Score")).to_be_visible()
    hall.bots.close()
    page.clock.run_for(2_000)
    expect(page.get_by_role("alert").filter(has_text="cannot be reached")).to_be_visible()
    expect(page.get_by_role("region", name="Score")).to_be_visible()


def test_what_a_bot_that_was_taken_over_says_is_text_and_never_a_script_or_a_foreign_link(
    people: Visitors, hall: PageHall
) -> None:
    match = finished("evil")
    match.answer["challenge_event_id"] = "javascript:alert(1)"
    match.answer["players"][0] = "https://evil.example"
    match.verify(1, False, "<img src='https://evil.example/x' onerror='alert(1)'>")
    hall.follow_bot(answers(match))
    page = people.page("/mana/evil")
    expect(page.get_by_text("<img src='https://evil.example/x' onerror='alert(1)'>")).to_be_visible()
    hrefs: list[str] = page.locator("a").evaluate_all("links => links.map(one => one.href)")
    assert all(href.startswith((people.url, "nostr:note1", "nostr:npub1")) for href in hrefs)


LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("/mana", {"viewport": PHONE, "color_scheme": "dark"}),
    ("/mana/friday-night", {"viewport": PHONE, "color_scheme": "light"}),
    ("/mana/won-with-loot", {"viewport": DESK, "color_scheme": "dark"}),
]


@pytest.mark.proof
def test_the_list_and_a_match_are_accessible(people: Visitors, hall: PageHall) -> None:
    hall.follow_bot(all_answers())
    for path, look in LOOKS:
        page = people.page(path, **look)
        expect(page.get_by_text("Asking the bot")).to_be_hidden()
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        axe(page)
        no_sideways(page)


def test_the_answers_that_these_tests_use_are_such_as_a_bot_gives() -> None:
    """The scripted matches follow the rules: what is called won is won."""
    match = finished()
    first, second = won_by(match, 0)
    assert [one["unit_index"] for one in match.answer["reveals"]] == [first, second] * 3
    assert match.answer["score"] == [3, 0]
