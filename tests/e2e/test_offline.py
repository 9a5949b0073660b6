"""In embedded mode nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

AUDITED = Path(__file__).parent / "audited"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def test_the_app_connects_to_nothing_beyond_loopback(
    make_host: Callable[..., Any], desk_at: Callable[[Any], Any], tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    desk = desk_at(make_host(app=AUDITED, AUDIT_FILE=str(calls)).start())
    operation = desk.ask()
    assert desk.decide(operation, desk.until_version(operation)).status_code == 200
    desk.until_state(operation, "published")
    hosts = set(calls.read_text("utf-8").splitlines())
    assert hosts
    assert hosts <= LOOPBACK
