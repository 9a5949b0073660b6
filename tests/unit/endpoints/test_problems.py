from __future__ import annotations

import pytest

from endpoints.problems import Problem


@pytest.mark.parametrize("code", ["busy", "keys_unavailable", "store_unavailable"])
def test_what_passes_says_when_to_try_again(code: str) -> None:
    response = Problem(503, code, "Later.").response()
    assert 1 <= int(response.headers["Retry-After"]) <= 60


@pytest.mark.parametrize(("status", "code"), [(503, "not_configured"), (404, "not_found")])
def test_what_does_not_pass_asks_nobody_to_try_again(status: int, code: str) -> None:
    assert "Retry-After" not in Problem(status, code, "No.").response().headers
