"""Points and polygons on the floor of an area. Heights do not count: a trigger reaches from floor to ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from dicehall.venue.layout import Position

TOLERANCE_M = 0.001  # files hold 32-bit floats, so a chair on an edge can be off by a little

Polygon = Sequence[Position]


def distance(one: Position, other: Position) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def contains(polygon: Polygon, point: Position) -> bool:
    """Whether a point is inside a polygon, which may be concave, or on its edge."""
    inside = False
    for start, end in edges(polygon):
        if distance_to_edge(start, end, point) <= TOLERANCE_M:
            return True
        if (start.y > point.y) != (end.y > point.y):
            crossing = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
            inside ^= point.x < crossing
    return inside


def edges(polygon: Polygon) -> list[tuple[Position, Position]]:
    return list(pairwise([*polygon, *polygon[:1]]))


def distance_to_edge(start: Position, end: Position, point: Position) -> float:
    along_x, along_y = end.x - start.x, end.y - start.y
    length = along_x * along_x + along_y * along_y
    share = ((point.x - start.x) * along_x + (point.y - start.y) * along_y) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return hypot(start.x + share * along_x - point.x, start.y + share * along_y - point.y)


def centre(polygon: Polygon) -> Position:
    """The centre of gravity; where a polygon is flat or crosses itself, the middle of its corners."""
    origin = middle(polygon)
    twice_area = moment_x = moment_y = 0.0
    for start, end in edges(polygon):
        ax, ay, bx, by = start.x - origin.x, start.y - origin.y, end.x - origin.x, end.y - origin.y
        cross = ax * by - bx * ay
        twice_area += cross
        moment_x += (ax + bx) * cross
        moment_y += (ay + by) * cross
    if abs(twice_area) < TOLERANCE_M:
        return origin
    found = Position(origin.x + moment_x / (3 * twice_area), origin.y + moment_y / (3 * twice_area), origin.z)
    return found if is_in_bounds(found, polygon) else origin


def is_in_bounds(point: Position, polygon: Polygon) -> bool:
    xs, ys = [corner.x for corner in polygon], [corner.y for corner in polygon]
    return min(xs) <= point.x <= max(xs) and min(ys) <= point.y <= max(ys)


def middle(points: Polygon) -> Position:
    count = len(points)
    return Position(
        sum(p.x for p in points) / count, sum(p.y for p in points) / count, sum(p.z for p in points) / count
    )
