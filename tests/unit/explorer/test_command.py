"""What `dev.py explore` says, and what it refuses."""

from __future__ import annotations

import sys

import pytest

from testbed.explorer.__main__ import main


@pytest.mark.parametrize(
    "options",
    [["--seconds", "0"], ["--seconds", "-1"], ["--seconds", "nan"], ["--hours", "0"]],
    ids=" ".join,
)
def test_no_time_at_all_is_refused_in_a_sentence(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["explore", *options])
    assert main() == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "Exploring takes some time: --seconds and --hours are above 0.\n"


def test_one_world_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["explore", "--seed", "3", "--one"])
    assert main() == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first == "explores from --seed 3 on"
    assert last.startswith("1 world, ")
    assert " steps in " in last
    assert ", 0 with a broken promise. Operations ended as: " in last
    assert "{" not in last
