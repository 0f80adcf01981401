"""Which tags make a table, how many chairs it has, and how far away people can watch it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

MOST_CHAIRS = 6  # Aetharn is played by 2 to 6
LEAST_CHAIRS = 2

Tag = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ChairCount = Annotated[int, msgspec.Meta(ge=LEAST_CHAIRS, le=MOST_CHAIRS)]
Distance = Annotated[float, msgspec.Meta(ge=0, le=1000)]


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
        raise SettingsError(f"The settings are not valid: {error}.") from None
