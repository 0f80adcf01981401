"""The games that are races: two scores, a turn that gathers points, and a goal."""

from __future__ import annotations

from typing import Any

from dicehall.solvers.aetharn import AetharnRace
from dicehall.solvers.race import Race
from dicehall.solvers.tenthousand import TenThousandRace
from dicehall.solvers.wards import WardsRace

RACES: dict[str, type[Race[Any]]] = {"wards": WardsRace, "aetharn": AetharnRace, "tenthousand": TenThousandRace}
