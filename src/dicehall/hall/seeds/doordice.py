"""DO or DICE's GameController: one keyboard, five players, and a loop that draws; without ``await``.

Everything goes through a table of the hall, so that results are kept and dice are sealed like everywhere else.
People at the keyboard are guests of their own kind; bots move by themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from dicehall.core.game import Refusal, Refused, Seat
from dicehall.games.doordice.rules import Code, View
from dicehall.games.doordice.standings import Ranked, ranking
from dicehall.hall.hall import Hall
from dicehall.hall.seeds.doordice_history import HistoryLine, history, told
from dicehall.hall.seeds.doordice_seats import Seats, Wanted, seats_for
from dicehall.hall.seeds.doordice_shapes import Choice, GameState, Question, RollResult, ValidationError, players_of
from dicehall.hall.seeds.doordice_stats import GameSession, PlayerStats, game_sessions, player_stats
from dicehall.hall.seeds.looping import Loop
from dicehall.hall.seeds.named import with_names
from dicehall.table.requests import Code as TableCode
from dicehall.table.state import TableState

T = TypeVar("T")
Ask: TypeAlias = Callable[[Question], Choice]


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it stood, with all that was told of it until then."""

    state: TableState
    updates: tuple[dict[str, Any], ...]

    @property
    def view(self) -> View:
        view: View = self.state.game.view(self.state.position, None)
        return view

    @property
    def lines(self) -> tuple[HistoryLine, ...]:
        return history(self.updates)


@dataclass(slots=True)
class Ear:
    """Hears that something happened."""

    id: str
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    def push(self, message: bytes) -> None:
        self.heard.set()

    def offer(self, message: bytes) -> None:
        """A reaction changes nothing that is waited for."""


class GameController:
    def __init__(self, hall: Hall, loop: Loop, *, running: bool = False) -> None:
        """A hall of one's own starts and ends with the controller; one that is *running* on this loop is only used."""
        self._own = not running
        self._names: dict[str, str] = {}
        self._avatars: dict[str, str] = {}
        self._hall = with_names(hall, self._names)
        self._loop = loop
        self._table: str | None = None
        self._seen: Seen | None = None
        self._rounds_told = 0
        if self._own:
            self._run(hall.host.start())

    def close(self) -> None:
        if self._own:
            self._run(self._hall.host.stop())
            self._loop.close()

    # -- the seed's flow ------------------------------------------------------------------------------

    def init_game(
        self,
        players: Sequence[Wanted],
        *,
        rules: Mapping[str, int | None] | None = None,
        bots: str = "greedy",
        drawn: bool | None = None,
    ) -> GameState:
        """Five players, people by their names; where fewer are given, bots of this level take the other seats."""
        seats = self._checked(lambda: seats_for(players, bots))
        self._names |= seats.names
        self._avatars |= seats.avatars
        self._table = self._run(self._open(seats, rules or {}, drawn))
        self._seen, self._rounds_told = None, 0
        return self.get_state()

    def roll_dice(self) -> RollResult:
        """Roll for the player on turn; what the roll leaves to choose is in the answer."""
        seen = self._look()
        n = self._act(seen, person(seen.state), "roll")
        after = self._look()
        (rolled,) = told([update for update in after.updates if update["n"] == n], "Rolled")
        happened = tuple(line for line in after.lines if line.n == n)
        effects, targets = ((), ()) if happened else (after.view.effects, after.view.targets)
        return RollResult(rolled["seat"], rolled["face"], rolled["alive"], effects, targets, happened)

    def execute_action(self, target_id: int | None = None, effect: str | None = None) -> tuple[HistoryLine, ...]:
        """Do what the roll allows; where it allows two things, say which."""
        seen = self._look()
        account = person(seen.state)
        chosen = effect or only_effect(seen.view)
        n = self._act(seen, account, {"choose": {"effect": chosen, "target": target_id}})
        return tuple(line for line in self._look().lines if line.n == n)

    def play_turn(self, ask: Ask) -> tuple[HistoryLine, ...]:
        """A whole turn: a person rolls and is asked until the answer is allowed, a bot is waited for."""
        seen = self._look()
        begun = seen.state.seq
        seat = on_turn(seen.state)
        if seen.state.chairs[seat].plays:
            self._run(self._moved_on(seat))
        else:
            self._ask_until_done(seat, ask)
        ended = self._look()
        return tuple(line for line in ended.lines if line.n > begun)

    def end_round(self) -> bool:
        """Whether a round ended since this was last asked. Ending it is the rules' own business (D8)."""
        rounds = len(told(self._look().updates, "RoundEnded"))
        new, self._rounds_told = rounds > self._rounds_told, rounds
        return new

    # -- what there is to see -------------------------------------------------------------------------

    def get_state(self) -> GameState:
        seen = self._look()
        state, view = seen.state, seen.view
        names = [chair.name for chair in state.chairs]
        rolled = told(seen.updates, "Rolled")
        return GameState(
            current_round=view.round,
            turn_index=state.position.seat,
            players_list=players_of(state, self._avatars),
            game_over=state.ended,
            logs=tuple(line.text(names) for line in seen.lines),
            last_roll=rolled[-1]["face"] if rolled else None,
            effects=view.effects,
            targets=view.targets,
            ranking=ranking(view),
        )

    def get_state_for_ui(self) -> GameState:
        return self.get_state()

    def get_history(self) -> tuple[HistoryLine, ...]:
        return self._look().lines

    def get_ranking(self) -> tuple[Ranked, ...]:
        return ranking(self._look().view)

    def get_game_sessions(self) -> list[GameSession]:
        return self._run(game_sessions(self._hall.parts.register))

    def get_player_stats(self) -> list[PlayerStats]:
        return self._run(player_stats(self._hall.parts.register))

    # -- on the hall -----------------------------------------------------------------------------------

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._checked(lambda: self._loop.run(work))

    def _checked(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except Refused as refused:
            raise ValidationError(str(refused.code), refused.sentence) from refused

    def _look(self) -> Seen:
        """The table now; a game that is over never changes again."""
        if self._table is None:
            raise ValidationError(TableCode.NO_SUCH_TABLE, "There is no game yet. Call init_game first.")
        if self._seen is None or not self._seen.state.ended:
            self._seen = self._run(self._read(self._table, self._seen))
        return self._seen

    async def _read(self, table: str, before: Seen | None) -> Seen:
        """What was told is read again only where something was."""
        state = (await self._hall.host.look(table)).state
        if before is not None and before.state.seq == state.seq:
            return before
        return Seen(state, tuple(await self._hall.updates(None, table, 0)))

    async def _open(self, seats: Seats, rules: Mapping[str, int | None], drawn: bool | None) -> str:
        table = await self._hall.open(seats.opener, seats.opening(rules, drawn))
        for chair, account in seats.people:
            await self._hall.sit(account, table, seat=chair)
        return table

    def _act(self, seen: Seen, account: str, move: Any) -> int:
        """The number of the act that made a move true."""
        return self._run(self._hall.act(account, seen.state.id, move)).n

    def _ask_until_done(self, seat: Seat, ask: Ask) -> None:
        if self._look().view.face is None:
            self.roll_dice()
        error: ValidationError | None = None
        while (face := (seen := self._look()).view.face) is not None and seen.state.position.seat == seat:
            player = players_of(seen.state, self._avatars)[seat]
            answer = ask(Question(player, face, seen.view.effects, seen.view.targets, error))
            try:
                self.execute_action(answer.target_id, answer.effect)
            except ValidationError as wrong:
                error = wrong

    async def _moved_on(self, seat: Seat) -> None:
        """Wait until the turn of a bot is over."""
        assert self._table is not None
        ear = Ear(f"{self._hall.host.parts.process}:controller")
        live = await self._hall.watch(None, self._table, ear)
        try:
            while live.state.running and seat in live.state.to_act():
                await ear.heard.wait()
                ear.heard.clear()
        finally:
            live.unlisten(ear.id)


def on_turn(state: TableState) -> Seat:
    if state.ended:
        raise ValidationError(Refusal.GAME_FINISHED, "The game is over.")
    return min(state.to_act())


def person(state: TableState) -> str:
    """The account on turn, if somebody at the keyboard is."""
    chair = state.chairs[on_turn(state)]
    if chair.account is None:
        raise ValidationError(Refusal.NOT_YOUR_TURN, f"It is the turn of {chair.name}, who moves without you.")
    return chair.account


def only_effect(view: View) -> str:
    """What a roll does where there is nothing to say about it."""
    if not view.effects:
        raise ValidationError(Code.MUST_ROLL, "Roll first: there is nothing to choose yet.")
    if len(view.effects) > 1:
        named = " or ".join(view.effects)
        raise ValidationError(Code.WRONG_EFFECT, f"A {view.face} lets you choose: say {named}.", view.effects)
    return view.effects[0]
