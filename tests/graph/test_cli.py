"""The graph at a terminal, as a person uses it."""

from __future__ import annotations

import getpass
import io
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from countersign.graph.cli import INTERRUPTED, main
from countersign.graph.options import reader
from countersign.graph.progress import ProgressLines
from countersign.wiring import services
from local.graph import settings

TOPIC = "How durable execution survives crashes"


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
        (("Nobody",), "--approve", 1, "not_authorised: This requires the role Report.Reviewer."),
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
    assert answered == code
    assert (printed["error"]["exit_code"], printed["error"]["detail"]) == (code, error.strip())
    assert says in error
    assert "Traceback" not in error
    assert graph("show", asked["operation_id"], "--tenant", "home")[1] == asked


def test_an_approval_that_takes_a_passkey_is_refused_and_a_rejection_is_not(
    home: Any, graph: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_PASSKEYS_REQUIRED", "Report.Reviewer")
    monkeypatch.setenv("COUNTERSIGN_PUBLIC_URL", "http://localhost:7071")
    rita, victor = (
        home.token("Rita", "Research.Requester"),
        home.token("Victor", "Report.Reviewer"),
    )
    asked = graph("run", TOPIC, "--subtopic", "Replay", "--token", rita)[1]
    decide = ["answer", asked["operation_id"], "--digest", asked["digest"], "--token", victor]
    code, printed, error = graph(*decide, "--approve")
    assert (code, printed["error"]["code"]) == (1, "passkey_required")
    assert "has to be signed with one of your passkeys, on the review page." in error
    assert graph("show", asked["operation_id"], "--tenant", "home")[1] == asked
    assert graph(*decide, "--reject", "--comment", "No.")[1]["state"] == "rejected"


def test_a_second_person_is_told_who_decided_what(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    decide = ["answer", asked["operation_id"], "--digest", asked["digest"], "--token"]
    reject = ["--reject", "--comment", "No."]
    assert graph(*decide, home.token("Victor", "Report.Reviewer"), *reject)[0] == 0
    code, _, error = graph(*decide, home.token("Wanda", "Report.Reviewer"), "--approve")
    assert code == 1
    assert "already_decided: Victor rejected this version at " in error


def test_a_reviewers_own_text_becomes_the_next_version(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], tmp_path: Any
) -> None:
    text = tmp_path / "own.md"
    text.write_text("# Mine\n", "utf-8")
    decide = ["answer", asked["operation_id"], "--revise", "--text", str(text)]
    token = home.token("Victor", "Report.Reviewer")
    rest = graph(*decide, "--digest", asked["digest"], "--token", token)[1]
    assert (rest["version"], rest["state"]) == (2, "awaiting_approval")


def test_the_mark_that_windows_editors_begin_a_text_with_is_no_part_of_it(tmp_path: Path) -> None:
    text = tmp_path / "own.md"
    text.write_text("# Mine\n", "utf-8-sig")
    command = ["answer", "research-0", "--revise", "--digest", "0", "--text", str(text)]
    assert reader().parse_args(command).text == "# Mine\n"


def test_who_answers_after_the_deadline_is_told_and_the_next_role_is_asked(
    home: Any, graph: Callable[..., Any]
) -> None:
    run = ["run", TOPIC, "--subtopic", "Replay", "--window", "1", "--token"]
    asked = graph(*run, home.token("Rita", "Research.Requester"))[1]
    deadline = datetime.fromisoformat(asked["expires_at"])
    while datetime.now(timezone.utc) < deadline:
        time.sleep(0.05)
    decide = ["answer", asked["operation_id"], "--approve", "--digest", asked["digest"]]
    code, _, error = graph(*decide, "--token", home.token("Victor", "Report.Reviewer"))
    assert code == 1
    assert "expired: " in error
    shown = graph("show", asked["operation_id"], "--tenant", "home")[1]
    assert (shown["version"], shown["required_role"]) == (2, "Report.Escalation")


def test_a_request_is_withdrawn_by_its_requester_alone(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    take_back = ["withdraw", asked["operation_id"], "--token"]
    assert graph(*take_back, home.token("Victor", "Report.Reviewer"))[0] == 1
    assert graph(*take_back, home.token("Rita"))[1]["state"] == "withdrawn"


def test_wrong_usage_a_missing_role_and_an_unknown_operation_have_codes_of_their_own(
    home: Any, graph: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as wrong:
        graph("answer", "x")
    assert wrong.value.code == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage"
    token = home.token("Victor", "Report.Reviewer")
    rita = home.token("Rita", "Research.Requester")
    for command, code, name in [
        (["run", TOPIC, "--token", token], 1, "not_authorised"),
        (["run", "", "--token", rita], 2, "malformed"),
        (["resume", "research-0", "--tenant", "home"], 4, "unknown_operation"),
        (["history", "research-0", "--tenant", "home"], 4, "unknown_operation"),
        (["proof", "research-0", "--tenant", "home"], 4, "unknown_operation"),
        (["list"], 3, "unauthenticated"),
    ]:
        exit_code, printed, _ = graph(*command)
        assert (exit_code, printed["error"]["code"]) == (code, name), command
        assert printed["error"]["exit_code"] == code


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


def test_a_question_that_somebody_else_settled_meanwhile_is_not_put_again(
    home: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: Iterator[str] = iter(["approve", "", "leave"])
    victor = home.token("Victor", "Report.Reviewer")
    wanda = home.token("Wanda", "Report.Reviewer")

    def elsewhere(*arguments: str) -> Any:
        done = home.run_python("-m", "countersign.graph", "--json", *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def decided_elsewhere(_: str) -> str:
        [row] = elsewhere("list", "--tenant", "home")
        shown = elsewhere("show", row["operation_id"], "--tenant", "home")
        reject = ["answer", row["operation_id"], "--reject", "--digest", shown["digest"]]
        reject += ["--comment", "No."]
        assert elsewhere(*reject, "--token", wanda)["state"] == "rejected"
        return victor

    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    monkeypatch.setattr(getpass, "getpass", decided_elsewhere)
    asking = ["run", TOPIC, "--subtopic", "Replay", "--ask", "--token"]
    services.cache_clear()
    assert main([*asking, home.token("Rita", "Research.Requester")]) == 0
    printed = capsys.readouterr()
    assert "Wanda rejected this version" in printed.err
    assert list(typed) == ["leave"]


def test_ctrl_c_ends_the_typing_at_once(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on: list[str] = []

    def interrupted(prompt: str) -> str:
        signal.raise_signal(signal.SIGINT)
        went_on.append(prompt)
        return ""

    monkeypatch.setattr("builtins.input", interrupted)
    token = home.token("Rita", "Research.Requester")
    services.cache_clear()
    assert main(["run", TOPIC, "--subtopic", "Replay", "--ask", "--token", token]) == INTERRUPTED
    assert went_on == []


def test_where_nobody_types_a_token_nobody_decides(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: Iterator[str] = iter(["approve", "", "leave"])

    def ended(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    monkeypatch.setattr(getpass, "getpass", ended)
    services.cache_clear()
    token = home.token("Rita", "Research.Requester")
    assert main(["run", TOPIC, "--subtopic", "Replay", "--ask", "--token", token]) == 0
    assert home.reports() == []


def test_what_a_stream_has_no_character_for_is_escaped(home: Any) -> None:
    command = ["-m", "countersign.graph"]
    token = home.token("Rita", "Research.Requester")
    begun = home.run_python(
        *command, "run", "Zwölf", "--subtopic", TOPIC, "--token", token, PYTHONIOENCODING="ascii"
    )
    assert begun.returncode == 0, begun.stderr
    assert "Zw\\xf6lf" in begun.stdout
    listed = home.run_python(*command, "list", "--tenant", "home", PYTHONIOENCODING="utf-8")
    assert listed.returncode == 0, listed.stderr


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["run", TOPIC, "--library", "nowhere"], "nowhere is not a folder"),
        (["resume", "research-0", "--library", "nowhere"], "nowhere is not a folder"),
        (
            ["answer", "research-0", "--revise", "--digest", "0", "--text", "nowhere.md"],
            "nowhere.md cannot be read",
        ),
        (["list", "--state", "lost"], "invalid choice: 'lost'"),
    ],
)
def test_what_is_not_there_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], command: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as wrong:
        main(command)
    assert wrong.value.code == 2
    assert says in capsys.readouterr().err


def test_the_library_that_is_named_is_what_is_researched(
    home: Any, graph: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_LIBRARY", str(tmp_path / "another"))
    notes = tmp_path / "notes"
    notes.mkdir()
    text = "The lantern is kept in the lantern archive. Every lantern has a number of its own."
    (notes / "lantern.md").write_text(f"# About the lantern\n\n{text}\n", "utf-8")
    token = home.token("Rita", "Research.Requester")
    rest = graph("run", "The lantern", "--library", str(notes), "--token", token)[1]
    assert rest["state"] == "awaiting_approval"
    services.cache_clear()
    assert main(["show", rest["operation_id"], "--tenant", "home"]) == 0


def test_a_reason_that_would_hide_something_is_refused(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    take_back = ["withdraw", asked["operation_id"], "--token", home.token("Rita")]
    code, _, error = graph(*take_back, "--comment", "\x1b[2Jgone")
    assert code == 2
    assert "reason" in error
    assert graph("show", asked["operation_id"], "--tenant", "home")[1] == asked


def test_the_keys_file_is_left_alone_where_it_is_right(home: Any) -> None:
    keys = home.data / "devhost" / "keys.json"
    os.utime(keys, (1, 1))
    settings({}, home.data)
    assert keys.stat().st_mtime == 1
    keys.write_text("{", "utf-8")
    settings({}, home.data)
    assert json.loads(keys.read_text("utf-8"))["keys"]


class Screen(io.StringIO):
    """A terminal that remembers all that was written."""

    def isatty(self) -> bool:
        return True


async def test_a_terminal_shows_the_stages_and_leaves_the_cursor_on_a_line_of_its_own(
    home: Any,
) -> None:
    screen = Screen()
    engine = home.engine(listener=ProgressLines(screen))
    operation = await engine.start(home.rita, home.research())
    await engine.run(home.tenant, operation.id)
    lines = screen.getvalue().split("\n")
    assert lines[0] == "… planning"
    assert lines[-2:] == ["… proposing the version", ""]
    assert any(line.endswith("6 of 6 researchers done") for line in lines)


def test_keys_in_a_file_that_others_can_write_prove_nobody(
    home: Any, graph: Callable[..., Any]
) -> None:
    keys = home.data / "devhost" / "keys.json"
    keys.chmod(0o666)
    code, _, error = graph("list", "--token", home.token("Victor"))
    assert code == 3
    assert "keys are unavailable" in error
