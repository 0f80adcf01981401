"""``dicehall simulate`` and ``dicehall lab``: what they print, draw and refuse."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from dicehall.games import catalogue
from dicehall.lab.comparing import Comparison, variants
from dicehall.lab.intervals import mean_of, share_of
from dicehall.lab.picture import Bar, Panel, nice, picture
from tests.launch.running import process, run

KEYS = ["games", "wins", "win_rate", "stderr", "length", "seconds", "games_per_second", "interval", "bots"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path / "cache"))


def simulated(*more: str) -> tuple[str, ...]:
    return ("simulate", "wards", "--games", "300", "--workers", "1", "--seed", "7", *more)


def test_simulate_answers_programs_with_these_keys() -> None:
    ran = run(*simulated("--json", "--bots", "greedy,good"))
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.last) == KEYS
    assert ran.last["games"] == sum(ran.last["wins"]) == 300
    assert ran.last["win_rate"] == [won / 300 for won in ran.last["wins"]]
    assert 10 < ran.last["length"] < 40


def test_the_same_seed_gives_the_same_figures_and_another_others() -> None:
    told = [run(*simulated("--json"), *more).last["wins"] for more in ([], [], ["--seed", "8"])]
    assert told[0] == told[1] != told[2]


def test_games_may_be_written_as_people_write_large_numbers() -> None:
    assert run(*simulated("--json", "--games", "1.5e2")).last["games"] == 150


def test_one_level_is_for_all_seats() -> None:
    ran = run("simulate", "doordice", "--games", "3", "--bots", "greedy", "--seed", "1", "--json", "--workers", "1")
    assert len(ran.last["wins"]) == 5


def test_simulate_tells_people_who_won_and_how_it_was_played() -> None:
    out = run(*simulated("--rules", "goal=40", "--bots", "greedy,random")).out
    assert out.startswith("Dice Wards, goal=40, 300 games, seed 7\n  seat 1 greedy")
    assert "every game by the rules" in out
    assert "from tables" in run(*simulated()).out


def test_a_bot_that_plays_as_another_is_told() -> None:
    ran = run(*simulated("--rules", "goal=77", "--bots", "exact,greedy"))
    assert "seat 1 exact played as good" in ran.out
    assert "exact bots need solved house rules: dicehall solve wards --rules goal=77" in ran.out
    assert run(*simulated("--rules", "goal=77", "--bots", "exact,greedy", "--json")).last["bots"] == ["good", "greedy"]


def test_lab_says_of_each_row_which_bots_did_not_play_as_asked() -> None:
    command = ("lab", "wards", "--vary", "goal=20,1200", "--bots", "exact", "--games", "2", "--workers", "1")
    heading, _, solved, unsolved, *_, hint = run(*command).out.splitlines()
    assert "2 games each, exact, seed" in heading
    assert "played as" not in solved
    assert unsolved.endswith("(exact played as good)")
    assert "add --solve" in hint
    assert [row["bots"] for row in run(*command, "--json").last] == [["exact", "exact"], ["good", "good"]]


def test_a_single_game_proves_little_and_the_interval_says_so() -> None:
    out = run("simulate", "wards", "--games", "1", "--seed", "1").out
    assert "1 game, seed 1" in out
    assert "100.00 %  (20.65 to 100.00 %)" in out
    assert "0.00 %  (0.00 to 79.35 %)" in out
    (row,) = run("lab", "doordice", "--vary", "rounds=2", "--games", "1", "--workers", "1", "--json").last
    assert row["first_seat_stderr"] > 0.1
    assert row["comebacks_stderr"] > 0.1
    assert row["turns_stderr"] is None
    assert "±" not in run("lab", "doordice", "--vary", "rounds=2", "--games", "1", "--workers", "1").out


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    found = share_of(8, 10)
    assert (found.low, found.high) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert share_of(50_000, 100_000).stderr == pytest.approx(0.5 / 100_000**0.5, rel=1e-4)
    assert mean_of(30.0, 310.0, 3).stderr == pytest.approx((5 / 3) ** 0.5)


@pytest.mark.parametrize("name", ["x.png", "x", "x.svg.pdf", ""])
def test_a_picture_that_is_not_svg_is_refused_before_anything_is_played(name: str, tmp_path: Path) -> None:
    file = str(tmp_path / name) if name else ""
    for command in (simulated(), ("lab", "wards", "--vary", "goal=20", "--games", "1e9")):
        ran = run(*command, "--plot", file)
        assert ran.code == 2
        assert ran.err == f"dicehall: --plot writes SVG: name a file that ends in .svg, not {file!r}.\n"
    assert not list(tmp_path.glob("x*"))


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["simulate", "chess"], "There is no game 'chess'"),
        (["simulate", "wards", "--bots", "clever"], "There is no bot of level 'clever' for wards"),
        (["simulate", "wards", "--bots", "greedy,greedy,greedy"], "wards needs exactly 2 seats, not 3."),
        (["simulate", "wards", "--rules", "colour=1"], "wards has no house rule 'colour'"),
        (["simulate", "wards", "--games", "many"], "--games must be a whole number from 1 to 1000000000, not 'many'."),
        (["simulate", "wards", "--games", "0"], "--games must be a whole number from 1 to 1000000000, not"),
        (["simulate", "wards", "--games", "1e99"], "--games must be a whole number from 1 to 1000000000, not"),
        (["simulate", "wards", "--games", "1.5"], "--games must be a whole number from 1 to 1000000000, not"),
        (["simulate", "wards", "--workers", "0"], "--workers must be a whole number from 1 to 256, not '0'."),
        (["simulate", "wards", "--plot", "/no/such/folder/a.svg"], "A chart cannot be written to"),
        (["lab", "wards", "--vary", "goal"], "Write --vary as name=number,number,..., each name once, not 'goal'."),
        (["lab", "wards", "--vary", "goal=1", "--vary", "goal=2"], "Write --vary as name=number,number,..."),
        (["lab", "wards", "--vary", "goal=x"], "goal must be a whole number, not 'x'."),
        (["lab", "wards", "--vary", "goal=0,5"], "goal must be from 1 to"),
        (["lab", "wards", "--vary", "goal=1e30"], "goal is out of range: '1e30'."),
        (["lab", "wards", "--vary", "goal=10", "--rules", "bonus=-1e30"], "bonus is out of range: '-1e30'."),
        (["lab", "wards", "--vary", "colour=1"], "wards has no house rule 'colour'"),
        (["lab", "wards", "--vary", "goal=10", "--rules", "goal=20"], "goal is either varied or fixed by --rules"),
        (["lab", "wards", "--vary", f"goal={','.join(map(str, range(1, 99)))}"], "98 combinations are too many"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(argv: list[str], sentence: str) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"dicehall: {sentence}")
    assert ran.err.count("\n") == 1


def test_several_varied_rules_multiply() -> None:
    found = variants(catalogue()["aetharn"], {"turn_seconds": None}, {"goal": [1000, 2000], "hot_dice": [0, 1]})
    assert [one.name for one in found] == [
        *("goal=1000, hot_dice=0", "goal=1000, hot_dice=1", "goal=2000, hot_dice=0", "goal=2000, hot_dice=1"),
    ]
    assert {one.game.turn_seconds for one in found} == {None}  # type: ignore[attr-defined]


def test_the_first_seats_edge_is_exact_where_the_game_is_solved() -> None:
    comparison = Comparison(("greedy", "greedy"), 400, "s", workers=1)
    heard: list[float] = []
    found = comparison.all(variants(catalogue()["wards"], {}, {"goal": [20, 100]}), heard.append)
    assert [one.exact for one in found] == [True, True]
    assert found[1].first_seat is not None
    assert found[1].first_seat.value == pytest.approx(0.5305927, abs=5e-8)
    assert found[0].turns.value < found[1].turns.value
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_where_it_is_not_solved_it_is_counted_and_said_so() -> None:
    ran = run("lab", "doordice", "--vary", "rounds=2,3", "--games", "6", "--seed", "1", "--workers", "1", "--json")
    assert [(one["rules"], one["exact"], one["games"]) for one in ran.last] == [
        ({"rounds": 2}, False, 6),
        ({"rounds": 3}, False, 6),
    ]
    assert [one["turns"] for one in ran.last] == [10, 15]
    mana = run("lab", "mana", "--vary", "rounds=1", "--games", "4", "--seed", "1", "--workers", "1")
    assert "nobody begins" in mana.out


def test_pictures_are_svg_with_title_axes_and_labels(tmp_path: Path) -> None:
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    assert f"chart written to {one}" in run(*simulated("--plot", str(one))).out
    ran = run(
        *("lab", "wards", "--vary", "goal=20,30", "--games", "100", "--seed", "1", "--workers", "1", "--json"),
        *("--plot", str(other)),
    )
    assert ran.code == 0
    assert {"Dice Wards, 300 games", "Who wins", "seat: bot", "0: greedy", "turns", "games in %"} <= words(one)
    assert {"First seat", "Length", "Comebacks", "goal=20", "goal=30", "house rules", "turns per game"} <= words(other)


def words(file: Path) -> set[str]:
    return {"".join(text.itertext()) for text in xml.parse(file).getroot().iter(f"{SVG}text")}


def test_bars_are_as_high_as_their_values_and_names_are_escaped() -> None:
    panel = Panel("<&>", "x", "y", [Bar("a", 1.0), Bar("b", 2.0), Bar("c", 0.0)])
    root = xml.fromstring(picture("t", [panel]))
    heights = [float(rect.get("height", "")) for rect in root.iter(f"{SVG}rect")][1:]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.2)
    assert heights[2] == 0
    assert "<&>" in {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}


@pytest.mark.parametrize(("step", "wanted"), [(0.03, 0.05), (1, 1), (1.2, 2), (4, 5), (7, 10), (70, 100)])
def test_axes_count_in_steps_that_people_count_in(step: float, wanted: float) -> None:
    assert nice(step) == pytest.approx(wanted)


def test_simulate_works_as_a_process_that_starts_others() -> None:
    done = process("simulate", "wards", "--games", "400", "--bots", "random,greedy", "--workers", "2", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"games":400' in done.stdout
