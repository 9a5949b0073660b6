"""What the commands tell of an operation: its deadline, who is missing, its ledger, its proof."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from countersign.graph.cli import main
from countersign.graph.errors import TurnTaken
from countersign.graph.turn import turn, turn_within
from countersign.graph.workflow import workflow_name
from countersign.proof.bundle import read_document
from countersign.proof.keys import ProofKey
from countersign.proof.verify import main as verify
from countersign.wiring import services


def read_at(moment: Any, *arguments: str, capsys: pytest.CaptureFixture[str]) -> Any:
    """What a command prints at a moment of the clock."""
    services.cache_clear()
    app = services()
    object.__setattr__(app, "clock", lambda: moment)
    assert main(["--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_version_is_shown_and_listed_as_expired_from_its_deadline_on(
    home: Any, asked: dict[str, Any], capsys: pytest.CaptureFixture[str], moment: Any
) -> None:
    listed = ["list", "--tenant", "home"]
    for at, state in [(moment - timedelta(seconds=1), "awaiting_approval"), (moment, "expired")]:
        shown = read_at(at, "show", asked["operation_id"], "--tenant", "home", capsys=capsys)
        [row] = read_at(at, *listed, capsys=capsys)
        assert (shown["state"], row["state"]) == (state, state)
        assert read_at(at, *listed, "--state", state, capsys=capsys) == [row]
        other = {"expired": "awaiting_approval"}.get(state, "expired")
        assert read_at(at, *listed, "--state", other, capsys=capsys) == []
    assert shown["next"].endswith(f"resume {asked['operation_id']} asks Report.Escalation")


@pytest.fixture
def moment(home: Any, asked: dict[str, Any]) -> Any:
    """The deadline of the version that waits."""

    return datetime.fromisoformat(asked["expires_at"])


def test_it_is_told_what_is_asked_and_who_still_has_to_approve(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked["still_to_approve"] == "1 person as Report.Reviewer"
    assert asked["text"].startswith("#")
    assert asked["evidence_summary"]["used"] > 0
    assert main(["show", asked["operation_id"], "--tenant", "home"]) == 0
    shown = capsys.readouterr().out
    assert "still_to_approve 1 person as Report.Reviewer\n" in shown
    assert shown.count(asked["text"]) == 1
    assert "{" not in shown.partition("\n\n")[0]


def test_a_receipt_is_told_in_words(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    approve = ["answer", asked["operation_id"], "--approve", "--digest", asked["digest"]]
    assert graph(*approve, "--token", home.token("Victor", "Report.Reviewer"))[0] == 0
    services.cache_clear()
    assert main(["show", asked["operation_id"], "--tenant", "home"]) == 0
    [receipt] = [
        line for line in capsys.readouterr().out.split("\n") if line.startswith("receipt ")
    ]
    assert f"home/{asked['operation_id']}.md (" in receipt
    assert "{" not in receipt


async def test_a_named_checkpoint_is_gone_on_from(home: Any, graph: Callable[..., Any]) -> None:
    rest = await home.begun()
    store = home.engine().stores.of(home.tenant, rest.operation.id)
    [first, *_] = await store.list_checkpoint_ids(workflow_name=workflow_name(rest.operation.id))
    command = ["-m", "countersign.graph", "--json", "resume", rest.operation.id]
    done = home.run_python(*command, "--checkpoint", first, "--tenant", "home")
    assert (done.returncode, json.loads(done.stdout)["version"]) == (0, 1), done.stderr
    wrong = home.run_python(
        "-m",
        "countersign.graph",
        "resume",
        rest.operation.id,
        "--checkpoint",
        "0",
        "--tenant",
        "home",
    )
    assert (wrong.returncode, "is not a checkpoint of" in wrong.stderr) == (4, True)


def test_the_ledger_is_shown_and_its_proof_verified(
    home: Any,
    graph: Callable[..., Any],
    asked: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    operation_id = asked["operation_id"]
    approve = ["answer", operation_id, "--approve", "--digest", asked["digest"]]
    assert graph(*approve, "--token", home.token("Victor", "Report.Reviewer"))[0] == 0
    ledger = graph("history", operation_id, "--tenant", "home")[1]
    assert ledger["chain"] == "intact"
    names = [row["type"] for row in ledger["events"]]
    assert (names[0], names[-1]) == ("OperationStarted", "OperationClosed")
    file = tmp_path / "proof.json"
    assert graph("proof", operation_id, "--tenant", "home", "--output", str(file))[0] == 0
    verify([str(file)])
    printed = capsys.readouterr()
    assert "Victor" in printed.out, printed.err


def test_a_proof_on_standard_output_is_the_very_bytes_that_verify_takes(
    home: Any, asked: dict[str, Any], tmp_path: Path
) -> None:
    shown = home.run_python(
        "-m", "countersign.graph", "proof", asked["operation_id"], "--tenant", "home"
    )
    file = tmp_path / "proof.json"
    file.write_bytes(shown.stdout.encode())
    assert asked["operation_id"] in str(read_document(file.read_bytes()))


def test_who_has_used_what_they_may_is_refused_as_over_http(
    home: Any,
    graph: Callable[..., Any],
    asked: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COUNTERSIGN_OPEN_REQUESTS", "1")
    token = home.token("Rita", "Research.Requester")
    code, told, _ = graph("run", "Another topic", "--token", token)
    assert (code, told["error"]["code"]) == (1, "too_many_open")


async def test_a_second_process_is_told_that_another_one_works_on_it(home: Any) -> None:
    rest = await home.begun()
    folder = home.engine().stores.turns(home.tenant, rest.operation.id)
    resume = ["-m", "countersign.graph", "--json", "resume", rest.operation.id, "--tenant", "home"]
    with turn(folder, rest.operation.id):
        refused = home.run_python(*resume)
    assert refused.returncode == 4
    assert json.loads(refused.stdout)["error"]["code"] == "busy"
    assert f"is working on {rest.operation.id}; wait for it" in refused.stderr
    assert home.run_python(*resume).returncode == 0


async def test_whoever_waits_for_a_turn_lets_everything_else_go_on(tmp_path: Path) -> None:
    done = list[str]()

    async def wait() -> None:
        async with turn_within(60, tmp_path, "research-1"):
            done.append("turn")

    with turn(tmp_path, "research-1"):
        waiting = asyncio.create_task(wait())
        for _ in range(3):
            await asyncio.sleep(0)
        done.append("else")
    await waiting
    assert done == ["else", "turn"]


async def test_a_turn_is_waited_for_no_longer_than_was_said(tmp_path: Path) -> None:
    with turn(tmp_path, "research-1"), pytest.raises(TurnTaken, match="is working on research-1"):
        async with turn_within(0, tmp_path, "research-1"):
            pass


def test_the_key_that_a_command_prints_verifies_a_proof(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], tmp_path: Path
) -> None:
    key = graph("key")[1]["public_key"]
    file = tmp_path / "proof.json"
    assert main(["proof", asked["operation_id"], "--tenant", "home", "--output", str(file)]) == 0
    assert verify([str(file), "--key", key]) == 0
    assert verify([str(file), "--key", ProofKey(seed=bytes(32)).public.text]) == 1


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_who_retries_or_withdraws_what_has_ended_is_told_so_and_nothing_is_recorded(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], decision: str
) -> None:
    operation_id, rita = asked["operation_id"], home.token("Rita", "Research.Requester")
    answer = ["answer", operation_id, f"--{decision}", "--comment", "Noted."]
    victor = home.token("Victor", "Report.Reviewer")
    ended = graph(*answer, "--digest", asked["digest"], "--token", victor)[1]
    for command in ("retry", "withdraw"):
        code, told, error = graph(command, operation_id, "--token", rita)
        assert (code, told["error"]["code"]) == (1, "already_decided")
        assert "Recorded" not in error
    assert graph("show", operation_id, "--tenant", "home")[1] == ended


def test_what_is_withdrawn_twice_or_retried_without_need_says_that_nothing_was_recorded(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    rita = ["--token", home.token("Rita", "Research.Requester")]
    told = graph("retry", asked["operation_id"], *rita)
    assert (told[0], "Nothing to retry" in told[2]) == (0, True)
    told = graph("withdraw", asked["operation_id"], *rita)[2]
    assert "Recorded: Rita withdrew the request." in told
    code, shown, error = graph("withdraw", asked["operation_id"], *rita)
    assert (code, shown["state"]) == (0, "withdrawn")
    assert "The request was withdrawn before." in error
    assert "Recorded" not in error
