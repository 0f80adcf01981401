"""The header of a record, sentence by sentence of the protocol; what is wrong with it makes the document invalid."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dicehall.core.house import house_rules
from dicehall.games import catalogue
from tests.launch.running import Ran, record, replayed
from tests.wire.samples import SEATS

WARDS = record("wards", 2, [{"seat": 0, "move": "roll"}])
WRONG: list[Any] = [None, True, 0, -1, 1.5, 10**30, "", "x", [], [[]], {}, {"a": 1}]


def invalid(ran: Ran) -> tuple[str, str]:
    """The code and the place of a document that is none; there is one line, with a sentence."""
    assert ran.code == 2
    assert len(ran.lines) == 1
    assert ran.last.keys() == {"invalid"}
    told = ran.last["invalid"]
    assert told.keys() == {"code", "path", "message"}
    assert told["message"].endswith(".")
    assert len(ran.out) < 600
    return told["code"], told["path"]


def changed(**header: Any) -> dict[str, Any]:
    return {**WARDS, **header}


@pytest.mark.parametrize("name", ["dicehall", "game", "seats", "entries"])
def test_four_keys_are_required(name: str) -> None:
    assert invalid(replayed({key: value for key, value in WARDS.items() if key != name})) == ("malformed", name)


def test_rules_may_be_absent_and_are_then_the_defaults() -> None:
    bare, full = replayed(WARDS), replayed(changed(rules={"goal": 100, "turn_seconds": 30}))
    assert bare.code == full.code == 0
    assert bare.out == full.out


@pytest.mark.parametrize("key", ["venue", "Dicehall", "entry", "match", "clock", ""])
@pytest.mark.parametrize("value", [None, 7, [[[]]], {"dicehall": 2}])
def test_unknown_keys_at_the_top_are_ignored(key: str, value: Any) -> None:
    """``match`` belongs to Mana: to Dice Wards it is a key like any other."""
    assert replayed({key: value, **WARDS}).out == replayed(WARDS).out


@pytest.mark.parametrize("version", [0, 2, -1, 10**30])
def test_an_unknown_version_is_not_ignored(version: int) -> None:
    assert invalid(replayed(changed(dicehall=version))) == ("unknown_version", "dicehall")


@pytest.mark.parametrize("version", [None, True, 1.0, "1", [1], {}])
def test_a_version_is_a_whole_number(version: Any) -> None:
    assert invalid(replayed(changed(dicehall=version))) == ("malformed", "dicehall")


@pytest.mark.parametrize("game", ["chess", "Wards", "wards ", "farkle", "", *WRONG])
def test_an_unknown_game_is_not_ignored(game: Any) -> None:
    assert invalid(replayed(changed(game=game))) == ("unknown_game", "game")


@pytest.mark.parametrize("game", SEATS)
def test_an_unknown_rule_is_not_ignored(game: str) -> None:
    wrong = record(game, SEATS[game], [], rules={"colour": 1})
    assert invalid(replayed(wrong)) == ("unknown_rule", "rules.colour")
    assert house_rules(catalogue()[game])[0].name in replayed(wrong).last["invalid"]["message"]


@pytest.mark.parametrize("name", ["alive", "table", "match", "key", "seats", "__class__"])
def test_other_fields_of_a_game_are_no_rules(name: str) -> None:
    for game, seats in SEATS.items():
        assert invalid(replayed(record(game, seats, [], rules={name: 1})))[0] == "unknown_rule"


@pytest.mark.parametrize("rules", [None, True, 0, "goal", [], [["goal", 5]]])
def test_rules_are_an_object(rules: Any) -> None:
    assert invalid(replayed(changed(rules=rules))) == ("malformed", "rules")


@pytest.mark.parametrize("number", [0, -1, 10**9 + 1, 10**30, 1.5, 100.0, True, None, "100", [100], {}])
def test_a_rule_of_a_wrong_type_or_size_is_refused(number: Any) -> None:
    assert invalid(replayed(changed(rules={"goal": number}))) == ("bad_rule", "rules.goal")


def test_a_clock_may_be_null() -> None:
    assert replayed(changed(rules={"turn_seconds": None})).code == 0


@pytest.mark.parametrize("names", [None, True, 2, "ab", {}, {"0": "a", "1": "b"}, ["a", 1], ["a", None], [["a"], "b"]])
def test_seats_are_a_list_of_names(names: Any) -> None:
    assert invalid(replayed(changed(seats=names))) == ("malformed", "seats")


@pytest.mark.parametrize(
    ("game", "fits"), [("wards", {2}), ("mana", {2}), ("doordice", {5}), ("aetharn", {*range(2, 7)})]
)
def test_a_number_of_seats_the_game_cannot_have_is_refused(game: str, fits: set[int]) -> None:
    for seats in range(14):
        ran = replayed(record(game, seats, []))
        if seats in fits:
            assert ran.code == 0
        else:
            assert invalid(ran) == ("bad_seats", "seats")


def test_names_are_labels_only() -> None:
    """Empty, equal, long and foreign names decide nothing."""
    for names in (["", ""], ["ann", "ann"], ["x" * 1000, "y"], ["Ωmega 🎲", "名前"], ["0", "spectator"]):
        assert replayed(changed(seats=names)).out == replayed(WARDS).out


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\n", "\x7f", "\x9b"])
def test_a_name_that_could_steer_a_terminal_is_refused(character: str) -> None:
    assert invalid(replayed(changed(seats=["ann", f"b{character}o"]))) == ("malformed", "seats[1]")


@pytest.mark.parametrize("entries", [None, True, 0, "[]", {}, {"0": {"roll": [1]}}])
def test_entries_are_a_list(entries: Any) -> None:
    assert invalid(replayed(changed(entries=entries))) == ("malformed", "entries")


@pytest.mark.parametrize("document", [None, True, 0, 1.5, "wards", [], [WARDS]])
def test_a_record_is_an_object(document: Any) -> None:
    assert invalid(replayed(json.dumps(document).encode())) == ("malformed", "")


def test_an_edition_of_the_rules_that_is_not_this_one_is_not_ignored() -> None:
    assert invalid(replayed(changed(edition=2))) == ("unknown_edition", "edition")
    assert replayed(changed(edition=1)).code == 0


@pytest.mark.parametrize(("header", "dice"), [({}, 33), ({"edition": 2}, 33), ({"edition": 1}, 66)])
def test_a_record_without_rules_has_the_defaults_of_its_edition(header: dict[str, Any], dice: int) -> None:
    """M15."""
    assert len(replayed(record("mana", 2, [], **header)).last["state"]["dice"]) == dice
    assert len(replayed(record("mana", 2, [], rules={"rounds": 3}, **header)).last["state"]["dice"]) == dice


def test_an_edition_of_mana_that_nobody_has_written_is_refused() -> None:
    for edition in (0, 3):
        assert invalid(replayed(record("mana", 2, [], edition=edition))) == ("unknown_edition", "edition")


def test_more_rounds_than_units_are_refused_where_units_fight_once() -> None:
    """M15."""
    assert invalid(replayed(record("mana", 2, [], rules={"rounds": 9}))) == ("bad_rule", "rules.rounds")
    assert replayed(record("mana", 2, [], rules={"rounds": 9, "fight_once": 0})).code == 0
    assert replayed(record("mana", 2, [], rules={"rounds": 9}, edition=1)).code == 0


GOOD_SEAL = {"table": "t", "s0": "0" * 64, "words": ["", ""]}


@pytest.mark.parametrize("seal", [True, 5, "s", [], {}, {"table": "t"}, {**GOOD_SEAL, "words": [1, 2]}])
def test_a_seal_of_a_wrong_shape_is_refused(seal: Any) -> None:
    assert invalid(replayed(changed(seal=seal))) == ("malformed", "seal")


def test_a_seal_changes_nothing_in_a_replay() -> None:
    assert replayed(changed(seal=GOOD_SEAL)).out == replayed(changed(seal=None)).out == replayed(WARDS).out


MATCH = {"id": "duel-1", "players": ["npub-a", "npub-b"]}


def test_a_match_over_nostr_has_no_draw() -> None:
    assert replayed(record("mana", 2, [])).last["state"]["awaits"] == "dice"
    state = replayed(record("mana", 2, [], match=MATCH)).last["state"]
    assert (state["awaits"], state["turn"]) == ("turn", [0, 1])


@pytest.mark.parametrize(
    "match",
    [
        True,
        5,
        [],
        {},
        {"id": "duel-1"},
        {**MATCH, "id": 5},
        {**MATCH, "id": ""},
        {**MATCH, "id": "a b"},
        {**MATCH, "id": "x" * 65},
        {**MATCH, "players": ["a"]},
        {**MATCH, "players": ["a", "a"]},
        {**MATCH, "players": ["a", "b", "c"]},
    ],
)
def test_a_match_of_a_wrong_shape_is_refused(match: Any) -> None:
    assert invalid(replayed(record("mana", 2, [], match=match))) == ("malformed", "match")


@pytest.mark.parametrize("name", ["same_army", "fight_once"])
def test_a_match_over_nostr_has_none_of_the_house_rules_of_hall_tables(name: str) -> None:
    """M15."""
    assert replayed(record("mana", 2, [], match=MATCH, rules={name: 0})).code == 0
    assert invalid(replayed(record("mana", 2, [], match=MATCH, rules={name: 1}))) == ("malformed", "match")


def test_a_match_has_as_many_rounds_as_a_byte_can_count() -> None:
    assert replayed(record("mana", 2, [], match=MATCH, rules={"rounds": 255})).code == 0
    assert invalid(replayed(record("mana", 2, [], match=MATCH, rules={"rounds": 256}))) == ("malformed", "match")
