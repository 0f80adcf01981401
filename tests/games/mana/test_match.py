"""A match over Nostr: commitments, reveals, tokens."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from dicehall.core.game import Move, Over, Seat, Turn
from dicehall.core.house import BadRule
from dicehall.games.mana.actions import Commit, Pick, Reveal
from dicehall.games.mana.commitments import commitment
from dicehall.games.mana.events import ArmyShown, Committed, Revealed, RoundFought
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import Match
from dicehall.games.mana.units import army
from tests.games.mana.playing import ANNS, BOS, MATCH, Table, Token

ANN, BO = Seat(0), Seat(1)
BOTH = frozenset({ANN, BO})
COMMITTED = (ANNS.commit(0, 2), BOS.commit(1, 5))


def reveal_of(token: Token, **changed: Any) -> Move[Any]:
    move = token.reveal(0, 2)
    return Move(ANN, replace(move.action, **changed))


def digest(token: Token) -> bytes:
    return sha256(token.secret + token.signature).digest()


def test_a_match_starts_with_commitments_and_draws_nothing() -> None:
    """M1."""
    table = Table(MATCH)
    assert MATCH.awaits(table.state) == Turn(BOTH)
    assert MATCH.choices(table.state, ANN) == ()
    assert MATCH.view(table.state, None).units is None


def test_both_commit_then_both_reveal_then_they_fight() -> None:
    """M1."""
    table = Table(MATCH).enter(BOS.commit(1, 5))
    assert MATCH.awaits(table.state) == Turn(frozenset({ANN}))
    assert MATCH.awaits(table.enter(ANNS.commit(0, 2)).state) == Turn(BOTH)
    assert MATCH.view(table.state, None).phase == "reveal"
    assert MATCH.awaits(table.enter(ANNS.reveal(0, 2)).state) == Turn(frozenset({BO}))
    assert MATCH.awaits(table.enter(BOS.reveal(1, 5)).state) == Turn(BOTH)
    assert table.only(RoundFought).picks == (2, 5)
    assert MATCH.view(table.state, None).round == 2
    assert table.fresh == [False, False, False, True]


def test_a_commitment_is_a_hash_over_everything_that_must_not_change() -> None:
    """M7: worked out with sha256sum."""
    secret, signature, nonce = bytes(32), b"\x02" + b"\x11" * 32, b"\x22" * 32
    assert (
        commitment(secret, signature, 3, 2, "duel-7", nonce)
        == "4573ce0c28f089d1937864aa22486ebe46efef94f17460670d190a1e65dc813f"
    )
    assert (
        commitment(secret, signature, 3, 2, "duel-7", None)
        == "a1f43d6985270c6644b6ab0bd1f9c22b69bf084f088c1f7403e61049527ac035"
    )


def test_the_first_valid_reveal_shows_the_army_with_its_league() -> None:
    """M2, M3, M9."""
    table = Table(MATCH).enter(*COMMITTED, BOS.reveal(1, 5))
    view = MATCH.view(table.state, None)
    assert view.units is None  # until both are known
    assert view.leagues is None
    shown = table.only(ArmyShown)
    assert (shown.seat, shown.league, shown.league_name, shown.units) == (1, 2, "Shadow", army(digest(BOS), 2))
    view = MATCH.view(table.enter(ANNS.reveal(0, 2)).state, None)
    assert view.units == (army(digest(ANNS), 1), army(digest(BOS), 2))
    assert view.leagues == (1, 2)  # keyset 6 plays in league 2


def test_a_reveal_is_public_and_a_commitment_hides_the_unit() -> None:
    """M7."""
    table = Table(MATCH).enter(*COMMITTED)
    assert MATCH.view(table.state, BO).picks == (None, None)
    assert MATCH.view(table.state, BO).picked == (0, 1)
    assert [told.hash for told in table.all(Committed)] == list(MATCH.view(table.state, None).commitments)
    table.enter(ANNS.reveal(0, 2))
    assert MATCH.view(table.state, BO).picks == (2, None)
    assert table.only(Revealed) == Revealed(ANN, 1, 2)


def test_a_commitment_without_a_nonce_can_be_opened_without_one() -> None:
    """M7."""
    table = Table(MATCH).enter(ANNS.commit(0, 2, nonce=None), BOS.commit(1, 5))
    table.enter(ANNS.reveal(0, 2, nonce=None))
    assert table.only(Revealed).unit == 2


MISMATCHES = [
    {"unit": 3},
    {"nonce": "00" * 32},
    {"nonce": None},
    {"secret": "00" * 32},
    {"C": "03" * 33},
]


@pytest.mark.parametrize("changed", MISMATCHES)
def test_a_reveal_must_be_what_was_committed_to(changed: dict[str, Any]) -> None:
    """M7, M8."""
    assert Table(MATCH).code(*COMMITTED, reveal_of(ANNS, **changed)) == "commitment_mismatch"


def test_a_commitment_of_another_round_does_not_open() -> None:
    """M7."""
    table = Table(MATCH)
    assert table.code(ANNS.commit(0, 2, round=2), BOS.commit(1, 5), ANNS.reveal(0, 2)) == "commitment_mismatch"


def test_a_commitment_of_another_match_does_not_open() -> None:
    """M7."""
    foreign = Move(ANN, Commit(ANNS.commitment(2, 1, b"n" * 32, match_id="duel-8")))
    assert Table(MATCH).code(foreign, BOS.commit(1, 5), ANNS.reveal(0, 2)) == "commitment_mismatch"


def test_after_a_wrong_reveal_the_right_one_still_counts() -> None:
    """M8: the first valid one counts."""
    table = Table(MATCH)
    assert table.code(*COMMITTED, reveal_of(ANNS, unit=3)) == "commitment_mismatch"
    assert MATCH.view(table.state, None).units is None
    table.enter(ANNS.reveal(0, 2), BOS.reveal(1, 5))
    assert table.only(RoundFought).picks == (2, 5)


def test_one_token_per_seat_and_match() -> None:
    """M9."""
    table = Table(MATCH).enter(*COMMITTED, ANNS.reveal(0, 2), BOS.reveal(1, 5))
    another = Token(b"c" * 32, b"\x02" + b"C" * 32)
    table.enter(another.commit(0, 1, round=2), BOS.commit(1, 1, round=2))
    assert table.code(another.reveal(0, 1)) == "commitment_mismatch"
    assert MATCH.view(table.state, None).units == (army(digest(ANNS), 1), army(digest(BOS), 2))


def test_the_same_token_serves_every_round_in_the_league_it_began_in() -> None:
    """M9, M3."""
    table = Table(MATCH).enter(*COMMITTED, ANNS.reveal(0, 2), BOS.reveal(1, 5))
    elsewhere = replace(ANNS, league=0)
    table.enter(ANNS.commit(0, 2, round=2), BOS.commit(1, 5, round=2), elsewhere.reveal(0, 2), BOS.reveal(1, 5))
    first, second = MATCH.view(table.state, None).rounds
    assert first == second
    assert len(table.all(ArmyShown)) == 2


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([ANNS.reveal(0, 2)], "not_your_turn"),  # before both commitments (M8)
        ([ANNS.commit(0, 2), ANNS.reveal(0, 2)], "not_your_turn"),
        ([ANNS.commit(0, 2), ANNS.commit(0, 3)], "not_your_turn"),  # a second commitment
        ([*COMMITTED, ANNS.commit(0, 2)], "not_your_turn"),
        ([*COMMITTED, Move(ANN, Commit("short"))], "not_your_turn"),
        ([*COMMITTED, ANNS.reveal(0, 2), ANNS.reveal(0, 2)], "not_your_turn"),
        ([Move(ANN, Reveal("", "", 99))], "not_your_turn"),
        ([Move(ANN, Pick(0))], "bad_move"),
        ([Move(ANN, Pick(9))], "bad_move"),
        ([*COMMITTED, Move(ANN, Pick(0))], "bad_move"),
        ([Move(ANN, Commit(""))], "bad_move"),
        ([Move(ANN, Commit("0" * 63))], "bad_move"),
        ([Move(ANN, Commit("0" * 65))], "bad_move"),
        ([Move(ANN, Commit("A" * 64))], "bad_move"),  # lower case (M7)
        ([Move(ANN, Commit("0" * 64 + "\n"))], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, secret="61" * 31)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, secret="zz" * 32)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, secret="61 " * 32)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, secret="\ud800" * 64)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, C="02" * 32)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, nonce="")], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, nonce="00" * 31)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, nonce="00" * 31, unit=9)], "bad_move"),
        ([*COMMITTED, reveal_of(ANNS, unit=8)], "no_such_unit"),
        ([*COMMITTED, reveal_of(ANNS, unit=-1)], "no_such_unit"),
        ([*COMMITTED, reveal_of(ANNS, unit=300)], "no_such_unit"),
    ],
)
def test_what_is_refused_and_why(entries: list[object], code: str) -> None:
    """M7, M8, C2."""
    assert Table(MATCH).code(*entries) == code


def test_a_secret_in_capitals_is_the_same_bytes() -> None:
    """M2: the game uses the bytes."""
    capital = Token(bytes.fromhex("ab" * 32), ANNS.signature)
    table = Table(MATCH).enter(capital.commit(0, 2), BOS.commit(1, 5))
    table.enter(Move(ANN, replace(capital.reveal(0, 2).action, secret="AB" * 32)))
    assert table.only(Revealed).unit == 2


def test_a_whole_match_ends_like_any_other() -> None:
    """M6."""
    table = Table(MATCH)
    for number in range(1, 6):
        if isinstance(MATCH.awaits(table.state), Over):
            break
        table.enter(ANNS.commit(0, 2, number), BOS.commit(1, 5, number), ANNS.reveal(0, 2), BOS.reveal(1, 5))
    over = MATCH.awaits(table.state)
    assert isinstance(over, Over)
    winners = {fought.winner for fought in table.all(RoundFought)}
    assert winners == {over.winner}
    assert len(table.all(RoundFought)) == 3


@pytest.mark.parametrize("match_id", ["a", "A.b_c-9", "x" * 64])
def test_match_ids_that_are_allowed(match_id: str) -> None:
    """M8."""
    assert Match(match_id, ("ann", "bo")).id == match_id


@pytest.mark.parametrize("match_id", ["", "x" * 65, "a b", "ä", "a/b", "a\n", "\ud800"])
def test_match_ids_that_are_not(match_id: str) -> None:
    """M8."""
    with pytest.raises(BadRule, match="match id"):
        Match(match_id, ("ann", "bo"))


def test_nobody_challenges_himself() -> None:
    """M8."""
    with pytest.raises(BadRule, match="different"):
        Match("duel", ("ann", "ann"))


def test_a_match_has_no_more_rounds_than_a_byte_can_count() -> None:
    """M7, C6."""
    assert Mana(rounds=255, match=MATCH.match, **NOSTR).rounds == 255
    with pytest.raises(BadRule, match="255"):
        Mana(rounds=256, match=MATCH.match, **NOSTR)
    assert Mana(rounds=256, **NOSTR).rounds == 256
