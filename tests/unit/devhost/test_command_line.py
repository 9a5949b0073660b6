from __future__ import annotations

import io
import sys

import pytest

from devhost.__main__ import parser


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("output", "followed"), [(Terminal(), True), (io.StringIO(), False)])
def test_changes_are_followed_in_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, output: io.StringIO, followed: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", output)
    assert parser().parse_args(["start"]).reload is followed
    assert parser().parse_args(["start", "--reload"]).reload is True
    assert parser().parse_args(["start", "--no-reload"]).reload is False
