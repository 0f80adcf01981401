"""Which tags make a table, how many chairs it has, and how far away people can watch it."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Annotated

import msgspec

MOST_CHAIRS = 6  # Aetharn is played by 2 to 6
LEAST_CHAIRS = 2

Tag = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ChairCount = Annotated[int, msgspec.Meta(ge=LEAST_CHAIRS, le=MOST_CHAIRS)]
Distance = Annotated[float, msgspec.Meta(ge=0, le=1000)]


EXPECTED = {
    "trigger_tag": "text of 1 to 64 characters",
    "chair_tag": "text of 1 to 64 characters",
    "observer_tag": "text of 1 to 64 characters",
    "min_chairs": f"a whole number from {LEAST_CHAIRS} to {MOST_CHAIRS}",
    "max_chairs": f"a whole number from {LEAST_CHAIRS} to {MOST_CHAIRS}",
    "observer_distance_m": "a number of metres from 0 to 1000",
}


class SettingsError(ValueError):
    """A setting cannot have this value."""


class DiscoverySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trigger_tag: Tag = "game_aetharn"
    chair_tag: Tag = "aetharn_player_seat"
    observer_tag: Tag = "game_aetharn_observe"
    min_chairs: ChairCount = LEAST_CHAIRS
    max_chairs: ChairCount = MOST_CHAIRS
    observer_distance_m: Distance = 20.0

    def __post_init__(self) -> None:
        if self.min_chairs > self.max_chairs:
            raise ValueError(f"min_chairs is {self.min_chairs}, which is more than max_chairs, {self.max_chairs}")
        if len({self.trigger_tag, self.chair_tag, self.observer_tag}) < 3:
            raise ValueError("the trigger, the chairs and the observers need different tags")


def read_settings(values: Mapping[str, object]) -> DiscoverySettings:
    try:
        return msgspec.convert(values, DiscoverySettings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"The settings are not valid: {reason_of(values, str(error))}.") from None


def reason_of(values: Mapping[str, object], error: str) -> str:
    """What is wrong, in words for a person who has written the settings."""
    if unknown := [name for name in values if name not in EXPECTED]:
        return f"there is no setting {shortened(unknown[0])}. The settings are {', '.join(EXPECTED)}"
    name = error.rpartition("$.")[2].removesuffix("`")
    if name in EXPECTED:
        return f"{name} must be {EXPECTED[name]}, not {shortened(values[name])}"
    return error


def shortened(value: object) -> str:
    return reprlib.repr(value)
