"""The referee's configuration file, game-engine.toml: the source document's sections and keys, and a few more.

Every key can also be set by an environment variable, GAME_ENGINE_<SECTION>_<KEY>, which wins over the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from dicehall.nostr.keys import InvalidKey, SecretKey, read_key_file

PREFIX = "GAME_ENGINE_"
PLACEHOLDER = "bot_private_key_hex"
KEY_FILE = "file:"
ADDRESSABLE_OR_FLEETING = range(10_000, 40_000)  # relays replace or forget events of these kinds
REPLACED = (0, 3)

UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")

Seconds = Annotated[int, Meta(ge=1, le=604_800)]


class SettingsError(Exception):
    """The configuration cannot be used; the sentence says why."""


class ServerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 4444


class NostrSettings(Struct, frozen=True, forbid_unknown_fields=True):
    relay_url: str = "ws://localhost:7777"
    private_key: str = PLACEHOLDER  # hex, nsec, or file: and the path of a key file
    kind: Annotated[int, Meta(ge=0, le=65_535)] = 1
    more_relays: Annotated[tuple[str, ...], Meta(max_length=20)] = ()

    @property
    def relays(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.relay_url, *self.more_relays)))


class CashuSettings(Struct, frozen=True, forbid_unknown_fields=True):
    mint_url: str = "http://localhost:3333"


class GameSettings(Struct, frozen=True, forbid_unknown_fields=True):
    max_concurrent_matches: Annotated[int, Meta(ge=1, le=10_000)] = 100
    round_timeout_seconds: Seconds = 300
    match_timeout_seconds: Seconds = 1800
    loot_reward_per_match: Annotated[int, Meta(ge=1, le=1_000_000)] = 1000
    commitment_nonce: Literal["required", "optional"] = "required"


class LoggingSettings(Struct, frozen=True, forbid_unknown_fields=True):
    level: Literal["debug", "info", "warning", "error"] = "info"
    file: str = "./logs/game-engine.log"


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    file: str = "game-engine.db"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    server: ServerSettings = ServerSettings()
    nostr: NostrSettings = NostrSettings()
    cashu: CashuSettings = CashuSettings()
    game: GameSettings = GameSettings()
    logging: LoggingSettings = LoggingSettings()
    store: StoreSettings = StoreSettings()


SECTIONS: Mapping[str, type[Struct]] = {
    "server": ServerSettings,
    "nostr": NostrSettings,
    "cashu": CashuSettings,
    "game": GameSettings,
    "logging": LoggingSettings,
    "store": StoreSettings,
}


def load_settings(path: Path, environment: Mapping[str, str]) -> Settings:
    """The settings of a file and of the environment; SettingsError where they cannot be used."""
    values = read_toml(path)
    for name, text in environment.items():
        if name.startswith(PREFIX):
            put_variable(values, name, text)
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(sentence_of(path, str(error))) from None
    check(settings)
    return settings


def sentence_of(path: Path, error: str) -> str:
    """What msgspec says of a value at `$.section.key`, in the words of the file."""
    said, _, place = error.partition(" - at `$.")
    section, _, key = place.rstrip("`").partition(".")
    if (unknown := UNKNOWN.fullmatch(said)) is not None:
        return (
            f"{path}: [{section}] has no key {unknown[1]}."
            if section
            else f"{path}: There is no section [{unknown[1]}]."
        )
    return f"[{section}] {key} cannot be used: {said}."


def read_toml(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"There is no file {path}. See docs/mana.md for an example.") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}.") from None
    for section, keys in values.items():
        if not isinstance(keys, dict):
            raise SettingsError(f"{path}: {section} must be a section, [{section}].")
    return values


def put_variable(values: dict[str, Any], name: str, text: str) -> None:
    section, _, key = name.removeprefix(PREFIX).lower().partition("_")
    if section not in SECTIONS or key not in SECTIONS[section].__struct_fields__:
        raise SettingsError(f"The environment variable {name} is not a setting of the referee.")
    listed = [one.strip() for one in text.split(",") if one.strip()]
    values.setdefault(section, {})[key] = listed if key == "more_relays" else text


def check(settings: Settings) -> None:
    kind = settings.nostr.kind
    if kind in REPLACED or kind in ADDRESSABLE_OR_FLEETING:
        raise SettingsError(f"Relays replace or forget events of kind {kind}. Use 1, or a regular kind such as 4444.")
    for url in settings.nostr.relays:
        if not url.startswith(("ws://", "wss://")):
            raise SettingsError(f"The address of a relay starts with ws:// or wss://, not {url!r}.")
    if not settings.cashu.mint_url.startswith(("http://", "https://")):
        raise SettingsError(f"The address of a mint starts with http:// or https://, not {settings.cashu.mint_url!r}.")


def secret_key(settings: Settings, folder: Path) -> SecretKey:
    """The referee's key; a key file is looked for in the folder of the configuration."""
    text = settings.nostr.private_key
    if text == PLACEHOLDER:
        raise SettingsError(
            "private_key is still the placeholder. Make a key with: dicehall nostr key --file bot.key\n"
            'Then write private_key = "file:bot.key" under [nostr].'
        )
    try:
        if text.startswith(KEY_FILE):
            return read_key_file(folder / text.removeprefix(KEY_FILE))
        return SecretKey.parse(text)
    except (OSError, UnicodeDecodeError, InvalidKey) as error:
        raise SettingsError(f"private_key cannot be used: {error}") from None
