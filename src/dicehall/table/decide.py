"""From a request to the act that would answer it, on the table's current state; nothing is changed here.

A decision is an act, or None where there is nothing to do, or a Refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicehall.core.fold import order_of, ordered, play
from dicehall.core.game import Attend, Dice, Entry, Expired, Faces, Move, Presence, Refusal, Refused, Roll, Seat
from dicehall.core.text import is_visible
from dicehall.core.throws import Place, Throws
from dicehall.table import acts
from dicehall.table.acts import Act, Draw, EntryDoc
from dicehall.table.chairs import Chair, Chairs, numbered
from dicehall.table.clocks import EMPTY_MS, Due, Kind, bot_due, is_attended, is_cleared, is_ready
from dicehall.table.folding import given_presences, seating, started
from dicehall.table.foreseen import Foreseen, Played
from dicehall.table.ports import DiceBox, Outage, SealedDice
from dicehall.table.requests import Code
from dicehall.table.sitting import attending, in_lobby, not_starting, seated
from dicehall.table.state import TableState, is_out
from dicehall.wire.actions import codec_of
from dicehall.wire.entries import Logged, encode_entry

WORDS_MOST = 96  # characters: 64 that a person typed and 32 hex digits
MOST_ROLLS = 16_384  # that one seal covers; no game needs more, and a table that does is closed
AWAY_MS = 120_000  # a seat away this long may be given to a bot by the others (C9)


class UsedUp(Exception):
    """This table cannot continue: its sealed dice are used up, or its journal is full."""


@dataclass(slots=True)
class Dealer:
    """The sealed dice of a table, dealt by the number of rolls its journal holds."""

    box: DiceBox
    dice: SealedDice
    foreseen: Foreseen | None = None  # what was resolved last
    salted: Chairs | None = None  # for whom the salt was worked out: words change with chairs only
    salt: bytes = b""

    def resolve(self, state: TableState, *entries: Entry[Any]) -> tuple[EntryDoc, ...]:
        """Entries with all the dice they draw, for one act; raises Refused if the rules say no."""
        game, position, rolls = state.game, state.position, state.rolls
        codec, throws = codec_of(type(game)), state.throws
        documents: list[EntryDoc] = []
        steps: list[Played] = []
        waiting = iter(entries)
        awaited = game.awaits(position)
        while True:
            if isinstance(awaited, Dice):
                rolls += 1
                throws = throws and throws.rolled()
                logged = self.roll(state, rolls, awaited.sides, throws)
            elif (entry := next(waiting, None)) is not None:
                throws = throws and throws.after(entry)
                logged = Logged(entry)
            else:
                self.foreseen = Foreseen(state.position, tuple(documents), tuple(steps))
                return self.foreseen.entries
            step = play(game, position, logged.entry, awaited)
            position = step.state
            awaited = game.awaits(position)
            steps.append((logged.entry, step, awaited))
            documents.append(encode_entry(codec, logged))

    def roll(self, state: TableState, number: int, sides: Faces, throws: Throws | None = None) -> Logged:
        if number > MOST_ROLLS:
            raise UsedUp("The sealed dice are used up.")
        salt = self.salt_of(state) if throws is None else self.salt_at(state, throws.place)
        faces, opened = self.dice.roll(number, salt, sides)
        return Logged(Roll(faces), opened=opened, sides=sides)

    def salt_of(self, state: TableState) -> bytes:
        if self.salted is not state.chairs:
            self.salted, self.salt = state.chairs, self.box.salt(state.id, state.words)
        return self.salt

    def salt_at(self, state: TableState, place: Place) -> bytes:
        """The salt of the next roll; in a challenge each roll has its own, the same for every player."""
        return self.box.place_salt(state.opened.challenge or "", state.game.key, place)

    def draw(self, state: TableState) -> Draw:
        """Draw the seats: roll number one of the table."""
        words = tuple(chair.words or "" for chair in seating(state))
        faces, opened = self.dice.roll(1, self.box.salt(state.id, words), order_of(len(state.chairs)))
        return Draw(faces, opened or "")


def in_game(state: TableState) -> None:
    if state.phase == "lobby":
        raise Refused(Code.TOO_FEW_SEATS, "The game has not started yet.")


def start(state: TableState, account: str | None, dealer: Dealer) -> Act:
    in_lobby(state)
    chair = seated(state, account)
    few = state.game.seats[0]
    if state.policy.starts == "full":
        raise Refused(Code.TOO_FEW_SEATS, "This game starts automatically when the last seat is taken.")
    if len(state.chairs) < few:
        raise Refused(Code.TOO_FEW_SEATS, f"{state.game.key} needs at least {few} seats.")
    not_starting(state)
    if any(one.unopened for one in state.chairs):
        return acts.Asked(chair=chair.number)
    return started_act(state, dealer)


def open_words(state: TableState, account: str | None, words: str, box: DiceBox) -> Act | None:
    chair = seated(state, account)
    in_lobby(state)
    if chair.words == words:
        return None
    if chair.commitment is None or state.clocks.words is None:
        raise Refused(Code.NOT_ALLOWED, "Your words are not needed right now.")
    if len(words) > WORDS_MOST or not is_visible(words):
        sentence = f"Words can have at most {WORDS_MOST} characters, and no control characters or invisible characters."
        raise Refused(Code.BAD_REQUEST, sentence)
    if not box.opens(words, chair.commitment):
        raise Refused(Code.BAD_REQUEST, "These are not the words you committed to when you sat down.")
    return acts.Words(chair=chair.number, words=words)


def started_act(state: TableState, dealer: Dealer) -> Act:
    """The act that starts a game: the draw of the seats, if the table has one, then the game's own draw."""
    drawn = dealer.draw(state) if state.opened.drawn else None
    sitting = tuple(chair.number for chair in seating(state))
    order = ordered(sitting, drawn.faces) if drawn else sitting
    begun = started(state, acts.Started(order=order, drawn=drawn))
    return acts.Started(order=order, drawn=drawn, entries=dealer.resolve(begun, *presence_changes(begun)))


def presence_changes(begun: TableState) -> list[Attend]:
    """Who is away when the game begins, and who has returned from an absence in the continued game."""
    given = given_presences(begun)
    seats = [(begun.seat(chair), chair.presence) for chair in begun.chairs]
    return [Attend(seat, presence) for seat, presence in seats if presence is not given.get(seat, Presence.HERE)]


def do(state: TableState, account: str | None, chair: Chair, move: Any, dealer: Dealer) -> Act:
    """A move with the dice it draws; a bot's move has no account."""
    in_game(state)
    if state.ended:  # also where the hall ended it, of which the rules know nothing
        raise Refused(Refusal.GAME_FINISHED, "The game is over.")
    if chair.deputy is not None and chair.account == account:
        raise Refused(Code.NOT_ALLOWED, "A bot is playing for you. Take your seat back first.")
    action = codec_of(type(state.game)).decode(move)
    return acts.Played(entries=dealer.resolve(state, Move(state.seat(chair), action)))


def depute(state: TableState, account: str | None, number: int | None, level: str, now: int) -> Act | None:
    """Let a bot stand in: at once for one's own seat, for another's if all others present agree (C9)."""
    mine = seated(state, account)
    in_game(state)
    if state.opened.challenge is not None:
        raise Refused(Code.NOT_ALLOWED, "Nobody can play for you in a daily challenge.")
    if state.policy.grace:
        raise Refused(Code.NOT_ALLOWED, "In this game, players who stay away are removed. Bots cannot stand in.")
    if state.ended:
        raise Refused(Code.NOT_ALLOWED, "The game is over.")
    chair = mine if number is None else numbered(state.chairs, number)
    if chair is None or chair.bot:
        raise Refused(Code.BAD_REQUEST, "There is no person in that seat to stand in for.")
    if chair.deputy:
        raise Refused(Code.NOT_ALLOWED, "A bot is already playing for that seat.")
    if chair is mine:
        return acts.Deputed(chair=chair.number, level=level)
    return agree(state, mine, chair, level, now)


def bot_allowed_at(state: TableState, chair: Chair) -> int | None:
    """When the others can agree to let a bot play for somebody who is away (C9); None where they cannot."""
    if state.policy.grace or not state.running or state.opened.challenge is not None:
        return None
    if chair.plays is not None or chair.presence is Presence.HERE:
        return None
    return chair.since if chair.good else chair.since + AWAY_MS


def agree(state: TableState, mine: Chair, chair: Chair, level: str, now: int) -> Act | None:
    allowed_at = bot_allowed_at(state, chair)
    if allowed_at is None or now < allowed_at:
        raise Refused(Code.NOT_ALLOWED, f"{chair.name} has been away for less than two minutes.")
    present = {one.number for one in state.chairs if one.account and not one.deputy and one.presence is Presence.HERE}
    missing = present - {chair.number} - chair.agreed - {mine.number}
    if missing:
        return None if mine.number in chair.agreed else acts.Agreed(chair=chair.number, by=mine.number)
    return acts.Deputed(chair=chair.number, level=level)


def reclaim(state: TableState, account: str | None, conn: str | None) -> Act:
    chair = seated(state, account)
    if chair.deputy is None or state.ended:
        raise Refused(Code.NOT_ALLOWED, "No bot is playing for you.")
    here = attending(state, chair, Presence.HERE) if chair.presence is Presence.AWAY else ()
    return acts.Reclaimed(chair=chair.number, conn=conn or chair.conn, entries=here)


def hint(state: TableState, account: str | None) -> Act | None:
    """Announced once per position: asking again gets an answer but changes nothing."""
    chair = seated(state, account)
    if not state.opened.hints:
        raise Refused(Code.NOT_ALLOWED, "Hints are not allowed at this table.")
    if not state.running or state.seat(chair) not in state.to_act():
        raise Refused(Code.NOT_ALLOWED, "You have nothing to decide right now.")
    if state.seat(chair) in state.hinted:
        return None
    return acts.Hinted(chair=chair.number)


def doze(state: TableState, seq: int, now: int) -> Act | None:
    """Put the table to sleep: bots do not play while no person is present."""
    waits = state.seq == seq and bot_due(state) is not None
    return acts.Slept() if waits and not is_attended(state, now) else None


def destroy(state: TableState, account: str | None, why: str, *, operator: bool) -> Act:
    if state.ended:
        raise Refused(Code.ALREADY_STARTED, "This table is closed.")
    if state.opened.challenge is not None and not operator:
        raise Refused(Code.NOT_ALLOWED, "A daily challenge cannot be closed.")
    opener = account is not None and account == state.opened.by and state.phase == "lobby"
    if not operator and not opener:
        raise Refused(
            Code.NOT_ALLOWED, "Only the person who opened a table can close it, and only before the game starts."
        )
    return acts.Destroyed(why=why)


def abandon(state: TableState, account: str | None) -> Act:
    """End a game against bots: it is closed without a result, which counts for nobody (C9, decision 066)."""
    chair = seated(state, account)
    in_game(state)
    if state.ended:
        raise Refused(Refusal.GAME_FINISHED, "The game is over.")
    if not plays_alone(state, chair):
        raise Refused(
            Code.NOT_ALLOWED, "Other people are still playing. You can leave the table, and a bot can take your seat."
        )
    return acts.Destroyed(why=f"{chair.name} ended the game")


def plays_alone(state: TableState, mine: Chair) -> bool:
    """Whether only bots play against this seat: other people are out of the game, or have left for good."""
    others = (chair for chair in state.chairs if chair is not mine and chair.account is not None)
    return all(chair.good or is_out(state, state.seat(chair)) for chair in others)


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
        case Kind.EMPTY:
            return acts.Destroyed(why=f"nobody was here for {EMPTY_MS // 60_000} minutes")
        case Kind.CLOSING:
            return acts.Destroyed(why="The day of this challenge is over.")
        case Kind.WORDS:
            return acts.Stood(chairs=tuple(chair.number for chair in state.chairs if chair.unopened), why="words")


def restart(outage: Outage) -> Act:
    return acts.Restarted(since=outage.since, till=outage.till)


def follow_up(state: TableState, dealer: Dealer) -> Act | None:
    """The act that follows automatically: the start of a table that is ready, or the end of an empty lobby."""
    if is_ready(state):
        return started_act(state, dealer)
    return acts.Destroyed(why="All players left") if is_cleared(state) else None  # A16
