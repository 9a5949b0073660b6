"""What takes long is never done on the loop, which all requests and activities share."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import questions, rules
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor, Person
from countersign.approvals.policy import Policy
from countersign.operations import proposing
from countersign.reports.report import ReportContent
from countersign.services import Services
from countersign.sources.documents import DocumentLibrary
from countersign.sources.folder import FolderLibrary
from countersign.steps.records import CheckWork, SubtopicWork, VersionWork, Work
from countersign.team.extractive import client
from countersign.team.folded import FoldedText
from countersign.wiring import services
from local.settings import complete

TOPIC = "Durable execution"
TEXT = "Durable execution survives a crash, because every step is recorded before it counts."
LONG = (
    (FolderLibrary, "titles"),
    (FolderLibrary, "search"),
    (FolderLibrary, "text"),
    (FolderLibrary, "source"),
    (DocumentLibrary, "__init__"),
    (DocumentLibrary, "titles"),
    (DocumentLibrary, "search"),
    (DocumentLibrary, "text"),
    (DocumentLibrary, "source"),
    (FoldedText, "__init__"),
    (client, "_reply"),  # all that the embedded model does
)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """On what threads each kind of long work was done, by its name."""
    seen: dict[str, set[str]] = defaultdict(set)

    def watch(owner: Any, name: str) -> None:
        work = getattr(owner, name)

        def watched(*args: Any, **options: Any) -> Any:
            seen[f"{owner.__name__}.{name}"].add(threading.current_thread().name)
            return work(*args, **options)

        monkeypatch.setattr(owner, name, watched)

    for owner, name in LONG:
        watch(owner, name)
    return seen


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    for name, value in complete({}, port=1, data=tmp_path).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield services()
    services.cache_clear()


@pytest.mark.parametrize("documents", [None, [{"title": "Notes", "text": TEXT}]])
async def test_nothing_of_the_teams_work_is_done_on_the_loop(
    app: Services, threads: dict[str, set[str]], documents: Any
) -> None:
    operation = await written(app, documents)
    await corrected(app, operation)
    question = await asked(app, operation)
    await app.questions.answer(await load(app), question)
    kind = "DocumentLibrary" if documents else "FolderLibrary"
    done = {f"{kind}.{name}" for name in ("titles", "search", "text", "source")}
    assert threads.keys() >= done | {"FoldedText.__init__", f"{client.__name__}._reply"}
    on = {thread.partition("_")[0] for where in threads.values() for thread in where}
    assert on <= {"research", "pages"}


async def written(app: Services, documents: Any) -> Operation:
    """Have a report written, to its first version."""
    request = {"topic": TOPIC, "subtopics": None, "documents": documents}
    event = OperationStarted(
        at=app.clock(),
        actor=Actor(id="rita", name="Rita"),
        kind="research",
        title=TOPIC,
        request=await app.artifacts.put("home", canonical(request)),
        policy=Policy(reviewer_role="Reviewer"),
    )
    await app.operations.start("home", "research-1", event)
    work = Work(tenant="home", operation_id="research-1")
    await app.team.plan(work)
    planned = await load(app)
    for number in range(len(planned.subtopics or ())):
        await app.team.research(SubtopicWork.of(work, round=0, subtopic=number))
    await app.team.check(CheckWork.of(work, round=0, last=False))
    await app.team.write(VersionWork.of(work, version=1))
    await proposing.open_version(app, VersionWork.of(work, version=1))
    return await load(app)


async def corrected(app: Services, operation: Operation) -> None:
    """Have a reviewer's own text opened as the next version."""
    own = ReportContent(title=TOPIC, text=TEXT).stored()
    assert operation.current
    decision = rules.Decide(
        reviewer=reviewer(),
        version=1,
        digest=operation.current.digest,
        decision="revise",
        correction=await app.artifacts.put("home", own),
    )
    await app.operations.change(
        "home", operation.id, lambda state, now: rules.decide(state, decision, now)
    )
    work = VersionWork(tenant="home", operation_id=operation.id, version=2)
    await proposing.open_version(app, work)


async def asked(app: Services, operation: Operation) -> Any:
    """Ask about the version that is open."""
    current = (await load(app)).current
    assert current
    ask = questions.Ask(reviewer=reviewer(), version=current.version, question=f"{TOPIC}?")
    await app.operations.change(
        "home", operation.id, lambda state, now: questions.ask(state, ask, now)
    )
    return (await load(app)).questions[-1]


async def load(app: Services) -> Operation:
    operation = await app.operations.load("home", "research-1")
    assert operation
    return operation


def reviewer() -> Person:
    return Person(id="victor", name="Victor", tenant="home", roles=frozenset({"Reviewer"}))
