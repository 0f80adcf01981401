"""Screens that stay still and fit: nothing jumps, nothing is wider than a phone, nothing is bright that waits."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PATIENCE_MS, Cable, Visitors
from tests.page.fights import five
from tests.page.halls import PageHall
from tests.page.played import BOT
from tests.page.tables import choose, go, no_sideways, open_table, person, press, sit, told, two

PHONE = {"width": 390, "height": 844}
WIDE = "W" * 24


def top_of(page: Page, name: str) -> float:
    box = page.get_by_role("region", name="The board").get_by_role("button", name=name).bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.proof
def test_a_name_of_24_wide_letters_fits_a_phone_everywhere(people: Visitors, hall: PageHall) -> None:
    page = person(people, WIDE, viewport=PHONE)
    no_sideways(page)
    for game, rules in (("aetharn", {}), ("mana", {}), ("wards", {"goal": 5})):
        go(people, page, open_table(page, game, seats=2, bots=BOT, rules=rules))
        expect(page.get_by_role("region", name="The board")).to_be_visible()
        no_sideways(page)
    hall.script((6,))
    press(page, "Roll")
    press(page, "Hold")
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    no_sideways(page)
    go(people, page, open_table(page, "aetharn", seats=3, name=WIDE))
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("button", name="Stand up")).to_be_visible()
    no_sideways(page)
    go(people, page, "/")
    expect(page.get_by_role("heading", name="Waiting for you")).to_be_visible()
    no_sideways(page)


SMALL = [{"width": 390, "height": 664}, {"width": 320, "height": 568}, {"width": 844, "height": 390}]
# What covers the middle of each of these, if that is not the thing itself; and what is not on the screen.
HIDDEN = """things => things.flatMap(thing => {
    const {left, top, width, height} = thing.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return [`${thing.outerHTML} at ${x} ${y}`];
    const seen = document.elementFromPoint(x, y);
    return thing.contains(seen) || seen.contains(thing) ? [] : [`${thing.outerHTML} under ${seen.outerHTML}`];
})"""


@pytest.mark.proof
@pytest.mark.parametrize("guided", [False, True], ids=["known", "first game"])
@pytest.mark.parametrize("size", SMALL, ids=lambda size: f"{size['width']} x {size['height']}")
@pytest.mark.parametrize("game", ["wards", "aetharn", "tenthousand"])
def test_a_small_phone_or_one_held_sideways_shows_dice_and_buttons_without_scrolling(
    people: Visitors, hall: PageHall, game: str, size: dict[str, int], *, guided: bool
) -> None:
    """The dice were under the buttons: one rolled without seeing what."""
    page = person(people, "Ann", viewport=size, has_touch=True, is_mobile=True, guided=guided)
    hall.script((1,), (1, 5, 2, 2, 2, 3)) if game != "wards" else hall.script((4,))
    go(people, page, open_table(page, game, seats=2, bots=BOT, drawn=False))
    if guided:
        page.get_by_role("button", name="Let’s play").tap()
    board = page.get_by_role("region", name="The board")
    roll = board.get_by_role("button", name="Roll")
    expect(roll).to_be_enabled()
    expect(roll).to_be_in_viewport(ratio=1)
    roll.tap()
    dice = board.get_by_role("img", name="The die: 4") if game == "wards" else board.get_by_role("button", name="Die")
    expect(dice.first).to_be_visible()
    expect(board.get_by_role("button", name="Hold" if game == "wards" else "Pick best")).to_be_enabled()
    buttons = board.get_by_role("button", name=re.compile("^(Roll|Hold|Bank|Pick best)"))
    for things in (dice, buttons):
        for _ in range(PATIENCE_MS // 50):  # the page scrolls a moment after the board is there
            if things.evaluate_all(HIDDEN) == []:
                break
            page.wait_for_timeout(50)
        assert things.evaluate_all(HIDDEN) == []


@pytest.mark.proof
def test_nothing_jumps_when_dice_are_held_and_a_die_says_what_it_brings(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "aetharn", {"viewport": PHONE})
    hall.script((1, 5, 2, 2, 2, 3), (1, 2, 3, 4))
    press(ann, "Roll")
    expect(ann.get_by_text("+100", exact=True)).to_be_visible()
    expect(ann.get_by_text("all 3: 200")).to_have_count(1)  # once for the set: nobody adds up three of them
    expect(ann.get_by_role("button", name="Die 4: 2, all 3 together worth 200")).to_be_visible()
    before = top_of(ann, "Roll")
    choose(ann, 3)
    expect(ann.locator(".actions").get_by_text("Keep all three 2s to score.")).to_be_visible()
    assert top_of(ann, "Roll") == before
    choose(ann, 3, 1, 2)
    assert top_of(ann, "Roll") == before
    press(ann, "Roll 4 dice")
    expect(ann.get_by_label("Kept this turn")).to_be_visible()
    expect(ann.get_by_role("button", name="Die 1: 1")).to_be_enabled()
    assert top_of(ann, "Roll") == before
    fold = bea.get_by_role("button", name="Fold")
    expect(fold).to_be_enabled()  # one may fold at any time, but now is not the moment
    expect(fold).to_have_css("opacity", "0.55")
    expect(ann.get_by_role("button", name="Fold")).to_have_css("opacity", "1")


@pytest.mark.proof
@pytest.mark.parametrize("roll", [(5, 5, 5, 6, 6, 6), (1, 1, 1, 6, 6, 6), (1, 1, 1, 1, 5, 5), (1, 1, 1, 5, 5, 2)])
def test_two_large_groups_of_dice_take_one_line_on_a_phone(
    people: Visitors, hall: PageHall, roll: tuple[int, ...]
) -> None:
    ann, _ = two(people, hall, "tenthousand", {"viewport": PHONE})
    board = ann.get_by_role("region", name="The board")
    hall.script(roll)
    press(ann, "Roll")
    best = ann.get_by_role("button", name="Pick best")
    expect(best).to_be_visible()
    before = board.bounding_box()
    best.click()
    expect(ann.get_by_text("Group differently")).to_be_visible()
    assert board.bounding_box() == before


def rows_of(page: Page) -> dict[str, float]:
    """Where the board, and each thing under it, lies on the screen."""
    things = {
        "board": page.get_by_role("region", name="The board"),
        "practice": page.get_by_role("switch", name="Practice mode"),
        "odds": page.get_by_role("button", name="Show odds"),
        "speed": page.get_by_label("Bot speed"),
        "roll": page.get_by_role("button", name="Roll", exact=True),
    }
    boxes = {name: thing.bounding_box() for name, thing in things.items()}
    return {name: box["y"] for name, box in boxes.items() if box}


def test_nothing_moves_when_a_turn_passes_and_a_lost_pile_is_worth_nothing(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann", speed="slow", viewport=PHONE)
    go(people, page, open_table(page, "wards", seats=2, bots=BOT))
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    mine = rows_of(page)
    assert len(mine) == 5
    hall.script((6,), (1,), (4,))
    press(page, "Roll")
    expect(page.get_by_role("button", name="Hold +6")).to_be_enabled()
    assert rows_of(page) == mine
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.get_by_text("Bust!")).to_be_visible()
    expect(page.get_by_role("button", name="Hold", exact=True)).to_be_disabled()
    assert rows_of(page) == mine
    expect(page.get_by_role("heading", name="’s turn")).to_be_visible()
    expect(page.get_by_role("button", name="Show odds")).to_be_disabled()
    assert rows_of(page) == mine


@pytest.mark.proof
def test_groups_of_dice_and_two_effects_leave_everything_where_it_was(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "tenthousand", {"viewport": PHONE})
    hall.script((1, 1, 1, 5, 5, 6))
    press(ann, "Roll")
    before = top_of(ann, "Roll")
    ann.get_by_role("button", name="Pick best (1100)").click()
    expect(ann.get_by_text("Group differently")).to_be_visible()
    assert top_of(ann, "Roll") == before
    hall.script((6,))
    ann, _ = five(people, {"viewport": PHONE})
    fighter = ann.get_by_role("region", name="The board").get_by_text("you · playing")
    before_fight = fighter.bounding_box()
    press(ann, "Roll")
    expect(ann.get_by_role("button", name="Glory")).to_be_visible()  # beside the Power Move
    assert fighter.bounding_box() == before_fight


@pytest.mark.proof
def test_the_score_sheet_begins_with_the_newest_round(people: Visitors, hall: PageHall) -> None:
    ann, bea = two(people, hall, "tenthousand")
    hall.script(*([(2, 2, 3, 4, 6, 6)] * 3))
    for page in (ann, bea, ann):
        press(page, "Roll")
        expect(page.get_by_text("You bust.")).to_be_visible()
    rows = ann.get_by_role("table").filter(has_text="Total").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("Total")
    expect(rows.nth(2)).to_contain_text(re.compile("^2"))


@pytest.mark.proof
def test_a_button_pressed_offline_says_that_it_waits_and_the_clock_stands_still(
    people: Visitors, hall: PageHall
) -> None:
    people.may_be_away = True
    ann, _ = two(people, hall, "wards")
    ann.clock.install()
    cable = Cable().plug(ann)
    expect(ann.get_by_role("button", name="Roll")).to_be_enabled()
    cable.cut()
    expect(ann.get_by_text("Connection lost.")).to_be_visible()
    expect(ann.get_by_role("timer")).to_have_accessible_name(re.compile("connection lost"))
    press(ann, "Roll")
    expect(ann.get_by_role("button", name="Roll waiting for connection")).to_be_visible()
    clock = ann.get_by_role("timer").inner_text()
    ann.clock.run_for(3_000)
    assert ann.get_by_role("timer").inner_text() == clock
    cable.mend()
    told(ann, "Ann rolls a")


@pytest.mark.proof
def test_a_link_that_only_this_computer_can_open_says_so(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards")
    watching = people.page(ann.url.removeprefix(people.url))
    expect(watching.get_by_text("You’re watching")).to_be_visible()
    expect(ann.locator(".eyebrow").first).to_have_text(re.compile(r"Dice Wards\s+· 1 watching"))
    ann.get_by_role("button", name="Share").click()
    expect(ann.get_by_text("Only this computer can open this link.")).to_be_visible()
    expect(ann.get_by_role("img", name="QR code")).to_have_count(0)
    ann.keyboard.press("Escape")
    ann.evaluate("document.querySelector('meta[name=public-url]').content = 'https://dice.example'")
    ann.get_by_role("button", name="Share").click()
    picture = ann.get_by_role("img", name="QR code")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


def test_a_game_against_bots_can_be_abandoned(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Ann")
    go(people, page, open_table(page, "wards", seats=2, bots=BOT))
    page.get_by_role("button", name="Quit").click()
    page.get_by_role("dialog", name="Quit this game?").get_by_role("button", name="Abandon game").click()
    expect(page.get_by_text("This game was abandoned")).to_be_visible()
    expect(page.get_by_role("region", name="The board")).to_have_count(0)
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play against bots")).to_be_visible()


@pytest.mark.proof
def test_whoever_quits_a_game_of_aetharn_against_bots_is_told_how_long_the_seat_is_kept(
    people: Visitors, hall: PageHall
) -> None:
    page = person(people, "Ann")
    go(people, page, open_table(page, "aetharn", seats=2, bots=BOT, rules={"grace_seconds": 45}))
    page.get_by_role("button", name="Quit").click()
    quit_dialog = page.get_by_role("dialog", name="Quit this game?")
    expect(quit_dialog).to_contain_text("you have 45 seconds to come back before you lose")


@pytest.mark.parametrize("game", ["aetharn", "tenthousand"])
def test_every_row_of_the_scoring_table_is_seen_on_a_phone(people: Visitors, hall: PageHall, game: str) -> None:
    ann, _ = two(people, hall, game, {"viewport": PHONE})
    before = top_of(ann, "Roll")
    ann.get_by_text("Scoring").first.click()
    row = ann.get_by_role("table", name="Scoring").get_by_role("row").last.bounding_box()
    actions = ann.locator("[aria-label='The board'] > .actions").bounding_box()
    assert row is not None
    assert actions is not None
    assert row["y"] + row["height"] <= actions["y"]
    assert top_of(ann, "Roll") == before


def test_the_name_of_a_table_is_read_whole_on_a_phone(people: Visitors) -> None:
    page = person(people, "Wandering Juniper", viewport=PHONE)
    go(people, page, open_table(page, "wards", bots=BOT))
    title = page.get_by_role("heading", level=1, name="Wandering Juniper’s table")
    expect(title).to_be_visible()
    assert title.evaluate("of => of.scrollWidth <= of.clientWidth && of.scrollHeight <= of.clientHeight + 1")


def test_names_are_read_whole_beside_the_clock_and_above_the_cards_on_a_phone(people: Visitors) -> None:
    """These are as long as the names that newcomers get; what stands below them stays where it is."""
    witty, happy = (person(people, name, viewport=PHONE) for name in ("Witty Meadow", "Happy Sparrow"))
    path = open_table(witty, "mana")
    for page in (witty, happy):
        go(people, page, path)
        sit(page)
    for page in (witty, happy):
        expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    board = witty.get_by_role("region", name="The board")
    before = board.bounding_box()
    board.get_by_role("button", name="Your unit 1:").click()
    board.get_by_role("button", name="Send unit 1 in secret").click()
    for said in (witty.get_by_role("heading", name="Happy Sparrow’s turn"), board.locator(".who span").nth(1)):
        expect(said).to_contain_text("Happy Sparrow")
        assert said.evaluate("of => of.scrollWidth <= of.clientWidth && of.scrollHeight <= of.clientHeight + 1")
    assert board.bounding_box() == before


def test_all_eight_units_are_on_a_phone_below_a_title_and_names_of_two_lines(people: Visitors, hall: PageHall) -> None:
    page = person(people, "Wandering Juniper", viewport=PHONE, locale="de-DE")
    go(people, page, open_table(page, "mana", seats=2, bots=BOT))
    units = page.get_by_role("button", name="Deine Einheit")
    expect(units).to_have_count(8)
    for unit in units.all():
        expect(unit).to_be_in_viewport(ratio=1)


# The ground of a button right when it is disabled or enabled, and once nothing fades any more.
FADED = """async button => {
    const grounds = [];
    for (const disabled of [true, false]) {
        button.disabled = disabled;
        grounds.push(getComputedStyle(button).backgroundColor);
        await Promise.all(button.getAnimations().map(one => one.finished));
        grounds.push(getComputedStyle(button).backgroundColor);
    }
    return grounds;
}"""


def test_the_ground_of_a_button_changes_together_with_its_label(people: Visitors, hall: PageHall) -> None:
    ann, _ = two(people, hall, "wards", {"reduced_motion": "no-preference"})
    off, off_at_last, on, on_at_last = ann.get_by_role("button", name="Roll").evaluate(FADED)
    assert (off, on) == (off_at_last, on_at_last)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_practice_odds_speed_and_the_last_roll_take_two_straight_lines_on_a_phone(
    people: Visitors, hall: PageHall, locale: str
) -> None:
    page = person(people, "Ann", viewport=PHONE, locale=locale)
    go(people, page, open_table(page, "wards", seats=2, bots=BOT))
    roll = page.locator(".actions button.main")
    practice, odds, speed, last = (
        page.locator(f".under {one}") for one in (".switch", ".ask button", "label", ".envelope")
    )
    roll.click()
    expect(last).to_be_visible()
    middles = [
        box["y"] + box["height"] / 2 for box in (one.bounding_box() for one in (practice, odds, speed, last)) if box
    ]
    assert abs(middles[0] - middles[1]) <= 1
    assert abs(middles[2] - middles[3]) <= 1
    for label in (odds, last.locator("span")):
        assert label.evaluate("of => of.getBoundingClientRect().height") <= 44
