"""NUI windows for tests: one with every element and every drawing, bound wherever it can be."""

from __future__ import annotations

from typing import Any

RED, BLUE = {"r": 255, "g": 120, "b": 110, "a": 255}, {"r": 40, "g": 60, "b": 200, "a": 255}


def bind(name: str) -> dict[str, str]:
    return {"bind": name}


def window(root: object, **changed: object) -> dict[str, Any]:
    place = {"x": 10.0, "y": 10.0, "w": 620.0, "h": 760.0}
    flags = {"resizable": True, "collapsed": False, "closable": True, "transparent": False, "border": True}
    return {"version": 1, "title": "Gallery", "root": root, "geometry": place, **flags, **changed}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": "row", "children": list(children)}


def rect(x: float, y: float, w: float, h: float) -> dict[str, float]:
    return {"x": x, "y": y, "w": w, "h": h}


DRAWN: list[dict[str, Any]] = [
    {"type": 7, "rect": rect(2, 2, 56, 56), "color": BLUE, "fill": False, "line_thickness": 2.0, "order": -1},
    {"type": 2, "rect": bind("pip"), "color": bind("colour"), "fill": True, "enabled": bind("pip_shown")},
    {"type": 0, "points": [70.0, 50.0, 90.0, 10.0, 110.0, 50.0], "color": RED, "fill": True, "line_thickness": 1.0},
    {"type": 6, "a": {"x": 120, "y": 10}, "b": {"x": 160, "y": 50}, "color": BLUE, "line_thickness": 3.0},
    {
        "type": 3,
        "c": {"x": 200, "y": 30},
        "radius": 20.0,
        "amin": 0.0,
        "amax": 3.0,
        "color": RED,
        "line_thickness": 2.0,
    },
    {
        "type": 1,
        "a": {"x": 240, "y": 50},
        "b": {"x": 300, "y": 50},
        "ctrl0": {"x": 250, "y": 0},
        "ctrl1": {"x": 290, "y": 0},
        "color": RED,
        "line_thickness": 2.0,
    },
    {"type": 4, "rect": rect(310, 20, 90, 20), "text": bind("drawn_text"), "color": RED},
    {"type": 5, "image": "ir_dice", "rect": rect(410, 10, 40, 40), "image_aspect": 0},
    {"type": 7, "rect": bind("bars"), "color": BLUE, "fill": True, "arrayBinds": True},
]

LIST = {
    "type": "list",
    "id": "rows",
    "row_template": [
        [{"type": "label", "value": bind("names")}, 120.0, True],
        [{"type": "button", "id": "pick", "label": bind("row_buttons"), "enabled": bind("row_on")}, 90.0, False],
    ],
    "row_count": bind("count"),
    "row_height": 30.0,
    "height": 110.0,
}

GALLERY = window(
    {
        "type": "col",
        "children": [
            row(
                {"type": "label", "id": "name", "value": bind("label"), "width": 150.0, "foreground_color": RED},
                {"type": "spacer"},
                {
                    "type": "button",
                    "id": "roll",
                    "label": bind("button"),
                    "enabled": bind("may_roll"),
                    "tooltip": "Roll",
                },
                {"type": "button_image", "id": "picture", "label": "ir_dice", "width": 40.0, "height": 40.0},
                {"type": "button_select", "id": "select", "label": "Select", "value": bind("selected")},
                {"type": "check", "id": "hold", "label": "Hold", "value": bind("ticked")},
            ),
            row(
                {
                    "type": "group",
                    "border": True,
                    "children": [{"type": "text", "value": bind("text")}],
                    "height": 70.0,
                },
                {"type": "textedit", "id": "edit", "label": "Say something", "value": bind("typed"), "max": 20},
            ),
            row(
                {"type": "progress", "value": bind("share"), "height": 20.0},
                {"type": "slider", "id": "slide", "value": bind("level"), "min": 0, "max": 10, "step": 1},
                {"type": "sliderf", "id": "slidef", "value": bind("part"), "min": 0.0, "max": 1.0, "step": 0.1},
            ),
            row(
                {"type": "combo", "id": "combo", "elements": [["One", 1], ["Two", 2]], "value": bind("choice")},
                {"type": "options", "id": "options", "direction": 0, "elements": ["A", "B"], "value": bind("option")},
                {"type": "tabbar", "id": "tabs", "direction": 0, "elements": ["Left", "Right"], "value": bind("tab")},
                {
                    "type": "toggles",
                    "id": "toggles",
                    "direction": 0,
                    "elements": ["On", "Off"],
                    "value": bind("toggle"),
                },
            ),
            row(
                {"type": "color_picker", "id": "colour", "value": bind("colour"), "width": 60.0},
                {"type": "image", "value": "ir_dice", "width": 60.0, "height": 60.0},
                {"type": "movieplayer", "value": "intro", "width": 120.0, "height": 60.0},
                {
                    "type": "chart",
                    "height": 80.0,
                    "value": [
                        {"type": 0, "legend": "Ann", "color": RED, "data": bind("scores")},
                        {"type": 1, "legend": "Bo", "color": BLUE, "data": [1.0, 3.0, 2.0]},
                    ],
                },
            ),
            LIST,
            {"type": "spacer", "height": 70.0, "draw_list": DRAWN, "draw_list_scissor": True},
            {"type": "label", "id": "secret", "value": "Hidden", "visible": bind("secret_shown")},
        ],
    }
)

GALLERY_BINDS: dict[str, object] = {
    "label": "Label",
    "button": "ROLL",
    "may_roll": True,
    "selected": False,
    "ticked": True,
    "text": "A text with\nseveral lines",
    "typed": "hello",
    "share": 0.4,
    "level": 3,
    "part": 0.5,
    "choice": 2,
    "option": 1,
    "tab": 0,
    "toggle": -1,
    "colour": BLUE,
    "scores": [1.0, 2.0, 4.0],
    "names": ["Ann", "Bo", "Cy"],
    "row_buttons": ["Pick", "Pick", "Pick"],
    "row_on": [True, False, True],
    "count": 3,
    "pip": rect(20, 20, 20, 20),
    "pip_shown": True,
    "drawn_text": "drawn",
    "bars": [rect(470, 30, 10, 20), rect(485, 20, 10, 30)],
    "secret_shown": False,
}
