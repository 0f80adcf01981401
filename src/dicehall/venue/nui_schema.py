"""Checks a NUI window before a client sees it: every element and every value is one that Neverwinter Nights knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dicehall.venue.nui_elements import ANY_DRAWING, ANY_ELEMENT, CHART_SLOT, DRAWINGS, ELEMENTS, WINDOW, Fields, Value
from dicehall.venue.nui_values import BOOL, INT, NUMBER, Kind, bind_of, rows

MOST_ELEMENTS = 5000
DEEPEST = 40
MOST_SHOWN = 5  # problems in one error message
MOST_CELLS = 16  # of a row


@dataclass(frozen=True, slots=True)
class NuiProblem:
    path: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class NuiError(ValueError):
    """A window that a client would not show."""

    def __init__(self, problems: list[NuiProblem]) -> None:
        more = f" (and {len(problems) - MOST_SHOWN} more)" if len(problems) > MOST_SHOWN else ""
        super().__init__("; ".join(map(str, problems[:MOST_SHOWN])) + more)
        self.problems = problems


def check(window: object, binds: Mapping[str, object] | None = None) -> None:
    """Raise NuiError if a client could not show the window."""
    if found := problems(window, binds):
        raise NuiError(found)


def problems(window: object, binds: Mapping[str, object] | None = None) -> list[NuiProblem]:
    """What is wrong with a window; with `binds`, also with the values of the names that it is bound to."""
    return list(Inspection(binds).window(window))


def bind_names(window: object) -> frozenset[str]:
    """Every name that a window is bound to."""
    inspection = Inspection(None)
    for _ in inspection.window(window):
        pass
    return frozenset(inspection.names)


@dataclass(slots=True)
class Inspection:
    binds: Mapping[str, object] | None
    names: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    elements: int = 0

    def window(self, window: object) -> Iterator[NuiProblem]:
        if not isinstance(window, Mapping):
            yield NuiProblem("window", "wrong_type", "a window must be an object")
            return
        yield from self.fields("window", window, WINDOW, frozenset({"root"}))
        if window.get("version") not in (1, None):
            yield NuiProblem("window.version", "wrong_type", "the version must be 1")
        yield from self.element("root", window.get("root"), 0)

    # -- elements -----------------------------------------------------------------------------------------

    def element(self, path: str, element: object, depth: int, in_rows: bool = False) -> Iterator[NuiProblem]:
        self.elements += 1
        if not isinstance(element, Mapping) or not isinstance(element.get("type"), str):
            yield NuiProblem(path, "wrong_type", "an element must be an object with a type")
        elif element["type"] not in ELEMENTS:
            yield NuiProblem(path, "unknown_element", f"there is no element {element['type']!r}")
        elif depth > DEEPEST or self.elements > MOST_ELEMENTS:
            yield NuiProblem(path, "too_large", "the window has too many elements, or they are nested too deeply")
        else:
            yield from self.known_element(path, element, depth, in_rows)

    def known_element(
        self, path: str, element: Mapping[str, object], depth: int, in_rows: bool
    ) -> Iterator[NuiProblem]:
        kind = str(element["type"])
        yield from self.fields(path, element, {**ANY_ELEMENT, **ELEMENTS[kind]}, self.nested_in(kind), in_rows)
        yield from self.own_id(path, element.get("id"))
        for name, one in self.listed(element, "draw_list"):
            yield from self.drawing(f"{path}.{name}", one, in_rows)
        if kind in ("col", "row", "group"):
            for name, one in self.listed(element, "children"):
                yield from self.element(f"{path}.{name}", one, depth + 1, in_rows)
        if kind == "list":
            yield from self.template(path, element.get("row_template"), depth)
        if kind == "chart":
            for name, one in self.listed(element, "value"):
                yield from self.slot(f"{path}.{name}", one)

    def nested_in(self, kind: str) -> frozenset[str]:
        """Fields that hold elements or drawings, which are looked at on their own."""
        own = {"list": {"row_template"}, "chart": {"value"}}.get(kind, set())
        return frozenset({"draw_list", *own} | ({"children"} if kind in ("col", "row", "group") else set()))

    def own_id(self, path: str, id: object) -> Iterator[NuiProblem]:
        if isinstance(id, str) and id in self.ids:
            yield NuiProblem(f"{path}.id", "repeated_id", f"another element has the id {id!r}")
        elif isinstance(id, str):
            self.ids.add(id)

    def listed(self, element: Mapping[str, object], name: str) -> Iterator[tuple[str, object]]:
        """The members of a list with their paths; something else counts as one wrong member."""
        found = element.get(name)
        if found is None:
            return
        members = found if isinstance(found, list) else [None]
        yield from ((f"{name}[{number}]", one) for number, one in enumerate(members))

    def template(self, path: str, template: object, depth: int) -> Iterator[NuiProblem]:
        if not isinstance(template, list) or not 1 <= len(template) <= MOST_CELLS:
            yield NuiProblem(f"{path}.row_template", "wrong_type", f"a row must have 1 to {MOST_CELLS} cells")
            return
        for number, cell in enumerate(template):
            where = f"{path}.row_template[{number}]"
            if isinstance(cell, list) and len(cell) == 3 and NUMBER.accepts(cell[1]) and BOOL.accepts(cell[2]):
                yield from self.element(f"{where}[0]", cell[0], depth + 1, in_rows=True)
            else:
                yield NuiProblem(where, "wrong_type", "a cell must be [element, width, whether it grows]")

    def slot(self, path: str, slot: object) -> Iterator[NuiProblem]:
        if isinstance(slot, Mapping):
            yield from self.fields(path, slot, CHART_SLOT, frozenset())
        else:
            yield NuiProblem(path, "wrong_type", "a slot of a chart must be an object")

    def drawing(self, path: str, drawing: object, in_rows: bool) -> Iterator[NuiProblem]:
        if not isinstance(drawing, Mapping) or not INT.accepts(drawing.get("type")):
            yield NuiProblem(path, "wrong_type", "a drawing must be an object with a type")
        elif drawing["type"] not in DRAWINGS:
            yield NuiProblem(path, "unknown_element", f"there is no drawing of type {drawing['type']}")
        else:
            in_rows = in_rows or drawing.get("arrayBinds") is True
            yield from self.fields(path, drawing, {**ANY_DRAWING, **DRAWINGS[drawing["type"]][1]}, frozenset(), in_rows)

    # -- values -------------------------------------------------------------------------------------------

    def fields(
        self, path: str, found: Mapping[str, object], known: Fields, nested: frozenset[str], in_rows: bool = False
    ) -> Iterator[NuiProblem]:
        for name, value in found.items():
            if name in nested or (name in ("label", "value") and value is None):
                continue
            if name not in known:
                yield NuiProblem(f"{path}.{name}", "unknown_field", f"there is no field {name!r} here")
            elif value is not None:
                yield from self.value(f"{path}.{name}", value, known[name], in_rows)
        for name, value in known.items():
            if value.required and found.get(name) is None:
                yield NuiProblem(f"{path}.{name}", "missing_field", f"{name} is missing")

    def value(self, path: str, value: object, known: Value, in_rows: bool) -> Iterator[NuiProblem]:
        bind = bind_of(value)
        if bind is None:
            if not known.kind.accepts(value):
                yield NuiProblem(path, "wrong_type", f"it must be {known.kind.name}")
        elif not known.bindable:
            yield NuiProblem(path, "not_bindable", "this field cannot be bound")
        else:
            self.names.add(bind)
            yield from self.bound(path, bind, known.kind, in_rows)

    def bound(self, path: str, bind: str, kind: Kind, in_rows: bool) -> Iterator[NuiProblem]:
        if self.binds is None:
            return
        if bind not in self.binds:
            yield NuiProblem(path, "unknown_bind", f"{bind!r} has no value")
            return
        values = rows(self.binds[bind]) if in_rows else [self.binds[bind]]
        if not all(kind.accepts(value) for value in values):
            yield NuiProblem(path, "wrong_type", f"the value of {bind!r} has to be {kind.name}")
