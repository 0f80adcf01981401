"""DO or DICE on the page: five round a table, to the end, with ghosts, by mouse and by keys."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import DESK, PHONE, Visitors, axe, entered
from tests.page.ears import Ears
from tests.page.fights import aim, board, bot, five, roll
from tests.page.halls import PageHall
from tests.page.tables import no_sideways, post, told

BOTS = ((5,), (5,), (5,))  # three bots who recover, which needs no choice


@pytest.mark.proof
def test_two_people_and_three_bots_fight_to_the_end_and_a_ghost_haunts(people: Visitors, hall: PageHall) -> None:
    hall.script((4,), (5,), *BOTS, (6,), (3,), *BOTS)
    ann, bea = five(people, hp=4, rounds=2)
    ears = Ears.on(bea)
    roll(ann)
    expect(board(ann).get_by_text("Strike (−4 HP): pick a player to strike.")).to_be_visible()
    expect(board(ann).get_by_role("button", name="strike")).to_have_count(4)
    aim(ann, "strike", "Bea")
    told(bea, "Ann earns 2 VP for eliminating Bea and has 2.")
    roll(bea)  # as one of the fallen: what to do comes first, then whom
    expect(board(bea).get_by_role("button", name="claw at")).to_have_count(0)
    board(bea).get_by_role("button", name="Claw −2 HP").click()
    aim(bea, "claw at", "Ann")
    told(ann, "The ghost of Bea claws at Ann, who is left with 2 HP.")
    expect(board(ann).get_by_text("−2 HP")).to_be_visible()
    roll(ann)
    board(ann).get_by_role("button", name="Glory +3 VP for you").click()
    roll(bea)
    board(bea).get_by_role("button", name="Bless +1 VP").click()
    expect(board(bea).get_by_text("You picked them last time.")).to_be_visible()
    expect(board(bea).get_by_role("button", name="bless Ann")).to_have_count(0)
    aim(bea, "bless", bot(bea, 2))
    expect(ann.get_by_role("heading", name="You win!")).to_be_visible()
    expect(bea.get_by_role("heading", name="Ann wins")).to_be_visible()
    ears.hear_the_story_once()
    expect(bea.get_by_role("region", name="Ann wins").get_by_role("listitem").first).to_contain_text("Ann")
    ties = bea.get_by_role("region", name="How ties were broken")  # the standings are not listed a second time
    expect(ties).to_contain_text("tied on everything: decided by a die roll")  # the last two bots
    expect(ties.get_by_role("listitem").filter(has_text="Ann")).to_have_count(0)
    rounds = ann.get_by_role("region", name="Round by round").first
    expect(rounds.get_by_role("row").nth(1)).to_contain_text("Glory")  # the newest round comes first


def test_keys_alone_play_and_ties_are_explained(people: Visitors, hall: PageHall) -> None:
    hall.script((2,))
    ann, _ = five(people, hp=4)
    ann.keyboard.press("r")
    expect(board(ann).get_by_role("button", name="jab Bea")).to_be_visible()
    ann.keyboard.press("2")
    told(ann, "Ann jabs Bea, who is left with 2 HP.")
    ranking = ann.get_by_role("region", name="Current standings")
    expect(ranking).to_contain_text("same VP, more HP: 4 to 2")
    ranking.get_by_text("How ties are broken").click()
    expect(ranking.get_by_text("fewer rounds as a ghost")).to_be_visible()


@pytest.mark.proof
def test_pressing_an_effect_that_needs_a_target_points_at_the_players(people: Visitors, hall: PageHall) -> None:
    hall.script((6,))
    ann, _ = five(people, {"reduced_motion": "no-preference"})
    roll(ann)
    expect(board(ann).get_by_text("Power Move (−6 HP): pick a player to hammer, or take the glory.")).to_be_visible()
    ann.evaluate(
        """() => {
            window.pointed = 0;
            const { animate } = Element.prototype;
            Element.prototype.animate = function (...how) {
                window.pointed += 1;
                return animate.apply(this, how);
            };
        }"""
    )
    board(ann).get_by_role("button", name="Power Move −6 HP").click()
    ann.wait_for_function("() => window.pointed === 4")


@pytest.mark.proof
def test_what_somebody_lost_does_not_hide_on_a_phone_what_is_left(people: Visitors, hall: PageHall) -> None:
    hall.script((4,))
    ann, bea = five(people)
    bea.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    roll(ann)
    aim(ann, "strike", "Bea")
    lost = board(bea).get_by_text("−4 HP")
    expect(lost).to_be_visible()
    bea.wait_for_function("() => document.getAnimations().every((one) => one.animationName !== 'land')")
    mark, left = lost.bounding_box(), board(bea).get_by_text("16 HP", exact=True).bounding_box()
    assert mark
    assert left
    assert mark["x"] + mark["width"] <= left["x"]


@pytest.mark.proof
def test_who_only_watches_is_offered_nothing(people: Visitors, hall: PageHall) -> None:
    hall.script((4,))
    ann, _ = five(people)
    roll(ann)
    watching = people.page(ann.url.removeprefix(hall.url), viewport=PHONE)
    expect(board(watching).get_by_text("Ann rolled a 4 and is choosing a target.")).to_be_visible()
    expect(board(watching).get_by_role("button", name="strike")).to_have_count(0)
    expect(board(watching).get_by_role("button", name="Roll", exact=True)).to_have_count(0)
    no_sideways(watching)


LOOKS = [(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")]


@pytest.mark.proof
@pytest.mark.parametrize(("viewport", "light"), LOOKS)
def test_a_choice_is_open_to_everybody(people: Visitors, hall: PageHall, viewport: dict[str, int], light: str) -> None:
    hall.script((4,), (6,))
    ann, bea = five(people, {"viewport": viewport, "color_scheme": light}, hp=4)
    roll(ann)
    aim(ann, "strike", "Bea")
    roll(bea)
    for page in (ann, bea):
        axe(page)
        no_sideways(page)


MODERN_PHONE = {"width": 390, "height": 844}


def alone(people: Visitors, hall: PageHall, speed: str = "instant", **more: Any) -> Page:
    """Ann against four bots, on a phone; she rolls first."""
    kept = entered(hall.url, "Ann")
    bots = [{"seat": seat, "level": "greedy"} for seat in (1, 2, 3, 4)]
    table = post(hall, "/api/tables", {"game": "doordice", "drawn": False, "bots": bots}, kept)["id"]
    post(hall, f"/api/tables/{table}/sit", {}, kept)
    page = people.page(f"/t/{table}", storage_state=kept, viewport=MODERN_PHONE, speed=speed, **more)
    expect(board(page).get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    return page


def test_on_a_phone_the_odds_are_on_the_players_who_can_be_chosen_and_none_leaves_the_screen(
    people: Visitors, hall: PageHall
) -> None:
    hall.script((4,), *BOTS, (5,))
    ann = alone(people, hall)
    roll(ann)
    ann.get_by_role("button", name="Show odds").click()
    targets = board(ann).get_by_role("button", name="% to win")
    expect(targets).to_have_count(4)
    for target in targets.all():
        expect(target).to_be_in_viewport(ratio=1)
        expect(target).to_contain_text("% to win")
        assert target.locator(".odds").evaluate("(one) => one.scrollWidth <= one.clientWidth"), "the odds are cut off"
    expect(targets.filter(has_text="(best)").first).to_be_visible()
    best = ann.get_by_role("row", name="(best)").first  # the list can be tapped, too
    best.get_by_role("button", name="Strike").click()
    told(ann, "Ann strikes")


# What the felt said, and when.
STATUSES = """() => {
    window.statuses = [];
    const note = () => {
        const text = document.querySelector('[aria-label="The board"] .status')?.textContent ?? '';
        if (text !== window.statuses.at(-1)?.text) window.statuses.push({text, at: performance.now()});
    };
    new MutationObserver(note).observe(document.body, {childList: true, characterData: true, subtree: true});
}"""


def test_what_my_own_roll_did_stays_for_two_seconds_and_the_end_of_a_round_is_told_on_the_felt(
    people: Visitors, hall: PageHall
) -> None:
    hall.script((1,), *BOTS, (5,))
    ann = alone(people, hall, speed="normal")
    ann.evaluate(STATUSES)
    roll(ann)
    expect(board(ann).get_by_text("You rolled a 1. Backfire! You are down to 17 HP.")).to_be_visible()
    expect(board(ann).get_by_text("Round 1 is over: +1 VP for everyone alive.")).to_be_visible()
    statuses = ann.evaluate("window.statuses")
    at = next(i for i, one in enumerate(statuses) if "Backfire!" in one["text"])
    assert statuses[at + 1]["at"] - statuses[at]["at"] >= 1950


def test_a_die_in_the_air_is_said_to_be_of_whoever_rolls_it(people: Visitors, hall: PageHall) -> None:
    hall.script((1,), *BOTS, (5,))
    ann = alone(people, hall, speed="fast", reduced_motion="no-preference")
    ann.evaluate(STATUSES)
    roll(ann)
    told(ann, "Round 1 is over")
    in_the_air = [one["text"] for one in ann.evaluate("window.statuses") if one["text"].endswith("…")]
    assert in_the_air == ["You roll …", *(f"{bot(ann, seat)} rolls …" for seat in (1, 2, 3, 4))]


def test_what_somebody_lost_is_marked_once_and_not_again_when_a_target_is_picked(
    people: Visitors, hall: PageHall
) -> None:
    hall.script((4,), (2,))
    ann, bea = five(people, {"reduced_motion": "no-preference"})
    bea.evaluate(
        """() => {
            window.marked = 0;
            const count = (event) => (window.marked += event.animationName.endsWith('land') ? 1 : 0);
            document.addEventListener('animationstart', count);
        }"""
    )
    roll(ann)
    aim(ann, "strike", name := bot(ann, 2))
    told(bea, f"Ann strikes {name}")
    bea.wait_for_function("() => window.marked === 1 && document.getAnimations().length === 0")
    roll(bea)
    expect(board(bea).get_by_role("button", name=f"jab {name}")).to_contain_text("−4 HP")
    bea.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert bea.evaluate("window.marked") == 1


def test_what_the_faces_do_is_told_where_one_rolls_and_the_rules_have_no_numbers_of_their_own(
    people: Visitors, hall: PageHall
) -> None:
    ann, _ = five(people, {"viewport": PHONE})
    board(ann).get_by_role("button", name="What the die does").click()
    legend = ann.get_by_role("dialog", name="What the die does")
    expect(legend).to_contain_text("Backfire: you lose 3 HP")
    expect(legend).to_contain_text("Claw: a player loses 2 HP, or Curse: a player loses 1 VP")
    ann.keyboard.press("Escape")
    ann.get_by_role("button", name="Rules", exact=True).click()
    rules = ann.get_by_role("dialog", name="How to play DO or DICE")
    expect(rules.get_by_text("Roll a 5: you regain 3 HP.", exact=True)).to_be_visible()
    expect(rules.locator("ol")).to_have_count(0)
