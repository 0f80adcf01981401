"""A contract for import-linter: the table of rooms, each with the rooms it may import.

A row reads `bots: solvers games`. What a room may import it may import with everything below it, and a row names only
rooms of the rows above it, so the table cannot hold a circle. `*` stands for all of them. Rooms that are not built yet
cost nothing; a room without a row breaks the contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Reach = Mapping[str, frozenset[str]]


def reach_of(rows: Iterable[str]) -> Reach:
    """What each room may import, by following its row down."""
    reach: dict[str, frozenset[str]] = {}
    for row in rows:
        room, _, names = row.partition(":")
        named = list(reach) if names.strip() == "*" else names.split()
        unknown = [name for name in named if name not in reach]
        if unknown:
            raise ValueError(f"the row of {room} names {unknown[0]}, which has no row above it")
        reach[room] = frozenset(named).union(*(reach[name] for name in named))
    return reach


def room_of(module: str, package: str) -> str | None:
    """The room a module stands in; None for the package itself and for everything outside it."""
    parts = module.split(".")
    return parts[1] if parts[0] == package and len(parts) > 1 else None


def breaches(imports: Iterable[tuple[str, str]], reach: Reach, package: str) -> list[tuple[str, str]]:
    """The imports from one room into another that its row does not allow."""
    found = []
    for importer, imported in imports:
        here, there = room_of(importer, package), room_of(imported, package)
        if here and there and here != there and there not in reach.get(here, frozenset()):
            found.append((importer, imported))
    return sorted(found)


class RoomsContract(Contract):
    """The table as a contract of type `rooms`."""

    type_name = "rooms"

    package = fields.StringField()
    rows = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        rows = cast(list[str], self.rows)  # import-linter's fields turn into plain values when a contract is made
        package, reach = str(self.package), reach_of(rows)
        imports = [
            (importer, imported)
            for importer in graph.modules
            for imported in graph.find_modules_directly_imported_by(importer)
        ]
        rooms = {room_of(module, package) for module in graph.modules} - {None}
        wrong = breaches(imports, reach, package)
        strangers = sorted(str(room) for room in rooms if room not in reach)
        return ContractCheck(kept=not (wrong or strangers), metadata={"wrong": wrong, "strangers": strangers})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["wrong"]:
            output.print_error(f"{importer} may not import {imported}")
        for room in check.metadata["strangers"]:
            output.print_error(f"{room} has no row in the table of rooms")
