"""The seeds' own doors: Dice Wards' three services, Dice 10 000's records, DO or DICE's sessions and statistics."""

from __future__ import annotations

from dicehall.server import doordice, tenthousand, wards
from dicehall.server.endpoints import Endpoint
from dicehall.server.parts import ServerParts

ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (*wards.ENDPOINTS, *tenthousand.ENDPOINTS, *doordice.ENDPOINTS)
