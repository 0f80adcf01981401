"""The OpenAPI document, made from the endpoints and their types."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from dicehall import __version__
from dicehall.server.bodies import Refusal
from dicehall.server.endpoints import Endpoint

REF = "#/components/schemas/{name}"


def document_of(endpoints: tuple[Endpoint[Any], ...], public_url: str) -> dict[str, Any]:
    paths, schemas = described(endpoints)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dicehall", "version": __version__, "description": "Five dice games, one hall."},
        "servers": [{"url": public_url}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "dicehall"},
                "nostr": {"type": "http", "scheme": "Nostr", "description": "A signed event in base64 (NIP-98)."},
            },
        },
    }


@cache  # half of the time that it takes to put a server together
def described(endpoints: tuple[Endpoint[Any], ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The paths and the schemas of their types."""
    types = [kind for one in endpoints for kind in (*one.answers, body_of(one)) if kind not in (None, msgspec.Raw)]
    schemas, components = msgspec.json.schema_components([*types, Refusal], ref_template=REF)
    named = dict(zip(map(repr, [*types, Refusal]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for one in endpoints:
        paths.setdefault(one.shown_path, {})[one.method.lower()] = operation(one, named)
    return paths, components


def operation(one: Endpoint[Any], named: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "summary": one.summary,
        "description": (one.do.__doc__ or one.summary).strip(),
        "operationId": f"{one.method.lower()}{one.shown_path.title()}".replace("/", "_")
        .replace("{", "")
        .replace("}", ""),
        "tags": [one.tag],
        "parameters": [*path_parameters(one), *query_parameters(one)],
        "responses": {
            str(one.status): {
                "description": "Done",
                "content": content(one_of([named[repr(kind)] for kind in one.answers])),
            },
            "4XX": {"description": "Refused, with a code and a sentence", "content": content(named[repr(Refusal)])},
            "503": {"description": "Not now", "content": content(named[repr(Refusal)])},
        },
        "security": security_of(one),
    }
    if one.body is not None:
        body = body_of(one)
        schema = {"type": "object"} if body is msgspec.Raw else named[repr(body)]
        told["requestBody"] = {"required": bool(needed_fields(body)), "content": content(schema)}
    return told


def security_of(one: Endpoint[Any]) -> list[dict[str, list[str]]]:
    """Each entry is an alternative; everything in one entry is required together."""
    tokens: list[dict[str, list[str]]] = [{"token": []}, {"cookie": []}]
    if one.signed:
        return [*tokens, {"cookie": [], "nostr": []}] if one.takes_event else tokens
    return [{}, *tokens, {"nostr": []}] if one.takes_event else [{}, *tokens]


def body_of(one: Endpoint[Any]) -> Any:
    return one.body if one.documented is None else one.documented


def needed_fields(body: Any) -> list[str]:
    """The body can be omitted if none of its fields are required."""
    return ["all of it"] if body is msgspec.Raw else [one.name for one in msgspec.structs.fields(body) if one.required]


def one_of(schemas: list[Any]) -> Any:
    return schemas[0] if len(schemas) == 1 else {"oneOf": schemas}


def content(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def path_parameters(one: Endpoint[Any]) -> list[dict[str, Any]]:
    names = re.findall(r"{(\w+)}", one.shown_path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def query_parameters(one: Endpoint[Any]) -> list[dict[str, Any]]:
    if one.query is None:
        return []
    schema = msgspec.json.schema_components([one.query], ref_template=REF)[1][one.query.__name__]
    needed = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": kind}
        for name, kind in schema["properties"].items()
    ]
