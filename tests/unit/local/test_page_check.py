"""The check of the page's scripts: what it finds, and what it says where it can't run."""

from __future__ import annotations

from pathlib import Path

import pytest

import local.page_check
from local.page_check import PAGE, REQUIRED, main


@pytest.fixture
def no_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Node.js."""
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("no_node")
@pytest.mark.parametrize(("required", "code"), [("", 0), ("1", 1)])
def test_without_node_it_says_what_it_left_out_and_fails_where_node_is_required(
    required: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(REQUIRED, required)
    assert main([]) == code
    assert "The scripts of the page are not checked: Node.js 18" in capsys.readouterr().err


@pytest.mark.usefixtures("no_node")
@pytest.mark.parametrize(
    ("path", "is_checked"),
    [(PAGE / "main.js", True), (PAGE, True), (PAGE.parents[2], True), (Path(__file__), False)],
)
def test_it_checks_the_page_if_the_paths_concern_it(
    path: Path, is_checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REQUIRED, "1")
    assert main([str(path)]) == int(is_checked)


def test_a_fault_of_either_tool_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tools:
        commands = (["true"], ["false"], ["true"])

        def make_ready(self) -> None: ...

    monkeypatch.setattr(local.page_check, "PageTools", Tools)
    monkeypatch.setattr(local.page_check, "find_node", lambda: "env")
    assert main([]) == 1
