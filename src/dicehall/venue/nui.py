"""NUI, the windows of Neverwinter Nights, as JSON: the few elements that the windows here are made of.

A value is plain or a bind, ``{"bind": name}``, which is filled in later. Layouts cannot change once a window is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

VERSION = 1
LEFT, MIDDLE = 1, 0  # alignments: text_halign, text_valign
CENTER = 0
NO_SCROLLBARS, SCROLL_Y = 0, 2
POLYLINE, CIRCLE = 0, 2  # items of a draw list
CENTERED = -1.0  # of x and y: in the middle of the screen


def bind(name: str) -> Json:
    return {"bind": name}


def window(title: Any, root: Json, width: float, height: float) -> Json:
    return {
        "version": VERSION,
        "title": title,
        "root": root,
        "geometry": rect(CENTERED, CENTERED, width, height),
        "resizable": True,
        "collapsed": None,  # the player may
        "closable": True,
        "transparent": False,
        "border": True,
    }


# -- layout -------------------------------------------------------------------------------------------


def element(kind: str, label: Any = None, value: Any = None, **more: Any) -> Json:
    return {"type": kind, "label": label, "value": value, **more}


def col(*children: Json, **more: Any) -> Json:
    return element("col", children=list(children), **more)


def row(*children: Json, **more: Any) -> Json:
    return element("row", children=list(children), **more)


def group(child: Json, **more: Any) -> Json:
    return element("group", children=[child], border=True, scrollbars=NO_SCROLLBARS, **more)


def spacer(**more: Any) -> Json:
    return element("spacer", **more)


# -- widgets ------------------------------------------------------------------------------------------


def label(value: Any, halign: int = LEFT, **more: Any) -> Json:
    return element("label", value=value, text_halign=halign, text_valign=MIDDLE, **more)


def text(value: Any, **more: Any) -> Json:
    """Several lines, broken where they are too long."""
    return element("text", value=value, border=False, scrollbars=NO_SCROLLBARS, **more)


def button(id: str, caption: Any, **more: Any) -> Json:
    return element("button", caption, id=id, **more)


def check(id: str, caption: Any, value: Any, **more: Any) -> Json:
    return element("check", caption, value, id=id, **more)


def progress(value: Any, **more: Any) -> Json:
    return element("progress", value=value, **more)


def table(columns: Sequence[tuple[Json, float, bool]], rows: Any, row_height: float, **more: Any) -> Json:
    """A list: an element, its width and whether it may grow, for each column; their binds hold a value for each row."""
    template = [[cell, width, grows] for cell, width, grows in columns]
    shape = {"row_template": template, "row_count": rows, "row_height": row_height, "border": True}
    return element("list", **shape, scrollbars=SCROLL_Y, **more)


# -- drawing ------------------------------------------------------------------------------------------


def rect(x: float, y: float, w: float, h: float) -> Json:
    return {"x": x, "y": y, "w": w, "h": h}


def color(r: int, g: int, b: int, a: int = 255) -> Json:
    return {"r": r, "g": g, "b": b, "a": a}


def drawn(on: Json, items: Sequence[Json]) -> Json:
    """An element with a picture on it."""
    return {**on, "draw_list": list(items), "draw_list_scissor": True}


def circle(enabled: Any, hue: Any, place: Json) -> Json:
    return {**drawing(CIRCLE, enabled, hue), "rect": place}


def polygon(enabled: Any, hue: Any, points: Sequence[float]) -> Json:
    """Filled; its corners are pairs of x and y."""
    return {**drawing(POLYLINE, enabled, hue), "points": list(points)}


def drawing(kind: int, enabled: Any, hue: Any) -> Json:
    item = {"type": kind, "enabled": enabled, "color": hue, "fill": True, "line_thickness": 1.0}
    return {**item, "order": 1, "render": 0, "arrayBinds": False}
