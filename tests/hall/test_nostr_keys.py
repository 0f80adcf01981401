"""Nostr keys of accounts: an event signs in once, and a key can be added, listed and removed."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.core.game import Refused
from dicehall.hall import principals
from dicehall.hall.keys import SignedEvent, nostr_from_der, nostr_to_der
from dicehall.hall.people import MOST_KEYS
from tests.hall.fakes import Hallway, outcome

SECRET = "correct horse"
MINUTE = 60_000
# The generator of the group, x alone: the public key of the secret key 1. Its DER is what openssl makes of it.
GENERATOR = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
DER = "3036301006072a8648ce3d020106052b8104000a03220002" + GENERATOR


def event(hallway: Hallway, number: int, key: int = 1) -> SignedEvent:
    """A verified event; its id is *number*, and so on."""
    public = bytes([key]) * 32
    npub = f"npub1{key:08}wxyzwxyz"
    return SignedEvent(number.to_bytes(32, "big"), nostr_to_der(public), npub, hallway.clock.at + MINUTE)


def test_a_nostr_key_is_kept_as_the_point_with_the_even_y_in_der() -> None:
    assert nostr_to_der(bytes.fromhex(GENERATOR)).hex() == DER
    assert nostr_from_der(bytes.fromhex(DER)) == bytes.fromhex(GENERATOR)
    assert nostr_from_der(bytes.fromhex("302a300506032b6570032100" + GENERATOR)) is None
    with pytest.raises(Refused, match="32 bytes"):
        nostr_to_der(bytes(31))


def test_the_first_event_makes_the_account_and_the_next_one_finds_it(hallway: Hallway) -> None:
    async def story() -> None:
        first = await hallway.people.sign_in_with_event(event(hallway, 1), "Ann")
        assert (first.account.name, first.account.guest) == ("Ann", False)
        assert first.account.id == principals.of_key(event(hallway, 1).key)
        again = await hallway.people.sign_in_with_event(event(hallway, 2), "Bo")
        assert again.account == first.account == await hallway.people.who(again.token)

    asyncio.run(story())


def test_somebody_without_a_name_is_called_by_a_short_npub_with_a_number_where_it_is_taken(hallway: Hallway) -> None:
    async def story() -> None:
        await hallway.people.guest("npub10000000")
        first = await hallway.people.sign_in_with_event(event(hallway, 1))
        assert (first.account.name, first.account.guest) == ("npub10000000 2", False)

    asyncio.run(story())


def test_names_follow_the_rules_of_everybody_and_a_refused_one_makes_no_account(hallway: Hallway) -> None:
    async def story() -> None:
        await hallway.people.guest("Ann")
        assert await outcome(hallway.people.sign_in_with_event(event(hallway, 1), "")) == "bad_request"
        assert await outcome(hallway.people.sign_in_with_event(event(hallway, 1), "ann")) == "name_taken"
        assert (await hallway.store.counts()).accounts == 0

    asyncio.run(story())


def test_an_event_signs_in_once_also_if_it_is_shown_several_times_at_once(hallway: Hallway) -> None:
    async def story() -> None:
        shown = [outcome(hallway.people.sign_in_with_event(event(hallway, 1))) for _ in range(4)]
        answers = await asyncio.gather(*shown)
        assert sorted(map(str, answers)).count("not_signed_in") == 3
        hallway.clock.at += MINUTE - 1
        used = SignedEvent((1).to_bytes(32, "big"), nostr_to_der(bytes(32)), "npub1", hallway.clock.at + 1)
        assert await outcome(hallway.people.sign_in_with_event(used)) == "not_signed_in"

    asyncio.run(story())


def test_two_first_events_of_one_key_at_once_make_one_account(hallway: Hallway) -> None:
    async def story() -> None:
        entered = await asyncio.gather(
            *(hallway.people.sign_in_with_event(event(hallway, number)) for number in range(4)),
            *(hallway.people.sign_in_with_event(event(hallway, number), "Ann") for number in range(4, 8)),
        )
        assert len({one.account.id for one in entered}) == 1
        assert (await hallway.store.counts()).accounts == 1

    asyncio.run(story())


def test_a_guest_who_adds_a_key_keeps_everything_and_is_signed_out_elsewhere(hallway: Hallway) -> None:
    async def story() -> None:
        guest = await hallway.people.guest("Ann")
        elsewhere = await hallway.people.sessions.open(guest.account.id)
        account = await hallway.people.add_nostr_key(guest.account.id, event(hallway, 1), guest.token)
        assert (account.id, account.name, account.guest) == (guest.account.id, "Ann", False)
        assert await outcome(hallway.people.who(elsewhere)) == "not_signed_in"
        assert await hallway.people.who(guest.token) == account
        assert (await hallway.people.sign_in_with_event(event(hallway, 2))).account == account

    asyncio.run(story())


def test_a_key_of_another_account_is_refused_and_a_used_event_too(hallway: Hallway) -> None:
    async def story() -> None:
        ann = await hallway.people.sign_in_with_event(event(hallway, 1), "Ann")
        bo = await hallway.people.guest("Bo")
        assert await outcome(hallway.people.add_nostr_key(bo.account.id, event(hallway, 2))) == "not_allowed"
        assert await outcome(hallway.people.add_nostr_key(bo.account.id, event(hallway, 1, key=2))) == "not_signed_in"
        assert (await hallway.people.account(bo.account.id)).guest
        assert await hallway.people.keys(ann.account.id) == [event(hallway, 1).key]

    asyncio.run(story())


def test_an_account_has_at_most_ten_keys(hallway: Hallway) -> None:
    async def story() -> None:
        ann = await hallway.people.sign_in_with_event(event(hallway, 1), "Ann")
        for key in range(2, MOST_KEYS + 1):
            await hallway.people.add_nostr_key(ann.account.id, event(hallway, key, key))
        more = event(hallway, 99, key=99)
        assert await outcome(hallway.people.add_nostr_key(ann.account.id, more)) == "not_allowed"
        assert len(await hallway.people.keys(ann.account.id)) == MOST_KEYS == 10

    asyncio.run(story())


def test_a_removed_key_signs_in_to_another_account_and_the_last_way_in_stays(hallway: Hallway) -> None:
    async def story() -> None:
        ann = await hallway.people.sign_in_with_event(event(hallway, 1), "Ann")
        key, id = event(hallway, 1).key, ann.account.id
        assert await outcome(hallway.people.remove_key(id, key, ann.token)) == "not_allowed"
        assert await outcome(hallway.people.set_password(id, SECRET, here=ann.token)) == "not_allowed"
        await hallway.people.set_password(id, SECRET, here=ann.token, key=key)
        elsewhere = await hallway.people.sign_in_with_event(event(hallway, 2))
        await hallway.people.remove_key(id, key, ann.token)
        assert await outcome(hallway.people.who(elsewhere.token)) == "not_signed_in"
        assert await hallway.people.who(ann.token) == ann.account
        for name in (None, "Bo"):
            newcomer = await hallway.people.sign_in_with_event(event(hallway, 3 if name else 4), name)
            assert newcomer.account.id != id
        assert (await hallway.people.sign_in("Ann", SECRET)).account.id == id

    asyncio.run(story())


def test_a_key_of_the_account_sets_another_password_and_no_other_key_does(hallway: Hallway) -> None:
    async def story() -> None:
        ann = await hallway.people.sign_up("Ann", SECRET)
        id, mine, other = ann.account.id, event(hallway, 1), event(hallway, 2, key=2)
        await hallway.people.add_nostr_key(id, mine)
        wrong = hallway.people.set_password(id, "another horse", key=other.key)
        assert await outcome(wrong) == "wrong_password"
        await hallway.people.set_password(id, "another horse", key=mine.key)
        assert (await hallway.people.sign_in("Ann", "another horse")).account.id == id

    asyncio.run(story())


def test_a_second_key_takes_a_password(hallway: Hallway) -> None:
    async def story() -> None:
        ann = await hallway.people.sign_in_with_event(event(hallway, 1), "Ann")
        assert await outcome(hallway.people.confirm(ann.account.id, "")) == "not_allowed"
        guest = await hallway.people.guest("Bo")
        await hallway.people.confirm(guest.account.id, "")

    asyncio.run(story())
