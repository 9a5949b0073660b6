from __future__ import annotations

import pytest

from endpoints.problems import Problem


@pytest.mark.parametrize("code", ["busy", "keys_unavailable", "store_unavailable"])
def test_what_passes_says_when_to_try_again(code: str) -> None:
    response = Problem(code, "Later.").response()
    assert 1 <= int(response.headers["Retry-After"]) <= 60


@pytest.mark.parametrize("code", ["not_configured", "not_found"])
def test_what_does_not_pass_asks_nobody_to_try_again(code: str) -> None:
    assert "Retry-After" not in Problem(code, "No.").response().headers
