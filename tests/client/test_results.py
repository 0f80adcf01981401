"""Results of games on this machine (D11)."""

from __future__ import annotations

from pathlib import Path

from dicehall.client.local import LocalGame
from dicehall.client.results import (
    GameResult,
    ResultsFile,
    SeatResult,
    leaderboard,
    leaders,
    player_stats,
    result_of,
    shown_name,
)
from dicehall.core.game import Seat
from dicehall.dice.sources import Scripted
from dicehall.games.wards.rules import Action, Wards
from dicehall.wire.record import Record


def a_result(id: str, winner: str, game: str = "doordice") -> GameResult:
    names = ("Ann", "Bo", "Bot (greedy)")
    seats = [
        SeatResult(name, "bot" if name.startswith("Bot") else "person", 1, name == winner, 5 + at)
        for at, name in enumerate(names)
    ]
    return GameResult(id, 1000, game, "rounds", 6, tuple(seats))


def test_a_game_that_ended_is_a_session(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "deep" / "results.jsonl")
    assert file.all() == []
    assert file.add(a_result("a", "Ann"))
    assert file.add(a_result("b", "Bo", "wards"))
    assert [result.id for result in file.all()] == ["b", "a"]
    assert [(result.id, result.winner, result.rounds) for result in file.all("doordice")] == [("a", "Ann", 6)]


def test_a_line_that_was_cut_short_costs_no_other(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "results.jsonl")
    file.add(a_result("a", "Ann"))
    whole = file.path.read_bytes()
    file.path.write_bytes(whole + whole[: len(whole) // 2])
    file.add(a_result("b", "Bo"))
    assert [result.id for result in file.all()] == ["b", "a"]


def test_a_file_that_cannot_be_written_is_told_and_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not ResultsFile(tmp_path / "file" / "results.jsonl").add(a_result("a", "Ann"))


def test_players_are_counted_by_name_and_bots_apart() -> None:
    results = [a_result("a", "Bo"), a_result("b", "Bo"), a_result("c", "Ann")]
    stats = {one.name: one for one in player_stats(results)}
    assert (stats["Bo"].games_played, stats["Bo"].wins, stats["Bo"].total_score) == (3, 2, 18)
    assert stats["Bot (greedy)"].kind == "bot"
    assert [one.name for one in leaderboard(results, 2)] == ["Bo", "Ann"]


def test_players_who_are_level_share_a_place_on_the_leaderboard() -> None:
    seats = (("Ann", 1, True, 7), ("Bo", 2, False, 6), ("Cy", 3, False, 6), ("Di", 4, False, 5))
    results = [
        GameResult("x", 7, "wards", "goal", None, tuple(SeatResult(n, "person", p, w, s) for n, p, w, s in seats))
    ]
    assert [(place, one.name) for place, one in leaders(results)] == [(1, "Ann"), (2, "Bo"), (2, "Cy"), (4, "Di")]


def test_a_running_game_has_no_result_and_a_finished_one_has() -> None:
    playing = LocalGame(Record(Wards(goal=6), ("Ann", "Bot 2 (greedy)")), Scripted([(6,)]).roll)
    bots = {1: "greedy"}
    assert result_of(playing, bots, "x", 7) is None
    playing.act(Seat(0), Action.ROLL)
    playing.act(Seat(0), Action.HOLD)
    result = result_of(playing, bots, "x", 7)
    assert result is not None
    assert result.winner == "Ann"
    assert [(seat.name, seat.place, seat.score) for seat in result.seats] == [("Ann", 1, 6), ("Bot (greedy)", 2, 0)]


def test_bots_are_shown_by_the_name_of_their_level() -> None:
    seats = (SeatResult("Ann", "person", 2, False, 3), SeatResult("Bot (greedy)", "bot", 1, True, 6))
    result = GameResult("x", 7, "wards", "goal", None, seats)
    assert (result.winner, result.shown_winner) == ("Bot (greedy)", "Casual bot")
    assert [one.shown_name for one in leaderboard([result])] == ["Casual bots", "Ann"]
    assert shown_name("Bot (greedy)", "person") == "Bot (greedy)"
