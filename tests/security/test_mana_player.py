"""Somebody who plays Mana over Nostr against a hostile opponent, or with hostile words from referee, mint and relay."""

from __future__ import annotations

import asyncio
import io
import secrets
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dicehall.core.game import Seat
from dicehall.launch.mana_play import data_folder, read_referee
from dicehall.launch.mana_screen import PersonScreen
from dicehall.launch.output import Failed
from dicehall.launch.typed_lines import TypedLines
from dicehall.mint import http_client
from dicehall.mint.wallet import Wallet, WalletError
from dicehall.nostr.match_events import Reveal, RevealContent
from dicehall.player import narration
from dicehall.player.narration import Names, Note
from dicehall.player.review import Review
from dicehall.player.store import PlayerStore, StoredMatch
from dicehall.ui.terminal.voice import ColourVoice, PlainVoice
from tests.player.scripted import ANN, BO, KEYSET, LEAGUES, MATCH_ID, REFEREE, Scripted
from tests.security.live import both_ways
from tests.security.test_mana_referee import LIES, http, lying_mint

COMMAND = "\x1b]0;owned\x07\x1b[2J\x9b2J\r"


class CountingPurse:
    """A mint that knows one keyset, and how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def league(self, keyset: str) -> int | None:
        self.asked.append(keyset)
        return LEAGUES.get(keyset)


def test_an_opponent_who_reveals_hundreds_of_keysets_does_not_make_a_player_ask_the_mint_for_each(
    tmp_path: Path,
) -> None:
    """Every answer takes a while, and the round's time runs. What the referee refers to is asked for: the control."""
    match = Scripted()
    match.begin()
    match.round(*match.decisive())
    committed = match.commitment(Seat(1), 2, 0)
    shown = match.tokens[1]
    for _ in range(200):
        content = RevealContent(2, shown.secret, shown.C, secrets.token_hex(8), 0, committed.id, "ab" * 32)
        match.say(BO, Reveal(MATCH_ID, content))
    purse: Any = CountingPurse()
    store = PlayerStore(tmp_path / "player.db")
    stored = StoredMatch(MATCH_ID, REFEREE.public_hex, 0, BO.public_hex, "http://mint", match.tokens[0])
    review = Review(match.view(), purse, Names(ANN.public_hex), lambda _: None, stored, store)
    assert asyncio.run(review.know_leagues())
    store.close()
    assert purse.asked == [KEYSET]


@both_ways
@pytest.mark.parametrize("voice", [PlainVoice, ColourVoice])
def test_words_of_a_referee_a_mint_or_a_relay_are_no_commands_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, voice: Any, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(narration, "printable", str)
    out = io.StringIO()
    PersonScreen(voice(out), TypedLines()).tell(Note("refused", f"The referee refused the challenge: {COMMAND}."))
    assert "owned" in out.getvalue()
    harmed = bool(set("\x1b\x07\x9b\r") & set(out.getvalue()))
    assert harmed is not guarded


@pytest.mark.parametrize("answer", LIES.values(), ids=LIES)
def test_a_mint_that_answers_nonsense_is_told_to_a_player_in_a_sentence(tmp_path: Path, answer: bytes) -> None:
    """There is no guard to switch off: any other exception would end the program with a traceback."""
    with lying_mint(answer) as (url, _):
        wallet = Wallet(tmp_path / "wallet.db", url)
        with pytest.raises(WalletError) as told:
            wallet.get_mana()
        wallet.close()
    assert str(told.value).isprintable()


@both_ways
def test_a_refusal_of_the_mint_is_no_command_to_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    if not guarded:
        monkeypatch.setattr(http_client, "printable", str)
    body = msgspec.json.encode({"code": 1, "detail": COMMAND}).decode()
    with lying_mint(http("400 Bad Request", body)) as (url, _):
        wallet = Wallet(tmp_path / "wallet.db", url)
        with pytest.raises(WalletError, match="owned") as told:
            wallet.get_mana()
        wallet.close()
    assert str(told.value).isprintable() is guarded


@pytest.mark.parametrize("answer", [LIES["no HTTP at all"], LIES["a thousand brackets"]])
def test_a_status_page_with_nonsense_is_told_in_a_sentence(answer: bytes) -> None:
    """There is no guard to switch off: any other exception would end the program with a traceback."""
    with lying_mint(answer) as (url, _), pytest.raises(Failed, match="No referee answers"):
        read_referee(url)


def test_picks_and_tokens_are_stored_where_others_on_the_machine_cannot_read_them(tmp_path: Path) -> None:
    """The control is the folder around it, which anybody may enter."""
    tmp_path.chmod(0o755)
    folder = data_folder(str(tmp_path), ANN)
    assert folder.stat().st_mode & 0o077 == 0
