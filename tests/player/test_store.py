"""What a player has stored is there after a crash, and the first pick of a round stays."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest

from dicehall.nostr.events import sign_event
from dicehall.nostr.match_events import Challenge, Commitment, Reveal
from dicehall.player.plan import OwnCommitment, Progress
from dicehall.player.store import SCHEMA, SECOND_COMMITMENT, PlayerStore, StoredMatch, StoredPick, StoreError
from tests.player.scripted import ANN, BO, MATCH_ID, REFEREE, token

MATCH = StoredMatch(MATCH_ID, REFEREE.public_hex, 0, BO.public_hex, "http://mint", token("Ann"), None, 7)
CHALLENGE = sign_event(ANN, 7, 1, *Challenge(MATCH_ID, BO.public_hex).encode())


def test_a_second_pick_of_a_round_changes_nothing(tmp_path: Path) -> None:
    """Two windows of one player could both ask for a unit; only one commitment may ever be published."""
    store, other = PlayerStore(tmp_path / "player.db"), PlayerStore(tmp_path / "player.db")
    store.add(MATCH)
    events = [sign_event(ANN, 8, 1, *Commitment(MATCH_ID, 1, digit * 64).encode()) for digit in "ab"]
    store.pick(MATCH_ID, StoredPick(1, 3, "aa" * 32), events[0])
    other.pick(MATCH_ID, StoredPick(1, 5, "bb" * 32), events[1])
    for one in (store, other):
        assert one.picks(MATCH_ID) == {1: StoredPick(1, 3, "aa" * 32)}
        assert one.sent(MATCH_ID, Commitment.name, 1) == events[0]
        one.close()


def test_a_second_commitment_to_a_pick_has_a_nonce_of_its_own_and_stays(tmp_path: Path) -> None:
    store = PlayerStore(tmp_path / "player.db")
    store.add(MATCH)
    events = [sign_event(ANN, 8, 1, *Commitment(MATCH_ID, 1, digit * 64).encode()) for digit in "abc"]
    store.pick(MATCH_ID, StoredPick(1, 3, "aa" * 32), events[0])
    store.commit_again(MATCH_ID, 1, "bb" * 32, events[1])
    store.commit_again(MATCH_ID, 1, "cc" * 32, events[2])
    assert store.commitments(MATCH_ID, 1) == tuple(OwnCommitment(one.id, one.content) for one in events[:2])
    assert [store.nonce_of(MATCH_ID, 1, one.id) for one in events[:2]] == ["aa" * 32, "bb" * 32]
    assert store.sent(MATCH_ID, SECOND_COMMITMENT, 1) == events[1]
    store.close()


def test_a_file_of_the_first_version_goes_on_with_its_picks(tmp_path: Path) -> None:
    path = tmp_path / "player.db"
    with sqlite3.connect(path) as db:
        db.executescript(SCHEMA)
        db.execute("INSERT INTO picks VALUES (?, 1, 3, ?)", (MATCH_ID, "aa" * 32))
        db.execute("PRAGMA user_version = 1")
    db.close()
    store = PlayerStore(path)
    assert store.picks(MATCH_ID) == {1: StoredPick(1, 3, "aa" * 32)}
    store.commit_again(MATCH_ID, 1, "bb" * 32, CHALLENGE)
    store.close()


def test_progress_is_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "player.db"
    store = PlayerStore(path)
    store.add(MATCH)
    assert store.progress(MATCH) == Progress(0)
    store.keep_sent(MATCH_ID, Challenge.name, 0, CHALLENGE)
    event = sign_event(ANN, 8, 1, *Commitment(MATCH_ID, 1, "a" * 64).encode())
    store.pick(MATCH_ID, StoredPick(1, 3, "aa" * 32), event)
    store.close()
    store = PlayerStore(path)
    assert store.progress(MATCH) == Progress(0, True, (1, 3), (OwnCommitment(event.id, event.content),))
    store.keep_sent(MATCH_ID, Reveal.name, 1, event)
    store.redeemed(MATCH_ID, 1000)
    assert store.progress(MATCH) == Progress(0, True, (1, 3), (OwnCommitment(event.id, event.content),), 1, True)
    assert store.find(MATCH_ID) == msgspec.structs.replace(MATCH, redeemed=1000)
    store.close()


def test_an_event_counts_as_taken_only_once_a_relay_said_so(tmp_path: Path) -> None:
    store = PlayerStore(tmp_path / "player.db")
    store.add(MATCH)
    store.keep_sent(MATCH_ID, Challenge.name, 0, CHALLENGE)
    assert not store.was_taken(MATCH_ID, Challenge.name, 0)
    store.taken(CHALLENGE, MATCH_ID)
    assert store.was_taken(MATCH_ID, Challenge.name, 0)
    store.close()


def test_a_token_is_free_again_after_a_match_in_which_it_was_never_shown(tmp_path: Path) -> None:
    store = PlayerStore(tmp_path / "player.db")
    store.add(MATCH)
    assert store.tokens_in_use() == {MATCH.token.secret}
    store.ended(MATCH_ID)
    assert store.tokens_in_use() == set()
    store.keep_sent(MATCH_ID, Reveal.name, 1, CHALLENGE)
    assert store.tokens_in_use() == {MATCH.token.secret}
    store.close()


def test_a_file_of_a_newer_version_or_of_something_else_is_left_alone(tmp_path: Path) -> None:
    later = tmp_path / "later.db"
    with sqlite3.connect(later) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="newer version"):
        PlayerStore(later)
    notes = tmp_path / "notes.txt"
    notes.write_text("shopping list " * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        PlayerStore(notes)
    assert notes.read_text().startswith("shopping list")
