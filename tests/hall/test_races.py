"""Several people who want the same thing at once."""

from __future__ import annotations

import asyncio

from dicehall.hall import principals
from dicehall.hall.ports import Counts
from tests.hall.fakes import Hallway, Key, outcome

SECRET = "correct horse"


def test_of_many_who_want_one_name_at_once_one_gets_it(hallway: Hallway) -> None:
    async def story() -> None:
        wanted = ["Ann", "ANN", "ann", "ΑΝΝ", "Ａnn ", "Ａnn"]
        answers = await asyncio.gather(*(outcome(hallway.people.sign_up(name, SECRET)) for name in wanted))
        assert answers.count("name_taken") == len(wanted) - 1
        assert await hallway.store.counts() == Counts(1, 0)

    asyncio.run(story())


def test_of_two_who_rename_to_one_name_at_once_one_gets_it(hallway: Hallway) -> None:
    async def story() -> None:
        ids = [(await hallway.people.guest(name)).account.id for name in ("Ann", "Bo")]
        answers = await asyncio.gather(*(outcome(hallway.people.rename(id, "Cy")) for id in ids))
        assert answers.count("name_taken") == 1
        names = {(await hallway.people.account(id)).name for id in ids}
        assert "Cy" in names
        assert names & {"Ann", "Bo"}

    asyncio.run(story())


def test_one_new_key_from_two_places_at_once_makes_one_account(hallway: Hallway) -> None:
    async def story(name: str | None) -> None:
        key = Key()
        texts = [(await hallway.people.challenge(key.raw)).text for _ in range(3)]
        entered = await asyncio.gather(*(hallway.people.sign_in_with_key(text, key.sign(text), name) for text in texts))
        assert {one.account.id for one in entered} == {principals.of_key(key.der)}
        assert len({one.account.name for one in entered}) == 1

    asyncio.run(story("Ann"))
    asyncio.run(story(None))
    assert asyncio.run(hallway.store.counts()) == Counts(2, 0)
