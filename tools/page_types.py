"""Writes web/src/lib/types.ts from the server's own types: `make types`. A test sees that the file is current."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from dicehall.server import bodies, match_shapes, shapes

FILE = Path(__file__).resolve().parents[1] / "web" / "src" / "lib" / "types.ts"
HEAD = """/** What the hall says and is asked, as types. Made by `make types` from the server's own: edit those. */
"""
TAIL = """
export type Phase = TableShown['phase'];
"""
BODIES = (
    bodies.Entered,
    bodies.OpenBody,
    bodies.MeBody,
    bodies.KeysShown,
    bodies.HintAnswered,
    bodies.Reviewed,
    bodies.Coached,
)
OPEN = {"EventTold"}  # further fields come from each game's own events
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def main() -> int:
    FILE.write_text(types(), encoding="utf-8")
    print(FILE)
    return 0


def types() -> str:
    _, found = msgspec.json.schema_components(
        [*shapes.SHOWN, *match_shapes.MATCH_SHAPES, *BODIES], ref_template="{name}"
    )
    return HEAD + "".join(interface(name, schema) for name, schema in sorted(found.items())) + TAIL


def interface(name: str, schema: Schema) -> str:
    needed = set(schema.get("required", ()))
    fields = [f"  {field}{'' if field in needed else '?'}: {kind(inner)};" for field, inner in properties(schema)]
    if name in OPEN:
        fields.append("  [field: string]: unknown;")
    return "\n".join(["", f"export interface {name} {{", *fields, "}"]) + "\n"


def properties(schema: Schema) -> list[tuple[str, Schema]]:
    return list(schema.get("properties", {}).items())


def kind(schema: Schema) -> str:
    """A schema as TypeScript says it."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join("null" if value is None else f"'{value}'" for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(kind(one) for one in schema["anyOf"])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(kind(one) for one in schema['prefixItems'])}]"
        case "array":
            return listed(kind(schema.get("items", {})))
        case "object":
            return f"Record<string, {kind(schema.get('additionalProperties', {}))}>"
        case list(several):
            return " | ".join(SIMPLE[one] for one in several)
        case str(one):
            return SIMPLE[one]
    return "unknown"


def listed(inner: str) -> str:
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


if __name__ == "__main__":
    sys.exit(main())
