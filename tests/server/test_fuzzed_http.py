"""Schemathesis over the whole OpenAPI document: whatever it makes up, nothing breaks, and answers are as documented.

It runs in process, on one hall with people and tables in it. Ids in paths are often those of real tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.core import NotSet
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dicehall.server.app import ENDPOINTS
from dicehall.server.endpoints import Endpoint
from tests.server.doors import Doors, Person, open_doors

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")  # of large reprs

QUICK, LONG = 12, 150  # requests per endpoint
CHECKS = [content_type_conformance, response_schema_conformance, status_code_conformance]
UNHURRIED: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
SOMETHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """A hall with something in it, and the document of its API."""

    doors: Doors
    schema: Any
    accounts: tuple[str, ...]
    ids: tuple[str, ...]

    def people(self) -> list[Person]:
        """Those who sit at the tables, signed in anew: signing out is among the things that are tried."""
        portal, sessions = self.doors.client.portal, self.doors.running.parts.people.sessions
        assert portal is not None
        known = [Person(self.doors, id, "", portal.call(sessions.open, id).text) for id in self.accounts]
        return [*known, self.doors.nobody, self.doors.operator]

    def send(self, case: Case[Any], person: Person, id: str | None) -> None:
        path = case.path if id is None else case.path.replace("{id}", id)
        sent = case.formatted_path if id is None else path
        headers = dict((case.headers or {}).items())
        if person.token:
            headers["authorization"] = f"Bearer {person.token}"
        answer = self.doors.client.request(
            case.method, sent, content=encoded(case.body), params=case.query, headers=headers
        )
        self.doors.client.cookies.clear()
        assert answer.status_code < 500, f"{case.method} {sent} {case.query} {case.body!r}: {answer.text}"
        case.validate_response(answer, checks=CHECKS)


def encoded(body: Any) -> bytes:
    """As it goes over the wire, whatever it is."""
    if isinstance(body, NotSet | bytes):
        return body if isinstance(body, bytes) else b""
    return json.dumps(body, default=repr).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    with open_doors(tmp_path_factory.mktemp("fuzzed")) as doors:
        yield furnished(doors)


@pytest.fixture(scope="module")
def unspoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    """A hall that no other test uses: in theirs a request may have put a bot in Ann's place."""
    with open_doors(tmp_path_factory.mktemp("unspoiled")) as doors:
        yield furnished(doors, rules={"turn_seconds": 86_400})  # no table falls asleep, however slow the machine


def furnished(doors: Doors, **more: Any) -> Fuzzed:
    ann, bo, wards = doors.pair(**more)
    ten = ann.open("tenthousand")
    ann.sit(ten)
    lobby, mana = bo.open("doordice"), ann.open("mana", bots=[{"seat": 1, "level": "random"}])
    ann.sit(mana)
    schema = schemathesis.openapi.from_dict(doors.nobody.get("/openapi.json"))
    return Fuzzed(doors, schema, (ann.id, bo.id), (wards, ten, lobby, mana, ann.id, f"{ten}/r0"))


def fuzz(fuzzed: Fuzzed, one: Endpoint[Any], examples: int) -> None:
    operation = fuzzed.schema[one.shown_path][one.method]
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))

    @settings(max_examples=examples, phases=[Phase.generate], **UNHURRIED)
    @given(cases, st.sampled_from(fuzzed.people()), st.sampled_from((None, *fuzzed.ids)))
    def send(case: Case[Any], person: Person, id: str | None) -> None:
        fuzzed.send(case, person, id)

    send()


def name_of(one: Endpoint[Any]) -> str:
    return f"{one.method} {one.shown_path}"


@pytest.mark.parametrize("one", ENDPOINTS, ids=name_of)
def test_no_request_breaks_anything(fuzzed: Fuzzed, one: Endpoint[Any]) -> None:
    fuzz(fuzzed, one, QUICK)


@pytest.mark.proof
@pytest.mark.parametrize("one", ENDPOINTS, ids=name_of)
def test_no_request_breaks_anything_for_long(fuzzed: Fuzzed, one: Endpoint[Any]) -> None:
    fuzz(fuzzed, one, LONG)


@settings(max_examples=60, **UNHURRIED)
@given(move=SOMETHING)
def test_no_move_breaks_anything(unspoiled: Fuzzed, move: Any) -> None:
    (person, *_), statuses = unspoiled.people(), set()
    for table in unspoiled.ids[:4]:
        for sent in (move, {"pick": move}, {"lock": move}, {"choose": move}):
            statuses.add(person.ask("POST", f"/api/tables/{table}/act", {"move": sent}).status_code)
    assert statuses <= {200, 409, 422}


def test_what_breaks_is_noticed(fuzzed: Fuzzed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer is no rubber stamp."""
    monkeypatch.delitem(fuzzed.doors.running.parts.limits.rates, "enter")
    with pytest.raises(AssertionError):
        fuzz(fuzzed, next(one for one in ENDPOINTS if one.path == "/api/accounts/guest"), QUICK)
