"""Keys: a challenge is for one key, once, for a minute."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.core.game import Refused
from dicehall.hall import principals
from dicehall.hall.keys import signed, to_der
from dicehall.store import MemoryJournal, MemoryPeople
from tests.hall.fakes import Hallway, Key

# Of RFC 8032, section 7.1, test 1.
PUBLISHED = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
DER = bytes.fromhex("302a300506032b6570032100" + PUBLISHED)


@pytest.fixture
def hall() -> Hallway:
    return Hallway(MemoryPeople(MemoryJournal()))


async def refusal(hall: Hallway, challenge: str, signature: bytes) -> str:
    try:
        await hall.people.sign_in_with_key(challenge, signature)
    except Refused as refused:
        return f"{refused.code}: {refused.sentence}"
    return "came in"


def test_a_key_is_taken_as_its_bytes_or_in_der() -> None:
    key = Key()
    assert to_der(key.raw) == to_der(key.der) == key.der
    assert to_der(bytes.fromhex(PUBLISHED)) == DER


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), bytes(44), DER[:-1], DER + b"\0", bytes(9999)])
def test_what_is_no_ed25519_key_is_refused(hall: Hallway, key: bytes) -> None:
    with pytest.raises(Refused, match="32 bytes") as refused:
        asyncio.run(hall.people.challenge(key))
    assert refused.value.code == "bad_request"


def test_a_new_key_makes_the_account_that_belongs_to_it_and_finds_it_again(hall: Hallway) -> None:
    async def story() -> None:
        key = Key()
        first = await hall.people.challenge(key.raw)
        made = await hall.people.sign_in_with_key(first.text, key.sign(first.text), "Ann")
        assert made.account.id == principals.of_key(key.der)
        assert (made.account.name, made.account.guest) == ("Ann", False)
        second = await hall.people.challenge(key.der)
        again = await hall.people.sign_in_with_key(second.text, key.sign(second.text), "Bo")
        assert again.account == made.account
        assert await hall.people.who(again.token) == made.account
        assert first.text != second.text

    asyncio.run(story())


def test_a_key_without_a_name_gets_one_with_a_number_and_a_taken_name_is_refused(hall: Hallway) -> None:
    async def story() -> None:
        names = []
        for name in (None, None, "Guest"):
            key = Key()
            challenge = await hall.people.challenge(key.raw)
            try:
                entered = await hall.people.sign_in_with_key(challenge.text, key.sign(challenge.text), name)
                names.append(entered.account.name)
            except Refused as refused:
                names.append(refused.code)
        assert names == ["Guest", "Guest 2", "name_taken"]

    asyncio.run(story())


def test_a_challenge_is_used_up_by_its_answer_right_or_wrong(hall: Hallway) -> None:
    async def story() -> None:
        key = Key()
        right, wrong = await hall.people.challenge(key.raw), await hall.people.challenge(key.raw)
        assert await refusal(hall, right.text, key.sign(right.text)) == "came in"
        assert "unknown, used or expired" in await refusal(hall, right.text, key.sign(right.text))
        assert "not_allowed: The signature" in await refusal(hall, wrong.text, bytes(64))
        assert "unknown, used or expired" in await refusal(hall, wrong.text, key.sign(wrong.text))
        assert "not_allowed" in await refusal(hall, "never given", key.sign("never given"))

    asyncio.run(story())


def test_of_two_answers_to_one_challenge_one_comes_in(hall: Hallway) -> None:
    async def story() -> None:
        key = Key()
        challenge = await hall.people.challenge(key.raw)
        answers = await asyncio.gather(
            *(refusal(hall, challenge.text, key.sign(challenge.text)) for _ in range(3)),
        )
        assert answers.count("came in") == 1

    asyncio.run(story())


@pytest.mark.parametrize(("waited", "outcome"), [(59_999, "came in"), (60_000, "not_allowed"), (10**9, "not_allowed")])
def test_a_challenge_lasts_a_minute(hall: Hallway, waited: int, outcome: str) -> None:
    async def story() -> None:
        key = Key()
        challenge = await hall.people.challenge(key.raw)
        assert challenge.expires == hall.clock.at + 60_000
        hall.clock.at += waited
        assert (await refusal(hall, challenge.text, key.sign(challenge.text))).startswith(outcome)

    asyncio.run(story())


def test_only_the_challenged_key_answers(hall: Hallway) -> None:
    async def story() -> None:
        key, other = Key(), Key()
        for sign in (other.sign, lambda text: key.private.sign(text.encode()), lambda _: b""):
            challenge = await hall.people.challenge(key.raw)
            signature: bytes = sign(challenge.text)
            assert "not_allowed: The signature" in await refusal(hall, challenge.text, signature)
        assert (await hall.store.counts()).accounts == 0

    asyncio.run(story())


def test_what_is_signed_is_a_line_that_says_what_for_and_the_challenge() -> None:
    key = Key()
    assert signed(key.der, "abc", key.private.sign(b"dicehall/key\nabc"))
    assert not signed(key.der, "abc", key.private.sign(b"abc"))
    assert not signed(to_der(b"\xff" * 32), "abc", bytes(64))  # no point of the curve
