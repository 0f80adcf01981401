"""Area files built in code: the same area as a module, a binary area, JSON, or a venue file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nwn import erf, gff

from dicehall.venue.layout import Venue
from dicehall.venue.sources import load

SEAT, SPOT, ZONE = "aetharn_player_seat", "game_aetharn_observe", "game_aetharn"
SQUARE = ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0))

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sketch:
    """An area: triggers as (tag, position, corners relative to it), placeables as (tag, position)."""

    triggers: Sequence[tuple[str, Point, Sequence[Point]]] = ()
    placeables: Sequence[tuple[str, Point]] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


def table_at(x: float, y: float, chairs: int = 4) -> Sketch:
    """A square trigger round a table with chairs in a row."""
    seats = [(SEAT, (x - 2 + 0.5 * number, y + 1)) for number in range(chairs)]
    return Sketch([(ZONE, (x, y), SQUARE)], [("table", (x, y)), *seats])


def joined(*sketches: Sketch) -> Sketch:
    return Sketch([t for one in sketches for t in one.triggers], [p for one in sketches for p in one.placeables])


def structure(sketch: Sketch) -> gff.Struct:
    lists = {
        "TriggerList": gff.List([trigger(*one) for one in sketch.triggers]),
        "Placeable List": gff.List([placeable(*one) for one in sketch.placeables]),
    }
    return gff.Struct(0xFFFFFFFF, **{**lists, **sketch.extra})


def trigger(tag: str, position: Point, corners: Sequence[Point]) -> gff.Struct:
    points = [gff.Struct(3, PointX=gff.Float(x), PointY=gff.Float(y), PointZ=gff.Float(0)) for x, y in corners]
    place = {"XPosition": gff.Float(position[0]), "YPosition": gff.Float(position[1]), "ZPosition": gff.Float(0)}
    return gff.Struct(1, Tag=gff.CExoString(tag), **place, Geometry=gff.List(points))


def placeable(tag: str, position: Point) -> gff.Struct:
    place = {"X": gff.Float(position[0]), "Y": gff.Float(position[1]), "Z": gff.Float(0)}
    return gff.Struct(9, Tag=gff.CExoString(tag), Bearing=gff.Float(0.5), **place)


def git_bytes(sketch: Sketch) -> bytes:
    file = io.BytesIO()
    gff.write(file, structure(sketch), b"GIT ")
    return file.getvalue()


def module_bytes(areas: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with erf.Writer(file, b"MOD ") as writer:
        writer.add_file_data("module.ifo", b"not looked at")
        for name, content in areas.items():
            writer.add_file_data(f"{name}.git", content)
    return file.getvalue()


def json_text(sketch: Sketch) -> str:
    return json.dumps(gff.struct_to_json(structure(sketch), b"GIT "))


def venue_content(areas: Mapping[str, Sketch]) -> dict[str, object]:
    def area(name: str, sketch: Sketch) -> dict[str, object]:
        triggers = [{"tag": t, "position": list(p), "polygon": [list(c) for c in cs]} for t, p, cs in sketch.triggers]
        placeables = [{"tag": tag, "position": list(position)} for tag, position in sketch.placeables]
        return {"name": name, "triggers": triggers, "placeables": placeables}

    return {"name": "Venue", "areas": [area(name, sketch) for name, sketch in areas.items()]}


def toml_text(areas: Mapping[str, Sketch]) -> str:
    lines = ['name = "Venue"']
    for name, sketch in areas.items():
        lines += ["[[areas]]", f'name = "{name}"']
        for tag, position, corners in sketch.triggers:
            lines += ["[[areas.triggers]]", f'tag = "{tag}"', f"position = {list(position)}"]
            lines += [f"polygon = {[list(corner) for corner in corners]}"]
        for tag, position in sketch.placeables:
            lines += ["[[areas.placeables]]", f'tag = "{tag}"', f"position = {list(position)}"]
    return "\n".join(lines)


def found(folder: Path, sketch: Sketch, **settings: object) -> Venue:
    """What discovery makes of one area, read from JSON."""
    file = folder / "tavern.git.json"
    file.write_text(json_text(sketch))
    return load(file, settings)
