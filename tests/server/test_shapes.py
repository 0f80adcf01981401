"""What the hall shows fits the types it is documented by, and the page's types are made from those."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dicehall.games import catalogue
from dicehall.server.shapes import FoundShown, GameShown, LeadersShown, PlayerShown, TableShown, UpdatesShown
from tests.server.doors import Doors
from tools.page_types import FILE, types


def fits(document: Any, kind: Any) -> Any:
    """Nothing missing, nothing of another type, nothing more."""
    return msgspec.convert(document, kind)


@pytest.mark.parametrize("game", catalogue())
def test_a_table_fits_in_its_lobby_in_its_game_and_for_a_stranger(doors: Doors, game: str) -> None:
    ann = doors.guest("Ann")
    bots = [{"seat": seat, "level": "random"} for seat in range(1, catalogue()[game].seats[0])]
    table = ann.open(game, bots=bots)
    assert fits(doors.nobody.get(f"/api/tables/{table}"), TableShown).view is None
    ann.sit(table)
    if ann.get(f"/api/tables/{table}")["phase"] == "lobby":
        ann.post(f"/api/tables/{table}/start")
    mine = fits(ann.get(f"/api/tables/{table}"), TableShown)
    assert mine.me is not None
    assert mine.view is not None
    assert fits(doors.nobody.get(f"/api/tables/{table}"), TableShown).me is None


def test_a_lobby_fits_for_somebody_who_was_removed_from_it(doors: Doors) -> None:
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.open("aetharn")
    for one in (ann, bo):
        one.sit(table)
    ann.post(f"/api/tables/{table}/remove", {"seat": 1})
    barred = fits(bo.get(f"/api/tables/{table}"), TableShown).barred
    assert (barred.why, barred.until) == ("removed", None)


def test_updates_fit_with_their_dice(doors: Doors) -> None:
    ann, _, table = doors.pair()
    ann.act(table, "roll")
    told = fits(ann.get(f"/api/tables/{table}/events"), UpdatesShown)
    assert [update.n for update in told.updates] == list(range(1, told.n + 1))
    assert told.updates[-1].rolls


def test_games_lists_leaders_and_players_fit(doors: Doors) -> None:
    ann, bo, table = doors.pair()
    doors.box.named.update(dict.fromkeys(range(1, 18), (6,)))
    for _ in range(17):
        ann.act(table, "roll")
    ann.act(table, "hold")
    assert len(fits(doors.nobody.get("/api/games"), list[GameShown])) == len(catalogue())
    assert fits(doors.nobody.get("/api/tables"), FoundShown).tables[0].id == table
    assert fits(doors.nobody.get("/api/leaderboards/all?who=guests"), LeadersShown).leaders
    player = fits(bo.get(f"/api/players/{ann.id}"), PlayerShown)
    assert player.history[0].results
    assert player.versus["wards"].played == 1


def test_the_pages_types_are_current() -> None:
    assert FILE.read_text(encoding="utf-8") == types(), "run make types"


def test_a_field_too_many_would_be_found() -> None:
    with pytest.raises(msgspec.ValidationError):
        fits({"leaders": [], "page": 0, "more": 1}, LeadersShown)
