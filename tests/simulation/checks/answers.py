"""What was acknowledged is stored exactly once under its number; what was refused is not; nothing else is."""

from __future__ import annotations

from dicehall.core.game import Refused
from dicehall.table import acts, requests
from dicehall.table.coming import Answer
from tests.simulation.chronicle import Stored
from tests.simulation.messages import Copy, is_final
from tests.simulation.world import World

ANSWERED_BY: dict[type, tuple[type, ...]] = {
    requests.Do: (acts.Played,),
    requests.Sit: (acts.Sat, acts.Carried),
    requests.SitBot: (acts.Sat,),
    requests.Stand: (acts.Stood, acts.Left),
    requests.Remove: (acts.Stood,),
    requests.Start: (acts.Asked, acts.Started),
    requests.OpenWords: (acts.Words,),
    requests.Carry: (acts.Carried,),
    requests.Depute: (acts.Deputed, acts.Agreed),
    requests.Reclaim: (acts.Reclaimed,),
}
MAY_NEED_NONE = (requests.Sit, requests.Stand, requests.OpenWords, requests.Carry)
OF_PEOPLE = (acts.Sat, acts.Asked, acts.Words, acts.Deputed, acts.Agreed, acts.Reclaimed)  # never by themselves

Index = dict[tuple[str, str, str], list[Stored]]


def check(world: World) -> None:
    index: Index = {}
    for chronicle in world.chronicles.values():
        for stored in chronicle.stored:
            if stored.row.id is not None:
                index.setdefault((chronicle.table, stored.row.account or "", stored.row.id), []).append(stored)
            check_asked(world, chronicle.table, stored)
    copies: dict[tuple[str, str, str], list[Copy]] = {}
    for copy in world.copies:
        if type(copy.message.what) in ANSWERED_BY and copy.message.person.account is not None:
            key = (copy.message.table, copy.message.person.account, copy.message.id)
            copies.setdefault(key, []).append(copy)
            check_copy(world, key, copy, index.get(key, []))
    for key, rows in index.items():
        if not key[1].startswith("bot:"):
            check_row(world, key, rows, copies.get(key, []))


def check_copy(world: World, key: tuple[str, str, str], copy: Copy, rows: list[Stored]) -> None:
    done, outcome, name = copy.done or 0, copy.outcome, f"{key[1]}#{key[2]}"
    there = [stored for stored in rows if stored.moment < done]
    if isinstance(outcome, Answer):
        if there and there[0].row.seq != outcome.n:
            found = there[0].row.seq
            world.wrong("acknowledged under its number", key[0], f"{name} was answered {outcome.n}, stored as {found}")
        if not there and not isinstance(copy.message.what, MAY_NEED_NONE):
            world.wrong("acknowledged is stored", key[0], f"{name} {copy.message.what} was answered {outcome.n}")
    elif isinstance(outcome, Refused) and is_final(outcome) and there and there[0].moment < copy.received:
        world.wrong("refused is not stored", key[0], f"{name} was refused ({outcome.code}), but is {there[0].row.seq}")


def check_row(world: World, key: tuple[str, str, str], rows: list[Stored], copies: list[Copy]) -> None:
    name = f"{key[1]}#{key[2]}"
    if len(rows) != 1:
        world.wrong("exactly once", key[0], f"{name} is stored {len(rows)} times")
    stored = rows[0]
    open_then = [
        copy for copy in copies if copy.received < stored.moment and (copy.done is None or copy.done > stored.moment)
    ]
    if not open_then:
        world.wrong("only what was asked", key[0], f"{name} is stored, but nobody waited for it any more")
    elif all(isinstance(copy.outcome, Refused) for copy in open_then):
        world.wrong("refused is not stored", key[0], f"{name} was refused, but is {stored.row.seq}")
    elif not isinstance(stored.told.act, ANSWERED_BY[type(copies[0].message.what)]):
        world.wrong("only what was asked", key[0], f"{name} {copies[0].message.what} became {stored.told.act}")
    elif isinstance(copies[0].message.what, requests.Do):
        entry = stored.told.act.entries[0]
        if entry.get("move") != copies[0].message.what.move:
            world.wrong("only what was asked", key[0], f"{name} {copies[0].message.what} became {entry}")


def check_asked(world: World, table: str, stored: Stored) -> None:
    """Whatever only people or bots can do carries who asked for it."""
    act, before = stored.told.act, stored.told.before
    moved = [entry["seat"] for entry in act.entries if "move" in entry]
    if (isinstance(act, OF_PEOPLE) or moved) and stored.row.id is None:
        world.wrong("only what was asked", table, f"nobody asked for act {stored.row.seq}, {act}")
    if len(moved) > 1:
        world.wrong("one action, one act", table, f"act {stored.row.seq} holds {len(moved)} moves")
    if moved and before is not None and stored.row.id is not None:
        chair, who = before.chairs[moved[0]], stored.row.account
        if who != (f"bot:{chair.number}" if chair.plays else chair.account):
            world.wrong("only what was asked", table, f"{who} moved for {chair.name} in act {stored.row.seq}")
