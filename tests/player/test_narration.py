"""The sentences in which a match is told, to a player and to somebody who watches."""

from __future__ import annotations

import pytest

from dicehall.nostr.match_events import MatchResult
from dicehall.player import narration
from dicehall.player.narration import Fought, Names
from tests.player.scripted import ANN, BO, MATCH_ID, Scripted, token_army

PLAYERS = ANN.public_hex, BO.public_hex
WATCHED = Names(given={ANN.public_hex: "Ann", BO.public_hex: "Bo"})
MINE = Names(BO.public_hex)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [("busy", "Try again in a few minutes."), ("full moon", ": full moon."), (None, ": no reason was given.")],
)
def test_a_refusal_says_what_a_player_can_do_where_the_reason_is_known(reason: str | None, sentence: str) -> None:
    note = narration.refused(reason)
    assert note.sentence.startswith("The referee refused the challenge: ")
    assert note.sentence.endswith(sentence)
    assert note.facts == {"reason": reason or "no reason was given"}


def test_a_watcher_reads_names_and_a_player_reads_you() -> None:
    assert narration.challenged(WATCHED, PLAYERS, "m1").sentence == "Ann challenges Bo to match m1."
    assert narration.accepted(WATCHED, PLAYERS, "m1").sentence == "Bo accepts Ann's challenge. The match begins."
    short = f"{ANN.npub[:12]}...{ANN.npub[-4:]}"
    assert narration.challenged(MINE, PLAYERS, "m1").sentence == f"{short} challenges you to match m1."
    assert narration.accepted(MINE, PLAYERS, "m1").sentence == f"You accept {short}'s challenge. The match begins."
    assert narration.committed(MINE, BO.public_hex, 2).sentence.startswith("You have picked a unit for round 2")


def test_a_round_says_whose_each_number_is() -> None:
    match = Scripted()
    armies = token_army(match.tokens[0]), token_army(match.tokens[1])
    fought = Fought(3, (0, 7), (14, 9), (30, 12), 0, armies)
    assert narration.round_fought(WATCHED, PLAYERS, fought).sentence == (
        "Round 3: Ann's unit 1 deals 14 and has 30 left; Bo's unit 8 deals 9 and has 12 left. Ann wins the round."
    )
    tie = Fought(1, (0, 0), (0, 0), (5, 5), None, armies)
    assert narration.round_fought(MINE, PLAYERS, tie).sentence.endswith("The round is a tie.")


@pytest.mark.parametrize(
    ("winner", "score", "reason", "told"),
    [
        (0, (3, 1), "rounds", "Ann wins the match 3-1 (total damage 40-20)."),
        (1, (1, 3), "rounds", "You win the match 3-1 (total damage 20-40)."),
        (0, (0, 1), "forfeit", "You ran out of time. Ann wins the match by forfeit, 0-1."),
        (None, (2, 2), "draw", "The match is a draw, 2-2 (total damage 40-20). There is no loot."),
        (None, (1, 0), "rounds", "The referee ended the match at 1-0 without a winner who played in it."),
        (None, (0, 0), "abandoned", "The match was abandoned at 0-0: nobody acted in time. There is no loot."),
    ],
)
def test_the_end_of_a_match(winner: int | None, score: tuple[int, int], reason: str, told: str) -> None:
    names = Names(BO.public_hex, {ANN.public_hex: "Ann"})
    npub = None if winner is None else (ANN.npub, BO.npub)[winner]
    result = MatchResult(MATCH_ID, npub, score, (40, 20), sum(score), reason, 1)
    who = None if winner is None else PLAYERS[winner]
    note = narration.match_over(names, PLAYERS, result, who)
    assert note.sentence == told
    assert note.to_json()["winner"] == npub


def test_what_others_wrote_cannot_take_over_the_terminal() -> None:
    note = narration.Note("refused", "The referee refused: \x1b[2J\x9b31m\r\u202eevil\nnext line")
    assert note.sentence == "The referee refused: ?[2J?31m??evil\nnext line"
