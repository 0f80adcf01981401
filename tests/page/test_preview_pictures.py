"""Pictures in previews of links: what is on them, what is not, and what they may cost."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image
from starlette.testclient import TestClient

from dicehall.server import preview_image
from dicehall.server.app import make_app
from dicehall.server.limits import Limits, Rate
from dicehall.server.preview_pictures import ORNAMENT, SIZE, Picture, Row, private_picture
from dicehall.server.webpage import page
from tests.page.test_served import finished
from tests.server.doors import FREE, HOME, Doors, StoppedClock, open_doors


class Sketches:
    """Draws nothing, and sends what would be drawn."""

    def __init__(self) -> None:
        self.drawn: list[Picture] = []

    async def draw(self, _: str, picture: Picture) -> bytes:
        self.drawn.append(picture)
        return msgspec.json.encode(picture)


@contextmanager
def opened(built: Path, folder: Path, **changed: Any) -> Iterator[Doors]:
    with open_doors(folder, **changed) as doors:
        app = make_app(doors.running.parts, doors.running.sockets, page(doors.running.parts, built))
        yield replace(doors, client=TestClient(app, base_url=HOME))


@pytest.fixture
def sketches() -> Sketches:
    return Sketches()


@pytest.fixture
def doors(built: Path, tmp_path: Path, sketches: Sketches) -> Iterator[Doors]:
    with opened(built, tmp_path, draw=sketches.draw) as found:
        yield found


def seen(doors: Doors, table: str) -> Picture:
    answer = doors.client.get(f"/t/{table}/preview.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    return msgspec.json.decode(answer.content, type=Picture)


def test_a_finished_game_shows_its_result_and_its_last_dice(doors: Doors) -> None:
    picture = seen(doors, finished(doors))
    assert (picture.eyebrow, picture.title, picture.dice) == ("Dice Wards", "Ann wins", (6,))
    assert [(row.name, row.score) for row in picture.rows] == [("Ann", "6"), ("<b>Bo", "0")]


def test_an_open_table_shows_who_sits_there_and_a_running_one_how_it_stands(doors: Doors) -> None:
    ann, bo = doors.guest("Ann"), doors.guest("Bo")
    table = ann.open("wards", seats=2, drawn=False, name="Friday")
    ann.sit(table)
    assert seen(doors, table) == Picture(
        "Dice Wards", "Friday", "1 of 2 seats taken", (Row("Ann", "", "Player 1"),), instead="Dice Wards"
    )
    doors.box.named[1] = (5,)
    bo.sit(table)
    for move in ("roll", "hold"):
        ann.act(table, move)
    picture = seen(doors, table)
    assert (picture.note, picture.dice) == ("Playing now: watch the game", (5,))
    assert [row.score for row in picture.rows] == ["5", "0"]


@pytest.mark.parametrize("more", [{"visibility": "link"}, {"password": "six dice"}])
def test_nothing_of_a_private_table_is_drawn(doors: Doors, more: dict[str, str]) -> None:
    table = doors.guest("Ann").open("wards", name="Secret evening", **more)
    assert seen(doors, table) == private_picture("en")


def test_nothing_of_todays_challenge_is_drawn(doors: Doors) -> None:
    table = doors.guest("Ann").post("/api/challenge/wards")["id"]
    assert doors.nobody.wrong("GET", f"/t/{table}/preview.png") == (403, "not_allowed")


def test_the_lobby_and_the_daily_challenge_have_pictures_and_others_have_none(doors: Doors) -> None:
    for path, title in (("/", "Dicehall"), ("/challenge", "Same dice for everyone")):
        address = re.findall(r'og:image" content="http://hall.example([^"]+)"', doors.client.get(path).text)
        picture = msgspec.json.decode(doors.client.get(address[0]).content, type=Picture)
        assert (picture.title, picture.dice) == (title, ORNAMENT)
    assert "og:image" not in doors.client.get("/settings").text
    assert doors.nobody.wrong("GET", "/t/nowhere/preview.png") == (404, "no_such_table")
    assert doors.client.get(f"/t/{'x' * 65}/preview.png").status_code == 404


def test_a_picture_is_drawn_once_and_again_when_something_has_changed(doors: Doors, sketches: Sketches) -> None:
    ann = doors.guest("Ann")
    table = ann.open("wards", seats=2)
    for _ in range(3):
        seen(doors, table)
    assert len(sketches.drawn) == 1
    ann.sit(table)
    seen(doors, table)
    assert len(sketches.drawn) == 2


@pytest.mark.parametrize("path", ["/t/nowhere/preview.png", "/preview.png", "/challenge/preview.png"])
def test_nobody_asks_for_pictures_without_a_limit(built: Path, tmp_path: Path, path: str) -> None:
    limits = Limits(StoppedClock(), {**FREE, "picture_address": Rate(burst=1, per_second=0.1)})
    with opened(built, tmp_path, limits=limits, draw=Sketches().draw) as doors:
        assert doors.client.get(path).status_code in (200, 404)
        assert doors.nobody.wrong("GET", path) == (429, "rate_limited")


def test_a_picture_is_drawn_in_a_process_of_its_own(built: Path, tmp_path: Path) -> None:
    with opened(built, tmp_path) as doors:
        answer = doors.client.get("/preview.png")
        assert answer.headers["cache-control"] == "public, max-age=300"
        assert Image.open(io.BytesIO(answer.content)).size == SIZE
        assert doors.running.painter.worker.pool is not None


# -- the drawing itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Bartholomäus", "Bartholomäus"),
        ("Игорь", "Игорь"),
        ("Ζωή", "Ζωή"),
        ("Zoë \N{GAME DIE}", "Zoë"),
        ("\N{GAME DIE}", "Player 2"),
        ("漢字の人", "Player 2"),
        ("مرحبا", "Player 2"),
        ("שלום", "Player 2"),
        ("हिन्दी", "Player 2"),
        ("e\N{COMBINING ACUTE ACCENT}" * 3, "Player 2"),
        ("a\N{RIGHT-TO-LEFT OVERRIDE}b\n", "ab"),
        ("<b>&amp;", "<b>&amp;"),
        ("", "Player 2"),
    ],
)
def test_a_name_is_drawn_as_text_where_the_font_has_its_letters(name: str, drawn: str) -> None:
    assert preview_image.readable(name, "Player 2") == drawn


@pytest.mark.parametrize("text", ["W" * 60, "i" * 5000, "Ann wins", "", "ß"])
def test_a_text_that_is_too_wide_is_made_smaller_and_then_cut(text: str) -> None:
    shown, size = preview_image.fitted(text, 70, 500)
    assert preview_image.font(size).getlength(shown) <= 500
    assert shown == text or shown.endswith("…")


@pytest.mark.parametrize("dice", [(), (6,), (1, 5, 3, 3, 3, 2), (1,) * 9])
@pytest.mark.parametrize("seats", [0, 2, 12])
def test_a_picture_has_the_size_that_chats_ask_for(dice: tuple[int, ...], seats: int) -> None:
    rows = tuple(Row("W" * 24, "1000000") for _ in range(seats))
    drawn = preview_image.draw(Picture("Game", "Title " * 20, "note", rows, dice))
    assert Image.open(io.BytesIO(drawn)).size == SIZE
    assert len(drawn) < 300_000


def test_every_face_has_as_many_pips_as_it_says() -> None:
    assert [len(set(preview_image.pips(face))) for face in range(1, 7)] == [1, 2, 3, 4, 5, 6]
