"""GameSessions and PlayerStats of DO or DICE, counted from what the hall keeps of ended games."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar, cast

from dicehall.hall.cards import Ending, Result
from dicehall.hall.opening import Opening, WantedBot
from dicehall.hall.register import Register
from dicehall.hall.seeds.doordice_stats import GameSession, PlayerStats, game_sessions, player_stats
from dicehall.store.memory import MemoryJournal
from tests.hall.seeds.keyboard import FIVE, always, keyboard, play_out
from tests.hall.seeds.small_hall import small_hall
from tests.table.hosting import Box
from tests.table.virtual import START_MS, VirtualClock, run

T = TypeVar("T")


def asked(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def test_a_game_that_ended_is_a_session_and_counts_for_its_players() -> None:
    """D11."""
    journal = MemoryJournal()
    with keyboard(journal) as controller:
        controller.start([6, 5, 5, 5, 5], rules={"rounds": 1})
        controller.pass_time(5)
        controller.play_turn(always(effect="power_vp"))
        play_out(controller)
        (session,) = controller.get_game_sessions()
        assert (session.date, session.winner_id, session.total_rounds) == (START_MS + 5_000, "hotseat:ann", 1)
        stats = {one.player_name: one for one in controller.get_player_stats()}
        assert stats["Ann"] == PlayerStats("hotseat:ann", "Ann", "hot_seat", 1, 1, 4)
        assert stats["Bo"] == PlayerStats("hotseat:bo", "Bo", "hot_seat", 1, 0, 1)
        assert list(stats) == list(FIVE)
    assert asked(game_sessions(journal.register)) == [session]
    assert asked(journal.register.ending(session.id)) is not None  # the id of the session is the table's


def test_a_round_that_was_broken_off_counts_as_a_round() -> None:
    """D8, D11."""
    with keyboard() as controller:
        controller.start([5] * 5 + [6, 1, 1, 1, 1], rules={"hp": 3})
        while not controller.get_state().game_over:
            controller.play_turn(always(1, "power_damage"))
        ended = controller.get_state()
        assert (ended.current_round, sum(player.is_alive for player in ended.players)) == (2, 1)
        assert [session.total_rounds for session in controller.get_game_sessions()] == [2]
        vp = {player.name: player.vp for player in ended.players}
        assert {one.player_name: one.total_vp_earned for one in controller.get_player_stats()} == vp  # D11: at the end


def test_a_game_that_is_not_over_is_no_session() -> None:
    """D11."""
    with keyboard() as controller:
        controller.start([5])
        controller.roll_dice()
        assert controller.get_game_sessions() == []
        assert controller.get_player_stats() == []


def test_a_guest_of_the_same_name_is_the_same_guest_in_the_next_game() -> None:
    """D11: counts are sums over games."""
    with keyboard() as controller:
        for first in (6, 5):
            controller.start([first, 6, 5, 5, 5], rules={"rounds": 1})
            while not controller.get_state().game_over:
                controller.play_turn(always(effect="power_vp"))
        stats = {one.player_name: one for one in controller.get_player_stats()}
        assert {one.games_played for one in stats.values()} == {2}
        assert sum(one.wins for one in stats.values()) == 2
        assert (stats["Ann"].total_vp_earned, stats["Bo"].total_vp_earned, stats["Cy"].total_vp_earned) == (5, 8, 2)
        assert len(controller.get_game_sessions()) == 2


def test_bots_guests_and_accounts_are_told_apart() -> None:
    """D11: also where they are called alike."""
    journal, clock = MemoryJournal(), VirtualClock()
    with keyboard(journal) as controller:
        controller.start(players=["Ann"], rules={"rounds": 1})
        play_out(controller)

    async def play_at_the_hall() -> list[PlayerStats]:
        hall = small_hall(clock, Box(), journal, "p2")
        await hall.host.start()
        bots = [WantedBot(seat, "random") for seat in range(1, 5)]
        table = await hall.open("ann", Opening("doordice", {"rounds": 1}, bots=bots))
        await hall.sit("ann", table)
        while not (seen := await hall.look("ann", table))["over"]:
            if own := seen["choices"].get(str(seen["me"])):
                await hall.act("ann", table, own[0])
            await asyncio.sleep(1)
        await hall.host.stop()
        return await player_stats(journal.register)

    stats = run(play_at_the_hall(), clock)
    told = {(one.player_id, one.player_name, one.kind, one.games_played) for one in stats}
    assert told == {
        ("hotseat:ann", "Ann", "hot_seat", 1),
        ("ann", "Ann", "account", 1),
        ("bot:greedy", "Bot (greedy)", "bot", 4),
        ("bot:random", "Bot (random)", "bot", 4),
    }


def test_abandoned_games_and_other_games_do_not_count() -> None:
    """D11, C9."""
    journal = MemoryJournal()
    won = (Result(0, "Ann", "ann", None, 1, True, 100),)
    journal.register.add(
        (Ending("t-wards", "wards", 1, "goal", None, won), Ending("t-gone", "doordice", 2, "destroyed", None))
    )
    assert asked(game_sessions(journal.register)) == []
    assert asked(player_stats(journal.register)) == []


def test_all_sessions_are_listed_however_many_pages_they_fill() -> None:
    """D11: the latest first."""
    journal = MemoryJournal()
    for number in range(45):
        results = (
            Result(0, "Ann", "ann", None, 1, number % 2 == 0, 2),
            Result(1, "Bot", None, "greedy", 2, number % 2 == 1, 1),
        )
        journal.register.add((Ending(f"t{number}", "doordice", number, "rounds", 6, results),))
    sessions = asked(game_sessions(journal.register))
    assert [session.id for session in sessions] == [f"t{number}" for number in range(44, -1, -1)]
    assert sessions[0] == GameSession("t44", 44, "ann", 6)
    assert sessions[1].winner_id == "bot:greedy"
    assert asked(player_stats(journal.register)) == [
        PlayerStats("ann", "Ann", "account", 45, 23, 90),
        PlayerStats("bot:greedy", "Bot (greedy)", "bot", 45, 22, 45),
    ]


def test_a_game_that_ends_while_pages_are_turned_moves_none_in_twice() -> None:
    """D11."""

    class Turning:
        """Between the first page and the second a game has ended, and the rest moved on by one."""

        async def endings(self, game: str, account: None, page: int, **_: bool) -> list[Ending]:
            pages = [["t2", "t1"], ["t1", "t0"], []]
            return [Ending(table, game, 0, "rounds", 6) for table in pages[page]]

    sessions = asked(game_sessions(cast(Register, Turning())))
    assert [session.id for session in sessions] == ["t2", "t1", "t0"]
