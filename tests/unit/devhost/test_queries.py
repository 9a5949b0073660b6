from __future__ import annotations

import pytest
from starlette.requests import Request

from devhost.errors import BadRequest
from devhost.queries import instance_selection, json_text


def request(query: str) -> Request:
    return Request({"type": "http", "query_string": query.encode(), "headers": []})


@pytest.mark.parametrize("top", ["nan", "inf", "-inf", "many"])
def test_a_page_has_a_number_of_rows(top: str) -> None:
    with pytest.raises(BadRequest, match="top must be a number"):
        instance_selection(request(f"top={top}"))


@pytest.mark.parametrize(("top", "rows"), [("1e30", 2**31 - 1), ("0", 1), ("7", 7)])
def test_a_page_has_as_many_rows_as_the_store_can_count(top: str, rows: int) -> None:
    assert instance_selection(request(f"top={top}")).top == rows


def test_a_time_before_all_times_is_refused() -> None:
    with pytest.raises(BadRequest, match="ISO 8601"):
        instance_selection(request("createdTimeFrom=0001-01-01T00:00:00%2B05:00"))


def test_a_body_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(BadRequest, match="nested too deeply"):
        json_text(b"[" * 100_000 + b"]" * 100_000)
