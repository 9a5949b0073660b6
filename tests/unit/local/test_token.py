"""`dev.py token` makes tokens for roles that the app has."""

from __future__ import annotations

from pathlib import Path

import pytest

from local.token import main


def test_a_role_that_the_app_does_not_have_is_refused_and_the_roles_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path), "--as", "Ada", "--role", "Reviewer"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "there is no role 'Reviewer'" in printed.err
    assert "Report.Reviewer" in printed.err


def test_its_help_names_the_command_that_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "usage: dev.py token" in capsys.readouterr().out


def test_a_role_of_the_app_is_in_the_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path), "--as", "Ada", "--role", "Auditor"]) == 0
    assert capsys.readouterr().out.count(".") == 2


def test_a_folder_that_is_not_there_is_a_slip_and_no_key_is_made_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slip = tmp_path / "slip"
    assert main(["--data", str(slip), "--as", "Ada", "--role", "Auditor"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"the folder {slip} does not exist" in printed.err
    assert not slip.exists()
