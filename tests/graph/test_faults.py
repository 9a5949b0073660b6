"""What keeps a graph from going on is told in a sentence, and nothing that was decided is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from countersign.graph.cli import UNHEARD, main
from countersign.graph.errors import AnotherLibrary, GraphStalled
from countersign.platform.environment import SettingsError
from countersign.stores.artifacts import DamagedArtifact
from countersign.stores.errors import StoreUnavailable
from countersign.wiring import services
from local.graph import settings

TOPIC = "How durable execution survives crashes"


@pytest.fixture
def approve(home: Any, asked: dict[str, Any]) -> list[str]:
    token = home.token("Victor", "Report.Reviewer")
    decide = ["answer", asked["operation_id"], "--approve", "--digest", asked["digest"]]
    return [*decide, "--token", token]


async def closings(home: Any, operation_id: str) -> list[str]:
    history = await home.history(operation_id)
    return [data["outcome"] for name, data in history if name == "OperationClosed"]


def test_a_destination_that_is_out_of_order_is_told_and_tried_again(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], approve: list[str]
) -> None:
    reports = home.app.settings.data / "reports"
    reports.write_text("in the way")
    again = ["resume", asked["operation_id"], "--tenant", "home"]
    for command in (approve, again, again):
        code, _, error = graph(*command)
        assert code == 4
        assert "the report folder: " in error
        assert f"resume {asked['operation_id']}" in error
        assert "Traceback" not in error
    reports.unlink()
    assert graph(*again)[1]["state"] == "published"
    assert graph(*again)[1]["state"] == "published"
    assert len(home.reports()) == 1


async def test_an_approved_text_that_cant_be_read_for_now_is_published_once_it_can(
    home: Any,
) -> None:
    rest = await home.begun()
    await home.decide(rest)
    [text] = home.app.settings.data.glob(f"artifacts/*/artifacts/*/{rest.question['content']}")
    whole = text.read_bytes()
    text.write_bytes(b"damaged")
    for _ in range(2):
        with pytest.raises(DamagedArtifact):
            await home.engine().resume(home.tenant, rest.operation.id)
    assert await closings(home, rest.operation.id) == []
    text.write_bytes(whole)
    done = await home.engine().resume(home.tenant, rest.operation.id)
    assert done.operation.closed.outcome == "published"
    assert len(home.reports()) == 1


async def test_an_approved_call_that_was_not_carried_out_closes_nothing(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await home.begun()
    await home.decide(rest)

    async def nothing(*_: Any) -> None:
        """Stand for an agent that answers without the call."""

    with monkeypatch.context() as ignoring:
        ignoring.setattr("countersign.graph.saving.Saving._save", nothing)
        with pytest.raises(GraphStalled, match="--afresh"):
            await home.engine().resume(home.tenant, rest.operation.id)
    assert await closings(home, rest.operation.id) == []
    done = await home.engine().run(home.tenant, rest.operation.id)
    assert done.operation.closed.outcome == "published"


async def test_a_store_that_fails_a_researcher_stops_the_graph_for_now(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = await home.engine().start(home.rita, home.research())

    async def locked(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("locked")

    with monkeypatch.context() as failing:
        failing.setattr("countersign.research.teamwork.Teamwork.research", locked)
        with pytest.raises(StoreUnavailable, match="locked"):
            await home.engine().run(home.tenant, operation.id)
    assert (await home.engine().resume(home.tenant, operation.id)).question


def test_a_decision_is_told_to_stand_before_what_is_wrong_with_a_checkpoint(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any], approve: list[str]
) -> None:
    operation_id = asked["operation_id"]
    home.files(operation_id)[-1].with_name("0.json").write_text("{}")
    code, shown, error = graph(*approve)
    assert code == 4
    recorded = "Recorded: Victor approved version 1."
    assert 0 <= error.index(recorded) < error.index("0.json")
    assert f"resume --afresh {operation_id}" in error
    assert shown["decided"].startswith("Victor approved version 1 at ")
    afresh = graph("resume", "--afresh", operation_id, "--tenant", "home")
    assert afresh[1]["state"] == "published"


def test_what_the_ledger_has_is_shown_whatever_became_of_the_checkpoints(
    home: Any, graph: Callable[..., Any], asked: dict[str, Any]
) -> None:
    folder = home.files(asked["operation_id"])[-1].parent
    show = ["show", asked["operation_id"], "--tenant", "home"]
    for file in folder.glob("*.json"):
        file.write_text("{")
    in_ledger = {**asked, "request_id": None}
    code, shown, error = graph(*show)
    assert shown.pop("error")["code"] == "checkpoint_unusable"
    assert (code, shown) == (4, in_ledger)
    assert "has changed since it was saved" in error
    home.folder.rename(home.folder.with_name("gone"))
    home.folder.write_text("no folder")
    code, shown, error = graph(*show)
    assert shown.pop("error")["code"] == "checkpoint_unusable"
    assert (code, shown) == (4, in_ledger)
    assert "has to be a folder" in error
    assert graph("list", "--tenant", "home")[0] == 0


async def test_research_goes_on_in_the_library_that_it_was_begun_in(
    home: Any, graph: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = await home.engine().start(home.rita, home.research())
    other = tmp_path / "other"
    monkeypatch.setenv("COUNTERSIGN_LIBRARY", str(other))
    services.cache_clear()
    with pytest.raises(AnotherLibrary, match="other is not a folder"):
        await home.engine().start(home.rita, home.research())
    other.mkdir()
    for go_on in (home.engine().run, home.engine().resume):
        with pytest.raises(AnotherLibrary, match=r"started with the library.*resume --library"):
            await go_on(home.tenant, operation.id)
    assert [name for name, _ in await home.history(operation.id)] == ["OperationStarted"]
    monkeypatch.delenv("COUNTERSIGN_LIBRARY")
    services.cache_clear()
    rest = await home.engine().resume(home.tenant, operation.id)
    await home.decide(rest)
    monkeypatch.setenv("COUNTERSIGN_LIBRARY", str(other))
    services.cache_clear()
    done = await home.engine().resume(home.tenant, operation.id)
    assert done.operation.closed.outcome == "published"


def test_an_empty_option_stands_for_nobody_and_nothing_else(
    home: Any, graph: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_TOKEN", home.token("Rita", "Research.Requester"))
    assert graph("list")[0] == 0
    assert graph("list", "--token", "")[0] == 3
    assert graph("list", "--token", " ")[0] == 3
    assert graph("list", "--tenant", "")[1] == []
    with pytest.raises(SystemExit):
        main(["run", TOPIC, "--library", ""])


def test_what_is_asked_at_the_terminal_is_kept_apart_from_the_json(
    home: Any, graph: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: Iterator[str] = iter(["reject", "", "reject", "No.", "leave"])
    victor = home.token("Victor", "Report.Reviewer")

    def answered(prompt: str) -> str:
        sys.stdout.write(prompt)
        return next(typed)

    monkeypatch.setattr("builtins.input", answered)
    monkeypatch.setattr("getpass.getpass", lambda _: victor)
    run = ["run", TOPIC, "--subtopic", "Replay", "--ask"]
    code, rest, said = graph(*run, "--token", home.token("Rita", "Research.Requester"))
    assert (code, rest["state"]) == (0, "rejected")
    assert "Decide (approve" in said


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(("ending", "code"), [(">&-", 0), ("2>&-", 0), ("| true", UNHEARD)])
def test_nobody_has_to_read_what_is_printed(
    home: Any, asked: dict[str, Any], ending: str, code: int
) -> None:
    show = f"{sys.executable} -m countersign.graph show {asked['operation_id']} --tenant home"
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", f"{show} {ending}"],
        env=home.environment,
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.returncode == code, done.stderr
    assert done.stderr == ""


def test_keys_that_cant_be_used_are_named(
    home: Any, graph: Callable[..., Any], tmp_path: Path
) -> None:
    token = home.token("Victor")
    (home.data / "devhost" / "keys.json").write_text("{")
    code, _, error = graph("list", "--token", token)
    assert code == 3
    assert error.strip().endswith("devhost/keys.json.")
    private = tmp_path / "devhost" / "signin.pem"
    private.parent.mkdir()
    private.write_text("no key")
    with pytest.raises(SettingsError, match=r"signin\.pem contains no valid sign-in key"):
        settings({}, tmp_path)
