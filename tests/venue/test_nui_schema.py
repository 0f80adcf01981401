"""A NUI window with anything that Neverwinter Nights does not know is refused, and the problem has a path."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.venue.nui_elements import DRAWINGS, ELEMENTS
from dicehall.venue.nui_schema import NuiError, bind_names, check, problems
from tests.venue.windows import GALLERY, GALLERY_BINDS, window


def codes(root: object, binds: dict[str, object] | None = None) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in problems(window(root), binds)]


def test_a_window_with_every_element_and_drawing_has_no_problems() -> None:
    check(GALLERY, GALLERY_BINDS)
    text = repr(GALLERY)
    assert all(f"'type': '{name}'" in text for name in ELEMENTS)
    assert all(f"'type': {number}," in text for number in DRAWINGS)


def test_the_names_that_a_window_is_bound_to_are_listed() -> None:
    assert bind_names(GALLERY) == set(GALLERY_BINDS)


def test_an_unknown_element_is_a_problem_with_its_name_and_path() -> None:
    root = {"type": "col", "children": [{"type": "row", "children": [{"type": "dial", "value": 1}]}]}
    (problem,) = problems(window(root))
    assert (problem.path, problem.code) == ("root.children[0].children[0]", "unknown_element")
    assert "'dial'" in problem.message
    with pytest.raises(NuiError, match="dial"):
        check(window(root))


LABEL = {"type": "label", "value": "x"}


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (None, ("root", "wrong_type")),
        ({"value": "x"}, ("root", "wrong_type")),
        ({**LABEL, "colour": "red"}, ("root.colour", "unknown_field")),
        ({**LABEL, "value": 7}, ("root.value", "wrong_type")),
        ({"type": "label"}, ("root.value", "missing_field")),
        ({**LABEL, "width": {"bind": "w"}}, ("root.width", "not_bindable")),
        ({**LABEL, "visible": "yes"}, ("root.visible", "wrong_type")),
        ({**LABEL, "foreground_color": {"r": 1, "g": 2, "b": 300}}, ("root.foreground_color", "wrong_type")),
        ({"type": "progress", "value": 1.5}, ("root.value", "wrong_type")),
        ({"type": "progress", "value": float("nan")}, ("root.value", "wrong_type")),
        ({"type": "row", "children": {}}, ("root.children[0]", "wrong_type")),
        ({"type": "label", "value": "x", "children": []}, ("root.children", "unknown_field")),
        ({"type": "list", "row_count": 1, "row_template": [LABEL]}, ("root.row_template[0]", "wrong_type")),
        ({"type": "list", "row_count": 1, "row_template": []}, ("root.row_template", "wrong_type")),
        ({**LABEL, "draw_list": [{"type": 9}]}, ("root.draw_list[0]", "unknown_element")),
        ({**LABEL, "draw_list": [{"type": 2}]}, ("root.draw_list[0].rect", "missing_field")),
        ({**LABEL, "draw_list": [{"type": 0, "points": [1, 2, 3]}]}, ("root.draw_list[0].points", "wrong_type")),
        ({"type": "chart", "value": [7]}, ("root.value[0]", "wrong_type")),
        (
            {"type": "row", "children": [{**LABEL, "id": "a"}, {**LABEL, "id": "a"}]},
            ("root.children[1].id", "repeated_id"),
        ),
    ],
)
def test_what_is_wrong_has_a_path_and_a_code(root: object, expected: tuple[str, str]) -> None:
    assert codes(root) == [expected]


def test_a_window_needs_a_version_a_title_and_a_place() -> None:
    assert {problem.path for problem in problems({"root": LABEL})} == {
        "window.version",
        "window.title",
        "window.geometry",
    }
    assert [problem.path for problem in problems(7)] == ["window"]
    assert [problem.path for problem in problems({**window(LABEL), "version": 2})] == ["window.version"]


def test_a_bound_value_has_to_be_there_and_of_the_right_kind() -> None:
    root = {"type": "check", "label": {"bind": "name"}, "value": {"bind": "ticked"}}
    assert codes(root, {"name": "Hold", "ticked": True}) == []
    assert codes(root, {"name": "Hold"}) == [("root.value", "unknown_bind")]
    assert codes(root, {"name": "Hold", "ticked": 1}) == [("root.value", "wrong_type")]


def test_in_the_rows_of_a_list_a_bound_value_is_a_list() -> None:
    cell = [{"type": "label", "value": {"bind": "names"}}, 100.0, True]
    root = {"type": "list", "row_count": {"bind": "count"}, "row_template": [cell]}
    assert codes(root, {"names": ["Ann", "Bo"], "count": 2}) == []
    assert codes(root, {"names": ["Ann", 7], "count": 2}) == [("root.row_template[0][0].value", "wrong_type")]


def test_a_window_that_is_too_deep_or_too_large_is_refused() -> None:
    deep: dict[str, Any] = {**LABEL}
    for _ in range(60):
        deep = {"type": "col", "children": [deep]}
    assert codes(deep)[0][1] == "too_large"
    assert codes({"type": "col", "children": [LABEL] * 6000})[0][1] == "too_large"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*ELEMENTS, "id", "bind"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "value", "label", "children", "draw_list", "bind", "id"]), inner)
    ),
    max_leaves=15,
)


@settings(max_examples=60, deadline=None)
@given(root=values)
def test_any_value_can_be_checked(root: object) -> None:
    assert isinstance(problems(window(root), {}), list)
