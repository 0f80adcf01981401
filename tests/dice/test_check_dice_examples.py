"""The two stand-alone verifiers in `examples/`, run as anybody would run them."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

Record = dict[str, Any]
Run = Callable[..., subprocess.CompletedProcess[str]]


def node() -> str:
    found = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    said = "node is missing, so examples/check_dice.mjs is not tried"
    if found is None and os.environ.get("CI") == "true":
        pytest.fail(said)
    if found is None:
        pytest.skip(said)
    return found


@pytest.fixture(params=["check_dice.py", "check_dice.mjs"])
def verify(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Run one of the verifiers on a record, with nothing of ours within its reach."""
    script = EXAMPLES / request.param
    command = [sys.executable, "-I", str(script)] if script.suffix == ".py" else [node(), str(script)]

    def run(record: Record | str, *more: str) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "record.json"
        file.write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
        return subprocess.run([*command, str(file), *more], capture_output=True, encoding="utf-8", cwd=tmp_path)

    return run


@pytest.fixture(scope="session")
def records(sealed_record: Callable[..., Record], two_words: tuple[str, str]) -> dict[str, Record]:
    anns, bos = two_words
    six, five = (6,) * 6, [anns, bos, "", "", ""]
    seats = ["ann", "bo", "cy", "dee", "eve"]
    made = {
        "wards": sealed_record("wards", seats[:2], [anns, bos], [(6,)] * 300),
        "aetharn": sealed_record("aetharn", seats, five, [(5, 4, 3, 2), six, (6,) * 4, six]),
        "tenthousand": sealed_record("tenthousand", seats[:2], [anns, ""], [six, (6, 6), six]),
        "doordice": sealed_record("doordice", seats, five, [(6,), (6,), (6, 6, 6)], drawn=True),
        "mana": sealed_record("mana", seats[:2], [anns, bos], [(256,) * 32 + (4,)]),
        "mana of two armies": sealed_record("mana", seats[:2], [anns, bos], [(256,) * 64 + (4, 4)]),
    }
    for record in made.values():  # what is not a roll is none of the verifiers' business
        record["entries"].insert(1, {"seat": 0, "move": "roll"})
    return made


GAMES = ["wards", "aetharn", "tenthousand", "doordice", "mana", "mana of two armies"]


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_record_of_every_game_agrees(verify: Run, records: dict[str, Record], game: str) -> None:
    alone = verify(records[game])
    assert (alone.returncode, alone.stderr) == (0, "")
    assert "agree with the record itself" in alone.stdout
    known = verify(records[game], records[game]["seal"]["s0"].upper())
    assert (known.returncode, known.stderr) == (0, "")
    assert "agree with the seal you gave" in known.stdout
    assert json.dumps(records[game]["seal"]["words"][0], ensure_ascii=False) in known.stdout


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_die_in_the_last_roll_of_every_game_is_caught(
    verify: Run, records: dict[str, Record], game: str
) -> None:
    record = copy.deepcopy(records[game])
    faces = next(entry["roll"] for entry in reversed(record["entries"]) if "roll" in entry)
    faces[-1] = faces[-1] % 4 + 1
    answer = verify(record)
    assert answer.returncode == 4
    assert "but the sealed dice fell" in answer.stdout


def other_digit(text: str) -> str:
    return f"{int(text[0], 16) ^ 1:x}{text[1:]}"


def change(record: Record, where: str) -> None:
    """One small lie about a game of DO or DICE."""
    seal, first = record["seal"], record["entries"][0]
    match where:
        case "seal":
            seal["s0"] = other_digit(seal["s0"])
        case "table":
            seal["table"] += "x"
        case "words":
            seal["words"][0] += "x"
        case "order of words":
            seal["words"][:2] = reversed(seal["words"][:2])
        case "one seat's words less":
            seal["words"].pop()
        case "words moved into the table id":
            seal["table"] += "\n" + seal["words"].pop(0).encode().hex()
        case "drawn faces":
            seal["drawn"]["faces"][0] = seal["drawn"]["faces"][0] % 5 + 1
        case "drawn secret":
            seal["drawn"]["opened"] = other_digit(seal["drawn"]["opened"])
        case "draw left out":
            del seal["drawn"]
        case "opened":
            first["opened"] = other_digit(first["opened"])
        case "opened in capitals":
            first["opened"] = first["opened"].upper()
        case "never opened":
            del first["opened"]
        case "opened is no text":
            first["opened"] = 7
        case "opened is too short":
            first["opened"] = first["opened"][:-2]
        case "roll left out":
            del record["entries"][0]
        case "no seal":
            del record["seal"]
        case "no rolls":
            record["entries"] = []
            del seal["drawn"]
        case _:
            raise AssertionError(where)


@pytest.mark.parametrize(
    "where",
    [
        "seal",
        "table",
        "words",
        "order of words",
        "one seat's words less",
        "words moved into the table id",
        "drawn faces",
        "drawn secret",
        "draw left out",
        "opened",
        "opened in capitals",
        "never opened",
        "opened is no text",
        "opened is too short",
        "roll left out",
        "no seal",
        "no rolls",
    ],
)
def test_a_record_with_one_lie_in_it_is_caught(verify: Run, records: dict[str, Record], where: str) -> None:
    record = copy.deepcopy(records["doordice"])
    change(record, where)
    answer = verify(record)
    assert (answer.returncode, answer.stderr) == (4, "")
    assert len(answer.stdout.splitlines()) == 1


def test_a_record_under_another_seal_than_the_one_seen_is_caught(verify: Run, records: dict[str, Record]) -> None:
    for seen in ("0" * 64, records["wards"]["seal"]["s0"][:-1]):
        answer = verify(records["wards"], seen)
        assert answer.returncode == 4
        assert "The record's seal is" in answer.stdout


@pytest.mark.parametrize(
    "text", ["", "no record", "[]", '"text"', "7", '{"dicehall": 1, "seal": {}}', '{"dicehall": 2}']
)
def test_what_is_no_record_is_told_apart_from_a_mismatch(verify: Run, text: str) -> None:
    answer = verify(text)
    assert answer.returncode == 2
    assert "cannot be read as a record" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_too_many_arguments_are_a_usage_error(verify: Run, records: dict[str, Record]) -> None:
    assert verify(records["wards"], "0" * 64, "more").returncode == 2


@pytest.mark.parametrize("script", ["check_dice.py", "check_dice.mjs"])
def test_no_record_or_a_missing_one_is_a_usage_error(script: str, tmp_path: Path) -> None:
    program = sys.executable if script.endswith(".py") else node()
    for more in ([], [str(tmp_path / "missing.json")]):
        answer = subprocess.run([program, str(EXAMPLES / script), *more], capture_output=True, encoding="utf-8")
        assert answer.returncode == 2
        assert script in answer.stderr


@pytest.mark.parametrize("script", ["check_dice.py", "check_dice.mjs"])
def test_a_verifier_uses_nothing_of_ours(script: str) -> None:
    lines = (EXAMPLES / script).read_text(encoding="utf-8").splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    assert imports
    assert not [line for line in imports if "dicehall" in line]
    assert all('"node:' in line for line in imports) or script.endswith(".py")
