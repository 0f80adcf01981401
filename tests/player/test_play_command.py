"""``dicehall mana play`` as somebody types it, with the real relay, mint and referee as processes."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from dicehall.mint.keysets import MANA
from dicehall.mint.wallet import Wallet
from dicehall.nostr.keys import SecretKey
from tests.launch.running import run
from tests.player.services import Player, Running, ended, last_json, line_with, services


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with services(tmp_path_factory.mktemp("services")) as found:
        yield found


@pytest.fixture
def ann(running: Running, tmp_path: Path) -> Player:
    return Player("ann", tmp_path, running)


@pytest.fixture
def bo(running: Running, tmp_path: Path) -> Player:
    return Player("bo", tmp_path, running)


def test_two_bots_play_by_command_and_agree_to_the_last_line(ann: Player, bo: Player) -> None:
    first = ann.start("--challenge", bo.npub, "--bot", "exact", "--json")
    second = bo.start("--accept", "--bot", "random", "--json")
    (code, told), (other_code, other_told) = ended(first), ended(second)
    assert (code, other_code) == (0, 0)
    mine, theirs = last_json(told), last_json(other_told)
    for name in ("match_id", "winner", "score", "total_damage", "reason"):
        assert mine[name] == theirs[name]
    assert mine["findings"] == theirs["findings"] == []
    redeemed = {ann.npub: mine["redeemed"], bo.npub: theirs["redeemed"]}
    assert redeemed == {npub: 1000 if npub == mine["winner"] else None for npub in redeemed}


def test_a_person_picks_by_number_and_reads_the_match_in_sentences(ann: Player, bo: Player) -> None:
    """Over Nostr people play with the terminal client (M14)."""
    bot = bo.start("--accept", ann.npub, "--bot", "greedy", "--json")
    person = ann.start("--challenge", bo.npub)
    code, told = ended(person, "\nwhat?\n9\n" + "3\npick 4\n5\n6\n7\n")  # the first line takes a token from the faucet
    assert code == 0
    assert "Your army (" in told
    assert told.count("Their army:") == 1
    assert "Their army is unknown until both have revealed." in told
    assert told.count("Type the number of a unit, 1 to 8.") == 2
    assert "You have picked a unit for round 1; it stays hidden for now." in told
    assert "You reveal unit 3: attack" in told
    assert "beats" in told
    won = last_json(ended(bot)[1])["winner"] == ann.npub
    assert ("You win the match" in told) is won
    assert ("You redeem 1000 loot" in told) is won


@pytest.mark.parametrize(
    "moment",
    [pytest.param("commitment", marks=pytest.mark.proof), "reveal", pytest.param("round", marks=pytest.mark.proof)],
)
def test_a_player_killed_in_the_middle_resumes_with_the_same_command(ann: Player, bo: Player, moment: str) -> None:
    bot = bo.start("--accept", "--bot", "greedy", "--json")
    words = "--challenge", bo.npub, "--bot", "greedy", "--json"
    first = ann.start(*words)
    line_with(first, f'"event":"{moment}"')
    first.kill()
    first.communicate()
    code, told = ended(ann.start(*words))
    events = [json.loads(line)["event"] for line in told.splitlines()]
    assert code == 0
    assert "resume" in events
    assert last_json(told)["winner"] == last_json(ended(bot)[1])["winner"]


@pytest.mark.proof
def test_leaving_keeps_the_match_and_the_same_command_resumes_it(ann: Player, bo: Player) -> None:
    bot = bo.start("--accept", "--bot", "greedy", "--json")
    code, told = ended(ann.start("--challenge", bo.npub), "\nquit\n")
    assert code == 0
    assert "To resume the match, run: dicehall mana play" in told
    code, told = ended(ann.start("--bot", "greedy"))
    assert code == 0
    assert "Resuming match" in told
    ended(bot)


@pytest.mark.proof
def test_a_pasted_token_is_an_army_and_the_giver_cannot_use_it_any_more(
    ann: Player, bo: Player, running: Running, tmp_path: Path
) -> None:
    wallet = Wallet(tmp_path / "giver.db", running.mint)
    given = wallet.get_mana()
    text = wallet.send([given], MANA)
    bot = bo.start("--accept", "--bot", "greedy", "--json")
    code, told = ended(ann.start("--challenge", bo.npub, "--token", text, "--bot", "greedy", "--json"))
    assert code == 0
    ended(bot)
    assert wallet.verify(given).spent
    wallet.close()
    assert '"event":"loot"' in told or last_json(told)["winner"] != ann.npub


def test_a_wrong_token_is_refused_with_a_sentence(ann: Player, bo: Player) -> None:
    for text, sentence in (("cashuBx", "This is not a token"), ("hello", "begins with cashuA or cashuB")):
        code, told = ended(ann.start("--challenge", bo.npub, "--token", text))
        assert code == 1
        assert sentence in told


def test_the_referees_page_can_stand_for_its_key_and_ctrl_c_says_how_to_resume(
    ann: Player, bo: Player, running: Running
) -> None:
    process = ann.start("--challenge", bo.npub, "--referee", running.status, "--bot", "greedy", "--new")
    line_with(process, "You challenge npub1")  # the referee has announced it
    process.send_signal(signal.SIGINT)
    code, told = ended(process)
    assert code == 130
    assert "To resume the match, run: dicehall mana play" in told
    assert "--new" not in told


STRANGER = SecretKey(bytes(31) + b"\x07").npub


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--challenge", "npub1wrong"), "--challenge: Expected npub1"),
        (("--accept", "nobody"), "--accept: Expected npub1"),
        (("--accept", "--referee", "npub1wrong"), "--referee: Expected npub1"),
        (("--accept", "--referee", "http://127.0.0.1:9"), "No referee answers at http://127.0.0.1:9."),
        (("--accept", "--relay", "http://example.org"), "starts with ws:// or wss://"),
        (("--accept", "--mint", "example.org"), "starts with http:// or https://"),
        (("--accept", "--bot", "perfect"), "There is no bot of level 'perfect' for mana"),
        (("--challenge", STRANGER, "--match", "with space"), "A match id has 1 to 64"),
        (("--accept", "--kind", "many"), "--kind must be a whole number"),
        ((), "There is no unfinished match. Start one with --challenge NPUB or --accept."),
        (("--challenge", STRANGER, "--bot", "greedy", "--mint", "http://127.0.0.1:9"), "cannot be reached"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    given = ("--key", str(tmp_path / "key"), "--data", str(tmp_path), "--relay", "ws://127.0.0.1:9")
    referee = () if "--referee" in words else ("--referee", STRANGER)
    ran = run("mana", "play", *given, *referee, *words)
    assert ran.code in (1, 2)
    assert sentence in ran.err
    assert "Traceback" not in ran.err


def test_nobody_can_challenge_themselves(tmp_path: Path) -> None:
    key = tmp_path / "key"
    npub = json.loads(run("nostr", "key", "--file", str(key), "--json").out)["npub"]
    ran = run("mana", "play", "--key", str(key), "--referee", STRANGER, "--challenge", npub)
    assert "You cannot challenge yourself." in ran.err


def test_a_missing_key_is_made_and_its_npub_is_told(tmp_path: Path) -> None:
    key = tmp_path / "new.key"
    ran = run("mana", "play", "--key", str(key), "--data", str(tmp_path), "--referee", STRANGER)
    assert key.exists()
    assert "You are npub1" in ran.out


def test_a_file_that_is_not_a_key_or_not_a_store_is_left_alone(tmp_path: Path) -> None:
    key = tmp_path / "notes.txt"
    key.write_text("shopping list")
    key.chmod(0o600)
    ran = run("mana", "play", "--key", str(key), "--referee", STRANGER, "--accept")
    assert "is not a key" in ran.err
    assert key.read_text() == "shopping list"
