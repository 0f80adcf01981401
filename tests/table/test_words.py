"""Words: committed to on sitting down, opened when the game is about to start, mixed into every die."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.dice.words import commitment
from dicehall.table import acts
from dicehall.table.coming import Answer
from dicehall.table.requests import OpenWords, Sit, SitBot, Start
from tests.table.hosting import Person, World, code_of, hosted

HEX = "0123456789abcdef" * 2


async def sat(world: World, key: str, *names: str, **chosen: Any) -> tuple[Person, ...]:
    """People with committed words in a lobby."""
    await world.open(key, **chosen)
    people = tuple([await world.person(name) for name in names])
    for person in people:
        await person.sit(committed=True)
    return people


@hosted
async def test_a_full_table_asks_for_the_words_and_stays_in_its_lobby_until_all_are_opened(world: World) -> None:
    """C12 and the seal."""
    ann, bo = await sat(world, "wards", "Ann", "Bo")
    assert world.live().state.phase == "lobby"
    assert world.live().state.clocks.words is not None
    await bo.open_words()
    assert world.live().state.phase == "lobby"
    await ann.open_words()
    assert world.live().state.phase == "playing"
    assert world.live().state.words == (ann.words, bo.words)


@hosted
async def test_a_table_that_is_told_to_start_asks_first(world: World) -> None:
    """C12."""
    ann, bo = await sat(world, "aetharn", "Ann", "Bo")
    await bo.ask(Start())
    assert world.names()[-1] == "Asked"
    assert await code_of(ann.ask(Start())) == "already_started"
    await ann.open_words()
    await bo.open_words()
    assert world.names()[-1] == "Started"


@hosted
async def test_who_has_not_opened_in_ten_seconds_stands_up(world: World) -> None:
    """The seal."""
    ann, _bo = await sat(world, "wards", "Ann", "Bo")
    await ann.open_words()
    await world.until(11_001)
    (stood,) = [act for act in world.acts() if isinstance(act, acts.Stood)]
    assert (stood.chairs, stood.why) == ((1,), "words")
    assert world.times("Stood") == [10_000]
    assert [chair.name for chair in world.live().state.chairs] == ["Ann"]


@hosted
async def test_words_opened_in_the_last_millisecond_count_and_at_ten_seconds_they_do_not(world: World) -> None:
    """C4."""
    ann, bo = await sat(world, "wards", "Ann", "Bo")
    await world.until(9_999)
    await ann.open_words()
    await world.until(10_000)
    assert await code_of(bo.open_words()) == "not_seated"
    assert world.live().state.phase == "lobby"


@hosted
async def test_openings_of_a_failed_start_are_void_and_must_be_committed_anew(world: World) -> None:
    """The seal: words that were shown cannot be hidden again."""
    ann, bo = await sat(world, "wards", "Ann", "Bo")
    await ann.open_words()
    await world.until(12_000)
    (chair,) = world.live().state.chairs
    assert (chair.commitment, chair.words) == (None, None)
    assert await code_of(ann.open_words()) == "not_allowed"
    words = f"new{HEX}"
    await ann.ask(Sit("Ann", commitment=commitment(words)))
    assert await code_of(bo.sit(committed=True)) == "rate_limited"  # it was Bo who did not open them
    await world.until(25_000)
    await bo.sit(committed=True)
    assert await code_of(ann.open_words()) == "bad_request"
    await ann.open_words(words)
    await bo.open_words()
    assert world.live().state.words == (words, bo.words)


@hosted
async def test_who_leaves_while_words_are_opened_fails_the_start_too(world: World) -> None:
    """The seal."""
    ann, bo, cy = await sat(world, "aetharn", "Ann", "Bo", "Cy")
    await ann.ask(Start())
    await ann.open_words()
    await bo.leave()
    opened, waiting = world.live().state.chairs
    assert (opened.commitment, waiting.commitment) == (None, commitment(cy.words))
    assert world.live().state.clocks.words is None
    await world.until(20_000)
    assert world.live().state.phase == "lobby"
    assert len(world.live().state.chairs) == 2


@hosted
async def test_where_nobody_committed_the_game_starts_at_once(world: World) -> None:
    """The seal: the seeds' own doors."""
    await world.play("wards", "Ann", "Bo")
    assert world.names() == ["Opened", "Sat", "Sat", "Started"]
    assert world.live().state.words == ("", "")


@hosted
async def test_words_nobody_committed_to_are_refused(world: World) -> None:
    """C2."""
    ann, bo = await sat(world, "wards", "Ann", "Bo")
    eve = await world.person("Eve")
    stored = world.names()
    assert await code_of(ann.open_words(bo.words)) == "bad_request"
    assert await code_of(ann.open_words("")) == "bad_request"
    assert await code_of(eve.ask(OpenWords(ann.words))) == "not_seated"
    assert world.names() == stored
    await ann.open_words()
    before = world.names()
    await ann.open_words()  # saying it again is no news
    assert world.names() == before


@hosted
async def test_nobody_is_asked_before_the_table_is_about_to_start(world: World) -> None:
    """The seal."""
    (ann,) = await sat(world, "wards", "Ann")
    assert await code_of(ann.open_words()) == "not_allowed"


@pytest.mark.parametrize(
    "words",
    ["x" * 65 + HEX, "x" * 1000 + HEX, "a\nb" + HEX, "a\x00b" + HEX, "\x7f" + HEX, "\x9f" + HEX],
    ids=["65 typed", "1000 typed", "line feed", "nul", "delete", "C1"],
)
@hosted
async def test_words_too_long_or_with_control_characters_are_refused_though_committed_to(
    world: World, words: str
) -> None:
    """The seal: at most 64 typed characters and 32 hex digits, no control characters."""
    await world.open("wards")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.ask(Sit("Ann", commitment=commitment(words)))
    await bo.sit(committed=True)
    await bo.open_words()
    assert await code_of(ann.ask(OpenWords(words))) == "bad_request"
    await world.until(12_000)
    assert [chair.name for chair in world.live().state.chairs] == ["Bo"]


@hosted
async def test_words_of_ninety_six_characters_of_any_script_are_fine(world: World) -> None:
    """The seal."""
    words = unicodedata.normalize("NFC", "ö" * 63 + "🎲") + HEX
    await world.open("wards")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.ask(Sit("Ann", commitment=commitment(words)))
    await bo.sit()
    await ann.ask(OpenWords(words))
    assert world.live().state.words == (words, "")


@pytest.mark.parametrize("wrong", ["", "abc", "A" * 64, "g" * 64, "a" * 63, "a" * 65])
@hosted
async def test_a_commitment_is_64_hex_digits(world: World, wrong: str) -> None:
    """C2: what could never be opened is refused on sitting down."""
    await world.open("wards")
    ann = await world.person("Ann")
    assert await code_of(ann.ask(Sit("Ann", commitment=wrong))) == "bad_request"


@hosted
async def test_nobody_sits_down_while_words_are_opened(world: World) -> None:
    """The seal: who sat down later could choose words that suit the opened ones."""
    ann, bo = await sat(world, "aetharn", "Ann", "Bo")
    await ann.ask(Start())
    await ann.open_words()
    eve = await world.person("Eve")
    assert await code_of(eve.sit(committed=True)) == "already_started"
    assert await code_of(ann.ask(SitBot(None, "greedy"))) == "already_started"
    assert await code_of(bo.ask(Sit("Bo", 4))) == "already_started"
    await bo.open_words()
    assert len(world.live().state.chairs) == 2


@hosted
async def test_bots_have_empty_words(world: World) -> None:
    """The seal."""
    await world.open("wards")
    await world.bot()
    ann = await world.person("Ann")
    await ann.sit(committed=True)
    await ann.open_words()
    assert world.live().state.words == ("", ann.words)


@pytest.mark.parametrize("last", ["Words", "Sat"])
@hosted
async def test_a_start_that_the_journal_refused_is_made_up_for(world: World, last: str) -> None:
    """C12: nobody has to sit down again because a disk was full for a moment."""
    await world.open("wards")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit(committed=last == "Words")
    if last == "Words":
        await bo.sit()
    world.journal.after, world.journal.refusing = 1, 1  # the act is stored, the start behind it is not
    asked = ann.open_words() if last == "Words" else bo.sit(id="sit")
    await whatever_the_answer(asked)
    assert world.names()[-1] == last
    await world.after(2_000)
    assert world.live().state.phase == "playing"


@pytest.mark.parametrize("gap", [500, 60_000])
@hosted
async def test_a_start_cut_off_by_a_crash_is_made_up_for(world: World, gap: int) -> None:
    """C5, C12."""
    await world.open("wards")
    ann, bo = await world.person("Ann"), await world.person("Bo")
    await ann.sit()
    world.journal.after, world.journal.refusing = 1, 1
    await whatever_the_answer(bo.sit())
    await world.dead_for(gap)
    await world.after(1_500)
    assert world.names()[-1] == "Started"


async def whatever_the_answer(asked: Awaitable[Answer]) -> None:
    """Ask; the journal may not have said yes to all of it."""
    with suppress(Refused):
        await asked
