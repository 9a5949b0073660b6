from __future__ import annotations

import io
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from devhost.__main__ import main, parser
from devhost.identity.tokens import Tokens
from devhost.state.folder import DataFolder

MOMENT = datetime(2026, 3, 1, 9, 30, tzinfo=timezone.utc)


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


@pytest.mark.parametrize("program", [False, True])
def test_a_token_that_is_printed_is_one_of_the_sign_in_at_the_time_of_the_host(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], program: bool
) -> None:
    DataFolder(tmp_path).clock.write_text(MOMENT.isoformat(), "utf-8")
    options = ["--as", "Ada", "--role", "Auditor", "--role", "Operator", "--tenant", "elsewhere"]
    options += ["--subject", "ada", "--lifetime", "90"] + ["--program"] * program
    assert main(["token", "--data", str(tmp_path), *options]) == 0
    issued = Tokens(tmp_path, lambda: MOMENT).token(
        name="Ada",
        roles=["Auditor", "Operator"],
        tenant="elsewhere",
        subject="ada",
        lifetime=90.0,
        program=program,
    )
    assert capsys.readouterr().out == f"{issued}\n"
