"""What others wrote steers no terminal and forges no line of a log."""

from __future__ import annotations

import io
import logging

import pytest

from devhost.console import Console
from devhost.plain import plain
from devhost.time.clock import SystemClock
from devhost.worker.logs import PlainLines

CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"
"""Has many terminals put `evil` on the clipboard."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a line", "a line"),
        ("caf\u00e9 \u6771\u4eac \t.", "caf\u00e9 \u6771\u4eac \t."),
        (CLIPBOARD, "\\x1b]52;c;ZXZpbA==\\x07"),
        ("\x9b2J", "\\x9b2J"),  # the same as ESC [, in one character
        ("over\rwritten", "over\\x0dwritten"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("one\ntwo", "one\n    two"),
        ("one\r\ntwo", "one\n    two"),
        ("\ud800", "\\ud800"),
    ],
)
def test_controls_are_written_out_and_a_second_line_is_no_first_one(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_the_console_and_the_app_s_log_show_no_control(capsys: pytest.CaptureFixture[str]) -> None:
    Console(SystemClock()).line(f"order 7 Terminated: {CLIPBOARD}\n2026-01-01T00:00:00Z forged")
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainLines("%(levelname)s %(message)s"))
    record = logging.LogRecord("app", logging.INFO, "", 0, "path %s", (CLIPBOARD,), None)
    handler.emit(record)
    for shown in (capsys.readouterr().out, stream.getvalue()):
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert [
            line for line in shown.split("\n")[1:] if line and not line.startswith("    ")
        ] == []
