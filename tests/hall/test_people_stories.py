"""Random lives of accounts, held against a model that is told only what was answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, precondition, rule

from dicehall.core.game import Refused
from dicehall.hall.avatars import AVATARS
from dicehall.hall.names import read_name
from dicehall.hall.people import Entered
from dicehall.hall.ports import Account, Counts, PeopleStore
from dicehall.hall.sessions import Token
from dicehall.store import MemoryJournal, MemoryPeople, SqliteJournal, SqlitePeople
from tests.hall.fakes import DAY, Hallway, Key

NAMES = st.sampled_from(["Ann", "ann", "ΑΝΝ", "Ivy", "ivy", "lvy", "Kate", "ΚΑΤΕ", "modern", "modem", "Bo", "Bo 2", ""])
PASSWORDS = st.sampled_from(["correct horse", "battery staple"])
KEYS = tuple(Key() for _ in range(3))


class Lives(RuleBasedStateMachine):
    tokens: Bundle[Token] = Bundle("tokens")

    def __init__(self) -> None:
        super().__init__()
        self.hall = Hallway(self.new_store())
        self.loop = asyncio.new_event_loop()
        self.accounts: dict[str, Account] = {}
        self.passwords: dict[str, str] = {}
        self.keys: dict[bytes, str] = {}
        self.sessions: dict[str, tuple[str, int]] = {}  # by token: whose, and until when

    def new_store(self) -> PeopleStore:
        return MemoryPeople(MemoryJournal())

    def teardown(self) -> None:
        self.hall.passwords.close()
        self.loop.close()

    # -- what happens -----------------------------------------------------------------------------

    @rule(target=tokens, name=NAMES)
    def guest(self, name: str) -> Any:
        entered = self.ask(self.hall.people.guest(name))
        if not name:
            assert entered == "bad_request"
            return multiple()
        assert entered.account.guest
        if self.is_free(name):
            assert entered.account.name == read_name(name).text
        return self.newcomer(entered)

    @rule(target=tokens, name=NAMES, password=PASSWORDS)
    def sign_up(self, name: str, password: str) -> Any:
        free, entered = self.is_free(name), self.ask(self.hall.people.sign_up(name, password))
        if not name or not free:
            assert entered == ("name_taken" if name else "bad_request")
            return multiple()
        assert (entered.account.name, entered.account.guest) == (name, False)
        self.passwords[entered.account.id] = password
        return self.newcomer(entered)

    @rule(target=tokens, name=NAMES, password=PASSWORDS)
    def sign_in(self, name: str, password: str) -> Any:
        entered = self.ask(self.hall.people.sign_in(name, password))
        meant = [one for one in self.accounts.values() if one.name.casefold() == name.casefold()]
        if not meant or self.passwords.get(meant[0].id) != password:
            assert entered == "wrong_password"
            return multiple()
        assert entered.account == meant[0]
        return self.came_in(entered)

    @rule(target=tokens, key=st.sampled_from(KEYS), name=st.none() | NAMES)
    def sign_in_with_key(self, key: Key, name: str | None) -> Any:
        free = name is None or self.is_free(name)
        challenge = self.ask(self.hall.people.challenge(key.raw))
        entered = self.ask(self.hall.people.sign_in_with_key(challenge.text, key.sign(challenge.text), name))
        known = self.keys.get(key.der)
        if name == "":
            assert entered == "bad_request"
            return multiple()
        if known is not None:
            assert entered.account == self.accounts[known]
            return self.came_in(entered)
        if not free:
            assert entered == "name_taken"
            return multiple()
        self.keys[key.der] = entered.account.id
        return self.newcomer(entered)

    @rule(token=tokens, name=NAMES)
    def rename(self, token: Token, name: str) -> None:
        id = self.owner(token)
        if id is None:
            return
        free, renamed = self.is_free(name, but=id), self.ask(self.hall.people.rename(id, name))
        if name and free:
            self.accounts[id] = replace(self.accounts[id], name=name)
            assert renamed == self.accounts[id]
        else:
            assert renamed == ("name_taken" if name else "bad_request")

    @rule(token=tokens, avatar=st.sampled_from([*AVATARS, "dragon"]))
    def choose_avatar(self, token: Token, avatar: str) -> None:
        id = self.owner(token)
        if id is None:
            return
        changed = self.ask(self.hall.people.set_avatar(id, avatar))
        if avatar == "dragon":
            assert changed == "bad_request"
        else:
            self.accounts[id] = replace(self.accounts[id], avatar=avatar)

    @rule(token=tokens, password=PASSWORDS, old=PASSWORDS)
    def set_password(self, token: Token, password: str, old: str) -> None:
        id = self.owner(token)
        if id is None:
            return
        before = self.passwords.get(id)
        changed = self.ask(self.hall.people.set_password(id, password, old, token))
        if before is None and not self.accounts[id].guest:
            assert changed == "not_allowed"  # a key of the account has to sign
            return
        if before not in (None, old):
            assert changed == "wrong_password"
            return
        self.passwords[id] = password
        self.accounts[id] = replace(self.accounts[id], guest=False)
        self.sign_out_elsewhere(id, token)

    @rule(token=tokens, password=PASSWORDS, key=st.sampled_from(KEYS))
    def set_password_with_key(self, token: Token, password: str, key: Key) -> None:
        id = self.owner(token)
        if id is None or self.keys.get(key.der) != id:
            return
        changed = self.ask(self.hall.people.set_password(id, password, here=token, key=key.der))
        self.passwords[id] = password
        assert changed == self.accounts[id]
        self.sign_out_elsewhere(id, token)

    def sign_out_elsewhere(self, id: str, here: Token) -> None:
        self.sessions = {text: kept for text, kept in self.sessions.items() if kept[0] != id or text == here.text}

    @rule(token=tokens, key=st.sampled_from(KEYS))
    def add_key(self, token: Token, key: Key) -> None:
        id = self.owner(token)
        if id is None:
            return
        challenge = self.ask(self.hall.people.challenge(key.der))
        added = self.ask(self.hall.people.add_key(id, challenge.text, key.sign(challenge.text), token))
        if self.keys.setdefault(key.der, id) != id:
            assert added == "not_allowed"
        else:
            if self.accounts[id].guest:
                self.sign_out_elsewhere(id, token)
            self.accounts[id] = replace(self.accounts[id], guest=False)
            assert added == self.accounts[id]

    @rule(token=tokens, key=st.sampled_from(KEYS))
    def remove_key(self, token: Token, key: Key) -> None:
        id = self.owner(token)
        if id is None:
            return
        removed = self.ask(self.hall.people.remove_key(id, key.der, token))
        others = [one for one, owner in self.keys.items() if owner == id and one != key.der]
        if self.keys.get(key.der) != id or not (others or id in self.passwords):
            assert removed == "not_allowed"
            return
        del self.keys[key.der]
        self.sign_out_elsewhere(id, token)

    @rule(token=consumes(tokens))
    def sign_out(self, token: Token) -> None:
        self.ask(self.hall.people.sign_out(token))
        self.sessions.pop(token.text, None)
        assert self.owner(token) is None

    @precondition(lambda self: self.accounts)
    @rule(data=st.data())
    def sign_out_everywhere(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from(sorted(self.accounts)))
        self.ask(self.hall.people.sign_out_everywhere(id))
        self.sessions = {text: kept for text, kept in self.sessions.items() if kept[0] != id}

    @rule(days=st.sampled_from([0.5, 1, 12, 29, 30]))
    def time_goes_by(self, days: float) -> None:
        self.hall.clock.at += int(days * DAY)

    # -- what holds -------------------------------------------------------------------------------

    @invariant()
    def the_count_is_right(self) -> None:
        guests = sum(account.guest for account in self.accounts.values())
        assert self.ask(self.hall.store.counts()) == Counts(len(self.accounts) - guests, guests)

    @invariant()
    def every_account_is_as_it_was_answered(self) -> None:
        for id, account in self.accounts.items():
            assert self.ask(self.hall.people.account(id)) == account
            assert self.ask(self.hall.people.named(account.name)) == account

    @invariant()
    def no_two_accounts_look_alike(self) -> None:
        skeletons = [bone for account in self.accounts.values() for bone in read_name(account.name).skeletons]
        assert len(skeletons) == len(set(skeletons))

    @invariant()
    def who_is_no_guest_can_come_back(self) -> None:
        ways = {*self.passwords, *self.keys.values()}
        assert ways == {id for id, account in self.accounts.items() if not account.guest}

    # -- the model --------------------------------------------------------------------------------

    def ask(self, asked: Awaitable[Any]) -> Any:
        async def asking() -> Any:
            try:
                return await asked
            except Refused as refused:
                return str(refused.code)

        return self.loop.run_until_complete(asking())

    def is_free(self, name: str, but: str = "") -> bool:
        if not name:
            return False
        others = [account.name for account in self.accounts.values() if account.id != but]
        return not any(read_name(name).skeletons & read_name(other).skeletons for other in others)

    def newcomer(self, entered: Entered) -> Token:
        assert entered.account.id not in self.accounts
        self.accounts[entered.account.id] = entered.account
        return self.came_in(entered)

    def came_in(self, entered: Entered) -> Token:
        self.sessions[entered.token.text] = (entered.account.id, self.hall.clock.at + 30 * DAY)
        return entered.token

    def owner(self, token: Token) -> str | None:
        """Whose token it is, by the model and by the hall."""
        id, expires = self.sessions.get(token.text, ("", 0))
        found = self.ask(self.hall.people.who(token))
        if expires <= self.hall.clock.at:
            assert found == "not_signed_in"
            return None
        assert found == self.accounts[id]
        if expires < self.hall.clock.at + 29 * DAY:
            self.sessions[token.text] = (id, self.hall.clock.at + 30 * DAY)
        return id


class LivesInAFile(Lives):
    def new_store(self) -> PeopleStore:
        self.folder = TemporaryDirectory()
        self.journal = SqliteJournal(Path(self.folder.name, "hall.db"), synchronous="OFF")
        return SqlitePeople(self.journal)

    def teardown(self) -> None:
        super().teardown()
        self.journal.close()
        self.folder.cleanup()


TestLives = Lives.TestCase
TestLives.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestLivesInAFile = LivesInAFile.TestCase
TestLivesInAFile.settings = settings(max_examples=15, stateful_step_count=40, deadline=None)
