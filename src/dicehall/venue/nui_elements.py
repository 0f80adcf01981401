"""Every element and drawing of a NUI window, with its fields, as Neverwinter Nights documents them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dicehall.venue.nui_values import (
    BOOL,
    COLOR,
    COMBO_ENTRIES,
    INT,
    NAME,
    NUMBER,
    NUMBERS,
    POINTS,
    RECT,
    ROW_COUNT,
    SHARE,
    TEXT,
    TEXTS,
    TITLE,
    VEC,
    Kind,
)


@dataclass(frozen=True, slots=True)
class Value:
    """What a field holds, whether it may be bound, and whether it has to be there."""

    kind: Kind
    bindable: bool = True
    required: bool = False


def fixed(kind: Kind) -> Value:
    return Value(kind, bindable=False)


def needed(kind: Kind) -> Value:
    return Value(kind, required=True)


Fields = Mapping[str, Value]

WINDOW: Fields = {
    "version": Value(INT, bindable=False, required=True),
    "title": needed(TITLE),
    "geometry": needed(RECT),
    **{name: Value(BOOL) for name in ("resizable", "collapsed", "closable", "transparent", "border", "accepts_input")},
    **{name: Value(RECT) for name in ("size_constraint", "edge_constraint")},
    "font": Value(TEXT),
}
ANY_ELEMENT: Fields = {
    "type": fixed(NAME),
    "id": fixed(NAME),
    **{name: fixed(NUMBER) for name in ("width", "height", "aspect", "margin", "padding")},
    **{name: Value(BOOL) for name in ("enabled", "visible", "encouraged", "draw_list_scissor")},
    **{name: Value(TEXT) for name in ("tooltip", "disabled_tooltip", "font")},
    "foreground_color": Value(COLOR),
}
FRAME: Fields = {"border": fixed(BOOL), "scrollbars": fixed(INT)}
RANGE: Fields = {name: Value(NUMBER) for name in ("min", "max", "step")}
PICTURE: Fields = {name: Value(INT) for name in ("image_aspect", "image_halign", "image_valign")} | {
    "image_region": Value(RECT)
}
CHOICE: Fields = {"direction": fixed(INT), "elements": needed(TEXTS), "value": needed(INT)}
ELEMENTS: Mapping[str, Fields] = {
    "col": {},
    "row": {},
    "group": FRAME,
    "spacer": {},
    "label": {"value": needed(TEXT), "text_halign": Value(INT), "text_valign": Value(INT)},
    "text": {"value": needed(TEXT), **FRAME},
    "textedit": {
        "label": Value(TEXT),
        "value": needed(TEXT),
        "max": fixed(INT),
        "multiline": fixed(BOOL),
        "wordwrap": fixed(BOOL),
    },
    "button": {"label": needed(TEXT)},
    "button_image": {"label": needed(TEXT), **PICTURE},
    "button_select": {"label": needed(TEXT), "value": needed(BOOL)},
    "check": {"label": needed(TEXT), "value": needed(BOOL)},
    "image": {"value": needed(TEXT), **PICTURE},
    "progress": {"value": needed(SHARE)},
    "slider": {"value": needed(INT), **RANGE},
    "sliderf": {"value": needed(NUMBER), **RANGE},
    "combo": {"elements": needed(COMBO_ENTRIES), "value": needed(INT)},
    "options": CHOICE,
    "tabbar": CHOICE,  # what NuiToggles makes
    "toggles": CHOICE,
    "color_picker": {"value": needed(COLOR)},
    "chart": {},
    "movieplayer": {"value": needed(TEXT)},
    "list": {"row_count": needed(ROW_COUNT), "row_height": fixed(NUMBER), **FRAME},
}
CHART_SLOT: Fields = {
    "type": Value(INT, bindable=False, required=True),
    "legend": Value(TEXT),
    "color": Value(COLOR),
    "data": needed(NUMBERS),
}
ANY_DRAWING: Fields = {
    "type": Value(INT, bindable=False, required=True),
    **{name: Value(BOOL) for name in ("enabled", "fill")},
    "color": Value(COLOR),
    "line_thickness": Value(NUMBER),
    **{name: fixed(INT) for name in ("order", "render")},
    "arrayBinds": fixed(BOOL),
}
LINE: Fields = {"a": needed(VEC), "b": needed(VEC)}
DRAWINGS: Mapping[int, tuple[str, Fields]] = {
    0: ("polyline", {"points": needed(POINTS)}),
    1: ("curve", {**LINE, "ctrl0": needed(VEC), "ctrl1": needed(VEC)}),
    2: ("circle", {"rect": needed(RECT)}),
    3: ("arc", {"c": needed(VEC), **{name: needed(NUMBER) for name in ("radius", "amin", "amax")}}),
    4: ("text", {"rect": needed(RECT), "text": needed(TEXT), "font": Value(TEXT)}),
    5: ("image", {"image": needed(TEXT), "rect": needed(RECT), **PICTURE}),
    6: ("line", LINE),
    7: ("rect", {"rect": needed(RECT)}),
}
