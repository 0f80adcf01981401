"""The configuration file of the source document, and the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dicehall.nostr.keys import SecretKey, create_key_file
from dicehall.referee.settings import SECTIONS, Settings, SettingsError, load_settings, secret_key

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


VARIABLES: dict[str, tuple[str, Any]] = {
    "GAME_ENGINE_SERVER_HOST": ("0.0.0.0", "0.0.0.0"),
    "GAME_ENGINE_SERVER_PORT": ("4445", 4445),
    "GAME_ENGINE_NOSTR_RELAY_URL": ("wss://relay.example", "wss://relay.example"),
    "GAME_ENGINE_NOSTR_PRIVATE_KEY": ("file:other.key", "file:other.key"),
    "GAME_ENGINE_NOSTR_KIND": ("4444", 4444),
    "GAME_ENGINE_NOSTR_MORE_RELAYS": ("ws://a.example, ws://b.example", ("ws://a.example", "ws://b.example")),
    "GAME_ENGINE_CASHU_MINT_URL": ("https://mint.example", "https://mint.example"),
    "GAME_ENGINE_GAME_MAX_CONCURRENT_MATCHES": ("7", 7),
    "GAME_ENGINE_GAME_ROUND_TIMEOUT_SECONDS": ("60", 60),
    "GAME_ENGINE_GAME_MATCH_TIMEOUT_SECONDS": ("600", 600),
    "GAME_ENGINE_GAME_LOOT_REWARD_PER_MATCH": ("5", 5),
    "GAME_ENGINE_GAME_COMMITMENT_NONCE": ("optional", "optional"),
    "GAME_ENGINE_LOGGING_LEVEL": ("debug", "debug"),
    "GAME_ENGINE_LOGGING_FILE": ("other.log", "other.log"),
    "GAME_ENGINE_STORE_FILE": ("other.db", "other.db"),
}


def keys() -> list[tuple[str, str]]:
    return [(section, key) for section, kind in SECTIONS.items() for key in kind.__struct_fields__]


def test_every_setting_can_come_from_the_environment_which_wins(tmp_path: Path) -> None:
    assert {f"GAME_ENGINE_{section}_{key}".upper() for section, key in keys()} == set(VARIABLES)
    values = {name: text for name, (text, _) in VARIABLES.items()}
    settings = load_settings(written(tmp_path, DOCUMENT), {**values, "PATH": "/bin"})
    for section, key in keys():
        _, expected = VARIABLES[f"GAME_ENGINE_{section}_{key}".upper()]
        assert getattr(getattr(settings, section), key) == expected


def test_the_relays_are_the_first_one_and_the_others_once_each(tmp_path: Path) -> None:
    text = '[nostr]\nmore_relays = ["ws://a.example", "ws://localhost:7777"]\n'
    assert load_settings(written(tmp_path, text), {}).nostr.relays == ("ws://localhost:7777", "ws://a.example")


@pytest.mark.parametrize(
    ("text", "values", "word"),
    [
        ("[game]\nrounds = 7\n", {}, r"\[game\] has no key rounds\.$"),
        ("[gaem]\n", {}, r"There is no section \[gaem\]\.$"),
        ("port = 4444\n", {}, "section"),
        ("[server]\nport = 70000\n", {}, r"^\[server\] port cannot be used: Expected `int` <= 65535\.$"),
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
