from __future__ import annotations

import re
from itertools import combinations, islice
from pathlib import Path

import pytest

from dicehall.games import catalogue
from dicehall.launch.game_folder import last_game, last_unfinished
from dicehall.launch.play import EXAMPLES
from dicehall.wire.bot_names import bot_names
from tests.ui.terminal.command import WITH_PIGLET, Here, Ran, dicehall, lines, tail

EFFECTS = ("jab", "pickpocket", "strike", "power damage", "give hp", "give vp", "take hp", "take vp")
TRIPLES = [f"hold {a} {b} {c}" for a, b, c in combinations(range(1, 7), 3)]
STUBBORN = {  # lines that, typed over and over, are each right or refused, and finish any game
    "wards": lines("roll", "roll", "hold"),
    "aetharn": lines("roll", *(f"hold {n}" for n in range(1, 7)), "h 123456", *TRIPLES, "bank"),
    "tenthousand": lines("r", "l 111", "l 222", "l 333", "l 444", "l 555", "l 666", "l 1", "l 5", "yield"),
    "doordice": lines("roll", "power vp", *(f"{effect} {n}" for effect in EFFECTS for n in range(1, 6))),
    "mana": lines(*(f"pick {n}" for n in range(1, 9))),
}
QUICK = {
    "wards": "goal=40",
    "aetharn": "goal=1500",
    "tenthousand": "goal=2000",
    "doordice": "rounds=6",
    "mana": "rounds=5",
}


@pytest.mark.parametrize("key", list(catalogue()))
def test_a_whole_game_typed_against_bots_through_a_pipe(key: str) -> None:
    bots = ["--bot", "greedy"] * (WITH_PIGLET[key].seats[0] - 1)
    ran = dicehall("play", key, *bots, "--rules", QUICK[key], "--seed", key, typed=STUBBORN[key] * 300)
    assert (ran.code, ran.err) == (0, "")
    assert "The game is over." in ran.out
    assert "Player 1, it is your turn." in ran.out
    assert "\x1b" not in ran.out
    seats = {"Player 1", *islice(bot_names(key, ()), 1, 1 + len(bots) // 2)}
    *places, coach = tail(ran, len(seats) + 1)
    assert {line[3:] for line in places} == seats
    assert coach == "Full report: dicehall coach. Statistics: dicehall stats."


@pytest.mark.parametrize("key", [*catalogue(), "piglet"])
def test_a_hot_seat_of_people_only_comes_to_its_end(here: Here, key: str) -> None:
    typed = STUBBORN.get(key, lines("flip", "hold")) * 300
    rules = ["--rules", QUICK[key]] if key in QUICK else []
    ran = here("play", key, *rules, "--seed", "x", typed=typed)
    assert (ran.code, ran.err) == (0, "")
    assert "The game is over." in ran.out
    assert not [name for name in re.findall(r"^\d\. (\w+)", ran.out, re.M) if name != "Player"]


@pytest.mark.parametrize("key", [*catalogue(), "piglet"])
def test_bots_alone_play_a_game_without_any_input(here: Here, key: str) -> None:
    seats = WITH_PIGLET[key].seats[0]
    ran = here("play", key, "--seats", f"{seats}", *["--bot", "random"] * seats, "--seed", "x")
    assert ran.code == 0
    assert "The game is over." in ran.out
    assert "help" not in ran.out  # there is nobody to help


def test_the_same_seed_gives_the_same_game_and_another_one_another(here: Here) -> None:
    def bots(seed: str) -> Ran:
        return here("play", "doordice", *["--bot", "random"] * 5, "--seed", seed)

    assert bots("a") == bots("a")
    assert bots("a") != bots("b")


def test_without_a_seed_two_games_differ(here: Here) -> None:
    def bots() -> Ran:
        return here("play", "doordice", *["--bot", "random"] * 5)

    assert bots() != bots()


def test_a_bot_is_asked_for_by_its_level_or_by_the_name_of_it(here: Here) -> None:
    by_key = here("play", "wards", "--bot", "greedy", "--seed", "a", typed=lines("r"))
    assert here("play", "wards", "--bot", "casual", "--seed", "a", typed=lines("r")) == by_key
    assert here("play", "wards", "--bot", "Casual", "--seed", "a", typed=lines("r")) == by_key


def test_a_turn_shows_scores_position_and_what_each_move_is_worth(here: Here) -> None:
    ran = here("play", "wards", "--bot", "greedy", "--seed", "a", typed=lines("r"))
    assert ran.out.splitlines()[:12] == [
        "Dice Wards: Player 1 and Kaya (Casual).",
        "Type help for the rules and the commands, or quit to leave.",
        "",
        "Player 1 has 0, Kaya has 0. The goal is 100.",
        "Player 1, it is your turn.",
        "On the pile: 0.",
        "  1. roll: a 2 to 6 goes on the pile, a 1 passes the die",
        "  2. hold: keep 0, which makes 0",
        "Player 1 rolls a 4.",
        "On the pile: 4. Last die: [4]",
        "  1. roll: a 2 to 6 goes on the pile, a 1 loses the 4",
        "  2. hold: keep 4, which makes 4",
    ]


def test_a_wrong_input_is_explained_and_asked_again(here: Here) -> None:
    ran = here("play", "aetharn", "--seed", "b", typed=lines("dance", "roll", "bank", "hold 9", "", "h 2 3 4 6", "b"))
    said = ran.out.splitlines()
    for sentence in (
        "There is no command 'dance'. Type roll, fold or help.",
        "Hold something from this roll before you bank.",
        "There is no die 9: the dice of this roll are 1 to 6.",
        "Type hold, fold or help.",
    ):
        assert sentence in said
    assert any("banks" in line for line in said)


def test_bytes_that_are_no_text_are_questioned_too(here: Here) -> None:
    ran = here("play", "wards", typed=b"\xff\xfe\nroll\n")
    assert ran.code == 0
    assert "There is no command" in ran.out
    assert "Player 1 rolls a" in ran.out


def test_help_tells_the_rules_the_moves_and_the_commands(here: Here) -> None:
    out = here("play", "tenthousand", typed=lines("help")).out
    for line in (
        "To open your score, you need at least 1000 points in one turn.",
        "bank: keep the points",
        "quit: leave the game;",
    ):
        assert line in out


def test_score_tells_how_it_stands_without_making_a_move(here: Here) -> None:
    out = here("play", "wards", typed=lines("score")).out
    assert out.count("Player 1 has 0, Player 2 has 0. The goal is 100.") == 2


@pytest.mark.parametrize("typed", ["", "quit\n", "q\n", "roll\n", "roll"])
def test_leaving_and_the_end_of_input_are_no_errors(here: Here, typed: str) -> None:
    ran = here("play", "piglet", typed=typed.replace("roll", "flip"))
    assert (ran.code, ran.err) == (0, "")
    if typed.startswith("roll"):
        assert tail(ran, 1) == ["The game is saved. To continue it: dicehall play --resume"]
        assert last_unfinished(WITH_PIGLET, "piglet") is not None
    else:
        assert tail(ran, 1) == ["There is nothing to save yet."]


@pytest.mark.parametrize("key", list(catalogue()))
def test_leaving_before_a_first_move_keeps_the_game_before_and_says_so(here: Here, key: str) -> None:
    """The deal of Mana's armies, Aetharn's order and the moves of bots that begin are no moves of a person."""
    here("play", "piglet", typed=lines("flip"))
    kept = last_game()
    assert kept is not None
    played = kept.read_bytes()
    for seed in "abc":
        bots = ["--bot", "random"] * (WITH_PIGLET[key].seats[0] - 1)
        ran = here("play", key, *bots, "--seed", seed, typed=lines("quit"))
        assert tail(ran, 1) == ["There is nothing to save yet."]
        assert last_game() == kept
        assert kept.read_bytes() == played


def test_no_pick_is_shown_before_both_have_picked(here: Here) -> None:
    """M1."""
    before = here("play", "mana", "--seed", "x", typed=lines("pick 7"))
    other = here("play", "mana", "--seed", "x", typed=lines("pick 2"))
    assert before.out == other.out
    after = here("play", "mana", "--seed", "x", typed=lines("pick 7", "pick 2")).out
    assert "Player 1: unit 7 (" in after
    assert "Player 2: unit 2 (" in after


def test_people_may_have_names(here: Here) -> None:
    ran = here("play", "aetharn", "--names", "Ann, Bo", "--bot", "random", "--seats", "3", "--seed", "x")
    assert ran.out.startswith("Aetharn: Ann, Bo and Cosmo (Easy).\n")
    assert here("play", "aetharn", "--names", "Ann, Bo", "--bot", "random", "--seed", "x") == ran


@pytest.mark.parametrize(
    ("bots", "seats", "told"),
    [
        (0, None, "Player 1 and Player 2"),
        (1, None, "Player 1 and Hana (Easy)"),
        (2, None, "Player 1, Hana (Easy) and Cosmo (Easy)"),
        (1, "3", "Player 1, Player 2 and Cosmo (Easy)"),
        (6, None, "Nico (Easy), Hana (Easy)"),
    ],
)
def test_bots_take_the_last_seats_and_leave_room_for_one_person(
    here: Here, bots: int, seats: str | None, told: str
) -> None:
    asked = [] if seats is None else ["--seats", seats]
    ran = here("play", "aetharn", *["--bot", "random"] * bots, *asked, "--rules", "goal=100")
    assert ran.out.startswith(f"Aetharn: {told}")


WRONG = [
    (
        "play",
        "Which game? For example: dicehall play aetharn."
        " The games are aetharn, doordice, mana, tenthousand, wards, piglet.",
    ),
    ("play chess", "There is no game 'chess'; there are aetharn, doordice, mana, tenthousand, wards, piglet."),
    ("play wards --seats 1", "wards needs exactly 2 seats, not 1."),
    ("play aetharn --seats 7", "aetharn needs 2 to 6 seats, not 7."),
    ("play aetharn --seats x", "--seats must be a whole number, not 'x'."),
    ("play aetharn --seats -2", "aetharn needs 2 to 6 seats, not -2."),
    ("play wards --seats 99999999999999999999", "--seats is out of range: '99999999999999999999'."),
    (
        "play wards --bot brilliant",
        "There is no bot of level 'brilliant' for wards; there are random, greedy, good, exact.",
    ),
    ("play piglet --bot greedy", "There is no bot of level 'greedy' for piglet; there are random."),
    ("play wards --bot random --bot random --bot random", "There are 2 seats, too few for 3 bots."),
    ("play aetharn --seats 2 --bot random --bot random --bot random", "There are 2 seats, too few for 3 bots."),
    ("play wards --rules goal=0", "goal must be from 1 to 1000000000, not 0."),
    ("play wards --rules goal=x", "goal must be a whole number, not 'x'."),
    ("play wards --rules goal=1.5", "goal must be a whole number, not '1.5'."),
    ("play wards --rules goal=none", "goal must be a whole number."),
    ("play wards --rules goal", "Write house rules as name=number, each only once, not 'goal'."),
    ("play wards --rules goal=5,goal=6", "Write house rules as name=number, each only once, not 'goal=6'."),
    ("play wards --rules speed=5", "wards has no house rule 'speed'; it has goal, turn_seconds."),
    ("play wards --names Ann", "--names lists 1, but 2 of the seats are for people."),
    ("play wards --names Ann,Ann", "Two people have the same name: names must be unique."),
    (f"play wards --names Ann,{'B' * 25}", "Names have up to 24 printable characters."),
    ("play wards --save /no/such/folder/x", "/no/such/folder/x cannot be written: no such file or directory."),
    ("play wards --save /dev/null", "/dev/null is not a file that a game can be saved in."),
    ("play --resume /no/such/file", "/no/such/file cannot be read: no such file or directory."),
    (
        "play --resume x --seats 2",
        "A resumed game keeps its seats, names, rules and words: leave out --seats, --names, --rules and --words.",
    ),
    (
        "play --resume -",
        "A game cannot be resumed from standard input, because that is where moves are typed. Name a file.",
    ),
]


@pytest.mark.parametrize(("command", "said"), WRONG, ids=[command for command, _ in WRONG])
def test_a_wrong_command_is_told_in_one_sentence(here: Here, command: str, said: str) -> None:
    assert here(*command.split()) == Ran(2, "", f"dicehall: {said}\n")


def test_a_clock_may_be_switched_off_by_name(here: Here) -> None:
    assert here("play", "wards", "--rules", "turn_seconds=none,goal=5").code == 0
    assert here("play", "wards", "--rules", "turn_seconds=none", "--rules", "goal=5").code == 0


def test_a_bot_cannot_be_impersonated_by_a_name(here: Here) -> None:
    for bot in ("Bot 2 (greedy)", "Kaya (Casual)"):
        assert (
            here("play", "wards", "--names", f"Ann,{bot}").err == f"dicehall: Only bots have names such as '{bot}'.\n"
        )


def test_a_bot_never_has_the_name_of_a_person(here: Here) -> None:
    ran = here("play", "wards", "--names", "kaya", "--bot", "greedy")
    assert ran.out.startswith("Dice Wards: kaya and Clio (Casual).")


def test_a_record_from_before_bots_had_names_goes_on_with_its_bot(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text('{"dicehall": 1, "game": "wards", "seats": ["a", "Bot 2 (greedy)"], "entries": []}')
    assert "Bot 2 (greedy) rolls a" in here("play", "--resume", f"{file}", typed=lines("hold")).out


def test_the_help_of_the_command_says_that_there_is_no_clock() -> None:
    ran = dicehall("play", "--help")
    assert ran.code == 0
    assert "There is no clock" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    "example", [line for line in re.findall(r"^  dicehall (.*)$", EXAMPLES, re.M) if "://" not in line]
)
def test_the_examples_of_the_help_work(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if "--resume" in example:
        here("play", "wards", "--save", "game.json", typed=lines("hold"))
    assert here(*example.split()).code == 0
