"""Graphs run apart from each other, go on where they were, and believe the ledger alone."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from agent_framework import (
    Executor,
    FileCheckpointStorage,
    Workflow,
    WorkflowBuilder,
    WorkflowContext,
    WorkflowExecutor,
    handler,
)
from agent_framework.exceptions import WorkflowException

from countersign.approvals.errors import AlreadyDecided, OwnRequest
from countersign.approvals.person import Person
from countersign.graph import messages
from countersign.graph.answers import ring
from countersign.graph.checkpoint_files import CheckpointFiles
from countersign.graph.closing import Closing
from countersign.graph.errors import ChangedGraph, UnknownOperation
from countersign.graph.gate import ReportApprovalGate
from countersign.graph.settled import settled
from countersign.graph.workflow import create_workflow, workflow_name
from countersign.operations.repository import Changed


def documents(word: str) -> list[dict[str, str]]:
    text = f"The {word} is kept in the {word} archive. Every {word} has a number of its own."
    return [{"title": f"About the {word}", "text": text}]


def without_questions(value: Any) -> Any:
    """The JSON of a checkpoint without what its questions tell of a version."""
    if isinstance(value, list):
        return [without_questions(each) for each in value]
    if not isinstance(value, dict):
        return value
    told = {"text", "evidence_summary"} if value.get("question") == "approve" else set()
    return {key: without_questions(each) for key, each in value.items() if key not in told}


async def test_an_approved_version_is_published_once(home: Any) -> None:
    rest = await home.begun()
    assert rest.request_id == f"{rest.operation.id}-v1"
    assert set(rest.question) >= {"operation_id", "version", "digest", "content", "notes"}
    assert isinstance(await home.decide(rest), Changed)
    done = await home.engine().resume(home.tenant, rest.operation.id)
    assert done.operation.closed.outcome == "published"
    assert [file.stem for file in home.reports()] == [rest.operation.id]


async def test_checkpoints_have_no_text_of_a_report_but_what_its_question_shows(home: Any) -> None:
    rest = await home.begun()
    await home.decide(rest)
    await home.engine().resume(home.tenant, rest.operation.id)
    sentences = re.findall(r"[\w ]{40,}", home.reports()[0].read_text("utf-8"), re.ASCII)
    assert len(sentences) > 2
    for file in home.files(rest.operation.id):
        saved = json.dumps(without_questions(json.loads(file.read_text("utf-8"))))
        assert not [each for each in sentences if each in saved]


async def test_one_checkpoint_gone_on_from_twice_publishes_once(home: Any) -> None:
    rest = await home.begun()
    name = workflow_name(rest.operation.id)
    store = home.engine().stores.of(home.tenant, rest.operation.id)
    pause = (await store.get_latest(workflow_name=name)).checkpoint_id
    await home.decide(rest)
    for _ in range(2):
        again = await home.engine().resume(home.tenant, rest.operation.id, pause)
        assert again.operation.closed.outcome == "published"
    assert isinstance(await home.decide(rest), Changed)  # the same again gets the same receipt
    stands = await home.decide(rest, "reject", by=home.wanda)
    assert isinstance(stands, AlreadyDecided)
    assert (stands.by, stands.decision) == ("Victor", "approve")
    names = [each for each, _ in await home.history(rest.operation.id)]
    for once in ("DecisionRecorded", "WriteClaimed", "ReceiptRecorded"):
        assert names.count(once) == 1, once
    assert len(home.reports()) == 1


async def test_of_two_who_decide_at_once_one_counts(home: Any) -> None:
    rest = await home.begun()
    answers = await asyncio.gather(
        home.decide(rest, "approve"), home.decide(rest, "reject", by=home.wanda)
    )
    assert sorted(type(each).__name__ for each in answers) == ["AlreadyDecided", "Changed"]
    resumed = await asyncio.gather(
        *(home.engine().resume(home.tenant, rest.operation.id) for _ in range(2))
    )
    [outcome] = {each.operation.closed.outcome for each in resumed}
    [decided] = [
        data["decision"]
        for name, data in await home.history(rest.operation.id)
        if name == "DecisionRecorded"
    ]
    assert outcome == {"approve": "published", "reject": "rejected"}[decided]
    assert len(home.reports()) == (1 if decided == "approve" else 0)


@pytest.mark.parametrize(
    "answer",
    [
        {"decision": "approve"},  # a decision that nobody recorded
        {"approved": True},
        "yes",
        True,
        1,
        None,
        [],
        {"sequence": True},
        {"sequence": "3"},
        {"sequence": 0},
        {"sequence": 3, "approved": True},
        {"sequence": 3},  # a ring, and nothing in the ledger
        '{"sequence": 3}',
    ],
    ids=repr,
)
async def test_an_answer_that_the_ledger_does_not_back_is_asked_again(
    home: Any, answer: Any
) -> None:
    rest = await home.begun()
    before = await home.history(rest.operation.id)
    store = home.engine().stores.of(home.tenant, rest.operation.id)
    latest = await store.get_latest(workflow_name=workflow_name(rest.operation.id))
    workflow = create_workflow(home.app, rest.operation.id, store)
    result = await workflow.run(
        checkpoint_id=latest.checkpoint_id, responses={rest.request_id: answer}
    )
    [asked] = result.get_request_info_events()
    assert asked.request_id == f"{rest.request_id}-2"
    assert asked.data["digest"] == rest.question["digest"]
    assert await home.history(rest.operation.id) == before
    assert home.reports() == []


async def test_the_tools_own_question_is_answered_by_the_same_record_for_the_same_digest(
    home: Any,
) -> None:
    rest = await home.begun()
    await home.decide(rest)
    store = home.engine().stores.of(home.tenant, rest.operation.id)
    latest = await store.get_latest(workflow_name=workflow_name(rest.operation.id))
    workflow = create_workflow(home.app, rest.operation.id, store)
    result = await workflow.run(
        checkpoint_id=latest.checkpoint_id, responses={rest.request_id: ring(1)}
    )
    [second] = result.get_request_info_events()
    assert second.request_id == f"{rest.request_id}-save"
    assert second.data["tool"] == "write_report_file"
    assert second.data["digest"] == rest.question["digest"]
    for wrong in ({"approved": True}, True, ring(1)):
        result = await workflow.run(responses={second.request_id: wrong})
        [second] = result.get_request_info_events()
        assert home.reports() == []
    done = await home.engine().resume(home.tenant, rest.operation.id)
    assert done.operation.closed.outcome == "published"


async def test_a_tool_call_for_another_digest_is_not_approved(home: Any) -> None:
    rest = await home.begun()
    await home.decide(rest)
    asked = {"question": "save", "version": 1, "digest": "0" * 64}
    operation = await home.app.operations.load(home.tenant, rest.operation.id)
    assert await settled(home.app, operation, "id", asked) == {}


async def test_operations_at_once_in_one_folder_never_see_each_others_findings(home: Any) -> None:
    words = ["compass", "lantern", "sextant", "barometer"]
    paused = await asyncio.gather(
        *(home.begun(topic=f"The {word}", documents=documents(word)) for word in words)
    )
    for word, rest in zip(words, paused, strict=True):
        await home.decide(rest)
        await home.engine().resume(home.tenant, rest.operation.id)
        [report] = [file for file in home.reports() if file.stem == rest.operation.id]
        text = report.read_text("utf-8")
        assert word in text
        assert not any(other in text for other in words if other != word)


class Remembering(Executor):
    """An executor as people write them: it keeps what it found."""

    def __init__(self) -> None:
        super().__init__(id="remembering")
        self.found: list[str] = []

    @handler
    async def find(self, topic: str, ctx: WorkflowContext[Any, list[str]]) -> None:
        self.found.append(topic)
        await ctx.yield_output(list(self.found))


async def test_without_the_factory_one_runs_findings_are_in_the_others_report() -> None:
    shared = WorkflowBuilder(name="shared", start_executor=Remembering()).build()
    await shared.run("mine")
    assert (await shared.run("yours")).get_outputs() == [["mine", "yours"]]


async def test_without_the_factory_two_runs_at_once_are_refused_by_the_framework(
    home: Any,
) -> None:
    engine = home.engine()
    one, other = [await engine.start(home.rita, home.research()) for _ in range(2)]
    shared = create_workflow(home.app, one.id)
    running = shared.run(messages.beginning(home.tenant, one.id), stream=True)
    with pytest.raises(WorkflowException, match="already running"):
        shared.run(messages.beginning(home.tenant, other.id), stream=True)
    async for _ in running:
        pass


async def test_without_a_store_of_its_own_a_run_goes_on_from_anothers_pause(
    home: Any, tmp_path: Any
) -> None:
    storage = FileCheckpointStorage(tmp_path / "shared")
    engine = home.engine()
    operations = [await engine.start(home.rita, home.research()) for _ in range(2)]
    for operation in operations:
        graph = create_workflow(home.app, "everybodys", storage)
        await graph.run(messages.beginning(home.tenant, operation.id))
    latest = await storage.get_latest(workflow_name=workflow_name("everybodys"))
    assert latest
    assert list(latest.pending_request_info_events) == [f"{operations[1].id}-v1"]


async def test_a_changed_graph_is_refused_with_a_sentence_that_helps(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await home.begun()
    await home.decide(rest)
    with monkeypatch.context() as changed:
        changed.setattr("countersign.graph.workflow.LANES", 5)
        with pytest.raises(ChangedGraph, match=r"another version of the graph.*resume --afresh"):
            await home.engine().resume(home.tenant, rest.operation.id)
        afresh = await home.engine().run(home.tenant, rest.operation.id)
    assert afresh.operation.closed.outcome == "published"


async def test_nobody_decides_about_their_own_request(home: Any) -> None:
    rest = await home.begun()
    roles = frozenset({"Research.Requester", "Report.Reviewer"})
    both = Person(id="rita", name="Rita", tenant=home.tenant, roles=roles)
    assert await home.decide(rest, by=both) == OwnRequest()


async def test_what_is_unknown_or_another_tenants_can_not_be_gone_on_with(home: Any) -> None:
    rest = await home.begun()
    for tenant, name in [("elsewhere", rest.operation.id), (home.tenant, "research-0")]:
        with pytest.raises(UnknownOperation):
            await home.engine().resume(tenant, name)


async def test_sources_that_carry_nothing_end_as_needing_revision(home: Any) -> None:
    engine = home.engine()
    body = home.research(topic="Zebras", documents=[{"title": "Empty", "text": "Nothing here."}])
    operation = await engine.start(home.rita, body)
    rest = await engine.run(home.tenant, operation.id)
    assert rest.operation.closed.outcome == "needs_revision"


def nested(home: Any, storage: CheckpointFiles) -> Workflow:
    """A gate in a workflow inside of another."""
    gate, closing = ReportApprovalGate(home.app), Closing(home.app)
    inner = WorkflowBuilder(name="inner", start_executor=gate).add_edge(gate, closing).build()
    start = WorkflowExecutor(inner, id="nested", propagate_request=True)
    end = Collecting(id="collecting")
    outer = WorkflowBuilder(name="outer", start_executor=start, checkpoint_storage=storage)
    return outer.add_edge(start, end).build()


class Collecting(Executor):
    @handler
    async def collect(
        self, outcome: dict[str, Any], ctx: WorkflowContext[Any, dict[str, Any]]
    ) -> None:
        await ctx.yield_output(outcome)


async def test_a_gate_in_a_nested_workflow_is_answered_after_a_restart(
    home: Any, tmp_path: Any
) -> None:
    rest = await home.begun()
    given = {**messages.beginning(home.tenant, rest.operation.id), "version": 1}
    first = await nested(home, CheckpointFiles(tmp_path / "nested")).run(given)
    [asked] = first.get_request_info_events()
    assert (asked.request_id, asked.data) == (rest.request_id, dict(rest.question))
    await home.decide(rest, "reject")
    storage = CheckpointFiles(tmp_path / "nested")
    pause = await storage.get_latest(workflow_name="outer")
    assert pause
    assert list(pause.pending_request_info_events) == [rest.request_id]
    last = await nested(home, storage).run(
        checkpoint_id=pause.checkpoint_id, responses={rest.request_id: ring(1)}
    )
    [outcome] = last.get_outputs()
    assert outcome["outcome"] == "rejected"
    assert json.dumps(outcome)
