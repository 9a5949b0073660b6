"""The graph at a terminal, as a person uses it."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from countersign.graph.cli import main
from countersign.wiring import services

TOPIC = "How durable execution survives crashes"


@pytest.fixture
def graph(home: Any, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Runs a command as a process of its own would; returns its code and what it prints."""

    def run(*arguments: str) -> tuple[int, Any, str]:
        services.cache_clear()
        code = main(["--json", *arguments])
        printed = capsys.readouterr()
        return code, json.loads(printed.out) if printed.out else None, printed.err

    return run


@pytest.fixture
def asked(home: Any, graph: Callable[..., Any]) -> dict[str, Any]:
    """An operation that waits for a decision."""
    token = home.token("Rita", "Research.Requester")
    code, rest, _ = graph("run", TOPIC, "--subtopic", "Replay", "--token", token)
    assert code == 0
    return rest


def test_a_report_is_run_shown_listed_answered_and_published(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    token = home.token("Victor", "Report.Reviewer")
    assert graph("show", asked["operation_id"], "--tenant", "home")[1] == asked
    [row] = graph("list", "--token", token)[1]
    assert (row["operation_id"], row["state"]) == (asked["operation_id"], "awaiting_approval")
    decide = ["answer", asked["operation_id"], "--approve", "--digest", asked["digest"]]
    code, rest, progress = graph(*decide, "--token", token)
    assert (code, rest["state"]) == (0, "published")
    assert "saving the report" in progress
    assert rest["receipt"]["location"] == f"home/{asked['operation_id']}.md"
    assert graph("resume", asked["operation_id"], "--tenant", "home")[1]["state"] == "published"


@pytest.mark.parametrize(
    ("who", "option", "code", "says"),
    [
        (("Nobody",), "--approve", 1, "not_authorised: This needs the role Report.Reviewer."),
        (("Rita", "Report.Reviewer"), "--approve", 1, "own_request"),
        (("Olga", "Report.Reviewer", "elsewhere"), "--approve", 1, "not_found"),
        (("Victor", "Report.Reviewer"), "--revise", 1, "malformed: comment: say what to change"),
        (None, "--approve", 3, "the token is malformed."),
    ],
)
def test_what_the_rules_refuse_is_told_and_changes_nothing(
    home: Any,
    graph: Callable[..., Any],
    asked: dict[str, Any],
    who: tuple[str, ...] | None,
    option: str,
    code: int,
    says: str,
) -> None:
    name, *roles = who or ("",)
    tenant = "elsewhere" if "elsewhere" in roles else "home"
    proof = home.token(name, *roles, tenant=tenant) if who else "nonsense"
    decide = ["answer", asked["operation_id"], option, "--digest", asked["digest"]]
    answered, printed, error = graph(*decide, "--token", proof)
    assert (answered, printed) == (code, None)
    assert says in error
    assert "Traceback" not in error
    assert graph("show", asked["operation_id"], "--tenant", "home")[1] == asked


def test_a_second_person_is_told_who_decided_what(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    decide = ["answer", asked["operation_id"], "--digest", asked["digest"], "--token"]
    assert graph(*decide, home.token("Victor", "Report.Reviewer"), "--reject")[0] == 0
    code, _, error = graph(*decide, home.token("Wanda", "Report.Reviewer"), "--approve")
    assert code == 1
    assert "already_decided: Victor recorded reject at " in error


def test_a_reviewers_own_text_becomes_the_next_version(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], tmp_path: Any
) -> None:
    text = tmp_path / "own.md"
    text.write_text("# Mine\n", "utf-8")
    decide = ["answer", asked["operation_id"], "--revise", "--text", str(text)]
    token = home.token("Victor", "Report.Reviewer")
    rest = graph(*decide, "--digest", asked["digest"], "--token", token)[1]
    assert (rest["version"], rest["state"]) == (2, "awaiting_approval")


def test_a_request_is_withdrawn_by_its_requester_alone(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    take_back = ["withdraw", asked["operation_id"], "--token"]
    assert graph(*take_back, home.token("Victor", "Report.Reviewer"))[0] == 1
    assert graph(*take_back, home.token("Rita"))[1]["state"] == "withdrawn"


def test_wrong_usage_a_missing_role_and_an_unknown_operation_have_codes_of_their_own(
    home: Any, graph: Callable[..., Any]
) -> None:
    with pytest.raises(SystemExit) as wrong:
        graph("answer", "x")
    assert wrong.value.code == 2
    token = home.token("Victor", "Report.Reviewer")
    assert graph("run", TOPIC, "--token", token)[0] == 1
    assert graph("run", "", "--token", home.token("Rita", "Research.Requester"))[0] == 2
    assert graph("resume", "research-0", "--tenant", "home")[0] == 4
    assert graph("list")[0] == 3


def test_a_terminal_takes_decisions_until_it_has_ended_and_believes_only_tokens(
    home: Any, graph: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: Iterator[str] = iter(
        ["approve", "", "revise", "Shorter, please.", "approve", "I am Victor.", "approve", ""]
    )
    tokens: Iterator[str] = iter(
        [
            home.token("Rita", "Report.Reviewer"),  # it is her own request
            home.token("Victor", "Report.Reviewer"),
            "Victor",  # what somebody says they are
            home.token("Wanda", "Report.Reviewer"),
        ]
    )
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    monkeypatch.setattr(getpass, "getpass", lambda _: next(tokens))
    services.cache_clear()
    token = home.token("Rita", "Research.Requester")
    assert main(["run", TOPIC, "--subtopic", "Replay", "--ask", "--token", token]) == 0
    assert len(home.reports()) == 1
    assert list(typed) == list(tokens) == []


def test_keys_in_a_file_that_others_can_write_prove_nobody(
    home: Any, graph: Callable[..., Any]
) -> None:
    keys = home.data / "devhost" / "keys.json"
    keys.chmod(0o666)
    code, _, error = graph("list", "--token", home.token("Victor"))
    assert code == 3
    assert "keys can't be had" in error
