"""Ways in, names and pictures."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dicehall.core.game import Refused
from dicehall.hall import principals
from dicehall.hall.avatars import AVATARS
from dicehall.hall.passwords import Cost
from dicehall.hall.ports import Account, Counts
from dicehall.hall.sessions import Token
from dicehall.store import MemoryJournal, MemoryPeople
from tests.hall.fakes import CountedEntropy, Hallway, Key, WatchedPasswords, outcome

SECRET = "correct horse"


class TestGuests:
    def test_a_guest_comes_in_with_one_call(self, hallway: Hallway) -> None:
        async def story() -> None:
            entered = await hallway.people.guest("Ann")
            account = entered.account
            assert (account.name, account.guest, account.created) == ("Ann", True, hallway.clock.at)
            assert account.avatar in AVATARS
            assert principals.to_bytes(account.id)[-1:] == b"\x01"
            assert await hallway.people.who(entered.token) == account

        asyncio.run(story())

    def test_a_taken_name_gets_a_number_and_the_answer_says_which(self, hallway: Hallway) -> None:
        async def story() -> None:
            await hallway.people.sign_up("Ann", SECRET)
            names = [(await hallway.people.guest(name)).account.name for name in ("Ann", "ANN", "ΑΝΝ", "Bo")]
            assert names == ["Ann 2", "ANN 3", "ΑΝΝ 4", "Bo"]

        asyncio.run(story())

    def test_a_crowd_of_guests_without_names_all_find_one(self, hallway: Hallway) -> None:
        async def story() -> None:
            entered = await asyncio.gather(*(hallway.people.guest() for _ in range(60)))
            names = [one.account.name for one in entered]
            assert len(set(names)) == 60
            assert {"Guest", "Guest 2", "Guest 9"} <= set(names)
            assert all(name.split(" ")[0] == "Guest" for name in names)
            assert await hallway.store.counts() == Counts(0, 60)

        asyncio.run(story())

    def test_a_bad_name_is_refused_to_a_guest_too(self, hallway: Hallway) -> None:
        assert asyncio.run(outcome(hallway.people.guest("x" * 25))) == "bad_request"

    def test_where_every_name_is_taken_the_guest_is_told_so(self) -> None:
        class Full(MemoryPeople):
            async def taken(self, skeletons: Any) -> frozenset[str]:
                return frozenset(skeletons)

        assert asyncio.run(outcome(Hallway(Full(MemoryJournal())).people.guest())) == "name_taken"


class TestPasswords:
    def test_who_signed_up_signs_in_by_a_name_in_any_case(self, hallway: Hallway) -> None:
        async def story() -> None:
            made = await hallway.people.sign_up("Ann Lee", SECRET)
            assert not made.account.guest
            for name in ("Ann Lee", "ann lee", " ANN  LEE "):
                entered = await hallway.people.sign_in(name, SECRET)
                assert entered.account == made.account == await hallway.people.who(entered.token)

        asyncio.run(story())

    @pytest.mark.parametrize("name", ["Ann", "ann", "ΑΝΝ"])
    def test_a_taken_name_is_refused_to_who_signs_up(self, hallway: Hallway, name: str) -> None:
        """W11: a name that is taken."""

        async def story() -> None:
            await hallway.people.guest("Ann")
            assert await outcome(hallway.people.sign_up(name, SECRET)) == "name_taken"
            assert await hallway.store.counts() == Counts(0, 1)

        asyncio.run(story())

    @pytest.mark.parametrize(("name", "password"), [("", SECRET), ("x" * 25, SECRET), ("Ann", "short"), ("Ann", "")])
    def test_a_bad_name_or_password_is_refused_to_who_signs_up(
        self, hallway: Hallway, name: str, password: str
    ) -> None:
        assert asyncio.run(outcome(hallway.people.sign_up(name, password))) == "bad_request"

    def test_every_failed_sign_in_is_refused_alike_and_after_the_same_work(self, hallway: Hallway) -> None:
        async def story() -> None:
            await hallway.people.sign_up("Ann", SECRET)
            await hallway.people.guest("Bo")
            sentences = set()
            for name in ("Ann", "Bo", "Nobody", "", "x" * 500, "\x00"):
                before = len(hallway.passwords.verified)
                with pytest.raises(Refused) as refused:
                    await hallway.people.sign_in(name, "wrong horse")
                sentences.add(str(refused.value))
                assert len(hallway.passwords.verified) == before + 1
            assert len(sentences) == 1
            assert sentences.pop().startswith("wrong_password")

        asyncio.run(story())

    def test_a_look_alike_of_a_name_does_not_sign_in(self, hallway: Hallway) -> None:
        async def story() -> None:
            await hallway.people.sign_up("Ann", SECRET)
            assert await outcome(hallway.people.sign_in("Αnn", SECRET)) == "wrong_password"

        asyncio.run(story())

    def test_a_hash_of_another_cost_is_made_anew_at_the_next_sign_in(self, hallway: Hallway) -> None:
        class Dearer(WatchedPasswords):
            def __init__(self) -> None:
                self.verified = []
                super(WatchedPasswords, self).__init__(CountedEntropy(), Cost(2, 16, 1))

        async def story() -> None:
            made = await hallway.people.sign_up("Ann", SECRET)
            old = await hallway.store.password(made.account.id)
            hallway.passwords = Dearer()
            await hallway.people.sign_in("Ann", SECRET)
            new = await hallway.store.password(made.account.id)
            assert new != old
            assert new is not None
            assert not hallway.passwords.outdated(new)
            await hallway.people.sign_in("Ann", SECRET)
            assert await hallway.store.password(made.account.id) == new

        asyncio.run(story())

    def test_another_password_asks_for_the_old_one_and_signs_out_everywhere_else(self, hallway: Hallway) -> None:
        async def story() -> None:
            here = await hallway.people.sign_up("Ann", SECRET)
            there = await hallway.people.sign_in("Ann", SECRET)
            id = here.account.id
            for old in ("", "wrong horse"):
                assert await outcome(hallway.people.set_password(id, "new password", old)) == "wrong_password"
            assert await outcome(hallway.people.set_password(id, "short", SECRET)) == "bad_request"
            await hallway.people.who(there.token)
            await hallway.people.set_password(id, "new password", SECRET, here.token)
            assert await outcome(hallway.people.who(there.token)) == "not_signed_in"
            assert await hallway.people.who(here.token) == here.account
            assert await outcome(hallway.people.sign_in("Ann", SECRET)) == "wrong_password"
            assert (await hallway.people.sign_in("Ann", "new password")).account == here.account

        asyncio.run(story())

    def test_of_two_first_passwords_at_once_one_counts(self, hallway: Hallway) -> None:
        async def story() -> None:
            id = (await hallway.people.guest("Ann")).account.id
            set_ = [outcome(hallway.people.set_password(id, f"password {number}")) for number in range(2)]
            answers = await asyncio.gather(*set_)
            assert sorted(isinstance(answer, Account) for answer in answers) == [False, True]
            assert "wrong_password" in answers
            entered = [await outcome(hallway.people.sign_in("Ann", f"password {number}")) for number in range(2)]
            assert [answer == "wrong_password" for answer in entered] == [
                answer == "wrong_password" for answer in answers
            ]

        asyncio.run(story())


class TestBecomingAnAccount:
    def test_a_guest_with_a_password_keeps_everything(self, hallway: Hallway) -> None:
        async def story() -> None:
            guest = await hallway.people.guest("Ann")
            account = await hallway.people.set_password(guest.account.id, SECRET, here=guest.token)
            assert account == Account(guest.account.id, "Ann", guest.account.avatar, False, guest.account.created)
            assert await hallway.people.who(guest.token) == account
            assert (await hallway.people.sign_in("Ann", SECRET)).account == account
            assert await hallway.store.counts() == Counts(1, 0)

        asyncio.run(story())

    def test_a_guest_with_a_key_keeps_everything_and_the_key_is_a_way_in(self, hallway: Hallway) -> None:
        async def story() -> None:
            key, guest = Key(), await hallway.people.guest("Ann")
            challenge = await hallway.people.challenge(key.raw)
            account = await hallway.people.add_key(
                guest.account.id, challenge.text, key.sign(challenge.text), guest.token
            )
            assert account == Account(guest.account.id, "Ann", guest.account.avatar, False, guest.account.created)
            again = await hallway.people.challenge(key.raw)
            entered = await hallway.people.sign_in_with_key(again.text, key.sign(again.text))
            assert entered.account == account == await hallway.people.who(guest.token)
            assert await hallway.store.counts() == Counts(1, 0)

        asyncio.run(story())

    def test_one_key_opens_one_account(self, hallway: Hallway) -> None:
        async def story() -> None:
            key = Key()
            ann, bo = await hallway.people.guest("Ann"), await hallway.people.guest("Bo")
            answers = []
            for guest in (ann, bo, ann):
                challenge = await hallway.people.challenge(key.raw)
                signature = key.sign(challenge.text)
                answers.append(await outcome(hallway.people.add_key(guest.account.id, challenge.text, signature)))
            assert answers[1] == "not_allowed"
            assert answers[0] == answers[2] != "not_allowed"
            assert (await hallway.people.account(bo.account.id)).guest

        asyncio.run(story())


class TestAccounts:
    def test_an_account_is_found_by_id_and_by_name(self, hallway: Hallway) -> None:
        async def story() -> None:
            account = (await hallway.people.guest("Ann")).account
            assert account == await hallway.people.account(account.id) == await hallway.people.named("ANN")
            assert await outcome(hallway.people.account("aaaaa-aa")) == "no_such_account"
            assert await outcome(hallway.people.named("Bo")) == "no_such_account"
            assert await outcome(hallway.people.named("")) == "no_such_account"

        asyncio.run(story())

    def test_a_new_name_frees_the_old_one(self, hallway: Hallway) -> None:
        async def story() -> None:
            ann, bo = (await hallway.people.guest("Ann")).account, (await hallway.people.guest("Bo")).account
            assert await outcome(hallway.people.rename(bo.id, "ann")) == "name_taken"
            assert (await hallway.people.account(bo.id)).name == "Bo"
            assert (await hallway.people.rename(ann.id, "ANN")).name == "ANN"  # one's own name, in another case
            assert (await hallway.people.rename(ann.id, "Cy")).name == "Cy"
            assert (await hallway.people.rename(bo.id, "Ann")).name == "Ann" == (await hallway.people.named("ann")).name
            assert await outcome(hallway.people.rename(bo.id, "")) == "bad_request"
            assert await outcome(hallway.people.rename("aaaaa-aa", "Di")) == "no_such_account"

        asyncio.run(story())

    def test_a_picture_is_one_of_the_drawn_set(self, hallway: Hallway) -> None:
        async def story() -> None:
            ann = (await hallway.people.guest("Ann")).account
            assert (await hallway.people.set_avatar(ann.id, "wren")).avatar == "wren"
            assert (await hallway.people.account(ann.id)).avatar == "wren"
            assert await outcome(hallway.people.set_avatar(ann.id, "https://example.org/me.png")) == "bad_request"
            assert await outcome(hallway.people.set_avatar("aaaaa-aa", "wren")) == "no_such_account"
            others = [(await hallway.people.guest()).account.avatar for _ in range(20)]
            assert len(set(others)) > 5

        asyncio.run(story())

    def test_the_drawn_set_has_24_pictures(self) -> None:
        assert len(set(AVATARS)) == len(AVATARS) == 24

    def test_signing_out_ends_one_session_or_all(self, hallway: Hallway) -> None:
        async def story() -> None:
            first = await hallway.people.sign_up("Ann", SECRET)
            second, third = [await hallway.people.sign_in("Ann", SECRET) for _ in range(2)]
            await hallway.people.sign_out(first.token)
            assert await outcome(hallway.people.who(first.token)) == "not_signed_in"
            assert await hallway.people.who(second.token) == first.account
            await hallway.people.sign_out_everywhere(first.account.id)
            assert await outcome(hallway.people.who(second.token)) == "not_signed_in"
            assert await outcome(hallway.people.who(third.token)) == "not_signed_in"
            assert await outcome(hallway.people.who(Token("made up"))) == "not_signed_in"

        asyncio.run(story())
