"""From a request to the act that would answer it, on the table as it stands; nothing here changes anything.

A decision is an act, or None where there is nothing to do, or a Refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicehall.core.fold import order_of, ordered
from dicehall.core.game import Attend, Entry, Expired, Move, Presence, Refused, Roll, Seat
from dicehall.table import acts
from dicehall.table.acts import Act, Draw, EntryDoc
from dicehall.table.chairs import Chair, chair_of, numbered
from dicehall.table.clocks import Due, Kind
from dicehall.table.ports import DiceBox, Outage, SealedDice
from dicehall.table.requests import Code, Sit
from dicehall.table.state import TableState, awaited_dice, entered, is_out, seating, started
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, encode_entry

AWAY_MS = 120_000  # a seat away this long may be given to a bot by the others (C9)


@dataclass(frozen=True, slots=True)
class Dealer:
    """The sealed dice of a table, dealt by the number of rolls its journal holds."""

    box: DiceBox
    dice: SealedDice

    def resolve(self, state: TableState, *entries: Entry[Any]) -> tuple[EntryDoc, ...]:
        """Entries and all the dice they draw, as one act holds them; Refused if the rules say no."""
        codec = codec_of(type(state.game))
        documents: list[EntryDoc] = []
        waiting = list(entries)
        salt = self.box.salt(state.id, state.words)
        while waiting or awaited_dice(state) is not None:
            logged = Logged(waiting.pop(0)) if awaited_dice(state) is None else self.roll(state, salt)
            state, _ = entered(state, logged.entry)
            documents.append(encode_entry(codec, logged))
        return tuple(documents)

    def roll(self, state: TableState, salt: bytes) -> Logged:
        sides = awaited_dice(state)
        assert sides is not None
        faces, opened = self.dice.roll(state.rolls + 1, salt, sides)
        return Logged(Roll(faces), opened=opened)

    def draw(self, state: TableState) -> Draw:
        """Who sits where: roll number one of the table."""
        words = tuple(chair.words or "" for chair in seating(state))
        faces, opened = self.dice.roll(1, self.box.salt(state.id, words), order_of(len(state.chairs)))
        return Draw(faces, opened)


def seated(state: TableState, account: str | None) -> Chair:
    chair = chair_of(state.chairs, account)
    if chair is None:
        raise Refused(Code.NOT_SEATED, "You do not sit at this table.")
    return chair


def in_lobby(state: TableState) -> None:
    if state.ended:
        raise Refused(Code.ALREADY_STARTED, "This table is closed.")
    if state.phase != "lobby":
        raise Refused(Code.ALREADY_STARTED, "The game has started.")


def in_game(state: TableState) -> None:
    if state.phase == "lobby":
        raise Refused(Code.TOO_FEW_SEATS, "The game has not started yet.")


def sit(state: TableState, account: str, asked: Sit) -> Act | None:
    chair, commitment, conn = asked.chair, asked.commitment, asked.conn
    mine = chair_of(state.chairs, account)
    if state.running and mine is not None:
        return carry(state, account, conn) if conn else back(state, mine)
    in_lobby(state)
    number = free_chair(state, account, mine, chair)
    if mine is not None and mine.number == number and commitment is None:
        raise Refused(Code.ALREADY_SEATED, "You sit there already.")
    if mine is not None and state.clocks.words is not None:
        raise Refused(Code.ALREADY_STARTED, "The game is about to start.")
    return acts.Sat(chair=number, account=account, name=asked.name, commitment=commitment, conn=conn)


def free_chairs(state: TableState, account: str | None) -> list[int]:
    """The chairs somebody may take, first the one that is kept for them."""
    taken = {chair.number for chair in state.chairs}
    kept = state.opened.reserved or (None,) * state.opened.seats
    free = [number for number in range(state.opened.seats) if number not in taken and kept[number] in (None, account)]
    return sorted(free, key=lambda number: kept[number] is None)


def free_chair(state: TableState, account: str | None, mine: Chair | None, wanted: int | None) -> int:
    """The chair that was asked for, or the first free one (A16: one may move to another free chair)."""
    if wanted is None:
        if mine is not None:
            raise Refused(Code.ALREADY_SEATED, "You sit at this table already.")
        free = free_chairs(state, account)
        if not free:
            raise Refused(Code.TABLE_FULL, "All chairs of this table are taken.")
        return free[0]
    if not 0 <= wanted < state.opened.seats:
        raise Refused(Code.BAD_REQUEST, f"This table has no chair {wanted}.")
    if wanted < len(state.opened.reserved) and state.opened.reserved[wanted] not in (None, account):
        raise Refused(Code.SEAT_TAKEN, "This chair is kept for somebody.")
    other = numbered(state.chairs, wanted)
    if other is not None and other is not mine:
        if mine is None and len(state.chairs) == state.opened.seats:
            raise Refused(Code.TABLE_FULL, "All chairs of this table are taken.")
        raise Refused(Code.SEAT_TAKEN, f"{other.name} sits there.")
    return wanted


def sit_bot(state: TableState, chair: int | None, level: str, name: str) -> Act:
    in_lobby(state)
    return acts.Sat(chair=free_chair(state, None, None, chair), name=name, bot=level)


def back(state: TableState, chair: Chair) -> Act | None:
    """Somebody returns without a connection that could carry the seat."""
    if chair.presence is not Presence.AWAY:
        raise Refused(Code.ALREADY_SEATED, "You sit at this table already.")
    return carried(state, chair, "")


def stand(state: TableState, account: str | None, *, good: bool = False) -> Act | None:
    chair = seated(state, account)
    if state.phase == "lobby":
        return acts.Stood(chairs=(chair.number,), why="left")
    return leave(state, chair, lost=False, good=good)


def leave(state: TableState, chair: Chair, *, lost: bool, good: bool = False) -> Act | None:
    """A seat goes away; the rules of games with a grace are told."""
    if state.ended or (chair.presence is not Presence.HERE and not (good and chair.presence is Presence.AWAY)):
        return None
    if state.phase == "lobby":
        return acts.Left(chair=chair.number, lost=lost)
    entries = attending(state, chair, Presence.AWAY) if chair.presence is Presence.HERE else ()
    return acts.Left(chair=chair.number, lost=lost, good=good, entries=entries)


def attending(state: TableState, chair: Chair, presence: Presence) -> tuple[EntryDoc, ...]:
    """The entry that tells the rules of a presence, where they want to know."""
    seat = state.seat(chair)
    if is_out(state, seat):
        return ()
    return (encode_entry(codec_of(type(state.game)), Logged(Attend(seat, presence))),)


def carry(state: TableState, account: str, conn: str) -> Act | None:
    chair = seated(state, account)
    if state.ended or (chair.conn == conn and chair.presence is Presence.HERE and state.phase != "asleep"):
        return None
    return carried(state, chair, conn)


def carried(state: TableState, chair: Chair, conn: str) -> Act:
    entries: tuple[EntryDoc, ...] = ()
    if state.running and chair.presence is Presence.AWAY:
        entries = attending(state, chair, Presence.HERE)
    return acts.Carried(chair=chair.number, conn=conn, entries=entries)


def lose(state: TableState, conn: str) -> Act | None:
    chair = next((chair for chair in state.chairs if chair.conn == conn), None)
    return None if chair is None else leave(state, chair, lost=True)


def start(state: TableState, account: str | None, dealer: Dealer) -> Act:
    in_lobby(state)
    chair = seated(state, account)
    few = state.game.seats[0]
    if state.game.policy.starts == "full":
        raise Refused(Code.TOO_FEW_SEATS, "This game starts by itself when the last seat is taken.")
    if len(state.chairs) < few:
        raise Refused(Code.TOO_FEW_SEATS, f"{state.game.key} needs at least {few} seats.")
    if state.clocks.words is not None:
        raise Refused(Code.ALREADY_STARTED, "The game is about to start.")
    if any(one.unopened for one in state.chairs):
        return acts.Asked(chair=chair.number)
    return started_act(state, dealer)


def open_words(state: TableState, account: str | None, words: str, box: DiceBox) -> Act | None:
    chair = seated(state, account)
    in_lobby(state)
    if chair.words == words:
        return None
    if chair.commitment is None or state.clocks.words is None:
        raise Refused(Code.NOT_ALLOWED, "Nobody asked for your words.")
    if not box.opens(words, chair.commitment):
        raise Refused(Code.BAD_REQUEST, "These are not the words you committed to when you sat down.")
    return acts.Words(chair=chair.number, words=words)


def started_act(state: TableState, dealer: Dealer) -> Act:
    """Seats drawn where the table says so, then the draw that the game itself begins with."""
    drawn = dealer.draw(state) if state.opened.drawn else None
    sitting = tuple(chair.number for chair in seating(state))
    order = ordered(sitting, drawn.faces) if drawn else sitting
    begun = started(state, acts.Started(order=order, drawn=drawn))
    away = [Attend(begun.seat(chair), Presence.AWAY) for chair in begun.chairs if chair.presence is Presence.AWAY]
    return acts.Started(order=order, drawn=drawn, entries=dealer.resolve(begun, *away))


def do(state: TableState, account: str | None, chair: Chair, move: Any, dealer: Dealer) -> Act:
    """A move, and the dice it draws; a bot's comes without an account."""
    in_game(state)
    if chair.deputy is not None and chair.account == account:
        raise Refused(Code.NOT_ALLOWED, "A bot plays for you: take your seat back first.")
    action = codec_of(type(state.game)).decode(move)
    return acts.Played(entries=dealer.resolve(state, Move(state.seat(chair), action)))


def depute(state: TableState, account: str | None, number: int | None, level: str, now: int) -> Act:
    """A bot stands in: one's own seat at once, another's when all others present agree (C9)."""
    mine = seated(state, account)
    in_game(state)
    if state.game.policy.grace:
        raise Refused(Code.NOT_ALLOWED, "In this game a seat that stays away is removed; no bot stands in.")
    if state.ended:
        raise Refused(Code.NOT_ALLOWED, "The game is over.")
    chair = mine if number is None else numbered(state.chairs, number)
    if chair is None or chair.bot:
        raise Refused(Code.BAD_REQUEST, "Nobody sits there who could be stood in for.")
    if chair.deputy:
        raise Refused(Code.NOT_ALLOWED, "A bot stands in there already.")
    if chair is mine:
        return acts.Deputed(chair=chair.number, level=level)
    return agree(state, mine, chair, level, now)


def agree(state: TableState, mine: Chair, chair: Chair, level: str, now: int) -> Act:
    if chair.presence is Presence.HERE or (now - chair.since < AWAY_MS and not chair.good):
        raise Refused(Code.NOT_ALLOWED, f"{chair.name} has not been away for two minutes.")
    present = {one.number for one in state.chairs if one.account and not one.deputy and one.presence is Presence.HERE}
    missing = present - {chair.number} - chair.agreed - {mine.number}
    if missing:
        return acts.Agreed(chair=chair.number, by=mine.number)
    return acts.Deputed(chair=chair.number, level=level)


def reclaim(state: TableState, account: str | None, conn: str | None) -> Act:
    chair = seated(state, account)
    if chair.deputy is None or state.ended:
        raise Refused(Code.NOT_ALLOWED, "No bot plays for you.")
    here = attending(state, chair, Presence.HERE) if chair.presence is Presence.AWAY else ()
    return acts.Reclaimed(chair=chair.number, conn=conn, entries=here)


def hint(state: TableState, account: str | None) -> Act:
    chair = seated(state, account)
    if not state.opened.hints:
        raise Refused(Code.NOT_ALLOWED, "Hints are not allowed at this table.")
    if not state.running or state.seat(chair) not in state.to_act():
        raise Refused(Code.NOT_ALLOWED, "There is nothing to decide for you now.")
    return acts.Hinted(chair=chair.number)


def destroy(state: TableState, account: str | None, why: str, *, operator: bool) -> Act:
    if state.ended:
        raise Refused(Code.ALREADY_STARTED, "This table is closed.")
    opener = account is not None and account == state.opened.by and state.phase == "lobby"
    if not operator and not opener:
        raise Refused(Code.NOT_ALLOWED, "Only who opened a table may close it, and only in its lobby.")
    return acts.Destroyed(why=why)


def expire(state: TableState, due: Due, dealer: Dealer) -> Act:
    """What a deadline means."""
    match due.kind:
        case Kind.TURN | Kind.GAME:
            entries = dealer.resolve(state, Expired(Seat(due.seat)))
            return acts.Slept(entries=entries) if Seat(due.seat) in state.expired else acts.Played(entries=entries)
        case Kind.GRACE:
            return acts.Played(entries=dealer.resolve(state, Attend(Seat(due.seat), Presence.GONE)))
        case Kind.LOBBY:
            return acts.Stood(chairs=(due.seat,), why="lost")
        case Kind.WORDS:
            return acts.Stood(chairs=tuple(chair.number for chair in state.chairs if chair.unopened), why="words")


def restart(outage: Outage) -> Act:
    return acts.Restarted(since=outage.since, till=outage.till)


def follow_up(state: TableState, dealer: Dealer) -> Act | None:
    """What comes by itself after an act: the start of a table that is ready, the end of a lobby everybody left."""
    if state.phase != "lobby":
        return None
    if state.clocks.words is not None and not any(chair.unopened for chair in state.chairs):
        return started_act(state, dealer)
    if state.game.policy.clears and state.left and not any(chair.account for chair in state.chairs):
        return acts.Destroyed(why="All players left")  # A16
    return None
