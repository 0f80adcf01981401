"""Ratings over HTTP: at the table, on players' pages, and on leaderboards."""

from __future__ import annotations

from pathlib import Path

from tests.server.doors import Doors, open_doors


def won_rated(doors: Doors) -> tuple[str, str, str]:
    """A rated game of Dice Wards that Ann wins against Bo in one turn: the table, and their accounts."""
    doors.box.named.update(dict.fromkeys(range(1, 18), (6,)))
    ann, bo, table = doors.pair()
    for _ in range(17):
        ann.act(table, "roll")
    ann.act(table, "hold")
    return table, ann.id, bo.id


def test_a_rated_game_changes_ratings_where_everybody_sees_them(tmp_path: Path) -> None:
    with open_doors(tmp_path) as doors:
        table, ann, bo = won_rated(doors)
        seats = doors.nobody.get(f"/api/tables/{table}/ratings")["seats"]
        assert [(one["seat"], one["change"] > 0, one["games"]) for one in seats] == [(0, True, 1), (1, False, 1)]
        player = doors.nobody.get(f"/api/players/{ann}")
        assert player["ratings"]["wards"] == {
            "rating": 1500 + seats[0]["change"],
            "error": seats[0]["error"],
            "games": 1,
        }
        assert "apart" not in player
        leaders = doors.nobody.get("/api/leaderboards/wards?by=rating&who=guests")["leaders"]
        assert [one["account"] for one in leaders] == [ann, bo]
        assert leaders[0]["rating"] > 1500 > leaders[1]["rating"]
        assert doors.nobody.wrong("GET", "/api/leaderboards/all?by=rating") == (422, "bad_request")
        assert doors.nobody.wrong("GET", "/api/tables/none/ratings") == (404, "no_such_table")
        viewer = doors.guest("Cy")
        assert viewer.get(f"/api/players/{ann}")["apart"] == {}


def test_two_who_have_ratings_are_told_how_many_games_would_tell_them_apart(tmp_path: Path) -> None:
    with open_doors(tmp_path) as doors:
        doors.box.named.update(dict.fromkeys(range(1, 18), (6,)))
        ann, bo, table = doors.pair()
        for _ in range(17):
            ann.act(table, "roll")
        ann.act(table, "hold")
        apart = ann.get(f"/api/players/{bo.id}")["apart"]["wards"]
        assert 0.5 < apart["chance"] < 1
        assert apart["games"] > 1
        theirs = bo.get(f"/api/players/{ann.id}")["apart"]["wards"]
        assert theirs["games"] == apart["games"]


def test_a_casual_game_changes_nobody(tmp_path: Path) -> None:
    with open_doors(tmp_path) as doors:
        doors.box.named[1] = (6,)
        ann, _, table = doors.pair(rules={"goal": 6})
        ann.act(table, "roll")
        ann.act(table, "hold")
        assert doors.nobody.get(f"/api/tables/{table}/ratings")["seats"] == []
