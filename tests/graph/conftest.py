"""A home for graphs in a folder of the test's own, with people who can prove who they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.errors import Refusal
from countersign.approvals.person import Person
from countersign.graph.checkpoint_stores import CheckpointStores, StoreChoice, StoreKind
from countersign.graph.cli import main
from countersign.graph.engine import Engine, Listener, deaf
from countersign.graph.rest import Rest
from countersign.operations.repository import Changed
from countersign.reports.report_bodies import ReportDecisionBody, ReportRequestBody
from countersign.services import Services
from countersign.wiring import services
from devhost.identity.tokens import Tokens
from local.graph import settings
from testbed.signing import lend_key

ROOT = Path(__file__).parent.parent.parent
TENANT = "home"


def person(name: str, *roles: str, tenant: str = TENANT) -> Person:
    return Person(id=name.lower(), name=name, tenant=tenant, roles=frozenset(roles))


@dataclass
class Home:
    """A folder with all that graphs keep, as one process after another sees it."""

    data: Path
    environment: dict[str, str]

    tenant = TENANT
    rita = person("Rita", "Research.Requester")
    victor = person("Victor", "Report.Reviewer")
    wanda = person("Wanda", "Report.Reviewer")

    @property
    def app(self) -> Services:
        return services()

    @property
    def folder(self) -> Path:
        """Below it are the checkpoints."""
        return self.app.settings.data / "graph"

    def engine(self, kind: StoreKind = "json", listener: Listener = deaf) -> Engine:
        """An engine as a new process would have it: with nothing in memory."""
        choice = StoreChoice(kind=kind)
        return Engine(self.app, CheckpointStores(choice, self.folder, self.app.artifacts), listener)

    def token(self, name: str, *roles: str, tenant: str = TENANT) -> str:
        """What proves that somebody is the `person` of this name."""
        tokens = Tokens(self.data, lambda: datetime.now(timezone.utc))
        return tokens.token(name=name, roles=roles, tenant=tenant, subject=name.lower())

    def files(self, operation_id: str) -> list[Path]:
        """The files of an operation's checkpoints."""
        return sorted(self.folder.glob(f"*/{operation_id}/*.json"))

    def reports(self) -> list[Path]:
        return sorted(self.app.settings.data.glob("reports/*/*.md"))

    async def history(self, operation_id: str) -> list[tuple[str, dict[str, Any]]]:
        rows = await self.app.operations.ledger.read(TENANT, operation_id)
        return [(row.type, dict(row.data)) for row in rows]

    def run_python(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """A process of its own, on the same folder, with `more` in its environment."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=90,
        )

    @staticmethod
    def person(name: str, *roles: str) -> Person:
        """Somebody of this tenant."""
        return person(name, *roles)

    @staticmethod
    def research(**more: Any) -> ReportRequestBody:
        """A request for a report."""
        return research(**more)

    async def begun(self, kind: StoreKind = "json", **more: Any) -> Rest:
        """An operation whose first version waits for a decision."""
        engine = self.engine(kind)
        operation = await engine.start(self.rita, research(**more))
        rest = await engine.run(TENANT, operation.id)
        assert rest.question is not None
        return rest

    async def decide(
        self, rest: Rest, decision: str = "approve", by: Person | None = None, **more: Any
    ) -> Changed | Refusal:
        """Record a decision about the version that a graph rests at."""
        assert rest.question is not None
        if decision == "reject":
            more.setdefault("comment", "No.")
        decided = {"decision": decision, "digest": rest.question["digest"], **more}
        return await self.engine().decide(
            by or self.victor,
            rest.operation.id,
            rest.question["version"],
            ReportDecisionBody.model_validate(decided),
        )


def research(
    topic: str = "How durable execution survives crashes", **more: Any
) -> ReportRequestBody:
    return ReportRequestBody.model_validate(
        {"topic": topic, "subtopics": [topic], "approval": {}, **more}
    )


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    data = tmp_path / "data"
    data.mkdir()
    lend_key(data)
    system = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "HOME") if key in os.environ}
    system["COUNTERSIGN_SHORTEST_WINDOW_SECONDS"] = "1"
    environment = settings({"PYTHONPATH": str(ROOT), **system}, data)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield Home(data, environment)
    services.cache_clear()


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
    code, rest, _ = graph(
        "run", "How durable execution survives crashes", "--subtopic", "Replay", "--token", token
    )
    assert code == 0
    return rest
