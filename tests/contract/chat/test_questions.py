"""What a model is told when a reviewer asks, and what is made of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import offering, questions
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor, Person
from countersign.approvals.policy import Policy
from countersign.operations.repository import Changed, Operations, Rule
from countersign.operations.workshop import Workshop
from countersign.reports.evidence import Claim, Evidence, SourceNote
from countersign.reports.report import ReportContent
from countersign.research.questions import UNQUOTED, UNSUPPORTED, Answer, Questions
from countersign.retrieval.choice import Choice
from countersign.sources.folder import FolderLibrary
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from countersign.team.calls import SECOND_CHANCES
from countersign.team.chat import ModelChoice
from countersign.team.errors import AccessRefused, BudgetSpent, NotInForm, ProviderFailed
from countersign.team.questions import read

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
HONEY = "Honey bees dance to tell each other where the flowers are."
FLIGHT = "They fly up to five kilometres from their hive."
REPORT = f"# Bees\n\n\u201c{HONEY}\u201d [1]\n"
EVIDENCE = Evidence(
    notes="Good.",
    claims=[
        Claim(
            claim="Bees dance.",
            quote=HONEY,
            source="doc-1",
            subtopic="Bees",
            found=True,
            supported=True,
            note="It says so.",
        )
    ],
    sources=[SourceNote(id="doc-1", title="On bees", url=None)],
)


class Hearing:
    """One version of a report on bees, and reviewers who ask a scripted model about it."""

    def __init__(self, folder: Path, url: str, token_limit: int = 100_000) -> None:
        file, artifacts = folder / "countersign.db", FolderArtifacts(folder / "artifacts")
        self.operations = Operations(SqliteLedger(file), SqliteIndex(file), lambda: NOON)
        workshop = Workshop(
            operations=self.operations,
            artifacts=artifacts,
            model=ModelChoice(
                provider="compatible", model="stub-model", base_url=url, api_key="k", retries=0
            ),
            token_limit=token_limit,
        )
        self.questions = Questions(
            workshop=workshop,
            choice=Choice(library=FolderLibrary(folder / "nowhere", folder / "library.db")),
        )

    async def begin(self) -> None:
        """Open the version."""
        put = self.questions.workshop.artifacts.put
        document = {"title": "On bees", "text": f"{HONEY} {FLIGHT}", "url": None}
        request = {"topic": "Bees", "subtopics": None, "documents": [document]}
        started = OperationStarted(
            at=NOON,
            actor=Actor(id="rita", name="Rita"),
            kind="research",
            title="Bees",
            request=await put("home", canonical(request)),
            policy=Policy(reviewer_role="Reviewer"),
        )
        await self.operations.start("home", "o-1", started)
        offer = offering.Open(
            version=1,
            digest="d",
            content=await put("home", ReportContent(title="Bees", text=REPORT).stored()),
            evidence=await put("home", EVIDENCE.stored()),
        )
        await self.change(lambda state, now: offering.open_proposal(state, offer, now))

    async def change(self, rule: Rule) -> Operation:
        changed = await self.operations.change("home", "o-1", rule)
        assert isinstance(changed, Changed)
        return changed.operation

    async def ask(self, question: str, by: str = "Ann") -> str:
        """Record a question; returns its id."""
        person = Person(id=by, name=by, tenant="home", roles=frozenset({"Reviewer"}))
        command = questions.Ask(reviewer=person, version=1, question=question)
        operation = await self.change(lambda state, now: questions.ask(state, command, now))
        return operation.questions[-1].id

    async def answer(self, question_id: str) -> str:
        """Have a question answered; returns the reference of the reply."""
        operation = await self.operations.load("home", "o-1")
        assert operation
        question = operation.question(question_id)
        assert question
        return await self.questions.answer(operation, question)

    async def answered(self, question: str, by: str = "Ann") -> Answer:
        """Ask, have it answered, and record that."""
        asked = await self.ask(question, by)
        reference = await self.answer(asked)
        await self.change(lambda state, now: questions.record_answer(state, asked, reference, now))
        return await self.questions.read("home", reference)


@pytest.fixture
async def hearing(tmp_path: Path, provider: Any) -> Hearing:
    heard = Hearing(tmp_path, provider.url)
    await heard.begin()
    return heard


def told(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The question that a request to the model puts."""
    [user] = [each for each in request["messages"] if each["role"] == "user"]
    return read(user["content"])[0]


async def test_the_model_is_told_what_the_version_rests_on_and_has_no_tools(
    hearing: Hearing, provider: Any
) -> None:
    provider.fills_in(answer="By dancing.", quotes=[])
    await hearing.answered("How do they tell?")
    [request] = provider.requests
    asked = told(request)
    assert (asked["question"], asked["topic"], asked["report"]) == (
        "How do they tell?",
        "Bees",
        REPORT,
    )
    [claim] = asked["claims"]
    assert (claim["quote"], claim["source"], claim["source_title"]) == (HONEY, "doc-1", "On bees")
    assert (claim["found"], claim["supported"]) == (True, True)
    assert asked["earlier"] == []
    assert "tools" not in request


async def test_what_is_looked_up_for_a_question_is_shown_once(
    hearing: Hearing, provider: Any
) -> None:
    quotes = [{"quote": HONEY, "source": "doc-1"}]
    provider.fills_in(answer="By dancing.", quotes=quotes, look_up=["wings", "far"])
    await hearing.answered("How do bees tell?")
    [only] = provider.requests
    assert HONEY in only["messages"][-1]["content"]
    # There is one document alone, and it was shown.
    assert told(only)["looked_up"] == ["How do bees tell?"]


async def test_a_conversation_goes_on_and_is_never_anothers(
    hearing: Hearing, provider: Any
) -> None:
    for answer in ("By dancing.", "Five kilometres.", "Bees, that is."):
        provider.fills_in(answer=answer, quotes=[{"quote": HONEY, "source": "doc-1"}])
    await hearing.answered("How do they tell?", "Ann")
    await hearing.answered("How far do they fly?", "Bob")
    await hearing.answered("Who are they?", "Ann")
    first, bobs, second = map(told, provider.requests)
    assert first["earlier"] == bobs["earlier"] == []
    assert second["earlier"] == [{"question": "How do they tell?", "answer": "By dancing."}]


async def test_every_quote_is_looked_up_in_the_source_it_names(
    hearing: Hearing, provider: Any
) -> None:
    quotes = [
        {"quote": FLIGHT, "source": "doc-1"},
        {"quote": "They fly up to fifty kilometres from their hive.", "source": "doc-1"},
        {"quote": FLIGHT, "source": "doc-2"},
    ]
    provider.fills_in(answer="Five kilometres.", quotes=quotes)
    reply = await hearing.answered("How far do they fly?")
    assert reply.answer == "Five kilometres."
    right, wrong, unknown = reply.quotes
    assert right.passage
    assert (right.passage.before.strip(), right.passage.quote) == (HONEY, FLIGHT)
    assert (wrong.passage, unknown.passage) == (None, None)
    assert right.source == wrong.source
    assert right.source
    assert (right.source.id, right.source.title, right.source.url) == ("doc-1", "On bees", None)
    assert right.source.origin
    assert (right.source.origin.kind, right.source.origin.by) == ("request", "Rita")
    assert unknown.source is None


async def test_an_answer_of_whose_quotes_none_stands_says_so(
    hearing: Hearing, provider: Any
) -> None:
    invented = [{"quote": "The model's own words, which stand nowhere.", "source": "doc-1"}]
    provider.fills_in(answer="Trust me.", quotes=invented)
    reply = await hearing.answered("How do they tell?")
    assert reply.answer == f"Trust me.\n\n{UNSUPPORTED}"


async def test_an_answer_without_a_quote_says_so(hearing: Hearing, provider: Any) -> None:
    provider.fills_in(answer="The sources don't say.", quotes=[])
    reply = await hearing.answered("How do they tell?")
    assert reply.answer == f"The sources don't say.\n\n{UNQUOTED}"


async def test_an_answer_that_is_stored_is_never_paid_for_again(
    hearing: Hearing, provider: Any
) -> None:
    provider.fills_in(answer="By dancing.", quotes=[])
    question = await hearing.ask("How do they tell?")
    reference = await hearing.answer(question)
    assert await hearing.answer(question) == reference
    assert len(provider.requests) == 1


async def test_an_answer_in_no_agreed_form_is_asked_for_a_few_times_and_costs_each_time(
    hearing: Hearing, provider: Any
) -> None:
    for _ in range(1 + SECOND_CHANCES):
        provider.fills_in(decision="approve")
    with pytest.raises(NotInForm):
        await hearing.answered("How do they tell?")
    operation = await hearing.operations.load("home", "o-1")
    assert operation
    assert operation.tokens == 120 * (1 + SECOND_CHANCES)
    assert operation.closed is None


@pytest.mark.parametrize(("status", "error"), [(401, AccessRefused), (503, ProviderFailed)])
async def test_a_fault_of_the_provider_is_told_without_its_words(
    hearing: Hearing, provider: Any, status: int, error: type[Exception]
) -> None:
    provider.fails(status)
    with pytest.raises(error) as caught:
        await hearing.answered("How do they tell?")
    assert "secret" not in str(caught.value)


async def test_a_budget_that_is_spent_stops_the_answer(tmp_path: Path, provider: Any) -> None:
    hearing = Hearing(tmp_path, provider.url, token_limit=100)
    await hearing.begin()
    provider.says("Let me think.")
    with pytest.raises(BudgetSpent):
        await hearing.answered("How far do they fly?")
