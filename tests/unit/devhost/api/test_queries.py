from __future__ import annotations

import pytest
from starlette.requests import Request

from devhost.api.queries import flag, instance_selection, json_text, seconds
from devhost.errors import BadRequest


def request(query: str) -> Request:
    return Request({"type": "http", "query_string": query.encode(), "headers": []})


@pytest.mark.parametrize(("top", "rows"), [("x", 100), ("1e3", 100), ("0", 1), ("7", 7)])
def test_a_page_has_the_usual_rows_unless_a_number_is_given(top: str, rows: int) -> None:
    assert instance_selection(request(f"top={top}")).top == rows


def test_a_number_of_rows_that_no_int_holds_counts_as_none() -> None:
    assert instance_selection(request(f"top={2**31 - 1}")).top == 2**31 - 1
    assert instance_selection(request(f"top={2**31}")).top == 100


@pytest.mark.parametrize("text", ["nonsense", "yesterday", "0001-01-01T00:00:00%2B05:00", ""])
def test_a_time_that_cannot_be_read_is_passed_over(text: str) -> None:
    assert instance_selection(request(f"createdTimeFrom={text}")).created_from is None


@pytest.mark.parametrize(
    ("text", "moment"),
    [("2026-11-30", "2026-11-30T00:00:00"), ("1-01-01T00:00:00.000000Z", "0001-01-01T00:00:00")],
)
def test_a_time_may_be_a_day_and_its_year_may_be_short(text: str, moment: str) -> None:
    selection = instance_selection(request(f"createdTimeFrom={text}"))
    assert selection.created_from == f"{moment}.0000000Z"


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("runtimeStatus=Failed,bogus", ["Failed"]),
        ("runtimeStatus=Failed&runtimeStatus=Pending", ["Failed", "Pending"]),
        ("runtimeStatus=bogus", []),
        ("runtimeStatus=failed", []),
    ],
)
def test_a_state_that_there_is_not_is_passed_over(text: str, statuses: list[str]) -> None:
    assert instance_selection(request(text)).statuses == statuses


@pytest.mark.parametrize(("text", "value"), [("TRUE", True), (" false ", False), ("because", True)])
def test_a_switch_that_cannot_be_read_is_as_usual(text: str, value: bool) -> None:
    assert flag(request(f"on={text}"), "on", usual=True) is value


@pytest.mark.parametrize(
    ("text", "value"), [("0.5", 0.5), ("soon", None), ("nan", None), ("", None)]
)
def test_a_duration_that_cannot_be_read_counts_as_none(text: str, value: float | None) -> None:
    assert seconds(request(f"timeout={text}"), "timeout") == value


def test_a_body_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(BadRequest, match="Invalid JSON content"):
        json_text(b"[" * 100_000 + b"]" * 100_000)
