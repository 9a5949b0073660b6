from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from countersign.platform.clock import CLOCK_FILE, ClockUnreadable, clock_from


def test_the_time_is_the_machines_unless_a_test_keeps_another() -> None:
    for environment in ({}, {CLOCK_FILE: ""}):
        now = clock_from(environment)()
        assert abs(now - datetime.now(timezone.utc)) < timedelta(minutes=1)
        assert now.utcoffset() == timedelta(0)


def test_a_kept_time_is_read_anew_each_time(tmp_path: Path) -> None:
    file = tmp_path / "clock.txt"
    clock = clock_from({CLOCK_FILE: str(file)})
    for text in ("2026-01-01T12:00:00+00:00", "2026-01-02T21:00:00.500000+09:00\n"):
        file.write_text(text)
        assert clock() == datetime.fromisoformat(text.strip())
        assert clock().utcoffset() == timedelta(0)


@pytest.mark.parametrize("content", [None, b"", b"noon", b"2026-01-01T12:00:00", b"\xff\xfe"])
def test_a_file_without_a_time_is_told(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "clock.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ClockUnreadable, match=CLOCK_FILE):
        clock_from({CLOCK_FILE: str(file)})()
