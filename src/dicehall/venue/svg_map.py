"""A map of a venue as SVG: a panel for each area with its triggers, tables, chairs and observers, and their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from dicehall.venue.layout import Position, Spot, Venue, VenueTable

MAP_WIDTH = 560.0
LEGEND_WIDTH = 460.0
LINE_HEIGHT = 17.0
HEADING_HEIGHT = 34.0
MARGIN_M = 1.0  # round what is drawn
LEAST_SIZE_M = 4.0
TABLE_M, SEAT_M = 1.2, 1.0  # how large they are drawn
TALLEST = 900.0
STYLE = """
svg{color-scheme:light dark;font:13px system-ui,sans-serif;--ink:#2b2118;--paper:#fbf6ec;--zone:#e9d8b4;--edge:#7a5a22;
--table:#7a4a21;--chair:#0f5f52;--eye:#3a4a9f}
@media(prefers-color-scheme:dark){svg{--ink:#f1e7d6;--paper:#1d1813;--zone:#3a2f1e;--edge:#d9b56c;--table:#c98f57;
--chair:#5fd0b8;--eye:#a9b6ff}}
.paper{fill:var(--paper)}.heading{font-weight:600;font-size:16px;fill:var(--ink)}.zone{fill:var(--zone);stroke:var(--edge);
stroke-dasharray:6 4}.table .mark{fill:var(--table)}.chair .mark{fill:var(--chair)}.observer .mark{fill:var(--eye)}
.number{fill:var(--paper);font-size:15px;font-weight:700;text-anchor:middle;dominant-baseline:central}.legend{fill:var(--ink)}
.id{white-space:pre;font-family:ui-monospace,monospace;font-size:12px;fill:var(--ink)}
"""

Numbered = Sequence[tuple[int, VenueTable]]  # tables with their numbers in the venue


@dataclass(frozen=True, slots=True)
class Frame:
    """Where an area's metres lie in the picture; north is up."""

    west: float
    north: float
    scale: float
    width: float
    height: float
    top: float

    def point(self, position: Position) -> tuple[float, float]:
        return (position.x - self.west) * self.scale, self.top + (self.north - position.y) * self.scale


def draw(venue: Venue, legend: bool = True) -> str:
    """The whole map. Without a legend the ids are only in the elements' `data-id` and titles."""
    width = MAP_WIDTH + (LEGEND_WIDTH if legend else 0.0)
    panels: list[str] = []
    top = 0.0
    for area in dict.fromkeys(table.area for table in venue.tables):
        tables = [one for one in enumerate(venue.tables, 1) if one[1].area == area]
        frame = frame_of([table for _, table in tables], top + HEADING_HEIGHT)
        panels += draw_area(area, tables, frame, legend)
        top = frame.top + max(frame.height, legend_height(tables) if legend else 0.0)
    height = max(top, HEADING_HEIGHT)
    empty = [] if panels else [text(12, 22, "legend", "No tables were found.")]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="group"'
            f' aria-label="{escape(f"Map of {venue.name}")}">',
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
            *(panels or empty),
            "</svg>\n",
        ]
    )


def frame_of(tables: Sequence[VenueTable], top: float) -> Frame:
    """The part of an area in which something is drawn, as wide as the picture or as tall as allowed."""
    points = [point for table in tables for point in points_of(table)]
    west, east = bounds([point.x for point in points])
    south, north = bounds([point.y for point in points])
    scale = min(MAP_WIDTH / (east - west), TALLEST / (north - south))
    return Frame(west, north, scale, (east - west) * scale, (north - south) * scale, top)


def points_of(table: VenueTable) -> Iterator[Position]:
    yield from table.polygon
    yield table.position
    yield from (spot.position for spot in (*table.chairs, *table.observers))


def bounds(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values) - MARGIN_M, max(values) + MARGIN_M
    missing = max(0.0, LEAST_SIZE_M - (high - low)) / 2
    return low - missing, high + missing


def draw_area(area: str, tables: Numbered, frame: Frame, legend: bool) -> Iterator[str]:
    yield text(12, frame.top - 10, "heading", f"Area {area}")
    for number, table in tables:
        yield from draw_table(number, table, frame)
    if legend:
        for line, (kind, words) in enumerate(legend_lines(tables)):
            yield text(MAP_WIDTH + 12, frame.top + line * LINE_HEIGHT, kind, words)


def draw_table(number: int, table: VenueTable, frame: Frame) -> Iterator[str]:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(frame.point, table.polygon))
    trigger = table.trigger.id
    yield f'<polygon class="zone" data-id="{escape(trigger)}" points="{corners}">{title(trigger)}</polygon>'
    x, y = frame.point(table.position)
    half = TABLE_M / 2 * frame.scale
    size = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
    shape = f'<rect class="mark" {size} rx="6"/>'
    yield from mark("table", table.id, shape, x, y, f"T{number}", table.id)
    yield from draw_spots("chair", seats(table), table.id, frame)
    yield from draw_spots("observer", watch_spots(number, table), table.id, frame)


def seats(table: VenueTable) -> Iterator[tuple[str, Spot]]:
    return ((str(number), chair) for number, chair in enumerate(table.chairs, 1))


def watch_spots(number: int, table: VenueTable) -> Iterator[tuple[str, Spot]]:
    """O2 is the spot of table 2; where there are more, they are O2.1, O2.2 and so on."""
    if len(table.observers) == 1:
        return iter([(f"O{number}", table.observers[0])])
    return ((f"O{number}.{count}", spot) for count, spot in enumerate(table.observers, 1))


def draw_spots(kind: str, spots: Iterable[tuple[str, Spot]], table: str, frame: Frame) -> Iterator[str]:
    for label, spot in spots:
        x, y = frame.point(spot.position)
        shape = f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{max(SEAT_M / 2 * frame.scale, 4):.1f}"/>'
        yield from mark(kind, spot.id, shape, x, y, label, table)


def mark(kind: str, id: str, shape: str, x: float, y: float, label: str, table: str) -> Iterator[str]:
    yield f'<g class="{kind}" data-id="{escape(id)}" data-table="{escape(table)}">{title(id)}{shape}'
    yield f"{text(x, y, 'number', label)}</g>"


def title(words: str) -> str:
    return f"<title>{escape(words)}</title>"


def text(x: float, y: float, kind: str, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def legend_height(tables: Numbered) -> float:
    return (len(list(legend_lines(tables))) + 1) * LINE_HEIGHT


def legend_lines(tables: Numbered) -> Iterator[tuple[str, str]]:
    """What the numbers on the map stand for."""
    for number, table in tables:
        yield "legend", f"T{number}" if table.table else f"T{number} (no table placeable: the trigger stands in)"
        yield "id", f"   table     {table.id}"
        yield "id", f"   trigger   {table.trigger.id}"
        yield from (("id", f"   chair {label:<4}{chair.id}") for label, chair in seats(table))
        yield from (("id", f"   spot {label:<5}{observer.id}") for label, observer in watch_spots(number, table))
