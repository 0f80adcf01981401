"""Random lives of lobbies, held against a model that knows chairs, words and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from dicehall.hall.opening import Opening
from dicehall.hall.register import Filter
from dicehall.table.requests import OpenWords, Remove, Stand, Start
from tests.hall.halls import House, outcome, promise
from tests.table.virtual import VirtualLoop

PEOPLE = ("Ann", "Bo", "Cy", "Di")
SEATS = {"wards": 2, "mana": 2, "aetharn": 3, "tenthousand": 3}
FULL = ("wards", "mana")  # start by themselves (C12)
MOST_TABLES = 3
who = st.sampled_from(range(len(PEOPLE)))
seated = st.integers(0, 2 * len(PEOPLE) - 1)  # rather somebody who sits there
which = st.integers(0, MOST_TABLES - 1)
chairs = st.sampled_from([None, 0, 1, 2])


@dataclass
class Model:
    """A lobby as people would describe it."""

    game: str
    opener: str
    public: bool
    password: str | None
    chairs: dict[int, str] = field(default_factory=dict)  # who sits where; a bot is a bot
    promised: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)
    asking: bool = False  # for words
    phase: str = "lobby"
    failures: dict[str, int] = field(default_factory=dict)  # starts that somebody made fail
    barred: dict[str, int] = field(default_factory=dict)  # till when they cannot sit down again
    removed: set[str] = field(default_factory=set)
    left: bool = False  # whether anybody ever left

    @property
    def seats(self) -> int:
        return SEATS[self.game]

    def chair_of(self, person: str) -> int | None:
        return next((number for number, one in self.chairs.items() if one == person), None)

    def pick(self, wanted: int | None, mine: int | None) -> int | str:
        """The chair somebody gets, or why none."""
        free = [number for number in range(self.seats) if number not in self.chairs]
        if wanted is None:
            return free[0] if free else "table_full"
        if wanted >= self.seats:
            return "bad_request"
        if wanted in self.chairs and wanted != mine:
            return "seat_taken" if free or mine is not None else "table_full"
        return wanted

    def sit(self, person: str, wanted: int | None, promises: bool, now: int) -> str | None:
        mine = self.chair_of(person)
        if mine is None and person in self.removed:
            return "not_allowed"
        if mine is None and now < self.barred.get(person, 0):
            return "rate_limited"
        got = mine if wanted is None and mine is not None else self.pick(wanted, mine)
        if isinstance(got, str):
            return got
        if got == mine and not promises:
            return "already_seated"
        if self.asking:
            return "already_started"
        self.chairs = {number: one for number, one in self.chairs.items() if number != mine}
        self.chairs[got if got is not None else 0] = person
        self.promised |= {person} if promises else set()
        self.fill()
        return None

    def sit_bot(self) -> str | None:
        got = self.pick(None, None)
        if isinstance(got, str) or self.asking:
            return got if isinstance(got, str) else "already_started"
        self.chairs[got] = "bot"
        self.fill()
        return None

    def fill(self) -> None:
        if self.game in FULL and len(self.chairs) == self.seats:
            self.asking = True
            self.begin()

    def begin(self) -> None:
        """A start that waits for nobody's words is one."""
        if self.asking and self.promised <= self.opened:
            self.phase, self.asking = "playing", False

    def start(self, person: str) -> str | None:
        if self.chair_of(person) is None:
            return "not_seated"
        if self.game in FULL or len(self.chairs) < 2:
            return "too_few_seats"
        if self.asking:
            return "already_started"
        self.asking = True
        self.begin()
        return None

    def open_words(self, person: str) -> str | None:
        if self.chair_of(person) is None:
            return "not_seated"
        if person in self.opened:
            return None
        if person not in self.promised or not self.asking:
            return "not_allowed"
        self.opened.add(person)
        self.begin()
        return None

    def fail(self, people: set[str], now: int) -> None:
        """They made a start fail, and wait twice as long each time."""
        for person in people if self.asking else ():
            self.failures[person] = self.failures.get(person, 0) + 1
            self.barred[person] = now + 15_000 * 2 ** (self.failures[person] - 1)

    def gone(self, people: set[str], *, left: bool = True) -> None:
        """Who shown words for a start that failed need new ones; an Aetharn lobby that people left is closed (A16)."""
        self.left = self.left or left
        self.chairs = {number: one for number, one in self.chairs.items() if one not in people}
        self.promised -= people | (self.opened if self.asking else set())
        self.opened, self.asking = set(), False
        if self.game == "aetharn" and self.left and not set(self.chairs.values()) - {"bot"}:
            self.phase = "abandoned"

    def gone_from(self, seat: int) -> None:
        """A bot among several, or a person, is taken out of a chair: nobody has left of their own accord."""
        there = self.chairs.pop(seat)
        self.gone({there} - {"bot"}, left=False)


class Lobbies(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.house = House()
        self.loop = VirtualLoop(self.house.clock)
        self.models: dict[str, Model] = {}
        self.left_to_bots: set[str] = set()
        self.do(self.house.boot())
        self.people = self.do(self.house.guests(*PEOPLE))

    def teardown(self) -> None:
        self.do(self.house.hall.host.stop())
        self.loop.close()

    def do(self, work: Awaitable[Any]) -> Any:
        return self.loop.run_until_complete(outcome(work))

    def agree(self, work: Awaitable[Any], expected: str | None) -> None:
        answer = self.do(work)
        assert (answer if isinstance(answer, str) else None) == expected

    def at(self, number: int) -> tuple[str, Model]:
        known = list(self.models.items())
        return known[number % len(known)]

    def somebody(self, model: Model, number: int) -> str:
        there = [one for one in model.chairs.values() if one != "bot"]
        return there[number % len(there)] if there and number >= len(PEOPLE) else self.people[number % len(PEOPLE)]

    def words(self, person: str) -> str:
        return f"the words of {PEOPLE[self.people.index(person)]}"

    # -- what happens ---------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.models) < MOST_TABLES)
    @rule(
        who=who, game=st.sampled_from(sorted(SEATS)), public=st.booleans(), password=st.sampled_from([None, "sesame"])
    )
    def open(self, who: int, game: str, public: bool, password: str | None) -> None:
        wanted = Opening(game, seats=SEATS[game], public=public, password=password)
        table = self.do(self.house.hall.open(self.people[who], wanted))
        self.models[table] = Model(game, self.people[who], public, password)

    @precondition(lambda self: self.models)
    @rule(who=who, which=which, seat=chairs, promises=st.booleans(), knows=st.sampled_from([True, True, False]))
    def sit(self, who: int, which: int, seat: int | None, promises: bool, knows: bool) -> None:
        (table, model), me = self.at(which), self.people[who]
        mine = model.chair_of(me)
        if mine is not None and model.phase == "playing":
            return  # coming back to a game is no business of a lobby
        words = promise(self.words(me)) if promises else None
        asked = self.house.hall.sit(me, table, seat, words, "sesame" if knows else "Sesame")
        if mine is None and me != model.opener and model.password and not knows:
            return self.agree(asked, "wrong_password")
        self.agree(
            asked,
            "already_started" if model.phase != "lobby" else model.sit(me, seat, promises, self.house.clock.now()),
        )

    @precondition(lambda self: self.models)
    @rule(who=who, which=which, good=st.booleans())
    def stand(self, who: int, which: int, good: bool) -> None:
        (table, model), me = self.at(which), self.people[who]
        asked = self.house.hall.leave(me, table) if good else self.house.hall.ask(me, table, Stand())
        seated = model.chair_of(me) is not None
        self.agree(asked, None if seated else "not_seated")
        if seated and model.phase == "lobby":
            model.fail({me}, self.house.clock.now())
            model.gone({me})

    @precondition(lambda self: self.models)
    @rule(who=who, which=which, seat=st.sampled_from([0, 1, 2]))
    def remove(self, who: int, which: int, seat: int) -> None:
        """Only the person who opened a table removes others from its lobby, and those do not come back."""
        (table, model), me = self.at(which), self.people[who]
        there = model.chairs.get(seat)
        expected = "bad_request" if there == me else None if there else "not_seated"
        if me != model.opener:
            expected = "not_allowed"
        if model.phase != "lobby":
            expected = "already_started"
        self.agree(self.house.hall.ask(me, table, Remove(seat)), expected)
        if expected is None and there is not None:
            model.removed |= {there} - {"bot"}
            model.gone_from(seat)

    @precondition(lambda self: self.models)
    @rule(who=who, which=which)
    def add_bot(self, who: int, which: int) -> None:
        (table, model), me = self.at(which), self.people[who]
        if model.phase == "playing":
            return  # not a lobby any more
        expected = "already_started" if model.phase != "lobby" else None
        if me != model.opener:
            expected = "not_allowed"
        self.agree(self.house.hall.add_bot(me, table, None, "random"), expected or model.sit_bot())
        if model.phase == "playing" and set(model.chairs.values()) == {"bot"}:
            del self.models[table]  # bots among themselves play on while others are looked at
            self.left_to_bots.add(table)

    @precondition(lambda self: self.models)
    @rule(who=seated, which=which)
    def start(self, who: int, which: int) -> None:
        table, model = self.at(which)
        me = self.somebody(model, who)
        expected = "already_started" if model.phase != "lobby" else model.start(me)
        self.agree(self.house.hall.ask(me, table, Start()), expected)

    @precondition(lambda self: any(model.phase == "lobby" for model in self.models.values()))
    @rule(who=seated, which=which)
    def open_words(self, who: int, which: int) -> None:
        table, model = self.at(which)
        me = self.somebody(model, who)
        if model.phase == "lobby":
            self.agree(self.house.hall.ask(me, table, OpenWords(self.words(me))), model.open_words(me))

    @precondition(lambda self: any(model.asking for model in self.models.values()))
    @rule()
    def wait(self) -> None:
        """Longer than words are waited for: who did not open them has lost the seat."""
        self.do(self.house.after(12))
        for model in self.models.values():
            if model.asking:
                late = model.promised - model.opened
                model.fail(late, self.house.clock.now() - 2_000)  # they stood up ten seconds after they were asked
                model.gone(late)

    @precondition(lambda self: self.models)
    @rule(who=who, which=which, really=st.sampled_from([True, False, False]))
    def destroy(self, who: int, which: int, really: bool) -> None:
        (table, model), me = self.at(which), self.people[who]
        expected = None if model.phase == "lobby" and me == model.opener else "not_allowed"
        if model.phase == "abandoned":
            expected = "already_started"
        if expected is None and not really:
            return  # else there would be no lobbies left to try things in
        self.agree(self.house.hall.destroy(me, table, "enough"), expected)
        model.phase = "abandoned" if expected is None else model.phase
        model.asking = model.asking and expected is not None

    # -- what is always true ------------------------------------------------------------------------------------

    @invariant()
    def tables_are_as_the_model_says(self) -> None:
        for table, model in self.models.items():
            state = self.house.state(table)
            people = [chair.account for chair in state.chairs if chair.account]
            assert len({chair.number for chair in state.chairs}) == len(state.chairs) <= model.seats
            assert len(set(people)) == len(people)
            assert (state.phase, state.clocks.words is not None) == (model.phase, model.asking)
            if state.phase == "lobby":
                assert {chair.number: chair.account or "bot" for chair in state.chairs} == model.chairs
                assert {one.account for one in state.chairs if one.commitment} == model.promised

    @invariant()
    def a_full_table_starts_exactly_when_it_should(self) -> None:
        """C12."""
        for table, model in self.models.items():
            state = self.house.state(table)
            if model.game in FULL and len(state.chairs) == model.seats and not any(c.unopened for c in state.chairs):
                assert state.phase != "lobby"

    @invariant()
    def the_listing_agrees_with_the_tables(self) -> None:
        for every in (True, False):
            listed = self.do(self.house.hall.find(Filter(public_only=not every), 0))
            found = [one for one in listed if one["id"] not in self.left_to_bots]
            shown = {one["id"]: (one["phase"], one["locked"]) for one in found}
            listable = {
                table: model
                for table, model in self.models.items()
                if every or (model.public and (model.password is None or model.phase != "abandoned"))
            }
            known = {table: (model.phase, model.password is not None) for table, model in listable.items()}
            assert shown == known
            for one in found:
                if one["phase"] == "lobby":
                    assert len(one["names"]) == len(self.models[one["id"]].chairs)

    @invariant()
    def the_fold_of_each_journal_is_what_is_in_memory(self) -> None:
        """C3."""
        for table in self.models:
            assert self.do(self.house.folded(table)) == self.house.state(table)


Lobbies.TestCase.settings = settings(max_examples=200, stateful_step_count=30, deadline=None)
TestLobbies = Lobbies.TestCase
