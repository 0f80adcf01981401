"""The configuration file of the source document, and the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicehall.nostr.keys import SecretKey, create_key_file
from dicehall.referee.settings import Settings, SettingsError, load_settings, secret_key

KEY = SecretKey(bytes(31) + b"\7")
DOCUMENT = """
[server]
host = "127.0.0.1"
port = 4444
[nostr]
relay_url = "ws://localhost:7777"
private_key = "bot_private_key_hex"
[cashu]
mint_url = "http://localhost:3333"
[game]
max_concurrent_matches = 100
round_timeout_seconds = 300
match_timeout_seconds = 1800
loot_reward_per_match = 1000
[logging]
level = "info"
file = "./logs/game-engine.log"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "game-engine.toml"
    path.write_text(text)
    return path


def test_the_documents_own_file_is_what_an_empty_one_means(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, DOCUMENT), {}) == load_settings(written(tmp_path, ""), {}) == Settings()


def test_every_setting_can_come_from_the_environment_which_wins(tmp_path: Path) -> None:
    path = written(tmp_path, "[server]\nport = 1\n")
    values = {
        "GAME_ENGINE_SERVER_PORT": "4445",
        "GAME_ENGINE_NOSTR_MORE_RELAYS": "ws://a.example, ws://b.example",
        "GAME_ENGINE_GAME_COMMITMENT_NONCE": "optional",
        "GAME_ENGINE_STORE_FILE": "other.db",
        "PATH": "/bin",
    }
    settings = load_settings(path, values)
    assert settings.server.port == 4445
    assert settings.nostr.relays == ("ws://localhost:7777", "ws://a.example", "ws://b.example")
    assert (settings.game.commitment_nonce, settings.store.file) == ("optional", "other.db")


@pytest.mark.parametrize(
    ("text", "values", "word"),
    [
        ("[game]\nrounds = 7\n", {}, "rounds"),
        ("[gaem]\n", {}, "gaem"),
        ("port = 4444\n", {}, "section"),
        ("[server]\nport = 70000\n", {}, "port"),
        ("[server]\nport = true\n", {}, "port"),
        ("[game]\ncommitment_nonce = 'maybe'\n", {}, "maybe"),
        ("[game]\nround_timeout_seconds = 0\n", {}, "round_timeout_seconds"),
        ("[nostr]\nkind = 30078\n", {}, "30078"),
        ("[nostr]\nkind = 10002\n", {}, "10002"),
        ("[nostr]\nrelay_url = 'localhost:7777'\n", {}, "ws://"),
        ("[cashu]\nmint_url = 'localhost'\n", {}, "http://"),
        ("[server\n", {}, "cannot be read"),
        ("", {"GAME_ENGINE_GAME_ROUNDS": "7"}, "GAME_ENGINE_GAME_ROUNDS"),
        ("", {"GAME_ENGINE_X": "7"}, "GAME_ENGINE_X"),
        ("", {"GAME_ENGINE_SERVER_PORT": "many"}, "port"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    tmp_path: Path, text: str, values: dict[str, str], word: str
) -> None:
    with pytest.raises(SettingsError, match=word):
        load_settings(written(tmp_path, text), values)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"There is no file .*none\.toml"):
        load_settings(tmp_path / "none.toml", {})


def test_the_placeholder_is_refused_with_the_command_that_makes_a_key(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"dicehall nostr key --file bot\.key"):
        secret_key(Settings(), tmp_path)


def test_a_key_is_hex_nsec_or_a_file_that_only_its_owner_can_read(tmp_path: Path) -> None:
    made = create_key_file(tmp_path / "bot.key")
    for text, key in ((KEY.secret.hex(), KEY), (KEY.nsec, KEY), ("file:bot.key", made)):
        settings = load_settings(written(tmp_path, f'[nostr]\nprivate_key = "{text}"\n'), {})
        assert secret_key(settings, tmp_path) == key
    (tmp_path / "bot.key").chmod(0o644)
    settings = load_settings(written(tmp_path, '[nostr]\nprivate_key = "file:bot.key"\n'), {})
    with pytest.raises(SettingsError, match="chmod 600"):
        secret_key(settings, tmp_path)
