"""``dicehall stats``: sessions, players and the leaderboard of this machine (D11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.client.results import GameResult, SeatResult
from dicehall.launch.game_folder import results_file
from tests.launch.running import run


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_DATA", str(tmp_path))


def won(id: str, winner: str, loser: str, game: str = "wards") -> None:
    seats = (SeatResult(winner, "person", 1, True, 100), SeatResult(loser, "bot", 2, False, 40))
    results_file().add(GameResult(id, 1_700_000_000_000, game, "goal", None, seats))


def test_without_games_it_says_how_to_get_some() -> None:
    assert run("stats").out == "No games yet. Play one to its end and it will appear here: dicehall play\n"
    assert run("stats", "--json").last == {"sessions": [], "players": [], "leaderboard": []}


def test_players_are_ranked_and_the_latest_games_listed() -> None:
    won("1", "Ann", "Bot (greedy)")
    won("2", "Ann", "Bot (greedy)")
    won("3", "Bo", "Bot (greedy)")
    shown = run("stats").out.splitlines()
    assert shown[0] == "Dice Wards: 3 games"
    assert shown[1].split() == ["player", "games", "wins", "win", "rate", "points"]
    assert shown[2].split() == ["1.", "Ann", "2", "2", "100", "%", "200"]
    assert shown[3].split()[:2] == ["2.", "Bo"]
    assert shown[4].split() == ["3.", "Casual", "bots", "3", "0", "0", "%", "120"]
    assert sum("2023-11-1" in line for line in shown) == 3
    assert max(map(len, shown)) <= 80


def test_one_game_can_be_asked_for() -> None:
    won("1", "Ann", "Bo")
    won("2", "Cy", "Di", game="doordice")
    assert "Cy" not in run("stats", "wards").out
    assert "VP earned" in run("stats", "doordice").out
    assert run("stats", "chess").code == 2


def test_programs_get_sessions_players_and_the_leaderboard() -> None:
    won("1", "Ann", "Bo")
    shown = run("stats", "--json").last
    (session,) = shown["sessions"]
    assert (session["game"], session["winner"]) == ("wards", "Ann")
    assert shown["leaderboard"][0] == {
        "name": "Ann", "kind": "person", "games_played": 1, "wins": 1, "total_score": 100, "win_rate": 1.0,
    }  # fmt: skip


def test_a_game_in_the_terminal_counts() -> None:
    typed = b"roll\nhold\n" * 100
    run("play", "wards", "--names", "Ann", "--bot", "greedy", "--rules", "goal=10", given=typed)
    names = {player["name"] for player in run("stats", "--json").last["players"]}
    assert names == {"Ann", "Bot (greedy)"}
