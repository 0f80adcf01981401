"""What every store of people promises: SQLite, PostgreSQL and memory answer alike."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dicehall.hall.names import Name, read_name
from dicehall.hall.ports import Account, Counts, PeopleStore, Session
from dicehall.store import MemoryJournal, MemoryPeople, SqliteJournal, SqlitePeople
from dicehall.store.postgres_people import PostgresPeople
from dicehall.store.schema import APPLICATION, migrations
from dicehall.table.ports import Unavailable
from tests.postgres import postgres_journal
from tests.store.journals import act, outcome


@pytest.fixture(params=["sqlite", "memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PeopleStore]:
    if request.param == "postgres":
        with postgres_journal() as shared:
            yield shared.beside(PostgresPeople)
        return
    if request.param == "memory":
        yield MemoryPeople(MemoryJournal())
        return
    journal = SqliteJournal(tmp_path / "hall.db")
    yield SqlitePeople(journal)
    journal.close()


def somebody(name: str, *, guest: bool = True) -> tuple[Account, Name]:
    return Account(f"id of {name}", name, "fox", guest, 1000), read_name(name)


ANN, BO = somebody("Ann"), somebody("Bo")


class TestAccounts:
    def test_an_account_is_read_as_it_was_written(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN, password="hash", key=b"key")
            await store.add(*BO)
            assert await store.account("id of Ann") == ANN[0] == await store.keyed(b"key")
            assert await store.named("ann") == (ANN[0], "hash")
            assert await store.named("bo") == (BO[0], None)
            assert (await store.password("id of Ann"), await store.password("id of Bo")) == ("hash", None)

        asyncio.run(story())

    def test_nobody_is_found_where_nobody_is(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN)
            assert await store.account("id of Bo") is None
            assert await store.named("") is None
            assert await store.named("bo") is None
            assert await store.keyed(b"") is None
            assert await store.password("id of Bo") is None

        asyncio.run(story())

    def test_what_is_somebodys_is_taken_and_nothing_of_the_newcomer_stays(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN, key=b"key")
            clashes: list[Callable[[], Any]] = [
                lambda: store.add(ANN[0], BO[1]),  # the id
                lambda: store.add(*BO, key=b"key"),
                lambda: store.add(BO[0], read_name("ANN")),
                lambda: store.add(BO[0], read_name("ΑΝΝ")),
            ]
            assert [await outcome(clash()) for clash in clashes] == ["Taken"] * 4
            assert await store.taken({"bo", "ann", "cy"}) == {"ann"}
            assert await store.counts() == Counts(0, 1)
            assert await outcome(store.add(*BO)) == "stored"

        asyncio.run(story())

    def test_one_shared_skeleton_of_several_is_enough_to_be_taken(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(ANN[0], Name("One", "one", frozenset({"a", "b"})))
            assert await outcome(store.add(BO[0], Name("Two", "two", frozenset({"b", "c"})))) == "Taken"
            assert await store.taken({"a", "b", "c"}) == {"a", "b"}
            assert await outcome(store.add(BO[0], Name("Two", "two", frozenset({"c"})))) == "stored"

        asyncio.run(story())

    def test_a_new_name_takes_its_skeletons_and_frees_the_old(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN)
            await store.add(*BO)
            assert await outcome(store.rename("id of Bo", read_name("ann"))) == "Taken"
            assert await store.named("bo") == (BO[0], None)
            assert await store.taken({"bo"}) == {"bo"}
            await store.rename("id of Ann", read_name("ANN"))
            await store.rename("id of Ann", read_name("Cy"))
            assert await store.taken({"ann", "bo", "cy"}) == {"bo", "cy"}
            assert await store.named("ann") is None
            found = await store.named("cy")
            assert found is not None
            assert (found[0].id, found[0].name) == ("id of Ann", "Cy")

        asyncio.run(story())

    def test_a_first_password_or_key_ends_being_a_guest(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN)
            await store.add(*BO)
            await store.add(*somebody("Cy"))
            assert await store.counts() == Counts(0, 3)
            await store.set_password("id of Ann", "hash", None)
            await store.add_key("id of Bo", b"key", 10)
            assert await store.counts() == Counts(2, 1)
            keyed = await store.keyed(b"key")
            assert keyed is not None
            assert (keyed.id, keyed.guest) == ("id of Bo", False)

        asyncio.run(story())

    def test_a_password_is_changed_only_by_who_knows_the_one_before(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN)
            assert await outcome(store.set_password("id of Ann", "second", "first")) == "PasswordReplaced"
            assert await outcome(store.set_password("id of Ann", "first", None)) == "stored"
            assert await outcome(store.set_password("id of Ann", "other", None)) == "PasswordReplaced"
            assert await outcome(store.set_password("id of Ann", "second", "first")) == "stored"
            assert await outcome(store.set_password("id of Bo", "first", None)) == "PasswordReplaced"
            assert await store.password("id of Ann") == "second"

        asyncio.run(story())

    def test_a_key_is_one_accounts_and_an_account_may_have_several(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN, key=b"one")
            await store.add(*BO)
            assert await outcome(store.add_key("id of Bo", b"one", 10)) == "Taken"
            assert await store.account("id of Bo") == BO[0]
            await store.add_key("id of Ann", b"two", 10)
            assert await store.keyed(b"one") == await store.keyed(b"two")

        asyncio.run(story())

    def test_an_account_has_only_so_many_keys_and_a_refused_one_stays_free(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN, key=b"b")
            await store.add(*BO)
            await store.add_key("id of Ann", b"a", 2)
            assert await outcome(store.add_key("id of Ann", b"c", 2)) == "TooManyKeys"
            assert await store.keys("id of Ann") == [b"a", b"b"]
            await store.add_key("id of Bo", b"c", 2)
            assert await store.keys("id of Bo") == [b"c"]
            assert await store.keys("nobody") == []

        asyncio.run(story())

    def test_a_key_is_removed_by_its_account_unless_it_is_the_last_way_in(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add(*ANN, key=b"one")
            await store.add(*BO, password="hash", key=b"two")
            for digest in (b"here", b"there"):
                await store.add_session(Session(digest, "id of Bo", 9000), 0)
            assert await store.remove_key("id of Ann", b"two", None) is False
            assert await store.remove_key("nobody", b"one", None) is False
            assert await outcome(store.remove_key("id of Ann", b"one", None)) == "LastWayIn"
            assert await store.keyed(b"one") == ANN[0]
            assert await store.remove_key("id of Bo", b"two", b"here") is True
            assert await store.keyed(b"two") is None
            assert [await store.session(digest) is None for digest in (b"here", b"there")] == [False, True]

        asyncio.run(story())

    def test_an_event_is_used_once_until_it_expires(self, store: PeopleStore) -> None:
        async def story() -> None:
            assert await outcome(store.use_event(b"one", 2000, 1000)) == "stored"
            assert await outcome(store.use_event(b"two", 3000, 1000)) == "stored"
            assert await outcome(store.use_event(b"one", 2000, 1999)) == "Taken"
            assert await outcome(store.use_event(b"one", 4000, 2000)) == "stored"  # it would be too old to be shown
            assert await outcome(store.use_event(b"two", 3000, 2999)) == "Taken"

        asyncio.run(story())

    def test_nothing_is_kept_of_changes_to_nobody(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.rename("nobody", read_name("Ann"))
            await store.set_avatar("nobody", "owl")
            await store.add_key("nobody", b"key", 10)
            assert await store.taken({"ann"}) == frozenset()
            assert await outcome(store.add(*ANN, key=b"key")) == "stored"
            await store.set_avatar("id of Ann", "owl")
            account = await store.account("id of Ann")
            assert account is not None
            assert account.avatar == "owl"

        asyncio.run(story())

    def test_of_many_at_once_those_that_clash_are_refused_alone(self, store: PeopleStore) -> None:
        async def story() -> None:
            crowd = [somebody(f"Guest {number}") for number in range(50, 100)]
            waiting = [store.add(*one) for one in (*crowd, *crowd[10:20])]
            answers = await asyncio.gather(*(outcome(one) for one in waiting))
            assert answers == ["stored"] * 50 + ["Taken"] * 10
            assert await store.counts() == Counts(0, 50)

        asyncio.run(story())


class TestChallenges:
    def test_a_challenge_is_taken_once_and_in_time(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add_challenge("early", b"key", 2000, 1000)
            await store.add_challenge("late", b"key", 2000, 1000)
            assert await outcome(store.add_challenge("late", b"other", 2000, 1000)) == "Taken"
            assert await store.take_challenge("early", 1999) == b"key"
            assert await store.take_challenge("early", 1999) is None
            assert await store.take_challenge("late", 2000) is None
            assert await store.take_challenge("late", 1999) is None  # a late try uses it up too
            assert await store.take_challenge("unknown", 1000) is None

        asyncio.run(story())

    def test_expired_challenges_make_room(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add_challenge("old", b"key", 2000, 1000)
            await store.add_challenge("older", b"key", 2001, 1000)
            await store.add_challenge("new", b"key", 3000, 2000)
            assert await store.take_challenge("old", 1000) is None
            assert await store.take_challenge("older", 1000) == b"key"

        asyncio.run(story())


class TestSessions:
    def test_a_session_is_kept_renewed_and_dropped(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add_session(Session(b"one", "ann", 2000), 1000)
            assert await store.session(b"one") == Session(b"one", "ann", 2000)
            await store.renew_session(b"one", 3000)
            assert await store.session(b"one") == Session(b"one", "ann", 3000)
            await store.drop_session(b"one")
            await store.drop_session(b"one")
            await store.renew_session(b"one", 4000)
            assert await store.session(b"one") is None

        asyncio.run(story())

    def test_all_sessions_of_an_account_are_dropped_or_all_but_one(self, store: PeopleStore) -> None:
        async def story() -> None:
            for digest, account in ((b"1", "ann"), (b"2", "ann"), (b"3", "ann"), (b"4", "bo")):
                await store.add_session(Session(digest, account, 2000), 1000)
            await store.drop_sessions("ann", but=b"2")
            assert [await store.session(digest) is not None for digest in (b"1", b"2", b"3", b"4")] == [
                False,
                True,
                False,
                True,
            ]
            await store.drop_sessions("ann", but=None)
            assert await store.session(b"2") is None
            assert await store.session(b"4") is not None

        asyncio.run(story())

    def test_expired_sessions_make_room(self, store: PeopleStore) -> None:
        async def story() -> None:
            await store.add_session(Session(b"old", "ann", 2000), 1000)
            await store.add_session(Session(b"older", "ann", 2001), 1000)
            assert await outcome(store.add_session(Session(b"old", "bo", 2000), 1000)) == "Taken"
            await store.add_session(Session(b"new", "ann", 9000), 2000)
            assert await store.session(b"old") is None
            assert await store.session(b"older") is not None

        asyncio.run(story())


class TestTheFile:
    def test_people_are_there_after_a_restart(self, tmp_path: Path) -> None:
        async def write(store: PeopleStore) -> None:
            await store.add(*ANN, password="hash", key=b"key")
            await store.add_session(Session(b"digest", "id of Ann", 9000), 1000)
            await store.add_challenge("text", b"key", 9000, 1000)

        async def read(store: PeopleStore) -> None:
            assert await store.named("ann") == (ANN[0], "hash")
            assert await store.keyed(b"key") == ANN[0]
            assert await store.session(b"digest") == Session(b"digest", "id of Ann", 9000)
            assert await store.take_challenge("text", 1000) == b"key"

        for story in (write, read):
            journal = SqliteJournal(tmp_path / "hall.db")
            asyncio.run(story(SqlitePeople(journal)))
            journal.close()

    def test_acts_and_people_share_a_commit_and_a_refusal_of_one_costs_the_other_nothing(self, tmp_path: Path) -> None:
        async def story(journal: SqliteJournal, store: PeopleStore) -> None:
            await journal.append(act(1))
            answers = await asyncio.gather(
                *(outcome(one) for one in (store.add(*ANN), journal.append(act(2)), store.add(*ANN), store.add(*BO))),
                outcome(journal.append(act(2))),
                outcome(journal.append(act(3, account="ann", id="x"))),
                outcome(journal.append(act(4, account="ann", id="x"))),
            )
            assert answers == ["stored", "stored", "Taken", "stored", "Taken", "stored", "Taken"]
            assert [row.seq for row in await journal.rows("oak")] == [1, 2, 3]
            assert await store.counts() == Counts(0, 2)

        journal = SqliteJournal(tmp_path / "hall.db")
        asyncio.run(story(journal, SqlitePeople(journal)))
        journal.close()

    def test_what_cannot_be_stored_is_no_name_that_is_taken(self, tmp_path: Path) -> None:
        journal = SqliteJournal(tmp_path / "hall.db")
        nameless: Any = Name(None, "ann", frozenset({"ann"}))  # type: ignore[arg-type]
        with pytest.raises(Unavailable, match="cannot be stored"):
            asyncio.run(SqlitePeople(journal).add(ANN[0], nameless))
        assert asyncio.run(SqlitePeople(journal).taken({"ann"})) == frozenset()
        journal.close()
        with pytest.raises(Unavailable, match="closed"):
            asyncio.run(SqlitePeople(journal).add(*ANN))

    def test_a_file_from_before_there_were_people_gets_room_for_them(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "hall.db")) as old:
            old.executescript(f"{migrations()[0]}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;")
        journal = SqliteJournal(tmp_path / "hall.db")
        asyncio.run(SqlitePeople(journal).add(*ANN))
        assert asyncio.run(SqlitePeople(journal).account("id of Ann")) == ANN[0]
        journal.close()
