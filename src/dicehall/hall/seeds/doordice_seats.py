"""The players of a game at one keyboard, checked before a table is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dicehall.games.doordice.state import SEATS
from dicehall.hall.avatars import AVATARS
from dicehall.hall.codes import bad
from dicehall.hall.names import read_name
from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.seeds.doordice_shapes import HOT_SEAT, Bot, Person

Wanted: TypeAlias = Person | Bot | str  # a name is a person


@dataclass(frozen=True, slots=True)
class Seats:
    people: tuple[tuple[int, str], ...]  # chair and account
    names: dict[str, str]  # by account
    avatars: dict[str, str]
    bots: tuple[WantedBot, ...]

    @property
    def opener(self) -> str:
        return self.people[0][1]

    def opening(self, rules: Mapping[str, int | None], drawn: bool | None) -> Opening:
        return Opening("doordice", rules, "One keyboard", public=False, drawn=drawn, bots=self.bots)


def seats_for(players: Sequence[Wanted], level: str) -> Seats:
    """The chairs in the order given; a guest of the same name is the same guest the next time."""
    if len(players) > len(SEATS):
        raise bad(f"DO or DICE has {len(SEATS)} seats.")
    wanted = [*players, *[Bot(level)] * (len(SEATS) - len(players))]
    bots = tuple(WantedBot(chair, one.level) for chair, one in enumerate(wanted) if isinstance(one, Bot))
    seats = Seats((), {}, {}, bots)
    for chair, one in enumerate(wanted):
        if not isinstance(one, Bot):
            seats = with_person(seats, chair, Person(one) if isinstance(one, str) else one)
    if not seats.people:
        raise bad("At least one player must be a person.")
    return seats


def with_person(seats: Seats, chair: int, person: Person) -> Seats:
    name, avatar = read_name(person.name), person.avatar or AVATARS[chair]
    account = HOT_SEAT + name.folded
    if account in seats.names:
        raise bad(f"Two players are called {name.text}. Names must be unique.")
    if avatar not in AVATARS:
        raise bad(f"Unknown avatar. Choose one of {', '.join(AVATARS)}.")
    people = (*seats.people, (chair, account))
    return Seats(people, seats.names | {account: name.text}, seats.avatars | {account: avatar}, seats.bots)
