"""Shows a NUI window in a browser: as one HTML file that needs nothing else, or as files for a page that is served."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import msgspec

MOST_BYTES = 2 * 2**20  # of a window and its binds
MODULES = ("nui.js", "nui_elements.js", "nui_drawing.js", "nui_scope.js")
SCRIPT = """
import { showWindow } from "./nui.js";
const { nui, binds, watch } = JSON.parse(document.getElementById("window").textContent);
const events = document.getElementById("events");
const send = (event) => { events.textContent = JSON.stringify(event); };
window.shown = showWindow(document.getElementById("place"), nui, { binds, watch, send });
"""
STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; font: 15px/1.4 system-ui, sans-serif; }
main { max-width: 1100px; margin: auto; }
#place { margin-block: 12px; }
output { display: block; min-height: 1.4em; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
"""


class WindowFileError(ValueError):
    """A file that does not hold a window; the sentence is for a person."""


def read_window(data: bytes) -> tuple[Any, Mapping[str, Any]]:
    """A window and its binds: a `create` command of the bridge, or a window alone."""
    if len(data) > MOST_BYTES:
        raise WindowFileError(f"A window can have at most {MOST_BYTES // 2**20} MB.")
    try:
        content = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise WindowFileError("The window is not valid JSON.") from None
    if isinstance(content, dict) and "nui" in content:
        binds = content.get("binds", {})
        return content["nui"], binds if isinstance(binds, dict) else {}
    return content, {}


@cache
def asset(name: str) -> str:
    """A file of the page."""
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def preview_page(window: Any, binds: Mapping[str, Any]) -> str:
    """An HTML file with the window, which works from a disk, too."""
    watched = sorted(binds)
    content = json.dumps({"nui": window, "binds": binds, "watch": watched}).replace("<", "\\u003c")
    title = window.get("title") if isinstance(window, dict) else None
    name = title if isinstance(title, str) else "NUI window"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(name)}</title>
<style>{STYLE}{asset("nui.css")}</style>
</head>
<body>
<main>
<h1>{escape(name)}</h1>
<div id="place"></div>
<p>Last event, as the game would report it:</p>
<output id="events">none yet</output>
</main>
<script type="application/json" id="window">{content}</script>
<script type="module">{inlined(SCRIPT)}</script>
</body>
</html>
"""


def inlined(script: str) -> str:
    """A script that imports nothing from other files: what it imports is in it."""
    for name in MODULES:
        if f'"./{name}"' in script:
            content = base64.b64encode(inlined(asset(name)).encode()).decode()
            script = script.replace(f'"./{name}"', f'"data:text/javascript;base64,{content}"')
    return script
