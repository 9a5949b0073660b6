"""A report on a tram line, made by the team with a scripted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from countersign.approvals import rules
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor, Person
from countersign.approvals.policy import Policy
from countersign.operations.attempts import Attempts
from countersign.operations.repository import Changed, Operations, Rule
from countersign.operations.workshop import Workshop
from countersign.reports.evidence import Evidence
from countersign.research.teamwork import Teamwork
from countersign.retrieval.choice import Choice
from countersign.sources.folder import FolderLibrary
from countersign.steps.records import CheckWork, SubtopicWork, VersionWork, Work
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from countersign.team.chat import ModelChoice
from countersign.team.questions import read
from testbed.chat_provider import Provider

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
WORK = Work(tenant="home", operation_id="o-1")
OPENED = "The tram line 12 was opened on 3 May 2024 by the mayor."
COSTS = "The line cost 264.5 million euros, of which the state paid 210 million."
STOPS = "Between the harbour and the fair the line has 17 stops."
DOCUMENTS = [
    {"title": "Opening", "text": OPENED, "url": None},
    {"title": "Costs", "text": COSTS, "url": None},
    {"title": "Stops", "text": STOPS, "url": None},
    {"title": "Fares", "text": "A ticket is sold for 3 euros.", "url": None},
]
ONE = {"claim": "The line was opened on 3 May 2024.", "quote": OPENED, "source": "doc-1"}
TWO = {"claim": "The state paid 210 million euros.", "quote": COSTS, "source": "doc-2"}
THREE = {"claim": "The line has 17 stops.", "quote": STOPS, "source": "doc-3"}

FARE = {
    "claim": "A ticket costs 3 euros.",
    "quote": "A ticket is sold for 3 euros.",
    "source": "doc-4",
}

REPORT = {
    "title": "Tram line 12",
    "summary": "The state paid 210 million euros [1].",
    "sections": [{"heading": "Costs", "body": "The state paid 210 million euros [1]."}],
    "note": "",
}
PROOF = {"verdicts": [{"line": number, "supported": True} for number in range(1, 6)]}
"""The same lines again are not proofread again."""


def verdict(claim: int, *, supported: bool = True) -> dict[str, Any]:
    return {"claim": claim, "supported": supported, "note": "So it says."}


class Team:
    """An operation on the tram line 12, with a scripted model."""

    def __init__(
        self,
        folder: Path,
        provider: Provider,
        subtopics: list[str],
        documents: Sequence[Mapping[str, Any]] = DOCUMENTS,
    ) -> None:
        self.documents = documents
        file = folder / "countersign.db"
        self.subtopics, self.provider = subtopics, provider
        self.operations = Operations(SqliteLedger(file), SqliteIndex(file), lambda: NOON)
        self.artifacts = FolderArtifacts(folder / "artifacts")
        model = ModelChoice(
            provider="compatible", model="m", base_url=provider.url, api_key="k", retries=0
        )
        workshop = Workshop(
            operations=self.operations, artifacts=self.artifacts, model=model, token_limit=100_000
        )
        library = FolderLibrary(folder / "nowhere", folder / "library.db")
        self.team = self.at(workshop, Choice(library=library))

    @staticmethod
    def at(workshop: Workshop, choice: Choice) -> Teamwork:
        attempts = Attempts(workshop=workshop, clock=lambda: NOON, has_news=lambda _: False)
        return Teamwork(attempts=attempts, workshop=workshop, choice=choice)

    async def begin(self) -> None:
        about = {"topic": "Tram line 12", "subtopics": self.subtopics}
        request = {**about, "documents": list(self.documents)}
        started = OperationStarted(
            at=NOON,
            actor=Actor(id="rita", name="Rita"),
            kind="research",
            title="Tram line 12",
            request=await self.artifacts.put("home", canonical(request)),
            policy=Policy(reviewer_role="Reviewer"),
        )
        await self.operations.start("home", "o-1", started)
        await self.team.plan(WORK)

    async def operation(self) -> Operation:
        operation = await self.operations.load("home", "o-1")
        assert operation
        return operation

    async def change(self, rule: Rule) -> None:
        assert isinstance(await self.operations.change("home", "o-1", rule), Changed)

    async def research(self, number: int = 0, subtopic: int = 0) -> None:
        await self.team.research(SubtopicWork.of(WORK, round=number, subtopic=subtopic))

    async def check(self, number: int = 0, *, last: bool = False) -> dict[str, Any]:
        await self.team.check(CheckWork.of(WORK, round=number, last=last))
        return await self.made(f"check:{number}")

    async def made(self, step: str) -> dict[str, Any]:
        return await self.team.workshop.result(await self.operation(), step)

    async def first_version(self) -> None:
        """Have a report written of one claim."""
        self.provider.fills_in(findings=[TWO])
        self.provider.fills_in(verdicts=[verdict(1)], notes="Good.", approved=True)
        self.provider.fills_in(**REPORT)
        self.provider.fills_in(**PROOF)
        await self.research()
        await self.check()
        await self.write()

    async def write(self, version: int = 1) -> Evidence:
        """Write a version, which opens it; returns what it rests on."""
        await self.team.write(VersionWork.of(WORK, version=version))
        made = await self.made(f"draft:{version}")
        return Evidence.model_validate_json(await self.artifacts.get("home", made["evidence"]))

    async def send_back(self, comment: str) -> None:
        reviewer = Person(id="ann", name="Ann", tenant="home", roles=frozenset({"Reviewer"}))
        first = (await self.operation()).proposals[0]
        decide = rules.Decide(
            reviewer=reviewer, version=1, digest=first.digest, decision="revise", comment=comment
        )
        await self.change(lambda state, now: rules.decide(state, decide, now))

    def asked(self, number: int) -> Mapping[str, Any]:
        return read(self.provider.requests[number]["messages"][-1]["content"])[0]
